//! Runs whose values are given by hand, so that what is true of them is known. Needs sh.

use std::collections::HashMap;

use crate::program::Bench;

/// Runs an experiment in a folder of this name, whose samples print these values in turn.
fn run(bench: &Bench, name: &str, values: &str, more: &str) {
    let count = values.split(' ').count();
    bench.write(
        &format!("{name}.sh"),
        &format!("set -- $1 {values}\nshift $(($1 % {count} + 1))\necho \"$1\"\n"),
    );
    bench.write(
        &format!("{name}.toml"),
        &format!(
            "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nversion = \"1\"\n\
             once = [\"sh\", \"{name}.sh\", \"{{sample}}\"]\n[output]\nsamples = true\n[stop]\nsamples = 30\n{more}"
        ),
    );
    let file = format!("{name}.toml");
    bench
        .run(&["run", &file, "--out", name, "--quiet"])
        .check(0, &[]);
}

/// A row of a table, by the names of its columns.
type Fields = HashMap<String, String>;

fn fields(table: &str, row: usize) -> Fields {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    reader.deserialize().nth(row).unwrap().unwrap()
}

fn number(fields: &Fields, column: &str) -> Option<f64> {
    fields[column].parse().ok()
}

/// The values of the second run are 0.2 more, and are written in other steps, or have other limits.
#[test]
fn runs_are_compared_in_the_steps_and_limits_of_both() {
    let bench = Bench::new();
    let metric = |more: &str| {
        format!("[command.metrics]\nx = {{ kind = \"number\", unit = \"min\", {more} }}\n")
    };
    for (name, values, more) in [
        ("coarse", "4.9 5.0 5.1", "decimals = 2"),
        ("fine", "5.1 5.2 5.3", "decimals = 4"),
        ("near", "4.9 5.0 5.1", "decimals = 2, min = 0, max = 6"),
        ("far", "5.1 5.2 5.3", "decimals = 2, min = -900, max = 900"),
    ] {
        run(&bench, name, values, &metric(more));
    }
    for [first, second] in [["coarse", "fine"], ["near", "far"], ["coarse", "far"]] {
        for (names, sign) in [([first, second], 1.0), ([second, first], -1.0)] {
            let compared = bench.run(&["compare", names[0], names[1], "--format", "csv"]);
            compared.check(0, &[]);
            let fields = fields(&compared.data, 0);
            let found = number(&fields, "difference").unwrap();
            assert!((found - 0.2 * sign).abs() < 1e-9, "{}", compared.data);
            let [lo, hi] = ["ci_lo", "ci_hi"].map(|name| number(&fields, name));
            let holds = lo.zip(hi).is_none_or(|(lo, hi)| lo <= found && found <= hi);
            assert!(holds, "{}", compared.data);
        }
    }
}

/// Seed 8: the same deals in a run whose cells stop by themselves and in one of 6,000. What a cell did not draw is not
/// a value that is undefined.
#[test]
fn cells_that_stopped_by_themselves_are_compared_up_to_their_ends() {
    let bench = Bench::new();
    let file = |stop: &str| {
        format!(
            "question = \"?\"\ntask = \"klondike/score\"\nseed = 8\n[output]\nsamples = true\n[stop{stop}\n\
             [sweep]\nstrategy = [\"greedy\", \"random\"]\n"
        )
    };
    let narrow =
        ".half-width]\nmetric = \"score\"\ntarget = 0.5\neach-cell = true\nmax-samples = 9000";
    for (name, stop) in [("each", narrow), ("all", "]\nsamples = 6000")] {
        bench.write(&format!("{name}.toml"), &file(stop));
        bench
            .run(&["run", &format!("{name}.toml"), "--out", name, "--quiet"])
            .check(0, &[]);
    }
    let ends = |name: &str| {
        let summary = std::fs::read_to_string(bench.path(name)).unwrap();
        [0, 14].map(|row| number(&fields(&summary, row), "n").unwrap())
    };
    let ends = ends("each/summary.csv");
    assert!(
        ends[0] != ends[1] && ends.iter().all(|&end| end < 6000.0),
        "{ends:?}"
    );
    for names in [["each", "all"], ["all", "each"]] {
        let compared = bench.run(&["compare", names[0], names[1], "--format", "csv"]);
        compared.check(0, &[]);
        for (row, end) in [(0, ends[0]), (14, ends[1])] {
            let fields = fields(&compared.data, row);
            let found = ["n", "difference"].map(|name| number(&fields, name));
            assert_eq!(found, [Some(end), Some(0.0)], "{}", compared.data);
        }
    }
}

/// A run draws once what has no chance, though a race by the same file repeats it.
#[test]
fn a_run_without_chance_is_whole_beside_a_race() {
    let bench = Bench::new();
    bench.write(
        "steps.toml",
        "question = \"?\"\ntask = \"queens/automaton\"\nseed = 3\n[params]\nn = 5\n[stop]\nsamples = 60\n\
         [sweep]\nversion = [\"automaton-1\", \"automaton-2\"]\n[bench]\nequal = 0.05\n",
    );
    for verb in [
        &["run", "steps.toml", "--out", "steps"][..],
        &["run", "steps.toml", "--out", "steps", "--resume"],
        &["report", "steps"],
        &["verify", "steps"],
    ] {
        bench.run(verb).check(0, &[]);
    }
}

/// Seed 8: a cell that is no longer wanted is compared by the deals that it has.
#[test]
fn a_difference_ends_with_the_cell_that_is_no_longer_wanted() {
    let bench = Bench::new();
    let file = |samples: u32, more: &str| {
        format!(
            "question = \"?\"\ntask = \"klondike/score\"\nseed = 8\n[stop]\nsamples = {samples}\n\
             [sweep]\nstrategy = [\"greedy\", \"random\"]\n{more}"
        )
    };
    let score = || {
        let pairs = std::fs::read_to_string(bench.path("deals/pairs.csv")).unwrap();
        let fields = fields(&pairs, 0);
        ["n", "mean"].map(|name| number(&fields, name).unwrap())
    };
    bench.write("deals.toml", &file(700, ""));
    bench
        .run(&["run", "deals.toml", "--out", "deals"])
        .check(0, &[]);
    let before = score();
    bench.write("deals.toml", &file(2000, "[unwanted]\nrandom = 700\n"));
    bench
        .run(&["run", "deals.toml", "--out", "deals", "--resume"])
        .check(0, &[]);
    assert_eq!((score(), before[0]), (before, 700.0));
}

/// A value written as 11.3 is somewhere from 11.25 to 11.35.
#[test]
fn extremes_of_rounded_values_are_known_within_their_rounding() {
    let bench = Bench::new();
    let claims = [
        ("x.max <= 11.28", "undecided"),
        ("x.max > 11.28", "undecided"),
        ("x.max > 11.2", "supported"),
        ("x.max <= 11.2", "refuted"),
        ("x.min < 11.32", "undecided"),
        ("x.min < 11.4", "supported"),
    ];
    let claims = claims.map(|(holds, verdict)| {
        let claim = format!("[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"{holds}\"\n");
        (claim, verdict)
    });
    let text: String = claims.iter().map(|(claim, _)| claim.as_str()).collect();
    let metric = "[command.metrics]\nx = { kind = \"number\", decimals = 1 }\n";
    run(&bench, "round", "11.26 11.31", &format!("{metric}{text}"));
    let table = std::fs::read_to_string(bench.path("round/claims.csv")).unwrap();
    for (row, (claim, verdict)) in claims.iter().enumerate() {
        let line = table.lines().nth(row + 1).unwrap();
        assert!(line.contains(&format!(",{verdict},")), "{claim}: {line}");
    }
    let told = "samples are rounded by up to 0.05, so the nearest decide nothing";
    assert!(table.contains(told), "{table}");
}

/// A stake that gains cannot hold is refused, and what open games pay is between two numbers.
#[test]
fn gains_are_those_of_the_stake_and_of_all_games() {
    let bench = Bench::new();
    let wager = |stake: &str| {
        format!(
            "[command.metrics]\npaid = {{ kind = \"integer\", unit = \"$\", min = 0, max = 50 }}\n\
             [wager]\nmetric = \"paid\"\nstake = {stake}\ngames = 10\n"
        )
    };
    run(&bench, "whole", "0 0 1", &wager("0.333"));
    run(
        &bench,
        "open",
        "0 0 1 '{\"paid\":{\"lo\":0,\"hi\":50}}'",
        &wager("1"),
    );
    let text = std::fs::read_to_string(bench.path("whole.toml")).unwrap();
    bench.write("odd.toml", &text.replace("0.333", "0.3334"));
    let told = "the stake has more than three decimals";
    bench.run(&["check", "odd.toml"]).check(2, &[told]);
    for (name, is_known) in [("whole", true), ("open", false)] {
        let table = std::fs::read_to_string(bench.path(&format!("{name}/purses.csv"))).unwrap();
        let fields = fields(&table, 1);
        for column in ["ahead", "q05", "q50", "q95"] {
            assert_eq!(
                number(&fields, column).is_some(),
                is_known,
                "{column}: {table}"
            );
        }
        assert!(number(&fields, "ahead_hi").unwrap() <= 1.0);
    }
    let page = bench.run(&["report", "open", "--all"]);
    assert!(page.data.contains("between "), "{}", page.data);
}
