//! Counts as people write them.

/// Returns a number with the noun that it counts, given in the singular: `1 sample`,
/// `5,000 samples`.
pub fn counted(number: u64, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        number if thing.ends_with("ch") => format!("{} {thing}es", count(number)),
        number => format!("{} {thing}s", count(number)),
    }
}

/// A count as people write it: `5,000,000`.
pub fn count(number: u64) -> String {
    grouped(&number.to_string())
}

/// Digits before the point in groups of three.
pub fn grouped(text: &str) -> String {
    let (sign, rest) = text
        .strip_prefix('-')
        .map_or(("", text), |rest| ("-", rest));
    let (whole, fraction) = rest.find('.').map_or((rest, ""), |at| rest.split_at(at));
    if whole.len() < 4 {
        return text.to_owned();
    }
    let first = whole.len() % 3;
    let mut groups: Vec<&str> = Vec::new();
    if first > 0 {
        groups.push(&whole[..first]);
    }
    groups.extend((first..whole.len()).step_by(3).map(|at| &whole[at..at + 3]));
    format!("{sign}{}{fraction}", groups.join(","))
}
