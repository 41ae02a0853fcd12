//! The entrants of one thread, which answer instance by instance.

use std::collections::BTreeMap;
use std::sync::Arc;

use kit::rng::{Streams, shuffle};

use super::{TimedRace, Timing, contradiction, row_of};
use crate::run::fault::{Cause, Fault};
use crate::run::finished_block::FinishedBlock;
use crate::run::plan::Block;
use crate::run::tally::BlockTally;
use task::{AnswerValues, Entrant, Row, Spent, TimedAnswer, TimingState};

/// The least time that a timing should last, in seconds: below it an answer is given again and again.
const LONG_ENOUGH: f64 = 1e-3;
/// The time that the slowest entrant's timing may last because of that.
const TOO_LONG: f64 = 0.05;
/// The steps of a clock that a timing by it should last.
const ENOUGH_STEPS: f64 = 30.0;
/// The time that the slowest entrant's timing may last because of steps.
const TOO_LONG_FOR_STEPS: f64 = 2.0;
/// The steps after which the time of an answer is known well enough to tell how often to ask.
const FIRST_STEPS: f64 = 5.0;
/// The answers in a row after which it is not known any better.
const FIRST_ANSWERS: u32 = 50;
/// The other instances that a contender is asked which does not answer the first one.
const OTHER_TRIALS: usize = 3;
/// The most answers in a row.
const MOST_REPEATS: f64 = 1000.0;

/// All contenders and the control, each in a process or a workspace of its own.
pub(crate) struct RaceLane {
    race: Arc<TimedRace>,
    pub(super) entrants: Vec<Box<dyn Entrant>>,
    /// The number of the last start.
    start: u64,
    /// The instance of the race before which it was due.
    started_at: Option<u64>,
    /// True until all have answered once.
    is_new: bool,
}

/// The entrants' answers to an instance, and the time that they took.
#[derive(Debug, Default)]
struct Raced {
    timings: Vec<Timing>,
    /// The answer of each contender that was asked.
    answers: BTreeMap<usize, AnswerValues>,
    /// The first trouble of each contender that had any.
    troubles: BTreeMap<usize, String>,
    /// Two answers that differ, by the contender that was asked later.
    difference: Option<(usize, String)>,
}

impl RaceLane {
    /// The entrants of a race.
    ///
    /// # Errors
    /// If one of them cannot be made.
    pub(crate) fn of(race: &Arc<TimedRace>) -> Result<Self, Fault> {
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
            started_at: None,
            is_new: true,
        }
    }

    /// Has all answer the instance of a block, and before it a first one where they are started anew.
    ///
    /// # Errors
    /// If answers differ, or a contender does not answer at all.
    pub(crate) fn run(&mut self, block: Block) -> Result<FinishedBlock, Fault> {
        let instance = block.first;
        let mut raced = Raced::default();
        for cell in 0..self.race.compiled.cells() {
            let made = self.race.compiled.instance_file(instance, cell);
            made.map_err(|told| Fault::new(cell, instance, Cause::Error(told)))?;
        }
        self.race.check_programs(instance)?;
        let started_at = Some(self.race.experiment.started_at(instance));
        if self.started_at != started_at {
            self.restart(instance, &mut raced)?;
            self.started_at = started_at;
        }
        let race = Arc::clone(&self.race);
        let repeats = *race.repeats.get_or_init(|| self.repeats(instance));
        for (position, entrant) in (1..).zip(self.abba(instance)) {
            self.ask(entrant, (instance, position), repeats, &mut raced);
        }
        // A program that was replaced while it was timed has times of nobody.
        race.check_programs(instance)?;
        raced.check(instance)?;
        Ok(raced.into_block(&race, block))
    }

    /// Starts all anew, in an order drawn from the seed, and has each give a first answer, which counts
    /// for nothing: programs start, and tables are made.
    fn restart(&mut self, instance: u64, raced: &mut Raced) -> Result<(), Fault> {
        self.start = self.race.next_start();
        for entrant in self.drawn_order("bench starts", self.start) {
            if let Some(spent) = self.entrants[entrant].restart() {
                let started = self.timing(entrant, (instance, 0), TimingState::Started, spent);
                raced.timings.push(started);
            }
            self.ask(entrant, (instance, 0), 1, raced);
        }
        raced.check(instance)?;
        let troubles = std::mem::take(&mut raced.troubles).into_iter();
        let is_new = std::mem::replace(&mut self.is_new, false);
        for (contender, trouble) in troubles.filter(|_| is_new) {
            self.check_answers(contender, (instance, &trouble))?;
        }
        raced.answers.clear();
        Ok(())
    }

    /// Has a contender that did not answer its first instance answer other ones: to fail at some instances is
    /// a result, at all a mistake.
    fn check_answers(
        &mut self,
        contender: usize,
        (instance, trouble): (u64, &str),
    ) -> Result<(), Fault> {
        let experiment = &self.race.experiment;
        let end = experiment.stop.max_samples;
        let mut others = (0..end)
            .filter(|&other| other != instance)
            .take(OTHER_TRIALS);
        let (compiled, entrant) = (&self.race.compiled, &mut self.entrants[contender]);
        let answers = others.any(|other| {
            let is_there = compiled.instance_file(other, contender).is_ok();
            is_there && entrant.answer(other).state != TimingState::Failed
        });
        if answers {
            return Ok(());
        }
        let name = &experiment.cells[contender].name;
        let title = compiled.instance_title(instance, contender);
        let told = format!("contender `{name}` does not answer {title}: {trouble}");
        Err(Fault::new(contender, instance, Cause::NoAnswer(told)))
    }

    /// The answers in a row that make timings last long enough for every clock, by answers to an instance.
    pub(super) fn repeats(&mut self, instance: u64) -> u32 {
        let entrants = self.entrants.iter_mut();
        let times: Vec<RoughTime> = entrants
            .map(|entrant| RoughTime::of(entrant.as_mut(), instance))
            .collect();
        let wanted = times.iter().map(RoughTime::wanted).fold(1.0, f64::max);
        let slowest = times.iter().map(|one| one.seconds).fold(1e-7, f64::max);
        let is_stepped = times.iter().any(|one| one.step > 0.0);
        let too_long = if is_stepped {
            TOO_LONG_FOR_STEPS
        } else {
            TOO_LONG
        };
        let allowed = (too_long / slowest).floor();
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
        let streams = Streams::new(self.race.experiment.seed());
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
        let contender = entrant % self.race.experiment.cells.len();
        raced.take(&self.race, place.0, (contender, taken));
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

/// The time of an answer, before it is known how often to ask for one timing.
struct RoughTime {
    seconds: f64,
    /// The step of the clock; 0 of one without steps.
    step: f64,
}

impl RoughTime {
    /// Asks an entrant once, or as often as a clock with steps tells something.
    fn of(entrant: &mut dyn Entrant, instance: u64) -> Self {
        let mut spent = entrant.answer(instance).spent;
        let mut answers = 1;
        let is_vague = |spent: &Spent| spent.processor() < FIRST_STEPS * spent.step;
        while is_vague(&spent) && answers < FIRST_ANSWERS && spent.wall < TOO_LONG_FOR_STEPS {
            spent = spent.and(entrant.answer(instance).spent);
            answers += 1;
        }
        Self {
            seconds: spent.processor().max(spent.step) / f64::from(answers),
            step: spent.step,
        }
    }

    /// The answers in a row that last long enough for its clock.
    fn wanted(&self) -> f64 {
        let least = LONG_ENOUGH.max(ENOUGH_STEPS * self.step);
        (least / self.seconds.max(1e-7)).ceil()
    }
}

impl Raced {
    /// Keeps the first answer of a contender, and compares every one with those of all others.
    fn take(&mut self, race: &TimedRace, instance: u64, (contender, taken): (usize, TimedAnswer)) {
        let experiment = &race.experiment;
        let answers = self.answers.iter();
        let mut alike = answers.filter(|(other, _)| experiment.is_alike(**other, contender));
        let told = alike.find_map(|(&other, known)| {
            let both = [(other, known), (contender, &taken.values)];
            contradiction((experiment, &race.compiled), instance, both)
        });
        let difference = told.map(|told| (contender, told));
        self.difference = self.difference.take().or(difference);
        // To be stopped at a cap is an answer, not a trouble.
        let is_capped = [TimingState::Capped, TimingState::OutOfMemory].contains(&taken.state);
        let trouble = taken.trouble.filter(|_| !is_capped);
        if let Some(trouble) = trouble {
            self.troubles.entry(contender).or_insert(trouble);
        }
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
        let seconds = |cell| {
            let own = self.timings.iter().filter(|timing| timing.entrant == cell);
            Some(own.map(|timing| timing.spent.wall).sum())
        };
        let told = |(contender, trouble): (usize, String)| {
            let first_line = trouble.lines().next().unwrap_or_default();
            let name = &race.experiment.cells[contender].name;
            let title = compiled.instance_title(block.first, contender);
            format!("{title}: {name}: {first_line}")
        };
        FinishedBlock {
            block,
            tally: BlockTally::of(compiled, block.first, &rows),
            seconds: (0..compiled.cells()).map(seconds).collect(),
            samples: Some(rows),
            troubles: self.troubles.into_iter().map(told).collect(),
            timings: self.timings,
        }
    }
}
