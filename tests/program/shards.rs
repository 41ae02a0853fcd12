//! An experiment dealt to several folders and merged: the bytes of a run on one machine, or a
//! refusal that says what is wrong. Paths that would escape.
#![cfg(unix)]

use crate::external::zoo;
use crate::program::{self, Bench, assert_same_results};

const DEALS: &str = r#"
question = "How many cards?"
task = "klondike/score"
seed = 8
[stop]
samples = 1_300
[sweep]
strategy = ["greedy", "random"]
[output]
samples = true
"#;

const HARD: &str = r#"
question = "How many cards?"
task = "klondike/score"
seed = 8
[budget]
nodes = 150
[stop]
samples = 240
[sweep]
strategy = ["greedy", "optimal"]
[output]
samples = true
"#;

const RULE: &str = r#"
question = "How many cards?"
task = "klondike/score"
seed = 8
[params]
strategy = "greedy"
[stop.half-width]
metric = "score"
target = 0.8
max-samples = 100_000
[output]
samples = true
"#;

#[test]
fn shards_merged_in_any_order_are_the_bytes_of_a_local_run() {
    let bench = dealt(3);
    bench
        .run(&["run", "deals.toml", "--quiet", "--out", "whole"])
        .check(0, &[]);
    merge(&bench, "merged", &["3", "1", "2"]).check(0, &[]);
    assert_same_results(&bench.path("merged"), &bench.path("whole"));
    bench.run(&["verify", "merged"]).check(0, &["sound"]);
    bench.run(&["verify", "shards/2"]).check(0, &["sound"]);
    // Merging once more, as a requeued job does, changes nothing.
    merge(&bench, "merged", &["1", "2", "3"]).check(0, &[]);
    assert_same_results(&bench.path("merged"), &bench.path("whole"));
    let shares = ["merge", "shards/1", "shards/2", "shards/3"];
    bench
        .run(&shares)
        .check(2, &["which folder", "shard 1/3", "--out"]);
    bench
        .run(&[&shares[..], &["--out", "named", "--quiet"]].concat())
        .check(0, &[]);
    assert_same_results(&bench.path("named"), &bench.path("whole"));
}

#[test]
fn a_missing_share_is_named_and_all_others_can_be_merged_and_resumed() {
    let bench = dealt(3);
    let refused = merge(&bench, "merged", &["1", "3"]);
    refused.check(
        1,
        &[
            "433 of 1,300 samples",
            "1, 4, 7",
            "(shards 2/3)",
            "--allow-partial",
        ],
    );
    assert!(!bench.path("merged").exists());
    let arguments = ["merge", "merged", "shards/1", "shards/3", "--allow-partial"];
    bench.run(&arguments).check(0, &["433 of 1,300 samples"]);
    bench.run(&["verify", "merged"]).check(0, &["sound"]);
    assert_eq!(manifest(&bench, "merged")["samples_done"], 867);
    assert_eq!(manifest(&bench, "merged")["shard"], "1/1 in part");
    let deals = ["run", "deals.toml", "--quiet", "--out"];
    let resume = [&deals[..], &["merged", "--resume"]].concat();
    bench.run(&resume).check(0, &[]);
    bench.run(&[&deals[..], &["whole"]].concat()).check(0, &[]);
    assert_same_results(&bench.path("merged"), &bench.path("whole"));
}

#[test]
fn what_is_delivered_twice_counts_once() {
    let bench = dealt(2);
    run_share(&bench, "deals.toml", "1/4", "shards/quarter");
    run_share(&bench, "deals.toml", "1/1", "whole");
    merge(&bench, "merged", &["1", "2", "quarter", "1"]).check(0, &[]);
    assert_same_results(&bench.path("merged"), &bench.path("whole"));
}

/// A program whose answers depend on what is in a folder.
#[test]
fn a_block_that_was_drawn_differently_is_refused_by_name() {
    let bench = zoo("unlike", "");
    std::fs::create_dir(bench.path("odd")).unwrap();
    for out in ["shards/1", "shards/again"] {
        run_share(&bench, "zoo.toml", "1/2", out);
        bench.write("odd/more", "x");
    }
    let refused = merge(&bench, "merged", &["1", "again"]);
    refused.check(
        1,
        &["shards/1 and shards/again both hold samples 0 to 0, and they differ"],
    );
}

#[test]
fn other_experiments_are_refused() {
    let bench = dealt(2);
    let other = DEALS.replace("seed = 8", "seed = 9");
    bench.write("other.toml", &format!("name = \"deals\"{other}"));
    run_share(&bench, "other.toml", "2/2", "shards/other");
    let refused = merge(&bench, "merged", &["1", "other"]);
    refused.check(2, &["`seed = 9` instead of `seed = 8`"]);
    merge(&bench, "merged", &["1", "nowhere"]).check(2, &["not a run folder"]);
    assert!(!bench.path("shards/nowhere").exists());
    assert!(!bench.path("merged").exists());
}

#[test]
fn a_merge_does_not_replace_another_run() {
    let bench = dealt(2);
    bench.write("other.toml", &DEALS.replace("seed = 8", "seed = 9"));
    bench
        .run(&["run", "other.toml", "--quiet", "--out", "other"])
        .check(0, &[]);
    merge(&bench, "other", &["1", "2"]).check(2, &["holds another run"]);
    bench.run(&["verify", "other"]).check(0, &["sound"]);
    std::fs::create_dir(bench.path("mine")).unwrap();
    bench.write("mine/thesis.tex", "x");
    merge(&bench, "mine", &["1", "2"]).check(2, &["is not a run folder"]);
}

/// What is in no other folder is not written over, and what cannot be joined is refused by its name.
#[test]
fn a_merge_loses_neither_samples_nor_times_nor_sums() {
    let bench = dealt(2);
    let larger = [
        "run",
        "deals.toml",
        "--quiet",
        "--out",
        "larger",
        "--samples",
        "2000",
    ];
    bench.run(&larger).check(0, &[]);
    merge(&bench, "larger", &["1", "2"]).check(2, &["larger: the folder holds a larger run"]);
    assert_eq!(manifest(&bench, "larger")["samples_done"], 2_000);
    bench.run(&["verify", "larger"]).check(0, &["sound"]);
    let over = [
        "merge", "--out", "shards/1", "shards/1", "shards/2", "--quiet",
    ];
    bench
        .run(&over)
        .check(2, &["shards/1: the folder holds shard 1/2"]);
    bench
        .run(&["merge", "--decide", "larger"])
        .check(0, &["the run ends after 2,000 samples"]);
    let refused = bench.run(&["archive", "shards/1"]);
    refused.check(2, &["shards/1: shard 1/2 of a run", "merge all shards"]);
    merge(&bench, "whole", &["1", "2"]).check(0, &[]);
    bench.run(&["archive", "whole"]).check(0, &[]);
    let archived = ["merge", "again", "whole", "shards/1", "shards/2", "--quiet"];
    bench
        .run(&archived)
        .check(2, &["whole: the run is archived"]);
    let race = DEALS.replace("samples = 1_300", "samples = 2");
    bench.write("race.toml", &race.replace("\"random\"", "\"hindsight(1)\""));
    bench
        .run(&["bench", "race.toml", "--out", "race", "--quiet"])
        .check(0, &[]);
    let raced = bench.run(&["merge", "again", "race", "--quiet"]);
    raced.check(2, &["race: the folder holds a benchmark"]);
    assert!(!bench.path("again").exists());
}

#[test]
fn a_damaged_share_is_refused_until_it_is_resumed() {
    let bench = dealt(2);
    let journal = bench.path("shards/2/blocks.csv");
    let mut bytes = std::fs::read(&journal).unwrap();
    bytes.truncate(bytes.len() - 9);
    std::fs::write(&journal, bytes).unwrap();
    merge(&bench, "merged", &["1", "2"]).check(1, &["is incomplete", "--resume"]);
    let again = ["run", "deals.toml", "--quiet", "--resume", "--shard", "2/2"];
    bench
        .run(&[&again[..], &["--out", "shards/2"]].concat())
        .check(0, &[]);
    merge(&bench, "merged", &["1", "2"]).check(0, &[]);
}

/// A value that is another, a line that is not there, and two lines in each other's places; then the times of another
/// cell.
#[test]
fn samples_and_times_of_a_share_that_were_edited_are_refused() {
    let bench = dealt(2);
    let path = bench.path("shards/2/samples.csv");
    let honest = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = honest.lines().collect();
    let (middle, next) = (lines[lines.len() / 2], lines[lines.len() / 2 + 1]);
    let last = middle.chars().last().unwrap();
    let other = if last == '1' { "2" } else { "1" };
    let edited = format!("{}{other}", &middle[..middle.len() - 1]);
    for wrong in [
        honest.replace(middle, &edited),
        honest.replace(&format!("{middle}\n"), ""),
        honest.replace(&format!("{middle}\n{next}"), &format!("{next}\n{middle}")),
    ] {
        assert_ne!(wrong, honest);
        std::fs::write(&path, wrong).unwrap();
        merge(&bench, "merged", &["1", "2"]).check(1, &["samples.csv"]);
        assert!(!bench.path("merged").exists());
    }
    std::fs::write(&path, honest).unwrap();
    let path = bench.path("shards/1/timings.csv");
    let measured = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, measured.replacen("random", "greedy", 1)).unwrap();
    merge(&bench, "merged", &["1", "2"]).check(2, &["timings.csv", "hash differs"]);
    assert!(!bench.path("merged").exists());
    // The four files that merging needs are enough; these are not among them.
    std::fs::remove_file(&path).unwrap();
    merge(&bench, "merged", &["1", "2"]).check(0, &[]);
}

/// Of 240 deals with seed 8, the deals 5 and 144 are too hard for 150 nodes: the first five deals and the
/// second of three shards have a single column of the score, all else both its ends.
#[test]
fn samples_have_the_swept_parameters_and_one_column_of_what_was_always_known() {
    const SCORE: &str = "sample,cell,strategy,score,payout,";
    const ENDS: &str = "sample,cell,strategy,score_lo,score_hi,payout_lo,";
    let bench = Bench::new();
    bench.write("deals.toml", HARD);
    let samples = |out: &str| std::fs::read_to_string(bench.path(out).join("samples.csv")).unwrap();
    let check = |out: &str, beginning: &str| {
        let samples = samples(out);
        let (header, rows) = samples.split_once('\n').unwrap();
        assert!(header.starts_with(beginning), "{header}");
        assert!(header.contains(",first-moves,"), "{header}");
        assert!(rows.contains(",greedy,greedy,"), "{rows}");
        let package = std::fs::read_to_string(bench.path(out).join("datapackage.json")).unwrap();
        let package: serde_json::Value = serde_json::from_str(&package).unwrap();
        let mut resources = package["resources"].as_array().unwrap().iter();
        let described = resources.find(|one| one["name"] == "samples").unwrap();
        let fields = described["schema"]["fields"].as_array().unwrap().iter();
        let fields: Vec<&str> = fields
            .map(|field| field["name"].as_str().unwrap())
            .collect();
        assert_eq!(fields.join(","), header);
        bench.run(&["verify", out]).check(0, &["sound"]);
    };
    std::fs::create_dir(bench.path("shards")).unwrap();
    for (share, out, beginning) in [
        ("1/1", "whole", ENDS),
        ("1/3", "shards/1", ENDS),
        ("2/3", "shards/2", SCORE),
        ("3/3", "shards/3", ENDS),
    ] {
        run_share(&bench, "deals.toml", share, out);
        check(out, beginning);
    }
    merge(&bench, "merged", &["1", "2", "3"]).check(0, &[]);
    assert_same_results(&bench.path("merged"), &bench.path("whole"));
    for (more, beginning) in [("5", SCORE), ("240", ENDS)] {
        let run = [
            "run",
            "deals.toml",
            "--quiet",
            "--out",
            "longer",
            "--resume",
        ];
        let longer = [&run[..], &["--samples", more]].concat();
        bench.run(&longer).check(0, &[]);
        check("longer", beginning);
    }
    assert_eq!(samples("longer"), samples("whole"));
}

#[test]
fn a_folder_keeps_its_share() {
    let bench = dealt(2);
    let other = ["run", "deals.toml", "--resume", "--shard", "1/2", "--out"];
    bench
        .run(&[&other[..], &["shards/2"]].concat())
        .check(2, &["holds another run"]);
}

/// In waves of growing length, until the rule is satisfied: what it would not have drawn on one machine is left out.
#[test]
fn shards_stop_where_one_machine_stops() {
    let bench = Bench::new();
    bench.write("rule.toml", RULE);
    let whole = ["run", "rule.toml", "--quiet", "--out", "whole"];
    bench.run(&whole).check(0, &["half-width"]);
    let mut decided = Vec::new();
    for to in ["100", "800", "6_400"] {
        for (share, out) in [
            ("1/3", "shards/1"),
            ("2/3", "shards/2"),
            ("3/3", "shards/3"),
        ] {
            let wave = [
                "run",
                "rule.toml",
                "--quiet",
                "--shard",
                share,
                "--to",
                to,
                "--resume",
            ];
            bench
                .run(&[&wave[..], &["--out", out]].concat())
                .check(0, &["wait"]);
        }
        let shards = ["merge", "--decide", "shards/1", "shards/2", "shards/3"];
        decided.push(bench.run(&shards).code);
    }
    assert_eq!(decided, [Some(3), Some(3), Some(0)]);
    merge(&bench, "merged", &["2", "3", "1"]).check(0, &["half-width"]);
    assert_same_results(&bench.path("merged"), &bench.path("whole"));
    bench
        .run(&[
            "merge", "--decide", "decided", "shards/1", "shards/2", "shards/3",
        ])
        .check(0, &[]);
    assert_same_results(&bench.path("decided"), &bench.path("whole"));
    let one = merge(&bench, "one", &["1"]);
    one.check(
        1,
        &[
            "(shards 1/3, 2/3, 3/3)",
            "--allow-partial merges the samples before",
        ],
    );
}

#[test]
fn a_value_on_the_command_line_is_checked_and_recorded_like_one_of_the_file() {
    let bench = Bench::new();
    bench.write("rule.toml", RULE);
    let set = "params.strategy=random";
    let run = ["run", "rule.toml", "--quiet", "--out", "set", "--set", set];
    bench
        .run(&[&run[..], &["--set", "stop.half-width.target=1"]].concat())
        .check(0, &[]);
    let config = std::fs::read_to_string(bench.path("set/config.toml")).unwrap();
    assert!(
        config.contains("strategy = \"random\"") && config.contains("target = 1"),
        "{config}"
    );
    for (verb, set, expected) in [
        ("check", "params.strategy=gredy", "did you mean `greedy`"),
        ("plan", "stop.half-width.target=-1", "--set:1:"),
        ("run", "stop.samples=7", "a second rule"),
        ("check", "params", "expected KEY=VALUE"),
    ] {
        bench
            .run(&[verb, "rule.toml", "--set", set])
            .check(2, &[expected]);
    }
}

/// The scripts of `examples/cluster` that need no scheduler, with the program on the path; GNU parallel
/// only where it is installed.
#[test]
fn the_scripts_without_a_scheduler_make_the_whole() {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    bench
        .run(&["run", "deals.toml", "--quiet", "--out", "whole"])
        .check(0, &[]);
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_etude"));
    let known = std::env::var("PATH").unwrap();
    let path = format!("{}:{known}", program.parent().unwrap().display());
    for (tool, script) in [("sh", "loop.sh"), ("parallel", "parallel.sh")] {
        let file = format!("{}/examples/cluster/{script}", env!("CARGO_MANIFEST_DIR"));
        let mut shell = std::process::Command::new("sh");
        let line = format!("command -v {tool} >/dev/null || exit 9; exec sh \"$@\"");
        shell
            .args(["-c", &line, "sh", &file, "deals.toml", tool, "3"])
            .env("PATH", &path)
            .current_dir(bench.path(""));
        let ending = program::Ending::of(&shell.output().unwrap());
        if ending.code != Some(9) {
            ending.check(0, &[]);
            assert!(
                ending.data.contains("Figures, 95 % intervals"),
                "{}",
                ending.data
            );
            assert_same_results(&bench.path(&format!("{tool}/merged")), &bench.path("whole"));
        }
    }
}

#[test]
fn no_name_in_a_configuration_leads_out_of_the_folder() {
    let bench = Bench::new();
    for name in ["../escape", "/etc/escape", "a/b", "..", ""] {
        let text = format!("name = \"{name}\"\n{DEALS}");
        bench.write("deals.toml", &text);
        bench.run(&["run", "deals.toml"]).check(2, &["name"]);
    }
    let left: Vec<_> = std::fs::read_dir(bench.path("")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_share_that_names_another_folder_in_its_configuration_writes_nothing_there() {
    let bench = dealt(2);
    for share in ["1", "2"] {
        let path = bench.path(&format!("shards/{share}/config.toml"));
        let text = std::fs::read_to_string(&path).unwrap();
        let named = text.replace("name = \"deals\"", "name = \"../../escape\"");
        assert_ne!(text, named);
        std::fs::write(&path, named).unwrap();
    }
    merge(&bench, "merged", &["1", "2"]).check(2, &["name"]);
    bench.run(&["verify", "shards/1"]).check(2, &["name"]);
    assert!(!bench.path("merged").exists());
    assert!(!bench.path("escape").exists());
}

#[test]
fn a_file_of_a_folder_that_is_a_link_leaves_its_target_alone() {
    let bench = dealt(2);
    let resume = [
        "run",
        "deals.toml",
        "--quiet",
        "--resume",
        "--out",
        "merged",
    ];
    merge(&bench, "merged", &["1", "2"]).check(0, &[]);
    let victim = bench.write("victim", "precious");
    let link = |name: &str| {
        let path = bench.path("merged").join(name);
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&victim, &path).unwrap();
    };
    let tables = ["summary.csv", "samples.csv", "blocks.csv", "manifest.json"];
    tables.iter().for_each(|name| link(name));
    merge(&bench, "merged", &["1", "2"]).check(0, &[]);
    tables.iter().for_each(|name| link(name));
    bench.run(&resume).check(0, &["blocks.csv"]);
    bench.run(&["verify", "merged"]).check(0, &["sound"]);
    let samples = std::fs::read(bench.path("merged/samples.csv")).unwrap();
    std::fs::write(&victim, &samples).unwrap();
    link("samples.csv");
    bench.run(&resume).check(1, &["link"]);
    assert_eq!(std::fs::read(victim).unwrap(), samples);
}

/// The experiment run in `count` shares.
fn dealt(count: u32) -> Bench {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    for share in 1..=count {
        let out = format!("shards/{share}");
        run_share(&bench, "deals.toml", &format!("{share}/{count}"), &out);
    }
    bench
}

fn manifest(bench: &Bench, folder: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(bench.path(folder).join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn run_share(bench: &Bench, experiment: &str, share: &str, out: &str) {
    let arguments = ["run", experiment, "--quiet", "--shard", share, "--out", out];
    bench.run(&arguments).check(0, &[]);
}

fn merge(bench: &Bench, out: &str, shares: &[&str]) -> program::Ending {
    let folders: Vec<String> = shares.iter().map(|s| format!("shards/{s}")).collect();
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    bench.run(&[&["merge", out, "--quiet"], &folders[..]].concat())
}
