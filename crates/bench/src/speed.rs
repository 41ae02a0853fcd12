//! The statistics of paired times: how many times as long one contender takes as another.
//!
//! A time that was cut off is known to be at least so long, and no more: it bounds the ratio of its
//! pair from one side. The median of ratios has a distribution-free interval from order statistics,
//! or from a confidence sequence where a rule looks. Knows only numbers. References: David and
//! Nagaraja, *Order Statistics*, 7.1; Howard and Ramdas 2022 on quantiles at all times; Van Gelder
//! 2011 on time-outs and ties.

use stats::ClaimVerdict;
use stats::{
    Bounded, Confidence, Histogram, Interval, Level, Looks, Method, Proportion, RatioSums,
    Relation, Validity, quantile_estimate,
};

/// The time of one contender on one instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Seconds; where it was cut off, the seconds that it takes at least.
    pub seconds: f64,
    /// The most seconds that count of it: where it was cut off, up to its cap.
    pub most: f64,
    /// True if it was stopped before it answered.
    pub censored: bool,
}

/// The times of two contenders on the same instance.
pub type TimePair = [Cost; 2];

/// The verdict on two contenders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr)]
pub enum SpeedVerdict {
    /// The interval excludes that they are equal.
    #[strum(serialize = "different")]
    Different,
    /// The whole interval lies within the margin of equality.
    #[strum(serialize = "equal")]
    Equal,
    /// The times do not tell.
    #[strum(serialize = "undecided")]
    Undecided,
    /// A few instances make most of the total, so its interval cannot be trusted.
    #[strum(serialize = "dominated")]
    Dominated,
    /// The quantity is no comparison.
    #[strum(serialize = "")]
    Unjudged,
}

/// An estimate with an interval, either end of which may be open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// The estimate; `None` where cut-off times leave it open.
    pub value: Option<f64>,
    /// The lower limit; `None` where there is none.
    pub lo: Option<f64>,
    /// The upper limit; `None` where there is none.
    pub hi: Option<f64>,
    /// The level, method and validity of the interval; `None` without one.
    pub interval: Option<(Level, Method, Validity)>,
    /// Instances that count.
    pub n: u64,
    /// Those among them with a time that was cut off.
    pub censored: u64,
    /// True if one instance makes too much of a total.
    pub dominated: bool,
}

/// Logarithms of ratios are counted in units of one part in this.
const PARTS: f64 = 1e9;
/// The logarithm of a ratio of which nothing is known on one side: far beyond any that times have.
const OPEN: i64 = 1_000_000_000_000;
/// The largest share of a total that one instance may make. With as many instances as it takes to
/// keep below it, the interval of the total holds for the laws of `coverage`.
const MOST_SHARE: f64 = 0.1;

impl Speed {
    /// Nothing found among `n` instances.
    pub fn none(n: u64, censored: u64) -> Self {
        Self {
            value: None,
            lo: None,
            hi: None,
            interval: None,
            n,
            censored,
            dominated: false,
        }
    }

    fn with(mut self, interval: Option<Interval>) -> Self {
        self.lo = interval.map(|found| found.lo);
        self.hi = interval.map(|found| found.hi);
        self.interval = interval.map(|found| (found.level, found.method, found.validity));
        self
    }

    /// The ratio turned round.
    pub fn turned(&self) -> Self {
        Self {
            value: self.value.map(f64::recip),
            lo: self.hi.map(f64::recip),
            hi: self.lo.map(f64::recip),
            ..*self
        }
    }

    /// Returns the ends of the interval, infinite where it is open.
    pub fn ends(&self) -> Option<(f64, f64)> {
        self.interval?;
        Some((
            self.lo.unwrap_or(f64::NEG_INFINITY),
            self.hi.unwrap_or(f64::INFINITY),
        ))
    }

    /// Returns whether the interval is there and holds `value`.
    pub fn holds(&self, value: f64) -> bool {
        let ends = self.ends();
        ends.is_some_and(|(lo, hi)| lo <= value && value <= hi)
    }

    /// The verdict on a quantity that is `even` for equal contenders, with a margin of equality
    /// such as 0.03.
    pub fn verdict(&self, even: f64, margin: f64) -> SpeedVerdict {
        let is_equal = even == 1.0 && self.within(margin) == ClaimVerdict::Supported;
        match self.interval {
            _ if self.dominated => SpeedVerdict::Dominated,
            Some(_) if !self.holds(even) => SpeedVerdict::Different,
            Some(_) if is_equal => SpeedVerdict::Equal,
            _ => SpeedVerdict::Undecided,
        }
    }

    /// Decides whether the ratio stands in a relation to a number.
    pub fn decide(&self, relation: Relation, number: f64) -> ClaimVerdict {
        let decide = |(lo, hi)| relation.decide_between(lo, hi, number);
        self.ends().map_or(ClaimVerdict::Undecided, decide)
    }

    /// Decides whether the ratio lies in `1 / (1 + margin) ..= 1 + margin`.
    pub fn within(&self, margin: f64) -> ClaimVerdict {
        let (least, most) = (1.0 / (1.0 + margin), 1.0 + margin);
        match self.ends() {
            Some((lo, hi)) if lo >= least && hi <= most => ClaimVerdict::Supported,
            Some((lo, hi)) if hi < least || lo > most => ClaimVerdict::Refuted,
            _ => ClaimVerdict::Undecided,
        }
    }
}

/// The median of the ratios of the first time to the second. A time that was cut off makes its
/// ratio larger or smaller than what is known of it; where that leaves the median open it has a
/// bound alone.
pub fn median(pairs: &[TimePair], confidence: Confidence) -> Speed {
    let mut tally = Bounded::<Histogram>::default();
    for pair in pairs {
        let (low, high) = log_ratio(pair);
        tally.push_bounds(low, high);
    }
    let speed = Speed::none(pairs.len() as u64, tally.unresolved());
    let found = quantile_estimate(&tally, 0.5, confidence, Some((-OPEN, OPEN)));
    let ratio = |log: f64| (log.abs() < OPEN as f64).then(|| (log / PARTS).exp());
    Speed {
        value: found.interval.and_then(|_| middle(&tally)),
        lo: found.interval.and_then(|interval| ratio(interval.lo)),
        hi: found.interval.and_then(|interval| ratio(interval.hi)),
        ..speed.with(found.interval)
    }
}

/// The mean of the two middle ratios, by their logarithms; the middle of all that it can be where
/// times that were cut off leave it open on both sides of it, and `None` where they leave it open
/// without end.
fn middle(tally: &Bounded<Histogram>) -> Option<f64> {
    let n = tally.count();
    let mut sum = 0.0;
    for end in [tally.low_end(), tally.high_end()] {
        for rank in [n.div_ceil(2), n / 2 + 1] {
            sum += end.at_rank(rank).filter(|log| log.abs() < OPEN)? as f64;
        }
    }
    Some((sum / 4.0 / PARTS).exp())
}

/// The least and the most that the logarithm of the ratio of a pair can be.
fn log_ratio([first, second]: &TimePair) -> (i64, i64) {
    let [one, other] = [first, second].map(|cost| at_least_a_step(cost.seconds));
    let log = (one / other).ln() * PARTS;
    let log = log.clamp(1.0 - OPEN as f64, OPEN as f64 - 1.0) as i64;
    match (first.censored, second.censored) {
        (false, false) => (log, log),
        (true, false) => (log, OPEN),
        (false, true) => (-OPEN, log),
        (true, true) => (-OPEN, OPEN),
    }
}

/// These seconds, at least a clock's smallest step: nothing takes no time.
fn at_least_a_step(seconds: f64) -> f64 {
    seconds.max(1e-9)
}

/// The ratio of the sums of both times, each counted up to its cap; where a time was cut off before
/// that, the middle of all that the ratio can be, with an interval that allows for either end. It has
/// no interval where one instance makes more than a tenth of either sum.
pub fn total(pairs: &[TimePair], confidence: Confidence) -> Speed {
    let is_cut = |pair: &&TimePair| pair.iter().any(|cost| cost.censored);
    let cut = pairs.iter().filter(is_cut).count();
    let speed = Speed {
        dominated: (0..2).any(|side| largest_share(pairs, side) > MOST_SHARE),
        ..Speed::none(pairs.len() as u64, cut as u64)
    };
    let least = sums(pairs, |[first, second]| [first.seconds, second.most]);
    let most = sums(pairs, |[first, second]| [first.most, second.seconds]);
    let ratio = |sums: &Option<RatioSums>| sums.as_ref().and_then(RatioSums::ratio);
    let speed = Speed {
        value: (ratio(&least).zip(ratio(&most))).map(|(low, high)| (low * high).sqrt()),
        ..speed
    };
    let interval = |sums: Option<RatioSums>| match confidence.looks {
        Looks::Many { planned } => sums?.sequence(confidence.level, planned),
        _ => sums?.estimate(confidence.level).interval,
    };
    let is_one = |found: &Interval| !speed.dominated && found.lo > 0.0;
    let [low, high] = [least, most].map(|sums| interval(sums).filter(is_one));
    Speed {
        lo: low.map(|found| found.lo),
        hi: high.map(|found| found.hi),
        ..speed.with(low.or(high))
    }
}

/// The sums of the seconds of both sides, in nanoseconds; `None` where one is without bounds.
fn sums(pairs: &[TimePair], seconds: impl Fn(&TimePair) -> [f64; 2]) -> Option<RatioSums> {
    let mut sums = RatioSums::default();
    for pair in pairs {
        let both = seconds(pair);
        if both.iter().any(|seconds| seconds.is_infinite()) {
            return None;
        }
        let [first, second] = both.map(|seconds| (at_least_a_step(seconds) * 1e9).min(1e18) as i64);
        sums.push(first, second);
    }
    Some(sums)
}

/// The largest share of all time of one side that an instance takes, or may take.
fn largest_share(pairs: &[TimePair], side: usize) -> f64 {
    let share = |seconds: fn(&Cost) -> f64| {
        let times = || {
            pairs
                .iter()
                .map(|pair| at_least_a_step(seconds(&pair[side])))
        };
        times().fold(0.0, f64::max) / times().sum::<f64>()
    };
    // Of a time without bounds there is no share.
    share(|cost| cost.seconds).max(share(|cost| cost.most))
}

/// The share of instances on which the first is faster. Pairs whose times differ by no more than
/// `grain` seconds are ties and do not count; a pair of which the faster is not known may be either.
pub fn faster(pairs: &[TimePair], grain: f64, confidence: Confidence) -> Speed {
    let (mut wins, mut open, mut n) = (0, 0, 0);
    for [first, second] in pairs {
        let gap = first.seconds - second.seconds;
        match (first.censored, second.censored) {
            (false, false) if gap.abs() <= grain => continue,
            (false, _) if gap < 0.0 => wins += 1,
            (_, false) if gap >= 0.0 => {}
            _ => open += 1,
        }
        n += 1;
    }
    share(wins, open, n, confidence)
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

/// A share of what is not open, with an exact interval, or with a sequence where a rule looks.
fn share(certain: u64, open: u64, n: u64, confidence: Confidence) -> Speed {
    let found = Proportion::new(certain, open, n).and_then(|share| match confidence.looks {
        Looks::Many { planned } => share.sequence(confidence.level, planned),
        _ => share.clopper_pearson(confidence.level),
    });
    Speed {
        value: (n > open).then(|| certain as f64 / (n - open) as f64),
        ..Speed::none(n, open).with(found)
    }
}

#[cfg(test)]
#[path = "tests/speed.rs"]
mod tests;
