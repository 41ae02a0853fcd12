//! The games of etude and their registry: each game is one folder here and two lines in this file.
//!
//! A game knows its rules and its search, and says in terms of the crate `task` what is drawn and
//! measured. Streams are the crate `kit`'s; experiments, runs and their files are the laboratory, the crate `lab`.

pub mod cards;
#[cfg(feature = "laboratory")]
pub mod estimate;
pub mod foxes;
#[cfg(feature = "laboratory")]
pub mod klondike;
#[cfg(feature = "laboratory")]
pub mod pegs;
#[cfg(feature = "laboratory")]
pub mod queens;
#[cfg(feature = "laboratory")]
pub mod riddle;
#[cfg(feature = "laboratory")]
pub mod solitaire;

#[cfg(feature = "laboratory")]
use task::GameSpec;
#[cfg(feature = "laboratory")]
use task::{Application, BuiltIn};

#[cfg(feature = "laboratory")]
/// Every game, in the order in which `list` shows them.
pub const GAMES: &[&GameSpec] = &[
    &klondike::GAME,
    &solitaire::GAME,
    &riddle::GAME,
    &foxes::GAME,
    &pegs::GAME,
    &queens::GAME,
];

#[cfg(feature = "laboratory")]
// `EXPERIMENTS: &[BuiltIn]`, one of each file of `experiments/curated` and `experiments/bench`, in order.
include!(concat!(env!("OUT_DIR"), "/experiments.rs"));

#[cfg(feature = "laboratory")]
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
    ..Application::LIBRARY
};
