//! `etude stats samples`: how many samples an interval of a given width needs.

use clap::Args;

use stats::{
    Expected, Interval, Method, Proportion, Span, Validity, mean_known_after, planned_for,
    samples_for_mean, samples_for_share,
};

use task::TableCell;

use super::failure::Failure;
use super::stats_arguments::{Common, parse_positive, parse_real, parse_share};
use super::table::Printed;

/// Number of samples that makes an interval narrow enough
///
/// The interval is the one that a run would compute from samples like those expected. Without limits, a run
/// allows for values that no sample has shown; for a skewed quantity, it allows for the largest deviation.
#[derive(Debug, Args)]
pub(crate) struct SamplesArguments {
    /// The largest half-width of the interval
    #[arg(long, value_name = "H", value_parser = parse_positive)]
    half_width: f64,
    /// The proportion expected
    #[arg(long, value_name = "P", value_parser = parse_share, required_unless_present = "sd", conflicts_with = "sd")]
    p: Option<f64>,
    /// The standard deviation expected, for a mean
    #[arg(long, value_parser = parse_positive)]
    sd: Option<f64>,
    /// The mean expected [default: the middle of --min and --max]
    #[arg(long, requires_all = ["sd", "min"], allow_hyphen_values = true, value_parser = parse_real)]
    mean: Option<f64>,
    /// The largest deviation from the mean expected of any sample [default: that of normal values]
    #[arg(long, value_name = "D", requires = "sd", value_parser = parse_positive)]
    largest: Option<f64>,
    /// The smallest possible value, as declared for the metric; also gives the samples of a run that stops at
    /// this half-width
    #[arg(long, requires_all = ["sd", "max"], allow_hyphen_values = true, value_parser = parse_real)]
    min: Option<f64>,
    /// The largest possible value
    #[arg(long, requires = "min", allow_hyphen_values = true, value_parser = parse_real)]
    max: Option<f64>,
    #[command(flatten)]
    common: Common,
}

/// A number of samples, with the method of the interval that they make narrow.
type Needed = (u64, Method, Validity);

impl SamplesArguments {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let needed = match self.p {
            Some(p) => self.for_share(p)?,
            None => self.for_mean(self.sd.unwrap_or(1.0))?,
        };
        let rows = needed.into_iter().map(|(samples, method, validity)| {
            let [method, validity] = [method.as_ref(), validity.as_ref()].map(TableCell::from);
            [self.half_width.into(), samples.into(), method, validity]
        });
        let columns = ["half_width", "samples", "ci_method", "valid_under"];
        Printed::of(columns, rows).print(self.common.format)
    }

    fn for_share(&self, p: f64) -> Result<Vec<Needed>, Failure> {
        let (level, target) = (self.common.level, self.half_width);
        let planned = planned_for(target, Span::new(0.0, 1.0), level);
        let methods: [&dyn Fn(Proportion) -> Option<Interval>; 2] = [
            &|proportion| proportion.clopper_pearson(level),
            &|proportion| proportion.sequence(level, planned),
        ];
        let needed = methods.into_iter().map(|method| {
            let needed = samples_for_share(target, p, method);
            let (samples, interval) = needed.ok_or_else(too_narrow)?;
            Ok((samples, interval.method, interval.validity))
        });
        needed.collect()
    }

    /// The interval of a mean, and between limits the sequence of a run that stops at this half-width.
    fn for_mean(&self, sd: f64) -> Result<Vec<Needed>, Failure> {
        let (level, target) = (self.common.level, self.half_width);
        let limits = Span::between(self.min, self.max);
        let expected = Expected {
            sd,
            mean: self.mean,
            limits,
            largest: self.largest,
        };
        let found = samples_for_mean(target, &expected, level);
        let (samples, method) =
            found.ok_or_else(|| limits.map_or_else(too_narrow, |limits| too_varied(sd, limits)))?;
        let mut needed = vec![(samples, method, Validity::FixedN)];
        if let Some(limits) = limits {
            let samples = mean_known_after(target, sd, limits, level);
            let samples = samples.ok_or_else(|| too_varied(sd, limits))?;
            needed.push((samples, Method::Betting, Validity::AnyTime));
        }
        Ok(needed)
    }
}

fn too_varied(sd: f64, limits: Span) -> Failure {
    let Span { lo: min, hi: max } = limits;
    Failure::usage(format!(
        "--sd {sd}: no values from {min} to {max} vary so much, or more than 10^15 samples would \
         be needed"
    ))
    .with_help("the standard deviation is at most half of --max minus --min")
}

fn too_narrow() -> Failure {
    Failure::usage("--half-width: more than 10^15 samples would be needed")
        .with_help("ask for a wider interval")
}
