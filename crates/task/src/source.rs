//! The rows of a task's samples, as everything that counts or shows them draws them.

use std::sync::Arc;

use kit::rng::Streams;
use kit::search::Budget;

use super::row_check::check_row;
use super::{Draw, IMPURE, Metric, Replay, Row, SampleError, Task, Value, Worker, Workspace};

/// A task with the streams and the budgets of its samples.
pub struct SampleSource {
    task: Box<dyn Task>,
    metrics: Arc<[Metric]>,
    streams: Streams,
    /// The budget of every sample, and the larger ones of those that it leaves open.
    budgets: Arc<[Budget]>,
    /// True if the control variate of each sample is measured.
    has_control: bool,
    /// The sample from which on none is drawn: their values are missing.
    until: u64,
}

impl SampleSource {
    /// The samples of a task with these metrics.
    ///
    /// # Panics
    /// If there is no budget.
    pub fn new(
        task: Box<dyn Task>,
        metrics: Arc<[Metric]>,
        streams: Streams,
        budgets: Arc<[Budget]>,
    ) -> Self {
        assert!(!budgets.is_empty(), "a sample has a budget");
        Self {
            task,
            metrics,
            streams,
            budgets,
            has_control: false,
            until: u64::MAX,
        }
    }

    /// Returns the source with the samples from this one on left out: none of their values is there.
    pub fn drawn_until(self, until: Option<u64>) -> Self {
        let until = until.unwrap_or(u64::MAX);
        Self { until, ..self }
    }

    /// Returns the source with the control variate of each sample measured, or not.
    pub fn with_control(self, has_control: bool) -> Self {
        Self {
            has_control,
            ..self
        }
    }

    /// The task.
    pub fn task(&self) -> &dyn Task {
        self.task.as_ref()
    }

    /// The metrics of each sample, in the order of its row.
    pub fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    /// Returns how many of so many samples from `first` on are drawn.
    pub fn drawn_of(&self, first: u64, samples: usize) -> usize {
        self.until.saturating_sub(first).min(samples as u64) as usize
    }

    /// Draws the samples from `first` on, one for each of `rows`; those that are left out have no value.
    ///
    /// # Errors
    /// [`SampleError`] for a sample that cannot be drawn, or that is not what the task declares.
    pub fn draw(
        &self,
        workspace: &mut Workspace,
        first: u64,
        rows: &mut [Row],
    ) -> Result<(), SampleError> {
        let (rows, left_out) = rows.split_at_mut(self.drawn_of(first, rows.len()));
        self.leave_out(left_out);
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows.iter_mut() {
            row.clear();
            row.reserve(self.metrics.len());
        }
        let mut worker = self.task.worker(&self.streams, workspace);
        worker.batch(self.first_draw(first), rows)?;
        for (offset, row) in (0..).zip(rows) {
            let index = first.wrapping_add(offset);
            self.retry(worker.as_mut(), index, row)?;
            let sound = check_row(&self.metrics, row);
            sound.map_err(|message| SampleError::new(index, message))?;
            if self.has_control {
                row.control = worker.control(index);
            }
        }
        Ok(())
    }

    /// Makes rows those of samples that are left out: none of their values is there.
    pub fn leave_out(&self, rows: &mut [Row]) {
        for row in rows {
            row.clear();
            row.reserve(self.metrics.len());
            self.metrics.iter().for_each(|_| row.push(Value::Missing));
        }
    }

    /// Draws one sample alone.
    ///
    /// # Errors
    /// [`SampleError`] if the sample cannot be drawn.
    pub fn sample(&self, index: u64) -> Result<Row, SampleError> {
        let mut row = [Row::new()];
        self.draw(&mut Workspace::new(), index, &mut row)?;
        let [row] = row;
        Ok(row)
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
        for &budget in &self.budgets[1..] {
            let is_open = |value: &Value| matches!(value, Value::Bounds { .. });
            if row.timed_out || !row.values().iter().any(is_open) {
                break;
            }
            draw.budget = budget;
            row.clear();
            worker.sample(draw, row)?;
        }
        Ok(draw)
    }

    /// Replays a sample step by step, with the budget that its row came from. Only where there
    /// are several budgets is the sample drawn beforehand, to know which it was.
    ///
    /// # Errors
    /// [`SampleError`] if the sample cannot be drawn.
    pub fn replay(&self, index: u64) -> Result<Replay, SampleError> {
        let mut draw = self.first_draw(index);
        if self.budgets.len() > 1 {
            let mut workspace = Workspace::new();
            let mut worker = self.task.worker(&self.streams, &mut workspace);
            let mut row = Row::new();
            worker.sample(draw, &mut row)?;
            draw = self.retry(worker.as_mut(), index, &mut row)?;
        }
        self.task.replay(&self.streams, draw)
    }

    fn first_draw(&self, index: u64) -> Draw {
        let budget = self.budgets[0];
        Draw { index, budget }
    }

    /// Draws some samples twice, where other programs draw them.
    ///
    /// # Errors
    /// [`SampleError`] for a sample that cannot be drawn, or that differs.
    pub fn check_repeatable(&self) -> Result<(), SampleError> {
        self.task.check_repeatable(&self.streams, self.budgets[0])
    }

    /// Draws one sample once more, alone, and compares it with its row, which is replaced
    /// where a program loses the sample by differing. The clock decides which samples take too long:
    /// these are not compared.
    ///
    /// # Errors
    /// [`SampleError`] if the sample cannot be drawn, or differs.
    pub fn redraw(&self, index: u64, row: &mut Row) -> Result<(), SampleError> {
        let again = self.sample(index)?;
        if row.timed_out || again.timed_out {
            return Ok(());
        }
        let draw = self.first_draw(index);
        if let Some(judged) = (self.task).judge(&self.streams, draw, [row, &again])? {
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
}

#[cfg(test)]
mod tests;
