//! The laboratory with a coin for its only game: the command line of a stranger's program, and
//! the cheapest task there is, for tests of what the laboratory itself costs.

#[path = "../tests/support/coin.rs"]
mod coin;

use std::process::ExitCode;

use lab::Program;

const PROGRAM: Program = Program {
    name: "coin",
    about: "A Monte Carlo laboratory for a coin",
    version: env!("CARGO_PKG_VERSION"),
    revision: None,
    games: coin::GAMES,
    experiments: &[],
    examples: "  coin run flips.toml",
};

fn main() -> ExitCode {
    lab::main(&PROGRAM)
}
