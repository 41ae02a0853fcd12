//! The engines of the games against their baselines, one file a game. Each asserts its answers
//! before it is timed, so a benchmark cannot be won by a wrong engine.

// The naive engine is a test of its crate, which goes by its own name there.
extern crate foxes as etude_foxes;

mod foxes;
mod klondike;
mod pegs;
mod queens;
mod riddle;
mod solitaire;

use criterion::{criterion_group, criterion_main};

criterion_group!(
    engines,
    klondike::engines,
    solitaire::engines,
    klondike::worlds,
    klondike::hidden_value,
    riddle::riddle_generation,
    riddle::riddle_census,
    riddle::riddle_uniqueness,
    foxes::engines,
    pegs::figures,
    pegs::central,
    pegs::reachable,
    pegs::random_play,
    queens::engines,
    queens::estimate,
);
criterion_main!(engines);
