//! Stop rules and several budgets: read, refused, and written out again.

use super::*;
use crate::StopQuestion;
use stats::{Hypotheses, Looks};

fn with_stop(stop: &str) -> Result<Experiment, ConfigError> {
    parse(&MINIMAL.replace("[stop]\nsamples = 1000", stop))
}

const RULES: [&str; 6] = [
    "[stop.half-width]\nmetric = \"run\"\ntarget = 0.25\nmax-samples = 5_000",
    "[stop.sprt]\nmetric = \"heads\"\nrate = [0.5, 0.6]\nbeta = 0.1\nmax-samples = 5_000",
    "[stop.half-width]\nmetric = \"run\"\nrelative = 0.05\nmax-samples = 5_000",
    "[stop.half-width]\nmetric = \"run\"\ntarget = 0.2\neach-cell = true\nmax-samples = 5_000",
    "[stop.half-width]\nmetric = \"run\"\nrelative = 0.05\neach-cell = true\nmax-samples = 5_000",
    "[stop.claims]\nmax-samples = 5_000\n[[claims]]\nsource = \"a\"\ntext = \"b\"\nholds = \"run.mean < 2\"",
];

#[test]
fn every_rule_is_read_and_comes_back_from_its_resolved_file() {
    // A run of at most 20 heads to 0.25 is tuned to a third of u (10 / 0.25)^2 samples, u = 9.212, and where each
    // cell stops by itself, to 0.2 beyond the cap; to a share of 0.05 of the mean it is tuned to a third of u / 0.05^2.
    for (rule, planned) in (RULES.into_iter()).zip([4_914, 5_000, 5_000, 7_677, 1_229, 5_000]) {
        let experiment = with_stop(rule).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(experiment.stop.max_samples, 5_000);
        assert!(experiment.stop.looks());
        let looks = Looks::Many { planned };
        assert_eq!(experiment.confidence().looks, looks);
        let again = parsed(&experiment.resolved_toml());
        assert_eq!(again.stop, experiment.stop);
        assert_eq!(again.fingerprint(), experiment.fingerprint());
    }
    let Some(StopQuestion::Sprt { test, .. }) = with_stop(RULES[1]).unwrap().stop.question else {
        panic!("a test");
    };
    assert_eq!(test.hypotheses, Hypotheses::Rate([0.5, 0.6]));
    assert_eq!((test.alpha, test.beta), (0.05, 0.1));
}

#[test]
fn a_rule_that_cannot_be_followed_is_refused_with_the_reason() {
    let faults = [
        (
            "[stop.half-width]\nmetric = \"nodes\"\ntarget = 1\nmax-samples = 9",
            "no bounds",
        ),
        (
            "[stop.half-width]\nmetric = \"haeds\"\ntarget = 1\nmax-samples = 9",
            "`heads`",
        ),
        (
            "[stop.half-width]\nmetric = \"run\"\ntarget = 0\nmax-samples = 9",
            "above 0",
        ),
        (
            "[stop.half-width]\nmetric = \"run\"\ntarget = 1",
            "`max-samples` is missing",
        ),
        (
            "[stop.half-width]\nmetric = \"run\"\nmax-samples = 9",
            "`target` is missing",
        ),
        (
            "[stop.half-width]\nmetric = \"run\"\ntarget = 1\nrelative = 0.1\nmax-samples = 9",
            "a second precision",
        ),
        (
            "[stop.sprt]\nmetric = \"heads\"\nelo = [0, 5]\nmax-samples = 9",
            "do not fit",
        ),
        (
            "[stop.sprt]\nmetric = \"heads\"\nrate = [0.5, 1.5]\nmax-samples = 9",
            "do not fit",
        ),
        (
            "[stop.sprt]\nmetric = \"heads\"\nrate = [0.6, 0.5]\nmax-samples = 9",
            "smaller first",
        ),
        (
            "[stop.sprt]\nmetric = \"heads\"\nelo = [0, 6400]\nmax-samples = 9",
            "two numbers from -4000 to 4000",
        ),
        ("[stop.claims]\nmax-samples = 9", "no claim"),
        (
            "[stop]\nsamples = 9\n[stop.claims]\nmax-samples = 9",
            "a second rule",
        ),
    ];
    for (stop, said) in faults {
        let error = with_stop(stop).unwrap_err().to_string();
        assert!(error.contains(said), "{stop}\n{error}");
    }
}

#[test]
fn samples_on_the_command_line_move_the_cap_and_keep_the_rule() {
    let text = MINIMAL.replace("[stop]\nsamples = 1000", RULES[0]);
    let overrides = Overrides {
        samples: Some(77),
        ..Overrides::default()
    };
    let experiment = Experiment::parse(&text, "coin.toml", GAMES, &overrides).unwrap();
    assert!(experiment.stop.looks());
    assert_eq!(experiment.stop.max_samples, 77);
}

#[test]
fn several_budgets_must_increase() {
    let with_nodes = |nodes: &str| parse(&format!("{MINIMAL}[budget]\nnodes = {nodes}\n"));
    let experiment = with_nodes("[10, 1_000]").unwrap();
    assert_eq!(experiment.file.budgets(), [10, 1_000].map(Budget::nodes));
    assert_eq!(
        parsed(&experiment.resolved_toml()).file.budgets(),
        experiment.file.budgets()
    );
    assert_ne!(
        experiment.fingerprint(),
        with_nodes("10").unwrap().fingerprint()
    );
    for bad in ["[]", "[10, 10]", "[10, 5]", "[0, 5]", "[[1], 2]"] {
        assert!(with_nodes(bad).is_err(), "{bad}");
    }
}
