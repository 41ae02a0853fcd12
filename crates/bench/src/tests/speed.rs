//! The intervals of paired times, held against simulated contenders of known laws.

use super::*;
use kit::rng::{Stream, Streams, below};
use rand_core::Rng;

const MANY: Looks = Looks::Many { planned: 200 };

fn once() -> Confidence {
    Level::DEFAULT.into()
}

fn looking() -> Confidence {
    Confidence {
        level: Level::DEFAULT,
        looks: MANY,
    }
}

fn done(seconds: f64) -> Cost {
    Cost {
        seconds,
        most: seconds,
        censored: false,
    }
}

fn cut(seconds: f64) -> Cost {
    Cost {
        seconds,
        most: seconds,
        censored: true,
    }
}

/// A number in (0, 1).
fn uniform(stream: &mut Stream) -> f64 {
    ((stream.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

fn normal(stream: &mut Stream) -> f64 {
    let (u, v) = (uniform(stream), uniform(stream));
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// The laws of the hardness of an instance.
#[derive(Clone, Copy, Debug)]
enum Law {
    LogNormal,
    Pareto,
    TwoPoint,
}

impl Law {
    const ALL: [Self; 3] = [Law::LogNormal, Law::Pareto, Law::TwoPoint];

    /// Seconds of an instance.
    fn draw(self, stream: &mut Stream) -> f64 {
        match self {
            Law::LogNormal => 0.01 * normal(stream).exp(),
            Law::Pareto => 0.01 * uniform(stream).powf(-1.0 / 2.5),
            Law::TwoPoint if uniform(stream) < 0.2 => 0.1,
            Law::TwoPoint => 0.01,
        }
    }
}

/// Two workers, the first `ratio` times as slow on every instance, each with a noise of its own;
/// stopped at `cap` seconds.
#[derive(Clone, Copy, Debug)]
struct BenchRace {
    law: Law,
    ratio: f64,
    noise: f64,
    cap: f64,
}

impl BenchRace {
    fn of(law: Law) -> Self {
        Self {
            law,
            ratio: 1.5,
            noise: 0.3,
            cap: f64::INFINITY,
        }
    }

    fn pairs(self, n: u64, stream: &mut Stream) -> Vec<TimePair> {
        let capped = |seconds: f64| Cost {
            seconds: seconds.min(self.cap),
            most: seconds.min(self.cap),
            censored: seconds > self.cap,
        };
        let pair = |_| {
            let hard = self.law.draw(stream);
            let noises = [normal(stream), normal(stream)].map(|z| (self.noise * z).exp());
            [
                capped(self.ratio * hard * noises[0]),
                capped(hard * noises[1]),
            ]
        };
        (0..n).map(pair).collect()
    }

    /// The cap that stops the first worker on this share of instances.
    fn stopped_on(mut self, share: f64) -> Self {
        let mut stream = Streams::new(1).key("cap").stream(0);
        let mut times: Vec<f64> = self
            .pairs(20_000, &mut stream)
            .iter()
            .map(|p| p[0].seconds)
            .collect();
        times.sort_by(f64::total_cmp);
        self.cap = times[((1.0 - share) * 20_000.0) as usize];
        self
    }
}

/// The share of experiments in which `wrong` holds.
fn rate(seed: u64, tries: u64, wrong: impl Fn(&mut Stream) -> bool) -> f64 {
    let key = Streams::new(seed).key("experiment");
    let misses = (0..tries).filter(|&index| wrong(&mut key.stream(index)));
    misses.count() as f64 / tries as f64
}

/// The most experiments of `tries` that may go wrong where one in twenty does: four deviates above.
fn most(tries: u64) -> f64 {
    0.05 + 4.0 * (0.05 * 0.95 / tries as f64).sqrt()
}

fn misses_median(race: BenchRace, n: u64) -> impl Fn(&mut Stream) -> bool {
    move |stream| !median(&race.pairs(n, stream), once()).holds(race.ratio)
}

/// Looks after every instance from the tenth on, and stops as soon as the truth is missed.
fn misses_while_looking(race: BenchRace, n: u64) -> impl Fn(&mut Stream) -> bool {
    move |stream| {
        let pairs = race.pairs(n, stream);
        let looks = (10..=n as usize).step_by(10);
        looks
            .into_iter()
            .any(|n| !median(&pairs[..n], looking()).holds(race.ratio))
    }
}

#[test]
fn the_median_of_ratios_is_missed_as_rarely_as_its_level_says() {
    for law in Law::ALL {
        let missed = rate(28, 1_000, misses_median(BenchRace::of(law), 101));
        assert!(missed <= most(1_000), "{law:?}: {missed}");
    }
}

#[test]
fn the_median_is_honest_with_a_fifth_and_with_most_instances_stopped() {
    for (law, share) in Law::ALL
        .into_iter()
        .flat_map(|law| [(law, 0.2), (law, 0.6)])
    {
        let race = BenchRace::of(law).stopped_on(share);
        let missed = rate(29, 500, misses_median(race, 101));
        assert!(missed <= most(500), "{law:?}, {share}: {missed}");
    }
}

#[test]
fn looking_again_and_again_does_not_make_the_median_miss_more() {
    for law in Law::ALL {
        let missed = rate(30, 120, misses_while_looking(BenchRace::of(law), 300));
        assert!(missed <= most(120), "{law:?}: {missed}");
    }
}

/// The ratio of the totals of many instances, which a sum of few aims at.
fn total_of(race: BenchRace) -> f64 {
    let mut stream = Streams::new(2).key("truth").stream(0);
    total(&race.pairs(2_000_000, &mut stream), once())
        .value
        .unwrap()
}

/// The ratio of the totals where the noise of both workers has one mean and nothing is stopped.
const EVEN: f64 = 1.5;

fn misses_total_while_looking(race: BenchRace, n: u64, truth: f64) -> impl Fn(&mut Stream) -> bool {
    move |stream| {
        let pairs = race.pairs(n, stream);
        let mut looks = (10..=n as usize)
            .step_by(10)
            .map(|n| total(&pairs[..n], looking()));
        looks.any(|speed| speed.lo.is_some() && !speed.holds(truth))
    }
}

#[test]
fn looking_again_and_again_does_not_make_the_total_miss_more() {
    for law in Law::ALL {
        let race = BenchRace::of(law);
        let missed = rate(34, 200, misses_total_while_looking(race, 400, EVEN));
        assert!(missed <= most(200), "{law:?}: {missed}");
        let mut stream = Streams::new(35).key("shown").stream(0);
        let shown = total(&race.pairs(400, &mut stream), looking());
        assert!(shown.dominated || shown.lo.is_some(), "{law:?}: {shown:?}");
    }
}

#[test]
fn equal_workers_are_rarely_called_different() {
    let race = BenchRace {
        ratio: 1.0,
        ..BenchRace::of(Law::LogNormal)
    };
    let differs = |speed: Speed, even| speed.verdict(even, 0.03) == SpeedVerdict::Different;
    let medians = rate(31, 1_000, |stream| {
        differs(median(&race.pairs(101, stream), once()), 1.0)
    });
    let signs = rate(32, 1_000, |stream| {
        differs(faster(&race.pairs(101, stream), 0.0, once()), 0.5)
    });
    let totals = rate(33, 1_000, |stream| {
        differs(total(&race.pairs(201, stream), once()), 1.0)
    });
    for missed in [medians, signs, totals] {
        assert!(missed <= most(1_000), "{medians} {signs} {totals}");
    }
}

/// Both times of a pair hold the hardness: counted as its cap, a stopped time would shrink the ratio.
#[test]
fn a_stopped_time_counts_as_more_and_never_as_its_cap() {
    let slow = [[cut(10.0), done(4.0)]; 30];
    let fast = [[done(2.0), done(1.0)]; 20];
    let pairs = [slow.as_slice(), &fast].concat();
    let speed = median(&pairs, once());
    assert_eq!((speed.value, speed.hi, speed.censored), (None, None, 30));
    assert!((speed.lo.unwrap() - 2.0).abs() < 1e-6, "{speed:?}");
    let few = [&slow[..5], &fast].concat();
    let speed = median(&few, once());
    assert!((speed.value.unwrap() - 2.0).abs() < 1e-6 && speed.hi.is_some());
    let turned: Vec<TimePair> = pairs.iter().map(|&[a, b]| [b, a]).collect();
    let speed = median(&turned, once());
    assert_eq!((speed.value, speed.lo), (None, None));
    assert!((speed.hi.unwrap() - 0.5).abs() < 1e-6, "{speed:?}");
}

#[test]
fn the_total_has_no_interval_where_one_instance_makes_most_of_it() {
    let mut pairs = vec![[done(0.02), done(0.01)]; 100];
    assert!((total(&pairs, once()).value.unwrap() - 2.0).abs() < 1e-9);
    pairs.push([done(5.0), done(5.0)]);
    let speed = total(&pairs, once());
    assert_eq!(
        (speed.lo, speed.verdict(1.0, 0.03)),
        (None, SpeedVerdict::Dominated)
    );
}

#[test]
fn the_total_counts_a_stopped_time_up_to_its_cap() {
    let mut stream = Streams::new(4).key("total").stream(0);
    let race = BenchRace::of(Law::LogNormal).stopped_on(0.2);
    let pairs = race.pairs(2_000, &mut stream);
    let speed = total(&pairs, once());
    let sum = |side: usize| pairs.iter().map(|pair| pair[side].seconds).sum::<f64>();
    assert!((speed.value.unwrap() - sum(0) / sum(1)).abs() < 1e-6);
    assert!(speed.censored > 300 && speed.lo.is_some(), "{speed:?}");
    let looked = total(&pairs, looking());
    assert!(looked.lo < speed.lo && looked.hi > speed.hi, "{looked:?}");
    let validity = looked.interval.map(|(_, _, validity)| validity);
    assert_eq!(validity, Some(Validity::AnyTime));
}

#[test]
fn ties_within_the_grain_do_not_count_and_unknown_signs_may_be_either() {
    let pairs = [
        [done(1.0), done(2.0)],
        [done(2.0), done(2.0 + 1e-7)],
        [cut(3.0), done(1.0)],
        [cut(1.0), done(3.0)],
        [cut(5.0), cut(5.0)],
        [done(1.0), cut(2.0)],
    ];
    let speed = faster(&pairs, 1e-6, once());
    assert_eq!((speed.n, speed.censored), (5, 2));
    assert!((speed.value.unwrap() - 2.0 / 3.0).abs() < 1e-12);
    assert!(speed.lo.unwrap() < 0.1 && speed.hi.unwrap() > 0.9);
}

#[test]
fn equal_within_a_margin_is_a_verdict_of_its_own() {
    let at = |ratio: f64| vec![[done(ratio), done(1.0)]; 50];
    let verdict = |pairs: &[TimePair], margin| median(pairs, once()).verdict(1.0, margin);
    let near = [at(0.99), at(1.01)].concat();
    assert_eq!(verdict(&near, 0.03), SpeedVerdict::Equal);
    assert_eq!(verdict(&near, 0.001), SpeedVerdict::Undecided);
    assert_eq!(verdict(&at(1.01), 0.03), SpeedVerdict::Different);
    assert_eq!(
        median(&at(1.02), once()).within(0.03),
        ClaimVerdict::Supported
    );
    assert_eq!(
        median(&at(1.04), once()).within(0.03),
        ClaimVerdict::Refuted
    );
    assert_eq!(verdict(&[], 0.03), SpeedVerdict::Undecided);
}

#[test]
fn the_share_decided_is_that_of_times_that_were_not_stopped() {
    let costs = [done(1.0), cut(2.0), done(0.5), done(0.1)];
    let speed = decided(&costs, once());
    assert_eq!((speed.value, speed.n, speed.censored), (Some(0.75), 4, 1));
    assert!(speed.lo.unwrap() < 0.75 && speed.hi.unwrap() > 0.99);
}

#[test]
fn the_ratio_turned_round_is_the_inverse() {
    let mut stream = Streams::new(5).key("turned").stream(0);
    let pairs = BenchRace::of(Law::Pareto).pairs(100 + below(&mut stream, 2), &mut stream);
    let turned: Vec<TimePair> = pairs.iter().map(|&[a, b]| [b, a]).collect();
    let (one, other) = (median(&pairs, once()), median(&turned, once()));
    assert!((one.value.unwrap() * other.value.unwrap() - 1.0).abs() < 1e-6);
    assert!((one.lo.unwrap() * other.hi.unwrap() - 1.0).abs() < 1e-6);
}

/// The table of book/src/appendix/coverage.md, and that nothing in it misses too often.
#[test]
#[ignore = "two minutes: the measured rates of the appendix"]
fn the_rates_of_the_appendix() {
    println!(
        "| law | stopped | instances | median missed under looks | median missed | total missed under looks | \
         total missed, of those shown | totals shown |"
    );
    for (law, share, n) in Law::ALL.into_iter().flat_map(|law| {
        [0.0, 0.2, 0.6]
            .into_iter()
            .flat_map(move |share| [(law, share, 50), (law, share, 400)])
    }) {
        let race = if share > 0.0 {
            BenchRace::of(law).stopped_on(share)
        } else {
            BenchRace::of(law)
        };
        let tries = 4_000;
        let missed = rate(40, tries, misses_median(race, n));
        let truth = total_of(race);
        let shown = rate(41, tries, |stream| {
            total(&race.pairs(n, stream), once()).lo.is_some()
        });
        let wrong = rate(41, tries, |stream| {
            let speed = total(&race.pairs(n, stream), once());
            speed.lo.is_some() && !speed.holds(truth)
        });
        let looked = rate(42, 500, misses_while_looking(race, n));
        let summed = rate(43, 500, misses_total_while_looking(race, n, truth));
        let [missed, looked, summed, wrong, shown] =
            [missed, looked, summed, wrong / shown.max(1e-9), shown].map(|rate| 100.0 * rate);
        println!(
            "| {law:?} | {share} | {n} | {looked:.1} % | {missed:.1} % | {summed:.1} % | {wrong:.1} % | {shown:.0} % |"
        );
        assert!(missed <= 100.0 * most(tries) && looked <= 100.0 * most(500));
        assert!(summed <= 100.0 * most(500), "{law:?} {share} {n}: {summed}");
        assert!(shown < 5.0 || wrong <= 7.0, "{law:?} {share} {n}");
    }
}

/// A program that sleeps is stopped after ten seconds, of which it used next to nothing.
#[test]
fn a_total_allows_for_all_that_a_stopped_answer_could_have_used_up_to_its_cap() {
    let asleep = Cost {
        seconds: 1e-3,
        most: 10.0,
        censored: true,
    };
    let failed = Cost {
        most: f64::INFINITY,
        ..asleep
    };
    let others: Vec<Cost> = (0..40)
        .map(|at| done(1.0 + f64::from(at % 7) / 10.0))
        .collect();
    let against = |one: Cost| others.iter().map(|&other| [one, other]).collect::<Vec<_>>();
    let found = total(&against(asleep), once());
    assert!(
        found.lo.unwrap() < 1e-3 && found.hi.unwrap() > 7.0,
        "{found:?}"
    );
    assert_eq!(found.verdict(1.0, 0.03), SpeedVerdict::Undecided);
    let open = total(&against(failed), once());
    assert!(
        open.lo.is_some() && (open.value, open.hi) == (None, None),
        "{open:?}"
    );
    // One that is busy until its cap counts as that.
    let busy = total(&against(cut(10.0)), once());
    assert_eq!(busy.value, total(&against(done(10.0)), once()).value);
}
