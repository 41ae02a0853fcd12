//! A race as a job: what its folder holds already, its times and tables, the machine that took them.

use std::path::Path;
use std::sync::Arc;

use super::Job;
use crate::run::{Answered, Interrupt, Observer, RaceCosts, TimedRace, Timing, Urgency};
use crate::store::{
    CLOCK, Journal, MACHINE, MachineFacts, RaceSession, RunFolder, Stored, load, stored_timings,
};
use crate::tables::{BenchClaimRow, Comparison, GrowthRow, SpeedRow, Table, clock_table};
use base::{Failure, counted, files};
use experiment::Experiment;
use stats::PairStatistic;
use task::{Application, Entrant, Spent, TimedAnswer};

/// The advice for a race that was cut short.
pub const GO_ON: &str = "`etude bench` with the same arguments and --resume goes on";

/// The contents of a race's folder.
pub struct StoredRace {
    /// The folder.
    pub stored: Stored,
    /// The race.
    pub experiment: Experiment,
    /// The machine that took the time, and how.
    pub machine: MachineFacts,
    /// The single times.
    pub costs: RaceCosts,
    /// The rows of `clock/speed.csv` that compare contenders.
    pub speed: Vec<SpeedRow>,
    /// `clock/growth.csv`.
    pub growth: Vec<GrowthRow>,
    /// `clock/claims.csv`.
    pub claims: Vec<BenchClaimRow>,
}

impl StoredRace {
    /// Reads the folder of a race. While the race goes on, or after it was killed, it has no tables yet: what its
    /// times say so far stands in their place.
    ///
    /// # Errors
    /// If a file cannot be read, or is not the one that was written.
    pub fn read(
        app: &Application,
        folder: &Path,
        observer: &mut dyn Observer,
    ) -> Result<Self, Failure> {
        let stored = Stored::read(folder)?;
        let job = Job::of_folder(app, folder, observer)?;
        stored.check_whole(&job.experiment.file)?;
        let (costs, machine) = (job.costs()?, job.machine()?);
        let is_open = stored.is_open() && costs.instances() > 0;
        let so_far = is_open.then(|| job.comparison(&costs, &machine));
        let (mut speed, growth, claims) = match &so_far {
            Some(so_far) => (so_far.rows(), so_far.growth(), so_far.claims()),
            None if stored.is_open() => Default::default(),
            None => (stored.rows()?, stored.rows()?, stored.rows()?),
        };
        speed.retain(|row: &SpeedRow| row.statistic != PairStatistic::Baseline);
        Ok(Self {
            stored,
            machine,
            costs,
            speed,
            growth,
            claims,
            experiment: job.experiment,
        })
    }
}

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

    /// The number of whole instances that are raced in the folder.
    ///
    /// # Errors
    /// If a file cannot be read, or the times are not those that were written.
    pub(super) fn raced(&self) -> Result<u64, Failure> {
        self.stored().check(|name| name == CLOCK)?;
        Ok(self.costs()?.instances())
    }

    /// Sets up the contenders of a race, once in a session, and makes what answers in each cell; nothing of any
    /// other run.
    ///
    /// # Errors
    /// If one of them cannot be made.
    pub(super) fn entrants(&self) -> Result<Vec<Box<dyn Entrant>>, Failure> {
        let race = self.race(RaceCosts::default(), None);
        let cells = self.experiment.cells.iter().enumerate();
        let raced = cells.filter(|(_, cell)| cell.contender.is_some());
        let made = raced.map(|(at, _)| {
            race.set_up(at)?;
            race.entrant(at)
        });
        made.collect()
    }

    /// The race that goes on after these times, with so many answers in a row where that is known.
    pub(super) fn race(&self, costs: RaceCosts, repeats: Option<u32>) -> TimedRace {
        let known = (costs, repeats);
        TimedRace::new(
            &self.experiment,
            &self.compiled,
            self.consent.clone(),
            known,
        )
    }

    /// Makes the instances that are still to be raced, so that they are in nobody's time. Those of a race that
    /// a rule may end are made one by one between the times, as most may never be asked.
    fn make_instances(
        &self,
        raced: &[Timing],
        interrupt: &Interrupt,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        let compiled = &self.compiled;
        let instances = compiled.programs().instances.as_ref();
        if !instances.is_some_and(|all| all.are_made()) || self.experiment.has_rule() {
            return Ok(());
        }
        let first = raced.last().map_or(0, |last| last.instance + 1);
        let mut missing = first..self.plan.samples();
        observer.note(&format!(
            "making {}",
            counted(missing.clone().count() as u64, "instance")
        ));
        let is_wanted = |_: &u64| interrupt.urgency() == Urgency::None;
        let made = missing
            .by_ref()
            .take_while(is_wanted)
            .try_for_each(|sample| {
                let mut cells = 0..compiled.cells();
                cells.try_for_each(|cell| compiled.instance_file(sample, cell).map(drop))
            });
        made.map_err(Failure::failed)
    }

    /// The race that goes on after these times, and the machine that takes them, noted in the folder; `None`
    /// of any other run.
    pub(super) fn begin_race(
        &self,
        folder: &RunFolder,
        raced: Option<Vec<Timing>>,
        interrupt: &Interrupt,
        observer: &mut dyn Observer,
    ) -> Result<Option<(Arc<TimedRace>, MachineFacts)>, Failure> {
        let Some(raced) = raced else {
            return Ok(None);
        };
        self.make_instances(&raced, interrupt, observer)?;
        let costs = RaceCosts::of(&self.experiment, &raced);
        let machine = self.begin_session(folder, costs.instances())?;
        let repeats = Some(machine.repeats).filter(|&repeats| repeats > 0);
        let race = self.race(costs, repeats);
        Ok(Some((Arc::new(race), machine)))
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
        Ok(Answered::of(
            (&self.experiment, &self.compiled),
            instance,
            &answers,
        ))
    }
}

fn write_machine(folder: &RunFolder, machine: &MachineFacts) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(machine).map_err(Failure::failed)?;
    folder.write(MACHINE, (text + "\n").as_bytes())
}
