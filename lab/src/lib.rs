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
//!
//! # An experiment in Rust
//!
//! A game is a static value, an experiment is a TOML text, [`run`] draws its samples in memory. A
//! worker that keeps memory or searches is a [`task::Task`] of its own; `etude init crate NAME`
//! writes a crate with one, and [`main`] gives it the whole command line.
//!
//! ```
//! use lab::config::{Experiment, Overrides};
//! use lab::rng::below;
//! use lab::task::{Build, GameSpec, Metric, Simple, TaskSpec, Value};
//! use std::borrow::Cow::Borrowed;
//!
//! static DICE: GameSpec = GameSpec {
//!     name: "dice",
//!     summary: "Two dice",
//!     tasks: &[TaskSpec {
//!         name: Borrowed("dice/sum"),
//!         summary: Borrowed("What two dice show together"),
//!         sample: Borrowed("one roll"),
//!         chance: true,
//!         params: Borrowed(&[]),
//!         metrics: Borrowed(&[Metric::integer("sum", "pips", (2, 12), "Pips together.")]),
//!         contest: None,
//!         build: Build::By(|_| {
//!             Ok(Box::new(Simple(|stream, row| {
//!                 row.push(Value::Exact((2 + below(stream, 6) + below(stream, 6)) as i64));
//!             })))
//!         }),
//!     }],
//!     verbs: &[],
//!     players: &[],
//! };
//!
//! let text = "question = 'How many pips?'\ntask = 'dice/sum'\nseed = 1\n[stop]\nsamples = 10_000";
//! let experiment = Experiment::parse(text, "dice.toml", &[&DICE], &Overrides::default()).unwrap();
//! let outcome = lab::run(&experiment, 2).unwrap();
//! let sum = outcome.cells[0][0];
//! assert!((sum.value.unwrap() - 7.0).abs() < 0.2);
//! println!("{} pips, {:?}", sum.value.unwrap(), sum.interval);
//! ```

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
