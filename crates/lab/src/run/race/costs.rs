//! The times of all instances, by start and contender.

use stats::speed::{Cost, TimePair};

use experiment::{CapTable, Experiment};
use task::{Spent, TimingState};

/// A timing of an entrant: of the start of its program, or of its answers to an instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timing {
    /// The instance, from 0.
    pub(crate) instance: u64,
    /// The entrant: a contender, or after the last of them the control.
    pub(crate) entrant: usize,
    /// The number of times that all had been started, this one included.
    pub(crate) start: u64,
    /// The position in the order of the instance, from 1; 0 of what counts for nothing: a program's
    /// start, and its first answer.
    pub(crate) position: u64,
    /// The state in which it ended.
    pub(crate) state: TimingState,
    /// The time that it took.
    pub(crate) spent: Spent,
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
    /// True if it ran out of memory.
    is_out_of_memory: bool,
}

impl RaceCosts {
    /// The costs of timings, which stand in the order of instances.
    pub(crate) fn of(experiment: &Experiment, timings: &[Timing]) -> Self {
        let mut costs = Self::default();
        let instances = timings.chunk_by(|a, b| a.instance == b.instance);
        let counted = instances.filter(|own| own.iter().any(|timing| timing.position > 0));
        counted.for_each(|own| costs.push(experiment, own));
        costs
    }

    /// Adds the timings of an instance.
    pub(crate) fn push(&mut self, experiment: &Experiment, timings: &[Timing]) {
        let counted = || timings.iter().filter(|timing| timing.position > 0);
        let costs = |(entrant, (contender, _)): (usize, (usize, &str))| {
            let own = counted().filter(|timing| timing.entrant == entrant);
            let own: Vec<&Timing> = own.collect();
            let is_program = experiment.cells[contender].program().is_some();
            let whole = cost_of(&own, experiment.answer_cap(), is_program);
            let ended = |state| own.iter().any(|one| one.state == state);
            EntrantCosts {
                own: whole,
                whole,
                is_failed: ended(TimingState::Failed),
                is_out_of_memory: ended(TimingState::OutOfMemory),
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
    pub(crate) fn sizes(&self) -> Vec<usize> {
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

    /// Instances at which a contender ran out of memory.
    pub fn out_of_memory(&self, contender: usize) -> usize {
        let entrants = self.of_entrant(contender);
        entrants.filter(|one| one.is_out_of_memory).count()
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::coin;
    use experiment::Overrides;

    /// A race of three contenders `a`, `b` and `c`.
    pub(crate) fn race(bench: &str, stop: &str) -> Experiment {
        let text = format!(
            "question = \"?\"\ntask = \"coin/flip\"\nseed = 5\n[contenders.a]\np = 0.5\n\
             [contenders.b]\np = 0.5\nengraving = \"b\"\n[contenders.c]\np = 0.5\nengraving = \"c\"\n\
             [bench]\nanswers = [\"heads\"]\nrepeats = 1\n{bench}\n{stop}\n"
        );
        let overrides = Overrides::default();
        let experiment = Experiment::parse(&text, "race.toml", coin::GAMES, &overrides);
        let experiment = experiment.unwrap_or_else(|error| panic!("{}", error.render(false)));
        experiment.into_race().unwrap()
    }

    /// The answers of all entrants to an instance after a start, each twice.
    pub(crate) fn timings(instance: u64, start: u64, seconds: &[f64]) -> Vec<Timing> {
        let entrants = (0..seconds.len()).chain((0..seconds.len()).rev());
        let timing = |(position, entrant): (u64, usize)| Timing {
            instance,
            entrant,
            start,
            position,
            state: TimingState::Done,
            spent: Spent {
                user: seconds[entrant],
                wall: 2.0 * seconds[entrant],
                ..Spent::default()
            },
        };
        (1..).zip(entrants).map(timing).collect()
    }

    fn took(user: f64, system: f64, wall: f64, step: f64, state: TimingState) -> Timing {
        Timing {
            instance: 0,
            entrant: 0,
            start: 1,
            position: 1,
            state,
            spent: Spent {
                user,
                system,
                wall,
                step,
                ..Spent::default()
            },
        }
    }

    /// Answers of 1.5 and of 3 seconds, at a cap of 2 and without one.
    #[test]
    fn a_cost_is_the_mean_of_its_timings_up_to_the_cap() {
        use TimingState::{Capped, Done, Failed};
        let capped = |cpu, wall| CapTable {
            cpu,
            wall,
            nodes: None,
            memory: None,
        };
        let [one, other] = [
            took(1.0, 0.5, 2.0, 0.1, Done),
            took(2.0, 1.0, 5.0, 0.3, Done),
        ];
        let both = [&one, &other];
        let expected = Cost {
            seconds: 2.25,
            most: 2.25,
            wall: 3.5,
            censored: false,
            off: 0.2,
        };
        assert_eq!(cost_of(&both, capped(None, None), true), expected);
        let at_most = Cost {
            seconds: 1.75,
            most: 1.75,
            ..expected
        };
        assert_eq!(cost_of(&both, capped(Some(2.0), None), false), at_most);
        let most = |state, used, cap, is_program| {
            let timing = took(used, 0.0, 1.0, 0.0, state);
            let cost = cost_of(&[&timing], cap, is_program);
            assert!(cost.censored);
            (cost.seconds, cost.most)
        };
        let cap = capped(Some(2.0), None);
        assert_eq!(most(Capped, 0.5, cap, true), (0.5, 2.0));
        assert_eq!(most(Capped, 0.5, cap, false), (0.5, 0.5));
        assert_eq!(most(Failed, 0.5, cap, true), (0.5, 2.0));
        assert_eq!(most(Failed, 0.5, cap, false), (0.5, f64::INFINITY));
        assert_eq!(most(Capped, 3.0, capped(None, Some(2.0)), true), (3.0, 3.0));
        assert_eq!(most(Capped, 0.5, capped(None, None), true), (0.5, 0.5));
        assert_eq!(
            most(Failed, 0.5, capped(None, None), true),
            (0.5, f64::INFINITY)
        );
        let late = took(1.0, 0.0, 1.0, 0.0, Capped);
        assert!(cost_of(&[&one, &late], cap, true).censored);
        let none = cost_of(&[], cap, true);
        assert!(none.censored && none.seconds == 0.0);
    }

    /// `c` takes 0.5 of what all others take, first answers count for nothing, and no two contenders are alike.
    #[test]
    fn costs_are_those_of_each_contender_without_the_baseline() {
        let race = race("baseline = \"c\"", "[stop]\nsamples = 4");
        let mut all = Vec::new();
        for (instance, seconds) in (0..).zip([
            [1.0, 2.0, 0.5, 1.25],
            [3.0, 4.0, 0.5, 3.5],
            [9.0, 0.25, 0.5, 8.5],
        ]) {
            let started = took(70.0, 0.0, 70.0, 0.0, TimingState::Started);
            let first = took(50.0, 0.0, 50.0, 0.0, TimingState::Done);
            let before = [started, first].map(|timing| Timing {
                instance,
                position: 0,
                ..timing
            });
            all.extend(before);
            all.extend(timings(instance, 1 + instance / 2, &seconds));
        }
        let unanswered = took(70.0, 0.0, 70.0, 0.0, TimingState::Started);
        all.push(Timing {
            instance: 3,
            position: 0,
            ..unanswered
        });
        all.iter_mut()
            .filter(|one| one.instance == 1 && one.entrant == 1 && one.position == 2)
            .for_each(|one| one.state = TimingState::Failed);
        all.iter_mut()
            .filter(|one| one.instance == 1 && one.entrant == 0 && one.position == 1)
            .for_each(|one| one.state = TimingState::OutOfMemory);
        all.iter_mut()
            .filter(|one| one.entrant == 0 && one.instance != 0)
            .for_each(|one| one.spent.step = 0.25);
        let costs = RaceCosts::of(&race, &all);
        let seconds = |costs: Vec<Cost>| costs.iter().map(|cost| cost.seconds).collect::<Vec<_>>();
        assert_eq!((costs.instances(), costs.last_start()), (3, 2));
        assert_eq!(seconds(costs.whole(0)), [1.0, 3.0, 9.0]);
        assert_eq!(seconds(costs.of_contender(0)), [0.5, 2.5, 8.5]);
        assert_eq!(seconds(costs.of_contender(1)), [1.5, 3.5, 1e-9]);
        assert_eq!(seconds(costs.of_contender(2)), [0.5; 3]);
        assert_eq!(
            [0, 1, 2].map(|contender| costs.failed(contender)),
            [0, 1, 0]
        );
        assert_eq!(
            [0, 1, 2].map(|contender| costs.out_of_memory(contender)),
            [1, 0, 0]
        );
        let below = [0, 1, 2].map(|contender| costs.below_baseline(contender));
        assert_eq!(below, [0, 1, 0]);
        // Steps of a quarter in 3 and in 9 seconds: the upper one of two shares.
        assert_eq!(
            [0, 1].map(|contender| costs.off(contender)),
            [Some(0.25 / 3.0), None]
        );
        let pairs = |pairs: Vec<Vec<TimePair>>| -> Vec<[f64; 2]> {
            let pairs = pairs.concat().into_iter();
            pairs.map(|pair| pair.map(|cost| cost.seconds)).collect()
        };
        assert_eq!(pairs(costs.pairs((1, 0)))[..2], [[1.5, 0.5], [3.5, 2.5]]);
        assert_eq!(
            pairs(costs.control()),
            [[0.5, 0.75], [2.5, 3.0], [8.5, 8.0]]
        );
    }

    /// A race of 40 in four parts: short starts go to their neighbours.
    #[test]
    fn short_starts_count_with_their_neighbours() {
        let race = race("starts = 4", "[stop]\nsamples = 40");
        let sizes = |sizes: &[u64]| {
            let mut costs = RaceCosts::default();
            let starts = (1..)
                .zip(sizes)
                .flat_map(|(start, &size)| (0..size).map(move |_| start));
            for (instance, start) in (0..).zip(starts) {
                costs.push(&race, &timings(instance, start, &[1.0; 4]));
            }
            costs.sizes()
        };
        assert_eq!(sizes(&[10; 4]), [10; 4]);
        assert_eq!(sizes(&[9, 1, 10, 20]), [10, 10, 20]);
        assert_eq!(sizes(&[4, 4, 4, 8, 20]), [20, 20]);
        assert_eq!(sizes(&[20, 10, 9, 1]), [20, 10, 10]);
        assert_eq!(sizes(&[20, 17, 3]), [20, 20]);
        // Less than half of the race: an eighth of 16 is 2.
        assert_eq!(sizes(&[2, 3, 4, 7]), [2, 3, 4, 7]);
        assert_eq!(sizes(&[1, 1, 7, 7]), [2, 7, 7]);
        // A half: a quarter of 20 is 5.
        assert_eq!(sizes(&[4, 4, 12]), [8, 12]);
        assert!(sizes(&[]).is_empty());
    }
}
