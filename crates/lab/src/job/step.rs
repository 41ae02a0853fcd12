//! The step that a session takes, decided before it is taken: a function of what the folder holds, what is asked for
//! and what the person wishes. Knows no file.

use std::path::PathBuf;

use super::alike::without_looks;
use super::difference::{CellChange, difference_of_samples, first_difference};
use super::{ResumeMode, programs};
use crate::run::{Plan, StopReason};
use crate::store::Manifest;
use base::{Failure, count};
use experiment::Experiment;

/// The run in a folder.
pub(super) struct Held {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// The experiment, as its `config.toml` has it.
    pub(crate) experiment: Experiment,
    /// The manifest; `None` of a run that was killed before it had one, or lost it.
    pub(crate) manifest: Option<Manifest>,
    /// True if blocks are stored, or were before the journal was lost: their numbers may have been seen.
    pub(crate) has_blocks: bool,
    /// True if the blocks can only be those that are asked for, whatever shard the folder is of.
    pub(crate) is_own: bool,
    /// Whole instances that are raced.
    pub(crate) raced: u64,
    /// The sources of its tables.
    pub(crate) sources: Sources,
}

/// The sources of a run's tables, of which they can be made anew without drawing.
pub(super) enum Sources {
    /// They are there: the sums of an archive, or the times of a race.
    Intact,
    /// One of an archive or a race is not the one that was written.
    Edited(Failure),
    /// The run keeps none.
    None,
}

/// The run that is asked for.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The experiment.
    pub(crate) experiment: &'a Experiment,
    /// The samples in blocks.
    pub(crate) plan: Plan,
    /// True if other people's programs draw samples.
    pub(crate) is_external: bool,
}

/// The step of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Draws from the first sample on.
    Begin,
    /// Draws the samples that are missing.
    Continue {
        /// True if a run of a fixed number of samples is extended, whose numbers may have been seen.
        is_extended: bool,
        /// A remark on cells that are new.
        added: Option<String>,
    },
    /// Makes the tables of a complete run anew.
    Remake(StopReason),
    /// Leaves a complete run as it is.
    Complete(StopReason),
}

/// Decides the step, and returns with it the experiment that is asked for, which remembers what was seen of the run
/// in the folder.
///
/// # Errors
/// The refusal of a folder that holds another run, or one that would be lost.
pub(super) fn next_step(
    held: Option<&Held>,
    asked: &Asked,
    wish: ResumeMode,
) -> Result<(Step, Experiment), Failure> {
    let Some(held) = held else {
        return Ok((Step::Begin, asked.experiment.clone()));
    };
    let help = "choose another folder with --out";
    match [&held.experiment, asked.experiment].map(Experiment::is_race) {
        [false, false] => held.next_of_run(asked, wish),
        [true, true] => held.next_of_race(asked, wish),
        [true, false] => {
            let message = "the folder holds a benchmark, and its times would be lost";
            Err(held.refuse(message, help))
        }
        [false, true] => {
            let message = "the folder holds something else than a benchmark";
            Err(held.refuse(message, help))
        }
    }
}

impl Held {
    fn next_of_run(&self, asked: &Asked, wish: ResumeMode) -> Result<(Step, Experiment), Failure> {
        let change = CellChange::between(&self.experiment, asked.experiment);
        let (mut experiment, mut is_extended) = (asked.experiment.clone(), false);
        if let Some(change) = change.as_ref().filter(|_| self.has_blocks) {
            is_extended = self.remember_in(&mut experiment, change)?;
        }
        let asked = &Asked {
            experiment: &experiment,
            ..*asked
        };
        let step = match self.remade(asked, wish)? {
            Some(reason) => Step::Remake(reason),
            None => self.drawn(asked, (change, is_extended), wish)?,
        };
        Ok((step, experiment))
    }

    /// The step of a run whose tables are not made anew.
    fn drawn(
        &self,
        asked: &Asked,
        (change, is_extended): (Option<CellChange>, bool),
        wish: ResumeMode,
    ) -> Result<Step, Failure> {
        let changed = difference_of_samples(&self.experiment, asked.experiment);
        // A run that goes on with changed programs is proven by stored samples, which those of other cells are not.
        let is_proven = changed.is_none() && wish == ResumeMode::Resume;
        let path = self.folder.display();
        let programs = programs::check_unchanged(&self.experiment, asked.experiment, &path);
        if let (Err(other), false) = (programs, is_proven) {
            // Whoever works on a program starts the same experiment over and over.
            let is_same = self.experiment.name() == asked.experiment.name();
            let starts_over = wish == ResumeMode::StartOver && is_same;
            return if starts_over {
                Ok(Step::Begin)
            } else {
                Err(other)
            };
        }
        self.check_same(asked, changed.as_deref().filter(|_| change.is_none()), wish)?;
        match wish {
            ResumeMode::StartOver => Ok(Step::Begin),
            _ if Plan::of(&self.experiment).samples() > asked.plan.samples() => {
                Err(self.larger(asked))
            }
            ResumeMode::Resume => {
                self.check_cell_rule(asked)?;
                Ok(Step::Continue {
                    is_extended,
                    added: change.and_then(|change| change.told()),
                })
            }
            ResumeMode::Keep => self.kept(asked, changed.as_deref()),
        }
    }

    /// The step of whoever wishes neither to go on nor to start over.
    fn kept(&self, asked: &Asked, changed: Option<&str>) -> Result<Step, Failure> {
        let is_same = self.experiment.is_same(asked.experiment);
        let samples = count(Plan::of(&self.experiment).samples());
        let changed = changed.map_or_else(String::new, |change| format!(": {change}"));
        let (state, help) = match self.completed() {
            Some(reason) if is_same => return Ok(Step::Complete(reason)),
            Some(_) => (
                format!(
                    "a complete run of {samples} samples of each cell, and the experiment has \
                     changed since{changed}"
                ),
                "--resume keeps its samples, draws missing ones and rebuilds the tables; --force \
                 starts over",
            ),
            None => (
                format!(
                    "an unfinished run of this experiment ({samples} samples planned){changed}"
                ),
                "continue with --resume, start over with --force, or choose another folder with \
                 --out",
            ),
        };
        Err(self.refuse(&format!("the folder holds {state}"), help))
    }

    /// Refuses to go on with samples that cells have, or lack, by another rule.
    fn check_cell_rule(&self, asked: &Asked) -> Result<(), Failure> {
        if !self.has_blocks || self.experiment.cell_rule() == asked.experiment.cell_rule() {
            return Ok(());
        }
        let message =
            "each cell stops by itself, by another rule than before: it has other samples";
        let help = "keep [stop.half-width] and `level` as the folder's config.toml has them (max-samples may grow), \
                    start over with --force, or choose another folder with --out";
        Err(self.refuse(message, help))
    }

    fn larger(&self, asked: &Asked) -> Failure {
        let [held, asked] =
            [Plan::of(&self.experiment), asked.plan].map(|plan| count(plan.samples()));
        self.refuse(
            &format!(
                "the folder holds a larger run of this experiment: {held} samples of each cell, but {asked} were \
                 requested"
            ),
            "keep the number of samples, or choose another folder with --out",
        )
    }

    /// Refuses a folder of another shard, or of an experiment whose `foreign` samples differ so.
    fn check_same(
        &self,
        asked: &Asked,
        foreign: Option<&str>,
        wish: ResumeMode,
    ) -> Result<(), Failure> {
        let shard = asked.plan.shard();
        let held = self
            .manifest
            .as_ref()
            .map_or(shard, |manifest| manifest.shard);
        // What was merged in part can be drawn to its end.
        let is_other = held != shard && !(held.is_partial() && shard.is_whole());
        let of_shard = || is_other.then(|| format!("shard {held} instead of {shard}"));
        if let Some(differing) = foreign.map(str::to_owned).or_else(of_shard) {
            let (name, seed) = (self.experiment.name(), self.experiment.seed());
            let message =
                format!("the folder holds another run (`{name}`, seed {seed}): {differing}");
            let mut help = "choose another folder with --out".to_owned();
            if foreign.is_none() && held.count() != shard.count() {
                help += "; to go on with more machines, draw only what is new, with --from N";
            }
            return Err(self.refuse(&message, &help));
        }
        if self.manifest.is_none() && wish == ResumeMode::Resume && !self.is_own {
            return Err(self.refuse(
                "manifest.json is missing, so it is unknown which shard the folder holds",
                "restore manifest.json, or start over with --force",
            ));
        }
        Ok(())
    }

    fn next_of_race(&self, asked: &Asked, wish: ResumeMode) -> Result<(Step, Experiment), Failure> {
        let mut experiment = asked.experiment.clone();
        // A look is remembered whatever the texts are.
        let looks = &self.experiment.file.extended_from;
        experiment.file.extended_from.clone_from(looks);
        let asked = &Asked {
            experiment: &experiment,
            ..*asked
        };
        if let Some(reason) = self.remade(asked, wish)? {
            return Ok((Step::Remake(reason), experiment));
        }
        if wish == ResumeMode::StartOver {
            return Ok((Step::Begin, experiment));
        }
        self.check_contenders(asked)?;
        let (wanted, raced) = (asked.plan.samples(), self.raced);
        let is_enough = |reason: &StopReason| *reason == StopReason::Ratio || wanted <= raced;
        if let Some(reason) = self.completed().filter(is_enough) {
            return Ok((Step::Complete(reason), experiment));
        }
        if wish != ResumeMode::Resume || wanted < raced {
            let message = format!("the folder holds a part of this benchmark, {raced} instances");
            return Err(self.refuse(
                &message,
                "continue it with --resume, or start over with --force",
            ));
        }
        // Who asks for another number of instances may have looked at those that there are.
        let planned = [&self.experiment, &experiment].map(|one| one.stop.max_samples);
        if self.completed().is_some() || planned[0] != planned[1] {
            let looks = &mut experiment.file.extended_from;
            looks.push(raced.max(1));
            looks.sort_unstable();
            looks.dedup();
        }
        let step = Step::Continue {
            is_extended: false,
            added: None,
        };
        Ok((step, experiment))
    }

    /// Refuses another race: one that has other contenders, or differs in more than its number of instances.
    fn check_contenders(&self, asked: &Asked) -> Result<(), Failure> {
        let is_gone = |name: &&str| !asked.experiment.cell_names().any(|kept| kept == *name);
        if let Some(gone) = self.experiment.cell_names().find(is_gone) {
            return Err(self.refuse(
                &format!("the folder holds another benchmark: contender {gone} is taken out"),
                "keep it in the file, for what was raced counts; race others in another folder with --out",
            ));
        }
        let [held, own] = [&self.experiment, asked.experiment].map(without_looks);
        if held.is_same(&own) {
            return Ok(());
        }
        let difference = first_difference(&held, &own);
        let message = format!("the folder holds another benchmark: {difference}");
        let is_reworded = own.differs_in_texts_alone(&held);
        Err(self.refuse(&message, if is_reworded {
            "only its texts differ: once the race is complete, --resume writes them and draws nothing"
        } else {
            "choose another folder with --out, or start over with --force"
        }))
    }

    /// The reason for which the run is complete, if somebody asks for its numbers, at most with other texts, and its
    /// tables can be made anew. No program is started to show another sample.
    fn remade(&self, asked: &Asked, wish: ResumeMode) -> Result<Option<StopReason>, Failure> {
        let shard = self.manifest.as_ref().map(|manifest| manifest.shard);
        let is_asked = wish == ResumeMode::Resume && shard == Some(asked.plan.shard());
        let is_same_cell = self.experiment.exhibited_cell() == asked.experiment.exhibited_cell();
        let is_shown = !asked.is_external || is_same_cell;
        if !is_asked || !is_shown || !asked.experiment.differs_in_texts_alone(&self.experiment) {
            return Ok(None);
        }
        match (&self.sources, self.completed()) {
            (Sources::Edited(edited), Some(_)) => Err(Failure {
                kind: edited.kind,
                place: edited.place.clone(),
                message: edited.message.clone(),
                help: edited.help.clone(),
                cause: None,
            }),
            (Sources::Intact, completed) => Ok(completed),
            _ => Ok(None),
        }
    }

    /// Remembers the run, which shares cells, whether they are kept or drawn again: whoever has seen its numbers and
    /// asks for more samples has looked. Returns whether that makes a run of a fixed number one that was extended.
    ///
    /// # Errors
    /// If the file lacks cells of the folder, or marks of cells that drew no more.
    fn remember_in(
        &self,
        experiment: &mut Experiment,
        change: &CellChange,
    ) -> Result<bool, Failure> {
        let stored = &self.experiment;
        let stopped = self.manifest.as_ref();
        let stopped = stopped.filter(|_| self.completed().is_some() && stored.stop.looks());
        let seen = stopped.map_or(stored.stop.max_samples, |one| one.samples_done);
        change.check_kept(&self.folder, seen)?;
        let lengths = [&*experiment, stored].map(|one| one.file.extended_from.len());
        experiment.go_on_from(stored);
        experiment.keep_marks(stored, seen).map_err(|(cell, samples)| {
            let message = format!(
                "the folder has cell {cell} marked as unwanted, so that it drew no more than {samples} samples"
            );
            let help = format!("keep its mark in the file: [unwanted] {cell:?} = {samples}");
            self.refuse(&message, &help)
        })?;
        let before = lengths.into_iter().max().unwrap_or(0);
        Ok(experiment.file.extended_from.len() > before && experiment.task.is_random)
    }

    fn completed(&self) -> Option<StopReason> {
        self.manifest.as_ref()?.exit_reason.completed()
    }

    fn refuse(&self, message: &str, help: &str) -> Failure {
        Failure::usage(format!("{}: {message}", self.folder.display())).with_help(help)
    }
}

#[cfg(test)]
mod tests;
