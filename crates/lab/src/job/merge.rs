//! Combines the shards of an experiment into the folder that one machine would have written.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::run::{Ended, Observer, StopReason};
use crate::store::{
    Exhibit, Journal, Manifest, RunFolder, STREAM_SCHEME, TALLIES, Union, missing_blocks,
};
use crate::tables::Timings;
use base::files;
use experiment::{Experiment, Overrides};

use super::difference::first_difference;
use super::final_tables::FinalTables;
use super::finished::FinishedRun;
use super::sources::read_folder;
use super::{Job, programs, read_manifest};
use base::Failure;
use task::Application;
use task::outside::Consent;

/// The shards of a run, to be merged into one folder.
pub struct MergeJob {
    job: Job,
    shards: Vec<ShardFolder>,
}

/// The folder of a shard, and what its manifest says.
struct ShardFolder {
    folder: PathBuf,
    manifest: Manifest,
}

impl MergeJob {
    /// Opens every folder once, and sees to it that none is being written. No folder is kept open:
    /// there may be more than a process may have open files.
    ///
    /// # Errors
    /// If a folder is given twice, is being written, or holds another experiment or version.
    pub fn open(
        app: &Application,
        folders: &[PathBuf],
        observer: &mut dyn Observer,
    ) -> Result<Self, Failure> {
        let mut seen = BTreeSet::new();
        let mut shards: Vec<ShardFolder> = Vec::new();
        let mut first: Option<Experiment> = None;
        for path in folders {
            if !seen.insert(files::canonicalize(path).unwrap_or_else(|_| path.clone())) {
                let message = format!("{}: the folder is given twice", path.display());
                return Err(Failure::usage(message).with_help("name every shard once"));
            }
            let experiment = read_folder(app, path, &Overrides::default(), observer)?;
            RunFolder::check_free(path)?;
            let help = "run this shard again, or continue it: etude run ... --resume";
            let shard = ShardFolder {
                manifest: read_manifest(path).map_err(|failure| failure.with_help(help))?,
                folder: path.clone(),
            };
            if let (Some(known), Some(leader)) = (&mut first, shards.first()) {
                check_like([&shard, leader], [&experiment, known], observer)?;
                known.go_on_from(&experiment);
            }
            first.get_or_insert(experiment);
            shards.push(shard);
        }
        let experiment = first.ok_or_else(|| Failure::usage("there is nothing to merge"))?;
        // All that went before the merge: the time and the sessions of all shards.
        let manifests = || shards.iter().map(|shard| &shard.manifest);
        let began = manifests().map(|manifest| manifest.started_unix).min();
        let mut job = Job::of_app(app, experiment)?;
        job.threads = manifests().map(|manifest| manifest.threads).sum();
        job.manifest.started_unix = began.unwrap_or_default();
        job.manifest.wall_seconds = manifests().map(|manifest| manifest.wall_seconds).sum();
        job.manifest.sessions = manifests().map(|manifest| manifest.sessions).sum();
        job.manifest.programs = programs::united(manifests().map(|manifest| &*manifest.programs));
        Ok(Self { job, shards })
    }

    /// Writes the merged run to the folder `out`; with `partial`, where blocks are missing, those
    /// before the first missing one.
    ///
    /// # Errors
    /// If blocks are missing or damaged, or the folder holds another run or cannot be written.
    pub fn write(
        mut self,
        out: &Path,
        partial: bool,
        observer: &mut dyn Observer,
    ) -> Result<FinishedRun, Failure> {
        self.job.folder = out.to_owned();
        let (union, ended) = self.unite(partial, observer)?;
        self.job.manifest.exit_reason = ended.clone();
        let folder = RunFolder::open(out)?;
        self.check_out(&folder, &union)?;
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
    fn unite(&self, partial: bool, observer: &mut dyn Observer) -> Result<(Union, Ended), Failure> {
        let plan = &self.job.plan;
        let (mut parts, schema) = (Vec::new(), self.job.schema());
        for shard in &self.shards {
            let journal = Journal::read(&shard.folder.join("blocks.csv"), &schema)?;
            tell_damage(shard, &journal, partial, observer)?;
            parts.push((shard.folder.clone(), journal));
        }
        let mut union = Union::of(parts)
            .map_err(|failure| failure.with_help("merge shards of one split into K"))?;
        let missing = union.missing(plan);
        let Some(hole) = missing.first().map(|gap| gap.start) else {
            let reason = if self.job.experiment.stop.looks() {
                StopReason::MaxSamples
            } else {
                StopReason::Samples
            };
            return Ok((union, Ended::Complete(reason)));
        };
        if !partial {
            let help = self.missing_shards(&missing);
            return Err(missing_blocks(&missing, plan.total_blocks()).with_help(help));
        }
        union.cut(hole);
        Ok((union, Ended::Interrupted))
    }

    /// Refuses to replace another run, or one that has come further.
    fn check_out(&self, folder: &RunFolder, union: &Union) -> Result<(), Failure> {
        let Some(config) = folder.config() else {
            return Ok(());
        };
        let path = folder.path().display();
        let what = if config != self.job.experiment.resolved_toml() {
            "another run"
        } else {
            let journal = self.job.journal_in(folder.path())?;
            let mut stored = journal.indices().iter();
            if stored.all(|&index| union.contains(index)) {
                return Ok(());
            }
            "more blocks"
        };
        Err(Failure::usage(format!("{path}: the folder holds {what}"))
            .with_help("choose another folder"))
    }

    /// Writes the folder, the manifest last.
    fn write_folder(
        &self,
        folder: &RunFolder,
        union: &Union,
        observer: &mut dyn Observer,
    ) -> Result<Manifest, Failure> {
        let (experiment, compiled) = (&self.job.experiment, &self.job.compiled);
        self.write_blocks(folder, union)?;
        let tables = FinalTables {
            exhibit: compiled.is_external().then(|| self.stored_exhibit()),
            ..FinalTables::of(&self.job)
        };
        let journal = self.job.journal_in(folder.path())?;
        let tallies = journal.tallies().map_err(Failure::failed)?;
        tables.write(folder, &journal, tallies, observer)?;
        let mut timings = Timings::new(experiment.cell_names());
        for shard in &self.shards {
            timings.add_earlier(&shard.folder.join("timings.csv"));
        }
        folder.write("timings.csv", &timings.to_csv())?;
        // Whoever made all shards here has made what they are together.
        let shards = self.shards.iter().map(|shard| &*shard.folder);
        let asked = programs::programs(experiment);
        if let Ok(consent) = Consent::ask(asked, &shards.collect::<Vec<_>>(), None, false) {
            consent.note(folder.path());
        }
        let done = union.samples(&self.job.plan);
        self.job.write_manifest(folder, done)
    }

    /// Writes the experiment, the journal, and the samples where they are kept.
    fn write_blocks(&self, folder: &RunFolder, union: &Union) -> Result<(), Failure> {
        let (experiment, schema) = (&self.job.experiment, self.job.schema());
        folder.write("config.toml", experiment.resolved_toml().as_bytes())?;
        folder.remove(TALLIES)?;
        let mut rows = BTreeMap::new();
        if experiment.keeps_samples() {
            let (path, plan) = (folder.file("samples.csv"), &self.job.plan);
            let written = union.write_samples(&path, plan, &self.job.sample_table());
            rows = written.map_err(Failure::failed)?;
        }
        let written = union.write_journal(&folder.file("blocks.csv"), &schema, &rows);
        written.map_err(Failure::failed)
    }

    /// The exhibit that a shard has made; nothing where none has.
    fn stored_exhibit(&self) -> Vec<u8> {
        let mut paths = self
            .shards
            .iter()
            .map(|shard| shard.folder.join(Exhibit::FILE));
        let exhibit = paths.find_map(|path| files::read(&path).ok());
        exhibit.unwrap_or_default()
    }

    /// Returns the shards to make or finish, if all folders hold shards of one division.
    fn missing_shards(&self, missing: &[Range<u64>]) -> String {
        let advice = "; or --allow-partial merges the samples before the first hole";
        let mut counts = self.shards.iter().map(|shard| shard.manifest.shard.count());
        let count = counts.next().unwrap_or(1);
        if counts.any(|other| other != count) {
            return format!("run the missing shards{advice}");
        }
        // Blocks are dealt in turn, so the first of a gap tell which shards it is of.
        let length = usize::try_from(count).unwrap_or(usize::MAX);
        let blocks = missing.iter().flat_map(|gap| gap.clone().take(length));
        let shards: BTreeSet<u64> = blocks.map(|block| block % count + 1).collect();
        let names: Vec<String> = shards.iter().map(|i| format!("{i}/{count}")).collect();
        format!("run or resume the shards {}{advice}", names.join(", "))
    }
}

/// Refuses a shard of another experiment than the first, or by a program that draws otherwise.
fn check_like(
    shards: [&ShardFolder; 2],
    experiments: [&Experiment; 2],
    observer: &mut dyn Observer,
) -> Result<(), Failure> {
    let [path, first] = shards.map(|shard| shard.folder.display());
    let [mine, theirs] = experiments.map(without_extensions);
    if mine.resolved_toml() != theirs.resolved_toml() {
        let differing = first_difference(&mine, &theirs);
        return Err(Failure::usage(format!(
            "{path} holds a different experiment from {first}: {differing}"
        ))
        .with_help("merge folders of one experiment, seed and number of samples"));
    }
    let manifests = shards.map(|shard| &shard.manifest);
    let [mine, theirs] = manifests.map(|one| format!("{}, {}", one.versions(), one.stream_scheme));
    if mine != theirs || manifests[0].stream_scheme != STREAM_SCHEME {
        return Err(Failure::usage(format!(
            "{path} was made by a different version from {first} ({mine} instead of {theirs})"
        ))
        .with_help("run all shards with one version, and merge with the same"));
    }
    let outs = manifests.map(|one| one.programs.iter().map(|program| program.out.is_empty()));
    let [mine, theirs] = outs;
    if !mine.eq(theirs) {
        return Err(Failure::usage(format!(
            "{path}: a player took part in this shard, and not in {first}, or the other way round"
        ))
        .with_help("run the shard that lacks it again; the manifest of each says why"));
    }
    let [mine, theirs] = manifests.map(|one| (&one.git_revision, &one.build));
    if mine != theirs {
        observer.warning(&format!(
            "{path} was made by another build of the program than {first}"
        ));
    }
    Ok(())
}

/// The experiment as if it had never been extended: a shard that was and one made later are still
/// of one experiment.
fn without_extensions(experiment: &Experiment) -> Experiment {
    let mut plain = experiment.clone();
    plain.file.extended_from.clear();
    let claims = plain.claims.iter_mut();
    claims.for_each(|claim| claim.written.post_hoc = false);
    plain
}

/// Reports the damaged rows of a shard, which are gaps; refuses them unless the merge may be partial.
fn tell_damage(
    shard: &ShardFolder,
    journal: &Journal,
    partial: bool,
    observer: &mut dyn Observer,
) -> Result<(), Failure> {
    for damage in journal.damage.told() {
        let message = format!("{}: {damage}", shard.folder.display());
        if !partial {
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
