//! Statistics: exact tallies, and the estimates and intervals they give.
//!
//! Knows only numbers: no game, no task, no file. Tallies hold integers and merge to the same
//! bits in any order; floating point starts where an estimate is made of a finished tally.
//! Whatever is undefined is `None`, and what unresolved samples leave open stays open.
//! Reference: Owen, *Monte Carlo theory, methods and examples*, chapters 2 and 8.

mod accumulator;
mod betting;
mod binomial;
mod bounded;
mod claim;
mod confidence;
mod critical;
mod histogram;
mod interval;
mod mean;
mod moments;
mod paired;
mod proportion;
mod quantile;
mod ratio;
mod sequence;
mod text;
mod weights;
mod wide;

#[cfg(test)]
mod laws;

pub use accumulator::Accumulator;
pub use betting::{mean_sequence, moments_sequence};
pub use bounded::Bounded;
pub use claim::{Extreme, Observed, Outcome, Relation, RelationError, decide_jointly};
pub use confidence::{Confidence, Looks};
pub use histogram::Histogram;
pub use interval::{Estimate, Interval, Level, Method, Validity};
pub use mean::mean_estimate;
pub use moments::Moments;
pub use paired::{Paired, mcnemar_exact};
pub use proportion::{Proportion, exceptions_bound, proportion_estimate};
pub use quantile::quantile_estimate;
pub use ratio::RatioSums;
pub use sequence::proportion_sequence;
pub use text::DecodeError;
pub use weights::WeightSums;
