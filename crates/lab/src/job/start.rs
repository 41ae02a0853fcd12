//! Refusals before the first sample: of a folder whose run would be lost. A complete run is not drawn again unless the user asks for it.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::run::{CompiledExperiment, Observer, Plan, Silent, StopReason};
use crate::store::{Manifest, RunFolder};
use base::files::{self, LONGEST_LINE, Lines};
use base::{count, counted};
use experiment::{Experiment, Overrides};

use super::difference::{CellChange, difference_of_samples};
use super::sources::read_folder;
use super::{ChosenBlocks, Job, programs};
use base::Failure;
use task::outside::Consent;

/// The wish for a run that is in the folder already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResumeMode {
    /// Leave it as it is.
    #[default]
    Keep,
    /// Go on with it: draw the missing samples and rebuild the tables.
    Resume,
    /// Start over; its samples are lost.
    StartOver,
}

impl ResumeMode {
    /// The wish of someone who says `--resume` or `--force`.
    pub fn of(resume: bool, force: bool) -> Self {
        match (resume, force) {
            (true, _) => ResumeMode::Resume,
            (_, true) => ResumeMode::StartOver,
            _ => ResumeMode::Keep,
        }
    }
}

/// The samples that prove that changed programs draw what they drew.
const PROVEN: u64 = 200;

impl Job {
    /// The experiment of the run in the folder; `None` where it holds none.
    pub(super) fn stored_in(&self, folder: &RunFolder) -> Result<Option<Experiment>, Failure> {
        let Some(config) = folder.config() else {
            return Ok(None);
        };
        let task = &self.experiment.task;
        let is_known = self.experiment.command.is_some() || self.app.task(&task.name).is_some();
        let stored = if is_known {
            read_folder(&self.app, folder.path(), &Overrides::default(), &mut Silent)
        } else {
            Experiment::of_task(task.clone(), config).map_err(Failure::from)
        };
        let path = folder.path().display();
        let unreadable = || Failure::usage(format!("{path}: its config.toml cannot be read"));
        stored.map(Some).map_err(|_| unreadable())
    }

    /// Refuses folders that hold another experiment, or a run that would be lost. Returns the reason for
    /// which the run is complete already, if its tables say what the file asks.
    pub(super) fn decide(
        &self,
        folder: &RunFolder,
        (stored, change): (Option<&Experiment>, Option<&CellChange>),
        earlier: Option<&Manifest>,
    ) -> Result<Option<StopReason>, Failure> {
        let (Some(config), Some(stored)) = (folder.config(), stored) else {
            return Ok(None);
        };
        let changed = difference_of_samples(stored, &self.experiment);
        let foreign = changed.as_deref().filter(|_| change.is_none());
        self.check_same(folder, (stored, foreign), (earlier, changed.is_none()))?;
        if self.mode == ResumeMode::StartOver {
            return Ok(None);
        }
        let reason = earlier.and_then(|manifest| manifest.exit_reason.completed());
        let changed = changed.map_or_else(String::new, |change| format!(": {change}"));
        let (stored, asked) = (Plan::of(stored).samples(), self.plan.samples());
        let same = config == self.experiment.resolved_toml();
        let samples = count(stored);
        let (state, help) = match (self.mode, reason) {
            _ if stored > asked => (
                format!(
                    "a larger run of this experiment: {samples} samples of each cell, but {} were \
                     requested",
                    count(asked)
                ),
                "keep the number of samples, or choose another folder with --out",
            ),
            (ResumeMode::Resume, _) => return Ok(None),
            (_, Some(reason)) if same => return Ok(Some(reason)),
            (_, Some(_)) => (
                format!(
                    "a complete run of {samples} samples of each cell, and the experiment has \
                     changed since{changed}"
                ),
                "--resume keeps its samples, draws missing ones and rebuilds the tables; --force \
                 starts over",
            ),
            (_, None) => (
                format!(
                    "an unfinished run of this experiment ({samples} samples planned){changed}"
                ),
                "continue with --resume, start over with --force, or choose another folder with \
                 --out",
            ),
        };
        let path = folder.path().display();
        Err(Failure::usage(format!("{path}: the folder holds {state}")).with_help(help))
    }

    /// Refuses a folder of another shard, or of an experiment whose `foreign` samples differ so.
    fn check_same(
        &self,
        folder: &RunFolder,
        (stored, foreign): (&Experiment, Option<&str>),
        (earlier, has_same_samples): (Option<&Manifest>, bool),
    ) -> Result<(), Failure> {
        let path = folder.path().display();
        // A run that goes on with changed programs is proven by stored samples, which those of other cells are not.
        let is_proven = has_same_samples && self.mode == ResumeMode::Resume;
        if !is_proven
            && let Err(changed) = programs::check_unchanged(stored, &self.experiment, &path)
        {
            // Whoever works on a program starts the same experiment over and over.
            let is_same = stored.name() == self.experiment.name();
            let starts_over = self.mode == ResumeMode::StartOver && is_same;
            return if starts_over { Ok(()) } else { Err(changed) };
        }
        let shard = self.plan.shard();
        let held = earlier.map_or(shard, |manifest| manifest.shard);
        // What was merged in part can be drawn to its end.
        let is_other = held != shard && !(held.is_partial() && shard.is_whole());
        let of_shard = || is_other.then(|| format!("shard {held} instead of {shard}"));
        if let Some(differing) = foreign.map(str::to_owned).or_else(of_shard) {
            let (name, seed) = (stored.name(), stored.seed());
            let mut help = "choose another folder with --out".to_owned();
            if foreign.is_none() && held.count() != shard.count() {
                help += "; to go on with more machines, draw only what is new, with --from N";
            }
            return Err(Failure::usage(format!(
                "{path}: the folder holds another run (`{name}`, seed {seed}): {differing}"
            ))
            .with_help(help));
        }
        if earlier.is_none() && self.mode == ResumeMode::Resume && !self.is_own(folder)? {
            return Err(Failure::usage(format!(
                "{path}: manifest.json is missing, so it is unknown which shard the folder holds"
            ))
            .with_help("restore manifest.json, or start over with --force"));
        }
        Ok(())
    }

    /// Returns whether the stored blocks can only be those that this run draws: none, or of a whole
    /// run the first ones.
    fn is_own(&self, folder: &RunFolder) -> Result<bool, Failure> {
        let journal = self.journal_in(folder.path())?;
        let stored = journal.indices();
        let is_prefix = stored.iter().copied().eq(0..stored.len() as u64);
        Ok(stored.is_empty() || (self.plan.shard().is_whole() && is_prefix))
    }

    /// Goes on with a `stored` run whose programs have changed as that run: it has the identities with which it
    /// began. Returns why that is to be proven by stored samples, unless it has been.
    pub(super) fn begin_as(&mut self, stored: &Experiment) -> Result<Option<Failure>, Failure> {
        let path = self.folder.display();
        let changed = programs::check_unchanged(stored, &self.experiment, &path).err();
        let text = self.experiment.begun_as(stored);
        let Some(text) = text.filter(|_| changed.is_none() || self.mode == ResumeMode::Resume)
        else {
            return Ok(None);
        };
        let (source, offered) = (
            self.experiment.source.clone(),
            (self.app.games, self.app.starter),
        );
        self.experiment = Experiment::startable(&text, source, offered, &Overrides::default())?;
        self.compiled = Arc::new(CompiledExperiment::of_experiment(&self.experiment)?);
        // Whoever made the folder here with the programs that it names has written the file with the new ones.
        let is_written = changed.is_some() && self.experiment.source.folder().is_none();
        let own = || Consent::ask(programs::programs(stored), &[&self.folder], None, false).is_ok();
        self.starts_programs |= is_written && own();
        Ok(changed)
    }

    /// Draws stored samples again with programs that have `changed`.
    ///
    /// # Errors
    /// If they differ, or cannot be drawn.
    pub(super) fn prove(
        &self,
        changed: Failure,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        let journal = self.journal_in(&self.folder)?;
        let chosen = ChosenBlocks::AtRandom { samples: PROVEN }.among(&journal)?;
        let (rerun, differing) = self.rerun(chosen, &journal, &mut Silent)?;
        if let Some(differing) = differing.into_iter().next() {
            let message = format!("{}; {differing}", changed.message);
            return Err(Failure { message, ..changed });
        }
        let (path, samples) = (
            self.folder.display(),
            counted(rerun.samples, "stored sample"),
        );
        observer.note(&format!(
            "{path}: its programs have changed since the run began; {samples} of each cell, drawn again, came out \
             the same"
        ));
        Ok(())
    }

    /// Remembers the run in the folder, which shares cells, if it has blocks, whether they are kept or drawn
    /// again: whoever has seen its numbers and asks for more samples has looked. Returns
    /// whether that makes a run of a fixed number one that was extended.
    ///
    /// # Errors
    /// If the file lacks cells of the folder, or marks of cells that drew no more.
    pub(super) fn go_on_from(
        &mut self,
        folder: &RunFolder,
        (stored, change): (&Experiment, &CellChange),
        earlier: Option<&Manifest>,
    ) -> Result<bool, Failure> {
        if !has_rows(&folder.file("blocks.csv")).unwrap_or(false) {
            return Ok(false);
        }
        let stopped = earlier.filter(|manifest| manifest.exit_reason.completed().is_some());
        let seen = stopped
            .filter(|_| stored.stop.looks())
            .map_or(stored.stop.max_samples, |one| one.samples_done);
        change.check_kept(folder.path(), seen)?;
        let experiment = &mut self.experiment;
        let lengths = [&*experiment, stored].map(|one| one.file.extended_from.len());
        experiment.go_on_from(stored);
        experiment.keep_marks(stored, seen).map_err(|(cell, samples)| {
            let path = folder.path().display();
            Failure::usage(format!(
                "{path}: the folder has cell {cell} marked as unwanted, so that it drew no more than {samples} samples"
            ))
            .with_help(format!("keep its mark in the file: [unwanted] {cell:?} = {samples}"))
        })?;
        self.compiled = Arc::new(CompiledExperiment::of_experiment(experiment)?);
        let before = lengths.into_iter().max().unwrap_or(0);
        Ok(experiment.file.extended_from.len() > before && experiment.task.is_random)
    }

    /// Starts other people's programs once leave to do so is given, and has them draw some samples
    /// twice.
    pub(super) fn start_programs(
        &mut self,
        folder: &RunFolder,
        earlier: Option<&Manifest>,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        let goes_on = self.mode == ResumeMode::Resume && folder.config().is_some();
        let resumed = goes_on.then(|| folder.path());
        self.ask(resumed, observer)?;
        let experiment = &self.experiment;
        let earlier = earlier.filter(|_| goes_on);
        let records = earlier.map_or(&[][..], |manifest| &manifest.programs);
        if experiment.is_race() {
            // What is wrong with one is said before anything is written.
            programs::check_raced(experiment, &self.consent, records)?;
            programs::handshake(experiment, &[])?;
            return self.entrants().map(drop);
        }
        let started = programs::handshake(experiment, records);
        let repeatable = started.and_then(|()| self.check_repeatable(observer));
        if repeatable.is_err() {
            programs::write_transcripts(experiment, self.transcripts.as_deref())?;
        }
        programs::warn_of_outs(experiment, observer);
        repeatable
    }

    /// Asks for leave to start other people's programs, for a run that goes on in a folder, too.
    ///
    /// # Errors
    /// If this user has not allowed that.
    pub fn ask(
        &mut self,
        resumed: Option<&Path>,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        let given = self.starts_programs;
        self.consent = programs::ask(&self.experiment, resumed, given, observer)?;
        Ok(())
    }

    /// Draws some samples twice where other programs draw them; see [`CompiledExperiment::check_repeatable`].
    ///
    /// [`CompiledExperiment::check_repeatable`]: crate::run::CompiledExperiment::check_repeatable
    fn check_repeatable(&self, observer: &mut dyn Observer) -> Result<(), Failure> {
        if !self.compiled.is_external() {
            return Ok(());
        }
        observer.checking_repeatable();
        self.compiled.check_repeatable().map_err(|(cell, error)| {
            let (name, sample) = (&self.experiment.cells[cell].name, error.sample);
            let replay = (self.app).replay_line(&self.experiment.source.to_string(), name, sample);
            Failure::failed(format!("cell {name}, sample {sample}: {error}"))
                .with_help(format!("to see it alone: {replay}"))
        })
    }
}

/// Returns whether a journal has rows: above them stand the names of the columns and what the rows
/// hold.
fn has_rows(journal: &Path) -> io::Result<bool> {
    let mut lines = Lines::new(files::open(journal)?, 0, LONGEST_LINE);
    Ok(lines.advance()? && lines.advance()? && lines.advance()?)
}
