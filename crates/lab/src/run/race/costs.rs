//! The times of all instances, by start and contender.

use stats::speed::{Cost, TimePair};

use crate::experiment::{CapTable, Experiment};
use crate::task::{Spent, TimingState};

/// One timing of an entrant: of the start of its program, or of its answers to an instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// The instance, from 0.
    pub instance: u64,
    /// The entrant: a contender, or after the last of them the control.
    pub entrant: usize,
    /// The number of times that all had been started, this one included.
    pub start: u64,
    /// The position in the order of the instance, from 1; 0 of what counts for nothing: a program's
    /// start, and its first answer.
    pub position: u64,
    /// The state in which it ended.
    pub state: TimingState,
    /// The time that it took.
    pub spent: Spent,
}

/// The times of all instances by the start that they were measured after; those of the control are the
/// last.
#[derive(Clone, Debug, Default)]
pub struct RaceCosts(Vec<StartCosts>);

/// The times of the instances after one start.
#[derive(Clone, Debug, Default)]
struct StartCosts {
    start: u64,
    /// The costs by instance, and by entrant; without those of the baseline.
    costs: Vec<Vec<Cost>>,
    /// The costs with those of the baseline.
    whole: Vec<Vec<Cost>>,
}

impl RaceCosts {
    /// The costs of timings, which stand in the order of instances.
    pub fn of(experiment: &Experiment, timings: &[Timing]) -> Self {
        let mut costs = Self::default();
        let instances = timings.chunk_by(|a, b| a.instance == b.instance);
        let counted = instances.filter(|own| own.iter().any(|timing| timing.position > 0));
        counted.for_each(|own| costs.push(experiment, own));
        costs
    }

    /// Adds the timings of an instance.
    pub fn push(&mut self, experiment: &Experiment, timings: &[Timing]) {
        let counted = || timings.iter().filter(|timing| timing.position > 0);
        let cost = |(entrant, (contender, _)): (usize, (usize, &str))| {
            let own = counted().filter(|timing| timing.entrant == entrant);
            let is_program = experiment.contenders[contender].program.is_some();
            cost_of(
                &own.collect::<Vec<_>>(),
                experiment.answer_cap(),
                is_program,
            )
        };
        let whole: Vec<Cost> = experiment.entrants().enumerate().map(cost).collect();
        let baselines = experiment
            .entrants()
            .map(|(at, _)| experiment.baseline_of(at));
        let less = |(own, baseline): (&Cost, Option<usize>)| {
            baseline.map_or(*own, |at| own.without(&whole[at]))
        };
        let costs = whole.iter().zip(baselines).map(less).collect();
        let start = counted().next().map_or(0, |timing| timing.start);
        match self.0.last_mut().filter(|last| last.start == start) {
            Some(last) => {
                last.costs.push(costs);
                last.whole.push(whole);
            }
            None => self.0.push(StartCosts {
                start,
                costs: vec![costs],
                whole: vec![whole],
            }),
        }
    }

    /// Instances.
    pub fn instances(&self) -> u64 {
        self.sizes().iter().sum::<usize>() as u64
    }

    /// The instances of each start.
    pub fn sizes(&self) -> Vec<usize> {
        self.0.iter().map(|start| start.costs.len()).collect()
    }

    /// The number of the last start.
    pub fn last_start(&self) -> u64 {
        self.0.last().map_or(0, |last| last.start)
    }

    /// The times of a contender.
    pub fn of_contender(&self, contender: usize) -> Vec<Cost> {
        let all = self.0.iter().flat_map(|start| &start.costs);
        all.map(|costs| costs[contender]).collect()
    }

    /// The times of a contender with those of the baseline.
    pub fn whole(&self, contender: usize) -> Vec<Cost> {
        let all = self.0.iter().flat_map(|start| &start.whole);
        all.map(|costs| costs[contender]).collect()
    }

    /// Instances that a contender answered in no more time than the baseline took.
    pub fn below_baseline(&self, contender: usize) -> usize {
        let both = self
            .of_contender(contender)
            .into_iter()
            .zip(self.whole(contender));
        both.filter(|(left, whole)| left.censored && !whole.censored)
            .count()
    }

    /// The times of two contenders on every instance, by start.
    pub fn pairs(&self, (first, second): (usize, usize)) -> Vec<Vec<TimePair>> {
        let pair = |costs: &Vec<Cost>| [costs[first], costs[second]];
        let of_start = |start: &StartCosts| start.costs.iter().map(pair).collect();
        self.0.iter().map(of_start).collect()
    }

    /// The times of the first contender and of its control.
    pub fn control(&self) -> Vec<Vec<TimePair>> {
        let first = self.0.first().and_then(|start| start.costs.first());
        self.pairs((0, first.map_or(0, |costs| costs.len() - 1)))
    }
}

/// The mean of the times of an instance, each counted up to the cap. A program that was stopped has
/// used no more of the processor than it has, however long it was waited for; the task itself is
/// stopped by its nodes, where it stands.
fn cost_of(timings: &[&Timing], cap: CapTable, is_program: bool) -> Cost {
    let mean = |seconds: &dyn Fn(&Timing) -> f64| {
        let sum: f64 = timings.iter().map(|timing| seconds(timing)).sum();
        sum / timings.len().max(1) as f64
    };
    let counted = cap.counted().filter(|_| is_program);
    let used = |timing: &Timing| {
        let seconds = timing.spent.processor();
        seconds.min(cap.cpu.unwrap_or(f64::INFINITY))
    };
    let most = |timing: &Timing| match timing.state {
        TimingState::Done => used(timing),
        TimingState::Capped => used(timing).max(counted.unwrap_or(0.0)),
        _ => used(timing).max(counted.unwrap_or(f64::INFINITY)),
    };
    let is_done = |timing: &&Timing| timing.state == TimingState::Done;
    Cost {
        seconds: mean(&used),
        most: mean(&most),
        wall: mean(&|timing| timing.spent.wall),
        censored: timings.is_empty() || !timings.iter().all(is_done),
    }
}
