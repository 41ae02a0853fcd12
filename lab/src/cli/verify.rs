//! `etude verify`: are the numbers in a run folder what the experiment gives?
//!
//! Random stored blocks are run again and compared, kept samples row by row; every table is made
//! anew from the journal and compared byte by byte; every file is compared with its hash in the
//! manifest.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::config::Experiment;
use crate::harness::{Block, BlockTally, Laboratory, Plan, Shard};
use crate::output::{
    Digest, Journal, Manifest, SampleReader, Schema, are_as_stored, fingerprint_files, sample_rows,
};
use crate::rng::{Streams, below};
use crate::task::{Row, SampleError, Workspace};
use clap::Args;

use super::closing::{Closing, RUNNING};
use super::experiment::{laboratory, load_from_folder};
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
            Plan::of(&experiment).with_shard(parse_shard(&manifest.shard).unwrap_or(Shard::WHOLE));
        let schema = Schema::of(&experiment, &laboratory);
        let stored = Stored::read(&self.folder, &laboratory, &plan, &schema)?;
        let mut faults = changed_files(&self.folder, &manifest);
        faults.extend(stored.damage(&schema)?);
        let mut rerun = Rerun::of(&self.folder, &experiment, &laboratory)?;
        for block in stored.choose(self.samples, experiment.seed) {
            faults.extend(rerun.compare(block, &stored.journal));
        }
        faults.extend(rerun.surplus(&stored.journal, &plan));
        let closing = Closing {
            experiment: &experiment,
            laboratory: &laboratory,
            plan: &plan,
            stop_reason: super::closing::stop_reason(&manifest.exit_reason),
        };
        faults.extend(stored.remake(&self.folder, &closing)?);
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
    path: PathBuf,
    journal: Journal,
}

impl Stored {
    fn read(
        folder: &Path,
        laboratory: &Laboratory,
        plan: &Plan,
        schema: &Schema,
    ) -> Result<Self, Failure> {
        let path = folder.join("blocks.csv");
        if !path.exists() {
            let message = format!("{}: the journal is not here", path.display());
            let folder = folder.display();
            return Err(Failure::failed(message).with_help(format!(
                "restore it, or make it again: etude run {folder}/config.toml --out {folder} --resume"
            )));
        }
        let journal = Journal::read(&path, laboratory, plan, schema)
            .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
        Ok(Self { path, journal })
    }

    /// What is wrong with the journal: its first damaged lines, how many more there are, and
    /// whether rows are left over or out of order.
    fn damage(&self, schema: &Schema) -> Result<Vec<String>, Failure> {
        let mut damage = self.journal.damage.told();
        let sealed = self.journal.is_sealed(&self.path, schema);
        if damage.is_empty() && !sealed.map_err(|error| self.unreadable(&error))? {
            damage.push("blocks.csv: there are rows too many, or they are out of order".into());
        }
        Ok(damage)
    }

    fn unreadable(&self, error: &io::Error) -> Failure {
        Failure::failed(format!("{}: {error}", self.path.display()))
    }

    /// Random blocks of at least `samples` samples together, in index order.
    fn choose(&self, samples: u64, seed: u64) -> BTreeSet<Block> {
        let mut stream = Streams::new(seed).key("verify").stream(samples);
        let mut left: Vec<Block> = self.journal.hashed_blocks().collect();
        let mut chosen = BTreeSet::new();
        let mut together = 0;
        while together < samples && !left.is_empty() {
            let block = left.swap_remove(below(&mut stream, left.len() as u64) as usize);
            together += block.samples;
            chosen.insert(block);
        }
        chosen
    }

    /// Makes every table anew from the journal and compares.
    fn remake(&self, folder: &Path, closing: &Closing<'_>) -> Result<Vec<String>, Failure> {
        let unreadable = |error| self.unreadable(&error);
        let total = self.journal.total(closing.laboratory).map_err(unreadable)?;
        let mut files = closing.files(&self.journal, total).map_err(unreadable)?;
        files.push((
            "config.toml".into(),
            closing.experiment.resolved_toml().into_bytes(),
        ));
        let differs = |(name, bytes): &(String, Vec<u8>)| {
            let same = std::fs::read(folder.join(name)).is_ok_and(|found| found == *bytes);
            (!same).then(|| format!("{name} differs from what the journal gives"))
        };
        Ok(files.iter().filter_map(differs).collect())
    }
}

/// Runs blocks again, in index order.
struct Rerun<'run> {
    laboratory: &'run Laboratory,
    workspace: Workspace,
    names: Vec<String>,
    samples_path: PathBuf,
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
            workspace: Workspace::new(),
            names: names.collect(),
            stored: stored
                .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?,
            samples: 0,
            samples_path: path,
        })
    }

    /// What differs between a block run again and what is stored of it.
    fn compare(&mut self, block: Block, journal: &Journal) -> Vec<String> {
        let (tally, rows) = match self.run(block) {
            Ok(run) => run,
            Err(error) => return vec![format!("sample {} cannot be drawn: {error}", error.sample)],
        };
        self.samples += block.samples;
        let (first, last) = (block.first, block.range().end - 1);
        let mut faults = Vec::new();
        let digest = Digest::of(tally.encode().as_bytes());
        if !journal.digest(&block).is_ok_and(|stored| stored == digest) {
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

    /// Where `samples.csv` is not what the journal says it is, to its end.
    fn surplus(&self, journal: &Journal, plan: &Plan) -> Option<String> {
        let path = &self.samples_path;
        self.stored.as_ref()?;
        let cells = self.laboratory.cells();
        let check = || -> io::Result<Option<String>> {
            let mut reader = SampleReader::open(path, cells, self.laboratory.metrics())?;
            for block in plan.blocks().filter(|block| journal.is_stored(block)) {
                let before = reader.offset();
                let rows = reader.block(&block)?;
                let skipped = reader.offset() - before != rows.len() as u64;
                if skipped || !are_as_stored(&rows, cells, &journal.parts(block.index)) {
                    let (first, last) = (block.first, block.range().end - 1);
                    return Ok(Some(format!(
                        "samples.csv: the lines of samples {first} to {last} are not those stored"
                    )));
                }
            }
            let more = !reader.is_at_end()?;
            Ok(more.then(|| "samples.csv: there are lines too many at its end".into()))
        };
        check().unwrap_or_else(|error| Some(format!("samples.csv: {error}")))
    }

    /// The block's tally, and the samples of every cell.
    fn run(&mut self, block: Block) -> Result<(BlockTally, Vec<Vec<Row>>), SampleError> {
        let laboratory = self.laboratory;
        let mut rows = vec![vec![Row::new(); block.samples as usize]; laboratory.cells()];
        for (cell, rows) in rows.iter_mut().enumerate() {
            laboratory.draw(cell, &mut self.workspace, block.first, rows)?;
        }
        let views: Vec<&[Row]> = rows.iter().map(Vec::as_slice).collect();
        let mut tally = BlockTally::new(laboratory);
        tally.push(laboratory, block.first, &views);
        Ok((tally, rows))
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
