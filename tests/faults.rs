//! Faults that a run must outlive: a task that panics, a folder that is moved, a clock set back, a
//! disk that fills or turns read-only, fifty kills. Nothing stored is lost, and what panicked is
//! never counted.
#![cfg(unix)]

#[path = "support/program.rs"]
mod program;

use std::collections::BTreeMap;
use std::fs::{File, FileTimes};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use lab::harness::{
    BlockTally, Cause, Ended, FinishedBlock, Interrupt, Laboratory, Plan, Run, Silent, Sink,
    SinkError, Tally,
};
use lab::output::Manifest;
use lab::rng::{StreamKey, Streams, below, unit};
use lab::search::Budget;
use lab::task::{Draw, Metric, Replay, Row, SampleError, Task, Value, Worker, Workspace};
use program::{Bench, Ending, assert_same_results};

const DEALS: &str = r#"
question = "How many cards?"
task = "klondike/score"
seed = 21
[stop]
samples = 20_000
[sweep]
strategy = ["greedy", "optimal"]
[output]
samples = true
"#;

/// The sample at which the fragile task breaks.
const BREAKS_AT: u64 = 777;

#[test]
fn a_panicking_task_is_caught_named_and_never_counted() {
    for threads in [1, 4] {
        let mut stored = Stored::default();
        let (ended, done, tally) = run_fragile(threads, BTreeMap::new(), &mut stored);
        let Ended::Fault(fault) = ended else {
            panic!("{ended:?}");
        };
        assert_eq!((fault.cell, fault.sample), (1, BREAKS_AT));
        assert_eq!(fault.cause, Cause::Panic("the table broke".to_owned()));
        assert!(done <= BREAKS_AT, "{done}");
        assert_eq!(counted(&tally), done, "what was counted was stored");
        let mut expected = 0;
        for (first, samples) in stored.blocks.keys().zip(stored.blocks.values()) {
            assert_eq!(*first, expected, "the blocks stored are a prefix");
            expected += counted(samples);
        }
        assert_eq!(expected, done);
    }
}

#[test]
fn a_run_that_broke_keeps_what_it_stored_and_breaks_again_at_the_same_sample() {
    let mut stored = Stored::default();
    let (_, done, _) = run_fragile(1, BTreeMap::new(), &mut stored);
    let kept: BTreeMap<u64, BlockTally> = stored
        .blocks
        .into_values()
        .enumerate()
        .map(numbered)
        .collect();
    let (ended, again, _) = run_fragile(1, kept, &mut Stored::default());
    assert!(matches!(ended, Ended::Fault(fault) if fault.sample == BREAKS_AT));
    assert_eq!(again, done);
}

#[test]
fn a_folder_copied_elsewhere_is_resumed_there() {
    let bench = with_whole_run();
    interrupt(&bench, "here");
    let copied = Command::new("cp")
        .args(["-r", "here", "there"])
        .current_dir(bench.path(""))
        .status();
    assert!(copied.unwrap().success());
    std::fs::remove_dir_all(bench.path("here")).unwrap();
    resume(&bench, "there").check(0, &[]);
    assert_same_results(&bench.path("there"), &bench.path("whole"));
    bench.run(&["verify", "there"]).check(0, &["sound"]);
}

#[test]
fn a_clock_set_back_changes_no_number() {
    let bench = with_whole_run();
    interrupt(&bench, "run");
    let path = bench.path("run/manifest.json");
    let mut manifest = Manifest::read(&path).unwrap();
    manifest.started_unix += 1 << 32;
    manifest.finished_unix += 1 << 32;
    std::fs::write(&path, manifest.to_json()).unwrap();
    let future = SystemTime::now() + Duration::from_secs(1 << 32);
    for entry in std::fs::read_dir(bench.path("run")).unwrap() {
        let file = File::options()
            .append(true)
            .open(entry.unwrap().path())
            .unwrap();
        file.set_times(FileTimes::new().set_modified(future))
            .unwrap();
    }
    resume(&bench, "run").check(0, &[]);
    assert_same_results(&bench.path("run"), &bench.path("whole"));
    assert!(Manifest::read(&path).unwrap().wall_seconds >= 0.0);
    bench.run(&["verify", "run"]).check(0, &["sound"]);
}

/// Needs the right to mount; elsewhere the limit on file sizes stands for the full disk.
#[test]
fn a_full_disk_stops_the_run_and_with_room_again_it_goes_on() {
    let bench = with_whole_run();
    let Some(disk) = Disk::mount(bench.path("disk"), "size=96k") else {
        full_by_limit(&bench);
        return;
    };
    let full = resume(&bench, "disk/run");
    full.check(1, &["No space left"]);
    disk.remount("size=64m");
    resume(&bench, "disk/run").check(0, &[]);
    assert_same_results(&bench.path("disk/run"), &bench.path("whole"));
}

/// Needs the right to mount.
#[test]
fn a_read_only_folder_is_verified_reported_and_merged_but_not_written() {
    let bench = with_whole_run();
    let Some(disk) = Disk::mount(bench.path("disk"), "size=64m") else {
        return;
    };
    let share = ["run", "deals.toml", "--quiet", "--shard"];
    for (share_of, out) in [("1/2", "disk/1"), ("2/2", "disk/2")] {
        let arguments = [&share[..], &[share_of, "--out", out]].concat();
        bench.run(&arguments).check(0, &[]);
    }
    disk.remount("ro");
    bench.run(&["verify", "disk/1"]).check(0, &["sound"]);
    bench.run(&["report", "disk/1"]).check(0, &[]);
    bench
        .run(&["merge", "merged", "disk/1", "disk/2", "--quiet"])
        .check(0, &[]);
    assert_same_results(&bench.path("merged"), &bench.path("whole"));
    let written = [&share[..], &["1/2", "--resume", "--out", "disk/1"]].concat();
    bench.run(&written).check(1, &["Read-only"]);
    bench.run(&["verify", "disk/1"]).check(0, &["sound"]);
}

/// Run with `cargo test --test faults -- --ignored`; about a minute.
#[test]
#[ignore = "fifty kills take about a minute"]
fn fifty_kills_of_a_share_lose_nothing() {
    let bench = Bench::new();
    bench.write("deals.toml", &DEALS.replace("20_000", "120_000"));
    let share = |out: &'static str| {
        [
            "run",
            "deals.toml",
            "--quiet",
            "--resume",
            "--shard",
            "1/2",
            "--out",
            out,
        ]
    };
    let began = std::time::Instant::now();
    bench.run(&share("whole")).check(0, &[]);
    let whole = began.elapsed();
    let mut moments = Streams::new(21).key("kill").stream(0);
    let mut kills = 0;
    while kills < 50 {
        let mut run = bench.etude(&share("run")).spawn().unwrap();
        std::thread::sleep(whole.mul_f64(unit(&mut moments) / 8.0));
        if run.try_wait().unwrap().is_some() {
            std::fs::remove_dir_all(bench.path("run")).unwrap();
            continue;
        }
        run.kill().unwrap();
        run.wait().unwrap();
        kills += 1;
    }
    bench.run(&share("run")).check(0, &[]);
    assert_same_results(&bench.path("run"), &bench.path("whole"));
}

fn with_whole_run() -> Bench {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    resume(&bench, "whole").check(0, &[]);
    bench
}

fn resume(bench: &Bench, out: &str) -> Ending {
    bench.run(&["run", "deals.toml", "--quiet", "--resume", "--out", out])
}

/// Kills a run that has stored some blocks; one that was faster than the kill is begun again.
fn interrupt(bench: &Bench, out: &str) {
    for _ in 0..20 {
        let mut run = on_one_thread(bench, out);
        let blocks = || stored_lines(&bench.path(out).join("blocks.csv"));
        while blocks() < 20 && run.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        run.kill().unwrap();
        if run.wait().unwrap().code().is_none() {
            return;
        }
        std::fs::remove_dir_all(bench.path(out)).unwrap();
    }
    panic!("runs end before they can be killed");
}

fn on_one_thread(bench: &Bench, out: &str) -> Child {
    let arguments = ["run", "deals.toml", "--quiet", "--threads", "1", "--out"];
    let mut run = bench.etude(&[&arguments[..], &[out]].concat());
    run.stderr(Stdio::null()).spawn().unwrap()
}

fn stored_lines(journal: &Path) -> usize {
    std::fs::read_to_string(journal).map_or(0, |text| text.lines().count())
}

fn full_by_limit(bench: &Bench) {
    let program = env!("CARGO_BIN_EXE_etude");
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" run deals.toml --quiet --out small";
    let output = Command::new("sh")
        .args(["-c", script, program])
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    Ending::of(&output).check(1, &["too large"]);
    resume(bench, "small").check(0, &[]);
    assert_same_results(&bench.path("small"), &bench.path("whole"));
}

/// A file system in memory, unmounted when the value goes.
struct Disk {
    path: PathBuf,
}

impl Disk {
    /// `None` where mounting is not allowed.
    fn mount(path: PathBuf, options: &str) -> Option<Self> {
        std::fs::create_dir_all(&path).unwrap();
        let place = path.to_str()?;
        run_silently(
            "mount",
            &["-t", "tmpfs", "-o", options, "etude-test", place],
        )
        .then_some(Self { path })
    }

    fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        let place = self.path.to_str().unwrap();
        assert!(run_silently("mount", &["-o", &options, place]));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        run_silently("umount", &[self.path.to_str().unwrap()]);
    }
}

fn run_silently(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

/// A die whose table breaks at one sample, in cells that are not sturdy.
struct Die {
    sturdy: bool,
}

struct Thrower {
    throws: StreamKey,
    sturdy: bool,
}

const METRICS: &[Metric] = &[Metric::integer(
    "pips",
    "pips",
    (1, 6),
    "What the die shows.",
)];

impl Task for Die {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(Thrower {
            throws: streams.key("throw"),
            sturdy: self.sturdy,
        })
    }

    fn replay(&self, _: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        Ok(Replay {
            instance: format!("throw {}", draw.index),
            frames: Vec::new(),
            outcome: String::new(),
        })
    }
}

impl Worker for Thrower {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        assert!(self.sturdy || draw.index != BREAKS_AT, "the table broke");
        let pips = 1 + below(&mut self.throws.stream(draw.index), 6);
        row.push(Value::Exact(pips as i64));
        Ok(())
    }
}

/// The blocks stored, by their first sample.
#[derive(Default)]
struct Stored {
    blocks: BTreeMap<u64, BlockTally>,
}

impl Sink for Stored {
    fn store(&mut self, block: &FinishedBlock) -> Result<(), SinkError> {
        self.blocks.insert(block.block.first, block.tally.clone());
        Ok(())
    }
}

fn run_fragile(
    threads: usize,
    stored: BTreeMap<u64, BlockTally>,
    sink: &mut dyn Sink,
) -> (Ended, u64, BlockTally) {
    let tasks: Vec<Box<dyn Task>> = vec![
        Box::new(Die { sturdy: true }),
        Box::new(Die { sturdy: false }),
    ];
    let streams = Streams::new(6);
    let run = Run {
        laboratory: Arc::new(Laboratory::new(tasks, METRICS, streams, Budget::UNLIMITED)),
        plan: Plan::new(5_000),
        until: None,
        threads,
        keep_samples: false,
        stored: stored.into_iter().collect(),
        settled: None,
        interrupt: &Interrupt::new(),
    };
    run.execute(sink, &mut Silent).unwrap()
}

fn numbered((index, tally): (usize, BlockTally)) -> (u64, BlockTally) {
    (index as u64, tally)
}

/// Samples counted in the first cell.
fn counted(tally: &BlockTally) -> u64 {
    match &tally.cell(0)[0] {
        Tally::Counts(counts) => counts.count(),
        other => panic!("{other:?}"),
    }
}
