//! Races of simulated workers with a simulated clock, through the order, the control and the tables.

mod scripted;

use std::cell::Cell;
use std::rc::Rc;

use kit::rng::{Stream, StreamKey, Streams, below};
use stats::PairStatistic;
use stats::speed::Speed;

use super::*;
use crate::coin;
use crate::run::{Block, Cause, Fault, FinishedBlock};
use crate::tables::{Comparison, SpeedRow};
use experiment::Overrides;
use task::{Spent, TimedAnswer, TimingState, Value};

/// A worker that takes `slowdown` times as long as an instance is hard, and what its start deals besides.
struct Simulated {
    slowdown: f64,
    dealt: Dealt,
    hard: StreamKey,
    noise: (f64, Stream),
    /// The instance, and the answers of all workers to it: the machine warms up over an instance, and cools
    /// after it.
    answers: Rc<Cell<(u64, u64)>>,
    /// The first instance that a neighbour makes slower.
    neighbour: u64,
    /// The instance that is answered wrongly.
    wrong: Option<u64>,
}

/// The factor by which a start changes all times of a worker.
struct Dealt {
    /// The standard deviation of the factor's logarithm.
    spread: f64,
    factor: f64,
}

fn normal(stream: &mut Stream) -> f64 {
    let uniform = |stream: &mut Stream| (below(stream, 1 << 53) as f64 + 0.5) / (1u64 << 53) as f64;
    let (u, v) = (uniform(stream), uniform(stream));
    (-2.0 * libm::log(u)).sqrt() * libm::cos(std::f64::consts::TAU * v)
}

impl Entrant for Simulated {
    fn restart(&mut self) -> Option<Spent> {
        self.dealt.factor = libm::exp(self.dealt.spread * normal(&mut self.noise.1));
        None
    }

    fn answer(&mut self, instance: u64) -> TimedAnswer {
        let (last, answers) = self.answers.get();
        let answers = if last == instance { answers } else { 0 };
        self.answers.set((instance, answers + 1));
        let warm = 1.0 + 0.02 * answers as f64;
        let busy = if instance >= self.neighbour { 1.1 } else { 1.0 };
        let hard = 0.01 * libm::exp(0.5 * normal(&mut self.hard.stream(instance)));
        let noise = libm::exp(self.noise.0 * normal(&mut self.noise.1));
        TimedAnswer {
            state: TimingState::Done,
            spent: Spent {
                user: hard * self.slowdown * self.dealt.factor * warm * busy * noise,
                ..Spent::default()
            },
            values: vec![Some(Value::flag(self.wrong != Some(instance)))],
            trouble: None,
        }
    }
}

/// Two workers, the second `slowdown` times as slow.
#[derive(Clone, Copy)]
struct Workers {
    seed: u64,
    slowdown: f64,
    noise: f64,
    dealt: f64,
    /// Lines of the file's `[bench]`.
    bench: &'static str,
    neighbour: u64,
    wrong: Option<u64>,
}

impl Workers {
    fn of(seed: u64, slowdown: f64) -> Self {
        Self {
            seed,
            slowdown,
            noise: 0.05,
            dealt: 0.0,
            bench: "",
            neighbour: u64::MAX,
            wrong: None,
        }
    }

    fn race(self, instances: u64) -> Arc<TimedRace> {
        let text = format!(
            "question = \"?\"\ntask = \"coin/flip\"\nseed = {}\n[contenders.a]\np = 0.5\n\
             [contenders.b]\np = 0.5\n[bench]\nanswers = [\"heads\"]\nrepeats = 1\n{}\
             [stop]\nsamples = {instances}\n",
            self.seed, self.bench
        );
        let overrides = Overrides::default();
        let experiment = Experiment::parse(&text, "race.toml", coin::GAMES, &overrides);
        let race = experiment.unwrap().into_race().unwrap();
        let compiled = Arc::new(CompiledExperiment::of_experiment(&race).unwrap());
        let known = (RaceCosts::default(), None);
        Arc::new(TimedRace::new(&race, &compiled, Consent::default(), known))
    }

    fn lane(self, race: &Arc<TimedRace>) -> RaceLane {
        let answers = Rc::<Cell<(u64, u64)>>::default();
        let entrant = |(number, slowdown)| -> Box<dyn Entrant> {
            Box::new(Simulated {
                slowdown,
                dealt: Dealt {
                    spread: self.dealt,
                    factor: 1.0,
                },
                hard: Streams::new(self.seed).key("hard"),
                noise: (
                    self.noise,
                    Streams::new(self.seed).key("noise").stream(number),
                ),
                answers: Rc::clone(&answers),
                neighbour: self.neighbour,
                wrong: self.wrong.filter(|_| number == 1),
            })
        };
        let entrants = [(0, 1.0), (1, self.slowdown), (2, 1.0)].map(entrant);
        RaceLane::with(race, entrants.into())
    }

    /// All rows of a race of ten starts.
    fn rows(self, instances: u64) -> Vec<SpeedRow> {
        let race = self.race(instances);
        let (mut lane, mut costs) = (self.lane(&race), RaceCosts::default());
        for instance in 0..instances {
            let block = raced(&mut lane, instance).unwrap();
            costs.push(&race.experiment, &block.timings);
        }
        assert_eq!(costs.sizes().len(), 10);
        let comparison = Comparison {
            experiment: &race.experiment,
            costs: &costs,
            confidence: race.experiment.level.into(),
            grain: 0.0,
        };
        comparison.rows()
    }

    /// The control, and the second worker beside the first.
    fn raced(self, instances: u64) -> [SpeedRow; 2] {
        let rows = self.rows(instances);
        let find = |first: &str, second: &str| {
            let mut medians = rows
                .iter()
                .filter(|row| row.statistic == PairStatistic::Median);
            medians
                .find(|row| (&*row.first, &*row.second) == (first, second))
                .unwrap()
                .clone()
        };
        [find("a", "a"), find("b", "a")]
    }
}

fn raced(lane: &mut RaceLane, instance: u64) -> Result<FinishedBlock, Fault> {
    lane.run(Block {
        index: instance,
        first: instance,
        samples: 1,
    })
}

#[test]
fn every_contender_and_the_control_are_asked_as_often_in_balanced_positions() {
    let workers = Workers::of(1, 1.0);
    let race = workers.race(20);
    let mut lane = workers.lane(&race);
    for instance in 0..20 {
        let timings = raced(&mut lane, instance).unwrap().timings;
        for entrant in 0..3 {
            let own = timings
                .iter()
                .filter(|one| one.entrant == entrant && one.position > 0);
            let positions: Vec<u64> = own.map(|run| run.position).collect();
            assert_eq!(positions.len(), 2, "{entrant}");
            assert_eq!(positions.iter().sum::<u64>(), 7, "{entrant}: {positions:?}");
        }
    }
    // The control is another process or workspace than the first contender.
    assert_eq!(lane.entrants.len(), 3);
    let mut first = [0; 3];
    (0..600).for_each(|instance| first[lane.abba(instance)[0]] += 1);
    assert!(
        first.iter().all(|&count| (150..250).contains(&count)),
        "{first:?}"
    );
}

#[test]
fn the_time_of_answers_in_a_row_is_the_mean_of_one() {
    let workers = Workers {
        noise: 0.0,
        ..Workers::of(6, 1.0)
    };
    let mut lane = workers.lane(&workers.race(20));
    let [one, many] = [1, 60].map(|repeats| lane.entrants[0].answers(5, repeats).spent.user);
    // Warming up is 61 % on the average of the answers 2 to 61.
    assert!((many / one / 1.61 - 1.0).abs() < 1e-9, "{one} {many}");
    // Ten milliseconds are long enough for the clock.
    assert_eq!(lane.repeats(5), 1);
}

/// Warming up by 10 % over an instance would make the earlier one faster, were the order not reversed.
#[test]
fn what_drifts_over_an_instance_cancels() {
    let quiet = Workers {
        noise: 0.0,
        ..Workers::of(2, 1.0)
    };
    let [control, pair] = quiet.raced(60);
    for speed in [control.speed, pair.speed] {
        assert!((speed.value.unwrap() - 1.0).abs() < 1e-6, "{speed:?}");
        assert!(
            speed.hi().unwrap() - speed.lo().unwrap() < 1e-6,
            "{speed:?}"
        );
    }
}

#[test]
fn a_ratio_and_its_reverse_have_one_interval() {
    let workers = Workers {
        bench: "cap = { cpu = 1 }\n",
        ..Workers::of(5, 1.5)
    };
    let rows = workers.rows(60);
    for statistic in [PairStatistic::Median, PairStatistic::Total] {
        let find = |first: &str, second: &str| {
            let key = (first, second, statistic);
            let mut rows = rows.iter();
            rows.find(|row| (&*row.first, &*row.second, row.statistic) == key)
                .unwrap()
                .speed
        };
        let (one, other) = (find("b", "a"), find("a", "b").turned());
        let ends = |speed: Speed| [speed.value, speed.lo(), speed.hi()].map(Option::unwrap);
        for (one, other) in ends(one).into_iter().zip(ends(other)) {
            assert!(
                (one / other - 1.0).abs() < 1e-12,
                "{statistic:?}: {one} {other}"
            );
        }
    }
}

/// Seeds 100 to 399: what a start deals differs by 5 %.
#[test]
fn equal_workers_are_rarely_called_different_and_the_control_holds_one() {
    let dealt = |seed| Workers {
        dealt: 0.05,
        ..Workers::of(seed, 1.0)
    };
    let raced: Vec<_> = (100..400).map(|seed| dealt(seed).raced(40)).collect();
    for row in [0, 1] {
        let missed = raced
            .iter()
            .filter(|rows| !rows[row].speed.holds(1.0))
            .count();
        // One in twenty of 300 is 15; four deviates above are 30.
        assert!(missed <= 30, "{missed}");
    }
}

/// Seeds 1 to 40: answers of 10 ms that vary by 5 % each. The median of a start of 30 varies by 1.1 %, so one
/// race in a hundred leaves 2 % open.
#[test]
fn a_slowdown_of_two_per_cent_is_found_with_a_few_hundred_instances() {
    let is_found = |seed: &u64| {
        let [_, pair] = Workers::of(*seed, 1.02).raced(300);
        pair.speed.lo().unwrap() > 1.0 && pair.speed.hi().unwrap() < 1.05
    };
    let found = (1..=40).filter(is_found).count();
    assert!(found >= 39, "{found}");
}

/// Seeds 1 to 20: a neighbour makes all answers of the second half 10 % slower.
#[test]
fn a_neighbour_in_half_of_a_race_moves_the_ratio_by_less_than_its_interval() {
    for seed in 1..=20 {
        let alone = Workers::of(seed, 1.3);
        let beside = Workers {
            neighbour: 100,
            ..alone
        };
        let [one, other] = [alone, beside].map(|workers| workers.raced(200)[1].speed);
        let moved = (one.value.unwrap() - other.value.unwrap()).abs();
        assert!(
            moved < one.hi().unwrap() - one.lo().unwrap(),
            "{seed}: {one:?} {other:?}"
        );
    }
}

#[test]
fn a_worker_that_answers_wrongly_once_in_five_hundred_is_named() {
    let liar = Workers {
        wrong: Some(317),
        ..Workers::of(3, 1.0)
    };
    let race = liar.race(500);
    let mut lane = liar.lane(&race);
    let mut faults = (0..500).filter_map(|instance| raced(&mut lane, instance).err());
    let fault = faults.next().unwrap();
    assert_eq!(fault.sample, 317);
    let Cause::Race(message) = fault.cause else {
        panic!("{fault:?}")
    };
    let told = "the answers to instance 317 differ: `heads` is ";
    let both = message.strip_prefix(told).unwrap();
    let expected = [
        "true by `a` and false by `b`",
        "false by `b` and true by `a`",
    ];
    assert!(expected.contains(&both), "{both}");
}

/// An answer of a task that does next to nothing: measuring it adds less than 1 % to one of 1 ms.
#[test]
fn measuring_adds_next_to_nothing() {
    let race = Workers::of(4, 1.0).race(20);
    let mut empty = Inside::new(&race.compiled, 0, vec![0], None);
    let mut times: Vec<f64> = (0..301)
        .map(|instance| empty.answer(instance).spent.user)
        .collect();
    times.sort_by(f64::total_cmp);
    assert!(times[150] < 1e-5, "{}", times[150]);
}

/// A program that gives no answer is an instance of which nothing is known, by its times and its row.
#[test]
fn what_gives_no_answer_leaves_its_metrics_open() {
    let race = Workers::of(5, 1.0).race(20);
    let metrics = race.compiled.metrics();
    let row = row_of(metrics, &vec![None; metrics.len()]);
    assert!(row.timed_out);
    assert_eq!(row.values()[0], metrics[0].unknown());
    let half = [vec![Some(Value::flag(true))], vec![None; metrics.len() - 1]].concat();
    assert!(!row_of(metrics, &half).timed_out);
}

/// A worker whose children do the work, in 4 ms an answer that are counted in steps of 10.
struct Stepped {
    answers: u32,
}

impl Entrant for Stepped {
    fn answer(&mut self, _: u64) -> TimedAnswer {
        let counted = |answers: u32| f64::from(4 * answers / 10) / 100.0;
        self.answers += 1;
        let spent = Spent {
            user: counted(self.answers) - counted(self.answers - 1),
            step: 0.01,
            ..Spent::default()
        };
        TimedAnswer::answered(spent, vec![Some(Value::flag(true))], &[0])
    }
}

#[test]
fn timings_by_a_clock_of_steps_last_for_many_of_them() {
    let race = Workers::of(7, 1.0).race(20);
    let stepped = || -> Box<dyn Entrant> { Box::new(Stepped { answers: 0 }) };
    let mut lane = RaceLane::with(&race, vec![stepped(), stepped(), stepped()]);
    let repeats = lane.repeats(3);
    assert!((60..=80).contains(&repeats), "{repeats}");
    let taken = lane.entrants[0].answers(3, 75);
    assert!(
        (taken.spent.user - 0.004).abs() <= taken.spent.step,
        "{taken:?}"
    );
    assert!((taken.spent.step - 0.01 / 75.0).abs() < 1e-12);
}

/// Up to 109 instances the parts are all there is; of more the first part has ten starts of its own.
#[test]
fn a_race_of_ten_instances_or_more_has_ten_parts_of_nearly_as_many() {
    for instances in (10..=40).chain([101, 109, 999, 6_020]) {
        let experiment = &Workers::of(8, 1.0).race(instances).experiment;
        let starts: Vec<u64> = (0..instances).map(|at| experiment.started_at(at)).collect();
        let mut sizes: Vec<usize> = starts.chunk_by(|a, b| a == b).map(<[_]>::len).collect();
        while sizes.len() > 10 {
            let first: Vec<usize> = sizes.drain(..10).collect();
            let (least, most) = (first.iter().min().unwrap(), first.iter().max().unwrap());
            assert!(most - least <= 1, "{instances}: {first:?}");
            sizes.insert(0, first.iter().sum());
        }
        let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
        assert!(
            sizes.len() == 10 && most - least <= 1,
            "{instances}: {sizes:?}"
        );
    }
}

/// A race of 6,020 instances that somebody ends: whenever that is, there are at least five starts of which none has less
/// than a twentieth of the instances, and all of it has ten.
#[test]
fn a_race_that_is_ended_early_has_starts() {
    let experiment = &Workers::of(8, 1.0).race(6_020).experiment;
    let timing = |instance: u64| Timing {
        instance,
        entrant: 0,
        start: experiment.started_at(instance),
        position: 1,
        state: TimingState::Done,
        spent: Spent::default(),
    };
    let mut costs = RaceCosts::default();
    for instance in 0..6_020 {
        costs.push(experiment, &[timing(instance)]);
        let (n, sizes) = (instance as usize + 1, costs.sizes());
        assert_eq!(sizes.iter().sum::<usize>(), n);
        let least = sizes.iter().min().unwrap();
        assert!(
            n < 50 || (sizes.len() >= 5 && *least >= n / 20),
            "{n}: {sizes:?}"
        );
    }
    assert_eq!(costs.sizes(), [602; 10]);
}
