//! Runs that do not end well: killed, stopped, out of room, damaged, in the wrong folder. Nothing
//! stored is lost, and what is resumed ends in the same bytes as a run that was left alone.
#![cfg(unix)]

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{self, Bench, Ending, assert_same_results};
use kit::rng::{Stream, Streams, below, unit};

/// Seed of all random moments and places here.
const SEED: u64 = 75;

const DEALS: &str = r#"
question = "How many cards?"
task = "klondike/score"
seed = 5
[stop]
samples = 1_500
[sweep]
strategy = ["greedy", "optimal"]
"#;

/// Benches with this experiment: one keeps its samples, the other does not.
fn benches(deals: &str) -> [Bench; 2] {
    ["[output]\nsamples = true\n", ""].map(|output| {
        let bench = Bench::new();
        bench.write("deals.toml", &format!("{deals}{output}"));
        bench
    })
}

/// Nobody waits for the end of this one.
const ENDLESS: &str = r#"
question = "How many cards?"
task = "klondike/score"
seed = 6
[stop]
samples = 8_000_000
"#;

/// Kills that must hit a run that is under way.
const KILLS: u32 = 6;

#[test]
fn runs_killed_at_random_moments_resume_to_the_same_bytes() {
    for bench in benches(DEALS) {
        let began = Instant::now();
        finished_run(&bench, "expected");
        let whole = began.elapsed();
        let mut moments = stream("kill");
        let (mut kills, mut runs) = (0, 0);
        while kills < KILLS {
            let out = format!("run-{runs}");
            while kills < KILLS {
                let moment = whole.mul_f64(unit(&mut moments));
                if !killed(resume(&bench, &out), moment) {
                    break;
                }
                kills += 1;
            }
            resume(&bench, &out).wait().unwrap();
            assert_same_results(&bench.path(&out), &bench.path("expected"));
            bench.run(&["verify", &out]).check(0, &[]);
            runs += 1;
            assert!(runs < 200, "runs end before they can be killed");
        }
    }
}

#[test]
fn a_proof_killed_at_random_moments_goes_on_to_the_same_bytes() {
    let bench = Bench::new();
    let began = Instant::now();
    let expected = bench.run(&proof("expected"));
    expected.check(0, &["small-cross: "]);
    let whole = began.elapsed();
    let mut moments = stream("kill a proof");
    let (mut kills, mut runs) = (0, 0);
    while kills < KILLS {
        let folder = format!("proof-{runs}");
        let begin = || {
            let mut command = bench.etude(&proof(&folder));
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().unwrap()
        };
        while killed(begin(), whole.mul_f64(unit(&mut moments))) {
            kills += 1;
        }
        let ending = bench.run(&proof(&folder));
        ending.check(0, &["small-cross: "]);
        assert_eq!(ending.data, expected.data);
        for layer in std::fs::read_dir(bench.path("expected")).unwrap() {
            let name = layer.unwrap().file_name().into_string().unwrap();
            let bytes = |folder: &str| std::fs::read(bench.path(folder).join(&name)).unwrap();
            assert_eq!(bytes(&folder), bytes("expected"), "{name}");
        }
        runs += 1;
        assert!(runs < 200, "proofs end before they can be killed");
    }
}

#[test]
fn the_first_signal_drains_and_the_run_can_go_on() {
    let bench = Bench::new();
    bench.write("long.toml", ENDLESS);
    let ending = stopped(
        &bench,
        &["run", "long.toml", "--out", "out", "--threads", "2"],
        1,
    );
    ending.check(75, &["interrupted", "samples are stored", "--resume"]);
    bench
        .run(&["verify", "out", "--samples", "1"])
        .check(0, &["sound"]);
    let repeat = bench.run(&["run", "long.toml", "--out", "out"]);
    repeat.check(2, &["unfinished", "help: continue with --resume"]);
}

#[test]
fn a_run_terminated_again_and_again_ends_in_the_same_bytes() {
    for bench in benches(&DEALS.replace("1_500", "12_000")) {
        finished_run(&bench, "whole");
        let slowly = [
            "run",
            "deals.toml",
            "--out",
            "out",
            "--resume",
            "--threads",
            "1",
        ];
        let mut rows = 3;
        for _ in 0..3 {
            let run = quiet(&bench, &slowly).spawn().unwrap();
            wait_until(|| has_lines(&bench.path("out/blocks.csv"), rows));
            terminate(&run);
            let ending = Ending::of(&run.wait_with_output().unwrap());
            ending.check(75, &["interrupted", "--resume"]);
            rows = 20
                + std::fs::read_to_string(bench.path("out/blocks.csv"))
                    .unwrap()
                    .lines()
                    .count();
        }
        let last = resume(&bench, "out").wait_with_output().unwrap();
        Ending::of(&last).check(0, &[]);
        assert_same_results(&bench.path("out"), &bench.path("whole"));
    }
}

#[test]
fn the_second_signal_stops_at_once() {
    let bench = Bench::new();
    bench.write("endless.toml", ENDLESS);
    let ending = stopped(
        &bench,
        &["run", "endless.toml", "--out", "out", "--threads", "2"],
        2,
    );
    ending.check(75, &["stopped immediately", "unresolved", "--resume"]);
    let summary = std::fs::read_to_string(bench.path("out/summary.csv")).unwrap();
    assert!(summary.contains("aborted"), "{summary}");
}

/// A verb that keeps nothing ends as any program does.
#[test]
fn a_verb_ends_at_the_first_signal() {
    use std::os::unix::process::ExitStatusExt;
    let bench = Bench::new();
    let mut endless = bench
        .etude(&["solve", "queens", "--n", "28"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    terminate(&endless);
    assert_eq!(endless.wait().unwrap().signal(), Some(15));
}

/// Rows of CSV go out as they are found; the central game takes seconds more.
#[test]
fn rows_found_before_a_verb_was_ended_are_written() {
    let bench = Bench::new();
    let central = "37 47 57 36 46 56 15 25 35 45 55 65 75 14 24 34 54 64 74 13 23 33 43 53 63 73 \
                   32 42 52 31 41 51";
    let problems = format!("easy,english,46 45,44\nhard,english,{central},44\n");
    bench.write("pegs.csv", &format!("name,board,start,end\n{problems}"));
    let mut command = bench.etude(&["solve", "pegs", "--problems", "pegs.csv", "--format", "csv"]);
    command
        .stdout(File::create(bench.path("rows")).unwrap())
        .stderr(Stdio::null());
    let mut solving = command.spawn().unwrap();
    wait_until(|| has_lines(&bench.path("rows"), 2));
    solving.kill().unwrap();
    solving.wait().unwrap();
    let rows = std::fs::read_to_string(bench.path("rows")).unwrap();
    assert!(rows.contains("\neasy,true,1,1,1,1,"), "{rows}");
}

#[test]
fn a_torn_last_line_costs_one_block() {
    for bench in benches(DEALS) {
        finished_run(&bench, "expected");
        let journal = std::fs::read(bench.path("expected/blocks.csv")).unwrap();
        copy_run(&bench, "expected", "torn");
        for cut in [1, 2, 17, 40] {
            std::fs::write(
                bench.path("torn/blocks.csv"),
                &journal[..journal.len() - cut],
            )
            .unwrap();
            let ending = Ending::of(&resume(&bench, "torn").wait_with_output().unwrap());
            ending.check(
                0,
                &[
                    "blocks.csv, line",
                    "is incomplete",
                    "all other blocks are kept",
                ],
            );
            assert_eq!(ending.said.matches("warning").count(), 1, "{}", ending.said);
            assert_same_results(&bench.path("torn"), &bench.path("expected"));
        }
    }
}

#[test]
fn a_damaged_row_in_the_middle_leaves_no_hole() {
    for bench in benches(DEALS) {
        finished_run(&bench, "expected");
        copy_run(&bench, "expected", "damaged");
        let journal = std::fs::read_to_string(bench.path("expected/blocks.csv")).unwrap();
        let rows: Vec<&str> = journal.lines().collect();
        let middle = rows[rows.len() / 2];
        bench.write("damaged/blocks.csv", &journal.replace(middle, "damaged"));
        let resumed = bench.run(&["run", "deals.toml", "--out", "damaged", "--resume"]);
        resumed.check(0, &["is run again, all other blocks are kept"]);
        assert_same_results(&bench.path("damaged"), &bench.path("expected"));
        bench.run(&["verify", "damaged"]).check(0, &["sound"]);
    }
}

/// The last line of a block twice, the last line of all twice, a line that is not there, the last
/// line of all not there, and another value. Lines after the last block are cut off without a word.
#[test]
fn damaged_lines_of_samples_are_found_and_repaired() {
    let [bench, _] = benches(DEALS);
    finished_run(&bench, "expected");
    copy_run(&bench, "expected", "damaged");
    let honest = std::fs::read_to_string(bench.path("expected/samples.csv")).unwrap();
    let lines: Vec<&str> = honest.lines().collect();
    let journal = std::fs::read_to_string(bench.path("expected/blocks.csv")).unwrap();
    let first_block: usize = journal
        .lines()
        .nth(2)
        .unwrap()
        .split(',')
        .nth(2)
        .unwrap()
        .parse()
        .unwrap();
    let end = 1 + 2 * first_block;
    let repeated = |at: usize| [&lines[..at], &lines[at - 1..]].concat();
    let is_next = format!(
        "samples.csv: line {} should be of sample {first_block}",
        end + 1
    );
    let mut other = lines.clone();
    let altered = lines[end - 1].replace(',', ",1");
    other[end - 1] = &altered;
    for (wrong, told) in [
        (repeated(end), is_next.as_str()),
        (repeated(lines.len()), ""),
        (
            [&lines[..end - 1], &lines[end..]].concat(),
            "should be of sample",
        ),
        (
            lines[..lines.len() - 1].to_vec(),
            "it ends before sample 1499",
        ),
        (other, "are not those stored"),
    ] {
        bench.write("damaged/samples.csv", &(wrong.join("\n") + "\n"));
        let resumed = bench.run(&["run", "deals.toml", "--out", "damaged", "--resume"]);
        resumed.check(0, &[told]);
        assert_eq!(
            resumed.said.contains("run again"),
            !told.is_empty(),
            "{}",
            resumed.said
        );
        assert_same_results(&bench.path("damaged"), &bench.path("expected"));
        bench.run(&["verify", "damaged"]).check(0, &["sound"]);
    }
}

/// One bit of each of six random bytes, the header's first and the last line feed among them.
#[test]
fn flipped_bits_of_the_journal_are_found_and_repaired() {
    for bench in benches(DEALS) {
        finished_run(&bench, "expected");
        copy_run(&bench, "expected", "flipped");
        let journal = std::fs::read(bench.path("expected/blocks.csv")).unwrap();
        let mut places = stream("flip");
        for trial in 0..6 {
            let place = match trial {
                0 => 0,
                1 => journal.len() - 1,
                _ => below(&mut places, journal.len() as u64) as usize,
            };
            let mut flipped = journal.clone();
            flipped[place] ^= 1 << below(&mut places, 8);
            std::fs::write(bench.path("flipped/blocks.csv"), &flipped).unwrap();
            let ending = Ending::of(&resume(&bench, "flipped").wait_with_output().unwrap());
            ending.check(0, &["warning: blocks.csv, line", "is run again"]);
            let lines = ending.said.matches("warning").count();
            assert!((1..=2).contains(&lines), "byte {place}: {}", ending.said);
            assert_same_results(&bench.path("flipped"), &bench.path("expected"));
        }
    }
}

/// A limit on the size of files stands in for a full disk: writes fail half way.
#[test]
fn a_full_disk_is_an_error_that_loses_nothing() {
    for bench in benches(DEALS) {
        finished_run(&bench, "expected");
        // In units of 512 bytes: nothing fits; the journal begins; it does not end.
        for (trial, blocks) in [0, 2, 8, 40].into_iter().enumerate() {
            let out = format!("full-{trial}");
            let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
            let mut shell = Command::new("sh");
            shell.args([
                "-c",
                &script,
                env!("CARGO_BIN_EXE_etude"),
                "run",
                "deals.toml",
            ]);
            shell
                .args(["--out", &out, "--quiet"])
                .current_dir(bench.path(""));
            let ending = Ending::of(&shell.output().unwrap());
            ending.check(1, &["too large", &out, "help: "]);
            resume(&bench, &out).wait().unwrap();
            assert_same_results(&bench.path(&out), &bench.path("expected"));
        }
    }
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let bench = Bench::new();
    bench.write("endless.toml", ENDLESS);
    let arguments = ["run", "endless.toml", "--out", "out", "--resume"];
    let mut first = quiet(&bench, &arguments).spawn().unwrap();
    wait_until(|| bench.path("out/blocks.csv").exists());
    let second = bench.run(&arguments);
    first.kill().unwrap();
    first.wait().unwrap();
    second.check(2, &["another run is using this folder", "--out"]);
}

#[test]
fn folders_of_others_are_refused_and_left_alone() {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    bench.write("other.toml", &DEALS.replace("seed = 5", "seed = 55"));
    std::fs::create_dir(bench.path("thesis")).unwrap();
    bench.write("thesis/chapter.tex", "Introduction");
    let run = |file: &str, out: &str| {
        bench.run(&["run", file, "--samples", "20", "--out", out, "--resume"])
    };
    run("deals.toml", "thesis").check(2, &["not empty and is not a run folder", "--out"]);
    run("deals.toml", "thesis/chapter.tex").check(2, &["not a folder", "--out"]);
    let text = std::fs::read_to_string(bench.path("thesis/chapter.tex")).unwrap();
    assert_eq!(text, "Introduction");
    run("deals.toml", "mine").check(0, &[]);
    let before = program::results(&bench.path("mine"));
    run("other.toml", "mine").check(2, &["holds another run", "seed 5", "--out"]);
    assert_eq!(program::results(&bench.path("mine")), before);
    run("deals.toml", "/proc/etude").check(1, &["/proc/etude", "help: "]);
}

#[test]
fn a_run_whose_configuration_was_edited_is_not_mixed_with_another() {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    let resumed = || {
        bench.run(&[
            "run",
            "deals.toml",
            "--samples",
            "20",
            "--out",
            "out",
            "--resume",
        ])
    };
    resumed().check(0, &[]);
    let config = std::fs::read_to_string(bench.path("out/config.toml")).unwrap();
    bench.write(
        "out/config.toml",
        &config.replace("seed = 5\n", "seed = 7\n"),
    );
    resumed().check(2, &["holds another run", "seed 7"]);
    bench.write("out/config.toml", "seed =");
    resumed().check(2, &["config.toml"]);
    std::fs::remove_file(bench.path("out/config.toml")).unwrap();
    for verb in ["report", "verify"] {
        let missing = bench.run(&[verb, "out"]);
        missing.check(2, &["config.toml is missing", "put it back"]);
    }
    bench.write("out/config.toml", &config);
    resumed().check(0, &[]);
}

/// Makes the run of `deals.toml` undisturbed.
fn finished_run(bench: &Bench, out: &str) {
    bench
        .run(&["run", "deals.toml", "--out", out, "--quiet"])
        .check(0, &[]);
}

fn proof(folder: &str) -> [&str; 8] {
    [
        "prove",
        "foxes",
        "--board",
        "small-cross",
        "--sacrifices",
        "0",
        "--dir",
        folder,
    ]
}

fn quiet(bench: &Bench, arguments: &[&str]) -> Command {
    let mut command = bench.etude(arguments);
    command
        .arg("--quiet")
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// Begins or resumes the run of `deals.toml` in `out`.
fn resume(bench: &Bench, out: &str) -> Child {
    let arguments = ["run", "deals.toml", "--out", out, "--resume"];
    quiet(bench, &arguments).spawn().unwrap()
}

/// Kills `run` after `moment`; whether it was still under way.
fn killed(mut run: Child, moment: Duration) -> bool {
    std::thread::sleep(moment);
    run.kill().unwrap();
    // A process that has ended and was not waited for yet takes the signal without effect.
    run.wait().unwrap().code().is_none()
}

/// Starts a run, sends it SIGTERM `times` times, each once the one before was noticed.
fn stopped(bench: &Bench, arguments: &[&str], times: usize) -> Ending {
    let log = bench.path("log");
    let mut command = bench.etude(arguments);
    command
        .stdout(Stdio::null())
        .stderr(File::create(&log).unwrap());
    let mut run = command.spawn().unwrap();
    wait_until(|| has_lines(&bench.path("out/blocks.csv"), 3));
    for _ in 0..times {
        terminate(&run);
        wait_until(|| std::fs::read_to_string(&log).unwrap().contains("finishing"));
    }
    let code = run.wait().unwrap().code();
    let said = std::fs::read_to_string(&log).unwrap();
    Ending {
        code,
        data: String::new(),
        said,
    }
}

fn terminate(run: &Child) {
    let id = run.id().to_string();
    let status = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(status.success());
}

fn has_lines(path: &Path, lines: usize) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.lines().count() >= lines)
}

#[track_caller]
fn wait_until(condition: impl Fn() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < Duration::from_secs(60), "waited in vain");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn copy_run(bench: &Bench, from: &str, to: &str) {
    std::fs::create_dir(bench.path(to)).unwrap();
    for entry in std::fs::read_dir(bench.path(from)).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), bench.path(to).join(entry.file_name())).unwrap();
    }
}

fn stream(purpose: &str) -> Stream {
    Streams::new(SEED).key(purpose).stream(0)
}
