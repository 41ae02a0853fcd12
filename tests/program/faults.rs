//! Faults that a run must outlive: a folder that is moved, a clock set back, a disk that fills or turns read-only, fifty
//! kills. Nothing stored is lost.
#![cfg(unix)]

use std::fs::{File, FileTimes, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use crate::program::{Bench, Ending, assert_same_results};
use kit::rng::{Streams, unit};
use lab::store::Manifest;

const DEALS: &str = r#"
question = "How many cards?"
task = "klondike/score"
seed = 21
[stop]
samples = 6_000
[sweep]
strategy = ["greedy", "optimal"]
[output]
samples = true
"#;

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

#[test]
fn a_full_disk_stops_the_run_and_with_room_again_it_goes_on() {
    let bench = with_whole_run();
    full_by_limit(&bench);
    if let Some(disk) = MountedDisk::mount(bench.path("disk"), "size=96k") {
        resume(&bench, "disk/run").check(1, &["No space left"]);
        disk.remount("size=64m");
        resume(&bench, "disk/run").check(0, &[]);
        assert_same_results(&bench.path("disk/run"), &bench.path("whole"));
    }
}

#[test]
fn a_read_only_folder_is_verified_reported_and_merged_but_not_written() {
    let bench = with_whole_run();
    std::fs::create_dir(bench.path("kept")).unwrap();
    make_shards(&bench, "kept");
    let program = Unprivileged::in_folder(&bench);
    change_modes(&bench, "a+rX,a-w");
    check_read_only(&bench, "kept", "denied", |arguments| program.run(arguments));
    // Without this the folder could not be removed.
    change_modes(&bench, "u+w");
    if let Some(disk) = MountedDisk::mount(bench.path("disk"), "size=64m") {
        make_shards(&bench, "disk");
        disk.remount("ro");
        check_read_only(&bench, "disk", "Read-only", |arguments| {
            bench.run(arguments)
        });
    }
}

fn change_modes(bench: &Bench, modes: &str) {
    let mut change = Command::new("chmod");
    change
        .args(["-R", modes, "kept"])
        .current_dir(bench.path(""));
    assert!(change.status().unwrap().success());
}

const SHARD: [&str; 4] = ["run", "deals.toml", "--quiet", "--shard"];

/// Makes both shards of `deals.toml` in the folder.
fn make_shards(bench: &Bench, folder: &str) {
    for number in 1..=2 {
        let (share, out) = (format!("{number}/2"), format!("{folder}/{number}"));
        let arguments = [&SHARD[..], &[&share, "--out", &out]].concat();
        bench.run(&arguments).check(0, &[]);
    }
}

/// Reads two shards in a folder that cannot be written, and is told `refusal` by the program where
/// it has to write there.
fn check_read_only(bench: &Bench, folder: &str, refusal: &str, run: impl Fn(&[&str]) -> Ending) {
    let (one, two) = (format!("{folder}/1"), format!("{folder}/2"));
    let merged = format!("merged-{folder}");
    run(&["verify", &one]).check(0, &["sound"]);
    run(&["report", &one]).check(0, &[]);
    run(&["merge", &merged, &one, &two, "--quiet"]).check(0, &[]);
    assert_same_results(&bench.path(&merged), &bench.path("whole"));
    run(&[&SHARD[..], &["1/2", "--resume", "--out", &one]].concat()).check(1, &[refusal]);
    run(&["verify", &one]).check(0, &["sound"]);
}

/// The program run by a user whom permissions bind: by nobody where root runs the tests.
struct Unprivileged<'a> {
    bench: &'a Bench,
    program: PathBuf,
    user: Option<u32>,
}

impl<'a> Unprivileged<'a> {
    /// Opens the folder to all, with a copy of the program: nobody may not enter every path to it.
    fn in_folder(bench: &'a Bench) -> Self {
        let folder = bench.path("");
        let program = bench.place_program("etude-copy");
        std::fs::set_permissions(&folder, Permissions::from_mode(0o777)).unwrap();
        let own = std::fs::metadata(&folder).unwrap().uid();
        Self {
            bench,
            program,
            user: (own == 0).then_some(65_534),
        }
    }

    fn run(&self, arguments: &[&str]) -> Ending {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(self.bench.path(""));
        if let Some(user) = self.user {
            command.uid(user);
        }
        Ending::of(&command.output().unwrap())
    }
}

/// Run with `cargo test --test program faults -- --ignored`; about a minute.
#[test]
#[ignore = "fifty kills take about a minute"]
fn fifty_kills_of_a_share_lose_nothing() {
    let bench = Bench::new();
    bench.write("deals.toml", &DEALS.replace("6_000", "120_000"));
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
        let waited = whole.mul_f64(unit(&mut moments) / 8.0);
        std::thread::sleep(waited);
        if run.try_wait().unwrap().is_some() {
            std::fs::remove_dir_all(bench.path("run")).unwrap();
            continue;
        }
        run.kill().unwrap();
        run.wait().unwrap();
        kills += 1;
        // A failure shows these: a folder with as many lines, the last one cut, is the same moment again.
        let journal = bench.path("run/blocks.csv");
        let bytes = std::fs::metadata(&journal).map_or(0, |file| file.len());
        println!(
            "kill {kills} after {waited:?}: {bytes} bytes of {}",
            journal.display()
        );
    }
    bench.run(&share("run")).check(0, &[]);
    assert_same_results(&bench.path("run"), &bench.path("whole"));
}

/// Few samples of two cells, all kept; blocks of one sample.
/// The lock is left over by a process that was killed, and holds nobody up; a folder that is being
/// written is neither written nor merged by another process.
#[test]
fn a_lock_ends_with_its_process() {
    let bench = Bench::new();
    bench.write("deals.toml", &DEALS.replace("6_000", "60_000"));
    let mut run = on_one_thread(&bench, "out");
    while stored_lines(&bench.path("out/blocks.csv")) < 4 {
        assert!(run.try_wait().unwrap().is_none(), "it ended too soon");
        std::thread::sleep(Duration::from_millis(5));
    }
    let busy = "another run is using this folder";
    let again = ["run", "deals.toml", "-q", "--resume", "--out", "out"];
    bench.run(&again).check(2, &[busy, "--out"]);
    bench.run(&["merge", "merged", "out"]).check(2, &[busy]);
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(bench.path("out/.etude-lock.tmp").exists());
    bench.run(&again).check(0, &[]);
    assert!(!bench.path("out/.etude-lock.tmp").exists());
}

#[test]
fn a_folder_moved_away_ends_its_run_with_an_error() {
    let bench = Bench::new();
    bench.write("deals.toml", &DEALS.replace("6_000", "2_000_000"));
    let mut run = on_one_thread(&bench, "here");
    while stored_lines(&bench.path("here/blocks.csv")) < 4 {
        assert!(run.try_wait().unwrap().is_none(), "it ended too soon");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::fs::rename(bench.path("here"), bench.path("there")).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(1));
    assert!(!bench.path("here").exists());
}

#[test]
fn a_hundred_thousand_bad_rows_are_told_in_a_few_lines() {
    let bench = Bench::new();
    bench.write("deals.toml", &DEALS.replace("6_000", "100"));
    resume(&bench, "run").check(0, &[]);
    let path = bench.path("run/blocks.csv");
    let mut journal = std::fs::read_to_string(&path).unwrap();
    journal.push_str(&"1,2,3\n".repeat(100_000));
    std::fs::write(&path, journal).unwrap();
    let ending = resume(&bench, "run");
    ending.check(0, &["99995 more lines are damaged"]);
    assert!(ending.said.lines().count() < 12, "{}", ending.said);
    bench.run(&["verify", "run"]).check(0, &["sound"]);
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
            println!("killed with {} lines of blocks.csv", blocks());
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

/// A limit on the size of files stands for the full disk where none can be mounted.
fn full_by_limit(bench: &Bench) {
    let program = env!("CARGO_BIN_EXE_etude");
    let script = "ulimit -f 64; exec \"$0\" run deals.toml --quiet --out small";
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
struct MountedDisk {
    path: PathBuf,
}

impl MountedDisk {
    /// `None` where mounting is not allowed.
    fn mount(path: PathBuf, options: &str) -> Option<Self> {
        std::fs::create_dir_all(&path).unwrap();
        let place = path.to_str()?;
        let arguments = ["-t", "tmpfs", "-o", options, "etude-test", place];
        let is_mounted = run_silently("mount", &arguments);
        if !is_mounted {
            // Past the harness, which shows nothing of a test that passes.
            let told = "LEFT OUT: a file system of its own cannot be mounted; limits and permissions stand in for it";
            let _ = writeln!(std::io::stderr(), "{told}");
        }
        is_mounted.then_some(Self { path })
    }

    fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        let place = self.path.to_str().unwrap();
        assert!(run_silently("mount", &["-o", &options, place]));
    }
}

impl Drop for MountedDisk {
    fn drop(&mut self) {
        run_silently("umount", &[self.path.to_str().unwrap()]);
    }
}

fn run_silently(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}
