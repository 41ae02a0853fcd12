//! Programs that are declared and never started, for whoever only reads experiments.

use std::path::PathBuf;
use std::sync::Arc;

use kit::rng::Streams;
use kit::search::Budget;

use super::{
    Consent, Declaration, DeclaredProgram, EngineRule, Engines, Instances, OutsidePlayer,
    PlayerDeclaration, Processes, ProgramContender, ProgramLog, Reply, Seat, Simulation, Starter,
    Values, WorkerError, WorkerErrorKind,
};
use crate::{Draw, Entrant, Params, Replay, SampleError, Task, Worker, Workspace, worker_of};

/// The starter that starts nothing.
#[derive(Debug)]
pub struct Unstarted;

impl Starter for Unstarted {
    fn simulation(&self, declaration: Declaration) -> Arc<dyn Simulation> {
        Arc::new(self.absent(declaration))
    }

    fn generator(&self, declaration: Declaration, _: u64) -> Arc<dyn Instances> {
        Arc::new(self.absent(declaration))
    }

    fn engines(&self, declaration: &PlayerDeclaration) -> Arc<dyn Engines> {
        let log = ProgramLog::of(&declaration.program);
        Arc::new(Absent {
            declaration: Declaration::default(),
            log,
        })
    }

    fn set_up(&self, _: &mut ProgramContender, _: &Consent) -> Result<(), String> {
        Err(refusal().message)
    }

    fn entrant(&self, _: ProgramContender, _: &Consent) -> Result<Box<dyn Entrant>, String> {
        Err(refusal().message)
    }
}

impl Unstarted {
    fn absent(&self, declaration: Declaration) -> Absent {
        let log = ProgramLog::of(&declaration.program);
        Absent { declaration, log }
    }
}

/// The program of a declaration, which nobody starts.
#[derive(Debug)]
struct Absent {
    declaration: Declaration,
    log: ProgramLog,
}

fn refusal() -> WorkerError {
    let message = "other people's programs are not started here: read the experiment by a \
                   `task::Application` with the starter of the crate `etude-programs`";
    WorkerError::new(WorkerErrorKind::Environment, message)
}

impl Processes for Absent {
    fn log(&self) -> &ProgramLog {
        &self.log
    }

    fn allow(&self, _: &Consent) {}

    fn close(&self) {}
}

impl Simulation for Absent {
    fn processes(&self) -> &dyn Processes {
        self
    }

    fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    fn handshake(&self) -> Result<(), WorkerError> {
        Err(refusal())
    }

    fn finish(&self) -> Result<(), WorkerError> {
        Ok(())
    }

    fn task(self: Arc<Self>, _: &Params) -> Box<dyn Task> {
        Box::new(AbsentTask)
    }
}

impl Instances for Absent {
    fn count(&self) -> Option<u64> {
        None
    }

    fn name(&self, _: u64, _: &Values) -> Result<String, String> {
        Err(refusal().message)
    }

    fn path(&self, _: u64, _: &Values) -> Result<PathBuf, String> {
        Err(refusal().message)
    }

    fn check(&self, _: &[Values]) -> Result<(), String> {
        Err(refusal().message)
    }

    fn program(&self) -> Option<&DeclaredProgram> {
        Some(&self.declaration.program)
    }
}

impl Engines for Absent {
    fn processes(&self) -> &dyn Processes {
        self
    }

    fn handshake(&self) -> Result<(), WorkerError> {
        Err(refusal())
    }

    fn introduction(&self) -> Result<(String, Vec<String>), WorkerError> {
        Err(refusal())
    }

    fn seat(self: Arc<Self>, _: &Arc<OutsidePlayer>, _: &'static str) -> Box<dyn Seat> {
        Box::new(AbsentTask)
    }
}

/// The task, and the seat, that nobody takes.
struct AbsentTask;

impl Task for AbsentTask {
    fn worker<'task>(&'task self, _: &Streams, _: &'task mut Workspace) -> Box<dyn Worker + 'task> {
        worker_of(|draw, _| Err(SampleError::new(draw.index, refusal().message)))
    }

    fn replay(&self, _: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        Err(SampleError::new(draw.index, refusal().message))
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        None
    }

    fn is_external(&self) -> bool {
        true
    }
}

impl Seat for AbsentTask {
    fn begin(&mut self, _: &str, _: &[EngineRule], _: &[u8; 32]) -> Result<(), WorkerError> {
        Err(refusal())
    }

    fn takes_seed(&self) -> bool {
        true
    }

    fn note(&mut self, _: &str) {}

    fn choose(&mut self, _: &str, _: Budget) -> Result<Reply, WorkerError> {
        Err(refusal())
    }

    fn foul(&mut self, illegal: WorkerError) -> WorkerError {
        illegal
    }

    fn end(&mut self) -> Result<(), WorkerError> {
        Ok(())
    }
}
