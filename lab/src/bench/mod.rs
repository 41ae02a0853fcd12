//! Benchmarks: which contender is faster, and by how much.
//!
//! A run measures what a game is worth and must not know the time; a benchmark measures what an
//! answer costs, on the same random instances, and keeps what the clock says apart from what can be
//! reproduced. A [`BenchJob`] is a whole benchmark: a [`Setting`], which says who races, and the
//! folder. Reference: Kalibera and Jones 2013, *Rigorous benchmarking in reasonable time*.

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
