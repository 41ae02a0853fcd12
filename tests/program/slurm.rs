//! The scripts of `etude cluster slurm`, run by hand in the place of Slurm: `sbatch` and `scontrol`
//! are stand-ins that write down what they were asked. `.ci/slurm-test` does it on a real Slurm.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::program::{Bench, Ending, assert_same_results};

const DEALS: &str = r#"
question = "How many cards?"
task = "klondike/score"
seed = 8
[stop]
samples = 1_300
[params]
strategy = "greedy"
"#;

/// The beginning of all submissions; the number of shares comes next.
const SLURM: [&str; 4] = ["cluster", "slurm", "deals.toml", "--shards"];

/// A folder's name that a careless script would run, split or read as options.
const NAME: &str = "-it's $(touch escaped) `touch escaped`;\n\"%j\" \\ &";

#[test]
fn the_scripts_make_the_bytes_of_a_local_run_in_a_folder_of_any_name() {
    let bench = with_stand_ins(DEALS);
    let out = format!("--out={NAME}");
    let slurm = [&SLURM[..], &["3", &out]].concat();
    bench.run(&slurm).check(0, &["submit.sh"]);
    let folder = bench.path(NAME);
    assert_jobs_make_a_local_run(&bench, &folder, 3);
    assert!(!bench.path("escaped").exists() && !folder.join("escaped").exists());
}

/// Runs the jobs in `folder` by hand, `shards` of them and their merge, and compares what they made
/// with a local run.
fn assert_jobs_make_a_local_run(bench: &Bench, folder: &Path, shards: u64) {
    for task in 1..=shards {
        let share = script(bench, folder, "shards.sbatch", &task.to_string()).output();
        Ending::of(&share.unwrap()).check(0, &[]);
    }
    let merge = script(bench, folder, "merge.sbatch", "").output();
    Ending::of(&merge.unwrap()).check(0, &[]);
    bench
        .run(&["run", "deals.toml", "--quiet", "--out", "whole"])
        .check(0, &[]);
    assert_same_results(&folder.join("merged"), &bench.path("whole"));
}

const DICE: &str = r#"
question = "What does a die show?"
task = "command"
seed = 8
[command]
run = ["python3", "die.py"]
files = ["die.py"]
[command.metrics]
face = { kind = "integer", min = 1, max = 6 }
[stop]
samples = 300
"#;

const DIE: &str = r#"
import json, random, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "hello" in asked:
        answer = {"hello": {"protocol": 1}}
    else:
        seeds = asked["draw"]["seeds"]["seed"]
        answer = {"id": asked["id"], "rows": [[random.Random(s).randint(1, 6)] for s in seeds]}
    print(json.dumps(answer), flush=True)
"#;

#[test]
fn jobs_find_other_peoples_programs_where_the_experiment_is() {
    let bench = with_stand_ins(DICE);
    bench.write("die.py", DIE);
    let slurm = [&SLURM[..], &["2", "--out", "jobs"]].concat();
    bench.run(&slurm).check(0, &["submit.sh"]);
    let folder = bench.path("jobs");
    assert_jobs_make_a_local_run(&bench, &folder, 2);
    bench.run(&["verify", "jobs/merged"]).check(0, &["sound"]);
}

#[test]
fn jobs_are_submitted_as_words_and_the_merge_waits_for_the_array() {
    let bench = with_stand_ins(DEALS);
    let option = "--comment=two words; $(touch escaped)";
    let slurm = [&SLURM[..], &["3", "--submit", "--", option]].concat();
    let submitted = with_path(&bench, bench.etude(&slurm));
    Ending::of(&submitted).check(0, &["as job 41"]);
    let expected = format!(
        "[--parsable][{option}][shards.sbatch]\n\
         [--parsable][{option}][--dependency=afterok:41][merge.sbatch]\n"
    );
    let asked = || std::fs::read_to_string(bench.path("asked")).unwrap();
    assert_eq!(asked(), expected);
    std::fs::remove_file(bench.path("asked")).unwrap();
    let mut by_hand = Command::new("sh");
    by_hand.arg(bench.path("results/deals-slurm/submit.sh"));
    Ending::of(&with_path(&bench, by_hand)).check(0, &[]);
    assert_eq!(asked(), expected);
}

#[test]
fn a_warned_share_drains_asks_to_be_requeued_and_goes_on() {
    // The plain engine: a share takes seconds, of which the warning comes in the first.
    let long = DEALS
        .replace("1_300", "1_500_000")
        .replace("\"greedy\"", "\"optimal\"\nalgorithm = \"etude\"");
    let bench = with_stand_ins(&long);
    let slurm = [&SLURM[..], &["150", "--out", "jobs"]].concat();
    bench.run(&slurm).check(0, &[]);
    let folder = bench.path("jobs");
    let mut share = script(&bench, &folder, "shards.sbatch", "7")
        .spawn()
        .unwrap();
    let journal = folder.join("shards/7/blocks.csv");
    let stored = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    while stored() < 3 {
        assert!(share.try_wait().unwrap().is_none(), "it ended too soon");
        std::thread::sleep(Duration::from_millis(2));
    }
    let shell = share.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &shell])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(share.wait().unwrap().code(), Some(75));
    let asked = std::fs::read_to_string(bench.path("asked")).unwrap();
    assert_eq!(asked, "[requeue][40_7]\n");
    let again = script(&bench, &folder, "shards.sbatch", "7")
        .output()
        .unwrap();
    Ending::of(&again).check(0, &[]);
    bench
        .run(&["verify", "jobs/shards/7", "--samples", "1"])
        .check(0, &["sound"]);
}

/// An interval that is narrow enough after 5,120 samples.
#[test]
fn a_run_that_may_stop_early_goes_in_waves_until_it_is_settled() {
    runs_in_waves(
        "[stop.half-width]\nmetric = \"score\"\ntarget = 0.5\nmax-samples = 100_000",
        0,
    );
}

/// A test that decides after 1,536 samples.
#[test]
fn a_sequential_test_goes_in_waves_until_it_decides() {
    runs_in_waves(
        "[stop.sprt]\nmetric = \"profit\"\nrate = [0.06, 0.08]\nmax-samples = 100_000",
        0,
    );
}

/// A test that cannot decide: the merge of the last wave says so, and submits nothing.
#[test]
fn a_sequential_test_without_a_decision_goes_in_waves_up_to_its_cap() {
    runs_in_waves(
        "[stop.sprt]\nmetric = \"profit\"\nrate = [0.069, 0.071]\nmax-samples = 1_000",
        3,
    );
}

/// Submits waves of three shares, the first of 700 samples, plays each of them and its merge, and
/// expects the bytes of a local run. The merge, undecided, submits the next wave; at the end, where
/// it exits with `code` as the local run does, it submits nothing.
#[track_caller]
fn runs_in_waves(stop: &str, code: i32) {
    let bench = with_stand_ins(&DEALS.replace("[stop]\nsamples = 1_300", stop));
    let slurm = [&SLURM[..], &["3", "--submit", "--wave", "700"]].concat();
    let submitted = with_path(&bench, bench.etude(&slurm));
    Ending::of(&submitted).check(0, &["as job 41"]);
    let folder = bench.path("results/deals-slurm");
    let asked = || std::fs::read_to_string(bench.path("asked")).unwrap();
    let (mut wave, mut expected) = (700, String::new());
    let last = loop {
        expected += &format!(
            "[--parsable][shards.sbatch][{wave}]\n\
             [--parsable][--dependency=afterok:41][merge.sbatch][{wave}]\n"
        );
        assert_eq!(asked(), expected);
        for task in ["1", "2", "3"] {
            let mut share = script(&bench, &folder, "shards.sbatch", task);
            let share = share.arg(wave.to_string()).output();
            Ending::of(&share.unwrap()).check(0, &[]);
        }
        let mut merge = script(&bench, &folder, "merge.sbatch", "");
        let merged = Ending::of(&merge.arg(wave.to_string()).output().unwrap());
        if asked() == expected {
            break merged;
        }
        merged.check(0, &[]);
        wave *= 2;
    };
    last.check(code, &[]);
    assert!(wave > 700, "one wave was enough");
    bench
        .run(&["run", "deals.toml", "--quiet", "--out", "whole"])
        .check(code, &[]);
    assert_same_results(&folder.join("merged"), &bench.path("whole"));
}

#[test]
fn what_cannot_be_a_script_is_refused() {
    let bench = with_stand_ins(DEALS);
    let refused = |rest: &[&str]| bench.run(&[&SLURM[..], rest].concat());
    refused(&["326"]).check(2, &["at most 325"]);
    refused(&["0"]).check(2, &[]);
    refused(&["2", "--time", "1:00\nreboot"]).check(2, &["H:M:S"]);
    refused(&["2", "--wave", "100"]).check(2, &["never stops early"]);
    refused(&["2"]).check(0, &[]);
    bench.write("deals.toml", &DEALS.replace("seed = 8", "seed = 9"));
    refused(&["2"]).check(2, &["another version"]);
}

/// An experiment, and programs named `sbatch` and `scontrol` that write their words to `asked`.
fn with_stand_ins(experiment: &str) -> Bench {
    let bench = Bench::new();
    bench.write("deals.toml", experiment);
    std::fs::create_dir(bench.path("bin")).unwrap();
    let asked = bench.path("asked");
    let stand_in = format!(
        "#!/bin/sh\nprintf '[%s]' \"$@\" >>{0}\necho >>{0}\necho '41;cluster'\n",
        asked.display()
    );
    for name in ["sbatch", "scontrol"] {
        let path = bench.write(&format!("bin/{name}"), &stand_in);
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    bench
}

/// A script as Slurm starts it: somewhere, with the variables of the task.
fn script(bench: &Bench, folder: &Path, name: &str, task: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .arg(folder.join(name))
        .current_dir("/")
        .env("PATH", path(bench))
        .env("XDG_STATE_HOME", bench.state())
        .env("SLURM_ARRAY_JOB_ID", "40")
        .env("SLURM_ARRAY_TASK_ID", task);
    command
}

fn with_path(bench: &Bench, mut command: Command) -> std::process::Output {
    command.env("PATH", path(bench)).output().unwrap()
}

fn path(bench: &Bench) -> String {
    let known = std::env::var("PATH").unwrap();
    format!("{}:{known}", bench.path("bin").display())
}
