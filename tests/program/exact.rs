//! Tasks without chance: one sample says all, its value is no estimate, and claims on it are
//! decided. The fake is the count of flips without two heads in a row: 144 of the 1,024 sequences
//! of ten, Fibonacci's number (OEIS A000045).

use crate::in_memory;
use std::borrow::Cow::Borrowed;
use std::collections::BTreeMap;

use crate::program::Bench;
use experiment::{Experiment, Overrides, StopRule};
use kit::rng::Streams;
use kit::search::Weight;
use lab::run::{Outcome, StopReason, Stopped, decide_claims};
use lab::tables::{RunFacts, outcome_tables};
use task::{
    Build, Draw, GameSpec, Metric, ParamSpec, Replay, Row, SampleError, Task, TaskSpec, Value,
    Worker, Workspace,
};

static GAME: GameSpec = GameSpec {
    name: "sequences",
    summary: "Sequences of flips.",
    tasks: &[COUNT],
    verbs: &[],
    players: &[],
};

/// Nothing in it is random: sequences of flips are counted one by one, a node each.
const COUNT: TaskSpec = TaskSpec {
    name: Borrowed("sequences/count"),
    summary: Borrowed("Sequences of flips without two heads in a row, counted."),
    sample: Borrowed("the count, the same every time"),
    noun: Borrowed("sample"),
    is_random: false,
    params: Borrowed(&[FLIPS]),
    metrics: Borrowed(&[
        Metric::flag("many", "Whether there are more than a hundred."),
        Metric::integer(
            "sequences",
            "sequences",
            (0, 1 << 12),
            "How many there are.",
        ),
        Metric::weight("weight", "sequences", "The same as a weight."),
        Metric::total("nodes", "sequences", "Sequences looked at."),
    ]),
    contest: None,
    build: Build::By(|params| {
        let flips = params.integer("flips")? as u32;
        Ok(Box::new(Count { flips }))
    }),
};

const FLIPS: ParamSpec =
    ParamSpec::integer("flips", (1, 12), "Flips in a sequence.").or_integer(10);

/// All sequences of so many flips.
struct Count {
    flips: u32,
}

impl Task for Count {
    fn worker<'task>(&'task self, _: &Streams, _: &'task mut Workspace) -> Box<dyn Worker + 'task> {
        Box::new(Counter(self))
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        None
    }

    fn replay(&self, _streams: &Streams, _draw: Draw) -> Result<Replay, SampleError> {
        Ok(Replay {
            instance: format!("{} flips", self.flips),
            frames: Vec::new(),
            outcome: "They were counted.".to_owned(),
        })
    }
}

struct Counter<'task>(&'task Count);

impl Worker for Counter<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let mut meter = draw.budget.meter();
        let all = 1_u32 << self.0.flips;
        let seen = (0..all).take_while(|_| meter.spend());
        let (mut looked, mut found) = (0, 0);
        for sequence in seen {
            looked += 1;
            found += i64::from(sequence & (sequence >> 1) == 0);
        }
        let most = found + i64::from(all - looked);
        row.push(Value::flag_bounds(found > 100, most > 100));
        row.push(Value::bounds(found, most));
        row.push(if looked == all {
            Value::Weight(Weight::new(found as f64))
        } else {
            Value::Missing
        });
        row.push(Value::Exact(meter.spent() as i64));
        Ok(())
    }
}

fn experiment(rest: &str) -> Experiment {
    let text = format!("question = \"q\"\ntask = \"sequences/count\"\nseed = 1\n{rest}");
    Experiment::parse(&text, "count.toml", &[&GAME], &Overrides::default())
        .unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// The tables of an experiment's run, by name.
fn tables(experiment: &Experiment) -> BTreeMap<String, String> {
    let (compiled, tally) = in_memory::run(experiment, 2);
    let confidence = experiment.confidence();
    let claims = decide_claims(experiment, &compiled, &tally, confidence);
    let outcome = Outcome::of(&compiled, tally, confidence);
    let facts = RunFacts::of(
        experiment,
        &compiled,
        &outcome,
        (&claims, Stopped::Complete(StopReason::Samples)),
    );
    let text = |bytes| String::from_utf8(bytes).unwrap();
    outcome_tables(&facts)
        .map(|table| (table.name().to_owned(), text(table.into_csv())))
        .collect()
}

/// Relations with the verdict that is due, as an experiment's claims.
fn claims(due: &[(&str, &str)]) -> String {
    let claim = |(holds, _): &(&str, &str)| {
        format!("[[claims]]\nsource = \"s\"\ntext = \"t\"\nholds = \"{holds}\"\n")
    };
    due.iter().map(claim).collect()
}

/// Every row of `claims.csv` ends in the verdict that is due, and in `note`.
fn check_verdicts(rest: &str, due: &[(&str, &str)], note: &str) {
    let tables = tables(&experiment(&format!("{rest}\n{}", claims(due))));
    let rows: Vec<&str> = tables["claims"].lines().skip(1).collect();
    assert_eq!(rows.len(), due.len());
    for (row, (holds, verdict)) in rows.iter().zip(due) {
        let end = format!(
            ",{verdict},{}",
            if *verdict == "undecided" { note } else { "" }
        );
        assert!(row.contains(holds) && row.ends_with(&end), "{row}");
    }
}

#[test]
fn claims_on_a_value_are_supported_or_refuted() {
    let due = [
        ("sequences.mean <= 144", "supported"),
        ("sequences.mean < 144", "refuted"),
        ("sequences.max <= 144", "supported"),
        ("sequences.min >= 145", "refuted"),
        ("sequences.median > 143", "supported"),
        ("weight.mean >= 144", "supported"),
        ("weight.mean > 144", "refuted"),
        ("nodes.max <= 1024", "supported"),
        ("many.mean < 1", "refuted"),
    ];
    check_verdicts("", &due, "");
}

/// A counted value has no error, but the value that it is compared with may have one.
#[test]
fn published_values_agree_or_are_refuted() {
    let due = [
        ("sequences.mean agrees 144", "agrees"),
        ("sequences.mean agrees 143", "refuted"),
        ("sequences.mean agrees 143 +- 0.5", "refuted"),
        ("sequences.mean agrees 143 ± 2", "agrees"),
        ("sequences.median agrees 144", "agrees"),
        ("many.mean agrees 90 % +- 10 %", "agrees"),
    ];
    check_verdicts("", &due, "");
    let due = [("diff(11, 10).sequences agrees 90 +- 1", "agrees")];
    check_verdicts("[sweep]\nflips = [10, 11]", &due, "");
}

#[test]
fn the_columns_of_a_published_value_are_there_where_there_is_one() {
    let header = |due: &[(&str, &str)]| {
        let table = tables(&experiment(&claims(due)))["claims"].clone();
        let mut lines = table.lines().map(str::to_owned);
        (lines.next().unwrap(), lines.collect::<Vec<_>>())
    };
    let plain = ("sequences.mean < 150", "supported");
    let (without, _) = header(&[plain]);
    assert!(without.contains("threshold,estimate,") && !without.contains("difference"));
    let (with, rows) = header(&[plain, ("sequences.mean agrees 143 ± 2", "agrees")]);
    let added = with.replace(",threshold_error,threshold_level,", ",");
    assert_eq!(added.replace(",difference_lo,difference_hi,", ","), without);
    assert!(rows[0].contains(",<,150.0,,,144.0,"), "{}", rows[0]);
    assert!(
        rows[1].contains(",agrees,143.0,2.0,0.95,144.0,"),
        "{}",
        rows[1]
    );
    assert!(rows[1].ends_with(",-1.0,3.0,agrees,"), "{}", rows[1]);
}

/// A thousand nodes see 144 of the sequences and leave 24 of all 1,024 open.
#[test]
fn claims_outside_the_bounds_of_unresolved_samples_are_decided() {
    let due = [
        ("sequences.mean >= 144", "supported"),
        ("sequences.max <= 168", "supported"),
        ("sequences.mean <= 144", "undecided"),
        ("sequences.max <= 144", "undecided"),
        ("sequences.min > 167", "undecided"),
        ("sequences.median > 168", "refuted"),
        ("many.mean >= 1", "supported"),
    ];
    let note = "not resolved within its budget; give it more nodes";
    check_verdicts("[budget]\nnodes = 1000", &due, note);
}

#[test]
fn differences_of_values_are_values() {
    let due = [
        ("diff(11, 10).sequences >= 89", "supported"),
        ("diff(11, 10).sequences > 89", "refuted"),
    ];
    check_verdicts("[sweep]\nflips = [10, 11]", &due, "");
}

/// The claim names the baseline first; the comparison that no claim asks for names it last.
#[test]
fn a_difference_is_shown_once_with_the_sign_of_its_claim() {
    let due = [("diff(10, 11).sequences < 0", "supported")];
    let text = format!("[sweep]\nflips = [10, 11, 12]\n{}", claims(&due));
    let pairs = tables(&experiment(&text))["pairs"].clone();
    let rows = pairs
        .lines()
        .filter(|row| row.contains(",sequences,sequences,"));
    let starts: Vec<&str> = rows.map(|row| row.split_once(",1,0,").unwrap().0).collect();
    let expected = [
        "count,10,11,sequences,sequences",
        "count,12,10,sequences,sequences",
    ];
    assert_eq!(starts, expected);
}

#[test]
fn a_value_has_itself_for_an_interval_and_no_weights_to_doubt() {
    let known = tables(&experiment(""));
    let rows: Vec<&str> = known["summary"].lines().collect();
    let expected = [
        "experiment,cell,flips,metric,unit,n,n_unresolved,mean,mean_lo,mean_hi,sd,mcse,ci_lo,ci_hi,\
         ci_level,ci_method,valid_under,stop_reason",
        "count,all,10,many,,1,0,1.0,1.0,1.0,,,1.0,1.0,1.0,exact,any-time,samples",
        "count,all,10,sequences,sequences,1,0,144.0,144.0,144.0,,,144.0,144.0,1.0,exact,any-time,samples",
        "count,all,10,weight,sequences,1,0,144.0,144.0,144.0,,,144.0,144.0,1.0,exact,any-time,samples",
        "count,all,10,nodes,sequences,1,0,1024.0,1024.0,1024.0,,,1024.0,1024.0,1.0,exact,any-time,samples",
    ];
    assert_eq!(rows, expected);
    assert!(!known.contains_key("weights"));
    let open = tables(&experiment("[budget]\nnodes = 1000"));
    let rows: Vec<&str> = open["summary"].lines().collect();
    assert_eq!(
        rows[2],
        "count,all,10,sequences,sequences,1,1,,144.0,168.0,,,144.0,168.0,1.0,exact-bounds,any-time,samples"
    );
    assert_eq!(
        rows[3],
        "count,all,10,weight,sequences,0,0,,,,,,,,,,,samples"
    );
}

#[test]
fn one_sample_is_drawn_whatever_the_file_asks_for() {
    for stop in [
        "",
        "[stop]\nsamples = 1_000_000",
        "[stop.half-width]\nmetric = \"many\"\ntarget = 0.1\nmax-samples = 500",
    ] {
        assert_eq!(experiment(stop).stop, StopRule::after(1), "{stop}");
    }
}

#[test]
fn reports_tell_the_value_alone() {
    let bench = Bench::new();
    let claim = claims(&[("solutions.max <= 92", "supported")]);
    bench.write(
        "queens.toml",
        &format!("question = \"q\"\ntask = \"queens/automaton\"\nseed = 8\n{claim}"),
    );
    let plan = bench.run(&["plan", "queens.toml"]);
    plan.check(0, &["1 sample in 1 block", "the task has no chance"]);
    bench
        .run(&[
            "run",
            "queens.toml",
            "--samples",
            "50",
            "--quiet",
            "--out",
            "out",
        ])
        .check(0, &[]);
    let told = bench.run(&["report", "out"]).data;
    assert!(told.contains("92 placements"), "{told}");
    assert!(told.contains(" exact "), "{told}");
    assert!(told.contains("supported  t (s)"), "{told}");
    assert!(told.contains("1 of 1 run,"), "{told}");
    assert!(!told.contains("95 %") && !told.contains("(92"), "{told}");
    // A table that this run does not make is not left to be read.
    let weights = bench.write(
        "out/weights.csv",
        "cell,metric,trusted\nall,solutions,false\n",
    );
    bench
        .run(&["run", "queens.toml", "--quiet", "--resume", "--out", "out"])
        .check(0, &[]);
    assert!(!weights.exists());
}
/// Seed 3. Foxes eat one or two of 20 hens at a time: `plan` says that the limit of 20 will widen the interval
/// of 40 matches, and of a limit that is near it says nothing.
#[test]
fn a_plan_tells_of_limits_that_are_far_from_all_samples() {
    let bench = Bench::new();
    let text = "question = \"?\"\ntask = \"foxes/match\"\nseed = 3\n[params]\nopening = 4\nfox = \"random\"\n\
                hens = \"safe\"\n[stop]\nsamples = 40\n";
    bench.write("match.toml", text);
    let plan = bench.run(&["plan", "match.toml"]);
    plan.check(
        0,
        &["the declared limits of longest-chain will make its interval"],
    );
    assert!(!plan.said.contains("limits of score"), "{}", plan.said);
}
