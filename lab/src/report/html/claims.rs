//! Claims with their verdicts: one card for each, with a table where it was tested in many places.

use serde::Serialize;

use super::matrix::{MatrixField, ParamMatrix};
use crate::report::cells::ReportAxis;
use crate::report::figures::Figure;
use crate::report::plot::{self, IntervalMark, Threshold};
use crate::report::results::Results;
use crate::tables::ClaimRow;

const VERDICTS: [&str; 4] = ["supported", "agrees", "refuted", "undecided"];

/// A claim with its verdicts.
#[derive(Debug, Serialize)]
pub struct ClaimCard {
    /// `supported`, `agrees`, `refuted`, `undecided`, or `mixed`.
    class: String,
    mark: &'static str,
    /// The verdict in words: `refuted`, `7 supported, 2 refuted`.
    verdict: String,
    text: String,
    source: String,
    holds: String,
    /// The estimate and its cell, if the claim was tested in one cell.
    found: String,
    place: String,
    note: String,
    /// The interval that decided it beside the claimed number, drawn; empty where there is none.
    track: String,
    /// The verdicts by place, if there are several.
    matrix: Option<ParamMatrix>,
}

/// A card for every claim.
pub(super) fn cards(results: &Results) -> Vec<ClaimCard> {
    let claims = results.claims.chunk_by(|one, next| one.is_of_claim(next));
    claims.map(|rows| card(results, rows)).collect()
}

/// Returns the numbers of claims by verdict: `2 supported, 1 refuted`.
pub(super) fn tally(cards: &[ClaimCard]) -> String {
    let counts = counts(cards.iter().map(ClaimCard::class));
    listed(counts.iter().map(|(class, count)| (*count, class.as_str())))
}

/// The verdicts that claims of these classes have, with how many have each.
pub(super) fn counts<'class>(classes: impl Iterator<Item = &'class str>) -> Vec<(String, usize)> {
    let classes: Vec<&str> = classes.collect();
    let known = VERDICTS.into_iter().chain(["mixed"]);
    let count = |class: &str| classes.iter().filter(|one| **one == class).count();
    let counts = known.map(|class| (class.to_owned(), count(class)));
    counts.filter(|(_, count)| *count > 0).collect()
}

/// The verdict of a claim in all its places, `mixed` where they differ.
pub(super) fn class(rows: &[ClaimRow]) -> &str {
    let first = rows[0].verdict.as_str();
    let is_same = rows.iter().all(|row| row.verdict == first);
    if is_same { first } else { "mixed" }
}

impl ClaimCard {
    /// The verdict in all places, `mixed` where they differ.
    pub fn class(&self) -> &str {
        &self.class
    }

    /// The card of a claim about a number without a unit that was tested once. `texts` are the
    /// claim's sentence, its source and its relation.
    pub fn tested(
        texts: [&str; 3],
        verdict: &str,
        mark: &IntervalMark,
        threshold: Option<f64>,
    ) -> Self {
        let [text, source, holds] = texts.map(str::to_owned);
        Self {
            class: verdict.to_owned(),
            mark: self::mark(verdict),
            verdict: verdict.to_owned(),
            text,
            source,
            holds,
            found: mark.text.clone(),
            place: String::new(),
            note: String::new(),
            track: threshold.map_or_else(String::new, |number| {
                let claimed = Threshold::claimed(number, None, "plain");
                plot::track(mark, &claimed, "plain")
            }),
            matrix: None,
        }
    }
}

fn card(results: &Results, rows: &[ClaimRow]) -> ClaimCard {
    let first = &rows[0];
    let class = class(rows);
    let is_single = rows.len() == 1;
    ClaimCard {
        mark: mark(class),
        class: class.to_owned(),
        verdict: verdict(rows),
        text: first.text.clone(),
        source: first.source.clone(),
        holds: first.holds.clone(),
        found: if is_single {
            results.found(first)
        } else {
            String::new()
        },
        place: if is_single && results.cells().len() > 1 {
            results.sweep.place(&first.cell)
        } else {
            String::new()
        },
        note: shared_note(rows),
        track: match rows {
            [row] => track(results, row),
            _ => String::new(),
        },
        matrix: (!is_single).then(|| matrix(results, rows)),
    }
}

/// The interval of a claim beside its number.
fn track(results: &Results, row: &ClaimRow) -> String {
    let Some(threshold) = row.threshold else {
        return String::new();
    };
    let estimate = &row.measured;
    let mark = IntervalMark {
        label: "found".to_owned(),
        text: results.found(row),
        value: estimate.value,
        bounds: estimate
            .lower
            .zip(estimate.upper)
            .filter(|_| estimate.value.is_none()),
        ends: estimate.interval.map(|interval| (interval.lo, interval.hi)),
        ..IntervalMark::default()
    };
    let unit = row.shown_unit();
    let claimed = Threshold::claimed(threshold, row.threshold_error, unit);
    plot::track(&mark, &claimed, unit)
}

fn verdict(rows: &[ClaimRow]) -> String {
    let count = |word: &str| rows.iter().filter(|row| row.verdict == word).count();
    match VERDICTS.into_iter().find(|word| count(word) == rows.len()) {
        Some(word) if rows.len() == 1 => word.to_owned(),
        Some(word) if rows.len() == 2 => format!("{word} in both places"),
        Some(word) => format!("{word} in all {} places", rows.len()),
        None => listed(VERDICTS.map(|word| (count(word), word)).into_iter()),
    }
}

/// Returns the remarks that the claim has wherever it was tested.
fn shared_note(rows: &[ClaimRow]) -> String {
    let notes = rows[0].note.split("; ");
    let is_shared = |note: &&str| {
        rows.iter()
            .all(|row| row.note.split("; ").any(|one| one == *note))
    };
    notes.filter(is_shared).collect::<Vec<_>>().join("; ")
}

fn listed<'word>(counts: impl Iterator<Item = (usize, &'word str)>) -> String {
    let parts = counts.filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    parts.join(", ")
}

fn mark(class: &str) -> &'static str {
    match class {
        "supported" | "agrees" => "✓",
        "refuted" => "✗",
        "mixed" => "◐",
        _ => "?",
    }
}

/// The verdicts over the parameters in which the places differ.
fn matrix(results: &Results, rows: &[ClaimRow]) -> ParamMatrix {
    let places: Vec<Option<Vec<Option<&str>>>> = (rows.iter())
        .map(|row| results.sweep.shared_values(&row.cell))
        .collect();
    let value = |row: usize, axis: usize| places[row].as_ref().and_then(|values| values[axis]);
    let differs = |axis: &usize| (1..rows.len()).any(|row| value(row, *axis) != value(0, *axis));
    let varying: Vec<usize> = (0..results.sweep.axes.len()).filter(differs).collect();
    let axes: Vec<&ReportAxis> = varying
        .iter()
        .map(|&axis| &results.sweep.axes[axis])
        .collect();
    let field = |values: &[&str]| {
        let is_there = |row: &usize| {
            let mut both = varying.iter().zip(values);
            both.all(|(&axis, wanted)| value(*row, axis) == Some(*wanted))
        };
        let row = &rows[(0..rows.len()).find(is_there)?];
        Some(judged(results, row))
    };
    ParamMatrix::of(("Verdicts", ""), &axes, field)
}

fn judged(results: &Results, row: &ClaimRow) -> MatrixField {
    let note = match row.note.as_str() {
        "" => String::new(),
        note => format!("; {note}"),
    };
    let figure = Figure::of(&row.measured, &row.unit);
    MatrixField {
        text: format!("{} {}", mark(&row.verdict), figure.short()),
        detail: figure.detail(),
        hint: format!(
            "{}, {}: {}{note}",
            results.sweep.place(&row.cell),
            row.verdict,
            results.found(row)
        ),
        class: row.verdict.clone(),
        shade: 0,
    }
}
