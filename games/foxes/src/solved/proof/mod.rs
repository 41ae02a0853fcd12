//! The search behind a proof that the hens win: layers (hens, sum of their rows) from the end of the
//! game to its start, with one bit for one question.
//!
//! More hens eaten, stuck hens and endless play all count as not won, so a position that is "won" here is
//! won in the full game. All pairs of the foxes' cells of a configuration are one word. A [`layer::BlockSolver`]
//! solves one block of a layer; the caller has the threads on which blocks are solved, and the files that keep them.

pub mod blocks;
pub mod captures;
pub mod ground;
pub mod layer;
pub mod pairs;
