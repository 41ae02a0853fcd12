//! `elo.csv`: the rating differences of metrics that count pairs of games.
//!
//! They are mapped from the score's estimate and interval and are as valid as these. A bound that
//! does not exist, at a score of 0 or 1, is an empty field.

use crate::config::Experiment;
use crate::harness::{Outcome, Tally};
use crate::stats::{Elo, Estimate, Pentanomial};
use crate::task::MetricKind;

use super::number::number;
use super::table::Table;

const COLUMNS: [&str; 12] = [
    "experiment",
    "cell",
    "metric",
    "n:integer",
    "n_unresolved:integer",
    "elo:number",
    "elo_lo:number",
    "elo_hi:number",
    "nelo:number",
    "ci_level:number",
    "valid_under",
    "stop_reason",
];

/// The table; `None` if no metric counts pairs of games.
pub(super) fn elo_table(
    experiment: &Experiment,
    outcome: &Outcome,
    stop_reason: &str,
) -> Option<Table> {
    let metrics = experiment.task.metrics.iter().enumerate();
    let metrics: Vec<_> = metrics
        .filter(|(_, metric)| metric.kind == MetricKind::Pair)
        .collect();
    let mut table = Table::new("elo", COLUMNS);
    for (index, cell) in experiment.cells.iter().enumerate() {
        for &(place, metric) in &metrics {
            let names = [&*experiment.name, &cell.name, &metric.name];
            let mut row: Vec<String> = names.map(str::to_owned).into();
            let tally = &outcome.tally.cell(index)[place];
            row.extend(fields(&outcome.cells[index][place], tally));
            row.push(stop_reason.to_owned());
            table.push(row);
        }
    }
    (!metrics.is_empty()).then_some(table)
}

/// The fields between a row's names and its last: of the mean of a metric, and of its counts.
fn fields(score: &Estimate, tally: &Tally) -> [String; 8] {
    let elo = Elo::of_score(score);
    let normalised = match tally {
        Tally::Counts(pairs) if pairs.unresolved() == 0 => {
            Pentanomial::of(pairs.resolved()).normalised_elo()
        }
        _ => None,
    };
    let valid_under = score.interval.map_or("", |found| found.validity.name());
    [
        score.n.to_string(),
        score.unresolved.to_string(),
        number(elo.value),
        number(elo.lo),
        number(elo.hi),
        number(normalised),
        number(elo.level.map(|level| level.get())),
        valid_under.to_owned(),
    ]
}
