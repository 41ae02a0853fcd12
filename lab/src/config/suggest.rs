//! The closest accepted name to an unknown one, and lists of names, for messages.
//!
//! The distance is the number of letters inserted, omitted, replaced or swapped with their
//! neighbour (Damerau 1964, "A technique for computer detection and correction of spelling
//! errors").

use strsim::osa_distance;

/// Names listed before the rest is only counted.
const LISTED: usize = 24;

/// "did you mean `x`?" where a name is close, otherwise the names there are.
pub(super) fn help<'a>(wrong: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    did_you_mean(wrong, names.clone()).unwrap_or_else(|| format!("known here: {}", list(names)))
}

/// "did you mean `x`?" where a name is close.
pub fn did_you_mean<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    closest(wrong, names).map(|name| format!("did you mean `{name}`?"))
}

/// "`a`, `b`, `c`"; "nothing" of no names.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match quoted.len() {
        0 => "nothing".to_owned(),
        many if many > LISTED => {
            format!("{} and {} more", quoted[..LISTED].join(", "), many - LISTED)
        }
        _ => quoted.join(", "),
    }
}

/// The closest name, if at most a third of its letters differ; the first of equals. A number is
/// not a slip of another number.
fn closest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.parse::<f64>().is_ok() {
        return None;
    }
    // A long wrong name is close to none, and need not be measured.
    let wrong: String = wrong.chars().take(64).collect();
    names
        .map(|name| (osa_distance(&wrong, name), name))
        .filter(|&(distance, name)| distance <= name.chars().count() / 3)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_of_each_kind_is_one_edit() {
        // Of three letters one may differ, so two swapped ones count once.
        for slip in ["pe", "pegs", "pex", "peg", "epg"] {
            assert_eq!(closest(slip, ["peg"].into_iter()), Some("peg"), "{slip}");
        }
        assert_eq!(closest("gep", ["peg"].into_iter()), None);
    }

    #[test]
    fn only_close_names_are_suggested() {
        let names = ["strategy", "layout", "p"];
        assert_eq!(
            help("stratgey", names.into_iter()),
            "did you mean `strategy`?"
        );
        assert_eq!(
            help("q", names.into_iter()),
            "known here: `strategy`, `layout`, `p`"
        );
        assert_eq!(did_you_mean("0.3", ["0.5"].into_iter()), None);
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(list(std::iter::empty()), "nothing");
        assert!(list(["x"; LISTED + 3].into_iter()).ends_with("`x` and 3 more"));
    }
}
