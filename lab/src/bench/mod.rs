//! Benchmarks: which contender is faster, and by how much.
//!
//! A run measures what a game is worth and must not know the time; a benchmark measures what an
//! answer costs, on the same random instances, and keeps what the clock says apart from what can be
//! reproduced. Reference: Kalibera and Jones 2013, *Rigorous benchmarking in reasonable time*.

mod check;
mod clock;
mod drive;
mod folder;
mod growth;
mod order;
mod page;
mod race;
mod runner;
mod setting;
mod speed;
mod table;
mod words;

pub use check::faults;
pub use clock::grain;
pub use drive::{RaceCourse, RaceEvent, drive};
pub use folder::{
    BenchFolder, BenchJournal, BenchManifest, BenchProgram, BenchSession, CLAIMS, GROWTH, MACHINE,
    MANIFEST, MachineFacts, SPEED, load,
};
pub use page::BenchResults;
pub use race::{Contradiction, RaceCosts, Raced, RunRow};
pub use setting::{BenchContender, Setting};
pub use speed::{Cost, Speed, SpeedVerdict, Statistic, TimePair};
pub use table::{
    AnswerRow, BenchClaimRow, Comparison, GrowthRow, SpeedRow, answer_rows, of_csv, to_csv, whole,
    work_header, work_lines,
};
pub use words::{cautions, is_control, sentences};
