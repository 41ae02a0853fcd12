//! The law of divided runs: whatever the plan, its growth, the numbers of shards before and after, what is lost and
//! drawn again and what is delivered twice, the merged folder has the bytes of one machine with the same samples.
#![cfg(unix)]

use std::path::PathBuf;

use experiment::{Experiment, Overrides};
use lab::job::{Job, MergeJob, ResumeMode};
use lab::run::{Interrupt, Shard, Silent};
use proptest::prelude::*;
use task::Application;

use crate::coin;
use crate::program::assert_same_results;

const PROGRAM: Application = Application {
    name: "etude",
    games: coin::GAMES,
    ..Application::LIBRARY
};

/// A run that grows, and its division among machines.
#[derive(Clone, Debug)]
struct Division {
    /// The samples before and after it grows.
    samples: [u64; 2],
    /// The numbers of shards before and after.
    shards: [u64; 2],
    cells: usize,
    /// True if later shards draw only what is new, and not all again.
    is_new: bool,
    /// True if the first shards are merged before it grows.
    is_merged: bool,
    /// The shard that is lost and drawn again, and the one that is delivered twice.
    lost: u64,
    twice: u64,
}

fn divisions() -> impl Strategy<Value = Division> {
    let samples = (1..1_500_u64, 0..1_500_u64).prop_map(|(first, more)| [first, first + more]);
    let shards = (1..9_u64, 1..9_u64).prop_map(<[u64; 2]>::from);
    let flags = (any::<bool>(), any::<bool>());
    (samples, shards, 1..4_usize, flags, (0..9_u64, 0..9_u64)).prop_map(
        |(samples, shards, cells, (is_new, is_merged), (lost, twice))| Division {
            samples,
            shards,
            cells,
            is_new,
            is_merged,
            lost: lost % shards[1],
            twice: twice % shards[1],
        },
    )
}

impl Division {
    fn job(&self, samples: u64) -> Job {
        let odds = ["0.25", "0.5", "0.75"][..self.cells].join(", ");
        let text = format!(
            "question = \"?\"\nname = \"division\"\ntask = \"coin/flip\"\nseed = 4\n\
             [stop]\nsamples = {samples}\n[sweep]\np = [{odds}]\n[output]\nsamples = true\n"
        );
        let experiment = Experiment::parse(&text, "x.toml", PROGRAM.games, &Overrides::default());
        let mut job = Job::of_app(&PROGRAM, experiment.unwrap()).unwrap();
        job.threads = 1;
        job.mode = ResumeMode::Resume;
        job
    }
}

/// Draws a shard of a division of so many samples into a folder.
fn draw(division: &Division, samples: u64, shard: Shard, folder: &PathBuf) {
    let mut job = division.job(samples).in_folder(folder);
    job.plan = job.plan.with_shard(shard);
    let finished = job.run(&Interrupt::new(), &mut Silent).unwrap();
    assert!(finished.is_complete());
}

fn merge(folders: &[PathBuf], out: &std::path::Path, partial: bool) -> Result<u64, String> {
    let job = MergeJob::open(&PROGRAM, folders, &mut Silent).map_err(|error| error.to_string())?;
    let merged = job.write(out, partial, &mut Silent);
    let merged = merged.map_err(|error| error.to_string())?;
    Ok(merged.job.manifest.samples_done)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, ..ProptestConfig::default() })]

    #[test]
    fn any_division_of_a_run_that_grows_has_the_bytes_of_one_machine(division in divisions()) {
        makes_the_bytes_of_one_machine(&division)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "long; the short form runs always"]
    fn many_divisions_of_a_run_that_grows_have_the_bytes_of_one_machine(division in divisions()) {
        makes_the_bytes_of_one_machine(&division)?;
    }
}

fn makes_the_bytes_of_one_machine(division: &Division) -> Result<(), TestCaseError> {
    let bench = tempfile::tempdir().unwrap();
    let folder = |name: String| bench.path().join(name);
    let [before, after] = division.samples;
    let whole = folder("whole".into());
    draw(division, before, Shard::WHOLE, &whole);
    draw(division, after, Shard::WHOLE, &whole);
    let mut parts = Vec::new();
    for index in 0..division.shards[0] {
        let shard = Shard::new(index, division.shards[0]).unwrap();
        parts.push(folder(format!("first-{index}")));
        draw(division, before, shard, &parts[parts.len() - 1]);
    }
    if division.is_merged {
        let out = folder("before".into());
        prop_assert_eq!(merge(&parts, &out, false), Ok(before));
        parts = vec![out];
    }
    let mut others = parts.clone();
    for index in 0..division.shards[1] {
        let shard = Shard::new(index, division.shards[1]).unwrap();
        let shard = shard.with_first(if division.is_new { before } else { 0 });
        let own = folder(format!("second-{index}"));
        draw(division, after, shard, &own);
        if index == division.twice {
            let again = folder("again".into());
            draw(division, after, shard, &again);
            parts.push(again);
        }
        if index != division.lost {
            others.push(own.clone());
        }
        parts.push(own);
    }
    if let Err(lacking) = merge(&others, &folder("lacking".into()), false) {
        prop_assert!(
            lacking.contains("are in none of the folders"),
            "{}",
            lacking
        );
        let kept = merge(&others, &folder("partial".into()), true).unwrap();
        prop_assert!(kept < after);
    }
    parts.reverse();
    let out = folder("merged".into());
    prop_assert_eq!(merge(&parts, &out, false), Ok(after));
    assert_same_results(&out, &whole);
    Ok(())
}
