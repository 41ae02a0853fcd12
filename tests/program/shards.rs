//! An experiment dealt to several folders and merged: the bytes of a run on one machine, or a
//! refusal that says what is wrong. Schedulers' variables, paths that would escape.
#![cfg(unix)]

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
fn a_missing_share_is_named_and_the_prefix_before_it_can_be_merged_and_resumed() {
    let bench = dealt(3);
    let refused = merge(&bench, "merged", &["1", "3"]);
    refused.check(
        1,
        &["108 of 325 blocks", "1, 4, 7", "2/3", "--allow-partial"],
    );
    assert!(!bench.path("merged").exists());
    let arguments = ["merge", "merged", "shards/1", "shards/3", "--allow-partial"];
    bench.run(&arguments).check(0, &[]);
    bench.run(&["verify", "merged"]).check(0, &["sound"]);
    let deals = ["run", "deals.toml", "--quiet", "--out"];
    let resume = [&deals[..], &["merged", "--resume"]].concat();
    bench.run(&resume).check(0, &[]);
    bench.run(&[&deals[..], &["whole"]].concat()).check(0, &[]);
    assert_same_results(&bench.path("merged"), &bench.path("whole"));
}

#[test]
fn overlaps_and_other_experiments_are_refused() {
    let bench = dealt(2);
    run_share(&bench, "deals.toml", "1/4", "shards/quarter");
    merge(&bench, "merged", &["1", "2", "quarter"]).check(1, &["both hold block 0"]);
    merge(&bench, "merged", &["1", "2", "1"]).check(2, &["given twice"]);
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

/// A value that is another, a line that is not there, and two lines in each other's places.
#[test]
fn samples_of_a_share_that_were_edited_are_refused() {
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
    merge(&bench, "merged", &["1", "2"]).check(0, &[]);
}

#[test]
fn a_folder_keeps_its_share() {
    let bench = dealt(2);
    let other = ["run", "deals.toml", "--resume", "--shard", "1/2", "--out"];
    bench
        .run(&[&other[..], &["shards/2"]].concat())
        .check(2, &["holds another run"]);
}

#[test]
fn tasks_of_an_array_find_their_share_and_their_folder() {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    for task in ["4", "6"] {
        let mut command = bench.etude(&["run", "deals.toml", "--quiet", "--shard", "auto"]);
        for name in SCHEDULERS {
            command.env_remove(name);
        }
        command
            .env("SLURM_ARRAY_TASK_ID", task)
            .env("SLURM_ARRAY_TASK_MIN", "4")
            .env("SLURM_ARRAY_TASK_MAX", "6")
            .env("SLURM_ARRAY_TASK_STEP", "2");
        assert!(command.status().unwrap().success());
    }
    let merge = ["merge", "merged", "--quiet"];
    let shares = ["results/deals-shards/1-of-2", "results/deals-shards/2-of-2"];
    bench.run(&[&merge[..], &shares].concat()).check(0, &[]);
    let mut alone = bench.etude(&["run", "deals.toml", "--shard", "auto"]);
    for name in SCHEDULERS {
        alone.env_remove(name);
    }
    let ending = program::Ending::of(&alone.output().unwrap());
    ending.check(2, &["no variables of a job array"]);
}

/// Before it none of the stop rules below settles anything.
const FIRST_WAVE: u64 = 300;

/// Stop rules that settle at an early look, and one that comes to its cap.
const STOP_RULES: [(&str, i32); 3] = [
    (
        "[stop.half-width]\nmetric = \"score\"\ntarget = 1.0\nmax-samples = 50_000",
        0,
    ),
    ("[stop.claims]\nmax-samples = 50_000", 0),
    (
        "[stop.half-width]\nmetric = \"score\"\ntarget = 0.001\nmax-samples = 500",
        3,
    ),
];

#[test]
fn shares_that_go_in_waves_stop_at_the_look_of_a_local_run() {
    for (stop, code) in STOP_RULES {
        let bench = Bench::new();
        bench.write("deals.toml", &adaptive(stop));
        let alone = bench.run(&["run", "deals.toml", "--quiet", "--out", "whole"]);
        alone.check(code, &[]);
        let mut wave = FIRST_WAVE;
        while run_wave(&bench, wave, "3") == 75 {
            wave *= 2;
        }
        assert!(wave > FIRST_WAVE, "one wave was enough: {stop}");
        assert_eq!(run_wave(&bench, wave, "3"), code);
        assert_same_results(&bench.path("merged"), &bench.path("whole"));
        bench.run(&["verify", "merged"]).check(0, &["sound"]);
    }
}

#[test]
fn a_share_that_lags_behind_its_wave_is_a_hole_and_shares_without_waves_are_refused() {
    let bench = Bench::new();
    bench.write("deals.toml", &adaptive(STOP_RULES[2].0));
    assert_eq!(run_wave(&bench, 200, "2"), 75);
    let further = ["run", "deals.toml", "--quiet", "--resume", "--shard", "2/2"];
    let further = [&further[..], &["--until", "400", "--out", "shards/2"]].concat();
    bench.run(&further).check(0, &[]);
    merge(&bench, "other", &["1", "2"]).check(1, &["none of the folders", "1/2"]);
    // A wave that is done already is not run again, and takes nothing away.
    assert_eq!(run_wave(&bench, 100, "2"), 1);
    assert_eq!(run_wave(&bench, 400, "2"), 75);
    bench
        .run(&["run", "deals.toml", "--shard", "1/2"])
        .check(2, &["--until", "cluster slurm"]);
}

/// Greedy and random play, with samples kept.
fn adaptive(stop: &str) -> String {
    let claim = "[[claims]]\nsource = \"guess\"\ntext = \"Greed helps.\"\n\
                 holds = \"diff(greedy, random).score > -0.5\"\n";
    format!(
        "question = \"How many cards?\"\ntask = \"klondike/score\"\nseed = 9\n{stop}\n\
         [sweep]\nstrategy = [\"greedy\", \"random\"]\n[output]\nsamples = true\n{claim}"
    )
}

/// Runs all shares up to sample `until` and merges them; returns the merge's exit code.
fn run_wave(bench: &Bench, until: u64, count: &str) -> i32 {
    let shares: Vec<String> = (1..=count.parse().unwrap())
        .map(|i: u32| i.to_string())
        .collect();
    for share in &shares {
        let (part, out) = (format!("{share}/{count}"), format!("shards/{share}"));
        let until = until.to_string();
        let arguments = ["run", "deals.toml", "--quiet", "--resume", "--shard", &part];
        let wave = ["--until", &until, "--out", &out];
        bench.run(&[&arguments[..], &wave].concat()).check(0, &[]);
    }
    let shares: Vec<&str> = shares.iter().map(String::as_str).collect();
    merge(bench, "merged", &shares).code.unwrap()
}

/// A shell always; GNU parallel and Open MPI where they are installed.
#[test]
fn the_one_line_of_each_engine_makes_the_whole() {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    let run = "run deals.toml --quiet --threads 1";
    let engines = [
        (
            "sh",
            format!("for i in 1 2 3; do $E {run} --shard $i/3 --out sh/$i & done; wait"),
        ),
        (
            "parallel",
            format!("seq 3 | parallel $E {run} --shard {{}}/3 --out parallel/{{}}"),
        ),
        (
            "mpirun",
            format!(
                "mpirun --allow-run-as-root --oversubscribe -n 3 $E {run} --shard auto --out mpirun"
            ),
        ),
    ];
    bench
        .run(&["run", "deals.toml", "--quiet", "--out", "whole"])
        .check(0, &[]);
    for (engine, line) in engines {
        let script = format!(
            "command -v {engine} >/dev/null || exit 9\n{line} && $E merge {engine}-all --quiet {engine}/*"
        );
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", &script])
            .env("E", env!("CARGO_BIN_EXE_etude"));
        for name in SCHEDULERS {
            shell.env_remove(name);
        }
        let ending = program::Ending::of(&shell.current_dir(bench.path("")).output().unwrap());
        if ending.code == Some(9) {
            continue;
        }
        ending.check(0, &[]);
        assert_same_results(&bench.path(&format!("{engine}-all")), &bench.path("whole"));
    }
}

#[test]
fn no_name_in_a_configuration_leads_out_of_the_folder() {
    let bench = Bench::new();
    for name in ["../escape", "/etc/escape", "a/b", "..", ""] {
        let text = format!("name = \"{name}\"\n{DEALS}");
        bench.write("deals.toml", &text);
        bench.run(&["run", "deals.toml"]).check(2, &["name"]);
        let slurm = ["cluster", "slurm", "deals.toml", "--shards", "2"];
        bench.run(&slurm).check(2, &["name"]);
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

/// The index variables that the machine of the test may set itself.
const SCHEDULERS: [&str; 8] = [
    "SLURM_ARRAY_TASK_ID",
    "SGE_TASK_ID",
    "LSB_JOBINDEX",
    "PBS_ARRAY_INDEX",
    "PBS_ARRAYID",
    "HQ_TASK_ID",
    "AWS_BATCH_JOB_ARRAY_INDEX",
    "JOB_COMPLETION_INDEX",
];

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

fn run_share(bench: &Bench, experiment: &str, share: &str, out: &str) {
    let arguments = ["run", experiment, "--quiet", "--shard", share, "--out", out];
    bench.run(&arguments).check(0, &[]);
}

fn merge(bench: &Bench, out: &str, shares: &[&str]) -> program::Ending {
    let folders: Vec<String> = shares.iter().map(|s| format!("shards/{s}")).collect();
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    bench.run(&[&["merge", out, "--quiet"], &folders[..]].concat())
}
