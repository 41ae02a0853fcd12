//! Columns that many tables share: the place of a number, and everything about an estimate.
//!
//! Every interval names its level, its method and when it is valid.

use crate::config::Experiment;
use crate::stats::Estimate;
use crate::task::Metric;

use super::table::TableBuilder;

/// The value of `ci_method` for weights that cannot be trusted.
pub const UNTRUSTED: &str = "untrusted";

/// The meaning of a column of cells.
pub(super) const CELL: &str = "One combination of the swept parameters.";
/// The meanings of the columns of numbers of samples.
pub(super) const SAMPLE_SIZE: &str = "Sample size: samples that count for the estimate.";
pub(super) const UNRESOLVED: &str =
    "Samples whose value is only bounded, because their budget ran out.";

/// The cell and the metric of a row.
#[derive(Clone, Copy)]
pub(super) struct MetricPlace<'run> {
    pub cell: usize,
    pub metric: &'run Metric,
}

/// Every metric of every cell of an experiment, with its tally or what else was found of it.
pub(super) fn places<'run, T: 'run>(
    experiment: &'run Experiment,
    found: impl Fn(usize) -> &'run [T],
) -> impl Iterator<Item = (MetricPlace<'run>, &'run T)> {
    (0..experiment.cells.len()).flat_map(move |cell| {
        let metrics = experiment.task.metrics.iter();
        let place = move |metric| MetricPlace { cell, metric };
        metrics.map(place).zip(found(cell))
    })
}

impl<'run, I: IntoIterator> TableBuilder<'run, I> {
    /// The experiment's name.
    pub fn experiment(self, experiment: &'run Experiment) -> Self {
        self.text("experiment", "Name of the experiment.", |_| {
            &experiment.name
        })
    }

    /// The name of a cell.
    pub fn cell(
        self,
        experiment: &'run Experiment,
        cell: impl Fn(&I::Item) -> usize + 'run,
    ) -> Self {
        self.text("cell", CELL, move |row| &experiment.cells[cell(row)].name)
    }

    /// The name of a metric.
    pub fn metric(self, metric: impl Fn(&I::Item) -> &'run Metric + 'run) -> Self {
        self.text("metric", "Name of the metric.", move |row| {
            &metric(row).name
        })
    }

    /// The unit of a metric.
    pub fn unit(self, metric: impl Fn(&I::Item) -> &'run Metric + 'run) -> Self {
        let meaning = "Unit of the metric; empty for a share.";
        self.text("unit", meaning, move |row| &metric(row).unit)
    }

    /// Adds the columns of the cell and the metric.
    pub fn place(
        self,
        experiment: &'run Experiment,
        place: impl Fn(&I::Item) -> MetricPlace<'run> + Copy + 'run,
    ) -> Self {
        self.experiment(experiment)
            .cell(experiment, move |row| place(row).cell)
            .metric(move |row| place(row).metric)
            .unit(move |row| place(row).metric)
    }

    /// Adds all columns of an estimate.
    pub fn estimate(self, estimate: impl Fn(&I::Item) -> Estimate + Copy + 'run) -> Self {
        self.sample_size(estimate)
            .number(
                "mean",
                "The estimate; empty while unresolved samples leave it open.",
                move |row| estimate(row).value,
            )
            .number(
                "mean_lo",
                "The estimate with every unresolved sample at its least.",
                move |row| estimate(row).lower,
            )
            .number(
                "mean_hi",
                "The estimate with every unresolved sample at its greatest.",
                move |row| estimate(row).upper,
            )
            .number("sd", "Standard deviation of a sample.", move |row| {
                estimate(row).sd
            })
            .number(
                "mcse",
                "Monte Carlo standard error of the estimate.",
                move |row| estimate(row).mcse,
            )
            .interval(estimate)
    }

    /// Adds the columns of the number of samples that an estimate is made of.
    pub fn sample_size(self, estimate: impl Fn(&I::Item) -> Estimate + Copy + 'run) -> Self {
        self.integer("n", SAMPLE_SIZE, move |row| estimate(row).n)
            .integer("n_unresolved", UNRESOLVED, move |row| {
                estimate(row).unresolved
            })
    }

    /// The interval of an estimate, its level, its method and when it is valid.
    pub fn interval(self, estimate: impl Fn(&I::Item) -> Estimate + Copy + 'run) -> Self {
        let interval = move |row: &I::Item| estimate(row).interval;
        let method = move |row: &I::Item| {
            let without = if estimate(row).untrusted {
                UNTRUSTED
            } else {
                ""
            };
            interval(row).map_or(without, |interval| interval.method.name())
        };
        self.number(
            "ci_lo",
            "Lower end of the confidence interval.",
            move |row| interval(row).map(|interval| interval.lo),
        )
        .number(
            "ci_hi",
            "Upper end of the confidence interval.",
            move |row| interval(row).map(|interval| interval.hi),
        )
        .level(move |row| interval(row).map(|interval| interval.level.get()))
        .method(method)
        .valid_under(move |row| interval(row).map_or("", |interval| interval.validity.name()))
    }

    /// The confidence level of an interval.
    pub fn level(self, level: impl Fn(&I::Item) -> Option<f64> + 'run) -> Self {
        self.number("ci_level", "Confidence level of the interval.", level)
    }

    /// The method of an interval.
    pub fn method(self, method: impl Fn(&I::Item) -> &'static str + 'run) -> Self {
        self.text("ci_method", "Method of the interval.", method)
    }

    /// Adds the column of the condition under which an interval is valid.
    pub fn valid_under(self, validity: impl Fn(&I::Item) -> &'static str + 'run) -> Self {
        let meaning = "Sampling scheme under which the interval has its level.";
        self.text("valid_under", meaning, validity)
    }

    /// Adds the column of the reason for which sampling stopped.
    pub fn stop_reason(self, reason: &'run str) -> Self {
        self.text("stop_reason", "Why sampling stopped.", move |_| reason)
    }
}
