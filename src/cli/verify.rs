//! `etude verify`: are the numbers in a run folder what the experiment gives?
//!
//! Random stored blocks are run again and compared; every table is made anew from the journal and
//! compared byte by byte; every file is compared with its hash in the manifest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use etude::config::Experiment;
use etude::harness::{Block, BlockTally, Laboratory, Plan, Shard};
use etude::output::{Journal, Manifest, fingerprint_files};
use etude::rng::{Streams, below};
use etude::task::Row;

use super::closing::Closing;
use super::experiment::{laboratory, load_from_folder, plan};
use super::failure::Failure;
use super::game_verbs::parse_integer;

/// Rerun random stored samples and all estimates, and compare exactly
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude verify results/klondike-casino --samples 5000")]
pub struct Verify {
    /// The run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// How many samples to run again at least (whole blocks are)
    #[arg(long, value_name = "K", allow_negative_numbers = true, default_value = "1000", value_parser = parse_integer)]
    samples: u64,
}

impl Verify {
    pub fn run(self) -> Result<(), Failure> {
        let experiment = load_from_folder(&self.folder)?;
        let manifest = Manifest::read(&self.folder.join("manifest.json")).map_err(|error| {
            Failure::failed(format!("{}: manifest.json: {error}", self.folder.display()))
        })?;
        if manifest.exit_reason == "aborted" {
            return Err(Failure::usage(format!(
                "{}: the run was stopped at once, so its tables count samples under way",
                self.folder.display()
            ))
            .with_help("finish it with `etude run ... --resume`, then verify"));
        }
        let laboratory = laboratory(&experiment)?;
        let plan = plan(&experiment).with_shard(shard(&manifest.shard));
        let stored = Stored::read(&self.folder, &experiment, &laboratory, &plan)?;
        let mut faults = stored.damage.clone();
        faults.extend(changed_files(&self.folder, &manifest));
        let (rerun, wrong) = stored.rerun(&laboratory, &plan, self.samples, experiment.seed);
        faults.extend(wrong);
        faults.extend(stored.remake(&self.folder, &experiment, &laboratory, &plan, &manifest));
        conclude(&self.folder, rerun, &faults)
    }
}

/// What the journal holds.
struct Stored {
    blocks: BTreeMap<u64, BlockTally>,
    damage: Vec<String>,
}

impl Stored {
    fn read(
        folder: &Path,
        experiment: &Experiment,
        laboratory: &Laboratory,
        plan: &Plan,
    ) -> Result<Self, Failure> {
        let path = folder.join("blocks.csv");
        let journal = Journal::read(&path, laboratory, plan, &experiment.fingerprint())
            .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
        let damage = journal.damage.iter();
        Ok(Self {
            damage: damage
                .map(|row| format!("blocks.csv, line {}: {}", row.line, row.reason))
                .collect(),
            blocks: journal.blocks,
        })
    }

    /// Runs random blocks again until `samples` samples are; returns how many and what differs.
    fn rerun(
        &self,
        laboratory: &Arc<Laboratory>,
        plan: &Plan,
        samples: u64,
        seed: u64,
    ) -> (u64, Vec<String>) {
        let mut stream = Streams::new(seed).key("verify").stream(samples);
        let mut left: Vec<u64> = self.blocks.keys().copied().collect();
        let (mut done, mut faults) = (0, Vec::new());
        while done < samples && !left.is_empty() {
            let chosen = left.swap_remove(below(&mut stream, left.len() as u64) as usize);
            let block = plan.block(chosen);
            if self.blocks.get(&chosen) != Some(&run_again(laboratory, block)) {
                faults.push(format!(
                    "block {chosen} (samples {} to {}) gives other numbers when run again",
                    block.first,
                    block.range().end - 1
                ));
            }
            done += block.samples;
        }
        (done, faults)
    }

    /// Makes every table anew from the journal and compares.
    fn remake(
        &self,
        folder: &Path,
        experiment: &Experiment,
        laboratory: &Laboratory,
        plan: &Plan,
        manifest: &Manifest,
    ) -> Vec<String> {
        let mut tally = BlockTally::new(laboratory);
        for block in self.blocks.values() {
            tally.merge(block);
        }
        let closing = Closing {
            experiment,
            laboratory,
            plan,
            stop_reason: super::closing::stop_reason(&manifest.exit_reason),
        };
        let mut files = closing.files(&self.blocks, tally);
        let journal = Journal::to_bytes(&self.blocks, plan, &experiment.fingerprint());
        files.push(("blocks.csv".into(), journal));
        files.push((
            "config.toml".into(),
            experiment.resolved_toml().into_bytes(),
        ));
        let differs = |(name, bytes): &(String, Vec<u8>)| {
            let same = std::fs::read(folder.join(name)).is_ok_and(|found| found == *bytes);
            (!same).then(|| format!("{name} differs from what the journal gives"))
        };
        files.iter().filter_map(differs).collect()
    }
}

fn run_again(laboratory: &Laboratory, block: Block) -> BlockTally {
    let mut workers = laboratory.workers();
    let mut rows = vec![Row::new(); workers.len()];
    let mut tally = BlockTally::new(laboratory);
    for sample in block.range() {
        for (worker, row) in workers.iter_mut().zip(&mut rows) {
            row.clear();
            worker.sample(laboratory.draw(sample), row);
        }
        let views: Vec<&[Row]> = rows.iter().map(std::slice::from_ref).collect();
        tally.push(laboratory, &views);
    }
    tally
}

fn changed_files(folder: &Path, manifest: &Manifest) -> Vec<String> {
    let found = fingerprint_files(folder).unwrap_or_default();
    let changed = manifest
        .files
        .iter()
        .filter(|(name, hash)| found.get(*name) != Some(hash));
    changed
        .map(|(name, _)| format!("{name} is not the file that was written (its hash differs)"))
        .collect()
}

fn conclude(folder: &Path, rerun: u64, faults: &[String]) -> Result<(), Failure> {
    let folder = folder.display();
    if faults.is_empty() {
        eprintln!("{folder}: sound; {rerun} samples of each cell run again, all tables remade");
        return Ok(());
    }
    for fault in faults {
        eprintln!("{folder}: {fault}");
    }
    Err(
        Failure::failed(format!("{folder}: {} faults", faults.len()))
            .with_help("restore the folder from a copy, or make the run again"),
    )
}

fn shard(text: &str) -> Shard {
    let parts = text.split_once('/').and_then(|(index, count)| {
        let index: u64 = index.parse().ok()?;
        Shard::new(index.checked_sub(1)?, count.parse().ok()?)
    });
    parts.unwrap_or(Shard::WHOLE)
}
