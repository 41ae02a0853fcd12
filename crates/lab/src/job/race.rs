//! A race as a job: what its folder holds already, its times and tables, the machine that took them.

use super::difference::first_difference;
use super::{Job, ResumeMode};
use crate::run::{Answered, Observer, RaceCosts, StopReason, TimedRace, Timing};
use crate::store::{
    CLOCK, Journal, MachineFacts, Manifest, RaceSession, RunFolder, load, stored_timings,
};
use crate::tables::{Comparison, Table, clock_table};
use base::{Failure, files};
use experiment::Experiment;
use task::{Entrant, Spent, TimedAnswer};

/// The machine and its sessions.
pub(super) const MACHINE: &str = "clock/machine.json";

/// The advice for a race that was cut short.
pub const GO_ON: &str = "`etude bench` with the same arguments and --resume goes on";

impl Job {
    /// The times that the folder of a race holds of whole instances.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn costs(&self) -> Result<RaceCosts, Failure> {
        let timings = self.timings(&self.journal_in(&self.folder)?)?;
        Ok(RaceCosts::of(&self.experiment, &timings))
    }

    /// The timings of whole instances, of which a journal holds the answers.
    pub(super) fn timings(&self, journal: &Journal) -> Result<Vec<Timing>, Failure> {
        let path = self.folder.join(CLOCK);
        let timings = stored_timings(&path, &self.experiment, journal);
        timings.map_err(|error| Failure::of_file(&path, error))
    }

    /// The machine that took the times in the folder of a race; one that is not known of a race that was
    /// killed before it began.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn machine(&self) -> Result<MachineFacts, Failure> {
        let path = self.folder.join(MACHINE);
        if !path.exists() {
            return Ok(MachineFacts::default());
        }
        let text = files::read_text(&path).map_err(|error| Failure::of_file(&path, error))?;
        serde_json::from_str(&text).map_err(|error| Failure::of_file(&path, error))
    }

    /// The comparison of the contenders by their times.
    pub fn comparison<'a>(
        &'a self,
        costs: &'a RaceCosts,
        machine: &MachineFacts,
    ) -> Comparison<'a> {
        let is_complete = self.manifest.exit_reason.completed().is_some();
        Comparison {
            experiment: &self.experiment,
            costs,
            confidence: self.experiment.ratio_confidence(is_complete),
            grain: machine.grain,
        }
    }

    /// The tables that follow from times; none of no instance.
    pub(super) fn race_tables(
        &self,
        timings: Vec<Timing>,
        machine: &MachineFacts,
    ) -> Vec<Table<'_>> {
        let costs = RaceCosts::of(&self.experiment, &timings);
        if costs.instances() == 0 {
            return Vec::new();
        }
        let comparison = self.comparison(&costs, machine);
        vec![
            Table::of([comparison.rows(), comparison.baselines()].concat()),
            Table::of(comparison.growth()),
            Table::of(comparison.claims()),
            clock_table(&self.experiment, timings),
        ]
    }

    /// Refuses a folder that holds another race, or a part of this one that nobody asked to go on with.
    /// Returns the reason for which the race is complete already.
    pub(super) fn decide_race(
        &mut self,
        folder: &RunFolder,
        stored: Option<&Experiment>,
        earlier: Option<&Manifest>,
    ) -> Result<Option<StopReason>, Failure> {
        let (Some(config), Some(stored)) = (folder.config(), stored) else {
            return Ok(None);
        };
        let path = folder.path().display();
        if !stored.is_race() {
            let message = format!("{path}: the folder holds something else than a benchmark");
            return Err(Failure::usage(message).with_help("choose another folder with --out"));
        }
        if self.mode == ResumeMode::StartOver {
            return Ok(None);
        }
        let kept = |name: &&str| self.experiment.cell_names().any(|kept| kept == *name);
        if let Some(gone) = stored.cell_names().find(|name| !kept(name)) {
            let message = format!(
                "{path}: the folder holds another benchmark: contender {gone} is taken out"
            );
            return Err(Failure::usage(message).with_help(
                "keep it in the file, for what was raced counts; race others in another folder with --out",
            ));
        }
        let facts = [config, &self.experiment.resolved_toml()].map(race_facts);
        if facts[0] != facts[1] {
            let difference = first_difference(&facts[0], &facts[1]);
            let message = format!("{path}: the folder holds another benchmark: {difference}");
            let is_reworded = self.experiment.differs_in_texts_alone(stored);
            return Err(Failure::usage(message).with_help(if is_reworded {
                "only its texts differ: once the race is complete, --resume writes them and draws nothing"
            } else {
                "choose another folder with --out, or start over with --force"
            }));
        }
        let mut job = Self::of_app(&self.app, stored.clone())?.in_folder(&self.folder);
        if let Some(earlier) = earlier {
            job.manifest = earlier.clone();
            job.check_unedited(|name| name == CLOCK)?;
        }
        let raced = job.costs()?.instances();
        let reason = earlier.and_then(|manifest| manifest.exit_reason.completed());
        let asked = self.plan.samples();
        if let Some(reason) = reason
            && (reason == StopReason::Ratio || asked <= raced)
        {
            return Ok(Some(reason));
        }
        if self.mode != ResumeMode::Resume || asked < raced {
            let message = format!("{path} holds a part of this benchmark, {raced} instances");
            return Err(Failure::usage(message)
                .with_help("continue it with --resume, or start over with --force"));
        }
        self.note_look(stored, (raced, reason.is_some()));
        Ok(None)
    }

    /// Remembers that somebody may have looked at the instances that there are: who asks for another
    /// number of them.
    fn note_look(&mut self, stored: &Experiment, (raced, is_complete): (u64, bool)) {
        let extended = &mut self.experiment.file.extended_from;
        extended.clone_from(&stored.file.extended_from);
        if is_complete || stored.stop.max_samples != self.experiment.stop.max_samples {
            extended.push(raced.max(1));
            extended.sort_unstable();
            extended.dedup();
        }
    }

    /// Makes the entrants that answer in each cell of a race; none of any other run.
    ///
    /// # Errors
    /// If one of them cannot be made.
    pub(super) fn entrants(&self) -> Result<Vec<Box<dyn Entrant>>, Failure> {
        let race = self.race(RaceCosts::default(), None);
        let cells = self.experiment.cells.iter().enumerate();
        let raced = cells.filter(|(_, cell)| cell.contender.is_some());
        raced.map(|(at, _)| race.entrant(at)).collect()
    }

    /// The race that goes on after these times, with so many answers in a row where that is known.
    pub(super) fn race(&self, costs: RaceCosts, repeats: Option<u32>) -> TimedRace {
        let known = (costs, repeats);
        let programs = (self.app.starter, self.consent.clone());
        TimedRace::new(&self.experiment, &self.compiled, programs, known)
    }

    /// Notes that a session begins with this instance.
    pub(super) fn begin_session(
        &self,
        folder: &RunFolder,
        first: u64,
    ) -> Result<MachineFacts, Failure> {
        let mut machine = match first {
            0 => MachineFacts {
                grain: Spent::grain(),
                ..MachineFacts::here()
            },
            _ => self.machine()?,
        };
        let threads = u16::try_from(self.threads).unwrap_or(u16::MAX);
        machine.sessions.push(RaceSession::from(first, threads));
        write_machine(folder, &machine)?;
        Ok(machine)
    }

    /// Notes how the session took its times, and the load at its end.
    pub(super) fn end_session(
        &self,
        folder: &RunFolder,
        (mut machine, race): (MachineFacts, &TimedRace),
    ) -> Result<(), Failure> {
        machine.repeats = race.repeats.get().copied().unwrap_or_default();
        let memory_by = race.memory_by.get().map(|&means| means.to_owned());
        machine.memory_by = memory_by.or(machine.memory_by);
        if let Some(session) = machine.sessions.last_mut() {
            session.load_after = load();
        }
        write_machine(folder, &machine)
    }

    /// Has all contenders answer one instance, and writes nothing.
    ///
    /// # Errors
    /// If a contender cannot be made, or a program may not be started.
    pub fn answer(
        &mut self,
        instance: u64,
        observer: &mut dyn Observer,
    ) -> Result<Answered, Failure> {
        self.ask(None, observer)?;
        let entrants = self.entrants()?.into_iter();
        let answers = entrants.map(|mut entrant| entrant.answer(instance));
        let answers: Vec<TimedAnswer> = answers.collect();
        Ok(Answered::of(&self.experiment, instance, &answers))
    }
}

/// The lines of a resolved file that no race may change and go on.
fn race_facts(text: &str) -> String {
    let may_change = ["samples = ", "max-samples = ", "extended-from = "];
    let is_fact = |line: &&str| !may_change.iter().any(|begin| line.starts_with(begin));
    text.lines().filter(is_fact).collect::<Vec<_>>().join("\n")
}

fn write_machine(folder: &RunFolder, machine: &MachineFacts) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(machine).map_err(Failure::failed)?;
    folder.write(MACHINE, (text + "\n").as_bytes())
}
