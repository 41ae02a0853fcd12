//! A game from outside beside our own: Clock patience, which `init crate` writes, in our registry. What CONTRIBUTING
//! says is to be touched is enough.

#[allow(dead_code, reason = "its main is not called")]
#[path = "../../crates/cli/templates/crate/src/main.rs"]
mod clock;

use etude::GAMES;
use experiment::{Experiment, Overrides, schema};
use lab::run::CompiledExperiment;

const EXPERIMENT: &str = include_str!("../../crates/cli/templates/crate/clock.toml");

/// Seed 13, 20,000 deals: within six standard errors, 0.0019 each, of one in thirteen.
#[test]
fn clock_patience_runs_beside_our_games_and_comes_out_once_in_thirteen() {
    let mut games = GAMES.to_vec();
    games.push(&clock::CLOCK);
    let overrides = Overrides {
        samples: Some(20_000),
        ..Overrides::default()
    };
    let experiment = Experiment::parse(EXPERIMENT, "clock.toml", &games, &overrides).unwrap();
    let outcome = lab::run(&experiment, 2).unwrap();
    let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
    let metrics = experiment.task.metrics.iter();
    let known = metrics.filter_map(|metric| compiled.task(0).truth(&metric.name));
    let known: Vec<f64> = known.map(|truth| truth.value).collect();
    assert_eq!(known, [1.0 / 13.0]);
    let found = outcome.cells[0][0].value.unwrap();
    assert!((found - known[0]).abs() < 0.0114, "{found}");
    assert_eq!(task::laws::check(&clock::CLOCK), Ok(()));
    assert!(schema(&games).to_string().contains("clock/play"));
}
