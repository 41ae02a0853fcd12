//! The fast search: the largest number of cards on the foundations, exactly, from any table.
//!
//! It walks the positions of `state`, which leave out who lies on whom, by the steps of `step`,
//! and remembers each in `seen`. A loss is proved by walking all that can be reached, so the
//! largest count comes with it. Which prunings it makes, why each keeps the count, and the test
//! that would refute it, is listed in `book/src/soundness.md`. `line` turns its steps into single moves.

mod frontier;
mod lane;
mod line;
mod lost_stocks;
mod open_position;
mod relaxation;
mod search;
mod seen;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod walk;
mod world;

pub use search::{Solver, TableSolution};
pub use walk::KnownLine;
pub(crate) use walk::{first_line, lines};
