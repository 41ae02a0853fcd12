//! The verdicts on claims, of which each may have been tested in several places.

use super::cells::Sweep;
use super::results::Results;
use crate::format::least_above;
use figures::{Figure, of_difference};
use indexmap::IndexSet;
use lab::tables::{ClaimRow, Exact};
use stats::{ClaimVerdict, Span};

/// A verdict's word, that of several claims, its mark on a page and its colour in a terminal.
pub(super) struct VerdictWord {
    pub(crate) word: &'static str,
    of_several: &'static str,
    pub(crate) mark: &'static str,
    pub(crate) colour: u8,
}

const fn word(word: &'static str, mark: &'static str, colour: u8) -> VerdictWord {
    VerdictWord {
        word,
        of_several: word,
        mark,
        colour,
    }
}

/// All verdicts, in the order in which they are counted.
pub(super) const VERDICTS: [VerdictWord; 5] = [
    word("supported", "✓", 32),
    VerdictWord {
        of_several: "agree",
        ..word("agrees", "✓", 32)
    },
    word("refuted", "✗", 31),
    word("undecided", "?", 33),
    word("mixed", "◐", 33),
];

/// Returns the numbers of claims by verdict: `2 supported, 1 refuted`.
pub(super) fn tally<'word>(verdicts: impl Iterator<Item = &'word str>) -> String {
    let verdicts: Vec<&str> = verdicts.collect();
    let told = VERDICTS.iter().filter_map(|verdict| {
        let count = verdicts.iter().filter(|one| **one == verdict.word).count();
        match count {
            0 => None,
            1 => Some(format!("1 {}", verdict.word)),
            several => Some(format!("{several} {}", verdict.of_several)),
        }
    });
    told.collect::<Vec<_>>().join(", ")
}

/// The words of a relation between a number and a claimed one: `at least`.
pub(super) fn relation_words(relation: &str) -> &str {
    match relation {
        "<" => "less than",
        "<=" => "at most",
        ">" => "more than",
        ">=" => "at least",
        other => other,
    }
}

/// Places of a verdict that are named; if there are more, only their number is given.
pub(super) const MOST_NAMED: usize = 4;

impl Results {
    /// The rows of each claim, one for each place in which it was tested.
    pub(super) fn rows_by_claim(&self) -> impl Iterator<Item = &[ClaimRow]> {
        self.claims.chunk_by(|one, next| {
            (&one.source, &one.text, &one.holds) == (&next.source, &next.text, &next.holds)
        })
    }

    /// The estimate of a claim as text, with the remarks on it.
    pub(super) fn remarked(&self, row: &ClaimRow) -> String {
        let found = self.found(row);
        match row.note.as_str() {
            "" => found,
            note => format!("{found}; {note}"),
        }
    }

    /// The estimates of some of a claim's places with the remarks on them; of many the least, the greatest and every
    /// remark.
    pub(super) fn all_remarked(&self, group: &[&ClaimRow]) -> String {
        if group.len() > MOST_NAMED {
            let notes = group.iter().map(|row| row.note.clone());
            let notes: IndexSet<String> = notes.filter(|note| !note.is_empty()).collect();
            return listed([range(group)].into_iter().chain(notes));
        }
        let mut said: Vec<String> = group.iter().map(|row| self.remarked(row)).collect();
        if said.iter().all(|one| *one == said[0]) {
            said.truncate(1);
        }
        listed(said.into_iter())
    }
}

/// The statistic of a claim as people read it.
pub(super) fn claim_figure(row: &ClaimRow) -> Figure<'_> {
    // A published value with an error is no number to be on one side of.
    let is_exact = row.threshold_error.is_none();
    let threshold = row.threshold.filter(|_| is_exact).map(f64::from);
    Figure::of(&row.measured, shown_unit(row)).against(threshold)
}

/// The unit that the figure of a claim is shown in.
pub(super) fn shown_unit(row: &ClaimRow) -> &str {
    if row.holds.starts_with("diff(") {
        of_difference(&row.unit)
    } else {
        &row.unit
    }
}

/// A text with what is known of the difference from a published value, if the claim is about one:
/// how large it may be, or how large it is.
pub(super) fn with_difference(row: &ClaimRow, text: String) -> String {
    let ends = row.difference_lo.zip(row.difference_hi);
    let Some((Exact(lo), Exact(hi))) = ends else {
        return text;
    };
    let unit = of_difference(&row.unit);
    let most = lo.abs().max(hi.abs());
    match row.verdict {
        ClaimVerdict::Agrees if most == 0.0 => format!("{text}, which is the claimed value"),
        ClaimVerdict::Agrees => {
            let most = least_above(most, unit);
            format!("{text}; any difference is below {most}")
        }
        _ => {
            let difference = Figure::plain((lo + hi) / 2.0, Some(Span::new(lo, hi)), unit).phrase();
            format!("{text}; the difference is {difference}")
        }
    }
}

/// The verdict on a claim in all its places, `mixed` where they differ.
pub(super) fn verdict(rows: &[ClaimRow]) -> &str {
    let first = &rows[0].verdict;
    let is_same = rows.iter().all(|row| row.verdict == *first);
    if is_same { first.as_ref() } else { "mixed" }
}

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
        some => how_many(some, of),
    }
}

/// Returns in words how many cells or pairs of a claim have a verdict: `all 5`, `3 of 5`.
pub(super) fn how_many(some: usize, of: usize) -> String {
    if some == of {
        format!("all {of}")
    } else {
        format!("{some} of {of}")
    }
}

/// The least and the greatest figure, the unit once.
pub(super) fn range(group: &[&ClaimRow]) -> String {
    let size = |row: &ClaimRow| {
        let known = row.measured.value.or(row.measured.lower);
        known.unwrap_or(f64::NAN)
    };
    let mut rows = group.to_vec();
    rows.sort_by(|a, b| size(a).total_cmp(&size(b)));
    let (Some(least), Some(most)) = (rows.first(), rows.last()) else {
        return String::new();
    };
    let (least, most) = (claim_figure(least), claim_figure(most));
    match most.value() {
        same if same == least.value() => same,
        greatest => format!("{} to {greatest}", least.short()),
    }
}

/// The value of every swept parameter that each place of a claim has, and the numbers of the
/// parameters in which the places differ.
pub(super) fn places_apart<'run>(
    sweep: &'run Sweep,
    claim: &[ClaimRow],
) -> (Vec<Vec<Option<&'run str>>>, Vec<usize>) {
    let places = claim.iter().map(|row| sweep.shared_values(&row.cell));
    let places: Vec<Vec<Option<&str>>> = places.collect();
    let differs = |axis: &usize| {
        places
            .iter()
            .any(|values| values[*axis] != places[0][*axis])
    };
    let varying = (0..sweep.axes.len()).filter(differs).collect();
    (places, varying)
}

/// Some of a claim's places by the values of the one parameter in which its places differ: `hens =
/// safe, random`. `None` where they differ in several, or in none.
pub(super) fn values(sweep: &Sweep, claim: &[ClaimRow], group: &[&ClaimRow]) -> Option<String> {
    let [axis] = places_apart(sweep, claim).1[..] else {
        return None;
    };
    let named = group.iter().map(|row| sweep.shared_values(&row.cell)[axis]);
    let named: Vec<&str> = named.collect::<Option<_>>()?;
    Some(format!("{} = {}", sweep.axes[axis].name, named.join(", ")))
}

fn listed(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join("; ")
}
