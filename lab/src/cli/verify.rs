//! `etude verify`: are the numbers in a run folder what the experiment gives?
//!
//! Random stored blocks are run again and compared, kept samples row by row; every table is made
//! anew from the journal and compared byte by byte; every file is compared with its hash in the
//! manifest.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::config::Experiment;
use crate::harness::{Block, BlockTally, Laboratory, Plan, Shard};
use crate::output::{
    Journal, JournalDamage, Manifest, SampleReader, fingerprint_files, sample_rows,
};
use crate::rng::{Streams, below};
use crate::task::{Row, Worker};
use clap::Args;

use super::closing::{Closing, RUNNING};
use super::experiment::{laboratory, load_from_folder, plan};
use super::failure::Failure;
use super::game_verbs::parse_integer;
use super::program::Program;
use super::shard::parse_shard;

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
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let experiment = load_from_folder(program, &self.folder)?;
        let manifest = Manifest::read(&self.folder.join("manifest.json")).map_err(|error| {
            Failure::failed(format!("{}: manifest.json: {error}", self.folder.display()))
                .with_help("restore it from a copy, or make the run again")
        })?;
        check_ended(&self.folder, &manifest)?;
        let laboratory = laboratory(&experiment)?;
        let plan =
            plan(&experiment).with_shard(parse_shard(&manifest.shard).unwrap_or(Shard::WHOLE));
        let stored = Stored::read(&self.folder, &experiment, &laboratory, &plan)?;
        let mut faults = changed_files(&self.folder, &manifest);
        faults.extend(stored.damage());
        let mut rerun = Rerun::of(&self.folder, &experiment, &laboratory)?;
        for block in stored.choose(&plan, self.samples, experiment.seed) {
            faults.extend(rerun.compare(block, &stored.blocks));
        }
        faults.extend(stored.remake(&self.folder, &experiment, &laboratory, &plan, &manifest));
        conclude(&self.folder, rerun.samples, &faults)
    }
}

/// Refuses a folder whose tables do not follow from its journal yet.
fn check_ended(folder: &Path, manifest: &Manifest) -> Result<(), Failure> {
    let state = match manifest.exit_reason.as_str() {
        RUNNING => "the run goes on, or was killed; its tables are not written yet",
        "aborted" => "the run was stopped at once, so its tables count samples under way",
        _ => return Ok(()),
    };
    Err(Failure::usage(format!("{}: {state}", folder.display()))
        .with_help("finish it with `etude run ... --resume`, then verify"))
}

/// What the journal holds.
struct Stored {
    blocks: BTreeMap<u64, BlockTally>,
    damage: Vec<JournalDamage>,
}

/// Damaged lines of a journal that are told one by one.
const TOLD: usize = 5;

impl Stored {
    fn read(
        folder: &Path,
        experiment: &Experiment,
        laboratory: &Laboratory,
        plan: &Plan,
    ) -> Result<Self, Failure> {
        let path = folder.join("blocks.csv");
        if !path.exists() {
            let message = format!("{}: the journal is not here", path.display());
            let folder = folder.display();
            return Err(Failure::failed(message).with_help(format!(
                "restore it, or make it again: etude run {folder}/config.toml --out {folder} --resume"
            )));
        }
        let journal = Journal::read(&path, laboratory, plan, &experiment.fingerprint())
            .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
        Ok(Self {
            damage: journal.damage,
            blocks: journal.blocks,
        })
    }

    /// What is wrong with the journal: its first damaged lines, and how many more there are.
    fn damage(&self) -> Vec<String> {
        let told = self.damage.iter().take(TOLD);
        let mut damage: Vec<String> = told
            .map(|row| format!("blocks.csv, line {}: {}", row.line, row.reason))
            .collect();
        if let Some(more @ 1..) = self.damage.len().checked_sub(TOLD) {
            damage.push(format!("blocks.csv: {more} more lines are damaged"));
        }
        damage
    }

    /// Random blocks of at least `samples` samples together, in index order.
    fn choose(&self, plan: &Plan, samples: u64, seed: u64) -> BTreeSet<Block> {
        let mut stream = Streams::new(seed).key("verify").stream(samples);
        let mut left: Vec<u64> = self.blocks.keys().copied().collect();
        let mut chosen = BTreeSet::new();
        let mut together = 0;
        while together < samples && !left.is_empty() {
            let index = left.swap_remove(below(&mut stream, left.len() as u64) as usize);
            let block = plan.block(index);
            together += block.samples;
            chosen.insert(block);
        }
        chosen
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

/// Runs blocks again, in index order.
struct Rerun<'run> {
    laboratory: &'run Laboratory,
    workers: Vec<Box<dyn Worker + 'run>>,
    names: Vec<String>,
    stored: Option<SampleReader>,
    samples: u64,
}

impl<'run> Rerun<'run> {
    fn of(
        folder: &Path,
        experiment: &Experiment,
        laboratory: &'run Laboratory,
    ) -> Result<Self, Failure> {
        let path = folder.join("samples.csv");
        let open = || SampleReader::open(&path, laboratory.cells(), laboratory.metrics());
        let stored = experiment.keep_samples.then(open).transpose();
        let names = experiment.cells.iter().map(|cell| cell.name.clone());
        Ok(Self {
            laboratory,
            workers: laboratory.workers(),
            names: names.collect(),
            stored: stored
                .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?,
            samples: 0,
        })
    }

    /// What differs between a block run again and what is stored of it.
    fn compare(&mut self, block: Block, stored: &BTreeMap<u64, BlockTally>) -> Vec<String> {
        let (tally, rows) = self.run(block);
        self.samples += block.samples;
        let (first, last) = (block.first, block.range().end - 1);
        let mut faults = Vec::new();
        if stored.get(&block.index) != Some(&tally) {
            faults.push(format!(
                "block {} (samples {first} to {last}) gives other numbers when run again",
                block.index
            ));
        }
        if let Some(file) = &mut self.stored {
            let rows = sample_rows((&self.names, self.laboratory.metrics()), &block, &rows);
            match file.block(&block) {
                Ok(found) if found == rows.as_bytes() => {}
                Ok(_) => faults.push(format!(
                    "samples.csv: some of samples {first} to {last} are others when run again"
                )),
                Err(error) => faults.push(format!("samples.csv: {error}")),
            }
        }
        faults
    }

    /// The block's tally, and the samples of every cell.
    fn run(&mut self, block: Block) -> (BlockTally, Vec<Vec<Row>>) {
        let laboratory = self.laboratory;
        let mut run = |(cell, worker): (usize, &mut Box<dyn Worker + 'run>)| -> Vec<Row> {
            let sample = |index| {
                let mut row = Row::new();
                laboratory.draw_with(cell, worker.as_mut(), index, &mut row);
                row
            };
            block.range().map(sample).collect()
        };
        let workers = self.workers.iter_mut().enumerate();
        let rows: Vec<Vec<Row>> = workers.map(&mut run).collect();
        let views: Vec<&[Row]> = rows.iter().map(Vec::as_slice).collect();
        let mut tally = BlockTally::new(laboratory);
        tally.push(laboratory, block.first, &views);
        (tally, rows)
    }
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
    let count = match faults.len() {
        1 => "one fault".to_owned(),
        more => format!("{more} faults"),
    };
    Err(Failure::failed(format!("{folder}: {count}"))
        .with_help("restore the folder from a copy, or make the run again"))
}
