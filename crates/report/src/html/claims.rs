//! Claims with their verdicts: one card for each, with a table where it was tested in many places.

use serde::Serialize;

use super::matrix::{MatrixField, ParamMatrix};
use crate::cells::ReportAxis;
use crate::format::said;
use crate::plot::{self, IntervalMark, Threshold};
use crate::results::Results;
use crate::verdicts::{self, VERDICTS, claim_figure, shown_unit};
use figures::{Figure, POINTS, column_decimals};
use lab::tables::ClaimRow;

/// A claim with its verdicts.
#[derive(Debug, Default, Serialize)]
pub(crate) struct ClaimCard {
    /// `supported`, `agrees`, `refuted`, `undecided`, or `mixed`.
    pub(crate) class: String,
    /// The verdict in words: `refuted`, `7 supported, 2 refuted`.
    pub(crate) verdict: String,
    pub text: String,
    pub(crate) source: String,
    pub(crate) holds: String,
    /// The estimate and its cell, if the claim was tested in one cell.
    pub(crate) found: String,
    pub(crate) place: String,
    pub(crate) note: String,
    /// The interval that decided it beside the claimed number, drawn; empty where there is none.
    pub(crate) track: String,
    /// The verdicts by place, if there are several.
    pub(crate) matrix: Option<ParamMatrix>,
}

/// A card for every claim.
pub(super) fn cards(results: &Results) -> Vec<ClaimCard> {
    let claims = results.rows_by_claim();
    claims.map(|rows| card(results, rows)).collect()
}

/// The explanation of these cards: of their levels and of the lines in their pictures.
pub(super) fn note(results: &Results, cards: &[ClaimCard]) -> String {
    let are_several = results.claims.len() > 1;
    let is_estimated = |row: &ClaimRow| claim_figure(row).interval().is_some();
    said(&[
        (
            are_several && results.claims.iter().any(is_estimated),
            "The confidence level covers all claims together (Holm).",
        ),
        (
            cards.iter().any(|card| !card.track.is_empty()),
            "A dashed line marks the claimed value.",
        ),
        (
            cards.iter().any(|card| card.track.contains(plot::BROKEN)),
            "A scale that is broken at its left end does not begin at 0.",
        ),
    ])
}

impl ClaimCard {
    /// The card of a claim with this sentence, source and relation, and a verdict of this class.
    pub(crate) fn of([text, source, holds]: [&str; 3], class: &str) -> Self {
        Self {
            class: class.to_owned(),
            text: text.to_owned(),
            source: source.to_owned(),
            holds: holds.to_owned(),
            ..Self::default()
        }
    }
}

fn card(results: &Results, rows: &[ClaimRow]) -> ClaimCard {
    let first = &rows[0];
    let card = ClaimCard {
        verdict: verdict(rows),
        note: shared_note(rows),
        ..ClaimCard::of(
            [&first.text, &first.source, &first.holds],
            verdicts::verdict(rows),
        )
    };
    let [row] = rows else {
        let matrix = Some(matrix(results, rows));
        return ClaimCard { matrix, ..card };
    };
    let found = results.found(row);
    let mark = IntervalMark {
        text: found.clone(),
        ..IntervalMark::of("found", &row.measured)
    };
    ClaimCard {
        place: match results.cells().len() {
            0 | 1 => String::new(),
            _ => results
                .sweep
                .in_words(&results.config.labels)
                .place(&row.cell),
        },
        track: track(
            &mark,
            row.threshold.map(f64::from),
            row.threshold_error.map(f64::from),
            shown_unit(row),
        ),
        found,
        ..card
    }
}

/// An interval beside the claimed number with its error; empty without a number.
pub(crate) fn track(
    mark: &IntervalMark,
    number: Option<f64>,
    error: Option<f64>,
    unit: &str,
) -> String {
    let claimed = number.map(|number| Threshold::claimed(number, error, unit));
    claimed.map_or_else(String::new, |claimed| plot::track(mark, &claimed, unit))
}

fn verdict(rows: &[ClaimRow]) -> String {
    match (verdicts::verdict(rows), rows.len()) {
        ("mixed", _) => verdicts::tally(rows.iter().map(|row| row.verdict.as_ref())),
        (word, 1) => word.to_owned(),
        (word, 2) => format!("{word} in both places"),
        (word, all) => format!("{word} in all {all} places"),
    }
}

/// Returns the remarks that the claim has wherever it was tested.
fn shared_note(rows: &[ClaimRow]) -> String {
    let has = |row: &ClaimRow, note: &str| row.note.split("; ").any(|one| one == note);
    let notes = rows[0].note.split("; ");
    let shared = notes.filter(|note| rows.iter().all(|row| has(row, note)));
    shared.collect::<Vec<_>>().join("; ")
}

/// The mark of a verdict.
pub(super) fn mark(class: &str) -> &'static str {
    let known = VERDICTS.iter().find(|verdict| verdict.word == class);
    known.map_or("?", |verdict| verdict.mark)
}

/// The verdicts over the parameters in which the places differ.
fn matrix(results: &Results, rows: &[ClaimRow]) -> ParamMatrix {
    let sweep = &results.sweep;
    let words = sweep.in_words(&results.config.labels);
    let (places, varying) = verdicts::places_apart(sweep, rows);
    let axes: Vec<&ReportAxis> = varying.iter().map(|&axis| &sweep.axes[axis]).collect();
    let figures: Vec<Figure<'_>> = rows.iter().map(claim_figure).collect();
    let column = column_decimals(&figures);
    let field = |values: &[&str]| {
        let is_there = |place: &Vec<Option<&str>>| {
            let mut both = varying.iter().zip(values);
            both.all(|(&axis, wanted)| place[axis] == Some(*wanted))
        };
        let at = places.iter().position(is_there)?;
        let mut figure = figures[at];
        figure.column = column;
        Some(judged(
            results,
            (&rows[at], figure),
            words.place(&rows[at].cell),
        ))
    };
    let title = match shown_unit(&rows[0]) {
        POINTS => "Verdicts (percentage points)",
        _ => "Verdicts",
    };
    ParamMatrix::of((title, ""), &axes, field).in_words(&results.config.labels)
}

fn judged(results: &Results, (row, figure): (&ClaimRow, Figure<'_>), place: String) -> MatrixField {
    let verdict = row.verdict.as_ref();
    let found = results.remarked(row);
    let is_counted = figure.is_exact() && !row.note.is_empty();
    MatrixField {
        mark: IntervalMark::default(),
        text: format!("{}\u{a0}{}", mark(verdict), figure.short()),
        detail: if is_counted {
            "exact".to_owned()
        } else {
            figure.detail()
        },
        hint: format!("{place}, {verdict}: {found}"),
        class: verdict.to_owned(),
        shade: 0,
    }
}
