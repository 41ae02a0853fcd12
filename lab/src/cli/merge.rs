//! `etude merge`: combines the shards of an experiment into the folder that one machine would have
//! written.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::config::Experiment;
use crate::files;
use crate::harness::{Ended, Laboratory, Plan, Shard, StopReason, first_settled};
use crate::output::{
    Exhibit, FolderError, FolderState, Journal, JournalSchema, Manifest, MergeError, PartFolder,
    RunFolder, Timings, Union, journal_in,
};
use clap::Args;

use super::closing::{self, Circumstances, Closing};
use super::experiment::{laboratory, load_from_folder};
use super::failure::Failure;
use super::program::Program;
use super::report;
use super::shard_folder::ShardFolder;
use super::{made_here, programs};

/// Merge the shards of an experiment
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude merge results/klondike-casino shards/1 shards/2 shards/3
  etude merge --out results/klondike-casino shards/*

The folders may come in any order. merge refuses different configurations, a shard given twice, and
missing blocks. Except for the manifest and the timings, the result has the bytes of a run on one
machine.

For a run that may stop early, merge checks the stop rule as a local run would, and keeps what that
would have kept. Exit code 75: undecided; continue the shards and merge again.")]
pub struct MergeArguments {
    /// The folder to write, unless --out names it, and the folders that the shards wrote
    #[arg(required = true, value_name = "[OUT] SHARD_DIR")]
    folders: Vec<PathBuf>,
    /// The folder to write; all others are then shards
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Where blocks are missing, merge those before the first missing one
    #[arg(long)]
    allow_partial: bool,
    /// No summary
    #[arg(long, short)]
    quiet: bool,
}

impl MergeArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let began = SystemTime::now();
        let (out, shards) = self.folders()?;
        let (bench, shards) = open_shards(program, shards)?;
        let (union, ended) = bench.unite(&shards, self.allow_partial)?;
        let done = union.samples(&bench.plan);
        let folder = RunFolder::open(out)?;
        bench.check_out(&folder, &union)?;
        if let Err(failure) = bench.write(&folder, &shards, &union, &ended, began) {
            remove_half_made(folder);
            return Err(failure);
        }
        if !self.quiet {
            report::print(out)?;
        }
        match ended {
            Ended::Complete if bench.experiment.stop.looks() => Err(closing::inconclusive(done)),
            Ended::WaveEnd => Err(undecided(done)),
            _ => Ok(()),
        }
    }

    /// The folder to write and the shards: the first of all folders is written unless `--out` names
    /// another. A shard there was hardly meant.
    fn folders(&self) -> Result<(&Path, &[PathBuf]), Failure> {
        let (out, shards) = match (&self.out, self.folders.as_slice()) {
            (Some(out), shards) => return Ok((out, shards)),
            (None, [out, shards @ ..]) => (out, shards),
            (None, []) => return Err(Failure::usage("there is nothing to merge")),
        };
        let manifest = Manifest::read(&out.join("manifest.json")).ok();
        if let Some(shard) = manifest.map(|manifest| manifest.shard)
            && !shard.is_whole()
        {
            let path = out.display();
            return Err(Failure::usage(format!(
                "which folder shall the merged run be written to? {path} holds shard {shard}"
            ))
            .with_help("name it first, or with --out"));
        }
        if shards.is_empty() {
            return Err(Failure::usage("there are no shards to merge")
                .with_help("name the folder to write first, then the folders of the shards"));
        }
        Ok((out, shards))
    }
}

/// Opens every folder once, and sees to it that none is being written. No folder is kept open:
/// there may be more than a process may have open files.
fn open_shards(
    program: &Program,
    folders: &[PathBuf],
) -> Result<(Bench, Vec<ShardFolder>), Failure> {
    let mut seen = BTreeSet::new();
    let mut shards: Vec<ShardFolder> = Vec::new();
    let mut first: Option<Experiment> = None;
    for path in folders {
        if !seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            let message = format!("{}: the folder is given twice", path.display());
            return Err(Failure::usage(message).with_help("name every shard once"));
        }
        let experiment = load_from_folder(program, path)?;
        let shard = ShardFolder::open(path)?;
        if let (Some(known), Some(leader)) = (&mut first, shards.first()) {
            shard.check_like(leader, (&experiment, known))?;
            known.go_on_from(&experiment);
        }
        first.get_or_insert(experiment);
        shards.push(shard);
    }
    let experiment = first.ok_or_else(|| Failure::usage("there is nothing to merge"))?;
    let bench = Bench {
        program: *program,
        laboratory: laboratory(&experiment)?,
        plan: Plan::of(&experiment),
        experiment,
    };
    Ok((bench, shards))
}

/// Takes away what a merge that failed has written into a folder that was empty.
fn remove_half_made(folder: RunFolder) {
    if *folder.state() != FolderState::Empty {
        return;
    }
    let path = folder.path().to_owned();
    for entry in std::fs::read_dir(&path).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let _ = folder.remove(&name.to_string_lossy());
    }
    drop(folder);
    let _ = std::fs::remove_dir(path);
}

/// The parts that all shards of a run have in common.
struct Bench {
    program: Program,
    experiment: Experiment,
    laboratory: Arc<Laboratory>,
    plan: Plan,
}

impl Bench {
    /// The blocks that a run on one machine would have stored so far, and how it would have ended.
    fn unite(&self, shards: &[ShardFolder], partial: bool) -> Result<(Union, Ended), Failure> {
        let parts = shards.iter().map(|shard| self.part(shard, partial));
        let mut union = Union::of(parts.collect::<Result<_, _>>()?)
            .map_err(|error| refused(error, "merge shards of one split into K"))?;
        if let Some((end, reason)) = self.first_settled(&union)? {
            union.cut(end);
            return Ok((union, Ended::Settled(reason)));
        }
        let missing = union.missing(&self.plan);
        let Some(hole) = missing.first().map(|gap| gap.start) else {
            return Ok((union, Ended::Complete));
        };
        let wave = self.experiment.stop.looks() && union.ends_at(hole);
        if !wave && !partial {
            let help = missing_shards(shards, &missing);
            let planned = self.plan.total_blocks();
            return Err(refused(MergeError::Holes { missing, planned }, help));
        }
        union.cut(hole);
        let ended = if wave {
            Ended::WaveEnd
        } else {
            Ended::Interrupted
        };
        Ok((union, ended))
    }

    /// The look at which one machine would have stopped.
    fn first_settled(&self, union: &Union) -> Result<Option<(u64, StopReason)>, Failure> {
        if !self.experiment.stop.looks() {
            return Ok(None);
        }
        let blocks = union.blocks(&self.laboratory);
        first_settled(&self.experiment, &self.laboratory, &self.plan, blocks)
            .map_err(Failure::failed)
    }

    /// The blocks of a shard. A damaged row is a gap, and is reported.
    fn part(&self, shard: &ShardFolder, partial: bool) -> Result<PartFolder, Failure> {
        let journal = self.journal(&shard.folder)?;
        let damaged = journal.damage.told();
        for damage in &damaged {
            let message = format!("{}: {damage}", shard.path());
            if !partial {
                return Err(Failure::failed(message).with_help(
                    "run this shard again with --resume: damaged blocks are run again",
                ));
            }
            warning!("{message}");
        }
        Ok(PartFolder {
            folder: shard.folder.clone(),
            journal,
        })
    }

    fn journal(&self, folder: &Path) -> Result<Journal, FolderError> {
        journal_in(folder, &self.laboratory, &self.plan, &self.schema())
    }

    fn schema(&self) -> JournalSchema {
        JournalSchema::of(&self.experiment, &self.laboratory)
    }

    /// Refuses to replace another run, or one that has come further.
    fn check_out(&self, folder: &RunFolder, union: &Union) -> Result<(), Failure> {
        let FolderState::Run { config } = folder.state() else {
            return Ok(());
        };
        let other = *config != self.experiment.resolved_toml();
        let more = |journal: Journal| {
            let mut stored = journal.indices().iter();
            stored.any(|&index| !union.contains(index))
        };
        if other || more(self.journal(folder.path())?) {
            let path = folder.path().display();
            let what = if other { "another run" } else { "more blocks" };
            return Err(Failure::usage(format!("{path}: the folder holds {what}"))
                .with_help("choose another folder"));
        }
        Ok(())
    }

    /// Writes the folder, the manifest last.
    fn write(
        &self,
        folder: &RunFolder,
        shards: &[ShardFolder],
        union: &Union,
        ended: &Ended,
        began: SystemTime,
    ) -> Result<(), Failure> {
        let exit = closing::exit(ended, &self.experiment, &self.program);
        self.write_blocks(folder, union)?;
        let closing = Closing {
            experiment: &self.experiment,
            laboratory: &self.laboratory,
            plan: &self.plan,
            exit: &exit,
            exhibit: (self.laboratory.is_external()).then(|| stored_exhibit(shards)),
            samples: closing::kept_samples(folder.path(), &self.experiment, &self.laboratory)?,
        };
        let journal = self.journal(folder.path())?;
        let total = journal.total(&self.laboratory).map_err(Failure::failed)?;
        closing.write(folder, &journal, total)?;
        folder.write("timings.csv", &self.timings(shards).to_csv())?;
        let circumstances = Circumstances {
            program: self.program,
            earlier: Some(earlier(shards)),
            began,
            threads: shards.iter().map(|shard| shard.manifest.threads).sum(),
            shard: Shard::WHOLE,
            samples_done: union.samples(&self.plan),
            samples_planned: self.plan.samples(),
            exit,
        };
        let programs = programs::identities(&self.experiment);
        let made_here = |shard: &ShardFolder| made_here::is_noted(&shard.folder, &programs);
        if shards.iter().all(made_here) {
            made_here::note(folder.path(), &programs);
        }
        let manifest = circumstances.manifest(&self.experiment, folder.path());
        Ok(folder.write("manifest.json", &manifest.to_json())?)
    }

    /// Writes what was asked, the journal, and the samples where they are kept.
    fn write_blocks(&self, folder: &RunFolder, union: &Union) -> Result<(), Failure> {
        folder.write("config.toml", self.experiment.resolved_toml().as_bytes())?;
        let mut rows = BTreeMap::new();
        if self.experiment.keep_samples {
            rows = union
                .write_samples(&folder.file("samples.csv"), &self.laboratory, &self.plan)
                .map_err(Failure::failed)?;
        }
        let path = folder.file("blocks.csv");
        let plan = (&self.plan, &rows);
        union
            .write_journal(&path, &self.schema(), &self.laboratory, plan)
            .map_err(Failure::failed)
    }

    fn timings(&self, shards: &[ShardFolder]) -> Timings {
        let mut timings = Timings::new(self.experiment.cell_names());
        for shard in shards {
            timings.add_earlier(&shard.folder.join("timings.csv"));
        }
        timings
    }
}

/// The exhibit that a shard has made; nothing where none has.
fn stored_exhibit(shards: &[ShardFolder]) -> Vec<u8> {
    let paths = shards.iter().map(|shard| shard.folder.join(Exhibit::FILE));
    let mut found = paths.filter_map(|path| files::read(&path).ok());
    found.next().unwrap_or_default()
}

fn refused(error: MergeError, help: impl Into<String>) -> Failure {
    Failure::failed(error).with_help(help)
}

/// The shards go no further yet, and their question is open.
fn undecided(samples: u64) -> Failure {
    Failure::interrupted(format!(
        "undecided after {samples} samples of each cell: the shards must continue"
    ))
    .with_help(format!(
        "run every shard with --resume --until {}, then merge again",
        samples.saturating_mul(2)
    ))
}

/// All that went before the merge: the time and the sessions of all shards.
fn earlier(shards: &[ShardFolder]) -> Manifest {
    let manifests = || shards.iter().map(|shard| &shard.manifest);
    Manifest {
        started_unix: manifests().map(|m| m.started_unix).min().unwrap_or(0),
        wall_seconds: manifests().map(|m| m.wall_seconds).sum(),
        sessions: manifests().map(|m| m.sessions).sum(),
        ..Manifest::default()
    }
}

/// Returns the shards to make or finish, if all folders hold shards of one division.
fn missing_shards(shards: &[ShardFolder], missing: &[Range<u64>]) -> String {
    let advice = "; or --allow-partial merges the samples before the first hole";
    let mut counts = shards.iter().map(|shard| shard.manifest.shard.count());
    let count = counts.next().unwrap_or(1);
    if counts.any(|other| other != count) {
        return format!("run the missing shards{advice}");
    }
    // Blocks are dealt in turn, so the first of a gap tell which shards it is of.
    let first = |gap: &Range<u64>| {
        gap.clone()
            .take(usize::try_from(count).unwrap_or(usize::MAX))
    };
    let shards: BTreeSet<u64> = missing
        .iter()
        .flat_map(first)
        .map(|b| b % count + 1)
        .collect();
    let names: Vec<String> = shards.iter().map(|i| format!("{i}/{count}")).collect();
    format!("run or resume the shards {}{advice}", names.join(", "))
}
