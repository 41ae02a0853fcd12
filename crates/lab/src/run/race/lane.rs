//! The entrants of one thread, which answer instance by instance.

use std::collections::BTreeMap;
use std::sync::Arc;

use kit::rng::{Streams, shuffle};

use super::{TimedRace, Timing, contradiction, row_of};
use crate::experiment::Experiment;
use crate::run::dispatch::{Cause, Fault, FinishedBlock};
use crate::run::plan::Block;
use crate::run::tally::BlockTally;
use task::{AnswerValues, Entrant, Row, Spent, TimedAnswer, TimingState};

/// The least time that a timing should last, in seconds: below it an answer is given again and again.
const LONG_ENOUGH: f64 = 1e-3;
/// The time that the slowest entrant's timing may last because of that.
const TOO_LONG: f64 = 0.05;
/// The most answers in a row.
const MOST_REPEATS: f64 = 1000.0;

/// All contenders and the control, each in a process or a workspace of its own.
pub struct RaceLane {
    race: Arc<TimedRace>,
    pub(super) entrants: Vec<Box<dyn Entrant>>,
    /// The number of the last start.
    start: u64,
    /// The instances until the next start.
    left: u64,
    /// True until all have answered once.
    is_new: bool,
}

/// The entrants' answers to an instance, and the time that they took.
#[derive(Debug, Default)]
struct Raced {
    timings: Vec<Timing>,
    /// The answer of each contender that was asked.
    answers: BTreeMap<usize, AnswerValues>,
    /// The first trouble, by its contender.
    trouble: Option<(usize, String)>,
    /// Two answers that differ, by the contender that was asked later.
    difference: Option<(usize, String)>,
}

impl RaceLane {
    /// The entrants of a race.
    ///
    /// # Errors
    /// If one of them cannot be made.
    pub fn of(race: &Arc<TimedRace>) -> Result<Self, Fault> {
        let entrants = race.experiment.entrants().map(|(contender, _)| {
            let made = race.entrant(contender);
            made.map_err(|failure| Fault::new(contender, 0, Cause::Error(failure.message)))
        });
        let entrants = entrants.collect::<Result<_, _>>()?;
        Ok(Self::with(race, entrants))
    }

    /// Makes a lane of these entrants.
    pub(super) fn with(race: &Arc<TimedRace>, entrants: Vec<Box<dyn Entrant>>) -> Self {
        Self {
            race: Arc::clone(race),
            entrants,
            start: 0,
            left: 0,
            is_new: true,
        }
    }

    /// Has all answer the instance of a block, and before it a first one where they are started anew.
    ///
    /// # Errors
    /// If answers differ, or a contender does not answer at all.
    pub fn run(&mut self, block: Block) -> Result<FinishedBlock, Fault> {
        let instance = block.first;
        let mut raced = Raced::default();
        let instances = self.race.experiment.instances();
        if let Some(Err(told)) = instances.map(|all| all.path(instance)) {
            return Err(Fault::new(0, instance, Cause::Error(told)));
        }
        if self.left == 0 {
            self.restart(instance, &mut raced)?;
        }
        self.left -= 1;
        let race = Arc::clone(&self.race);
        let repeats = *race.repeats.get_or_init(|| self.repeats(instance));
        for (position, entrant) in (1..).zip(self.abba(instance)) {
            self.ask(entrant, (instance, position), repeats, &mut raced);
        }
        raced.check(instance)?;
        Ok(raced.into_block(&race, block))
    }

    /// Starts all anew, in an order drawn from the seed, and has each give a first answer, which counts
    /// for nothing: programs start, and tables are made.
    fn restart(&mut self, instance: u64, raced: &mut Raced) -> Result<(), Fault> {
        (self.start, self.left) = (self.race.next_start(), self.race.experiment.per_start());
        for entrant in self.drawn_order("bench starts", self.start) {
            if let Some(spent) = self.entrants[entrant].restart() {
                let started = self.timing(entrant, (instance, 0), TimingState::Started, spent);
                raced.timings.push(started);
            }
            self.ask(entrant, (instance, 0), 1, raced);
        }
        raced.check(instance)?;
        match raced.trouble.take().filter(|_| self.is_new) {
            Some((contender, trouble)) => {
                let experiment = &self.race.experiment;
                let name = &experiment.cells[contender].name;
                let title = experiment.instance_title(instance);
                let told = format!("contender `{name}` does not answer {title}: {trouble}");
                Err(Fault::new(contender, instance, Cause::Race(told)))
            }
            None => {
                self.is_new = false;
                raced.answers.clear();
                Ok(())
            }
        }
    }

    /// The answers in a row that make timings last long enough for the clock, by answers to an instance.
    pub(super) fn repeats(&mut self, instance: u64) -> u32 {
        let entrants = self.entrants.iter_mut();
        let times = entrants.map(|entrant| entrant.answer(instance).spent.processor());
        let (least, most) = times.fold((f64::INFINITY, 0.0), |(least, most), time| {
            (time.min(least), time.max(most))
        });
        let wanted = (LONG_ENOUGH / least.max(1e-7)).ceil();
        let allowed = (TOO_LONG / f64::max(most, 1e-7)).floor();
        wanted.min(allowed).clamp(1.0, MOST_REPEATS) as u32
    }

    /// The order in which all answer an instance: each once, then in reverse.
    ///
    /// A drift over an instance (a warm cache, a neighbour, a clock that falls) meets each entrant once
    /// early and once late, and cancels. Reference: Mytkowicz and others 2009, *Producing wrong data
    /// without doing anything obviously wrong*.
    pub(super) fn abba(&self, instance: u64) -> Vec<usize> {
        let mut order = self.drawn_order("bench order", instance);
        let reversed = order.clone().into_iter().rev();
        order.extend(reversed);
        order
    }

    fn drawn_order(&self, purpose: &str, number: u64) -> Vec<usize> {
        let streams = Streams::new(self.race.experiment.file.seed);
        let mut stream = streams.key(purpose).stream(number);
        let mut order: Vec<usize> = (0..self.entrants.len()).collect();
        shuffle(&mut stream, &mut order);
        order
    }

    fn ask(&mut self, entrant: usize, place: (u64, u64), repeats: u32, raced: &mut Raced) {
        let taken = self.entrants[entrant].answers(place.0, repeats);
        let timing = self.timing(entrant, place, taken.state, taken.spent);
        raced.timings.push(timing);
        // The control, which comes after all contenders, stands for the first.
        let contender = entrant % self.race.experiment.contenders.len();
        raced.take(&self.race.experiment, place.0, (contender, taken));
    }

    fn timing(
        &self,
        entrant: usize,
        (instance, position): (u64, u64),
        state: TimingState,
        spent: Spent,
    ) -> Timing {
        Timing {
            instance,
            entrant,
            start: self.start,
            position,
            state,
            spent: spent.as_written(),
        }
    }
}

impl Raced {
    /// Keeps the first answer of a contender, and compares every one with those of all others.
    fn take(
        &mut self,
        experiment: &Experiment,
        instance: u64,
        (contender, taken): (usize, TimedAnswer),
    ) {
        let answers = self.answers.iter();
        let mut alike = answers.filter(|(other, _)| experiment.is_alike(**other, contender));
        let told = alike.find_map(|(&other, known)| {
            let both = [(other, known), (contender, &taken.values)];
            contradiction(experiment, instance, both)
        });
        let difference = told.map(|told| (contender, told));
        self.difference = self.difference.take().or(difference);
        // To be stopped at the cap is an answer, not a trouble.
        let trouble = taken.trouble.filter(|_| taken.state == TimingState::Failed);
        let trouble = trouble.map(|trouble| (contender, trouble));
        self.trouble = self.trouble.take().or(trouble);
        let none = || vec![None; taken.values.len()];
        let answer = self.answers.entry(contender).or_insert_with(none);
        for (known, new) in answer.iter_mut().zip(&taken.values) {
            *known = known.or(*new);
        }
    }

    /// Refuses answers that differ.
    fn check(&mut self, instance: u64) -> Result<(), Fault> {
        self.difference.take().map_or(Ok(()), |(contender, told)| {
            Err(Fault::new(contender, instance, Cause::Race(told)))
        })
    }

    fn into_block(self, race: &TimedRace, block: Block) -> FinishedBlock {
        let compiled = &race.compiled;
        let none = vec![None; compiled.metrics().len()];
        let row = |cell| {
            let answer = self.answers.get(&cell).unwrap_or(&none);
            vec![row_of(compiled.metrics(), answer)]
        };
        let rows: Vec<Vec<Row>> = (0..compiled.cells()).map(row).collect();
        let views: Vec<&[Row]> = rows.iter().map(Vec::as_slice).collect();
        let mut tally = BlockTally::new(compiled);
        tally.push(compiled, block.first, &views);
        let seconds = |cell| {
            let own = self.timings.iter().filter(|timing| timing.entrant == cell);
            Some(own.map(|timing| timing.spent.wall).sum())
        };
        let trouble = self.trouble.map(|(contender, trouble)| {
            let first_line = trouble.lines().next().unwrap_or_default();
            let name = &race.experiment.cells[contender].name;
            let title = race.experiment.instance_title(block.first);
            format!("{title}: {name}: {first_line}")
        });
        FinishedBlock {
            block,
            tally,
            seconds: (0..compiled.cells()).map(seconds).collect(),
            samples: Some(rows),
            troubles: trouble.into_iter().collect(),
            timings: self.timings,
        }
    }
}
