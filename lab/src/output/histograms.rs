//! `histograms.csv`: how often each value occurred.

use crate::config::Experiment;
use crate::harness::{BlockTally, Tally};
use crate::stats::{Bounded, Histogram};
use crate::task::Metric;

use super::number::number;
use super::table::Table;

/// Counts of every value of the metrics that keep a histogram. Unresolved samples are counted at
/// both of their ends.
pub(super) fn histograms_table(experiment: &Experiment, tally: &BlockTally) -> Table {
    let mut table = Table::new(
        "histograms",
        [
            "cell",
            "metric",
            "value:number",
            "count:integer",
            "unresolved_from:integer",
            "unresolved_to:integer",
        ],
    );
    for (index, cell) in experiment.cells.iter().enumerate() {
        for (metric, tally) in experiment.task.metrics.iter().zip(tally.cell(index)) {
            let Tally::Counts(counts) = tally else {
                continue;
            };
            for fields in histogram_rows(metric, counts) {
                let mut row = vec![cell.name.clone(), metric.name.to_string()];
                row.extend(fields);
                table.push(row);
            }
        }
    }
    table
}

fn histogram_rows(metric: &Metric, counts: &Bounded<Histogram>) -> Vec<[String; 4]> {
    let mut values: Vec<i64> = [counts.resolved(), counts.lows(), counts.highs()]
        .iter()
        .flat_map(|ends| ends.iter().map(|(value, _)| value))
        .collect();
    values.sort_unstable();
    values.dedup();
    let row = |value: i64| {
        [
            number(Some(value as f64 / metric.per as f64)),
            counts.resolved().count_of(value).to_string(),
            counts.lows().count_of(value).to_string(),
            counts.highs().count_of(value).to_string(),
        ]
    };
    values.into_iter().map(row).collect()
}
