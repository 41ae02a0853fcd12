//! Determinism: an experiment gives the same bytes for any number of threads, any block size, in
//! shards, interrupted and resumed, extended.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;

use experiment::{Experiment, Overrides};
use task::coin;

use crate::run::{
    BlockTally, CompiledExperiment, Ended, FinishedBlock, Interrupt, Outcome, Plan, Run, Shard,
    Silent, Sink, StopReason, Stopped, StoredBlocks, decide_claims,
};
use crate::store::{Damage, JournalSchema, RunFolder, RunRecord};
use crate::tables::{RunFacts, Table, outcome_tables};

const COINS: &str = r#"
question = "Is the coin fair, and what does a loaded one do?"
task = "coin/flip"
seed = 314
[params]
unresolved = 0.01
[stop]
samples = 20_000
[sweep]
p = [0.5, 0.9]
[[claims]]
source = "the mint"
text = "The loaded coin shows more heads."
holds = "diff(0.9, 0.5).heads > 0"
"#;

#[test]
fn threads_do_not_show_in_the_tallies() {
    let plan = Plan::new(20_000);
    let expected = tally(plan, 1);
    for threads in [2, 8] {
        assert_eq!(tally(plan, threads), expected, "{threads} threads");
    }
}

#[test]
fn block_sizes_do_not_show_in_the_tables() {
    let plan = Plan::new(20_000);
    let expected = tables(tally(plan, 2));
    for size in [1_000, 4_096, 7, 100_000] {
        let plan = plan.with_block_size(NonZeroU64::new(size).unwrap());
        assert!(tables(tally(plan, 2)) == expected, "blocks of {size}");
    }
}

#[test]
fn shards_merge_into_the_whole() {
    let plan = Plan::new(20_000);
    let expected = tally(plan, 2);
    for count in [1, 2, 3, 8] {
        let mut merged = BlockTally::new(&compiled());
        for index in (0..count).rev() {
            let shard = Shard::new(index, count).unwrap();
            merged.merge(&tally(plan.with_shard(shard), 2));
        }
        assert_eq!(merged, expected, "{count} shards");
    }
}

#[test]
fn an_interrupted_run_is_a_prefix_and_resumes_to_the_same_tally() {
    let plan = Plan::new(20_000);
    let expected = tally(plan, 2);
    for blocks in [0, 1, 17, 100] {
        let interrupt = Interrupt::new();
        let mut stop = StopAfter::new(blocks, interrupt.clone());
        if blocks == 0 {
            interrupt.request();
        }
        let (ended, done, _) = run(plan, 2, StoredBlocks::default(), &interrupt)
            .execute(&mut stop, &mut Silent)
            .unwrap();
        assert!(matches!(ended, Ended::Interrupted), "{ended:?}");
        assert!(done < 20_000);
        let indices: Vec<u64> = stop.stored.keys().copied().collect();
        assert_eq!(indices, (0..indices.len() as u64).collect::<Vec<_>>());
        let quiet = Interrupt::new();
        let resumed = run(plan, 2, stop.stored.into_iter().collect(), &quiet);
        let (ended, done, tally) = resumed.execute(&mut Forget, &mut Silent).unwrap();
        assert!(ended.completed().is_some());
        assert_eq!((done, tally), (20_000, expected.clone()));
    }
}

#[test]
fn a_folder_interrupted_and_extended_again_and_again_ends_like_one_made_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let [steps, once] = ["steps", "once"].map(|name| folder.path().join(name));
    for (samples, stop_after) in [(600, 40), (600, 1_000), (1_500, 30), (20_000, 1_000)] {
        record(&steps, samples, stop_after);
    }
    record(&once, 20_000, 1_000);
    for name in ["config.toml", "blocks.csv"] {
        let read = |folder: &Path| std::fs::read(folder.join(name)).unwrap();
        assert!(read(&steps) == read(&once), "{name} differs");
    }
}

fn experiment(samples: u64) -> Experiment {
    let overrides = Overrides {
        samples: Some(samples),
        ..Overrides::default()
    };
    Experiment::parse(COINS, "coins.toml", coin::GAMES, &overrides)
        .unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn compiled() -> Arc<CompiledExperiment> {
    Arc::new(CompiledExperiment::of_experiment(&experiment(20_000)).unwrap())
}

fn run(plan: Plan, threads: usize, stored: StoredBlocks, interrupt: &Interrupt) -> Run<'_> {
    Run {
        compiled: compiled(),
        plan,
        to: u64::MAX,
        threads,
        keep_samples: false,
        stored,
        known: None,
        looks: None,
        race: None,
        interrupt,
    }
}

/// The tally of a whole run.
fn tally(plan: Plan, threads: usize) -> BlockTally {
    let interrupt = Interrupt::new();
    let run = run(plan, threads, StoredBlocks::default(), &interrupt);
    let (ended, done, tally) = run.execute(&mut Forget, &mut Silent).unwrap();
    assert!(ended.completed().is_some(), "{ended:?}");
    assert_eq!(done, plan.shard_samples());
    tally
}

/// The tables of a tally, as the bytes of their files.
fn tables(tally: BlockTally) -> Vec<Vec<u8>> {
    let (experiment, compiled) = (experiment(20_000), compiled());
    let confidence = experiment.confidence();
    let claims = decide_claims(&experiment, &compiled, &tally, confidence);
    let outcome = Outcome::of(&compiled, tally, confidence);
    let facts = RunFacts::of(
        &experiment,
        &compiled,
        &outcome,
        (&claims, Stopped::Complete(StopReason::Samples)),
    );
    outcome_tables(&facts).map(Table::into_csv).collect()
}

/// Goes on with the run in `folder` up to `samples` samples or `stop_after` more blocks.
fn record(folder: &Path, samples: u64, stop_after: usize) {
    let (experiment, compiled) = (experiment(samples), compiled());
    let plan = Plan::new(samples);
    let schema = JournalSchema::of(&experiment, &compiled, &plan);
    let opened = RunFolder::open(folder).unwrap();
    let opened = RunRecord::open(opened, &experiment, &schema, true).unwrap();
    assert_eq!(opened.damage, Damage::default());
    let interrupt = Interrupt::new();
    let mut sink = Counted {
        record: opened.record,
        left: stop_after,
        interrupt: interrupt.clone(),
    };
    run(plan, 2, opened.stored, &interrupt)
        .execute(&mut sink, &mut Silent)
        .unwrap();
    sink.record.close(false).unwrap();
}

/// Keeps nothing.
struct Forget;

impl Sink for Forget {
    fn store(&mut self, _: &FinishedBlock) -> std::io::Result<()> {
        Ok(())
    }
}

/// Keeps blocks, and asks the run to stop after some.
struct StopAfter {
    blocks: usize,
    interrupt: Interrupt,
    stored: BTreeMap<u64, BlockTally>,
}

impl StopAfter {
    fn new(blocks: usize, interrupt: Interrupt) -> Self {
        Self {
            blocks,
            interrupt,
            stored: BTreeMap::new(),
        }
    }
}

impl Sink for StopAfter {
    fn store(&mut self, finished: &FinishedBlock) -> std::io::Result<()> {
        self.stored
            .insert(finished.block.index, finished.tally.clone());
        if self.stored.len() == self.blocks {
            self.interrupt.request();
        }
        Ok(())
    }
}

/// Stores blocks in a folder, and asks the run to stop after some.
struct Counted {
    record: RunRecord,
    left: usize,
    interrupt: Interrupt,
}

impl Sink for Counted {
    fn store(&mut self, finished: &FinishedBlock) -> std::io::Result<()> {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.interrupt.request();
        }
        self.record.store(finished)
    }
}
