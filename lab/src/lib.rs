//! A Monte Carlo laboratory for combinatorial games.
//!
//! ```text
//! config (TOML) -> Experiment -> Plan (cells x blocks of samples) -> workers: sample i of a stream
//!               -> exact tallies, merged in block order -> estimates with intervals
//!               -> CSV and provenance -> reports
//! ```
//!
//! A game knows rules and search; a task turns a game into a random experiment; the harness knows
//! only tasks; statistics know only numbers; reports know only files. The modules below stand in
//! the order of their dependencies.

#[cfg(test)]
extern crate self as lab;

pub mod rng;

pub mod search;

pub mod stats;

pub mod task;

pub mod external;

pub mod config;

pub mod harness;

pub mod output;

pub mod report;

pub mod laws;

mod cli;

pub use cli::{Program, main};
pub use harness::run;
