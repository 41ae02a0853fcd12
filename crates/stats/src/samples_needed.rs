//! The number of samples after which an interval is as narrow as wished.

use super::critical::normal_upper;
use super::halving::first;
use super::{
    Bounded, Histogram, Interval, Level, Margins, Method, Proportion, Span, planned_for,
    sequence_half_width,
};

/// The least number of samples from which on the interval of a proportion of about `p` is narrow
/// enough, with that interval; `None` beyond 10^15.
pub fn samples_for_share(
    half_width: f64,
    p: f64,
    interval: impl Fn(Proportion) -> Option<Interval>,
) -> Option<(u64, Interval)> {
    let found = |(successes, n)| interval(Proportion::new(successes, 0, n)?);
    let is_narrow = |counts| found(counts).is_some_and(|found| found.half_width() <= half_width);
    let counts = first_of_all(p.min(1.0 - p), is_narrow)?;
    Some((counts.1, found(counts)?))
}

/// The samples after which a run stops that waits for this half-width of a share; `None` beyond 10^15.
pub fn share_known_after(half_width: f64, p: f64, level: Level) -> Option<u64> {
    let planned = planned_for(half_width, Span::new(0.0, 1.0), level);
    let sequence = |proportion: Proportion| proportion.sequence(level, planned);
    Some(samples_for_share(half_width, p, sequence)?.0)
}

/// A quantity as far as it is known before a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// The standard deviation of a sample.
    pub sd: f64,
    /// The mean; without it the middle of the limits.
    pub mean: Option<f64>,
    /// The least and the greatest value that the quantity can have, if known.
    pub limits: Option<Span>,
    /// The largest deviation from the mean among the samples; without it that of normal values.
    pub largest: Option<f64>,
}

/// The least number of samples at which the interval that a run shows of such a mean is narrow enough,
/// with the method of that interval; `None` beyond 10^15.
pub fn samples_for_mean(
    half_width: f64,
    expected: &Expected,
    level: Level,
) -> Option<(u64, Method)> {
    let shown = |n: u64| expected.interval(n, level);
    let samples = fewest(|n| shown(n).is_some_and(|shown| shown.half_width() <= half_width))?;
    Some((samples, shown(samples)?.method))
}

impl Expected {
    /// The unit in which values are counted: so small a part of the standard deviation that rounding to it
    /// does not show.
    fn unit(&self) -> f64 {
        self.sd / 1e6
    }

    /// The limits, counted from the mean.
    fn limits(&self) -> Option<(i64, i64)> {
        let Span { lo, hi } = self.limits?;
        let mean = self.mean.unwrap_or((lo + hi) / 2.0);
        let count = |limit: f64| ((limit - mean) / self.unit()).round() as i64;
        Some((count(lo), count(hi)))
    }

    /// The interval that a run of `n` samples shows if they are those expected, about a mean of 0 unless the
    /// mean is given.
    pub fn interval(&self, n: u64, level: Level) -> Option<Interval> {
        let found = super::mean(&self.samples(n)?, level.into(), self.limits()).interval?;
        let (mean, unit) = (self.mean.unwrap_or(0.0), self.unit());
        let ends = found.ends().map(|end| mean + unit * end);
        Interval::new(ends, found.level, found.method, found.validity)
    }

    /// Samples of mean 0 with this standard deviation: one as far above as expected, one as far below,
    /// the others as far from their mean as it takes. `None` where there are too few for that.
    fn samples(&self, n: u64) -> Option<Bounded<Histogram>> {
        let others = n.checked_sub(2).filter(|others| *others > 1)? as f64;
        self.can_be().then_some(())?;
        let Margins { below, above } = self.extremes(n);
        let variance = 1e12 * (n - 1) as f64;
        let mean = (below - above) / others;
        let left = variance - below * below - above * above - others * mean * mean;
        let half = (n - 2) / 2;
        let apart = (left / (2 * half) as f64).sqrt();
        let mut samples = Bounded::default();
        for (value, times) in [
            (above, 1),
            (-below, 1),
            (mean - apart, half),
            (mean + apart, half),
            (mean, n % 2),
        ] {
            samples.push_repeated(value.round() as i64, times);
        }
        (left >= 0.0).then_some(samples)
    }

    /// Returns whether values between the limits can vary so much about their mean.
    fn can_be(&self) -> bool {
        let room = |(min, max): (i64, i64)| -(min as f64) * max as f64;
        self.limits().is_none_or(|limits| room(limits) > 0.9999e12)
    }

    /// The largest deviations below and above among `n` samples. Where one is given, it is on the side with
    /// more room.
    fn extremes(&self, n: u64) -> Margins {
        let far = |limit: i64| limit.unsigned_abs() as f64;
        let [room_below, room_above] = self
            .limits()
            .map_or([f64::INFINITY; 2], |(min, max)| [far(min), far(max)]);
        let normal = 1e6 * normal_upper(0.625 / (n as f64 + 0.25));
        let long = self.largest.map_or(normal, |largest| largest / self.unit());
        let short = normal.min(long);
        let [below, above] = if room_below > room_above {
            [long, short]
        } else {
            [short, long]
        };
        Margins {
            below: below.min(room_below),
            above: above.min(room_above),
        }
    }
}

/// The samples after which a run stops that waits for this half-width of a mean; `None` where no
/// values between the limits have this standard deviation, and beyond 10^15.
pub fn mean_known_after(half_width: f64, sd: f64, limits: Span, level: Level) -> Option<u64> {
    let planned = planned_for(half_width, limits, level);
    let width = |n| sequence_half_width(sd, n, limits, level, planned);
    width(1)?;
    fewest(|n| width(n).is_some_and(|half| half <= half_width))
}

/// The least number of samples of which so many successes are expected, where their share is at most one half.
fn first_with(successes: u64, share: f64) -> u64 {
    let expected = |n: u64| (share * n as f64).round() as u64;
    let near = ((successes as f64 - 0.5) / share).ceil().max(1.0);
    // More than are ever told, and too many for each number to be tried.
    if near > 1e15 {
        return (near as u64).min(1 << 62);
    }
    let mut n = near as u64;
    while expected(n) < successes {
        n += 1;
    }
    while n > 1 && expected(n - 1) >= successes {
        n -= 1;
    }
    n
}

/// Successes and samples from which on all numbers of samples suffice, where this share of successes is
/// expected; `None` beyond 10^15. Successes are whole, so as samples are added the width of an interval is a
/// saw, which jumps up where one more success is expected.
fn first_of_all(share: f64, narrow: impl Fn((u64, u64)) -> bool) -> Option<(u64, u64)> {
    let start = |tooth: u64| first_with(tooth, share);
    // The start of a tooth is its widest point, and each is less wide than the one before.
    let suffices = |tooth: u64| narrow((tooth, start(tooth)));
    let tooth = if suffices(0) {
        0
    } else {
        fewest(suffices)?.saturating_sub(1)
    };
    let (first, next) = (start(tooth), start(tooth + 1));
    let within = fewest(|more| first + more >= next || narrow((tooth, first + more)))?;
    let n = if suffices(tooth) {
        first
    } else {
        first + within
    };
    if n < next {
        Some((tooth, n))
    } else {
        Some((tooth + 1, next))
    }
}

/// The fewest samples that suffice, where more always do; `None` beyond 10^15.
fn fewest(suffices: impl Fn(u64) -> bool) -> Option<u64> {
    let mut enough = 1u64;
    while !suffices(enough) {
        enough *= 2;
        if enough > 1_000_000_000_000_000 {
            return None;
        }
    }
    Some(first(enough / 2 + 1, enough - 1, suffices))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Accumulator, mean};
    use kit::rng::{Stream, Streams, below, unit};

    /// A law of a quantity, with the facts that are known about it.
    struct Law {
        name: &'static str,
        draw: fn(&mut Stream) -> i64,
        expected: Expected,
        /// Half-widths, in standard deviations.
        wishes: &'static [f64],
    }

    /// Six dice; the same without limits, and with a limit that is a thousand times as far as any sample;
    /// waiting times, whose largest deviation among a thousand is about 60.
    fn laws() -> [Law; 4] {
        let dice = |stream: &mut Stream| (0..6).map(|_| 1 + below(stream, 6) as i64).sum();
        let plain = Expected {
            sd: 17.5f64.sqrt(),
            mean: None,
            limits: None,
            largest: None,
        };
        let limits = Some(Span::new(6.0, 36.0));
        let wide = Expected {
            mean: Some(21.0),
            limits: Some(Span::new(0.0, 36_000.0)),
            ..plain
        };
        let wait = |stream: &mut Stream| (-10.0 * libm::log(1.0 - unit(stream))) as i64;
        let waits = Expected {
            sd: 10.0,
            largest: Some(60.0),
            ..plain
        };
        [
            (
                "dice",
                dice as fn(&mut Stream) -> i64,
                Expected { limits, ..plain },
            ),
            ("dice without limits", dice, plain),
            ("dice with a far limit", dice, wide),
            ("waits", wait, waits),
        ]
        .map(|(name, draw, expected)| Law {
            name,
            draw,
            wishes: match expected.largest {
                Some(_) => &[0.1],
                None => &[0.25, 0.1, 0.025],
            },
            expected,
        })
    }

    /// Seed 77. Runs of the size that is advised show an interval as narrow as was asked for, and runs of
    /// four fifths of it do not.
    fn runs_of_the_advised_size(narrowest: f64) {
        for Law {
            name,
            draw,
            expected,
            wishes,
        } in laws()
        {
            for wish in wishes.iter().filter(|wish| **wish >= narrowest) {
                let target = wish * expected.sd;
                let level = Level::DEFAULT;
                let (n, _) = samples_for_mean(target, &expected, level).unwrap();
                let half_width = |n: u64, run: u64| {
                    let mut stream = Streams::new(77).key(name).stream(run);
                    let mut tally = Bounded::<Histogram>::default();
                    (0..n).for_each(|_| tally.push(draw(&mut stream)));
                    let limits = expected
                        .limits
                        .map(|Span { lo: min, hi: max }| (min as i64, max as i64));
                    let found = mean(&tally, level.into(), limits).interval;
                    found.map_or(f64::INFINITY, |found| found.half_width())
                };
                let middle = |n: u64| {
                    let mut found: Vec<f64> = (0..9).map(|run| half_width(n, run)).collect();
                    found.sort_by(f64::total_cmp);
                    found[4] / target
                };
                let (enough, short) = (middle(n), middle(n * 4 / 5));
                assert!(
                    (0.85..1.06).contains(&enough) && short > 1.0,
                    "{name}, {wish}: {n} samples, {enough} and {short} of the width"
                );
            }
        }
    }

    #[test]
    fn runs_of_the_advised_size_reach_the_half_width() {
        runs_of_the_advised_size(0.1);
    }

    #[test]
    #[ignore = "long; the short form runs always"]
    fn long_runs_of_the_advised_size_reach_the_half_width() {
        runs_of_the_advised_size(0.0);
    }

    /// Whatever their number, the samples that stand for a run have the mean and the deviation that are expected.
    #[test]
    fn samples_that_are_expected_have_the_moments_that_are_expected() {
        for Law { name, expected, .. } in laws() {
            for n in [12, 13, 1_000] {
                let Some(samples) = expected.samples(n) else {
                    assert!(n < 1_000, "{name}");
                    continue;
                };
                let moments = samples.resolved().moments();
                let (mean, sd) = (moments.mean().unwrap(), moments.sd().unwrap());
                assert_eq!(moments.count(), n, "{name}");
                assert!(
                    mean.abs() < 1.0 && (sd - 1e6).abs() < 1.0,
                    "{name}, {n}: {mean} {sd}"
                );
            }
        }
    }

    /// Held against a scan of all numbers of samples up to 4,000, by a width that falls between two successes.
    #[test]
    fn from_the_first_of_all_on_every_number_of_samples_suffices() {
        for share in [0.0, 1e-300, 0.004, 0.1, 0.31, 0.5] {
            for most in [0.02, 0.05, 0.2] {
                let narrow = |(successes, n): (u64, u64)| {
                    let found = successes as f64 / n as f64;
                    2.0 * (found * (1.0 - found) / n as f64).sqrt() + 3.0 / n as f64 <= most
                };
                let expected = |n: u64| (share * n as f64).round() as u64;
                let wide = (1..4_000).rfind(|&n| !narrow((expected(n), n)));
                let n = wide.map_or(1, |n| n + 1);
                let found = first_of_all(share, narrow);
                assert_eq!(found, Some((expected(n), n)), "{share} {most}");
            }
        }
    }

    #[test]
    fn what_cannot_be_is_not_planned_for() {
        let expected = Expected {
            sd: 3.0,
            mean: None,
            limits: Some(Span::new(0.0, 4.0)),
            largest: None,
        };
        assert_eq!(samples_for_mean(0.1, &expected, Level::DEFAULT), None);
    }
}
