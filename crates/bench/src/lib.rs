#![doc = include_str!("../README.md")]

mod check;
mod clock;
mod comparison;
mod costs;
mod drive;
mod folder;
mod growth;
mod machine;
mod page;
mod plots;
mod race;
mod results;
mod rows;
mod runner;
mod session;
mod setting;
mod speed;
mod words;

pub use check::faults;
pub use comparison::{Comparison, RatioVerdict};
pub use costs::RaceCosts;
pub use folder::{BenchFolder, BenchManifest, BenchProgram, RaceEnd};
pub use machine::{BenchSession, MachineFacts};
pub use race::{Contradiction, Raced};
pub use results::{BenchResults, ComparedSpeeds, compared, compared_sheet, conclusion};
pub use rows::{AnswerRow, BenchClaimRow, GrowthRow, RunRow, SpeedRow, answer_rows};
pub use session::{BenchJob, OpenRace, RaceObserver};
pub use setting::{BenchContender, Setting};
pub use speed::{Cost, Speed, SpeedVerdict, TimePair};

#[cfg(test)]
#[path = "../../lab/tests/support/coin.rs"]
mod coin;
