//! `histograms.csv`: how often each value occurred.

use super::facts::RunFacts;
use super::metric_in_cell::MetricInCell;
use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use stats::{Bounded, Histogram};
use task::Tally;

table_row! {
    /// A row of `histograms.csv`: a value of a metric in a cell.
    pub struct HistogramRow in "histograms", keys ["cell", "metric", "value"]
    refers ["cell", "metric"] to "summary" {
        /// One combination of the swept parameters.
        cell: String,
        /// Name of the metric.
        metric: String,
        /// A value of the metric, in its unit.
        value: Exact,
        /// Resolved samples with this value.
        count: u64,
        /// Unresolved samples whose least possible value this is.
        unresolved_from: u64,
        /// Unresolved samples whose greatest possible value this is.
        unresolved_to: u64,
    }
}

/// Counts of every value of the metrics that keep a histogram. Unresolved samples are counted at
/// both of their ends.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    let counted = facts
        .metrics()
        .filter_map(|(subject, _, tally)| match tally {
            Tally::Counts(counts) => Some((subject, counts)),
            _ => None,
        });
    Some(Table::of(counted.flat_map(|(subject, counts)| {
        let values = values(counts).into_iter();
        values.map(move |value| counted_value(subject, value, counts))
    })))
}

fn counted_value(subject: MetricInCell, value: i64, counts: &Bounded<Histogram>) -> HistogramRow {
    HistogramRow {
        cell: subject.cell(),
        metric: subject.metric(),
        value: Exact::of_steps(value, subject.metric.denominator),
        count: counts.resolved().count_of(value),
        unresolved_from: counts.lows().map_or(0, |lows| lows.count_of(value)),
        unresolved_to: counts.highs().map_or(0, |highs| highs.count_of(value)),
    }
}

/// All values that occurred, resolved or as an end, in ascending order.
fn values(counts: &Bounded<Histogram>) -> Vec<i64> {
    let ends = [Some(counts.resolved()), counts.lows(), counts.highs()];
    let counted = ends.into_iter().flatten().flat_map(Histogram::iter);
    let mut values: Vec<i64> = counted.map(|(value, _)| value).collect();
    values.sort_unstable();
    values.dedup();
    values
}
