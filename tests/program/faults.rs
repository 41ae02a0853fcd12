//! Faults that a run must outlive: a task that panics, a folder that is moved, a clock set back, a
//! disk that fills or turns read-only, fifty kills. Nothing stored is lost, and what panicked is
//! never counted.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs::{File, FileTimes, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use crate::faulty::{Failing, FaultyDisk};
use crate::program::{Bench, Ending, assert_same_results, results};
use crate::session::{Went, experiment, session};
use base::FailureKind;
use base::files::SystemDisk;
use base::threads::spawn_scoped;
use experiment::Experiment;
use kit::rng::{StreamKey, Streams, below, unit};
use kit::search::Budget;
use lab::run::{
    BlockTally, Cause, CompiledExperiment, Ended, FinishedBlock, Interrupt, Plan, Run, Silent, Sink,
};
use lab::store::{Journal, JournalSchema, Manifest, RunFolder};
use task::{Draw, Metric, Replay, Row, SampleError, Tally, Task, Value, Worker, Workspace};

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
const FEW: &str = r#"
question = "How many cards?"
task = "klondike/score"
seed = 21
[stop]
samples = 9
[sweep]
strategy = ["greedy", "random"]
[output]
samples = true
[[claims]]
source = "a test"
text = "Greed helps."
holds = "diff(greedy, random).score > 0"
"#;

/// Every operation on the disk fails in turn, alone and with all that follow: opens, writes (half
/// of the bytes get there), syncs, cuts, renames, removals. What was said to be stored is there
/// afterwards, and the next session on a sound disk ends in the bytes of a run without faults.
#[test]
fn no_operation_of_a_disk_can_fail_so_that_a_sample_is_lost_or_wrong() {
    let expected = tempfile::tempdir().unwrap();
    let few = experiment(FEW);
    let sound = FaultyDisk::new(Failing::Never);
    let went = session(Arc::new(sound.clone()), expected.path(), &few, None);
    assert!(matches!(went, Went::Ended(9)), "{went:?}");
    let operations = sound.operations();
    // Each fails alone and with all that follow: book/src/appendix/faults.md tells of more than 140 tries.
    println!("{} tries", 2 * operations);
    assert!(operations > 70, "{operations}");
    for number in 0..operations {
        for failing in [Failing::Once(number), Failing::From(number)] {
            let folder = tempfile::tempdir().unwrap();
            session(sound_disk(), folder.path(), &few, Some(3));
            let went = session(
                Arc::new(FaultyDisk::new(failing)),
                folder.path(),
                &few,
                None,
            );
            let stored = stored_samples(folder.path(), &few);
            let told = match went {
                Went::Ended(done) => done,
                Went::Refused(_) => 3,
            };
            assert!(stored >= told, "{failing:?}: {stored} of {told} samples");
            let went = session(sound_disk(), folder.path(), &few, None);
            assert!(matches!(went, Went::Ended(9)), "{failing:?}: {went:?}");
            assert!(
                results(folder.path()) == results(expected.path()),
                "{failing:?}"
            );
        }
    }
}

fn sound_disk() -> Arc<SystemDisk> {
    Arc::new(SystemDisk)
}

/// Samples of each cell in the folder's journal.
fn stored_samples(folder: &Path, experiment: &experiment::Experiment) -> u64 {
    let compiled = Arc::new(CompiledExperiment::of_experiment(experiment).unwrap());
    let plan = Plan::new(experiment.stop.max_samples);
    let schema = JournalSchema::of(experiment, &compiled, &plan);
    let journal = Journal::read(&folder.join("blocks.csv"), &schema).unwrap();
    let blocks = journal.indices().iter();
    blocks.map(|&index| plan.block(index).samples).sum()
}

/// An example is Lustre mounted without locks.
#[test]
fn a_disk_without_locks_is_refused_with_the_reason() {
    let root = tempfile::tempdir().unwrap();
    let disk = Arc::new(FaultyDisk::without_locks());
    let refused = RunFolder::open_on(disk, root.path()).unwrap_err();
    assert!(
        refused.to_string().contains("cannot be locked"),
        "{refused}"
    );
}

/// One of eight that start at once gets the folder, again and again, while earlier ones give it back.
#[test]
fn a_race_for_a_folder_has_one_winner() {
    let root = tempfile::tempdir().unwrap();
    let owners = AtomicU32::new(0);
    let open = || {
        for _ in 0..50 {
            let Ok(folder) = RunFolder::open(root.path()) else {
                continue;
            };
            assert_eq!(owners.fetch_add(1, Ordering::SeqCst), 0);
            folder.check_owned().unwrap();
            std::thread::yield_now();
            owners.fetch_sub(1, Ordering::SeqCst);
        }
    };
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8).map(|_| spawn_scoped(scope, open).unwrap()).collect();
        runs.into_iter().for_each(|run| run.join().unwrap());
    });
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
}

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

/// Claims, level, seed, cells and kept samples are edited between two sessions. Whatever is not refused
/// ends in the bytes of a run of the edited experiment; only another seed is.
#[test]
fn an_edit_between_sessions_is_refused_or_gives_the_numbers_of_a_fresh_run() {
    let mut stream = Streams::new(13).key("edit").stream(0);
    let mut drawn = |n: usize| below(&mut stream, n as u64) as usize;
    let (mut resumed, mut refused) = (0, 0);
    for _ in 0..60 {
        let edits = [edited(&mut drawn), edited(&mut drawn)].map(|text| experiment(&text));
        let until = [None, Some(2), Some(5)][drawn(3)];
        if resumes_like_a_fresh_run(&edits, until) {
            resumed += 1;
        } else {
            refused += 1;
        }
    }
    assert!(resumed >= 30 && refused >= 5, "{resumed} {refused}");
}

/// A pair that is stored one way round serves a claim each way.
#[test]
fn a_difference_and_its_opposite_may_be_claimed_in_a_later_session() {
    let way = [CLAIMED[1], CLAIMED[2]];
    for first in way {
        let edits = [&[first][..], &way]
            .map(|claims| experiment(&edit_of(r#"["greedy", "random"]"#, "0.9", "true", claims)));
        assert!(resumes_like_a_fresh_run(&edits, Some(5)));
    }
}

/// Returns whether a run of the first experiment may be continued as the second; it then ends in
/// the bytes of a fresh run, and is left alone otherwise.
fn resumes_like_a_fresh_run([first, second]: &[Experiment; 2], until: Option<u64>) -> bool {
    let [folder, fresh] = [0, 1].map(|_| tempfile::tempdir().unwrap());
    session(sound_disk(), folder.path(), first, until);
    let before = results(folder.path());
    match session(sound_disk(), folder.path(), second, None) {
        Went::Ended(_) => {
            session(sound_disk(), fresh.path(), second, None);
            let [found, expected] = [&folder, &fresh].map(|at| results(at.path()));
            for (name, bytes) in &expected {
                let (one, other) = (first.resolved_toml(), second.resolved_toml());
                assert!(found[name] == *bytes, "{name}\n{one}\n---\n{other}");
            }
            let [left, made] = [&found, &expected].map(|files| files.contains_key("samples.csv"));
            assert_eq!(left, made, "samples that are no longer kept");
            true
        }
        Went::Refused(refused) if refused.kind == FailureKind::Usage => {
            assert!(results(folder.path()) == before, "nothing was changed");
            false
        }
        Went::Refused(other) => panic!("{other}"),
    }
}

const CLAIMED: [&str; 4] = [
    "score.mean > 0",
    "diff(greedy, random).score > 0",
    "diff(random, greedy).score < 0",
    "score.max <= 52",
];

fn edited(drawn: &mut impl FnMut(usize) -> usize) -> String {
    let sweeps = [
        r#"["greedy", "random"]"#,
        r#"["random", "greedy"]"#,
        r#"["greedy", "random", "optimal"]"#,
    ];
    let sweep = sweeps[[0, 0, 0, 1, 2][drawn(5)]];
    let claims: Vec<&str> = (0..drawn(3)).map(|_| CLAIMED[drawn(4)]).collect();
    let (level, keep) = (["0.9", "0.99"][drawn(2)], ["true", "false"][drawn(2)]);
    let text = edit_of(sweep, level, keep, &claims);
    text.replace(
        "seed = 3",
        ["seed = 3", "seed = 3", "seed = 3", "seed = 4"][drawn(4)],
    )
}

fn edit_of(sweep: &str, level: &str, keep: &str, claims: &[&str]) -> String {
    let claim =
        |holds: &&str| format!("[[claims]]\nsource = \"a\"\ntext = \"b\"\nholds = \"{holds}\"\n");
    let claims: String = claims.iter().map(claim).collect();
    format!(
        "question = \"?\"\ntask = \"klondike/score\"\nseed = 3\nlevel = {level}\n[stop]\n\
         samples = 8\n[sweep]\nstrategy = {sweep}\n[output]\nsamples = {keep}\n{claims}"
    )
}

/// Rows with a sound checksum that no run can have written: other counts than the plan's, values
/// outside a metric's limits.
#[test]
fn forged_rows_are_not_believed() {
    let few = experiment(FEW);
    let compiled = Arc::new(CompiledExperiment::of_experiment(&few).unwrap());
    let plan = Plan::new(9);
    let schema = JournalSchema::of(&few, &compiled, &plan);
    let honest = tempfile::tempdir().unwrap();
    session(sound_disk(), honest.path(), &few, None);
    let path = honest.path().join("blocks.csv");
    let read = || Journal::read(&path, &schema).unwrap();
    let tally = read().block(0).unwrap().tally;
    let mut twice = tally.clone();
    twice.merge(&tally);
    let mut row = Row::new();
    compiled
        .metrics()
        .iter()
        .for_each(|_| row.push(Value::Exact(1_000)));
    let outside = BlockTally::of(&compiled, 0, &vec![vec![row]; 2]);
    let encoded = tally.encode();
    let forgeries = [
        twice.encode(),
        BlockTally::new(&compiled).encode(),
        outside.encode(),
        encoded[..encoded.len() - 1].to_vec(),
        [&encoded[..], &[0]].concat(),
        vec![255; 600_000],
    ];
    for (number, forged) in forgeries.into_iter().enumerate() {
        let mut remade = lab::store::Remade::new(&schema);
        remade.push_encoded(plan.block(0), &forged);
        let journal = remade.into_journal().unwrap();
        assert!(journal.indices().is_empty(), "{number}");
        assert_eq!(journal.damage.rows, 1);
        assert_eq!(journal.damage.told().len(), 1);
    }
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
    fn store(&mut self, block: &FinishedBlock) -> std::io::Result<()> {
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
        compiled: Arc::new(CompiledExperiment::new(
            tasks,
            METRICS,
            streams,
            Budget::UNLIMITED,
        )),
        plan: Plan::new(5_000),
        to: u64::MAX,
        threads,
        keep_samples: false,
        stored: stored.into_iter().collect(),
        known: None,
        looks: None,
        race: None,
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
