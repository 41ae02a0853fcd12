//! A program as a task like any other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::asker::Asker;
use super::command::ExternalCommand;
use kit::rng::Streams;
use kit::search::Budget;
use task::{Draw, Params, Replay, Row, SampleError, Task, Worker, Workspace};

/// The time that a line's samples should take: long enough that lines cost nothing, short enough
/// that a program is heard of well within its patience.
const LINE_TIME: Duration = Duration::from_millis(50);

/// A program with the parameters of a cell.
pub(crate) struct CommandTask {
    command: Arc<ExternalCommand>,
    params: Params,
    /// The recent time of a sample in nanoseconds; 0 if none was drawn yet. It decides how many
    /// samples a line asks for, and by the check at the start that changes no value.
    nanoseconds: AtomicU64,
}

impl CommandTask {
    pub(crate) fn new(command: Arc<ExternalCommand>, params: &Params) -> Self {
        Self {
            command,
            params: params.clone(),
            nanoseconds: AtomicU64::new(0),
        }
    }

    fn asker(&self, streams: &Streams) -> Asker {
        Asker::new(&self.command, &self.params, streams)
    }
}

impl Task for CommandTask {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(CommandWorker {
            task: self,
            asker: self.asker(streams),
        })
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        None
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        self.asker(streams).replay(draw.index, draw.budget)
    }

    fn check_repeatable(&self, streams: &Streams, budget: Budget) -> Result<(), SampleError> {
        self.asker(streams).check(budget)
    }

    fn time_out(&self, row: &mut Row) -> bool {
        self.command.declaration.time_out(row);
        true
    }

    fn is_external(&self) -> bool {
        true
    }
}

struct CommandWorker<'task> {
    task: &'task CommandTask,
    asker: Asker,
}

impl Worker for CommandWorker<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let rows = std::slice::from_mut(row);
        self.asker.draw(draw.index, draw.budget, rows)
    }

    fn batch(&mut self, first: Draw, rows: &mut [Row]) -> Result<(), SampleError> {
        let (most, recent) = (self.asker.batch(), &self.task.nanoseconds);
        let (mut index, mut rest) = (first.index, rows);
        while !rest.is_empty() {
            let count = match recent.load(Ordering::Relaxed) {
                0 => 1,
                each => (LINE_TIME.as_nanos() as u64 / each).clamp(1, most),
            };
            let count = count.min(rest.len() as u64);
            let (now, later) = rest.split_at_mut(count as usize);
            let started = Instant::now();
            self.asker.draw(index, first.budget, now)?;
            let each = started.elapsed().as_nanos() as u64 / count;
            recent.store(each.max(1), Ordering::Relaxed);
            index = index.wrapping_add(count);
            rest = later;
        }
        Ok(())
    }
}
