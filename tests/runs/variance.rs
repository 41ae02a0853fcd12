//! Control variates and strata: unbiased, reported with what they bring, the same bytes however a
//! run is made.

use crate::coin;
use crate::in_memory;
use crate::program::{Bench, assert_same_results};
use lab::config::{Experiment, Overrides};
use lab::harness::Outcome;
use lab::stats::Method;

fn flips(variance: &str, p: f64, samples: u64, seed: u64) -> Outcome {
    let text = format!(
        "question = \"q\"\ntask = \"coin/flip\"\nseed = {seed}\n[params]\np = {p}\n{variance}\n\
         [stop]\nsamples = {samples}\n"
    );
    let experiment = Experiment::parse(&text, "coin.toml", coin::GAMES, &Overrides::default())
        .unwrap_or_else(|error| panic!("{}", error.render(false)));
    let (laboratory, tally) = in_memory::run(&experiment, 1);
    Outcome::of(&laboratory, tally, experiment.confidence())
}

const HEADS: usize = 0;

/// Seeds 0 to 1499, 16 flips each: the average of all estimates is the truth within four of its
/// standard errors, which are smaller than the plain average's.
#[test]
fn estimates_are_unbiased_and_vary_less() {
    let (runs, truth, samples) = (1_500, 0.3, 16);
    for variance in [
        "[variance]\ncontrol = [\"low\"]",
        "[variance]\nstrata = 4",
        "[variance]\ncontrol = [\"low\"]\nstrata = 2",
    ] {
        let estimates = (0..runs).map(|seed| {
            let outcome = flips(variance, truth, samples, seed);
            outcome.cells[0][HEADS].value.unwrap()
        });
        let (mut sum, mut squares) = (0.0, 0.0);
        estimates.for_each(|value| {
            sum += value;
            squares += value * value;
        });
        let n = runs as f64;
        let spread = squares / n - (sum / n).powi(2);
        let miss = (sum / n - truth).abs();
        assert!(miss < 4.0 * (spread / n).sqrt(), "{variance}: {miss}");
        let plain = truth * (1.0 - truth) / samples as f64;
        assert!(spread < 0.9 * plain, "{variance}: {spread} against {plain}");
    }
}

/// Seeds 0 to 299, 2,048 flips each: adjusted intervals miss as often as they say.
#[test]
fn reduced_intervals_miss_as_often_as_they_say() {
    let (runs, truth) = (300, 0.3);
    for variance in ["[variance]\ncontrol = [\"low\"]", "[variance]\nstrata = 8"] {
        let missed = |seed: &u64| {
            let interval = flips(variance, truth, 2_048, *seed).cells[0][HEADS].interval;
            !interval.unwrap().contains(truth)
        };
        let missed = (0..runs).filter(missed).count();
        // 15 expected; a binomial count exceeds 31 less than once in ten thousand.
        assert!(missed <= 31, "{variance}: {missed}");
    }
}

/// Seed 5. The control explains a known share of the variance, and strata that hold no mixture
/// leave none: then the plain interval stays.
#[test]
fn the_factor_says_what_was_gained() {
    let control = flips("[variance]\ncontrol = [\"low\"]", 0.3, 20_000, 5);
    let found = &control.reduced[HEADS];
    assert_eq!(
        found.estimate.interval.unwrap().method,
        Method::ControlVariates
    );
    // The squared correlation of u < 0.3 and u < 0.5 is (0.15)^2 / (0.21 * 0.25) = 3/7.
    let factor = found.factor().unwrap();
    assert!((factor - 7.0 / 4.0).abs() < 0.1, "{factor}");
    assert!((found.coefficients[0] - 0.6).abs() < 0.05);
    let exact = flips("[variance]\nstrata = 4", 0.25, 4_096, 5);
    let found = exact.reduced[HEADS].estimate;
    assert_eq!((found.value, found.mcse), (Some(0.25), None));
    assert_eq!(found.interval.unwrap().method, Method::Wilson);
}

/// Seed 1978.
const DEALS: &str = r#"question = "How many cards?"
task = "klondike/score"
seed = 1978
[variance]
control = ["links", "buried"]
strata = 4
[sweep]
strategy = ["optimal", "random"]
[stop]
samples = 1_200
"#;

#[test]
fn a_reduced_run_is_the_same_bytes_however_it_is_made() {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    let run = |arguments: &[&str]| {
        let always = ["run", "deals.toml", "--quiet", "--out"];
        bench.run(&[&always[..], arguments].concat()).check(0, &[]);
    };
    run(&["one", "--threads", "1"]);
    run(&["two", "--threads", "3"]);
    run(&["more", "--samples", "400"]);
    run(&["more", "--resume"]);
    run(&["parts/1", "--shard", "1/2"]);
    run(&["parts/2", "--shard", "2/2"]);
    let merged = bench.run(&["merge", "whole", "parts/1", "parts/2"]);
    merged.check(0, &[]);
    for other in ["two", "whole"] {
        assert_same_results(&bench.path(other), &bench.path("one"));
    }
    let journal = |run: &str| std::fs::read(bench.path(run).join("blocks.csv")).unwrap();
    assert!(
        journal("more") == journal("one"),
        "the extended run has other samples"
    );
    bench.run(&["verify", "one"]).check(0, &["sound"]);
    let table = std::fs::read_to_string(bench.path("one/variance.csv")).unwrap();
    let row = table
        .lines()
        .find(|line| line.contains(",optimal,first-moves,"));
    let fields: Vec<&str> = row.unwrap().split(',').collect();
    assert!(fields[10].parse::<f64>().unwrap() > 2.0, "{fields:?}");
    assert!(fields[11].starts_with("links="), "{fields:?}");
    let report = bench.run(&["report", "one"]);
    assert!(
        report.data.contains("with and without variance reduction"),
        "{}",
        report.data
    );
}

/// A mean that another run found. Of the perfect score itself it is the estimate, with its error.
const PERFECT: &str = r#"question = "How many cards?"
task = "klondike/score"
seed = 1978
[variance]
control = ["perfect"]
[variance.known.perfect]
mean = 6.53
error = 0.006
[sweep]
strategy = ["optimal", "hindsight(2)"]
[stop]
samples = 600
"#;

#[test]
fn a_mean_known_from_elsewhere_sharpens_a_run_and_leaves_its_error() {
    let bench = Bench::new();
    bench.write("deals.toml", PERFECT);
    bench
        .run(&["run", "deals.toml", "--quiet", "--out", "one"])
        .check(0, &[]);
    let table = std::fs::read_to_string(bench.path("one/variance.csv")).unwrap();
    let field = |cell: &str, place: usize| -> f64 {
        let found = |line: &&str| line.contains(&format!(",{cell},score,"));
        let row = table.lines().find(found).unwrap();
        row.split(',').nth(place).unwrap().parse().unwrap()
    };
    // Columns: plain_mcse, mean, mcse, variance_reduction.
    assert!((field("optimal", 8) - 6.53).abs() < 1e-9, "{table}");
    assert!((field("optimal", 9) - 0.006).abs() < 1e-9, "{table}");
    assert!(field("hindsight(2)", 10) > 2.0, "{table}");
    bench.run(&["verify", "one"]).check(0, &["sound"]);
}

#[test]
fn a_mean_from_elsewhere_is_asked_for_where_it_is_needed_and_nowhere_else() {
    let bench = Bench::new();
    let table = "[variance.known.perfect]\nmean = 6.53\nerror = 0.006\n";
    let layouts = "layout = [\"yukon\", \"open\"]\nstrategy";
    for (from, to, said) in [
        (table, "", "the mean of `perfect` is not known exactly"),
        (
            "[\"perfect\"]",
            "[\"links\"]",
            "`perfect` is none of the controls",
        ),
        ("perfect", "links", "the mean of `links` is known exactly"),
        ("error = 0.006", "error = 0", "a number above 0"),
        ("mean = 6.53\n", "", "the key `mean` is missing"),
        ("strategy", layouts, "their instances differ"),
    ] {
        bench.write("bad.toml", &PERFECT.replace(from, to));
        bench.run(&["check", "bad.toml"]).check(2, &[said]);
    }
}

#[test]
fn unsupported_variance_reduction_is_an_error_at_its_place() {
    let bench = Bench::new();
    for (from, to, said) in [
        ("\"buried\"", "\"burried\"", "did you mean `buried`?"),
        ("\"buried\"", "\"links\"", "`links` is given twice"),
        ("strata = 4", "strata = 6", "2, 4, 8, 16, 32 or 64"),
        ("1_200", "1_201", "draw 1204 samples"),
        (
            "samples = 1_200",
            "half-width = { metric = \"score\", target = 1.0, max-samples = 100 }",
            "looks repeatedly",
        ),
    ] {
        bench.write("bad.toml", &DEALS.replace(from, to));
        bench.run(&["check", "bad.toml"]).check(2, &[said]);
    }
    let riddles =
        "question = \"q\"\ntask = \"riddle/clues\"\nseed = 1\n[stop]\nsamples = 8\n[variance]\n";
    for (key, said) in [
        ("control = [\"links\"]", "declares no controls"),
        ("strata = 2", "no draw that can be stratified"),
    ] {
        bench.write("bad.toml", &format!("{riddles}{key}\n"));
        bench.run(&["check", "bad.toml"]).check(2, &[said]);
    }
}
