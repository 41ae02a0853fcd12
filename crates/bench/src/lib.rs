#![doc = include_str!("../README.md")]

mod check;
mod drive;
mod folder;
mod race;
mod results;
mod rows;
mod session;

pub use check::faults;
pub use folder::{BenchFolder, BenchManifest, BenchProgram, RaceEnd};
pub use race::{Contradiction, Raced};
pub use results::read;
pub use rows::{AnswerRow, answer_rows};
pub use session::{BenchJob, OpenRace, RaceObserver};

#[cfg(test)]
#[path = "../../lab/tests/support/coin.rs"]
mod coin;
