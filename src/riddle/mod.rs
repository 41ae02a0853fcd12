//! Riddle chess, the "Divine generator": hidden colourless pieces, and on each cell the number of
//! pieces attacking it.
//!
//! ```text
//! board -> army -> rules -> walk -> census, maps      (exact counts)
//!                        -> sampler                   (random placements)
//!                        -> clues -> solver -> maker  (riddles)
//! ```
//!
//! Published by its author at <https://sourceforge.net/projects/divgen/>, after "Guess-Chess" of
//! A. V. Catapang Jr. (1997).

pub mod army;
mod batched;
pub mod board;
pub mod census;
pub mod clues;
pub mod maker;
#[cfg(feature = "laboratory")]
pub mod maps;
pub mod picture;
pub mod rules;
pub mod sampler;
pub mod solver;
pub mod threats;
pub mod variants;
pub mod walk;
#[cfg(feature = "laboratory")]
pub mod written;

#[cfg(test)]
mod mailbox;
#[cfg(feature = "laboratory")]
mod tasks;
#[cfg(feature = "laboratory")]
mod verbs;

#[cfg(feature = "laboratory")]
use task::GameSpec;

#[cfg(feature = "laboratory")]
/// The game: its tasks and verbs.
pub static GAME: GameSpec = GameSpec {
    name: "riddle",
    summary: "Riddle chess: find hidden colourless pieces from the threats they make (the \"Divine generator\").",
    tasks: &[tasks::GENERATE, tasks::UNIQUE, tasks::CLUES, tasks::BIAS],
    verbs: verbs::VERBS,
    players: &[],
};
