//! `etude stats`: the calculator, for counts given on the command line.

use base::parse_integer;
use clap::{Args, Subcommand};
use lab::run::estimate;
use stats::{
    Bounded, Elo, Estimate, Histogram, Interval, Level, Pentanomial, Proportion, mean_estimate,
    mean_sequence, outward_ends,
};
use task::{Metric, TableCell, Tally};

use super::failure::Failure;
use super::sample_size::SamplesArguments;
use super::stats_arguments::{Common, LARGEST, parse_games, parse_histogram, parse_pairs};
use super::table::{Format, Printed, interval_cells};

/// Calculate intervals, ratings and sample sizes from counts
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude stats ci --successes 3 --n 1000
  etude stats ci --histogram 0:30,1:10,20:4 --min 0 --max 52
  etude stats elo --pairs 379,10170,21828,10640,343
  etude stats samples --half-width 0.01 --p 0.5")]
pub(crate) struct StatsArguments {
    #[command(subcommand)]
    quantity: Quantity,
}

#[derive(Debug, Subcommand)]
enum Quantity {
    Ci(Ci),
    Elo(EloArguments),
    Samples(SamplesArguments),
}

/// Intervals of a proportion, or of a mean from a histogram
///
/// Only intervals that hold are shown: the exact one of a proportion, Student's raised for the
/// largest deviation among the samples if they are enough for it.
#[derive(Debug, Args)]
struct Ci {
    /// Successes
    #[arg(long, value_name = "S", requires = "n", value_parser = parse_integer)]
    successes: Option<u64>,
    /// Samples
    #[arg(long, value_name = "N", requires = "successes", value_parser = parse_integer)]
    n: Option<u64>,
    /// Unresolved samples: among the N, they may be successes; beside a histogram, they lie anywhere
    /// from --min to --max
    #[arg(long, value_name = "U", default_value = "0", value_parser = parse_integer)]
    unresolved: u64,
    /// Values and how often each occurred, instead of successes
    #[arg(
        long,
        value_name = "V:C,...",
        conflicts_with = "successes",
        allow_hyphen_values = true
    )]
    histogram: Option<String>,
    /// The smallest possible value, for intervals valid under repeated looks
    #[arg(
        long,
        requires = "histogram",
        requires = "max",
        conflicts_with = "successes",
        allow_hyphen_values = true
    )]
    min: Option<i64>,
    /// The largest possible value
    #[arg(
        long,
        requires = "histogram",
        requires = "min",
        conflicts_with = "successes",
        allow_hyphen_values = true
    )]
    max: Option<i64>,
    /// The number of samples that sequences are tuned to [default: all]
    #[arg(long, value_name = "N", value_parser = parse_integer)]
    planned: Option<u64>,
    #[command(flatten)]
    common: Common,
}

/// Elo difference of a match, from pairs of games or from single games
#[derive(Debug, Args)]
struct EloArguments {
    #[command(flatten)]
    result: MatchResult,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct MatchResult {
    /// Pairs of games that gave the first side 0, 1, 2, 3 and 4 half points
    #[arg(long, value_name = "A,B,C,D,E", value_parser = parse_pairs)]
    pairs: Option<Pentanomial>,
    /// Single games won, drawn and lost
    #[arg(long, value_name = "W,D,L", value_parser = parse_games)]
    wdl: Option<Pentanomial>,
}

impl StatsArguments {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.quantity {
            Quantity::Ci(arguments) => arguments.run(),
            Quantity::Elo(arguments) => arguments.run(),
            Quantity::Samples(arguments) => arguments.run(),
        }
    }
}

impl Ci {
    fn run(self) -> Result<(), Failure> {
        let mut estimates = match (self.successes.zip(self.n), &self.histogram) {
            (Some((successes, n)), _) => self.proportion(successes, n)?,
            (None, Some(histogram)) => self.mean(histogram)?,
            (None, None) => {
                return Err(Failure::usage("no data given")
                    .with_help("give --successes S --n N, or --histogram V:C,..."));
            }
        };
        estimates.retain(|estimate| estimate.interval.is_some());
        if estimates.is_empty() {
            return Err(Failure::failed(
                "no interval holds for these samples: they are all equal, or few for how skewed they are",
            )
            .with_help("give more, or the least and greatest value possible: --min, --max"));
        }
        let mut table = Printed::default();
        for estimate in estimates {
            let shown = self.shown(&estimate);
            let (n, unresolved) = (shown.n.into(), shown.unresolved.into());
            let counts = [
                ("n", n),
                ("n_unresolved", unresolved),
                ("mean", TableCell::exact(shown.value)),
            ];
            table.push_named(counts.into_iter().chain(interval_cells(shown.interval)));
        }
        table.print(self.common.format)
    }

    /// An estimate as it is shown: for people with two digits of its interval's half-width.
    fn shown(&self, estimate: &Estimate) -> Estimate {
        let half_width = estimate.interval.map(|interval| interval.half_width());
        let power = half_width.map_or(f64::NAN, |width| libm::log10(width).floor());
        if self.common.format != Format::Text || !power.is_finite() {
            return estimate.written();
        }
        let digits = (1.0 - power).clamp(0.0, 15.0) as usize;
        let rounded = |value: f64| format!("{value:.digits$}").parse().unwrap_or(value);
        let step = 10_f64.powi(-(digits as i32));
        let outwards = |interval: Interval| {
            let ends = outward_ends(interval.ends(), step);
            Interval {
                lo: rounded(ends.lo),
                hi: rounded(ends.hi),
                ..interval
            }
        };
        Estimate {
            value: estimate.value.map(rounded),
            interval: estimate.interval.map(outwards),
            ..*estimate
        }
    }

    /// Returns the failure of counts that make no proportion.
    fn miscounted(&self, successes: u64, n: u64) -> Failure {
        let message = match (n, self.unresolved) {
            (0, _) => "--n 0: there are no samples".to_owned(),
            (n, 0) => format!("--successes {successes} is more than --n {n}"),
            (n, open) => {
                format!("--successes {successes} and --unresolved {open} together exceed --n {n}")
            }
        };
        Failure::usage(message)
            .with_help("--n counts all samples, including successes and unresolved ones")
    }

    fn proportion(&self, successes: u64, n: u64) -> Result<Vec<Estimate>, Failure> {
        if n > LARGEST {
            return Err(Failure::usage(format!("--n {n} is too many samples"))
                .with_help(format!("give at most 2^53, {LARGEST}")));
        }
        let proportion = Proportion::new(successes, self.unresolved, n)
            .filter(|_| n > 0)
            .ok_or_else(|| self.miscounted(successes, n))?;
        let level = self.common.level;
        let intervals = [
            proportion.clopper_pearson(level),
            proportion.sequence(level, self.planned.unwrap_or(n)),
        ];
        let mean = (self.unresolved == 0).then(|| successes as f64 / n as f64);
        let estimate = |interval| Estimate {
            value: mean,
            n,
            unresolved: self.unresolved,
            interval,
            ..Estimate::default()
        };
        Ok(intervals.map(estimate).into())
    }

    fn mean(&self, text: &str) -> Result<Vec<Estimate>, Failure> {
        let histogram = parse_histogram(text).ok_or_else(|| {
            Failure::usage(format!("`{text}` is not a histogram"))
                .with_help("write values and counts as in 0:30,1:10,20:4")
        })?;
        let ends = [histogram.min(), histogram.max(), self.min, self.max];
        let too_large = |end: &i64| end.unsigned_abs() > LARGEST;
        if let Some(end) = ends.into_iter().flatten().find(too_large) {
            let message =
                format!("{end} would be rounded: beyond {LARGEST} not every integer is held");
            return Err(Failure::usage(message)
                .with_help("take a constant off all values, and add it to the interval"));
        }
        let mut tally = Bounded::<Histogram>::default();
        let counts = histogram.iter();
        counts.for_each(|(value, times)| tally.push_repeated(value, times));
        let (level, limits) = (self.common.level, self.min.zip(self.max));
        let outside = |(min, max)| histogram.min() < Some(min) || histogram.max() > Some(max);
        if limits.is_some_and(outside) {
            return Err(Failure::usage("a value lies outside --min and --max"));
        }
        self.push_unresolved(&mut tally, limits)?;
        let student = mean_estimate(&tally, level, limits);
        let mut estimates = vec![student];
        if let Some(limits) = limits {
            let planned = self.planned.unwrap_or(tally.count());
            estimates.push(mean_sequence(&tally, level, limits, planned));
            estimates.push(mean_sequence(&tally.sums(), level, limits, planned));
        }
        Ok(estimates)
    }
}

impl Ci {
    /// Adds the unresolved samples, which lie anywhere within the limits.
    fn push_unresolved(
        &self,
        tally: &mut Bounded<Histogram>,
        limits: Option<(i64, i64)>,
    ) -> Result<(), Failure> {
        match limits {
            Some(limits) => tally.push_repeated_bounds(limits, self.unresolved),
            None if self.unresolved > 0 => {
                let message = "--unresolved: nothing is known of such samples without limits";
                return Err(Failure::usage(message)
                    .with_help("give the least and greatest value possible: --min, --max"));
            }
            None => {}
        }
        Ok(())
    }
}

impl EloArguments {
    fn run(self) -> Result<(), Failure> {
        let mut table = Printed::default();
        let score = score(&self.result.counts(), self.common.level);
        let elo = Elo::of_score(&score).written();
        let normalised = self.result.pairs.and_then(|pairs| pairs.normalised_elo());
        let [(_, lo), (_, hi), ..] = interval_cells(score.interval);
        table.push_named([
            ("n", score.n.into()),
            ("score", score.value.into()),
            ("score_lo", lo),
            ("score_hi", hi),
            ("elo", TableCell::exact(elo.value)),
            ("elo_lo", TableCell::exact(elo.lo)),
            ("elo_hi", TableCell::exact(elo.hi)),
            ("nelo", normalised.into()),
            ("ci_level", self.common.level.get().into()),
        ]);
        table.print(self.common.format)
    }
}

/// The score per game, as in the summary of a run.
fn score(result: &Pentanomial, level: Level) -> Estimate {
    const POINTS: Metric = Metric::pair("points", "points of a pair of games");
    estimate(&POINTS, &Tally::Counts(result.half_points()), level.into())
}

impl MatchResult {
    fn counts(&self) -> Pentanomial {
        self.pairs.or(self.wdl).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The golden values of match runners, whose variance has the divisor n; ours has n - 1, as
    /// Student's interval does.
    #[test]
    fn a_long_match_has_the_elo_of_match_runners() {
        let counts = Pentanomial::new([379, 10170, 21828, 10640, 343]);
        let elo = Elo::of_score(&score(&counts, Level::DEFAULT));
        let ends = [elo.lo, elo.value, elo.hi].map(Option::unwrap);
        for (end, golden) in ends.into_iter().zip([0.385797, 1.594561, 2.803364]) {
            assert!((end - golden).abs() < 2e-4, "{end} {golden}");
        }
    }

    #[test]
    fn a_match_lost_to_nil_is_one_sided() {
        let elo = |counts| Elo::of_score(&score(&Pentanomial::new(counts), Level::DEFAULT));
        let (lost, won) = (elo([200, 0, 0, 0, 0]), elo([0, 0, 0, 0, 200]));
        assert_eq!(
            (lost.value, lost.lo, won.value, won.hi),
            (None, None, None, None)
        );
        assert!(lost.hi.unwrap() < -500.0, "{lost:?}");
        assert!((won.lo.unwrap() + lost.hi.unwrap()).abs() < 1e-9);
    }

    /// The probability that the interval misses, over all numbers of games won.
    fn miss_rate(games: u64, share: f64) -> f64 {
        let (win, loss) = (libm::log(share), libm::log(1.0 - share));
        let mut log_ways = 0.0;
        let mut missed = 0.0;
        for wins in 0..=games {
            let chance = libm::exp(log_ways + wins as f64 * win + (games - wins) as f64 * loss);
            let estimate = score(
                &Pentanomial::new([games - wins, 0, 0, 0, wins]),
                Level::DEFAULT,
            );
            if !estimate
                .interval
                .is_none_or(|interval| interval.contains(share))
            {
                missed += chance;
            }
            log_ways += libm::log((games - wins) as f64) - libm::log(wins as f64 + 1.0);
        }
        missed
    }

    /// Student's interval from the variance alone missed 10.9, 11.2 and 12.3 %.
    #[test]
    fn elo_limits_hold_without_draws_and_at_high_scores() {
        for (games, share) in [(10, 0.5), (100, 0.95), (400, 0.98), (60, 0.75)] {
            let rate = miss_rate(games, share);
            assert!(rate <= 0.05, "{games} {share}: {rate}");
        }
    }
}
