//! Tests of the whole way from text to experiment.

use super::coin::GAMES;
use super::*;

mod messages;

fn parse(text: &str) -> Result<Experiment, ConfigError> {
    Experiment::parse(text, "experiments/coin.toml", GAMES, &Overrides::default())
}
