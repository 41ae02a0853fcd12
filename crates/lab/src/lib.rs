//! A Monte Carlo laboratory for combinatorial games.
//!
//! ```text
//! experiment (TOML) -> Experiment -> Plan (cells x blocks of samples) -> workers: sample i of a stream
//!               -> exact tallies, merged in block order -> estimates with intervals
//!               -> CSV and provenance -> reports
//! ```
//!
//! A game knows rules and search; a task turns a game into a random experiment; a run knows
//! only tasks; statistics know only numbers; reports know only files. The modules below stand in
//! the order of their dependencies; experiment files are read by the crate `experiment`.
//!
//! # An experiment in Rust
//!
//! A task is a list of metrics and a function that draws a sample, an experiment is a TOML text,
//! and [`run()`] draws the samples in memory.
//!
//! ```
#![doc = include_str!("../examples/dice.rs")]
//! ```
//!
//! A worker that keeps memory or searches is a [`task::Task`] of its own. A game is a static
//! [`task::GameSpec`] with its tasks, to which the crate `etude-cli` gives the whole command line:
//! `etude init crate NAME` writes a crate with one.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod run;

pub mod tables;

pub mod store;

pub mod job;

pub use job::Job;
pub use run::run;

#[cfg(test)]
use task::coin;
#[cfg(test)]
mod tests {
    mod contract;
    mod determinism;
    #[cfg(unix)]
    mod faults;
    mod stopping;
}
