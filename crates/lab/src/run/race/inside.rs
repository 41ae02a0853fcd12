//! The task itself as an entrant, in this process.

use std::sync::Arc;

use super::super::CompiledExperiment;
use task::{Entrant, Row, Spent, TimedAnswer, TimingState, Workspace};

/// The task of a cell, in this process.
pub(crate) struct Inside {
    compiled: Arc<CompiledExperiment>,
    cell: usize,
    workspace: Workspace,
    /// The positions of the metrics that an answer must tell.
    asked: Vec<usize>,
    /// The seconds of the processor that an answer may cost.
    cap: Option<f64>,
}

impl Inside {
    /// The task of a cell, an answer of which must tell what is `asked`, the positions of metrics, and may cost `cap`
    /// seconds of the processor.
    pub(crate) fn new(
        compiled: &Arc<CompiledExperiment>,
        cell: usize,
        asked: Vec<usize>,
        cap: Option<f64>,
    ) -> Self {
        Self {
            compiled: Arc::clone(compiled),
            cell,
            workspace: Workspace::new(),
            asked,
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

    /// A look at the clock before and after all answers: it takes as long as a short one.
    fn answers(&mut self, instance: u64, repeats: u32) -> TimedAnswer {
        let (source, mut row) = (self.compiled.source(self.cell), [Row::new()]);
        let (spent, drawn) = Spent::by(|| {
            (0..repeats).try_for_each(|_| {
                row = [Row::new()];
                let workspace = &mut self.workspace;
                source.draw(workspace, instance, &mut row)
            })
        });
        let (spent, metrics) = (spent.of_one(repeats), self.compiled.metrics().len());
        let taken = match drawn {
            Ok(()) => {
                let values = row[0].values().iter().copied().map(Some);
                TimedAnswer::answered(spent, values.collect(), &self.asked)
            }
            Err(error) => TimedAnswer::stopped(TimingState::Failed, spent, metrics, &error),
        };
        taken.within(self.cap)
    }
}
