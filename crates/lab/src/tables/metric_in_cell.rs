//! Every metric of every cell of an experiment.

use experiment::Experiment;
use task::Metric;

/// A metric of a cell of an experiment.
#[derive(Clone, Copy, Debug)]
pub(super) struct MetricInCell<'run> {
    pub(crate) experiment: &'run Experiment,
    pub(crate) cell: usize,
    pub(crate) number: usize,
    pub(crate) metric: &'run Metric,
}

impl<'run> MetricInCell<'run> {
    /// The metric of the cell with these numbers.
    pub(crate) fn new(experiment: &'run Experiment, cell: usize, metric: usize) -> Self {
        Self {
            experiment,
            cell,
            number: metric,
            metric: &experiment.task.metrics[metric],
        }
    }

    /// The experiment's name.
    pub(super) fn experiment(&self) -> String {
        self.experiment.name().to_owned()
    }

    /// The cell's name.
    pub(crate) fn cell(&self) -> String {
        self.experiment.cells[self.cell].name.clone()
    }

    /// The metric's name.
    pub(super) fn metric(&self) -> String {
        self.metric.name.to_string()
    }

    /// The metric's unit.
    pub(crate) fn unit(&self) -> String {
        self.metric.unit.to_string()
    }
}
