//! The verdicts on one claim in several places, grouped.

use super::cells::Sweep;
use crate::tables::ClaimRow;

/// Places of a verdict that are named; if there are more, only their number is given.
pub(super) const MOST_NAMED: usize = 4;

/// A claim's rows by verdict, in the order in which the verdicts first come.
pub(super) fn by_verdict(claim: &[ClaimRow]) -> Vec<Vec<&ClaimRow>> {
    let mut groups: Vec<Vec<&ClaimRow>> = Vec::new();
    for row in claim {
        match groups.iter_mut().find(|of| of[0].verdict == row.verdict) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

/// The places by name where they are few, otherwise how many `of` them there are.
pub(super) fn places(sweep: &Sweep, group: &[&ClaimRow], of: usize) -> String {
    match group.len() {
        1..=MOST_NAMED => listed(group.iter().map(|row| sweep.place(&row.cell))),
        all if all == of => format!("all {all}"),
        some => format!("{some} of {of}"),
    }
}

/// The figures in the order of the places; of many the least and the greatest.
pub(super) fn found(group: &[&ClaimRow]) -> String {
    if group.len() <= MOST_NAMED {
        let phrase = |row: &&ClaimRow| row.phrase();
        let first = phrase(&group[0]);
        return if group.iter().all(|row| phrase(row) == first) {
            first
        } else {
            listed(group.iter().map(phrase))
        };
    }
    range(group)
}

/// The least and the greatest figure, the unit once.
pub(super) fn range(group: &[&ClaimRow]) -> String {
    let size = |row: &ClaimRow| {
        row.measured
            .value
            .or(row.measured.lower)
            .unwrap_or(f64::NAN)
    };
    let by_size = |a: &&&ClaimRow, b: &&&ClaimRow| size(a).total_cmp(&size(b));
    let ends = group
        .iter()
        .min_by(by_size)
        .zip(group.iter().max_by(by_size));
    let Some((least, most)) = ends.map(|(least, most)| (least.figure(), most.figure())) else {
        return String::new();
    };
    match (least.value(), most.value()) {
        (least, most) if least == most => most,
        (_, greatest) => format!("{} to {greatest}", least.short()),
    }
}

/// Some of a claim's places by the values of the one parameter in which its places differ: `hens =
/// safe, random`. `None` where they differ in several, or in none.
pub(super) fn values(sweep: &Sweep, claim: &[ClaimRow], group: &[&ClaimRow]) -> Option<String> {
    let at = |row: &ClaimRow| sweep.shared_values(&row.cell);
    let all: Vec<_> = claim.iter().map(at).collect::<Option<_>>()?;
    let differs = |axis: &usize| all.iter().any(|values| values[*axis] != all[0][*axis]);
    let mut axes = (0..sweep.axes.len()).filter(differs);
    let (axis, None) = (axes.next()?, axes.next()) else {
        return None;
    };
    let named = group.iter().map(|row| at(row)?[axis]);
    let named: Vec<&str> = named.collect::<Option<_>>()?;
    Some(format!("{} = {}", sweep.axes[axis].name, named.join(", ")))
}

fn listed(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join("; ")
}
