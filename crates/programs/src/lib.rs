#![doc = include_str!("../README.md")]

mod asker;
mod chore;
mod command;
mod command_task;
mod contender;
mod each_time;
mod engines;
mod entrant;
mod generator;
mod groups;
mod hello;
mod instances;
pub mod laws;
mod memory;
mod once;
mod output_lines;
mod pool;
pub mod process;
mod program_set;
mod seat;
mod session;
mod tail;
mod task_server;
#[cfg(any(windows, test))]
mod threaded;
mod transcript;
mod ugi;
#[cfg(unix)]
mod unix;
mod usage;
mod value;
#[cfg(unix)]
mod watchdog;
mod watched_child;
#[cfg(windows)]
mod windows;
mod wire;

#[cfg(test)]
use task::coin;

pub use contender::RacedProgram;
pub use engines::UgiEngines;
pub use entrant::{entrant, set_up};
pub use instances::Instances;
pub use program_set::ProgramSet;
pub use task_server::TaskServer;
#[cfg(unix)]
pub(crate) use watchdog::Watchdog;
#[cfg(windows)]
pub(crate) use windows::Watchdog;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;
