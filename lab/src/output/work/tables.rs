//! The tables of what samples took, each row worked out as it is written.

use crate::config::Experiment;
use crate::harness::CellPair;
use crate::output::table::Table;
use crate::stats::{Confidence, Estimate};

use super::{Effort, Ratio, WORK_TABLES, Work};

impl Work {
    /// The tables; none of a task whose samples have no totals. Totals that are 0 in every sample
    /// are left out.
    pub fn tables(&self, experiment: &Experiment, confidence: Confidence) -> Vec<Table> {
        let is_positive = |&place: &usize| {
            let mut spreads = self.spreads.iter();
            spreads.any(|cell| cell[place].has_positive())
        };
        let shown: Vec<usize> = (0..self.totals.len()).filter(is_positive).collect();
        if shown.is_empty() {
            return Vec::new();
        }
        let mut tables = vec![self.cumulative(experiment, &shown)];
        if !self.pairs.is_empty() {
            tables.push(self.ratio_table(experiment, (&shown, confidence)));
        }
        tables.push(self.point_table(experiment, &shown));
        tables
    }

    fn cumulative(&self, experiment: &Experiment, shown: &[usize]) -> Table {
        let metric = |place: usize| &experiment.task.metrics[self.totals[place].metric];
        let spreads = self.spreads.iter().enumerate();
        let rows = spreads.flat_map(|(cell, spreads)| {
            shown.iter().flat_map(move |&place| {
                let spread = &spreads[place];
                let steps = spread.steps();
                steps.map(move |(value, solved)| SolvedBy {
                    cell,
                    place,
                    value,
                    solved,
                    n: spread.n,
                })
            })
        });
        Table::of(WORK_TABLES[0], &["cell", "metric", "value"], rows)
            .refers(&["cell", "metric"], "summary")
            .experiment(experiment)
            .cell(experiment, |row| row.cell)
            .metric(move |row| metric(row.place))
            .unit(move |row| metric(row.place))
            .integer("value", TAKEN, |row| row.value)
            .integer("solved", SOLVED, |row| row.solved)
            .integer("n", INSTANCES_COUNTED, |row| row.n)
            .build()
    }

    fn ratio_table(
        &self,
        experiment: &Experiment,
        (shown, confidence): (&[usize], Confidence),
    ) -> Table {
        let metric = |place: usize| &experiment.task.metrics[self.totals[place].metric];
        let name = |cell: usize| &experiment.cells[cell].name;
        let rows = self.pairs.iter().zip(&self.ratios);
        let rows = rows.flat_map(|(pair, ratios)| {
            let ratio = move |&place: &usize| ComparedWork {
                pair: *pair,
                place,
                ratio: &ratios[place],
                found: ratios[place].estimate(confidence),
            };
            shown.iter().map(ratio)
        });
        Table::of(WORK_TABLES[1], &["first", "second", "metric"], rows)
            .refers(&["metric"], "metrics")
            .experiment(experiment)
            .text("first", "The cell whose value is divided.", move |row| {
                name(row.pair.first)
            })
            .text(
                "second",
                "The cell whose value is divided by.",
                move |row| name(row.pair.second),
            )
            .metric(move |row| metric(row.place))
            .integer("n", INSTANCES_COUNTED, |row| row.found.n)
            .integer(
                "left_out",
                "Instances that a cell did not solve, or solved with a value of 0.",
                |row| row.ratio.left_out,
            )
            .number(
                "ratio",
                "Geometric mean of first / second over the instances that both cells solved.",
                |row| row.found.value,
            )
            .interval(|row| row.found)
            .integer(
                "less",
                "Instances on which the first cell has the smaller value.",
                |row| row.ratio.less,
            )
            .integer(
                "equal",
                "Instances on which both cells have the same value.",
                |row| row.found.n - row.ratio.less - row.ratio.more,
            )
            .integer(
                "more",
                "Instances on which the first cell has the greater value.",
                |row| row.ratio.more,
            )
            .build()
    }

    fn point_table(&self, experiment: &Experiment, shown: &[usize]) -> Table {
        let metric = |place: usize| &experiment.task.metrics[self.totals[place].metric];
        let rows = self.points.iter().flat_map(|(sample, cells)| {
            cells.iter().enumerate().flat_map(move |(cell, efforts)| {
                shown.iter().map(move |&place| WorkPoint {
                    sample: *sample,
                    cell,
                    place,
                    effort: efforts[place],
                })
            })
        });
        Table::of(WORK_TABLES[2], &["sample", "cell", "metric"], rows)
            .refers(&["cell", "metric"], "summary")
            .experiment(experiment)
            .integer("sample", "Index of the sample, from 0.", |row| row.sample)
            .cell(experiment, |row| row.cell)
            .metric(move |row| metric(row.place))
            .integer("value", TAKEN, |row| {
                (row.effort.value).map_or(String::new(), |value| value.to_string())
            })
            .flag("solved", SOLVED, |row| Some(row.effort.solved))
            .build()
    }
}

const TAKEN: &str = "What it took, in the metric's unit.";
const SOLVED: &str = "cumulative: instances solved with at most this value. points: whether all \
    metrics of the sample are known, none left open by the budget.";
const INSTANCES_COUNTED: &str =
    "cumulative: all instances. ratios: instances that both cells solved.";

/// A row of `cumulative.csv`: how many instances of a cell were solved by so much of a total.
struct SolvedBy {
    cell: usize,
    place: usize,
    value: u64,
    solved: u64,
    n: u64,
}

/// A row of `ratios.csv`.
struct ComparedWork<'run> {
    pair: CellPair,
    place: usize,
    ratio: &'run Ratio,
    found: Estimate,
}

/// A row of `points.csv`.
struct WorkPoint {
    sample: u64,
    cell: usize,
    place: usize,
    effort: Effort,
}
