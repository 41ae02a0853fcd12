//! The closest accepted name to one that is not, and lists of names, for messages.
//!
//! Closeness is the number of letters inserted, left out, replaced or swapped with their
//! neighbour (Damerau 1964, "A technique for computer detection and correction of spelling
//! errors").

/// "did you mean `x`?" where a name is close, otherwise all the names.
pub(super) fn help<'a>(wrong: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    match closest(wrong, names.clone()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("there is {}", list(names)),
    }
}

/// "`a`, `b` and `c`"; "nothing" of no names.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut quoted: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let last = quoted.pop().unwrap_or_else(|| "nothing".to_owned());
    if quoted.is_empty() {
        last
    } else {
        format!("{} and {last}", quoted.join(", "))
    }
}

/// The closest name, if at most a third of its letters differ; the first of equals.
fn closest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A long wrong name is close to none, and need not be measured.
    let wrong: Vec<char> = wrong.chars().take(64).collect();
    names
        .map(|name| (distance(&wrong, name), name))
        .filter(|&(distance, name)| distance <= (name.chars().count() / 3).max(1))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// The edits between two words, by dynamic programming over prefixes.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if swapped {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_of_each_kind_is_one_edit() {
        let letters: Vec<char> = "strategy".chars().collect();
        for slip in ["stratgy", "strateggy", "stratexy", "startegy"] {
            assert_eq!(distance(&letters, slip), 1, "{slip}");
        }
        assert_eq!(distance(&letters, "strategy"), 0);
        assert_eq!(distance(&[], "abc"), 3);
    }

    #[test]
    fn only_close_names_are_suggested() {
        let names = ["strategy", "layout", "p"];
        assert_eq!(
            help("stratgey", names.into_iter()),
            "did you mean `strategy`?"
        );
        assert_eq!(
            help("colour", names.into_iter()),
            "there is `strategy`, `layout` and `p`"
        );
        assert_eq!(list(std::iter::empty()), "nothing");
    }
}
