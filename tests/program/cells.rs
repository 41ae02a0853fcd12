//! Runs whose file gains or loses cells: only what is new is drawn, and the folder has the bytes of a run
//! that was begun with the new file.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Bench, Ending, assert_same_results};

/// An experiment of seed 2026 with its sweep, and more.
fn text(task: &str, sweep: &str, more: &str) -> String {
    format!("question = \"?\"\ntask = \"{task}\"\nseed = 2026\n{more}\n[sweep]\n{sweep}\n")
}

fn deals(strategies: &str, more: &str) -> String {
    text("klondike/score", &format!("strategy = {strategies}"), more)
}

/// Every fox against all hens.
fn tournament(foxes: &str, hens: &str, more: &str) -> String {
    let more = format!("[stop]\nsamples = 70\n{more}");
    text(
        "foxes/round-robin",
        &format!("fox = {foxes}\nhens = {hens}"),
        &more,
    )
}

const SAMPLES: &str = "[stop]\nsamples = 1500\n";
const KEPT: &str = "[stop]\nsamples = 1500\n[output]\nsamples = true\n";

fn run(bench: &Bench, text: &str, arguments: &[&str]) -> Ending {
    bench.write("cells.toml", text);
    bench.run(&[&["run", "cells.toml", "--quiet"], arguments].concat())
}

/// Goes on in `grown` with each of these files in turn.
fn grow(bench: &Bench, files: &[&str], threads: &str) -> Ending {
    let steps = files.iter().map(|text| {
        run(
            bench,
            text,
            &["--out", "grown", "--resume", "--threads", threads],
        )
    });
    let endings: Vec<Ending> = steps.collect();
    endings.iter().for_each(|ending| ending.check(0, &[]));
    endings.into_iter().last().unwrap()
}

/// Asserts that the folder is that of a run begun with this file, and sound.
#[track_caller]
fn assert_as_if_begun_with(bench: &Bench, text: &str) {
    let _ = std::fs::remove_dir_all(bench.path("fresh"));
    run(bench, text, &["--out", "fresh"]).check(0, &[]);
    assert_same_results(&bench.path("grown"), &bench.path("fresh"));
    bench
        .run(&["verify", "grown", "--samples", "100"])
        .check(0, &[]);
}

/// The samples that each cell was drawn for, over all sessions.
fn drawn(bench: &Bench) -> BTreeMap<String, u64> {
    let mut timings = csv::Reader::from_path(bench.path("grown/timings.csv")).unwrap();
    let rows = timings.records().map(Result::unwrap);
    rows.map(|row| (row[0].to_owned(), row[1].parse().unwrap()))
        .collect()
}

/// Samples not kept, in two threads, and kept, in one: a strategy in front, behind, taken out, exchanged.
#[test]
fn a_sweep_gains_and_loses_values() {
    for (more, threads) in [(SAMPLES, "2"), (KEPT, "1")] {
        for steps in [
            ["[\"greedy\"]", "[\"greedy\", \"random\"]"],
            [
                "[\"greedy\", \"random\"]",
                "[\"optimal\", \"random\", \"greedy\"]",
            ],
            [
                "[\"optimal\", \"random\", \"greedy\"]",
                "[\"greedy\", \"random\"]",
            ],
            ["[\"optimal\", \"greedy\"]", "[\"greedy\", \"random\"]"],
        ] {
            let bench = Bench::new();
            let files = steps.map(|strategies| deals(strategies, more));
            grow(&bench, &files.each_ref().map(String::as_str), threads);
            assert_as_if_begun_with(&bench, &files[1]);
        }
    }
}

/// A strategy beside the baseline needs the baseline's samples again, unless they are kept; without a
/// new pair nothing is drawn again.
#[test]
fn only_what_is_new_is_drawn_and_what_is_drawn_again_is_told() {
    let two = "[\"greedy\", \"random\"]";
    let three = "[\"greedy\", \"random\", \"optimal\"]";
    let told = "1 cell is new (optimal), 2 are kept: drawing only what is new";
    for (more, again) in [(SAMPLES, 3000), (KEPT, 1500)] {
        let bench = Bench::new();
        let ending = grow(&bench, &[&deals(two, more), &deals(three, more)], "2");
        ending.check(0, &[told]);
        let why = "1 kept cell (greedy) is drawn again: new differences need these samples";
        assert_eq!(ending.said.contains(why), again > 1500, "{}", ending.said);
        let expected = [("greedy", again), ("optimal", 1500), ("random", 1500)];
        let expected = expected.map(|(cell, samples)| (cell.to_owned(), samples));
        assert_eq!(drawn(&bench), expected.into());
        let ending = grow(&bench, &[&deals(two, more)], "1");
        ending.check(
            0,
            &["1 cell is taken out (optimal), 2 are kept: no cell is new"],
        );
        assert_eq!(drawn(&bench)["greedy"], again);
        assert_as_if_begun_with(&bench, &deals(two, more));
    }
}

/// A fox and hens more, a fox less, and both at once; the ratings need every game of a sample.
#[test]
fn a_tournament_gains_and_loses_players() {
    let small = ("[\"random\", \"arsac\"]", "[\"random\", \"safe\"]");
    let large = (
        "[\"random\", \"arsac\", \"search(1)\"]",
        "[\"random\", \"advance\", \"safe\"]",
    );
    let other = ("[\"search(1)\", \"arsac\"]", "[\"safe\", \"advance\"]");
    let claim = "[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"foxes-win.mean > 0.4\"\n\
                 where = \"fox=arsac\"\n";
    for (more, threads) in [("[output]\nsamples = true\n", "1"), (claim, "2")] {
        for steps in [
            [small, large],
            [large, small],
            [small, other],
            [other, large],
        ] {
            let bench = Bench::new();
            let files = steps.map(|(foxes, hens)| tournament(foxes, hens, more));
            grow(&bench, &files.each_ref().map(String::as_str), threads);
            assert_as_if_begun_with(&bench, &files[1]);
        }
    }
    let bench = Bench::new();
    let files = [small, large].map(|(foxes, hens)| tournament(foxes, hens, ""));
    grow(&bench, &files.each_ref().map(String::as_str), "2");
    let once = |cell: &str| drawn(&bench)[cell] == 70;
    assert!(once("fox=arsac,hens=safe") && once("fox=search(1),hens=advance"));
    assert!(
        !once("fox=random,hens=safe"),
        "it is the baseline of a new pair"
    );
}

/// A rule that looks stops where a run begun with the new cells stops, earlier or later.
#[test]
fn a_stop_rule_looks_again_from_the_first_look_on() {
    let narrow = "[stop.half-width]\nmetric = \"score\"\ntarget = 1.4\nmax-samples = 1500\n";
    let claims = "[stop.claims]\nmax-samples = 4000\n[[claims]]\nsource = \"?\"\ntext = \"?\"\n\
                  holds = \"diff(random, greedy).score < 0\"\n[[claims]]\nsource = \"?\"\n\
                  text = \"?\"\nholds = \"score.mean > 3.2\"\n";
    let sets = [
        "[\"greedy\", \"random\"]",
        "[\"greedy\", \"random\", \"optimal\"]",
    ];
    for rule in [narrow, claims] {
        for steps in [[sets[0], sets[1]], [sets[1], sets[0]]] {
            let bench = Bench::new();
            let files = steps.map(|strategies| deals(strategies, rule));
            grow(&bench, &files.each_ref().map(String::as_str), "2");
            assert_as_if_begun_with(&bench, &files[1]);
        }
    }
}

/// Claims, unresolved samples, a control variate, and more samples at the same time.
#[test]
fn claims_bounds_controls_and_more_samples_go_with_the_cells() {
    let diff = "[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"diff(random, greedy).score < 0\"\n\
                [[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"score.mean > 3\"\n";
    let control = "[variance]\ncontrol = \"perfect\"\nmean = 6.53\nerror = 0.006\n";
    let budget = "[budget]\nnodes = 300\n";
    for more in [diff, control, budget] {
        let bench = Bench::new();
        let file = |strategies: &str, samples: u64| {
            deals(strategies, &format!("[stop]\nsamples = {samples}\n{more}"))
        };
        let strategies = if more == control {
            ["[\"greedy\", \"random\"]", "[\"random\", \"greedy\"]"]
        } else {
            [
                "[\"greedy\", \"random\"]",
                "[\"random\", \"optimal\", \"greedy\"]",
            ]
        };
        let files = strategies.map(|strategies| file(strategies, 700));
        grow(&bench, &files.each_ref().map(String::as_str), "2");
        assert_as_if_begun_with(&bench, &files[1]);
    }
}

/// A difference other than of cells is refused by name, and a run is not changed without `--resume`.
#[test]
fn other_differences_are_refused_by_name() {
    let bench = Bench::new();
    let (two, three) = (
        "[\"greedy\", \"random\"]",
        "[\"greedy\", \"random\", \"optimal\"]",
    );
    grow(&bench, &[&deals(two, SAMPLES)], "2");
    let again = |text: &str| run(&bench, text, &["--out", "grown", "--resume"]);
    let seed = deals(three, SAMPLES).replace("seed = 2026", "seed = 7");
    again(&seed).check(2, &["`seed = 2026` instead of `seed = 7`"]);
    let none = deals("[\"optimal\"]", SAMPLES);
    again(&none).check(
        2,
        &["`strategy = optimal` is added; `strategy = greedy` is taken out"],
    );
    let plain = run(&bench, &deals(three, SAMPLES), &["--out", "grown"]);
    plain.check(
        2,
        &[
            "has changed since: `strategy = optimal` is added",
            "--resume",
        ],
    );
    assert_as_if_begun_with(&bench, &deals(two, SAMPLES));
}

/// Two shards gain a cell each and are merged.
#[test]
fn shards_gain_cells_and_are_merged() {
    for more in [SAMPLES, KEPT] {
        let bench = Bench::new();
        for file in ["[\"greedy\"]", "[\"random\", \"greedy\"]"].map(|one| deals(one, more)) {
            for shard in ["1/2", "2/2"] {
                let out = ["--out", &shard[..1], "--shard", shard, "--resume"];
                run(&bench, &file, &out).check(0, &[]);
            }
        }
        let merged = bench.run(&["merge", "grown", "1", "2", "--quiet"]);
        merged.check(0, &[]);
        assert_as_if_begun_with(&bench, &deals("[\"random\", \"greedy\"]", more));
    }
}

/// Starts a run and kills it once its journal has so many rows of its own; returns whether it was still
/// going.
fn killed(bench: &Bench, text: &str, rows: usize) -> bool {
    bench.write("cells.toml", text);
    let arguments = [
        "run",
        "cells.toml",
        "--out",
        "grown",
        "--resume",
        "--threads",
        "1",
    ];
    let mut command: Command = bench.etude(&arguments);
    let mut run: Child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let own = || {
        let journal = std::fs::read_to_string(bench.path("grown/blocks.csv")).unwrap_or_default();
        let is_own = |row: &&str| row.split(',').nth(3) == Some("0");
        journal.lines().filter(is_own).count()
    };
    let began = Instant::now();
    while own() <= rows && run.try_wait().unwrap().is_none() {
        assert!(
            began.elapsed() < Duration::from_secs(120),
            "the run does not begin"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    let is_going = run.try_wait().unwrap().is_none();
    let _ = run.kill();
    run.wait().unwrap();
    is_going
}

/// A run that is killed, gains a cell and is killed again, then loses one and gains another, and is
/// killed a third time.
#[test]
fn killed_runs_gain_and_lose_cells() {
    let sets = [
        "[\"greedy\", \"random\"]",
        "[\"greedy\", \"random\", \"optimal\"]",
        "[\"optimal\", \"greedy\"]",
    ];
    let mut kills = 0;
    for more in [
        "[stop]\nsamples = 6000\n",
        "[stop]\nsamples = 6000\n[output]\nsamples = true\n",
    ] {
        let bench = Bench::new();
        let files = sets.map(|strategies| deals(strategies, more));
        let schedule = [(0, 90), (1, 30), (1, 60), (2, 20)];
        for (file, rows) in schedule {
            kills += usize::from(killed(&bench, &files[file], rows));
        }
        grow(&bench, &[&files[2]], "2");
        assert_as_if_begun_with(&bench, &files[2]);
    }
    assert!(kills >= 4, "only {kills} kills hit a run under way");
}
