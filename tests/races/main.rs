//! Races of real processes, by the clock of the machine. They take minutes, and run with
//! `cargo test --test races`: `cargo test` leaves them out, `.ci/run` does not.

mod alike;
mod bench;
mod bench_page;

#[path = "../support/examples.rs"]
mod examples;
#[path = "../support/program.rs"]
mod program;
