//! Refusals before the first sample: of a shard that could not know when to stop, and of a folder
//! whose run would be lost. A complete run is not drawn again unless the user asks for it.

use std::path::Path;

use crate::config::Experiment;
use crate::files::{self, LONGEST_LINE, Lines};
use crate::harness::{Laboratory, Plan, Shard, StopReason};
use crate::output::{FolderState, JournalSchema, Manifest, RunFolder};
use crate::report::count;

use crate::cli::experiment::{first_difference, load_from_folder};
use crate::cli::failure::Failure;
use crate::cli::program::Program;
use crate::cli::programs;

/// Refuses to run all that a shard could ever need of a run that may stop long before.
pub fn check_waves(
    experiment: &Experiment,
    shard: Shard,
    until: Option<u64>,
) -> Result<(), Failure> {
    if !experiment.stop.looks() || shard.is_whole() || until.is_some() {
        return Ok(());
    }
    Err(Failure::usage(
        "a shard does not see the samples of the others, so it cannot know when to stop",
    )
    .with_help(
        "run the shards in waves: --until N and --resume, with N growing until etude merge has \
         enough; etude cluster slurm does this",
    ))
}

/// The user's wish for the run that is in the folder already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The user gave none.
    Unsaid,
    /// Go on with it.
    Resume,
    /// Start over.
    Force,
}

/// The work that is left for an admitted run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Draw the samples that are missing.
    Draw,
    /// No work: the run is complete for this reason, and the tables say what the file asks.
    AlreadyComplete(StopReason),
}

/// A run that asks for a folder.
pub struct Applicant<'run> {
    pub program: &'run Program,
    pub experiment: &'run Experiment,
    pub laboratory: &'run Laboratory,
    pub plan: &'run Plan,
    pub wish: Wish,
}

impl Applicant<'_> {
    /// Refuses folders that hold another experiment, or a run that would be lost.
    pub fn check(
        &self,
        folder: &RunFolder,
        earlier: Option<&Manifest>,
    ) -> Result<Admission, Failure> {
        let FolderState::Run { config } = folder.state() else {
            return Ok(Admission::Draw);
        };
        let path = folder.path().display();
        let stored = load_from_folder(self.program, folder.path())
            .map_err(|_| Failure::usage(format!("{path}: its config.toml cannot be read")))?;
        self.check_same(folder, &stored, earlier)?;
        if self.wish == Wish::Force {
            return Ok(Admission::Draw);
        }
        let reason = earlier.and_then(|manifest| manifest.exit_reason.completed());
        let samples = Plan::of(&stored).samples();
        let same = *config == self.experiment.resolved_toml();
        match self.wish {
            _ if samples > self.plan.samples() => Err(self.fewer(folder, samples)),
            Wish::Unsaid => match reason {
                Some(reason) if same => Ok(Admission::AlreadyComplete(reason)),
                _ => Err(unfinished(folder, samples, reason.is_some())),
            },
            _ => Ok(Admission::Draw),
        }
    }

    /// Refuses a folder of another experiment or shard.
    fn check_same(
        &self,
        folder: &RunFolder,
        stored: &Experiment,
        earlier: Option<&Manifest>,
    ) -> Result<(), Failure> {
        let path = folder.path().display();
        match programs::check_unchanged(stored, self.experiment, &path) {
            // Whoever works on a program starts the same experiment over and over.
            Err(_) if self.wish == Wish::Force && stored.name == self.experiment.name => {
                return Ok(());
            }
            other => other?,
        }
        let shard = self.plan.shard();
        let held = earlier.map_or(shard, |manifest| manifest.shard);
        let (facts, of_stored) = (self.experiment.sample_facts(), stored.sample_facts());
        if facts != of_stored || held != shard {
            let (name, seed) = (&stored.name, stored.seed);
            let differing = if facts == of_stored {
                format!("shard {held} instead of {shard}")
            } else {
                first_difference(&of_stored, &facts)
            };
            return Err(Failure::usage(format!(
                "{path}: the folder holds another run (`{name}`, seed {seed}): {differing}"
            ))
            .with_help("choose another folder with --out"));
        }
        if earlier.is_none() && self.wish == Wish::Resume && !self.is_own(folder)? {
            return Err(Failure::usage(format!(
                "{path}: manifest.json is missing, so it is unknown which shard the folder holds"
            ))
            .with_help("restore manifest.json, or start over with --force"));
        }
        Ok(())
    }

    /// Returns whether the stored blocks can only be those that this run draws: none, or of a whole run
    /// the first ones.
    fn is_own(&self, folder: &RunFolder) -> Result<bool, Failure> {
        let schema = JournalSchema::of(self.experiment, self.laboratory);
        let journal = folder.journal(self.laboratory, self.plan, &schema)?;
        let stored = journal.indices();
        let is_prefix = stored.iter().copied().eq(0..stored.len() as u64);
        Ok(stored.is_empty() || (self.plan.shard().is_whole() && is_prefix))
    }

    fn fewer(&self, folder: &RunFolder, samples: u64) -> Failure {
        let path = folder.path().display();
        let (samples, asked) = (count(samples), count(self.plan.samples()));
        Failure::usage(format!(
            "{path}: the folder holds a larger run of this experiment: {samples} samples of each \
             cell, but {asked} were requested"
        ))
        .with_help("keep the number of samples, or choose another folder with --out")
    }
}

fn unfinished(folder: &RunFolder, samples: u64, complete: bool) -> Failure {
    let (path, samples) = (folder.path().display(), count(samples));
    if complete {
        return Failure::usage(format!(
            "{path}: the folder holds a complete run of {samples} samples of each cell, and the \
             experiment has changed since"
        ))
        .with_help(
            "--resume keeps its samples, draws missing ones and rebuilds the tables; --force \
             starts over",
        );
    }
    Failure::usage(format!(
        "{path}: the folder holds an unfinished run of this experiment ({samples} samples planned)"
    ))
    .with_help(
        "continue with --resume, start over with --force, or choose another folder with --out",
    )
}

/// Tells the user that the run is complete already.
pub fn tell_complete(program: &Program, folder: &RunFolder, samples: u64) {
    let (path, name, samples) = (folder.path().display(), program.name, count(samples));
    note!("{path}: already complete, with {samples} samples of each cell; nothing was changed");
    note!(
        "  report it: {name} report {path}; draw more: --resume --samples N; start over: --force"
    );
}

/// Whoever has seen the numbers of a run and asks for more samples has looked: the folder's run, if
/// it has blocks of the same samples, is remembered in `experiment`, whether they are kept or drawn
/// again. Returns whether that makes a run of a fixed number one that was extended.
pub fn go_on_from(program: &Program, folder: &RunFolder, experiment: &mut Experiment) -> bool {
    let FolderState::Run { .. } = folder.state() else {
        return false;
    };
    let Ok(stored) = load_from_folder(program, folder.path()) else {
        return false;
    };
    if !has_rows(&folder.file("blocks.csv")).unwrap_or(false)
        || stored.fingerprint() != experiment.fingerprint()
    {
        return false;
    }
    let before = experiment
        .extended_from
        .len()
        .max(stored.extended_from.len());
    experiment.go_on_from(&stored);
    experiment.extended_from.len() > before && experiment.task.chance
}

/// Returns whether a journal has rows: above them stand the names of the columns and what the rows hold.
fn has_rows(journal: &Path) -> std::io::Result<bool> {
    let mut lines = Lines::new(files::open(journal)?, 0, LONGEST_LINE);
    Ok(lines.advance()? && lines.advance()? && lines.advance()?)
}

/// Warns the user that an extension widens the intervals, and says what to do instead.
pub fn tell_extended() {
    note!(
        "note: you may have seen the numbers of this run, so extending it widens its intervals to \
         allow for repeated looks, and metrics without limits have none; to stop as soon as a \
         question is settled, use [stop.half-width] or [stop.claims]"
    );
}
