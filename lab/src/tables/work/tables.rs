//! The tables of what samples took, each row worked out as it is written.

use super::Work;
use crate::experiment::Experiment;
use crate::stats::{Confidence, Interval};
use crate::tables::metric_in_cell::MetricInCell;
use crate::tables::row::{TableRow, table_row};
use crate::tables::table::Table;

table_row! {
    /// A row of `cumulative.csv`: how many instances of a cell were solved by so much of a total.
    pub struct CumulativeRow in "cumulative", keys ["cell", "metric", "value"]
    refers ["cell", "metric"] to "summary" {
        /// Name of the experiment.
        experiment: String,
        /// One combination of the swept parameters.
        cell: String,
        /// Name of the metric.
        metric: String,
        /// Unit of the metric; empty for a share.
        unit: String,
        /// What it took, in the metric's unit.
        value: u64,
        /// cumulative: instances solved with at most this value. points: whether all metrics of the
        /// sample are known, none left open by the budget.
        solved: u64,
        /// cumulative: all instances. ratios: instances that both cells solved.
        n: u64,
    }
}

table_row! {
    /// A row of `ratios.csv`: the work of two cells on the same instances.
    pub struct RatioRow in "ratios", keys ["first", "second", "metric"]
    refers ["metric"] to "metrics" {
        /// Name of the experiment.
        experiment: String,
        /// The cell whose value is divided.
        first: String,
        /// The cell whose value is divided by.
        second: String,
        /// Name of the metric.
        metric: String,
        /// cumulative: all instances. ratios: instances that both cells solved.
        n: u64,
        /// Instances that a cell did not solve, or solved with a value of 0.
        left_out: u64,
        /// Geometric mean of first / second over the instances that both cells solved.
        ratio: Option<f64>,
        /// The interval of the ratio.
        interval: Option<Interval>,
        /// Instances on which the first cell has the smaller value.
        less: u64,
        /// Instances on which both cells have the same value.
        equal: u64,
        /// Instances on which the first cell has the greater value.
        more: u64,
    }
}

table_row! {
    /// A row of `points.csv`: the work of an instance in a cell.
    pub struct PointRow in "points", keys ["sample", "cell", "metric"]
    refers ["cell", "metric"] to "summary" {
        /// Name of the experiment.
        experiment: String,
        /// Index of the sample, from 0.
        sample: u64,
        /// One combination of the swept parameters.
        cell: String,
        /// Name of the metric.
        metric: String,
        /// What it took, in the metric's unit.
        value: Option<u64>,
        /// cumulative: instances solved with at most this value. points: whether all metrics of the
        /// sample are known, none left open by the budget.
        solved: Option<bool>,
    }
}

/// The tables, in their order.
pub const WORK_TABLES: [&str; 3] = [CumulativeRow::TABLE, RatioRow::TABLE, PointRow::TABLE];

impl Work {
    /// The tables; none of a task whose samples have no totals. Totals that are 0 in every sample
    /// are left out.
    pub fn tables(&self, experiment: &Experiment, confidence: Confidence) -> Vec<Table> {
        let is_positive = |&total: &usize| {
            let mut spreads = self.spreads.iter();
            spreads.any(|cell| cell[total].has_positive())
        };
        let shown: Vec<usize> = (0..self.totals.len()).filter(is_positive).collect();
        if shown.is_empty() {
            return Vec::new();
        }
        let listed = ListedWork {
            work: self,
            experiment,
            shown: &shown,
        };
        let ratios = (!self.pairs.is_empty()).then(|| Table::of(listed.ratios(confidence)));
        let mut tables = vec![Table::of(listed.cumulative())];
        tables.extend(ratios);
        tables.push(Table::of(listed.points()));
        tables
    }
}

/// The work of an experiment and the totals that its tables list.
#[derive(Clone, Copy)]
struct ListedWork<'run> {
    work: &'run Work,
    experiment: &'run Experiment,
    shown: &'run [usize],
}

impl<'run> ListedWork<'run> {
    fn subject(self, cell: usize, total: usize) -> MetricInCell<'run> {
        MetricInCell::new(self.experiment, cell, self.work.totals[total].metric)
    }

    /// Each of these groups with each of the totals listed.
    fn each<T: Copy + 'run>(
        self,
        groups: impl Iterator<Item = T> + 'run,
    ) -> impl Iterator<Item = (T, usize)> + 'run {
        groups.flat_map(move |group| self.shown.iter().map(move |&total| (group, total)))
    }

    fn cumulative(self) -> impl Iterator<Item = CumulativeRow> + 'run {
        let spreads = self.each(self.work.spreads.iter().enumerate());
        spreads.flat_map(move |((cell, spreads), total)| {
            let (subject, spread) = (self.subject(cell, total), &spreads[total]);
            spread.steps().map(move |(value, solved)| CumulativeRow {
                experiment: subject.experiment(),
                cell: subject.cell(),
                metric: subject.metric(),
                unit: subject.unit(),
                value,
                solved,
                n: spread.n,
            })
        })
    }

    fn ratios(self, confidence: Confidence) -> impl Iterator<Item = RatioRow> + 'run {
        let ratios = self.each(self.work.pairs.iter().zip(&self.work.ratios));
        ratios.map(move |((pair, ratios), total)| {
            let (ratio, estimate) = (&ratios[total], ratios[total].estimate(confidence));
            let [first, second] = [pair.first, pair.second].map(|cell| self.subject(cell, total));
            RatioRow {
                experiment: first.experiment(),
                first: first.cell(),
                second: second.cell(),
                metric: first.metric(),
                n: estimate.n,
                left_out: ratio.left_out,
                ratio: estimate.value,
                interval: estimate.interval,
                less: ratio.less,
                equal: estimate.n - ratio.less - ratio.more,
                more: ratio.more,
            }
        })
    }

    fn points(self) -> impl Iterator<Item = PointRow> + 'run {
        self.work.points.iter().flat_map(move |(sample, cells)| {
            let efforts = self.each(cells.iter().enumerate());
            efforts.map(move |((cell, efforts), total)| {
                let subject = self.subject(cell, total);
                PointRow {
                    experiment: subject.experiment(),
                    sample: *sample,
                    cell: subject.cell(),
                    metric: subject.metric(),
                    value: efforts[total].value,
                    solved: Some(efforts[total].solved),
                }
            })
        })
    }
}
