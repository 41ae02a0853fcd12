//! The statistics of paired times: how many times as long one contender takes as another.
//!
//! A time that was cut off is known to be at least so long, and no more: it bounds the ratio of its
//! pair from one side. Answers after one start of the programs agree too well with each other, so every
//! interval is the wider one of two: over instances, as if all starts were alike, and over starts. The
//! median of ratios has order statistics over instances; the ratio of totals that of bounded means. Knows
//! only numbers. References: Kalibera and Jones 2013 on starts; David and Nagaraja, *Order Statistics*,
//! 7.1; Howard and Ramdas 2022 on quantiles at all times; Van Gelder 2011 on time-outs and ties.

use super::{
    Bounded, ClaimVerdict, Confidence, Histogram, Interval, Looks, Method, Proportion, Relation,
    Span, mean_of_starts, median_of_starts, quantile_estimate, ratio_of_totals,
};

/// The time of one contender on one instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Seconds; where it was cut off, the seconds that it takes at least.
    pub seconds: f64,
    /// The most seconds that count of it: where it was cut off, up to its cap.
    pub most: f64,
    /// Seconds on the wall.
    pub wall: f64,
    /// True if it was stopped before it answered.
    pub censored: bool,
    /// Seconds by which a clock that counts in steps may be off, either way.
    pub off: f64,
}

impl Cost {
    /// Subtracts the time of another cost on the same instance. Where nothing or less is left, or the other
    /// one was cut off, the rest is not known: between nothing and all of the time.
    ///
    /// ```
    /// use etude_stats::speed::Cost;
    /// let took = |seconds| Cost { seconds, most: seconds, wall: seconds, censored: false, off: 0.0 };
    /// assert_eq!(took(3.0).without(&took(1.0)), took(2.0));
    /// assert!(took(1.0).without(&took(1.0)).censored);
    /// ```
    pub fn without(self, baseline: &Self) -> Self {
        let left = |seconds: f64, less: f64| at_least_a_step(seconds - less);
        let is_known = !baseline.censored && self.seconds > baseline.seconds;
        Self {
            seconds: left(self.seconds, baseline.most),
            most: if is_known {
                left(self.most, baseline.seconds)
            } else {
                self.most
            },
            wall: left(self.wall, baseline.wall),
            censored: self.censored || !is_known,
            off: self.off + baseline.off,
        }
    }

    /// Returns the seconds on the wall for each second of the processor, unknown of an answer that was stopped or of
    /// which a baseline leaves nothing.
    ///
    /// ```
    /// use etude_stats::speed::Cost;
    /// let waits = Cost { seconds: 2.0, most: 2.0, wall: 3.0, censored: false, off: 0.0 };
    /// assert_eq!(waits.wall_share().seconds, 1.5);
    /// assert!(Cost { wall: 0.0, ..waits }.wall_share().censored);
    /// ```
    pub fn wall_share(self) -> Self {
        let is_known = !self.censored && self.wall > at_least_a_step(0.0);
        let seconds = at_least_a_step(self.seconds);
        let share = is_known.then(|| self.wall / seconds);
        Self {
            seconds: share.unwrap_or(0.0),
            most: share.unwrap_or(f64::INFINITY),
            censored: !is_known,
            off: share.unwrap_or(0.0) * self.off / seconds,
            ..self
        }
    }

    /// Returns the answer by the clock on the wall.
    pub fn on_the_wall(self) -> Self {
        Self {
            seconds: self.wall,
            most: self.wall,
            off: 0.0,
            ..self
        }
    }

    /// Returns the time as its clock tells it.
    fn as_measured(self) -> Self {
        Self { off: 0.0, ..self }
    }

    /// The least seconds that it can be; 0 where that may be none.
    fn least(&self) -> f64 {
        let least = self.seconds - self.off;
        let may_be_none = self.censored || self.off > 0.0;
        if may_be_none && least <= at_least_a_step(0.0) {
            0.0
        } else {
            at_least_a_step(least)
        }
    }

    /// The most seconds that it can be; no end where it was cut off.
    fn longest(&self) -> f64 {
        if self.censored {
            f64::INFINITY
        } else {
            at_least_a_step(self.seconds + self.off)
        }
    }
}

/// The times of two contenders on the same instance.
pub type TimePair = [Cost; 2];

/// The pairs of the instances of each start.
pub type Starts = [Vec<TimePair>];

/// The verdict on two contenders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr)]
pub enum SpeedVerdict {
    /// The interval excludes that they are equal.
    #[strum(serialize = "different")]
    Different,
    /// The interval excludes that they are equal, and lies within the margin of equality.
    #[strum(serialize = "different within the margin")]
    Slightly,
    /// The interval includes that they are equal, and lies within the margin.
    #[strum(serialize = "equal")]
    Equal,
    /// The times do not tell.
    #[strum(serialize = "open")]
    Open,
    /// The quantity is no comparison.
    #[strum(serialize = "")]
    Unjudged,
}

/// An estimate with an interval, either end of which may be open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speed {
    /// The estimate; `None` where cut-off times leave it open.
    pub value: Option<f64>,
    /// The interval; an end is infinite where it is open.
    pub interval: Option<Interval>,
    /// Instances that count.
    pub n: u64,
    /// The number of pairs with a time that was cut off.
    pub censored: u64,
}

/// Logarithms of ratios are counted in units of one part in this.
const PARTS: f64 = 1e9;
/// The logarithm of a ratio of which nothing is known on one side: far beyond any that times have.
const OPEN: i64 = 1_000_000_000_000;

impl Speed {
    /// Nothing found among `n` instances.
    pub fn none(n: u64, censored: u64) -> Self {
        Self {
            n,
            censored,
            ..Self::default()
        }
    }

    /// The lower limit; `None` where there is none.
    pub fn lo(&self) -> Option<f64> {
        let lo = self.interval.map(|found| found.lo);
        lo.filter(|lo| lo.is_finite())
    }

    /// The upper limit; `None` where there is none.
    pub fn hi(&self) -> Option<f64> {
        let hi = self.interval.map(|found| found.hi);
        hi.filter(|hi| hi.is_finite())
    }

    /// With an interval that holds both its own, which is over instances, and these limits over starts;
    /// with none where there are none of either.
    fn over_starts(self, limits: Option<Span>, confidence: Confidence) -> Self {
        let wider = |(own, over): (Interval, Span)| {
            let validity = confidence.looks.validity();
            let limits = Span::new(own.lo.min(over.lo), own.hi.max(over.hi));
            Interval::half_open(limits, confidence.level, Method::Starts, validity)
        };
        Self {
            interval: self.interval.zip(limits).and_then(wider),
            ..self
        }
    }

    /// The ratio turned round.
    pub fn turned(&self) -> Self {
        let turn = |end: f64| if end.is_finite() { end.recip() } else { -end };
        let turned = |found: Interval| Interval {
            lo: turn(found.hi),
            hi: turn(found.lo),
            ..found
        };
        Self {
            value: self.value.map(f64::recip),
            interval: self.interval.map(turned),
            ..*self
        }
    }

    /// Returns whether the interval is there and holds `value`.
    pub fn holds(&self, value: f64) -> bool {
        self.interval.is_some_and(|found| found.contains(value))
    }

    /// The verdict on a quantity that is `even` for equal contenders, with a margin of equality
    /// such as 0.03.
    pub fn verdict(&self, even: f64, margin: f64) -> SpeedVerdict {
        let is_within = even == 1.0 && self.within(margin) == ClaimVerdict::Supported;
        match (self.interval.map(|_| self.holds(even)), is_within) {
            (Some(false), false) => SpeedVerdict::Different,
            (Some(false), true) => SpeedVerdict::Slightly,
            (Some(true), true) => SpeedVerdict::Equal,
            _ => SpeedVerdict::Open,
        }
    }

    /// Decides whether the ratio stands in a relation to a number.
    pub fn decide(&self, relation: Relation, number: f64) -> ClaimVerdict {
        let decide = |found: Interval| relation.decide_between(found.lo, found.hi, number);
        self.interval.map_or(ClaimVerdict::Undecided, decide)
    }

    /// Decides whether the ratio lies in `1 / (1 + margin) ..= 1 + margin`.
    pub fn within(&self, margin: f64) -> ClaimVerdict {
        let (least, most) = (1.0 / (1.0 + margin), 1.0 + margin);
        match self.interval {
            Some(Interval { lo, hi, .. }) if lo >= least && hi <= most => ClaimVerdict::Supported,
            Some(Interval { lo, hi, .. }) if hi < least || lo > most => ClaimVerdict::Refuted,
            _ => ClaimVerdict::Undecided,
        }
    }
}

/// The median of the ratios of the first time to the second. A time that was cut off makes its
/// ratio larger or smaller than what is known of it; where that leaves the median open it has a
/// bound alone.
pub fn median(starts: &Starts, confidence: Confidence) -> Speed {
    let typical = typical(&starts.concat(), confidence);
    let medians = by_start(starts, |pairs| middles(&log_ratios(pairs)));
    let limits = mean_of_starts(&medians, of_starts(&sizes(starts), confidence));
    typical.over_starts(limits.map(ratios_of_logs), confidence)
}

/// The median of ratios with an interval over instances alone.
pub fn typical(pairs: &[TimePair], confidence: Confidence) -> Speed {
    let tally = log_ratios(pairs);
    let found = quantile_estimate(&tally, 0.5, confidence, Some((-OPEN, OPEN))).interval;
    let ratio = |log: f64| {
        if log.abs() < OPEN as f64 {
            libm::exp(log / PARTS)
        } else {
            log * f64::INFINITY
        }
    };
    let measured: Vec<TimePair> = (pairs.iter())
        .map(|pair| pair.map(Cost::as_measured))
        .collect();
    let limits = found.filter(|_| middles(&tally).width().is_finite());
    let limits = limits.map(|logs| logs.ends().map(|log| log / PARTS));
    let log = limits.and_then(|limits| middle(middles(&log_ratios(&measured)), limits));
    Speed {
        value: log.map(libm::exp),
        interval: found.map(|logs| logs.map(ratio)),
        ..Speed::none(pairs.len() as u64, cut_off(pairs))
    }
}

/// Limits of a ratio, by those of its logarithm.
fn ratios_of_logs(logs: Span) -> Span {
    logs.map(|log| if log.is_finite() { libm::exp(log) } else { log })
}

/// The limits of a statistic, start by start.
fn by_start(starts: &Starts, statistic: impl Fn(&[TimePair]) -> Span) -> Vec<Span> {
    starts.iter().map(|pairs| statistic(pairs)).collect()
}

fn sizes(starts: &Starts) -> Vec<usize> {
    starts.iter().map(Vec::len).collect()
}

/// The confidence of starts of so many instances each, where looks are planned by instances.
pub fn of_starts(starts: &[usize], confidence: Confidence) -> Confidence {
    let instances = starts.iter().sum::<usize>().max(1);
    let looks = match confidence.looks {
        Looks::Many { planned } => Looks::Many {
            planned: (planned * starts.len() as u64 / instances as u64).max(10),
        },
        looks => looks,
    };
    Confidence {
        looks,
        ..confidence
    }
}

/// The middle of what an estimate can be; `None` where that is half or more of its interval: pairs that are
/// open are not like the others, and the interval alone says what is known.
fn middle(possible: Span, interval: Span) -> Option<f64> {
    let Span { lo, hi } = possible;
    let is_known = lo == hi || 2.0 * possible.width() < interval.width();
    Some((lo + hi) / 2.0).filter(|middle| is_known && middle.is_finite())
}

fn log_ratios(pairs: &[TimePair]) -> Bounded<Histogram> {
    let mut tally = Bounded::<Histogram>::default();
    for pair in pairs {
        let (low, high) = log_ratio(pair);
        tally.push_bounds(low, high);
    }
    tally
}

/// The least and the most that the mean of the logarithms of the two middle ratios can be, infinite
/// where times that were cut off leave it open.
fn middles(tally: &Bounded<Histogram>) -> Span {
    let n = tally.count();
    let middle = |end: &Histogram, open: f64| {
        let ranks = [n.div_ceil(2), n / 2 + 1].map(|rank| end.at_rank(rank));
        let logs = ranks.map(|log| log.filter(|log| log.abs() < OPEN));
        let sum = logs[0].zip(logs[1]).map(|(a, b)| (a + b) as f64);
        sum.map_or(open, |sum| sum / 2.0 / PARTS)
    };
    let low = middle(&tally.low_end(), f64::NEG_INFINITY);
    Span::new(low, middle(&tally.high_end(), f64::INFINITY))
}

/// The least and the most that the logarithm of the ratio of a pair can be.
fn log_ratio([first, second]: &TimePair) -> (i64, i64) {
    let least = log_in_parts(first.least() / second.longest());
    (least, log_in_parts(first.longest() / second.least()))
}

/// The logarithm of a ratio; open where it is none or infinite.
fn log_in_parts(ratio: f64) -> i64 {
    let log = libm::log(ratio) * PARTS;
    if log.is_infinite() {
        return if log > 0.0 { OPEN } else { -OPEN };
    }
    log.clamp(1.0 - OPEN as f64, OPEN as f64 - 1.0) as i64
}

/// The pairs with a time that was cut off.
fn cut_off(pairs: &[TimePair]) -> u64 {
    let is_cut = |pair: &&TimePair| pair.iter().any(|cost| cost.censored);
    pairs.iter().filter(is_cut).count() as u64
}

/// Returns these seconds, or a clock's smallest step if that is more: nothing takes no time.
fn at_least_a_step(seconds: f64) -> f64 {
    seconds.max(1e-9)
}

/// The ratio of the sums of both times, each counted up to the cap; where a time was cut off before
/// that, the middle of all that the ratio can be, with an interval that allows for either end. It has
/// no interval without a cap: instances that none of these was like could then take any time.
pub fn total(starts: &Starts, cap: Option<f64>, confidence: Confidence) -> Speed {
    let pairs = starts.concat();
    let measured: Vec<TimePair> = pairs
        .iter()
        .map(|pair| pair.map(Cost::as_measured))
        .collect();
    let Span { lo, hi } = ratios_of_sums(&measured);
    let value = (lo * hi).sqrt();
    let speed = Speed {
        value: Some(value).filter(|value| value.is_finite() && *value > 0.0),
        ..Speed::none(pairs.len() as u64, cut_off(&pairs))
    };
    let Some(cap) = cap else {
        return speed;
    };
    let limits = |seconds: fn(&TimePair) -> [f64; 2]| {
        let share = |pair| seconds(pair).map(|seconds| at_least_a_step(seconds).min(cap) / cap);
        ratio_of_totals(&pairs.iter().map(share).collect::<Vec<_>>(), confidence)
    };
    let own = Span::new(
        limits(least_of).unwrap_or(Span::OPEN).lo,
        limits(most_of).unwrap_or(Span::OPEN).hi,
    );
    let logs = by_start(starts, |pairs| ratios_of_sums(pairs).map(libm::log));
    let limits = mean_of_starts(&logs, of_starts(&sizes(starts), confidence));
    let validity = confidence.looks.validity();
    Speed {
        interval: Interval::half_open(own, confidence.level, Method::Starts, validity),
        ..speed
    }
    .over_starts(limits.map(ratios_of_logs), confidence)
}

/// The times of a pair that make its ratio least.
fn least_of([first, second]: &TimePair) -> [f64; 2] {
    [first.seconds - first.off, second.most + second.off]
}

/// The times of a pair that make its ratio largest.
fn most_of([first, second]: &TimePair) -> [f64; 2] {
    [first.most + first.off, second.seconds - second.off]
}

/// The least and the most that the ratio of the sums can be.
fn ratios_of_sums(pairs: &[TimePair]) -> Span {
    let ratio = |seconds: fn(&TimePair) -> [f64; 2]| {
        let times = |side: usize| pairs.iter().map(move |pair| seconds(pair)[side]);
        let sum = |side: usize| times(side).map(at_least_a_step).sum::<f64>();
        sum(0) / sum(1)
    };
    Span::new(ratio(least_of), ratio(most_of))
}

/// The share of instances on which the first is faster. Pairs whose times differ by no more than
/// `grain` seconds, or than their clocks may be off, are ties and do not count; a pair of which the faster is not known may be either.
pub fn faster(starts: &Starts, grain: f64, confidence: Confidence) -> Speed {
    let (wins, open, n) = won(&starts.concat(), grain);
    let shares = by_start(starts, |pairs| {
        let (wins, open, n) = won(pairs, grain);
        let share = |wins: u64| if n > 0 { wins as f64 / n as f64 } else { 0.5 };
        Span::new(share(wins), share(wins + open))
    });
    let limits = median_of_starts(&shares, of_starts(&sizes(starts), confidence));
    share(wins, open, n, confidence).over_starts(limits, confidence)
}

/// The pairs of which the first is known to be faster, of which that is open, and all that count.
fn won(pairs: &[TimePair], grain: f64) -> (u64, u64, u64) {
    let (mut wins, mut open, mut n) = (0, 0, 0);
    for [first, second] in pairs {
        let gap = first.seconds - second.seconds;
        match (first.censored, second.censored) {
            (false, false) if gap.abs() <= grain.max(first.off + second.off) => continue,
            (false, _) if gap < 0.0 => wins += 1,
            (_, false) if gap >= 0.0 => {}
            _ => open += 1,
        }
        n += 1;
    }
    (wins, open, n)
}

/// The share of these times that were not cut off.
pub fn decided(costs: &[Cost], confidence: Confidence) -> Speed {
    let open = costs.iter().filter(|cost| cost.censored).count() as u64;
    let n = costs.len() as u64;
    Speed {
        censored: open,
        ..share(n - open, 0, n, confidence)
    }
}

/// The median of times, the upper one of two; `None` where an answer that was stopped leaves it open.
pub fn median_time(times: impl Iterator<Item = Cost>) -> Option<f64> {
    let known = |cost: Cost| {
        if cost.censored {
            f64::INFINITY
        } else {
            cost.seconds.max(1e-9)
        }
    };
    let mut times: Vec<f64> = times.map(known).collect();
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied();
    median.filter(|time| time.is_finite())
}

/// A share of what is not open, with an exact interval, or with a sequence where a rule looks.
fn share(certain: u64, open: u64, n: u64, confidence: Confidence) -> Speed {
    let found = Proportion::new(certain, open, n).and_then(|share| match confidence.looks {
        Looks::Many { planned } => share.sequence(confidence.level, planned),
        _ => share.clopper_pearson(confidence.level),
    });
    let of_all = |count: u64| count as f64 / n as f64;
    let possible = Span::new(of_all(certain), of_all(certain + open));
    Speed {
        value: found.and_then(|found| middle(possible, found.ends())),
        interval: found,
        n,
        censored: open,
    }
}

#[cfg(test)]
#[path = "tests/speed.rs"]
mod tests;
