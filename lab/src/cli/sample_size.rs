//! `etude stats samples`: how many samples an interval of a given width needs.

use clap::Args;

use crate::stats::{
    Interval, Level, Method, Proportion, Validity, planned_for, sequence_half_width,
};

use super::failure::Failure;
use super::stats_arguments::{Common, parse_positive, parse_share};
use super::table::Printed;

/// Number of samples that makes an interval narrow enough
#[derive(Debug, Args)]
pub struct SamplesArguments {
    /// The largest half-width of the interval
    #[arg(long, value_name = "H", value_parser = parse_positive)]
    half_width: f64,
    /// The proportion expected
    #[arg(long, value_name = "P", value_parser = parse_share, required_unless_present = "sd", conflicts_with = "sd")]
    p: Option<f64>,
    /// The standard deviation expected, for a mean
    #[arg(long, value_parser = parse_positive)]
    sd: Option<f64>,
    /// The smallest possible value, for the samples of a run that stops at this half-width
    #[arg(long, requires_all = ["sd", "max"], allow_hyphen_values = true)]
    min: Option<f64>,
    /// The largest possible value
    #[arg(long, requires = "min", allow_hyphen_values = true)]
    max: Option<f64>,
    #[command(flatten)]
    common: Common,
}

impl SamplesArguments {
    pub fn run(self) -> Result<(), Failure> {
        let mut table = Printed::new(&["half_width", "samples", "ci_method", "valid_under"]);
        let (level, target) = (self.common.level, self.half_width);
        let Some(p) = self.p else {
            return self.mean_samples(table, self.sd.unwrap_or(1.0));
        };
        let planned = planned_for(target, (0.0, 1.0), level);
        let methods: [&dyn Fn(Proportion) -> Option<Interval>; 3] = [
            &|proportion| proportion.wilson(level),
            &|proportion| proportion.clopper_pearson(level),
            &|proportion| proportion.sequence(level, planned),
        ];
        let teeth = Teeth {
            share: p.min(1.0 - p),
        };
        for method in methods {
            let interval = |(successes, n)| method(Proportion::new(successes, 0, n)?);
            let narrow = |counts| {
                interval(counts).is_some_and(|found: Interval| found.half_width() <= target)
            };
            let counts = teeth.first_of_all(narrow).ok_or_else(too_narrow)?;
            let (interval, samples) = (interval(counts), counts.1);
            table.push([
                target.into(),
                samples.into(),
                interval.map_or("", |found| found.method.name()).into(),
                interval.map_or("", |found| found.validity.name()).into(),
            ]);
        }
        table.print(self.common.format)
    }

    /// Prints the samples for a mean: Student's interval, whose critical value is the normal one at
    /// these sizes, and between limits the sequence of a run that stops at this half-width.
    fn mean_samples(&self, mut table: Printed, sd: f64) -> Result<(), Failure> {
        let narrow = |n: u64| {
            let half = crate::stats::student_half_width(sd, n, self.common.level);
            half.is_some_and(|half| half <= self.half_width)
        };
        let samples = fewest(narrow).ok_or_else(too_narrow)?;
        table.push([
            self.half_width.into(),
            samples.into(),
            "student-t".into(),
            "fixed-n".into(),
        ]);
        if let Some(limits) = self.min.zip(self.max) {
            let samples = narrow_after(self.half_width, sd, limits, self.common.level);
            table.push([
                self.half_width.into(),
                samples.ok_or_else(|| too_varied(sd, limits))?.into(),
                Method::Betting.name().into(),
                Validity::AnyTime.name().into(),
            ]);
        }
        table.print(self.common.format)
    }
}

/// The samples after which a run stops that waits for this half-width of a share; `None` beyond 10^15.
pub fn share_after(half_width: f64, p: f64, level: Level) -> Option<u64> {
    let planned = planned_for(half_width, (0.0, 1.0), level);
    let narrow = |(successes, n)| {
        let interval = Proportion::new(successes, 0, n)?.sequence(level, planned);
        interval.map(|found| found.half_width() <= half_width)
    };
    let teeth = Teeth {
        share: p.min(1.0 - p),
    };
    Some(teeth.first_of_all(|counts| narrow(counts) == Some(true))?.1)
}

/// The samples after which a run stops that waits for this half-width of a mean; `None` where no
/// values between the limits have this standard deviation, and beyond 10^15.
pub fn narrow_after(half_width: f64, sd: f64, limits: (f64, f64), level: Level) -> Option<u64> {
    let planned = planned_for(half_width, limits, level);
    let width = |n| sequence_half_width(sd, n, limits, level, planned);
    width(1)?;
    fewest(|n| width(n).is_some_and(|half| half <= half_width))
}

fn too_varied(sd: f64, (min, max): (f64, f64)) -> Failure {
    Failure::usage(format!(
        "--sd {sd}: no values from {min} to {max} vary so much, or more than 10^15 samples would \
         be needed"
    ))
    .with_help("the standard deviation is at most half of --max minus --min")
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

fn too_narrow() -> Failure {
    Failure::usage("--half-width: more than 10^15 samples would be needed")
        .with_help("ask for a wider interval")
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
