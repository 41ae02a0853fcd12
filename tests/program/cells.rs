//! Runs whose file gains cells: only what is new is drawn, and the folder has the bytes of a run that was begun
//! with the new file. No cell is taken out: what has been seen counts.
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

/// The file with the claim of this relation marked as written after a look.
fn post_hoc(text: &str, holds: &str) -> String {
    let line = format!("holds = \"{holds}\"\n");
    text.replace(&line, &format!("{line}post-hoc = true\n"))
}

/// The samples that each cell was drawn for, over all sessions.
fn drawn(bench: &Bench) -> BTreeMap<String, u64> {
    let mut timings = csv::Reader::from_path(bench.path("grown/timings.csv")).unwrap();
    let rows = timings.records().map(Result::unwrap);
    rows.map(|row| (row[0].to_owned(), row[1].parse().unwrap()))
        .collect()
}

/// Samples not kept, in two threads, and kept, in one: a strategy behind, in front, and in another order.
#[test]
fn a_sweep_gains_values() {
    for (more, threads) in [(SAMPLES, "2"), (KEPT, "1")] {
        for steps in [
            ["[\"greedy\"]", "[\"greedy\", \"random\"]"],
            [
                "[\"greedy\", \"random\"]",
                "[\"optimal\", \"random\", \"greedy\"]",
            ],
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
        assert_as_if_begun_with(&bench, &deals(three, more));
    }
}

/// A fox and hens more; the ratings need every game of a sample, and a claim on more matches is post hoc.
#[test]
fn a_tournament_gains_players() {
    let small = ("[\"random\", \"arsac\"]", "[\"random\", \"safe\"]");
    let large = (
        "[\"random\", \"arsac\", \"search(1)\"]",
        "[\"random\", \"advance\", \"safe\"]",
    );
    let claim = "[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"foxes-win.mean > 0.4\"\n\
                 where = \"fox=arsac\"\n";
    for (more, threads) in [("[output]\nsamples = true\n", "1"), (claim, "2")] {
        let bench = Bench::new();
        let files = [small, large].map(|(foxes, hens)| tournament(foxes, hens, more));
        grow(&bench, &files.each_ref().map(String::as_str), threads);
        assert_as_if_begun_with(&bench, &post_hoc(&files[1], "foxes-win.mean > 0.4"));
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
        let bench = Bench::new();
        let files = sets.map(|strategies| deals(strategies, rule));
        grow(&bench, &files.each_ref().map(String::as_str), "2");
        assert_as_if_begun_with(&bench, &post_hoc(&files[1], "score.mean > 3.2"));
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
        assert_as_if_begun_with(&bench, &post_hoc(&files[1], "score.mean > 3"));
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

/// The best of three strategies of seed 2026: swept alone, as a parameter, with more samples, and with a new one.
#[test]
fn a_file_that_names_fewer_cells_than_its_folder_is_refused() {
    let claim = "[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"score.mean > 3\"\n";
    let bench = Bench::new();
    let three = deals(
        "[\"greedy\", \"random\", \"optimal\"]",
        &format!("{SAMPLES}{claim}"),
    );
    grow(&bench, &[&three], "2");
    let config = || std::fs::read_to_string(bench.path("grown/config.toml")).unwrap();
    let before = config();
    let best = three.replace("\"greedy\", \"random\", \"optimal\"", "\"optimal\"");
    let fixed = best.replace(
        "[sweep]\nstrategy = [\"optimal\"]",
        "[params]\nstrategy = \"optimal\"",
    );
    let more = best.replace("samples = 1500", "samples = 3000");
    let other = best.replace("\"optimal\"]", "\"optimal\", \"hindsight(2)\"]");
    assert_ne!(fixed, best);
    for file in [&best, &fixed, &more, &other] {
        for mode in [&["--resume"][..], &["--force"], &[]] {
            let ending = run(&bench, file, &[&["--out", "grown"], mode].concat());
            ending.check(
                2,
                &[
                    "2 cells more than the file names (greedy, random): cells are added to a folder, never taken out",
                    "[unwanted] \"greedy\" = 1500",
                ],
            );
        }
    }
    assert_eq!(config(), before);
}

/// Marked after 1,500 samples of seed 2026, a cell has these, its row and its verdict in a run of 3,000.
#[test]
fn an_unwanted_cell_keeps_its_samples_and_counts() {
    let claim = "[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"score.mean > 3\"\n";
    for (more, threads) in [(SAMPLES, "2"), (KEPT, "1")] {
        let bench = Bench::new();
        let three = "[\"greedy\", \"random\", \"optimal\"]";
        let first = deals(three, &format!("{more}{claim}"));
        let marked = |samples: u64| {
            let text = first.replace("samples = 1500", "samples = 3000");
            format!("{text}\n[unwanted]\ngreedy = {samples}\n")
        };
        // What is stored is not taken back by a smaller number.
        grow(&bench, &[&first, &marked(0)], threads);
        let rows = |file: &str| {
            let mut table = csv::Reader::from_path(bench.path(file)).unwrap();
            let header = table.headers().unwrap().clone();
            let rows = table.records().map(Result::unwrap);
            let field = |row: &csv::StringRecord, name: &str| {
                row[header.iter().position(|column| column == name).unwrap()].to_owned()
            };
            let fields = rows.map(|row| {
                ["cell", "n", "verdict", "metric"].map(|name| {
                    if file.contains("summary") && name == "verdict" {
                        String::new()
                    } else {
                        field(&row, name)
                    }
                })
            });
            fields.collect::<Vec<_>>()
        };
        let scores = rows("grown/summary.csv");
        let scores = scores.iter().filter(|row| row[3] == "score");
        let n: Vec<_> = scores
            .map(|row| (row[0].as_str(), row[1].as_str()))
            .collect();
        assert_eq!(
            n,
            [("greedy", "1500"), ("random", "3000"), ("optimal", "3000")]
        );
        assert_eq!(rows("grown/claims.csv").len(), 3, "it counts");
        let report = bench.run(&["report", "grown"]);
        assert!(
            report
                .data
                .contains("greedy is no longer wanted and drew no more than 1,500 samples"),
            "{}",
            report.data
        );
        bench
            .run(&["verify", "grown", "--samples", "100"])
            .check(0, &[]);
        let unmarked = run(
            &bench,
            &first.replace("samples = 1500", "samples = 3000"),
            &["--out", "grown", "--resume"],
        );
        unmarked.check(
            2,
            &[
                "cell greedy marked as unwanted",
                "[unwanted] \"greedy\" = 1500",
            ],
        );
        let fresh = marked(1500).replacen("question", "extended-from = [1500]\nquestion", 1);
        assert_as_if_begun_with(&bench, &fresh);
    }
}

/// A claim on all cells, on one, and two of which one is left, each after a look at two cells of seed 2026.
#[test]
fn a_claim_is_post_hoc_if_its_cells_grew_or_others_were_dropped() {
    let claim = |holds: &str| {
        format!("[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"score.mean > {holds}\"\n")
    };
    let (all, one) = (claim("3"), claim("4") + "where = \"strategy=greedy\"\n");
    let (two, three) = (
        "[\"greedy\", \"random\"]",
        "[\"greedy\", \"random\", \"optimal\"]",
    );
    for (before, after, late) in [
        (
            (two, format!("{all}{one}")),
            (three, format!("{all}{one}")),
            vec![true, false],
        ),
        ((two, format!("{all}{one}")), (two, one.clone()), vec![true]),
        (
            (two, format!("{all}{one}")),
            (two, format!("{one}{all}")),
            vec![false, false],
        ),
    ] {
        let bench = Bench::new();
        let files =
            [before, after].map(|(cells, claims)| deals(cells, &format!("{SAMPLES}{claims}")));
        grow(&bench, &files.each_ref().map(String::as_str), "2");
        let config: toml::Table = std::fs::read_to_string(bench.path("grown/config.toml"))
            .unwrap()
            .parse()
            .unwrap();
        let claims = config["claims"].as_array().unwrap().iter();
        let marked: Vec<bool> = claims
            .map(|claim| claim.get("post-hoc").is_some())
            .collect();
        assert_eq!(marked, late);
    }
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

/// A run that is killed, gains a cell and is killed again, and is killed a third time in another order.
#[test]
fn killed_runs_gain_cells() {
    let sets = [
        "[\"greedy\", \"random\"]",
        "[\"greedy\", \"random\", \"optimal\"]",
        "[\"optimal\", \"random\", \"greedy\"]",
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
