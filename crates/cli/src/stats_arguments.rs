//! The command line of the calculator: counts, shares and the options of all its verbs.

use clap::Args;

use base::decimal;
use stats::{Histogram, Level, Pentanomial};

use super::table::Format;

// What every calculation of an interval needs: no doc comment, which would be the help of every verb.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// The confidence level
    #[arg(long, default_value = "0.95", value_parser = parse_level)]
    pub(crate) level: Level,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

fn parse_level(text: &str) -> Result<Level, String> {
    let level = Level::new(parse_real(text)?);
    level.ok_or_else(|| "expected a number between 0 and 1; 95 % is 0.95".into())
}

pub(crate) fn parse_share(text: &str) -> Result<f64, String> {
    let share = parse_real(text)?;
    let known = Some(share).filter(|&share| 0.0 < share && share < 1.0);
    known.ok_or_else(|| "expected a number between 0 and 1".into())
}

/// Reads a number that is held as it is written.
pub(crate) fn parse_real(text: &str) -> Result<f64, String> {
    decimal::real(text).ok_or_else(|| match text.parse::<f64>() {
        Ok(near) if near.is_finite() => {
            format!("it would be rounded: the nearest number that is held exactly is {near}")
        }
        _ => "expected a number".into(),
    })
}

pub(crate) fn parse_positive(text: &str) -> Result<f64, String> {
    let number = parse_real(text)?;
    let known = Some(number).filter(|&number| 0.0 < number);
    known.ok_or_else(|| "expected a number above 0".into())
}

fn parse_list<T: std::str::FromStr, const N: usize>(text: &str) -> Option<[T; N]> {
    let items = text.split(',').map(|item| item.trim().parse().ok());
    items.collect::<Option<Vec<T>>>()?.try_into().ok()
}

/// The most games a calculation takes: sums of more would not stay exact.
const MOST: u64 = 1 << 44;

fn parse_counts<const N: usize>(text: &str) -> Option<[u64; N]> {
    parse_list(text).filter(|counts: &[u64; N]| {
        counts.iter().all(|count| *count <= MOST) && counts.iter().any(|count| *count > 0)
    })
}

pub(crate) fn parse_pairs(text: &str) -> Result<Pentanomial, String> {
    let counts = parse_counts(text).map(Pentanomial::new);
    counts.ok_or_else(|| "expected five counts, such as 4,4,11,15,3".into())
}

pub(crate) fn parse_games(text: &str) -> Result<Pentanomial, String> {
    let counts = parse_counts(text).map(|[won, drawn, lost]| [lost, 0, drawn, 0, won]);
    let result = counts.map(Pentanomial::new);
    result.ok_or_else(|| "expected three counts, such as 20,50,12".into())
}

/// The largest value in a histogram and the most samples: beyond 2^53 not every integer is a number of the machine.
pub(crate) const LARGEST: u64 = 1 << 53;

pub(crate) fn parse_histogram(text: &str) -> Option<Histogram> {
    let mut histogram = Histogram::default();
    for entry in text.split(',') {
        let (value, times) = entry.trim().split_once(':')?;
        let times = times.parse().ok().filter(|times| *times <= MOST)?;
        histogram.push_repeated(value.parse().ok()?, times);
    }
    histogram.min().map(|_| histogram)
}
