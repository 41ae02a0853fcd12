//! `klondike/hidden-bound` through a whole experiment, against a deck whose value is known exactly.

use etude::GAMES;
use experiment::{Experiment, Overrides};

/// A deal of this deck leaves 1 to 120 orders of its unseen cards: deals differ in their worlds.
const EXPERIMENT: &str = r#"
question = "How much can be lost without sight?"
task     = "klondike/hidden-bound"
seed     = 1

[params]
deck   = "2x4"
layout = "0:1,2:1,3:1"
worlds = 1000

[stop]
samples = 3000
"#;

/// With all worlds of every deal the bound is the exact value: 223,016 cards in 40,320 games.
#[test]
fn every_deal_weighs_the_same_however_many_worlds_it_has() {
    let experiment =
        Experiment::parse(EXPERIMENT, "bound.toml", GAMES, &Overrides::default()).unwrap();
    let estimates = lab::run(&experiment, 1).unwrap().cells.remove(0);
    let (bound, error) = (estimates[0].value.unwrap(), estimates[0].mcse.unwrap());
    let exact = 223_016.0 / 40_320.0;
    assert!(error < 0.1, "{error}");
    assert!((bound - exact).abs() < 4.0 * error, "{bound} for {exact}");
}
