//! `elo.csv`: the rating differences of metrics that count pairs of games.
//!
//! They are mapped from the score's estimate and interval and are as valid as these. A bound that
//! does not exist, at a score of 0 or 1, is an empty field.

use crate::config::Experiment;
use crate::harness::{Outcome, Tally};
use crate::stats::{Elo, Estimate, Pentanomial};
use crate::task::{Metric, MetricKind};

use super::fields::{MetricPlace, places};
use super::table::Table;

/// The estimate of a mean of pairs of games, and their counts.
struct PairScore<'run> {
    place: MetricPlace<'run>,
    score: Estimate,
    tally: &'run Tally,
}

impl PairScore<'_> {
    /// The difference in normalised Elo, if no game is unresolved.
    fn normalised(&self) -> Option<f64> {
        match self.tally {
            Tally::Counts(pairs) if pairs.unresolved() == 0 => {
                Pentanomial::of(pairs.resolved()).normalised_elo()
            }
            _ => None,
        }
    }
}

/// The meaning of a column that holds a rating or a difference in Elo.
pub(super) const ELO: &str =
    "Elo rating, or rating difference of the first side; empty where undefined.";
pub(super) const ELO_LO: &str = "Lower end of its interval; empty where there is no bound.";
pub(super) const ELO_HI: &str = "Upper end of its interval; empty where there is no bound.";

/// The table; `None` if no metric counts pairs of games.
pub(super) fn elo_table(
    experiment: &Experiment,
    outcome: &Outcome,
    stop_reason: &str,
) -> Option<Table> {
    let is_pair = |metric: &Metric| metric.kind == MetricKind::Pair;
    if !experiment.task.metrics.iter().any(is_pair) {
        return None;
    }
    let estimates = places(experiment, |cell| &outcome.cells[cell]);
    let found = estimates.zip(places(experiment, |cell| outcome.tally.cell(cell)));
    let rows = found.map(|((place, score), (_, tally))| PairScore {
        place,
        score: *score,
        tally,
    });
    let rows = rows.filter(|row| is_pair(row.place.metric));
    let elo = |row: &PairScore| Elo::of_score(&row.score);
    let table = Table::of("elo", &["cell", "metric"], rows)
        .refers(&["cell", "metric"], "summary")
        .experiment(experiment)
        .cell(experiment, |row| row.place.cell)
        .metric(|row| row.place.metric)
        .sample_size(|row| row.score)
        .number("elo", ELO, move |row| elo(row).value)
        .number("elo_lo", ELO_LO, move |row| elo(row).lo)
        .number("elo_hi", ELO_HI, move |row| elo(row).hi)
        .number("nelo", "The difference in normalised Elo.", |row| {
            row.normalised()
        })
        .level(move |row| elo(row).level.map(|level| level.get()))
        .valid_under(|row| (row.score.interval).map_or("", |found| found.validity.name()))
        .stop_reason(stop_reason);
    Some(table.build())
}
