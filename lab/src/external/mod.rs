//! Other people's programs: simulations and players that run as processes of their own.
//!
//! A program is started, asked and ended here; whatever it does, etude goes on or says what
//! happened, and no process outlives it. Knows tasks, streams and the operating system; knows
//! neither files of experiments nor games.

pub mod command;
pub mod declaration;
pub mod executable;
pub mod hello;
pub mod once;
pub mod player;
pub mod process;
pub mod session;
pub mod tail;
pub mod task;
pub mod trouble;
pub mod ugi;
pub mod value;
pub mod wire;
