//! The reader of experiment files, which makes a checked [`Experiment`].
//!
//! A file is TOML. `wire` mirrors its keys and nothing else; `read` turns the mirror into the
//! domain types, checks everything that can be checked before a sample is drawn, and reports each
//! fault with its place in the text. Knows tasks by their declared parameters and metrics only: no
//! game, no running, no output. The file format is TOML 1.0 (<https://toml.io/en/v1.0.0>).

mod claim;
mod claims;
mod error;
mod experiment;
mod grid;
mod part;
mod program;
mod prose;
mod read;
mod relation;
mod resolved;
mod resolved_program;
mod schema;
mod stop;
mod syntax;
mod threshold;
mod truth;
mod value;
mod variance;
mod wager;
mod wire;

pub use claim::{ClaimSpec, ClaimTarget, Selector, Stat, Subject};
pub use error::{ConfigError, Problem};
pub use experiment::{Experiment, Overrides};
pub use grid::{Axis, Cell};
pub use program::{CommandPart, PROGRAMS_FILE};
pub use schema::schema;
pub use stop::StopRule;
pub use truth::TruthSpec;
pub use variance::KnownControl;
pub use wager::Wager;

use crate::task::suggest;

#[cfg(test)]
#[path = "../../tests/support/coin.rs"]
pub(crate) mod coin;
#[cfg(test)]
mod tests;
