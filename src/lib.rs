//! The tasks and verbs of the games, and their registry: each game is one folder here, one crate in `games`, and
//! two lines in this file.
//!
//! A game's crate knows its rules and its search; the folder here says in terms of the crate `task` what is drawn
//! and measured. Experiments, runs and their files are the laboratory, the crate `lab`.

pub mod cards;
pub mod estimate;
pub mod foxes;
pub mod input;
pub mod klondike;
pub mod pegs;
pub mod queens;
pub mod riddle;
pub mod solitaire;

use task::{Application, BuiltIn, GameSpec};

/// Every game, in the order in which `list` shows them.
pub const GAMES: &[&GameSpec] = &[
    &klondike::GAME,
    &solitaire::GAME,
    &riddle::GAME,
    &foxes::GAME,
    &pegs::GAME,
    &queens::GAME,
];

// `EXPERIMENTS: &[BuiltIn]`, one of each file of `experiments/curated` and `experiments/bench`, in order.
include!(concat!(env!("OUT_DIR"), "/experiments.rs"));

/// The program `etude`: these games, and the experiments that come with them.
pub const PROGRAM: Application = Application {
    name: "etude",
    about: "A Monte Carlo laboratory for combinatorial games: exact engines, reproducible \
            experiments, honest intervals",
    version: env!("CARGO_PKG_VERSION"),
    revision: option_env!("ETUDE_GIT_REVISION"),
    games: GAMES,
    experiments: EXPERIMENTS,
    examples: "  etude list                                            what there is
  etude run klondike-casino                             run an experiment
  etude report results/klondike-casino                  look at it again
  etude solve klondike --seed 1978 --index 0            solve one deal",
};
