//! A simulation in another program as a task.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::{Declaration, Processes, WorkerError};
use crate::{Build, Params, Task, TaskSpec};

/// The name of the task in experiment files.
pub const COMMAND: &str = "command";

/// A simulation in another program, as `[command]` declares it.
pub trait Simulation: fmt::Debug + Send + Sync {
    /// The processes of the program.
    fn processes(&self) -> &dyn Processes;

    /// The declaration in the file.
    fn declaration(&self) -> &Declaration;

    /// Starts the program and hears its hello, if it has one to say.
    ///
    /// # Errors
    /// If it cannot be started, or says anything else than what the file declares.
    fn handshake(&self) -> Result<(), WorkerError>;

    /// Ends all processes. The last samples of those that end with an error are drawn again.
    ///
    /// # Errors
    /// If samples that are drawn again differ, or cannot be drawn.
    fn finish(&self) -> Result<(), WorkerError>;

    /// The task with these parameters.
    fn task(self: Arc<Self>, params: &Params) -> Box<dyn Task>;
}

/// The task of a simulation.
pub fn spec(simulation: &Arc<dyn Simulation>) -> TaskSpec {
    let declaration = simulation.declaration();
    let title = declaration.program.title();
    let metrics = declaration.columns.iter().cloned();
    let simulation = Arc::clone(simulation);
    TaskSpec {
        name: Cow::Borrowed(COMMAND),
        summary: Cow::Owned(format!("a simulation in another program, {title}")),
        sample: Cow::Owned(format!("one sample of {title}")),
        noun: Cow::Borrowed("sample"),
        is_random: true,
        params: Cow::Owned(declaration.params.clone()),
        metrics: Cow::Owned(metrics.collect()),
        contest: None,
        build: Build::With(Arc::new(move |params| {
            Ok(Arc::clone(&simulation).task(params))
        })),
    }
}
