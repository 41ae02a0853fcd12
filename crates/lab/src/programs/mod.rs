//! External programs: simulations and players that run as separate processes.
//!
//! Programs are started, asked and ended here. Whatever a program does, etude continues or reports
//! what happened, and no process outlives it. Knows tasks, streams and the operating system; knows
//! neither experiment files nor games.

pub mod command;
pub mod declaration;
pub mod error;
pub mod executable;
pub mod file_watch;
pub mod hello;
pub mod once;
pub mod output_lines;
pub mod player;
pub mod pool;
pub mod process;
pub mod session;
pub mod tail;
pub mod task;
pub mod transcript;
pub mod ugi;
pub mod value;
pub mod watchdog;
pub mod wire;
