//! `truths.csv`: exact values beside their estimates.
//!
//! Some tasks know the expectation of a metric from an exact count, and an experiment file may
//! declare it. At 95 %, about one interval in twenty misses it. Samples that cannot be by chance what they are
//! contradict it: they decide, and what was declared is wrong.

use super::facts::RunFacts;
use super::metric_in_cell::MetricInCell;
use super::number::{Exact, exact, number};
use super::row::table_row;
use super::table::Table;
use crate::run::{Evidence, covers};
use base::count;
use stats::{Estimate, declared};
use task::Support;

table_row! {
    /// A row of `truths.csv`: a metric in a cell whose value is known.
    pub struct TruthRow in "truths", keys ["cell", "metric"]
    refers ["cell", "metric"] to "summary" {
        /// Name of the experiment.
        experiment: String,
        /// One combination of the swept parameters.
        cell: String,
        /// Name of the metric.
        metric: String,
        /// Unit of the metric; empty for a share.
        unit: String,
        /// The estimate.
        estimate: Estimate,
        /// The exact value.
        truth: Option<Exact>,
        /// True if the interval covers the exact value.
        covered: Option<bool>,
        /// True if the samples contradict the exact value, at a level at which that is no chance.
        contradicted: Option<bool>,
        /// The source of the exact value.
        source: String,
    }
}

impl TruthRow {
    /// The contradiction between the samples and the exact value, in a sentence without its final stop, if there is one.
    pub fn contradiction(&self) -> Option<String> {
        self.contradicted.filter(|contradicted| *contradicted)?;
        let (cell, metric, source) = (&self.cell, &self.metric, &self.source);
        let exact = self
            .truth
            .map_or(String::new(), |Exact(value)| format!("{} ", exact(value)));
        let (mean, n) = (number(self.estimate.value), count(self.estimate.n));
        Some(format!(
            "the samples contradict what is declared of {metric} in cell {cell}: their mean is {mean} over {n} \
             samples, and the exact value is said to be {exact}({source})"
        ))
    }
}

/// The table; `None` if no exact value is known.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    let metrics = facts.metrics().filter(|_| facts.has_truths);
    let rows: Vec<TruthRow> = metrics
        .filter_map(|(place, estimate, _)| row(facts, place, estimate))
        .collect();
    let is_contradicted = rows.iter().any(|row| row.contradicted.is_some());
    let is_kept = move |name: &str| is_contradicted || name != "contradicted";
    (!rows.is_empty()).then(|| Table::of_columns(is_kept, rows.into_iter()))
}

/// The row of a metric in a cell; `None` if neither its task knows the expectation nor the experiment file declares it, and
/// no sample is beyond what its task says of all.
fn row(facts: &RunFacts<'_>, subject: MetricInCell<'_>, estimate: &Estimate) -> Option<TruthRow> {
    let evidence = Evidence {
        compiled: facts.compiled,
        tally: &facts.outcome.tally,
        confidence: facts.outcome.confidence,
    };
    let place = (subject.cell, subject.number);
    let truth = evidence.exact_mean(facts.experiment, place);
    let support = evidence.exact_support(place);
    let beyond = support.and_then(|support| Some((evidence.beyond(place, &support)?, support)));
    let (source, is_contradicted) = match (beyond, &truth) {
        (
            Some((
                met,
                Support {
                    least,
                    most,
                    source,
                },
            )),
            _,
        ) => (
            format!("from {least} to {most} by {source}, and {met} was drawn"),
            true,
        ),
        (None, Some(truth)) => (
            truth.source.clone(),
            evidence.contradicts_mean(facts.experiment, place, truth.value),
        ),
        (None, None) => return None,
    };
    let (interval, value) = (estimate.interval, truth.map(|truth| truth.value));
    Some(TruthRow {
        experiment: subject.experiment(),
        cell: subject.cell(),
        metric: subject.metric(),
        unit: subject.unit(),
        estimate: *estimate,
        truth: value.map(|value| Exact(declared(value, interval))),
        covered: interval
            .zip(value)
            .map(|(interval, value)| covers(interval, value)),
        contradicted: is_contradicted.then_some(true),
        source,
    })
}
