//! Runs experiments: cuts the samples into blocks, hands the blocks to threads in index order,
//! tallies exactly and merges in block order.
//!
//! Knows tasks only, no games, files or terminals. It reports through a sink (finished blocks,
//! in order) and an [`Observer`] (progress for a person). The block-and-merge scheme follows
//! L'Ecuyer's advice for parallel streams (2017): for any number of threads, sample `i` is the
//! same and the finished samples are a prefix.

mod cell_limits;
mod compiled_experiment;
mod decide_claims;
mod dispatch;
mod ended;
#[cfg(test)]
mod every_kind;
mod evidence;
mod exact;
mod execute;
mod fault;
mod finished_block;
mod in_memory;
mod interrupt;
mod known;
mod observer;
mod outcome;
mod plan;
mod race;
mod rated;
mod reduced;
mod run_tallies;
mod shard;
mod stop;
mod stored_blocks;
mod tally;
mod versus;

pub use cell_limits::CellLimits;
pub use compiled_experiment::CompiledExperiment;
pub use decide_claims::{ClaimOutcome, decide_claims};
pub use ended::{Ended, Stopped};
pub use evidence::Evidence;
pub(crate) use exact::covers;
pub(crate) use execute::{Run, Sink};
pub use fault::{Cause, Fault};
pub(crate) use finished_block::FinishedBlock;
pub use in_memory::{RunError, run};
pub use interrupt::Interrupt;
pub(crate) use interrupt::Urgency;
pub(crate) use known::{KnownBlock, KnownCells};
pub use observer::{Observer, Progress, Silent};
pub use outcome::{Difference, Outcome, PairOutcome, estimate};
pub use plan::{Block, Plan};
pub(crate) use race::TimedRace;
pub use race::{Answered, ContenderAnswer, RaceCosts, RatioWatch};
pub(crate) use race::{Timing, row_of};
#[cfg(test)]
pub(crate) use rated::tests::matches;
pub(crate) use rated::{RatedCell, RatedField, RatedFields};
pub use reduced::ReducedMean;
pub(crate) use reduced::control_caution;
pub(crate) use run_tallies::{Look, RunTallies};
pub use shard::Shard;
pub use stop::{StopReason, is_look, next_look, settled};
pub(crate) use stored_blocks::StoredBlocks;
pub use tally::BlockTally;
pub(crate) use tally::{Places, Timeouts};
pub use versus::{Measured, difference_of_runs};
