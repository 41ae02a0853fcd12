//! External programs: simulations and players that run as separate processes.
//!
//! Programs are started, asked and ended here. Whatever a program does, etude continues or reports
//! what happened, and no process outlives it. Knows tasks, streams and the operating system; knows
//! neither experiment files nor games.

pub mod command;
pub mod declaration;
pub mod error;
pub(crate) mod executable;
pub mod file_watch;
pub mod hello;
pub(crate) mod once;
pub(crate) mod output_lines;
pub mod player;
pub mod pool;
pub(crate) mod process;
pub(crate) mod session;
pub(crate) mod tail;
pub(crate) mod task;
pub(crate) mod transcript;
pub mod ugi;
pub(crate) mod value;
pub(crate) mod watchdog;
pub mod wire;
