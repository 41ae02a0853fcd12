//! The closest accepted name to an unknown one, and lists of names, for messages.
//!
//! The distance is the number of letters inserted, omitted, replaced or swapped with their
//! neighbour (Damerau 1964, "A technique for computer detection and correction of spelling
//! errors").

use strsim::osa_distance;

/// Names listed before the rest is only counted.
const LISTED: usize = 24;

/// "did you mean `x`?" where a name is close, otherwise the names there are.
pub fn help<'a>(wrong: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    did_you_mean(wrong, names.clone()).unwrap_or_else(|| format!("known here: {}", list(names)))
}

/// "did you mean `x`?" where a name is close.
pub fn did_you_mean<'a>(
    wrong: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Option<String> {
    closest(wrong, names).map(|name| format!("did you mean `{name}`?"))
}

/// "`a`, `b`, `c`"; "nothing" of no names.
pub fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match quoted.len() {
        0 => "nothing".to_owned(),
        many if many > LISTED => {
            format!("{} and {} more", quoted[..LISTED].join(", "), many - LISTED)
        }
        _ => quoted.join(", "),
    }
}

/// The closest name, if at most a third of its letters differ; the first of equals. Where none is,
/// the first with a [`part`](parts) that close to the word before the parentheses. A number is not a
/// slip of another number.
fn closest<'a>(wrong: &str, names: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    if wrong.parse::<f64>().is_ok() {
        return None;
    }
    // A long wrong name is close to none, and need not be measured.
    let wrong: String = wrong.chars().take(64).collect();
    let (word, _) = wrong.split_once('(').unwrap_or((&wrong, ""));
    let whole = names.clone().map(|name| (distance(&wrong, name), name));
    let in_part = names.map(|name| {
        let distances = parts(name).filter_map(|part| distance(word.trim(), part));
        (distances.min(), name)
    });
    nearest(whole).or_else(|| nearest(in_part))
}

fn nearest<'a>(names: impl Iterator<Item = (Option<usize>, &'a str)>) -> Option<&'a str> {
    names
        .filter_map(|(distance, name)| Some((distance?, name)))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// The edits between two names, if they are at most a third of the letters of the second.
fn distance(wrong: &str, name: &str) -> Option<usize> {
    let distance = osa_distance(wrong, name);
    (distance <= name.chars().count() / 3).then_some(distance)
}

/// The name of a player without its arguments, of a task without its game, of a value without its
/// parameter.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    let without_arguments = name.split_once('(').map(|(word, _)| word);
    let of_game = name.split_once('/').map(|(_, own)| own);
    let value = name.split_once('=').map(|(_, value)| value);
    without_arguments.into_iter().chain(of_game).chain(value)
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
    fn a_part_of_a_name_leads_to_the_whole() {
        let names = ["klondike/score", "search(D, N)", "rollout(4)", "rollout(8)"].into_iter();
        let cases = [
            ("score", "klondike/score"),
            ("serch(4)", "search(D, N)"),
            ("search", "search(D, N)"),
            ("rollout(9)", "rollout(4)"),
            ("rollot(8)", "rollout(8)"),
        ];
        for (wrong, meant) in cases {
            assert_eq!(closest(wrong, names.clone()), Some(meant), "{wrong}");
        }
        assert_eq!(closest("(4)", names), None);
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(list(std::iter::empty()), "nothing");
        assert!(list(["x"; LISTED + 3].into_iter()).ends_with("`x` and 3 more"));
    }
}
