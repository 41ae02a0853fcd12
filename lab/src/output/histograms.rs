//! `histograms.csv`: how often each value occurred.

use crate::config::Experiment;
use crate::harness::{BlockTally, Tally};
use crate::stats::{Bounded, Histogram};

use super::fields::{MetricPlace, places};
use super::table::Table;

/// A value of a metric and how often it occurred.
struct CountedValue<'run> {
    place: MetricPlace<'run>,
    value: i64,
    counts: &'run Bounded<Histogram>,
}

/// Counts of every value of the metrics that keep a histogram. Unresolved samples are counted at
/// both of their ends.
pub(super) fn histograms_table(experiment: &Experiment, tally: &BlockTally) -> Table {
    let rows = places(experiment, |cell| tally.cell(cell)).flat_map(|(place, tally)| {
        let counts = match tally {
            Tally::Counts(counts) => Some(counts),
            _ => None,
        };
        counts.into_iter().flat_map(move |counts| {
            let of_value = move |value| CountedValue {
                place,
                value,
                counts,
            };
            values(counts).into_iter().map(of_value)
        })
    });
    Table::of("histograms", &["cell", "metric", "value"], rows)
        .refers(&["cell", "metric"], "summary")
        .cell(experiment, |row| row.place.cell)
        .metric(|row| row.place.metric)
        .number("value", "A value of the metric, in its unit.", |row| {
            Some(row.value as f64 / row.place.metric.per as f64)
        })
        .integer("count", "Resolved samples with this value.", |row| {
            row.counts.resolved().count_of(row.value)
        })
        .integer(
            "unresolved_from",
            "Unresolved samples whose least possible value this is.",
            |row| row.counts.lows().count_of(row.value),
        )
        .integer(
            "unresolved_to",
            "Unresolved samples whose greatest possible value this is.",
            |row| row.counts.highs().count_of(row.value),
        )
        .build()
}

/// All values that occurred, resolved or as an end, in ascending order.
fn values(counts: &Bounded<Histogram>) -> Vec<i64> {
    let mut values: Vec<i64> = [counts.resolved(), counts.lows(), counts.highs()]
        .iter()
        .flat_map(|ends| ends.iter().map(|(value, _)| value))
        .collect();
    values.sort_unstable();
    values.dedup();
    values
}
