//! The growth of time with a swept number: the factor for each step, the exponent, and whether a
//! straight line fits.
//!
//! A line is drawn through the logarithms of the median times, over the number (a factor for each
//! step) or over its logarithm (an exponent). The intervals resample instances, all values together.
//! Reference: Efron and Tibshirani 1993, *An Introduction to the Bootstrap*.

use crate::rng::{Stream, Streams, below};
use crate::stats::Level;
use crate::task::ParamValue;

/// The growth by one of its measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// `factor` or `exponent`.
    pub statistic: &'static str,
    /// The estimate.
    pub estimate: f64,
    /// The lower end of its interval.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
    /// True if no median is farther from the line than its resamples are.
    pub straight: bool,
}

/// Resamples of the instances.
const RESAMPLES: usize = 400;
/// Standard errors that a median may be from the line.
const FARTHEST: f64 = 3.0;

/// The value of a numeric parameter.
pub fn number(value: &ParamValue) -> Option<f64> {
    match *value {
        ParamValue::Integer(integer) => Some(integer as f64),
        ParamValue::Number(number) => Some(number),
        _ => None,
    }
}

/// The growth of the times at some values of a number; nothing of fewer than three values or two
/// instances.
pub fn growth(points: &[(f64, Vec<f64>)], level: Level, seed: u64) -> Vec<Growth> {
    let n = points
        .iter()
        .map(|(_, times)| times.len())
        .min()
        .unwrap_or(0);
    if points.len() < 3 || n < 2 {
        return Vec::new();
    }
    let mut stream = Streams::new(seed).key("bench growth").stream(0);
    let samples: Vec<Vec<f64>> = (0..RESAMPLES)
        .map(|_| resampled(points, n, &mut stream))
        .collect();
    let medians = logarithms(points, &(0..n).collect::<Vec<_>>());
    let xs: Vec<f64> = points.iter().map(|(x, _)| *x).collect();
    let is_positive = xs.iter().all(|&x| x > 0.0);
    let factor = slope_of("factor", &xs, &medians, &samples, level);
    let logs: Vec<f64> = xs.iter().map(|x| x.ln()).collect();
    let exponent = is_positive.then(|| slope_of("exponent", &logs, &medians, &samples, level));
    let factor = Growth {
        estimate: factor.estimate.exp(),
        lo: factor.lo.exp(),
        hi: factor.hi.exp(),
        ..factor
    };
    [Some(factor), exponent].into_iter().flatten().collect()
}

fn resampled(points: &[(f64, Vec<f64>)], n: usize, stream: &mut Stream) -> Vec<f64> {
    let drawn: Vec<usize> = (0..n).map(|_| below(stream, n as u64) as usize).collect();
    logarithms(points, &drawn)
}

/// The logarithm of the median time of these instances at each value.
fn logarithms(points: &[(f64, Vec<f64>)], instances: &[usize]) -> Vec<f64> {
    let median = |times: &Vec<f64>| {
        let mut times: Vec<f64> = instances.iter().map(|&at| times[at]).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2].max(1e-9).ln()
    };
    points.iter().map(|(_, times)| median(times)).collect()
}

fn slope_of(
    statistic: &'static str,
    xs: &[f64],
    ys: &[f64],
    samples: &[Vec<f64>],
    level: Level,
) -> Growth {
    let (slope, start) = line(xs, ys);
    let mut slopes: Vec<f64> = samples.iter().map(|ys| line(xs, ys).0).collect();
    slopes.sort_by(f64::total_cmp);
    let tail = ((level.alpha() / 2.0) * slopes.len() as f64) as usize;
    let is_near = |(at, (x, y)): (usize, (&f64, &f64))| {
        let spread =
            samples.iter().map(|ys| (ys[at] - y).powi(2)).sum::<f64>() / samples.len() as f64;
        // A thousandth is nothing that a plot shows, nor a clock repeats.
        (y - start - slope * x).abs() <= FARTHEST * spread.sqrt() + 1e-3
    };
    Growth {
        statistic,
        estimate: slope,
        lo: slopes[tail],
        hi: slopes[slopes.len() - 1 - tail],
        straight: xs.iter().zip(ys).enumerate().all(is_near),
    }
}

/// The slope and the start of the line of least squares.
fn line(xs: &[f64], ys: &[f64]) -> (f64, f64) {
    let n = xs.len() as f64;
    let (x, y) = (xs.iter().sum::<f64>() / n, ys.iter().sum::<f64>() / n);
    let products: f64 = xs.iter().zip(ys).map(|(a, b)| (a - x) * (b - y)).sum();
    let squares: f64 = xs.iter().map(|a| (a - x).powi(2)).sum();
    let slope = if squares > 0.0 {
        products / squares
    } else {
        0.0
    };
    (slope, y - slope * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(time: impl Fn(f64) -> f64) -> Vec<(f64, Vec<f64>)> {
        let noise = |i: usize| 1.0 + 0.02 * ((i * 7 % 11) as f64 - 5.0) / 5.0;
        let times = |x: f64| (0..40).map(|i| time(x) * noise(i)).collect();
        (4..=9)
            .map(|x| (f64::from(x), times(f64::from(x))))
            .collect()
    }

    #[test]
    fn a_factor_and_an_exponent_are_found_and_told_apart() {
        let found = growth(&points(|x| 1e-6 * 4f64.powf(x)), Level::DEFAULT, 1);
        assert!(
            (found[0].estimate - 4.0).abs() < 0.05 && found[0].straight,
            "{found:?}"
        );
        assert!(found[0].lo <= 4.0 && 4.0 <= found[0].hi && !found[1].straight);
        let found = growth(&points(|x| 1e-6 * x.powi(3)), Level::DEFAULT, 1);
        assert!(
            (found[1].estimate - 3.0).abs() < 0.05 && found[1].straight,
            "{found:?}"
        );
        assert!(!found[0].straight);
        assert_eq!(growth(&points(|x| x)[..2], Level::DEFAULT, 1), []);
    }
}
