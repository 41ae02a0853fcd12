//! Declared truths, and what took the place of others.

use super::*;

// `whoami` is a program that Linux, macOS and Windows all have.
const WAITS: &str = r#"
task = "command"
seed = 1
[command]
run = ["whoami"]
version = "1"
[command.metrics]
wait = { kind = "number", min = 0, max = 600, truth = 4 }
late = { kind = "flag" }
[stop]
samples = 1000
"#;

fn waits(text: &str) -> Result<Experiment, ConfigError> {
    Experiment::parse(text, "waits.toml", GAMES, &Overrides::default())
}

#[test]
fn a_truth_beside_a_metric_holds_in_all_cells() {
    let experiment = waits(WAITS).unwrap();
    let truth = experiment.declared_truth("wait").unwrap();
    assert_eq!(
        (truth.value, &*truth.source),
        (4.0, "declared in the experiment file")
    );
    assert!(experiment.declared_truth("late").is_none());
    let plain = waits(&WAITS.replace(", truth = 4", "")).unwrap();
    assert_eq!(experiment.fingerprint(), plain.fingerprint());
    let outside = waits(&WAITS.replace("truth = 4", "truth = -3")).unwrap_err();
    assert!(
        outside.to_string().contains("cannot be -3 on average"),
        "{outside}"
    );
}

#[test]
fn tables_of_truths_and_claims_on_spreads_are_refused() {
    let tables = waits(&format!(
        "{WAITS}[[truths]]\nmetric = \"wait\"\nvalue = 4\n"
    ))
    .unwrap_err();
    assert!(
        tables.to_string().contains("unknown key `truths`"),
        "{tables}"
    );
    let spread = message(&FULL.replace("run.q975 <= 1_9.5", "run.sd <= 2"));
    assert!(spread.contains("`run` has no statistic `sd`"), "{spread}");
}
