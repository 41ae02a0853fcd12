//! `elo.csv`: the rating differences of metrics that count pairs of games.
//!
//! The differences are mapped from the score's estimate and interval and are as valid as these. A bound that
//! does not exist, at a score of 0 or 1, is an empty field.

use super::facts::RunFacts;
use super::metric_in_cell::MetricInCell;
use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use crate::run::Stopped;
use stats::{Elo, Estimate, Pentanomial, Validity};
use task::{Metric, MetricKind, Tally};

table_row! {
    /// A row of `elo.csv`: a metric of pairs of games in a cell.
    pub struct EloRow in "elo", keys ["cell", "metric"] refers ["cell", "metric"] to "summary" {
        /// Name of the experiment.
        experiment: String,
        /// One combination of the swept parameters.
        cell: String,
        /// Name of the metric.
        metric: String,
        /// Sample size: samples that count for the estimate.
        n: u64,
        /// Samples whose value is only bounded, because their budget ran out.
        n_unresolved: Option<u64>,
        /// Elo rating, or rating difference of the first side; empty where undefined.
        elo: Option<Exact>,
        /// Lower end of the interval of elo; empty where there is no bound.
        elo_lo: Option<Exact>,
        /// Upper end of the interval of elo; empty where there is no bound.
        elo_hi: Option<Exact>,
        /// The difference in normalised Elo.
        nelo: Option<f64>,
        /// Confidence level of the interval.
        ci_level: Option<f64>,
        /// Sampling scheme under which the interval has its level.
        valid_under: Option<Validity>,
        /// The reason why sampling stopped.
        stop_reason: Option<Stopped>,
    }
}

/// The table; `None` if no metric counts pairs of games.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    let is_pair = |metric: &Metric| metric.kind == MetricKind::Pair;
    let has_pairs = facts.experiment.task.metrics.iter().any(is_pair);
    let pairs = facts
        .metrics()
        .filter(move |(subject, ..)| is_pair(subject.metric));
    let rows = pairs.map(|(subject, score, tally)| row(subject, score, tally, facts.stopped));
    has_pairs.then(|| Table::of(rows))
}

fn row(subject: MetricInCell, score: &Estimate, tally: &Tally, stopped: Stopped) -> EloRow {
    let elo = Elo::of_score(score).written();
    let interval = score.interval;
    EloRow {
        experiment: subject.experiment(),
        cell: subject.cell(),
        metric: subject.metric(),
        n: score.n,
        n_unresolved: Some(score.unresolved),
        elo: elo.value.map(Exact),
        elo_lo: elo.lo.map(Exact),
        elo_hi: elo.hi.map(Exact),
        nelo: normalised(tally),
        ci_level: interval.map(|interval| interval.level.get()),
        valid_under: interval.map(|interval| interval.validity),
        stop_reason: Some(stopped),
    }
}

/// The difference in normalised Elo, if no game is unresolved.
fn normalised(tally: &Tally) -> Option<f64> {
    match tally {
        Tally::Counts(pairs) if pairs.unresolved() == 0 => {
            Pentanomial::of(pairs.resolved()).normalised_elo()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use task::Value;

    /// Two pairs of games with a quarter and a half of the points, and one with all.
    #[test]
    fn pairs_that_are_open_have_no_normalised_difference() {
        let metric = Metric::pair("score", "");
        let of = |scores: &[Value]| {
            let mut tally = Tally::new(&metric);
            scores.iter().for_each(|&score| tally.push(score));
            normalised(&tally)
        };
        let scores = [1, 2, 4].map(Value::Exact);
        assert!(of(&scores).is_some_and(|found| found > 0.0));
        assert_eq!(of(&[&scores[..], &[Value::bounds(0, 4)]].concat()), None);
    }
}
