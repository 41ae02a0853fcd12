//! The times of all instances, by start and contender.

use stats::speed::{Cost, TimePair};

use experiment::{CapTable, Experiment};
use task::{Spent, TimingState};

/// A timing of an entrant: of the start of its program, or of its answers to an instance.
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

/// The times of all instances, in their order.
#[derive(Clone, Debug, Default)]
pub struct RaceCosts {
    instances: Vec<InstanceCosts>,
    /// The parts of the whole race, and its instances.
    parts: u64,
    planned: u64,
}

/// The times of an instance.
#[derive(Clone, Debug)]
struct InstanceCosts {
    /// The number of the start that the instance was measured after.
    start: u64,
    /// The times of the entrants; those of the control are the last.
    entrants: Vec<EntrantCosts>,
}

/// The times of an entrant on an instance.
#[derive(Clone, Copy, Debug)]
struct EntrantCosts {
    /// The cost without that of the baseline.
    own: Cost,
    /// The cost with that of the baseline.
    whole: Cost,
    /// True if the entrant failed to answer.
    is_failed: bool,
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
        let costs = |(entrant, (contender, _)): (usize, (usize, &str))| {
            let own = counted().filter(|timing| timing.entrant == entrant);
            let own: Vec<&Timing> = own.collect();
            let is_program = experiment.cells[contender].program().is_some();
            let whole = cost_of(&own, experiment.answer_cap(), is_program);
            let is_failed = own.iter().any(|one| one.state == TimingState::Failed);
            EntrantCosts {
                own: whole,
                whole,
                is_failed,
            }
        };
        let mut entrants: Vec<_> = experiment.entrants().enumerate().map(costs).collect();
        for (at, (contender, _)) in experiment.entrants().enumerate() {
            if let Some(baseline) = experiment.baseline_of(contender) {
                entrants[at].own = entrants[at].whole.without(&entrants[baseline].whole);
            }
        }
        let start = counted().next().map_or(0, |timing| timing.start);
        self.parts = experiment.parts();
        self.planned = experiment.stop.max_samples;
        self.instances.push(InstanceCosts { start, entrants });
    }

    /// Instances.
    pub fn instances(&self) -> u64 {
        self.instances.len() as u64
    }

    /// The costs by the start that they were measured after. Starts of fewer instances than a part of a race of this
    /// length would have, as at the beginning of a longer one, count with their neighbours as one; of less than half of a
    /// race, those of fewer than half as many.
    fn by_start(&self) -> impl Iterator<Item = &[InstanceCosts]> {
        let n = self.instances.len() as u64;
        let halves = if 2 * n < self.planned { 2 } else { 1 };
        let few = (n / (halves * self.parts.max(1))) as usize;
        let starts = self.instances.chunk_by(|one, next| one.start == next.start);
        let mut lengths: Vec<usize> = Vec::new();
        for length in starts.map(<[_]>::len) {
            match lengths.last_mut() {
                Some(last) if *last < few && length < few => *last += length,
                _ => {
                    close_short(&mut lengths, few);
                    lengths.push(length);
                }
            }
        }
        close_short(&mut lengths, few);
        let mut rest = &self.instances[..];
        lengths
            .into_iter()
            .filter(|&length| length > 0)
            .map(move |length| {
                let (start, others) = rest.split_at(length);
                rest = others;
                start
            })
    }

    /// The instances of each start.
    pub fn sizes(&self) -> Vec<usize> {
        self.by_start().map(<[_]>::len).collect()
    }

    /// The number of the last start.
    pub fn last_start(&self) -> u64 {
        self.instances.last().map_or(0, |last| last.start)
    }

    /// The times of an entrant, instance by instance.
    fn of_entrant(&self, entrant: usize) -> impl Iterator<Item = &EntrantCosts> {
        self.instances.iter().map(move |all| &all.entrants[entrant])
    }

    /// The times of a contender.
    pub fn of_contender(&self, contender: usize) -> Vec<Cost> {
        self.of_entrant(contender).map(|one| one.own).collect()
    }

    /// The times of a contender with those of the baseline.
    pub fn whole(&self, contender: usize) -> Vec<Cost> {
        self.of_entrant(contender).map(|one| one.whole).collect()
    }

    /// Instances at which a contender failed: it broke down, or said what is no answer.
    pub fn failed(&self, contender: usize) -> usize {
        self.of_entrant(contender)
            .filter(|one| one.is_failed)
            .count()
    }

    /// The share of a contender's typical time by which a clock that counts in steps may be off; `None`
    /// where no such clock took any.
    pub fn off(&self, contender: usize) -> Option<f64> {
        let whole = self.of_entrant(contender).map(|one| one.whole);
        let stepped = whole.filter(|cost| cost.off > 0.0);
        let mut shares: Vec<f64> = stepped.map(|cost| cost.off / cost.seconds).collect();
        shares.sort_by(f64::total_cmp);
        shares.get(shares.len() / 2).copied()
    }

    /// Instances that a contender answered in no more time than the baseline took.
    pub fn below_baseline(&self, contender: usize) -> usize {
        let is_below = |one: &&EntrantCosts| one.own.censored && !one.whole.censored;
        self.of_entrant(contender).filter(is_below).count()
    }

    /// The times of two contenders on every instance, by start.
    pub fn pairs(&self, (first, second): (usize, usize)) -> Vec<Vec<TimePair>> {
        let pair = |own: &InstanceCosts| [first, second].map(|at| own.entrants[at].own);
        let of_start = |start: &[InstanceCosts]| start.iter().map(pair).collect();
        self.by_start().map(of_start).collect()
    }

    /// The times of the first contender and of its control.
    pub fn control(&self) -> Vec<Vec<TimePair>> {
        let control = self
            .instances
            .first()
            .map_or(0, |all| all.entrants.len() - 1);
        self.pairs((0, control))
    }
}

/// Adds what is left of short starts to the group before it.
fn close_short(lengths: &mut Vec<usize>, few: usize) {
    if let [.., before, last] = &mut lengths[..]
        && *last < few
    {
        *before += *last;
        lengths.pop();
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
        off: mean(&|timing| timing.spent.step),
    }
}
