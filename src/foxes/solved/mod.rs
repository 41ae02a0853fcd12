//! The game solved: a research program beside the game, which needs none of it to be played.
//!
//! [`retrograde`] solves small boards exactly, every position of them; [`proof`] answers one question
//! on the whole board, whether the hens can force a win while losing few; `prove` is the verb for
//! both. Players, tasks and verbs of the game read what is found here.

pub mod proof;
pub(super) mod prove;
pub mod retrograde;
