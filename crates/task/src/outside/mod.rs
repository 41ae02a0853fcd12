//! The contract with other people's programs: simulations and players that somebody else starts.
//!
//! An experiment file declares them, and the crate `etude-programs` makes of each declaration what can be asked.
//! Knows no process and no protocol.

mod consent;
mod contender;
mod declaration;
mod error;
mod executable;
mod file_watch;
mod instances;
mod log;
mod made_here;
mod player;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use kit::search::Budget;

use crate::{Build, ParamError, TaskSpec};

pub use consent::{Consent, Granted};
pub use contender::{AnswerSign, KnownAnswer, ProgramContender};
pub use declaration::{
    Declaration, DeclaredProgram, Go, HashedFile, PlayerDeclaration, metric_names,
};
pub use error::{WorkerError, WorkerErrorKind, excerpt, in_short, quote, seconds};
pub use executable::Executable;
pub use instances::{DeclaredInstances, InstanceFiles, Values};
pub use log::{ProgramLog, ProgramRecord};
pub use player::{OutsidePlayer, Players, joined};

/// The name of the task in experiment files whose samples another program draws.
pub const COMMAND: &str = "command";

/// The version of the protocol of simulations, its own and not the program's.
pub const PROTOCOL: u64 = 1;

/// The names in braces that every program started for a sample has, beside its parameters.
pub const PLACES: [&str; 6] = ["sample", "seed", "seed31", "seed32", "seed64", "nodes"];

/// The name in braces of a sample's instance: in an argument the path of its file, in the input its content.
pub const INSTANCE: &str = "instance";

/// The name in braces of the path of an instance's file.
pub const INSTANCE_FILE: &str = "instance.file";

/// The task of a simulation in another program, whose samples are drawn by what is made of its declaration.
pub fn spec(declaration: &Declaration) -> TaskSpec {
    let title = declaration.program.title();
    TaskSpec {
        name: Cow::Borrowed(COMMAND),
        summary: Cow::Owned(format!("a simulation in another program, {title}")),
        sample: Cow::Owned(format!("one sample of {title}")),
        noun: Cow::Borrowed("sample"),
        is_random: true,
        params: Cow::Owned(declaration.params.clone()),
        metrics: Cow::Owned(declaration.columns.clone()),
        contest: None,
        build: Build::By(|_| {
            let help = "read the experiment, and compile it";
            let message = "another program draws the samples of this task";
            Err(ParamError::new("", message, help))
        }),
    }
}

/// The engines of a player, shared by all cells and threads of an experiment.
pub trait Engines: fmt::Debug + Send + Sync {
    /// The log of what happened to them.
    fn log(&self) -> &Arc<ProgramLog>;

    /// Starts them by this consent from now on; before, none can be started.
    fn allow(&self, consent: &Consent);

    /// Ends all idle ones.
    fn close(&self);

    /// Lets this thread ask engines of its own alone from now on, or all others again.
    fn ask_second(&self, are_asked: bool);

    /// Ends the engines of this thread alone.
    fn end_second(&self);

    /// Starts an engine and hears its handshake.
    ///
    /// # Errors
    /// If it cannot be started, or does not introduce itself.
    fn handshake(&self) -> Result<(), WorkerError>;

    /// Starts an engine; returns its own name and the names of the options that it declares.
    ///
    /// # Errors
    /// As [`Engines::handshake`].
    fn introduction(&self) -> Result<(String, Vec<String>), WorkerError>;

    /// A seat at a board for the player on a side; its first match takes an engine.
    fn seat(self: Arc<Self>, player: &Arc<OutsidePlayer>, side: &'static str) -> Box<dyn Seat>;
}

/// A side of a game's matches, played by an engine.
pub trait Seat {
    /// Begins a match from a position in the game's own notation.
    ///
    /// # Errors
    /// If the engine fails, or does not know the rules.
    fn begin(
        &mut self,
        start: &str,
        rules: &[EngineRule],
        seed: &[u8; 32],
    ) -> Result<(), WorkerError>;

    /// Returns whether the engine's play may depend on the seed: one that takes none plays by no chance,
    /// for what it plays is checked to repeat.
    fn takes_seed(&self) -> bool;

    /// Takes in a move that either side has played.
    fn note(&mut self, play: &str);

    /// Asks for one of the `legal` moves, which blanks part.
    ///
    /// # Errors
    /// If the engine fails.
    fn choose(&mut self, legal: &str, budget: Budget) -> Result<Reply, WorkerError>;

    /// Takes in that the engine's last reply was no legal move; returns the fault that is told. One
    /// that answered twice is a move ahead of its own game, so that is what it is told.
    fn foul(&mut self, illegal: WorkerError) -> WorkerError;

    /// Ends a match, by the rules or by the other side's fault.
    ///
    /// # Errors
    /// If the engine failed after its last move, or answered more than once.
    fn end(&mut self) -> Result<(), WorkerError>;
}

/// A rule that an engine may have an option for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineRule {
    /// The option's name.
    pub name: &'static str,
    /// The rule in force.
    pub value: String,
    /// True if an engine without the option plays by it.
    pub is_usual: bool,
}

/// The reply of an engine: the move that it chose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The move's text; what follows it is left out.
    pub play: String,
    /// The nodes that it examined.
    pub nodes: u64,
    /// The moves that it thought equally good; 1 where it does not say.
    pub candidates: usize,
}

#[cfg(test)]
mod tests;
