//! `etude verify`: checks that the numbers in a run folder are what the experiment gives.
//!
//! Random stored blocks are run again and compared, kept samples row by row. Every table is
//! rebuilt from the journal and compared byte by byte. Every file is compared with its hash in the
//! manifest.

mod rerun;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use crate::files::{self, Records};
use crate::harness::{Block, BlockTally, Outcome, Plan};
use crate::output::{
    Exhibit, Exit, Journal, JournalSchema, Manifest, OPTIONAL_TABLES, Table, WORK_TABLES,
    fingerprint_files, is_same_package, outcome_tables,
};
use crate::report;
use crate::rng::{Streams, below};
use clap::Args;

use super::closing::{Closing, SampleSource};
use super::experiment::{laboratory, load_from_folder};
use super::failure::Failure;
use super::game_verbs::parse_integer;
use super::program::Program;
use super::programs::{self, Consent};
use super::progress::rerun_bar;
use rerun::Rerun;

/// Samples run again unless more or fewer are asked for.
pub const SAMPLES: u64 = 1000;

/// Rerun random samples, rebuild all tables, and check that they match exactly
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude verify results/klondike-casino --samples 5000

Verifying a folder of an experiment with programs starts them, so it prints their commands first. A
folder that you did not make here needs --run-programs.")]
pub struct VerifyArguments {
    /// The run folder
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Run at least this many samples again (whole blocks)
    #[arg(long, value_name = "K", allow_negative_numbers = true, default_value_t = SAMPLES, value_parser = parse_integer)]
    pub samples: u64,
    #[command(flatten)]
    pub consent: Consent,
}

impl VerifyArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let experiment = load_from_folder(program, &self.folder)?;
        let manifest = Manifest::read(&self.folder.join("manifest.json")).map_err(|error| {
            Failure::failed(format!("{}: manifest.json: {error}", self.folder.display()))
                .with_help("restore it from a copy, or repeat the run")
        })?;
        check_ended(&self.folder, &manifest)?;
        self.consent.check(&self.folder, &experiment)?;
        let laboratory = laboratory(&experiment)?;
        let plan = Plan::of(&experiment).with_shard(manifest.shard);
        let check = FolderCheck {
            folder: &self.folder,
            schema: JournalSchema::of(&experiment, &laboratory),
            closing: Closing {
                experiment: &experiment,
                laboratory: &laboratory,
                plan: &plan,
                exit: &manifest.exit_reason,
                exhibit: None,
                samples: SampleSource::read(&self.folder, &experiment, &laboratory)
                    .unwrap_or(SampleSource::NotKept),
            },
            manifest: &manifest,
        };
        programs::meet(&experiment).map_err(|failure| {
            failure.with_help(
                "nothing was checked: `etude verify` runs samples again by the experiment's own \
                 programs; `etude report` starts none",
            )
        })?;
        check.run(self.samples)
    }
}

/// Refuses a folder whose tables do not follow from its journal yet.
fn check_ended(folder: &Path, manifest: &Manifest) -> Result<(), Failure> {
    let state = match manifest.exit_reason {
        Exit::Running => "the run is still going, or was killed; its tables are not written yet",
        Exit::Aborted => {
            "the run was stopped immediately, so its tables count samples in progress as unresolved"
        }
        _ => return Ok(()),
    };
    Err(Failure::usage(format!("{}: {state}", folder.display()))
        .with_help("finish it with `etude run ... --resume`, then verify"))
}

/// A folder to be checked.
struct FolderCheck<'run> {
    folder: &'run Path,
    manifest: &'run Manifest,
    schema: JournalSchema,
    closing: Closing<'run>,
}

/// The evidence that the journal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Witness {
    /// The tally of every block.
    Tallies,
    /// The hash of every block's tally.
    Hashes,
    /// No evidence: the journal is missing.
    None,
}

/// The method by which the tables were checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableCheck {
    Remade,
    AsWritten,
}

impl Witness {
    fn of(journal: Option<&Journal>) -> Self {
        match journal {
            None => Witness::None,
            Some(journal) if journal.is_archived() => Witness::Hashes,
            Some(_) => Witness::Tallies,
        }
    }
}

impl<'run> FolderCheck<'run> {
    fn run(mut self, samples: u64) -> Result<(), Failure> {
        let journal = self.journal()?;
        let witness = Witness::of(journal.as_ref());
        let mut faults = self.changed_files(witness);
        faults.extend(self.unlisted_files());
        if let Some(journal) = &journal {
            faults.extend(self.damage(journal)?);
        }
        let stored = || self.stored_blocks(journal.as_ref());
        let all_samples: u64 = stored().map(|block| block.samples).sum();
        let chosen = choose(stored(), samples, self.closing.experiment.seed);
        let (mut rerun, differences) = self.rerun(chosen, journal.as_ref())?;
        faults.extend(differences);
        if let Some(work) = rerun.work.take() {
            self.closing.samples = SampleSource::Dropped(work);
        }
        let again = rerun.samples;
        let all = again == all_samples;
        let tables = match (witness, all) {
            (Witness::Tallies, _) | (_, true) => TableCheck::Remade,
            _ => TableCheck::AsWritten,
        };
        match (tables, journal.filter(|_| witness == Witness::Tallies)) {
            (TableCheck::Remade, Some(journal)) => faults.extend(self.remake(&journal)?),
            (TableCheck::Remade, None) => faults.extend(self.remake(&self.remade(rerun)?)?),
            _ => faults.extend(self.uncounted(rerun.total)),
        }
        self.conclude(again, (witness, tables), &faults)
    }

    /// Runs blocks again, and says where the stored ones differ.
    fn rerun(
        &self,
        chosen: BTreeSet<Block>,
        journal: Option<&Journal>,
    ) -> Result<(Rerun<'run>, Vec<String>), Failure> {
        let Closing {
            experiment,
            laboratory,
            plan,
            ..
        } = self.closing;
        let may_be_dropped = Witness::of(journal) != Witness::Tallies;
        let samples = (self.folder, may_be_dropped);
        let mut rerun = Rerun::of(samples, experiment, laboratory, &self.schema)?;
        let mut faults = Vec::new();
        let bar = rerun_bar(self.folder, chosen.iter().map(|block| block.samples).sum());
        for block in chosen {
            faults.extend(rerun.compare(block, journal));
            bar.inc(block.samples);
        }
        bar.finish_and_clear();
        if let Some(journal) = journal {
            faults.extend(rerun.surplus(journal, plan));
        }
        if rerun.late > 0 {
            let blocks = report::counted(rerun.late, "block");
            warning!(
                "{blocks} not compared: a sample took longer than its time-out now, and had not \
                 before; verify on a machine as fast as the one that drew it"
            );
        }
        Ok((rerun, faults))
    }

    fn path(&self) -> PathBuf {
        self.folder.join("blocks.csv")
    }

    /// The journal, if it is there.
    fn journal(&self) -> Result<Option<Journal>, Failure> {
        let path = self.path();
        if !path.exists() {
            return Ok(None);
        }
        let Closing {
            laboratory, plan, ..
        } = self.closing;
        Journal::read(&path, laboratory, plan, &self.schema)
            .map(Some)
            .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))
    }

    /// The journal of what was run again, which is everything.
    fn remade(&self, rerun: Rerun<'_>) -> Result<Journal, Failure> {
        let Closing {
            laboratory, plan, ..
        } = self.closing;
        let remade = rerun.remade.into_journal(laboratory, plan, &self.schema);
        remade.map_err(Failure::failed)
    }

    /// Returns the defects of the journal: its first damaged lines, the number of further ones, and
    /// rows that are left over or out of order.
    fn damage(&self, journal: &Journal) -> Result<Vec<String>, Failure> {
        let mut damage = journal.damage.told();
        let sealed = journal.is_sealed(&self.path(), &self.schema);
        if damage.is_empty() && !sealed.map_err(|error| self.unreadable(&error))? {
            damage.push("blocks.csv: there are extra rows, or they are out of order".into());
        }
        Ok(damage)
    }

    fn unreadable(&self, error: &io::Error) -> Failure {
        Failure::failed(format!("{}: {error}", self.path().display()))
    }

    /// The blocks that the tables are made of; without a journal those that the manifest counts.
    fn stored_blocks<'a>(
        &'a self,
        journal: Option<&'a Journal>,
    ) -> Box<dyn Iterator<Item = Block> + 'a> {
        if let Some(journal) = journal {
            return Box::new(journal.hashed_blocks());
        }
        let mut left = self.manifest.samples_done;
        let counted = move |block: &Block| {
            let rest = left.checked_sub(block.samples);
            left = rest.unwrap_or(0);
            rest.is_some()
        };
        Box::new(self.closing.plan.blocks().take_while(counted))
    }

    /// Rebuilds every table from the journal and compares.
    fn remake(&self, journal: &Journal) -> Result<Vec<String>, Failure> {
        let unreadable = |error| self.unreadable(&error);
        let total = journal.total(self.closing.laboratory).map_err(unreadable)?;
        let mut files = self.closing.files(journal, total).map_err(unreadable)?;
        let config = self.closing.experiment.resolved_toml();
        files.push(("config.toml".into(), config.into_bytes()));
        let differing = files
            .iter()
            .filter(|(name, bytes)| !self.holds(name, bytes));
        let told = |(name, _): &(String, _)| format!("{name} differs from what the journal gives");
        let given: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        Ok(differing.map(told).chain(self.not_given(&given)).collect())
    }

    /// Returns whether a file has these bytes, or says the same.
    fn holds(&self, name: &str, bytes: &[u8]) -> bool {
        let path = self.folder.join(name);
        let hash = blake3::hash(bytes).to_hex().to_string();
        let found = || files::read(&path).unwrap_or_default();
        files::digest(&path).is_ok_and(|found| found == hash)
            || (name == Exhibit::FILE && is_same_story(&found(), bytes))
            || (name == "datapackage.json" && is_same_package(&found(), bytes))
    }

    /// The tables in the folder that are not among those that the experiment gives.
    fn not_given(&self, given: &[&str]) -> Vec<String> {
        let foreign = self
            .present_tables()
            .filter(|name| !given.contains(&name.as_str()));
        foreign
            .map(|name| format!("{name} is there, but the experiment gives no such table"))
            .collect()
    }

    /// The files in the folder that some runs have and others have not.
    fn present_tables(&self) -> impl Iterator<Item = String> {
        let names = OPTIONAL_TABLES.map(|table| format!("{table}.csv"));
        let is_there = |name: &String| self.folder.join(name).symlink_metadata().is_ok();
        names.into_iter().filter(is_there)
    }

    /// Tables that the experiment does not give, and a value that samples run again have and the
    /// histograms do not count as often.
    fn uncounted(&self, again: BlockTally) -> Vec<String> {
        let experiment = self.closing.experiment;
        let confidence = experiment.confidence();
        let outcome = Outcome::of(self.closing.laboratory, again, confidence);
        let tables = outcome_tables(experiment, self.closing.laboratory, &outcome, &[], "");
        let of_samples = WORK_TABLES.iter().filter(|_| experiment.keep_samples);
        let given = tables.iter().map(Table::name).chain(of_samples.copied());
        let given: Vec<String> = given.map(|table| format!("{table}.csv")).collect();
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let mut faults = self.not_given(&given);
        let table = tables.iter().find(|table| table.name() == "histograms");
        faults.extend(table.and_then(|table| self.too_few(table)));
        faults
    }

    /// A value that the stored histograms count less often than `table` does.
    fn too_few(&self, table: &Table) -> Option<String> {
        let stored = Records::open(&self.folder.join("histograms.csv")).ok();
        let stored = counts(stored.into_iter().flatten().map_while(Result::ok));
        let mut again = csv::Reader::from_reader(table.to_csv());
        let missing = counts(again.records().map_while(Result::ok))
            .into_iter()
            .find(|(place, count)| stored.get(place).is_none_or(|stored| stored < count));
        let ([cell, metric, value], _) = missing?;
        Some(format!(
            "histograms.csv counts the value {value} of {metric} in {cell} less often than it \
             occurs in the samples run again"
        ))
    }

    /// Tables of another run.
    fn unlisted_files(&self) -> Vec<String> {
        let names = self.present_tables().chain([Exhibit::FILE.to_owned()]);
        let is_there = |name: &String| self.folder.join(name).symlink_metadata().is_ok();
        let unlisted =
            names.filter(|name| is_there(name) && !self.manifest.files.contains_key(name));
        unlisted
            .map(|name| format!("{name} is not listed in manifest.json: the run did not write it"))
            .collect()
    }

    /// Files that are not those that were written.
    fn changed_files(&self, witness: Witness) -> Vec<String> {
        let found = fingerprint_files(self.folder).unwrap_or_default();
        let changed = self.manifest.files.iter().filter(|(name, hash)| {
            let skipped = witness == Witness::None && *name == "blocks.csv";
            !skipped && found.get(*name) != Some(hash)
        });
        changed
            .map(|(name, _)| format!("{name} is not the file that was written (its hash differs)"))
            .collect()
    }

    fn conclude(
        &self,
        again: u64,
        (witness, tables): (Witness, TableCheck),
        faults: &[String],
    ) -> Result<(), Failure> {
        let folder = self.folder.display();
        for fault in faults {
            note!("{folder}: {fault}");
        }
        let count = match faults.len() {
            0 => {
                note!(
                    "{folder}: sound; {} of each cell run again, {}",
                    report::counted(again, "sample"),
                    { told(witness, tables) }
                );
                if tables == TableCheck::AsWritten {
                    let all = self.manifest.samples_done;
                    note!("  to run all again and rebuild the tables: --samples {all}");
                }
                return Ok(());
            }
            1 => "one fault".to_owned(),
            more => format!("{more} faults"),
        };
        Err(Failure::failed(format!("{folder}: {count}"))
            .with_help("restore the folder from a copy, or repeat the run"))
    }
}

/// Returns whether two exhibits show the same, packed or not.
fn is_same_story(one: &[u8], other: &[u8]) -> bool {
    let both = Exhibit::parse(one).ok().zip(Exhibit::parse(other).ok());
    both.is_some_and(|(one, other)| one == other)
}

/// Describes the checks that were made and those that were skipped.
fn told(witness: Witness, tables: TableCheck) -> &'static str {
    match (witness, tables) {
        (_, TableCheck::Remade) => "all tables remade",
        (Witness::None, _) => {
            "each value is in the histograms; skipped: without blocks.csv, the tables were only \
             compared with their hashes, not rebuilt"
        }
        _ => {
            "each block matches its hash; skipped: blocks.csv holds only hashes, so the tables \
             were only compared with their hashes, not rebuilt"
        }
    }
}

/// Random blocks of `stored` with at least `samples` samples together, in index order.
fn choose(stored: impl Iterator<Item = Block>, samples: u64, seed: u64) -> BTreeSet<Block> {
    let mut stream = Streams::new(seed).key("verify").stream(samples);
    // The first ones in a random order of all.
    let mut chosen: BTreeSet<(u64, Block)> = BTreeSet::new();
    let mut together = 0;
    for block in stored {
        let place = below(&mut stream, u64::MAX);
        let last = chosen.last().map_or(0, |last| last.0);
        if together >= samples && place > last {
            continue;
        }
        chosen.insert((place, block));
        together += block.samples;
        while let Some((_, last)) = chosen.last()
            && together - last.samples >= samples
        {
            together -= last.samples;
            chosen.pop_last();
        }
    }
    chosen.into_iter().map(|(_, block)| block).collect()
}

/// The counts of the rows of a `histograms.csv`, by cell, metric and value.
fn counts(rows: impl Iterator<Item = csv::StringRecord>) -> BTreeMap<[String; 3], u64> {
    let row = |row: csv::StringRecord| {
        let place = [0, 1, 2].map(|column| row.get(column).unwrap_or_default().to_owned());
        Some((place, row.get(3)?.parse().ok()?))
    };
    rows.filter_map(row).collect()
}
