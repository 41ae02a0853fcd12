//! A program that is timed beside others, as it is declared.

use kit::rng::Streams;
use kit::search::Budget;

use super::Declaration;
use crate::{Params, Value};

/// The writer of an instance in a named form; `None` where the game has no such form.
pub type InstanceWriter = Box<dyn Fn(u64, Option<&str>) -> Option<String>>;

/// A program that answers instances of a task and is timed.
pub struct ProgramContender {
    /// The contender's declaration.
    pub declaration: Declaration,
    /// The parameters that it is told.
    pub params: Params,
    /// The streams that it draws from.
    pub streams: Streams,
    /// The nodes that an answer may cost.
    pub budget: Budget,
    /// Seconds of the processor that an answer may cost.
    pub cpu: Option<f64>,
    /// Seconds on the wall after which nobody waits for an answer.
    pub wall: Option<f64>,
    /// The positions of the declared metrics among the task's.
    pub positions: Vec<usize>,
    /// The number of the task's metrics.
    pub metrics: usize,
    /// The writer of instances.
    pub writer: InstanceWriter,
    /// The words of its output and the values that they mean; none where it writes values.
    pub words: Vec<(String, Value)>,
}
