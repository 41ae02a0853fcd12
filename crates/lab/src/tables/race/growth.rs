//! The growth of time with a swept number: the factor for each step, the exponent, and whether a
//! straight line fits.
//!
//! A line is drawn through the logarithms of the median times, over the number (a factor for each
//! step) or over its logarithm (an exponent). The intervals resample starts and their instances, all values
//! together.
//! Reference: Efron and Tibshirani 1993, *An Introduction to the Bootstrap*.

use kit::rng::{Stream, Streams, below};
use stats::Level;
use stats::speed::{Cost, median_time};

use super::GrowthRow;

/// The times of all instances at some values of a number.
type TimesAlong = [(f64, Vec<Cost>)];

/// Resamples of the instances.
const RESAMPLES: usize = 400;
/// Standard errors that a median may be from the line.
const FARTHEST: f64 = 3.0;

/// The growth of the times at some values of a number, after `starts` of so many instances each, as rows
/// that name the number and the contenders;
/// nothing of fewer than three values or two instances. A value counts only where stopped answers
/// leave neither its median open nor that of any resample.
pub fn growth(
    names: [&str; 2],
    points: &TimesAlong,
    starts: &[usize],
    (level, seed): (Level, u64),
) -> Vec<GrowthRow> {
    let n = starts.iter().sum::<usize>();
    if points.len() < 3 || n < 2 {
        return Vec::new();
    }
    let mut stream = Streams::new(seed).key("bench growth").stream(0);
    let mut resample = |_| resampled(starts, &mut stream);
    let resamples: Vec<Vec<usize>> = (0..RESAMPLES).map(&mut resample).collect();
    let known = points.iter().filter_map(|(x, times)| {
        let median = |instances: &[usize]| {
            let drawn = instances.iter().map(|&at| times[at]);
            median_time(drawn).map(libm::log)
        };
        let all = median(&(0..n).collect::<Vec<_>>())?;
        let resampled = resamples.iter().map(|instances| median(instances));
        Some((*x, all, resampled.collect::<Option<_>>()?))
    });
    let (xs, medians, resampled): (Vec<f64>, _, _) = known.collect();
    if xs.len() < 3 {
        return Vec::new();
    }
    let lines = MedianLines {
        names: names.map(str::to_owned),
        medians,
        resampled,
        level,
        n: n as u64,
    };
    let is_positive = xs.iter().all(|&x| x > 0.0);
    let factor = lines.slope("factor", &xs, libm::exp);
    let logs: Vec<f64> = xs.iter().map(|x| libm::log(*x)).collect();
    let exponent = is_positive.then(|| lines.slope("exponent", &logs, |slope| slope));
    [factor].into_iter().chain(exponent).collect()
}

/// As many starts as there are of so many instances each, drawn among them, each with as many of its
/// instances, drawn likewise.
fn resampled(starts: &[usize], stream: &mut Stream) -> Vec<usize> {
    let mut drawn = Vec::new();
    for _ in starts {
        let start = below(stream, starts.len() as u64) as usize;
        let (first, size) = (starts[..start].iter().sum::<usize>(), starts[start]);
        drawn.extend((0..size).map(|_| first + below(stream, size as u64) as usize));
    }
    drawn
}

/// The logarithms of median times at each value, and of those of resampled instances.
struct MedianLines {
    /// The parameter and the contenders.
    names: [String; 2],
    medians: Vec<f64>,
    /// The resampled medians, by value and then by resample.
    resampled: Vec<Vec<f64>>,
    level: Level,
    /// Instances.
    n: u64,
}

impl MedianLines {
    /// A statistic of the slope over `xs`.
    fn slope(&self, statistic: &str, xs: &[f64], shown: fn(f64) -> f64) -> GrowthRow {
        let (ys, samples) = (&self.medians, &self.resampled);
        let (slope, start) = line(xs, ys);
        let sample = |at: usize| samples.iter().map(|ys| ys[at]).collect::<Vec<_>>();
        let slopes = (0..RESAMPLES).map(|at| line(xs, &sample(at)).0);
        let mut slopes: Vec<f64> = slopes.collect();
        slopes.sort_by(f64::total_cmp);
        let tail = ((self.level.alpha() / 2.0) * slopes.len() as f64) as usize;
        let is_near = |(at, (x, y)): (usize, (&f64, &f64))| {
            let squares = samples[at].iter().map(|other| (other - y).powi(2));
            let spread = squares.sum::<f64>() / RESAMPLES as f64;
            // A thousandth is nothing that a plot shows, nor a clock repeats.
            (y - start - slope * x).abs() <= FARTHEST * spread.sqrt() + 1e-3
        };
        let [parameter, contender] = self.names.clone();
        GrowthRow {
            parameter,
            contender,
            statistic: statistic.to_owned(),
            estimate: shown(slope),
            ci_lo: shown(slopes[tail]),
            ci_hi: shown(slopes[slopes.len() - 1 - tail]),
            ci_level: self.level.get(),
            ci_method: "bootstrap".to_owned(),
            values: xs.len() as u64,
            n: self.n,
            straight: Some(xs.iter().zip(ys).enumerate().all(is_near)),
        }
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

    fn points(time: impl Fn(f64) -> f64) -> Vec<(f64, Vec<Cost>)> {
        let noise = |i: usize| 1.0 + 0.02 * ((i * 7 % 11) as f64 - 5.0) / 5.0;
        let cost = |seconds: f64| Cost {
            seconds,
            most: seconds,
            wall: seconds,
            censored: false,
            off: 0.0,
        };
        let times = |x: f64| (0..40).map(|i| cost(time(x) * noise(i))).collect();
        (4..=9)
            .map(|x| (f64::from(x), times(f64::from(x))))
            .collect()
    }

    #[test]
    fn a_factor_and_an_exponent_are_found_and_told_apart() {
        let rows = growth(
            ["x", ""],
            &points(|x| 1e-6 * libm::pow(4.0, x)),
            &[4; 10],
            (Level::DEFAULT, 1),
        );
        assert!(
            (rows[0].estimate - 4.0).abs() < 0.05 && rows[0].straight == Some(true),
            "{rows:?}"
        );
        assert!(rows[0].ci_lo <= 4.0 && 4.0 <= rows[0].ci_hi && rows[1].straight == Some(false));
        let rows = growth(
            ["x", ""],
            &points(|x| 1e-6 * x.powi(3)),
            &[4; 10],
            (Level::DEFAULT, 1),
        );
        assert!(
            (rows[1].estimate - 3.0).abs() < 0.05 && rows[1].straight == Some(true),
            "{rows:?}"
        );
        assert!(rows[0].straight == Some(false));
        assert!(
            growth(
                ["x", ""],
                &points(|x| x)[..2],
                &[4; 10],
                (Level::DEFAULT, 1)
            )
            .is_empty()
        );
    }

    #[test]
    fn a_median_that_stopped_answers_leave_open_does_not_count() {
        let mut capped = points(|x| 1e-6 * libm::pow(4.0, x));
        let whole = growth(["x", ""], &capped[..5], &[4; 10], (Level::DEFAULT, 1));
        for cost in &mut capped[5].1 {
            (cost.seconds, cost.censored) = (1e-7, true);
        }
        let known = growth(["x", ""], &capped, &[4; 10], (Level::DEFAULT, 1));
        assert_eq!((known[0].values, known[0].estimate), (5, whole[0].estimate));
        assert_eq!(median_time(capped[5].1.iter().copied()), None);
        assert!(growth(["x", ""], &capped[3..], &[4; 10], (Level::DEFAULT, 1)).is_empty());
    }
}
