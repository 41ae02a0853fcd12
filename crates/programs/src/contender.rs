//! A program that is timed beside others, with all that its instances are made of.

use std::sync::Arc;

use kit::rng::Streams;
use task::outside::ProgramContender;

use super::Instances;

/// The writer of an instance in a named form; `None` where the game has no such form.
pub(crate) type InstanceWriter = Box<dyn Fn(u64, Option<&str>) -> Option<String>>;

/// A program that answers instances of a task and is timed.
pub struct RacedProgram {
    /// The contender, as it is declared.
    pub contender: ProgramContender,
    /// The streams that it draws from.
    pub streams: Streams,
    /// The instances of the experiment, where they are files.
    pub instances: Option<Arc<Instances>>,
    /// The writer of other instances.
    pub writer: InstanceWriter,
}
