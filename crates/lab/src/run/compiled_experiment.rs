//! The parts that a thread needs to draw any sample of an experiment; shared, immutable.

use std::ops::Range;

use crate::experiment::{CellPair, Experiment, VarianceTable};
use crate::task::{
    Draw, IMPURE, Metric, Replay, Row, SampleError, Task, Truth, Value, Worker, Workspace,
};
use kit::rng::{Streams, below};
use kit::search::Budget;

use super::plan::Block;
use super::rated::RatedFields;
use super::row_check::check_row;
use super::tally::Timeouts;
use crate::failure::Failure;

/// Samples of a block that are drawn twice, at most.
const CHECKED: u64 = 64;

/// The tasks of all cells with their streams and budget, and which cells are compared.
pub struct CompiledExperiment {
    tasks: Vec<Box<dyn Task>>,
    metrics: Vec<Metric>,
    streams: Streams,
    budget: Budget,
    retries: Vec<Budget>,
    pairs: Vec<CellPair>,
    control: Option<VarianceTable>,
    rated: RatedFields,
    /// The expectations that the experiment file declares, by metric.
    declared: Vec<Option<Truth>>,
}

impl CompiledExperiment {
    /// The compiled experiment, with the pairs of cells that are worth comparing: those
    /// its claims name, and along every swept parameter each value with the first.
    ///
    /// # Errors
    /// The fault of the first cell whose task cannot be built.
    pub fn of_experiment(experiment: &Experiment) -> Result<Self, Failure> {
        let tasks = experiment
            .cells
            .iter()
            .map(|cell| cell.build(&experiment.task))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| Failure::usage(&error).with_help(error.help))?;
        let streams = Streams::new(experiment.file.seed);
        let budgets = if experiment.is_race() {
            vec![experiment.answer_budget()]
        } else {
            experiment.file.budgets()
        };
        let mut budgets = budgets.into_iter();
        let first = budgets.next().unwrap_or(Budget::UNLIMITED);
        let compiled = Self::new(tasks, &experiment.task.metrics, streams, first);
        let metrics = 0..compiled.metrics.len();
        Ok(Self {
            control: experiment.file.variance.clone(),
            rated: RatedFields::of(experiment),
            declared: metrics
                .map(|metric| experiment.declared_truth(metric))
                .collect(),
            retries: budgets.collect(),
            pairs: experiment.compared_pairs(),
            ..compiled
        })
    }

    /// A compiled experiment with one task per cell, all with the same metrics.
    pub fn new(
        tasks: Vec<Box<dyn Task>>,
        metrics: &[Metric],
        streams: Streams,
        budget: Budget,
    ) -> Self {
        Self {
            tasks,
            metrics: metrics.to_vec(),
            streams,
            budget,
            retries: Vec::new(),
            pairs: Vec::new(),
            control: None,
            rated: RatedFields::default(),
            declared: Vec::new(),
        }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.tasks.len()
    }

    /// The task of one cell.
    pub fn task(&self, cell: usize) -> &dyn Task {
        self.tasks[cell].as_ref()
    }

    /// The metrics every cell reports.
    pub fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    /// The expectation of a metric in a cell, where the experiment file or the task knows it.
    pub fn truth(&self, cell: usize, metric: usize) -> Option<Truth> {
        let declared = self.declared.get(metric).cloned();
        declared
            .flatten()
            .or_else(|| self.task(cell).truth(&self.metrics[metric].name))
    }

    /// Returns whether a cell's samples can hide most of a metric's mean; see [`Task::mean_untrustworthy`].
    pub fn mean_untrustworthy(&self, cell: usize, metric: usize) -> bool {
        self.task(cell)
            .mean_untrustworthy(&self.metrics[metric].name)
    }

    /// The compared cells.
    pub fn pairs(&self) -> &[CellPair] {
        &self.pairs
    }

    /// The players that are rated, if the task is a contest.
    pub fn rated(&self) -> &RatedFields {
        &self.rated
    }

    /// The control variate that the estimates are adjusted by, if they are.
    pub fn control(&self) -> Option<&VarianceTable> {
        self.control.as_ref()
    }

    /// Draws the samples from `first` on of one cell, one for each of `rows`.
    ///
    /// # Errors
    /// [`SampleError`] for a sample that cannot be drawn, or that is not what the task declares.
    pub fn draw(
        &self,
        cell: usize,
        workspace: &mut Workspace,
        first: u64,
        rows: &mut [Row],
    ) -> Result<(), SampleError> {
        let mut worker = self.task(cell).worker(&self.streams, workspace);
        for row in rows.iter_mut() {
            row.clear();
            row.reserve(self.metrics.len());
        }
        worker.batch(self.first_draw(first), rows)?;
        for (offset, row) in (0..).zip(rows) {
            let index = first.wrapping_add(offset);
            self.retry(worker.as_mut(), index, row)?;
            let sound = check_row(&self.metrics, row);
            sound.map_err(|message| SampleError::new(index, message))?;
            if self.control.is_some() {
                row.set_control(worker.control(index));
            }
        }
        Ok(())
    }

    /// Draws the samples from `first` on of one cell again, one for each of `rows`, but for those that
    /// had timed out and are known by that: the clock decided that, so they cannot be drawn again.
    ///
    /// # Errors
    /// The errors of [`draw`](Self::draw).
    pub fn draw_again(
        &self,
        cell: usize,
        workspace: &mut Workspace,
        (mut first, mut rows): (u64, &mut [Row]),
        timeouts: &Timeouts,
    ) -> Result<(), SampleError> {
        while !rows.is_empty() {
            let end = first + rows.len() as u64;
            let late = timeouts.range((cell, first)..(cell, end)).next();
            let before = late.map_or(rows.len(), |(_, sample)| (sample - first) as usize);
            let (now, rest) = std::mem::take(&mut rows).split_at_mut(before);
            self.draw(cell, workspace, first, now)?;
            first += before as u64 + 1;
            let Some((row, later)) = rest.split_first_mut() else {
                break;
            };
            if !self.task(cell).time_out(row) {
                self.draw(cell, workspace, first - 1, std::slice::from_mut(row))?;
            }
            rows = later;
        }
        Ok(())
    }

    /// Draws a sample again with every larger budget while a value of it is only bounded; returns
    /// the draw that gave the row.
    fn retry(
        &self,
        worker: &mut dyn Worker,
        index: u64,
        row: &mut Row,
    ) -> Result<Draw, SampleError> {
        let mut draw = self.first_draw(index);
        for &budget in &self.retries {
            let is_open = |value: &Value| matches!(value, Value::Bounds { .. });
            if row.timed_out() || !row.values().iter().any(is_open) {
                break;
            }
            draw.budget = budget;
            row.clear();
            worker.sample(draw, row)?;
        }
        Ok(draw)
    }

    /// Replays a sample of a cell step by step, with the budget that its row came from. Only where there
    /// are several budgets is the sample drawn beforehand, to know which it was.
    ///
    /// # Errors
    /// [`SampleError`] if the sample cannot be drawn.
    pub fn replay(&self, cell: usize, index: u64) -> Result<Replay, SampleError> {
        let task = self.task(cell);
        let mut draw = self.first_draw(index);
        if !self.retries.is_empty() {
            let mut workspace = Workspace::new();
            let mut worker = task.worker(&self.streams, &mut workspace);
            let mut row = Row::new();
            worker.sample(draw, &mut row)?;
            draw = self.retry(worker.as_mut(), index, &mut row)?;
        }
        task.replay(&self.streams, draw)
    }

    /// The rules of a cell's game in a few short lines; empty of a task without.
    pub fn rules(&self, cell: usize) -> String {
        self.task(cell).rules()
    }

    fn first_draw(&self, index: u64) -> Draw {
        let budget = self.budget;
        Draw { index, budget }
    }

    /// Draws some samples of the first and of the last cell twice, where other programs draw them, and
    /// of each cell with a program that none before it had.
    ///
    /// # Errors
    /// The cell and the [`SampleError`] of a sample that cannot be drawn, or that differs.
    pub fn check_repeatable(&self) -> Result<(), (usize, SampleError)> {
        let last = self.cells().saturating_sub(1);
        let is_met = |cell| cell == 0 || cell == last;
        let mut cells =
            (0..self.cells()).filter(|&cell| is_met(cell) || self.task(cell).has_unchecked());
        cells.try_for_each(|cell| {
            let checked = self.task(cell).check_repeatable(&self.streams, self.budget);
            checked.map_err(|error| (cell, error))
        })
    }

    /// Draws one sample of one cell once more, alone, and compares it with its row, which is replaced
    /// where a program loses the sample by differing. The clock decides which samples take too long:
    /// these are not compared.
    ///
    /// # Errors
    /// [`SampleError`] if the sample cannot be drawn, or differs.
    pub fn redraw(&self, cell: usize, index: u64, row: &mut Row) -> Result<(), SampleError> {
        let again = self.sample(cell, index)?;
        if row.timed_out() || again.timed_out() {
            return Ok(());
        }
        let draw = self.first_draw(index);
        if let Some(judged) = (self.task(cell)).judge(&self.streams, draw, [row, &again])? {
            *row = judged;
            return Ok(());
        }
        let both = row.values().iter().zip(again.values());
        let differs = self.metrics.iter().zip(both).find(|(_, (a, b))| a != b);
        differs.map_or(Ok(()), |(metric, (&first, &second))| {
            let (name, first, second) = (&metric.name, metric.show(first), metric.show(second));
            let message = format!(
                "`{name}` is {first}, then {second} when it is drawn again: a sample must depend \
                 on its parameters and seeds alone; {IMPURE}"
            );
            Err(SampleError::new(index, message))
        })
    }

    /// The samples of a block that are drawn twice: in the second half of all blocks so far, each
    /// time their number doubles, up to 64 samples of one of them. The seed decides which,
    /// and only programs are checked.
    pub fn checked(&self, block: Block) -> Range<u64> {
        let none = block.first..block.first;
        let Some(octave) = block.index.checked_ilog2().filter(|_| self.is_external()) else {
            return none;
        };
        let mut stream = self.streams.key("second draw").stream(octave.into());
        let begin = 1 << octave;
        if begin + below(&mut stream, begin) != block.index {
            return none;
        }
        let samples = block.samples.min(CHECKED);
        let first = block.first + below(&mut stream, block.samples - samples + 1);
        first..first + samples
    }

    /// Returns whether other programs draw its samples.
    pub fn is_external(&self) -> bool {
        self.tasks.iter().any(|task| task.is_external())
    }

    /// Draws one sample of one cell alone.
    ///
    /// # Errors
    /// [`SampleError`] if the sample cannot be drawn.
    pub fn sample(&self, cell: usize, index: u64) -> Result<Row, SampleError> {
        let mut row = [Row::new()];
        self.draw(cell, &mut Workspace::new(), index, &mut row)?;
        let [row] = row;
        Ok(row)
    }
}
