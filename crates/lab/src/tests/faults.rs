//! Faults that a run must outlive: a task that panics, a disk on which anything fails, a folder that several runs want, an
//! edit between two sessions. Nothing stored is lost, and what panicked is never counted.

mod faulty;
mod session;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use base::FailureKind;
use base::files::{Disk, SystemDisk};
use base::threads::spawn_scoped;
use experiment::Experiment;
use kit::rng::{StreamKey, Streams, below};
use kit::search::Budget;
use task::{
    Application, Draw, Metric, Replay, Row, SampleError, Tally, Task, Value, Worker, Workspace,
    coin,
};

use crate::job::{ChosenBlocks, Job};
use crate::run::{
    BlockTally, Cause, CompiledExperiment, Ended, FinishedBlock, Interrupt, Plan, Run, Silent, Sink,
};
use crate::store::{Journal, JournalSchema, Manifest, Remade, RunFolder};
use faulty::{Failing, FaultyDisk};
use session::{Went, experiment, results, session};

const PROGRAM: Application = Application {
    name: "coins",
    games: coin::GAMES,
    ..Application::LIBRARY
};

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

const FEW: &str = r#"
question = "How long?"
task = "coin/flip"
seed = 21
[stop]
samples = 9
[sweep]
p = [0.75, 0.25]
[output]
samples = true
[[claims]]
source = "a test"
text = "A loaded coin shows more heads."
holds = "diff(0.75, 0.25).heads > 0"
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
            .map(|claims| experiment(&edit_of("[0.75, 0.25]", "0.9", "true", claims)));
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
    "run.mean > 0",
    "diff(0.75, 0.25).run > 0",
    "diff(0.25, 0.75).run < 0",
    "run.max <= 20",
];

fn edited(drawn: &mut impl FnMut(usize) -> usize) -> String {
    let sweeps = ["[0.75, 0.25]", "[0.25, 0.75]", "[0.75, 0.25, 0.5]"];
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
        "question = \"?\"\ntask = \"coin/flip\"\nseed = 3\nlevel = {level}\n[stop]\n\
         samples = 8\n[sweep]\np = {sweep}\n[output]\nsamples = {keep}\n{claims}"
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
        let mut remade = Remade::new(&schema);
        remade.push_encoded(plan.block(0), &forged);
        let journal = remade.into_journal().unwrap();
        assert!(journal.indices().is_empty(), "{number}");
        assert_eq!(journal.damage.rows, 1);
        assert_eq!(journal.damage.told().len(), 1);
    }
}

/// Every operation on the disk fails with all that follow, as where the process is killed. What is finished is sound
/// before it is archived again.
#[test]
fn an_archive_that_is_killed_anywhere_is_finished_by_the_next() {
    let run = tempfile::tempdir().unwrap();
    let mut job = Job::of_app(&PROGRAM, experiment(FEW)).unwrap();
    job.threads = 1;
    job.in_folder(run.path())
        .run(&Interrupt::new(), &mut Silent)
        .unwrap();
    let job = |folder: &Path| Job::of_folder(&PROGRAM, folder, &mut Silent);
    let first = ChosenBlocks::Named("0".parse().unwrap());
    let archive = |folder: &Path, disk: Arc<dyn Disk>| {
        let folder_there = RunFolder::open_on(disk, folder)?;
        job(folder)?.finish_archive(&folder_there)?;
        let mut job = job(folder)?;
        assert_eq!(job.verify(&first, &mut Silent)?.faults, [""; 0]);
        job.archive(&folder_there, true)
    };
    let copy = || {
        let folder = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(run.path()).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
        folder
    };
    let expected = copy();
    let sound = FaultyDisk::new(Failing::Never);
    archive(expected.path(), Arc::new(sound.clone())).unwrap();
    let operations = sound.operations();
    assert!(operations > 20, "{operations}");
    for number in 0..operations {
        let folder = copy();
        let disk = FaultyDisk::new(Failing::From(number));
        let _ = archive(folder.path(), Arc::new(disk));
        archive(folder.path(), Arc::new(SystemDisk))
            .unwrap_or_else(|error| panic!("{number}: {error}"));
        assert!(
            results(folder.path()) == results(expected.path()),
            "{number}"
        );
        let hashes = |folder: &Path| Manifest::read(&folder.join("manifest.json")).unwrap().files;
        assert_eq!(hashes(folder.path()), hashes(expected.path()), "{number}");
    }
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
