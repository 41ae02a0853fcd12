//! Combines the shards of an experiment into the folder that one machine would have written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::run::{
    BlockTally, CompiledExperiment, Ended, Observer, Plan, Shard, StopReason, is_look, settled,
};
use crate::store::{Journal, Manifest, RunFolder, Stored, TALLIES, Union, missing_samples};
use crate::tables::{TimingRow, Timings};
use base::files;
use experiment::{Experiment, Overrides};

use super::alike::{check_like, joined, unextended};
use super::final_tables::FinalTables;
use super::finished::FinishedRun;
use super::sources::read_folder;
use super::{Job, programs};
use base::Failure;
use task::Application;
use task::outside::Consent;

/// The table of what the cells took.
const TIMINGS: &str = "timings.csv";

/// The shards of a run, to be merged into one folder.
pub struct MergeJob {
    job: Job,
    shards: Vec<Stored>,
    /// True if this user made every shard here, with the programs that it names.
    is_own: bool,
}

/// The decision of an experiment's rule on the samples that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaveDecision {
    /// The reason for which the run ends; `None` if it goes on.
    pub reason: Option<StopReason>,
    /// The samples of each cell that the run ends with, or that are there so far.
    pub samples: u64,
}

/// The times of a shard's cells: none where its four files were copied without them, or where it was killed while it
/// ended, when it may have written its times and not their hash.
fn times(shard: &Stored) -> Result<Vec<TimingRow>, Failure> {
    match shard.rows() {
        Err(_) if shard.is_open() || !shard.folder.join(TIMINGS).exists() => Ok(Vec::new()),
        rows => rows,
    }
}

/// Refuses a folder whose contents cannot be joined with those of others: the times of a race, which are one machine's,
/// and the sums of an archive, which are all that is left of its blocks.
fn check_mergeable(folder: &Path, experiment: &Experiment) -> Result<(), Failure> {
    let path = folder.display();
    if experiment.is_race() {
        let message = format!("{path}: the folder holds a benchmark, and its times would be lost");
        let help = "race all instances in one folder: etude bench FILE --resume";
        return Err(Failure::usage(message).with_help(help));
    }
    if folder.join(TALLIES).is_file() {
        let message = format!("{path}: the run is archived, and its blocks are gone");
        let help = "merge a copy that was not archived, or draw it again: etude run FILE --force";
        return Err(Failure::usage(message).with_help(help));
    }
    Ok(())
}

impl MergeJob {
    /// Opens every folder once, and sees to it that none is being written. No folder is kept open:
    /// there may be more than a process may have open files.
    ///
    /// # Errors
    /// If a folder is being written, or holds another experiment or version.
    pub fn open(
        app: &Application,
        folders: &[PathBuf],
        observer: &mut dyn Observer,
    ) -> Result<Self, Failure> {
        let mut seen = BTreeSet::new();
        let (mut shards, mut is_own) = (Vec::<(Stored, Experiment)>::new(), true);
        for path in folders {
            if !seen.insert(files::canonicalize(path).unwrap_or_else(|_| path.clone())) {
                continue;
            }
            let experiment = read_folder(app, path, &Overrides::default(), observer)?;
            RunFolder::check_free(path)?;
            let help = "run this shard again, or continue it: etude run ... --resume";
            check_mergeable(path, &experiment)?;
            let shard = Stored::open(path).map_err(|failure| failure.with_help(help))?;
            shard.check(|name| name == "config.toml")?;
            if let Some((leader, first)) = shards.first() {
                check_like([&shard, leader], [&experiment, first], observer)?;
            }
            // Each names its programs where it was made.
            is_own = is_own
                && Consent::ask(programs::programs(&experiment), &[path], None, false).is_ok();
            shards.push((shard, experiment));
        }
        let (shards, experiments): (Vec<_>, Vec<_>) = shards.into_iter().unzip();
        let experiment =
            joined(&experiments).ok_or_else(|| Failure::usage("there is nothing to merge"))?;
        // All that went before the merge: the time and the sessions of all shards.
        let manifests = || shards.iter().map(|shard| &shard.manifest);
        let began = manifests().map(|manifest| manifest.started_unix).min();
        let mut job = Job::of_app(app, experiment)?;
        job.threads = manifests().map(|manifest| manifest.threads).sum();
        job.manifest.started_unix = began.unwrap_or_default();
        job.manifest.wall_seconds = manifests().map(|manifest| manifest.wall_seconds).sum();
        job.manifest.sessions = manifests().map(|manifest| manifest.sessions).sum();
        job.manifest.programs = programs::united(manifests().map(|manifest| &*manifest.programs));
        Ok(Self {
            job,
            shards,
            is_own,
        })
    }

    /// Looks at the blocks that are there without a gap as one machine would have looked at them.
    ///
    /// # Errors
    /// If a journal cannot be read, or shards hold the same block differently.
    pub fn decide(&self, observer: &mut dyn Observer) -> Result<WaveDecision, Failure> {
        let (union, ended) = self.unite(Missing::Kept, observer)?;
        Ok(WaveDecision {
            reason: ended.completed(),
            samples: union.samples(),
        })
    }

    /// Writes the merged run to the folder `out`; with `partial`, where blocks are missing, those that are there:
    /// of a run that may stop early, those before the first missing one.
    ///
    /// # Errors
    /// If blocks are missing or damaged, shards hold the same block differently, or the folder holds another run or
    /// cannot be written.
    pub fn write(
        mut self,
        out: &Path,
        partial: bool,
        observer: &mut dyn Observer,
    ) -> Result<FinishedRun, Failure> {
        self.job.folder = out.to_owned();
        let missing = if partial {
            Missing::Kept
        } else {
            Missing::Refused
        };
        let (union, ended) = self.unite(missing, observer)?;
        if ended == Ended::Interrupted {
            observer.note(&self.lacking(&union).to_string());
        }
        self.job.plan = *union.plan();
        self.job.manifest.exit_reason = ended.clone();
        let folder = RunFolder::open(out)?;
        self.go_on_from_out(&folder, &union)?;
        match self.write_folder(&folder, &union, observer) {
            Ok(manifest) => self.job.manifest = manifest,
            Err(failure) => {
                remove_half_made(folder);
                return Err(failure);
            }
        }
        Ok(FinishedRun {
            job: self.job,
            ended,
        })
    }

    /// The blocks that a run on one machine would have stored so far, and how it would have ended.
    fn unite(&self, wish: Missing, observer: &mut dyn Observer) -> Result<(Union, Ended), Failure> {
        let plan = &self.job.plan;
        let looks = self.job.experiment.stop.looks();
        let (mut parts, schema) = (Vec::new(), self.job.schema());
        for shard in &self.shards {
            let journal = Journal::read(&shard.folder.join("blocks.csv"), &schema)?;
            tell_damage(shard, &journal, wish, observer)?;
            parts.push((shard.folder.clone(), journal));
        }
        let mut union = Union::of(parts, plan)?;
        if let Some((reason, next)) = self.first_settled(&union)? {
            union.cut(next);
            return Ok((union, Ended::Complete(reason)));
        }
        let Some(hole) = union.first_missing() else {
            let reason = if looks {
                StopReason::MaxSamples
            } else {
                StopReason::Samples
            };
            return Ok((union, Ended::Complete(reason)));
        };
        if wish == Missing::Refused {
            return Err(self.lacking(&union));
        }
        if looks {
            union.cut(hole);
        } else {
            union = most_samples(union);
        }
        Ok((union, Ended::Interrupted))
    }

    /// The first look at which the rule of the experiment ends the run, with the block that comes after it.
    fn first_settled(&self, union: &Union) -> Result<Option<(StopReason, u64)>, Failure> {
        let (experiment, compiled) = (&self.job.experiment, &self.job.compiled);
        if !experiment.stop.looks() {
            return Ok(None);
        }
        let (mut tally, mut done) = (BlockTally::new(compiled), 0);
        for block in union.blocks() {
            let (block, own) = block?;
            if block.first != done {
                break;
            }
            tally.merge(&own);
            done = block.range().end;
            if is_look(done, self.job.plan.samples())
                && let Some(reason) = settled(experiment, compiled, &tally)
            {
                return Ok(Some((reason, block.index + 1)));
            }
        }
        Ok(None)
    }

    /// Goes on from the run that the folder holds, whose numbers may have been seen.
    ///
    /// # Errors
    /// If it is another run, or has come further.
    fn go_on_from_out(&mut self, folder: &RunFolder, union: &Union) -> Result<(), Failure> {
        let Some(stored) = self.job.stored_in(folder)? else {
            return Ok(());
        };
        let refuse = |what: &str| {
            let path = folder.path().display();
            let message = format!("{path}: the folder holds {what}");
            Err(Failure::usage(message).with_help("choose another folder"))
        };
        if !unextended(&stored).is_same(&unextended(&self.job.experiment)) {
            return refuse("another run");
        }
        let shard = Manifest::read(&folder.file("manifest.json")).map(|manifest| manifest.shard);
        if let Some(shard) = shard
            .ok()
            .filter(|shard| !shard.is_whole() && !shard.is_partial())
        {
            return refuse(&format!(
                "shard {shard}, in whose place the whole would stand"
            ));
        }
        if Plan::of(&stored).samples() > self.job.plan.samples() {
            return refuse("a larger run, whose samples would be lost");
        }
        let journal = self.job.journal_in(folder.path())?;
        let mut rows = journal.pieces();
        if !rows.all(|(samples, _)| union.covers(&samples)) {
            return refuse("more blocks");
        }
        self.job.experiment.go_on_from(&stored);
        let compiled = CompiledExperiment::of_experiment(&self.job.experiment)?;
        self.job.compiled = Arc::new(compiled);
        Ok(())
    }

    /// Writes the folder, the manifest last.
    fn write_folder(
        &mut self,
        folder: &RunFolder,
        union: &Union,
        observer: &mut dyn Observer,
    ) -> Result<Manifest, Failure> {
        let (experiment, compiled) = (&self.job.experiment, &self.job.compiled);
        self.write_blocks(folder, union)?;
        let tables = FinalTables {
            exhibit: compiled
                .is_external()
                .then(|| self.stored_exhibit())
                .transpose()?,
            ..FinalTables::of(&self.job)
        };
        let journal = self.job.journal_in(folder.path())?;
        let tallies = journal.tallies().map_err(Failure::failed)?;
        tables.write(folder, &journal, tallies, observer)?;
        let mut timings = Timings::new(experiment.cell_names());
        for shard in &self.shards {
            timings.add_earlier(times(shard)?);
        }
        folder.write(TIMINGS, &timings.to_csv())?;
        // Whoever made all shards here has made what they are together.
        if self.is_own {
            let asked = programs::programs(experiment);
            Consent::ask(asked, &[], None, true)?.note(folder.path());
        }
        let done = union.samples();
        let limits = self.job.limits(&journal)?;
        self.job.manifest.settled = self.job.settled(&limits, done);
        self.job.write_manifest(folder, done)
    }

    /// Writes the experiment, the journal, and the samples where they are kept.
    fn write_blocks(&self, folder: &RunFolder, union: &Union) -> Result<(), Failure> {
        let (experiment, schema) = (&self.job.experiment, self.job.schema());
        folder.write("config.toml", experiment.resolved_toml().as_bytes())?;
        folder.remove(TALLIES)?;
        let mut rows = BTreeMap::new();
        if experiment.keeps_samples() {
            let path = folder.file("samples.csv");
            let written = union.write_samples(&path, &self.job.sample_table());
            rows = written.map_err(Failure::failed)?;
        }
        let written = union.write_journal(&folder.file("blocks.csv"), &schema, &rows);
        written.map_err(Failure::failed)
    }

    /// The exhibit that a shard has made; nothing where none has.
    fn stored_exhibit(&self) -> Result<Vec<u8>, Failure> {
        let exhibits = self.shards.iter().map(Stored::exhibit);
        let exhibit = exhibits.filter_map(Result::transpose).next().transpose()?;
        Ok(exhibit.map_or_else(Vec::new, |exhibit| exhibit.to_json()))
    }

    /// The failure of shards that lack blocks.
    fn lacking(&self, union: &Union) -> Failure {
        let missing = union.missing_samples();
        let first = missing.first().map_or(0, |gap| gap.start);
        let shards = self.missing_shards(union, first);
        let of = shards.map_or_else(String::new, |shards| format!(" (shards {shards})"));
        let kept = if self.job.experiment.stop.looks() {
            "the samples before the first hole"
        } else {
            "the blocks that are there"
        };
        let help = format!("run or resume the missing shards; or --allow-partial merges {kept}");
        missing_samples(&missing, union.plan().samples(), &of).with_help(help)
    }

    /// Returns the shards to make or finish, if all folders hold shards of one division; nothing is missing before
    /// sample `first`.
    fn missing_shards(&self, union: &Union, first: u64) -> Option<String> {
        let mut counts = self.shards.iter().map(|shard| shard.manifest.shard.count());
        let count = counts.next().filter(|&count| count > 1)?;
        if counts.any(|other| other != count) {
            return None;
        }
        let lacks = |shard: &Shard| {
            let own = self.job.plan.with_shard(shard.with_first(first));
            own.blocks().any(|block| !union.has(&block.range()))
        };
        let all = (0..count).filter_map(|index| Shard::new(index, count));
        let names: Vec<String> = all.filter(lacks).map(|shard| shard.to_string()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }
}

/// The wish for blocks that are in none of the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    /// They are refused.
    Refused,
    /// The others are kept.
    Kept,
}

/// The union with the blocks of an undivided run or those of shards: whichever are more samples where some are
/// missing.
fn most_samples(union: Union) -> Union {
    let (samples, plan) = (union.samples(), *union.plan());
    let dealt = union.cut_as(&plan.with_shard(Shard::PARTIAL));
    if dealt.samples() < samples {
        return dealt.cut_as(&plan);
    }
    dealt
}

/// Reports the damaged rows of a shard, which are gaps; refuses them unless the merge may be partial.
fn tell_damage(
    shard: &Stored,
    journal: &Journal,
    wish: Missing,
    observer: &mut dyn Observer,
) -> Result<(), Failure> {
    for damage in journal.damage.told() {
        let message = format!("{}: {damage}", shard.folder.display());
        if wish == Missing::Refused {
            return Err(Failure::failed(message)
                .with_help("run this shard again with --resume: damaged blocks are run again"));
        }
        observer.warning(&message);
    }
    Ok(())
}

/// Takes away what a merge that failed has written into a folder that was empty.
fn remove_half_made(folder: RunFolder) {
    if folder.config().is_some() {
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
