//! Control variates: unbiased, reported with what they bring, the same bytes however a run is made.

use crate::coin;
use crate::in_memory;
use crate::program::{Bench, assert_same_results};
use experiment::{Experiment, Overrides};
use lab::run::Outcome;
use stats::Method;

/// Flips of a coin, adjusted by whether the first one's number is low: half of them are.
fn flips(p: f64, samples: u64, seed: u64) -> Outcome {
    let control = "[variance]\ncontrol = \"low\"\nmean = 0.5\nerror = 1e-9\n";
    flips_with(control, p, samples, seed)
}

fn flips_with(control: &str, p: f64, samples: u64, seed: u64) -> Outcome {
    let text = format!(
        "question = \"q\"\ntask = \"coin/flip\"\nseed = {seed}\n[params]\np = {p}\n{control}\
         [stop]\nsamples = {samples}\n"
    );
    let experiment = Experiment::parse(&text, "coin.toml", coin::GAMES, &Overrides::default())
        .unwrap_or_else(|error| panic!("{}", error.render(false)));
    let (compiled, tally) = in_memory::run(&experiment, 1);
    Outcome::of(&compiled, tally, experiment.confidence())
}

const HEADS: usize = 0;

/// Seeds 0 to 399.
#[test]
fn estimates_are_unbiased_and_vary_less() {
    estimates_are_unbiased(400);
}

/// Seeds 0 to 14,999.
#[test]
#[ignore = "long; the short form runs always"]
fn estimates_are_unbiased_and_vary_less_in_many_runs() {
    estimates_are_unbiased(15_000);
}

/// Asserts that the average of all estimates, each from 256 flips, is the truth within four of its standard errors, and
/// that they spread less than plain averages.
fn estimates_are_unbiased(runs: u64) {
    let (truth, samples) = (0.3, 256);
    let estimates =
        (0..runs).map(|seed| flips(truth, samples, seed).cells[0][HEADS].value.unwrap());
    let (mut sum, mut squares) = (0.0, 0.0);
    estimates.for_each(|value| {
        sum += value;
        squares += value * value;
    });
    let n = runs as f64;
    let spread = squares / n - (sum / n).powi(2);
    let miss = (sum / n - truth).abs();
    assert!(miss < 4.0 * (spread / n).sqrt(), "{miss}");
    let plain = truth * (1.0 - truth) / samples as f64;
    assert!(spread < 0.9 * plain, "{spread} against {plain}");
}

/// Seeds 0 to 99. 5 misses expected; a binomial count exceeds 15 less than once in ten thousand.
#[test]
fn reduced_intervals_miss_as_often_as_they_say() {
    reduced_intervals_hold(100, 15);
}

/// Seeds 0 to 2,999. 150 misses expected; a binomial count exceeds 196 less than once in ten thousand.
#[test]
#[ignore = "long; the short form runs always"]
fn reduced_intervals_miss_as_often_as_they_say_in_many_runs() {
    reduced_intervals_hold(3_000, 196);
}

/// Asserts that of so many adjusted intervals, each from 2,048 flips, at most `most` miss.
fn reduced_intervals_hold(runs: u64, most: usize) {
    let truth = 0.3;
    let missed = |seed: &u64| {
        let interval = flips(truth, 2_048, *seed).cells[0][HEADS].interval;
        !interval.unwrap().contains(truth)
    };
    let missed = (0..runs).filter(missed).count();
    assert!(missed <= most, "{missed}");
}

/// Seeds 0 to 199, 4 to 29 flips: the estimates are those of a run without a control.
#[test]
fn few_samples_are_not_adjusted() {
    for seed in 0..200 {
        let samples = 4 + seed % 26;
        let (plain, few) = (
            flips_with("", 0.1, samples, seed),
            flips(0.1, samples, seed),
        );
        assert_eq!(few.cells, plain.cells, "seed {seed}");
        assert!(few.reduced.is_empty(), "seed {seed}");
    }
    assert!(!flips(0.5, 30, 5).reduced.is_empty());
}

/// Seeds 0 to 199, 30 flips of which hardly any shows heads: no end of what is adjusted leaves what the metric can be.
#[test]
fn what_is_adjusted_stays_within_the_limits() {
    let mut adjusted = 0;
    for seed in 0..200 {
        for reduced in flips(0.03, 30, seed).reduced {
            let interval = reduced.estimate.interval.unwrap();
            let ends = [interval.lo, reduced.estimate.value.unwrap(), interval.hi];
            assert!(ends.iter().all(|end| *end >= 0.0), "seed {seed}: {ends:?}");
            adjusted += 1;
        }
    }
    assert!(adjusted > 50, "{adjusted}");
}

/// Seed 5. The control explains a known share of the variance. Of few samples one answer may be too
/// rare to adjust it.
#[test]
fn the_factor_says_what_was_gained() {
    let control = flips(0.3, 20_000, 5);
    let found = &control.reduced[HEADS];
    assert_eq!(
        found.estimate.interval.unwrap().method,
        Method::ControlVariates
    );
    // The squared correlation of u < 0.3 and u < 0.5 is (0.15)^2 / (0.21 * 0.25) = 3/7.
    let factor = found.factor().unwrap();
    assert!((factor - 7.0 / 4.0).abs() < 0.1, "{factor}");
    assert!((found.coefficient - 0.6).abs() < 0.05);
    let few = flips(0.3, 64, 5);
    assert!(few.reduced.iter().all(|reduced| reduced.metric != HEADS));
    assert!(!few.reduced.is_empty());
}

/// Seed 1978. A mean that another run found: of the perfect score itself it is the estimate, with
/// its error.
const DEALS: &str = r#"question = "How many cards?"
task = "klondike/score"
seed = 1978
[variance]
control = "perfect"
mean = 6.53
error = 0.006
[sweep]
strategy = ["optimal", "hindsight(2)"]
[stop]
samples = 600
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
    run(&["more", "--samples", "200"]);
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
    let report = bench.run(&["report", "one", "--all"]);
    assert!(
        report.data.contains("with and without variance reduction"),
        "{}",
        report.data
    );
}

#[test]
fn a_mean_known_from_elsewhere_sharpens_a_run_and_leaves_its_error() {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    bench
        .run(&["run", "deals.toml", "--quiet", "--out", "one"])
        .check(0, &[]);
    let table = std::fs::read_to_string(bench.path("one/variance.csv")).unwrap();
    let column = |name: &str| {
        table
            .lines()
            .next()
            .unwrap()
            .split(',')
            .position(|it| it == name)
    };
    let field = |cell: &str, name: &str| -> f64 {
        let found = |line: &&str| line.contains(&format!(",{cell},score,"));
        let row = table.lines().find(found).unwrap();
        let field = row.split(',').nth(column(name).unwrap());
        field.unwrap().parse().unwrap()
    };
    assert!((field("optimal", "mean") - 6.53).abs() < 1e-9, "{table}");
    assert!((field("optimal", "mcse") - 0.006).abs() < 1e-9, "{table}");
    assert!(
        (field("optimal", "coefficient") - 1.0).abs() < 1e-9,
        "{table}"
    );
    assert!(field("hindsight(2)", "variance_reduction") > 2.0, "{table}");
}

#[test]
fn unsupported_variance_reduction_is_an_error_at_its_place() {
    let bench = Bench::new();
    let layouts = "layout = [\"yukon\", \"open\"]\nstrategy";
    let looks = "half-width = { metric = \"score\", target = 1.0, max-samples = 100 }";
    for (from, to, said) in [
        ("\"perfect\"", "\"prefect\"", "did you mean `perfect`?"),
        ("\"perfect\"", "[\"perfect\"]", "a text"),
        (
            "control = \"perfect\"\n",
            "",
            "the key `control` is missing",
        ),
        ("mean = 6.53\n", "", "the key `mean` is missing"),
        ("error = 0.006", "error = 0", "a number above 0"),
        ("error = 0.006", "error = 26.5", "a number up to 26"),
        ("mean = 6.53", "mean = 600", "a number from 0 to 52"),
        ("mean = 6.53", "mean = 1e300", "a number from 0 to 52"),
        (
            "mean = 6.53",
            "mean = -0.5",
            "the score of strategy `optimal`",
        ),
        ("strategy", layouts, "their instances differ"),
        ("samples = 600", looks, "looks repeatedly"),
    ] {
        bench.write("bad.toml", &DEALS.replace(from, to));
        bench.run(&["check", "bad.toml"]).check(2, &[said]);
    }
    let sweep = "[sweep]\nstrategy = [\"optimal\", \"hindsight(2)\"]\n";
    let riddles = DEALS
        .replace("klondike/score", "riddle/clues")
        .replace(sweep, "");
    bench.write("bad.toml", &riddles);
    bench
        .run(&["check", "bad.toml"])
        .check(2, &["declares no control"]);
}

/// Seed 1978. The mean of the payout, $5 a card, is within the limits of the score.
#[test]
fn a_mean_of_another_quantity_adjusts_nothing_and_is_told() {
    let bench = Bench::new();
    bench.write("deals.toml", &DEALS.replace("mean = 6.53", "mean = 32.65"));
    let run = bench.run(&["run", "deals.toml", "--out", "one"]);
    run.check(
        0,
        &[
            "no estimate is adjusted by `perfect`",
            "and 32.65 in [variance]",
        ],
    );
    let read = |name: &str| std::fs::read_to_string(bench.path("one").join(name)).unwrap();
    assert_eq!(read("variance.csv").lines().count(), 1);
    assert!(!read("summary.csv").contains("control-variates"));
    bench.run(&["verify", "one"]).check(0, &["sound"]);
    bench.run(&["report", "one", "--all"]).check(0, &[]);
}
