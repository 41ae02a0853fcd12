//! Refusals before the first sample: of a folder whose run would be lost. A complete run is not drawn again unless the user asks for it.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::run::{CompiledExperiment, Observer, Silent};
use crate::store::Lines;
use crate::store::{Manifest, RunFolder, holds_race};
use base::counted;
use base::files::{self, LONGEST_LINE};
use experiment::{Experiment, Overrides};

use super::sources::read_folder;
use super::step::{Asked, Held, Sources};
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
        let help = "restore the folder's config.toml, or choose another folder with --out";
        stored.map(Some).map_err(|fault| fault.with_help(help))
    }

    /// The run in the folder, which the `manifest` tells of; `None` where it holds none.
    pub(super) fn held(
        &self,
        folder: &RunFolder,
        manifest: Option<&Manifest>,
    ) -> Result<Option<Held>, Failure> {
        let Some(stored) = self.stored_in(folder)? else {
            return Ok(None);
        };
        let resumes = self.mode == ResumeMode::Resume;
        let mut job = Self::of_app(&self.app, stored.clone())?.in_folder(&self.folder);
        job.manifest = manifest.cloned().unwrap_or_default();
        job.plan = job.plan.with_shard(job.manifest.shard);
        let is_raced = holds_race(folder.path()) && self.mode != ResumeMode::StartOver;
        let is_lost = manifest.is_none() && resumes;
        Ok(Some(Held {
            folder: folder.path().to_owned(),
            has_blocks: has_rows(&folder.file("blocks.csv")).unwrap_or(false)
                || job.manifest.samples_done > 0,
            is_own: !is_lost || self.is_own(folder).unwrap_or(false),
            raced: if is_raced { job.raced()? } else { 0 },
            sources: if resumes {
                job.sources()
            } else {
                Sources::None
            },
            manifest: manifest.cloned(),
            experiment: stored,
        }))
    }

    /// The run that is asked for.
    pub(super) fn asked(&self) -> Asked<'_> {
        Asked {
            experiment: &self.experiment,
            plan: self.plan,
            is_external: self.compiled.is_external(),
        }
    }

    /// Makes the experiment that of the job.
    pub(super) fn take(&mut self, experiment: Experiment) -> Result<(), Failure> {
        self.compiled = Arc::new(CompiledExperiment::of_experiment(&experiment)?);
        self.experiment = experiment;
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
        let source = self.experiment.source.clone();
        let begun = Experiment::parse(&text, source, self.app.games, &Overrides::default())?;
        self.take(begun)?;
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
            programs::handshake(&self.compiled, experiment, &[])?;
            return self.entrants().map(drop);
        }
        let started = programs::handshake(&self.compiled, experiment, records);
        let repeatable = started.and_then(|()| self.check_repeatable(observer));
        if repeatable.is_err() {
            programs::write_transcripts(&self.compiled, self.transcripts.as_deref())?;
        }
        programs::warn_of_outs(&self.compiled, observer);
        repeatable
    }

    /// Asks for leave to start other people's programs, for a run that goes on in a folder, too.
    ///
    /// # Errors
    /// If this user has not allowed that.
    pub(crate) fn ask(
        &mut self,
        resumed: Option<&Path>,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        let given = self.starts_programs;
        self.consent = programs::ask(&self.experiment, resumed, given, observer)?;
        self.compiled.programs().allow(&self.consent);
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
