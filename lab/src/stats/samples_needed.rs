//! The number of samples after which an interval is as narrow as wished.

use super::{Interval, Level, Proportion, planned_for, sequence_half_width, student_half_width};

/// The least number of samples from which on the interval of a proportion of about `p` is narrow
/// enough, with that interval; `None` beyond 10^15.
pub fn samples_for_share(
    half_width: f64,
    p: f64,
    interval: impl Fn(Proportion) -> Option<Interval>,
) -> Option<(u64, Interval)> {
    let teeth = Teeth {
        share: p.min(1.0 - p),
    };
    let found = |(successes, n)| interval(Proportion::new(successes, 0, n)?);
    let is_narrow = |counts| found(counts).is_some_and(|found| found.half_width() <= half_width);
    let counts = teeth.first_of_all(is_narrow)?;
    Some((counts.1, found(counts)?))
}

/// The samples after which a run stops that waits for this half-width of a share; `None` beyond 10^15.
pub fn share_known_after(half_width: f64, p: f64, level: Level) -> Option<u64> {
    let planned = planned_for(half_width, (0.0, 1.0), level);
    let sequence = |proportion: Proportion| proportion.sequence(level, planned);
    Some(samples_for_share(half_width, p, sequence)?.0)
}

/// The least number of samples for Student's interval of a mean, whose critical value is the normal
/// one at these sizes; `None` beyond 10^15.
pub fn samples_for_mean(half_width: f64, sd: f64, level: Level) -> Option<u64> {
    fewest(|n| student_half_width(sd, n, level).is_some_and(|half| half <= half_width))
}

/// The samples after which a run stops that waits for this half-width of a mean; `None` where no
/// values between the limits have this standard deviation, and beyond 10^15.
pub fn mean_known_after(half_width: f64, sd: f64, limits: (f64, f64), level: Level) -> Option<u64> {
    let planned = planned_for(half_width, limits, level);
    let width = |n| sequence_half_width(sd, n, limits, level, planned);
    width(1)?;
    fewest(|n| width(n).is_some_and(|half| half <= half_width))
}

/// The counts expected of a proportion: successes are whole, so as samples are added the width of an
/// interval is a saw, which jumps up where one more success is expected.
struct Teeth {
    /// At most one half.
    share: f64,
}

impl Teeth {
    /// The least number of samples of which `successes` are expected.
    fn start(&self, successes: u64) -> u64 {
        let expected = |n: u64| (self.share * n as f64).round() as u64;
        let mut n = ((successes as f64 - 0.5) / self.share).ceil().max(1.0) as u64;
        while expected(n) < successes {
            n += 1;
        }
        while n > 1 && expected(n - 1) >= successes {
            n -= 1;
        }
        n
    }

    /// Successes and samples from which on all numbers of samples suffice; `None` beyond 10^15.
    fn first_of_all(&self, narrow: impl Fn((u64, u64)) -> bool) -> Option<(u64, u64)> {
        // The start of a tooth is its widest point, and each is less wide than the one before.
        let suffices = |tooth: u64| narrow((tooth, self.start(tooth)));
        let tooth = if suffices(0) {
            0
        } else {
            fewest(suffices)?.saturating_sub(1)
        };
        let (first, next) = (self.start(tooth), self.start(tooth + 1));
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
    let mut short = enough / 2;
    while enough - short > 1 {
        let middle = short + (enough - short) / 2;
        if suffices(middle) {
            enough = middle;
        } else {
            short = middle;
        }
    }
    Some(enough)
}
