//! The task itself as an entrant, in this process.

use kit::rng::Streams;

use super::super::CompiledExperiment;
use crate::experiment::{BenchContender, Setting};
use crate::failure::Failure;
use crate::task::{Entrant, Row, Spent, TimedAnswer, TimingState, Workspace};

/// The task itself, in this process.
pub struct Inside {
    compiled: CompiledExperiment,
    workspace: Workspace,
    /// The seconds of the processor that an answer may cost.
    cap: Option<f64>,
}

impl Inside {
    /// The task of a contender.
    ///
    /// # Errors
    /// If the task refuses its parameters.
    pub fn of(setting: &Setting, contender: &BenchContender) -> Result<Self, Failure> {
        let tasks = vec![setting.task(contender)?];
        let streams = Streams::new(setting.experiment.file.seed);
        let compiled = CompiledExperiment::new(tasks, setting.metrics(), streams, setting.budget);
        Ok(Self::new(compiled, setting.cap().cpu))
    }

    /// A compiled experiment of one cell.
    pub fn new(compiled: CompiledExperiment, cap: Option<f64>) -> Self {
        Self {
            compiled,
            workspace: Workspace::new(),
            cap,
        }
    }
}

impl Entrant for Inside {
    fn restart(&mut self) -> Option<Spent> {
        self.workspace = Workspace::new();
        None
    }

    fn answer(&mut self, instance: u64) -> TimedAnswer {
        self.answers(instance, 1)
    }

    /// One look at the clock before and after all answers: it takes as long as a short one.
    fn answers(&mut self, instance: u64, repeats: u32) -> TimedAnswer {
        let mut row = [Row::new()];
        let (compiled, workspace) = (&self.compiled, &mut self.workspace);
        let (spent, drawn) = Spent::by(|| {
            (0..repeats).try_for_each(|_| {
                row = [Row::new()];
                compiled.draw(0, workspace, instance, &mut row)
            })
        });
        let (spent, metrics) = (spent.of_one(repeats), compiled.metrics().len());
        let taken = match drawn {
            Ok(()) => {
                let values = row[0].values().iter().copied().map(Some);
                TimedAnswer::answered(spent, values.collect())
            }
            Err(error) => TimedAnswer::stopped(TimingState::Failed, spent, metrics, &error),
        };
        taken.within(self.cap)
    }
}
