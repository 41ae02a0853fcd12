//! The growth of time with a swept number: the factor for each step, the exponent, and whether a
//! straight line fits.
//!
//! A line is drawn through the logarithms of the median times, over the number (a factor for each
//! step) or over its logarithm (an exponent). An interval holds two: over starts, by the slope that each start
//! gives, and over instances, by resampling starts and their instances, all values together. A resample never
//! leaves the range of what was drawn, so few instances alone have none.
//! References: Kalibera and Jones 2013 on starts; Efron and Tibshirani 1993, *An Introduction to the Bootstrap*.

use kit::rng::{Stream, Streams, below};
use stats::speed::{Cost, median_time, of_starts};
use stats::{Confidence, Interval, Method, Span, mean_of_starts};

use super::GrowthRow;
use std::ops::Range;

/// The statistics of growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr)]
#[strum(serialize_all = "kebab-case")]
pub enum GrowthStatistic {
    /// The factor for each step of 1 of the number.
    Factor,
    /// The exponent of the number.
    Exponent,
}

/// The times of all instances at some values of a number.
type TimesAlong = [(f64, Vec<Cost>)];

/// Resamples of the instances.
const RESAMPLES: usize = 400;
/// The fewest starts that have an interval.
const FEWEST: usize = 5;
/// Standard errors that a median may be from the line.
const FARTHEST: f64 = 3.0;

/// The growth of the times at some values of a number, after `starts` of so many instances each, as rows
/// that name the number and the contenders;
/// nothing of fewer than three values or two instances. A value counts only where stopped answers
/// leave neither its median open nor that of any resample.
pub(super) fn growth(
    names: [&str; 2],
    points: &TimesAlong,
    starts: &[usize],
    (confidence, seed): (Confidence, u64),
) -> Vec<GrowthRow> {
    let n = starts.iter().sum::<usize>();
    if points.len() < 3 || n < 2 {
        return Vec::new();
    }
    let mut stream = Streams::new(seed).key("bench growth").stream(0);
    let mut resample = |_| resampled(starts, &mut stream);
    let resamples: Vec<Vec<usize>> = (0..RESAMPLES).map(&mut resample).collect();
    let known = points.iter().filter_map(|(x, times)| {
        let median = |instances: &[usize]| log_median(times, instances.iter().copied());
        let all = median(&(0..n).collect::<Vec<_>>())?;
        let resampled = resamples.iter().map(|instances| median(instances));
        let by_start = parts(starts).map(|part| log_median(times, part));
        Some((
            *x,
            (all, by_start.collect()),
            resampled.collect::<Option<_>>()?,
        ))
    });
    let (xs, found, resampled): (Vec<f64>, Vec<_>, _) = known.collect();
    if xs.len() < 3 {
        return Vec::new();
    }
    let (medians, by_start) = found.into_iter().unzip();
    let lines = MedianLines {
        names: names.map(str::to_owned),
        medians,
        by_start,
        resampled,
        confidence: of_starts(starts, confidence),
        n: n as u64,
    };
    let is_positive = xs.iter().all(|&x| x > 0.0);
    let factor = lines.slope(GrowthStatistic::Factor, &xs, libm::exp);
    let logs: Vec<f64> = xs.iter().map(|x| libm::log(*x)).collect();
    let exponent =
        is_positive.then(|| lines.slope(GrowthStatistic::Exponent, &logs, |slope| slope));
    [factor].into_iter().chain(exponent).collect()
}

/// The logarithm of the median time of some instances.
fn log_median(times: &[Cost], instances: impl Iterator<Item = usize>) -> Option<f64> {
    median_time(instances.map(|at| times[at])).map(libm::log)
}

/// The instances of each start.
fn parts(starts: &[usize]) -> impl Iterator<Item = Range<usize>> {
    starts.iter().scan(0, |first, size| {
        let part = *first..*first + size;
        *first = part.end;
        Some(part)
    })
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
    /// The medians of each start, by value and then by start.
    by_start: Vec<Vec<Option<f64>>>,
    /// The resampled medians, by value and then by resample.
    resampled: Vec<Vec<f64>>,
    /// The confidence, with looks planned by starts.
    confidence: Confidence,
    /// Instances.
    n: u64,
}

impl MedianLines {
    /// A statistic of the slope over `xs`.
    fn slope(&self, statistic: GrowthStatistic, xs: &[f64], shown: fn(f64) -> f64) -> GrowthRow {
        let (ys, samples) = (&self.medians, &self.resampled);
        let FittedLine { slope, start } = FittedLine::of(xs, ys);
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
            statistic,
            estimate: shown(slope),
            interval: self.interval(xs, shown),
            values: xs.len() as u64,
            n: self.n,
            straight: Some(xs.iter().zip(ys).enumerate().all(is_near)),
        }
    }

    /// An interval of the slope over `xs` that holds the one over starts and the one over instances.
    fn interval(&self, xs: &[f64], shown: fn(f64) -> f64) -> Option<Interval> {
        let Confidence { level, looks } = self.confidence;
        let [least, most] = self.over_starts(xs)?.to_array();
        let sample = |at: usize| self.resampled.iter().map(|ys| ys[at]).collect::<Vec<_>>();
        let slopes = (0..RESAMPLES).map(|at| FittedLine::of(xs, &sample(at)).slope);
        let mut slopes: Vec<f64> = slopes.collect();
        slopes.sort_by(f64::total_cmp);
        let tail = (level.alpha() / 2.0 * slopes.len() as f64) as usize;
        let (lo, hi) = (slopes[tail], slopes[slopes.len() - 1 - tail]);
        let limits = Span::new(lo.min(least), hi.max(most)).map(shown);
        Interval::new(limits, level, Method::Starts, looks.validity())
    }

    /// Limits of the slope by those of the starts; where stopped answers leave one of them open, by their order.
    fn over_starts(&self, xs: &[f64]) -> Option<Span> {
        let starts = self.by_start.first()?.len();
        let slope = |start: usize| {
            let medians = self.by_start.iter().map(|medians| medians[start]);
            let medians: Option<Vec<f64>> = medians.collect();
            medians.map_or(Span::OPEN, |ys| Span::point(FittedLine::of(xs, &ys).slope))
        };
        let slopes: Vec<Span> = (0..starts).map(slope).collect();
        let limits = mean_of_starts(&slopes, self.confidence);
        limits.filter(|_| starts >= FEWEST)
    }
}

/// A straight line.
struct FittedLine {
    slope: f64,
    /// The height of the line at 0.
    start: f64,
}

impl FittedLine {
    /// The line of least squares.
    fn of(xs: &[f64], ys: &[f64]) -> Self {
        let n = xs.len() as f64;
        let (x, y) = (xs.iter().sum::<f64>() / n, ys.iter().sum::<f64>() / n);
        let products: f64 = xs.iter().zip(ys).map(|(a, b)| (a - x) * (b - y)).sum();
        let squares: f64 = xs.iter().map(|a| (a - x).powi(2)).sum();
        let slope = if squares > 0.0 {
            products / squares
        } else {
            0.0
        };
        let start = y - slope * x;
        Self { slope, start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::rng::unit;
    use stats::Level;

    /// The times of a race whose hardness is log-normal on every instance and value, a factor of 1.7 a step, with a
    /// factor that each start is dealt.
    fn raced(starts: &[usize], dealt: f64, race: u64) -> Vec<(f64, Vec<Cost>)> {
        let mut stream = Streams::new(48).key("growth").stream(race);
        let mut normal = || {
            let angle = std::f64::consts::TAU * unit(&mut stream);
            (-2.0 * libm::log(1.0 - unit(&mut stream))).sqrt() * libm::cos(angle)
        };
        let mut times = |x: u32| {
            let of_start = |size: &usize| {
                let own = dealt * normal();
                let log = |_| libm::log(1.7) * f64::from(x) + own + 0.8 * normal();
                (0..*size).map(log).collect::<Vec<_>>()
            };
            let logs = starts.iter().flat_map(of_start);
            let cost = |log: f64| {
                let seconds = 1e-3 * libm::exp(log);
                Cost {
                    seconds,
                    most: seconds,
                    wall: seconds,
                    censored: false,
                    off: 0.0,
                }
            };
            logs.map(cost).collect()
        };
        let xs = [2, 3, 5, 8].into_iter();
        xs.map(|x| (f64::from(x), times(x))).collect()
    }

    /// Shown intervals, and those of them that miss, of so many races.
    fn missed(starts: &[usize], dealt: f64, races: u64) -> (usize, usize) {
        let found = (0..races).filter_map(|race| {
            let points = raced(starts, dealt, race);
            let rows = growth(["x", ""], &points, starts, (Level::DEFAULT.into(), race));
            Some(!rows[0].interval?.contains(1.7))
        });
        let found: Vec<bool> = found.collect();
        (found.len(), found.iter().filter(|missed| **missed).count())
    }

    /// Seed 48. A bootstrap of a few instances misses every second to fourth time.
    #[test]
    fn intervals_of_growth_hold_given_that_they_are_shown() {
        for few in [&[1, 1][..], &[1, 1, 1], &[3, 3, 3, 3], &[40]] {
            assert_eq!(missed(few, 0.1, 20), (0, 0), "{few:?}");
        }
        for (starts, dealt) in [
            ([1; 5].as_slice(), 0.0),
            (&[2; 6], 0.1),
            (&[1; 10], 0.3),
            (&[4; 10], 0.3),
        ] {
            let (shown, wrong) = missed(starts, dealt, 200);
            assert_eq!(shown, 200);
            assert!(wrong <= 10 + 9, "{starts:?}: {wrong}");
        }
    }

    /// The rows of the appendix on how often intervals miss.
    #[test]
    #[ignore = "a minute: the measured rates of the appendix"]
    fn the_rates_of_growth() {
        for starts in [
            &[1, 1][..],
            &[1; 3],
            &[3; 4],
            &[1; 5],
            &[2; 6],
            &[1; 10],
            &[4; 10],
            &[30; 10],
        ] {
            for dealt in [0.0, 0.3] {
                let (shown, wrong) = missed(starts, dealt, 1_000);
                let rate = 100.0 * wrong as f64 / shown.max(1) as f64;
                let (count, each) = (starts.len(), starts[0]);
                println!(
                    "| {count} | {each} | {:.0} % | {shown} | {rate:.1} % |",
                    100.0 * dealt
                );
            }
        }
    }

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
            (Level::DEFAULT.into(), 1),
        );
        assert!(
            (rows[0].estimate - 4.0).abs() < 0.05 && rows[0].straight == Some(true),
            "{rows:?}"
        );
        let interval = rows[0].interval.unwrap();
        assert!(interval.contains(4.0) && rows[1].straight == Some(false));
        assert_eq!(interval.validity, stats::Validity::FixedN);
        let rows = growth(
            ["x", ""],
            &points(|x| 1e-6 * x.powi(3)),
            &[4; 10],
            (Level::DEFAULT.into(), 1),
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
                (Level::DEFAULT.into(), 1)
            )
            .is_empty()
        );
    }

    /// Lines through the origin with these slopes, at 0, 1 and 2.
    fn lines(by_start: &[Option<f64>], resampled: impl Fn(usize) -> f64) -> MedianLines {
        let xs = [0.0, 1.0, 2.0];
        MedianLines {
            names: ["x", "a"].map(str::to_owned),
            medians: xs.map(|x| 200.0 * x).to_vec(),
            by_start: xs
                .map(|x| by_start.iter().map(|slope| Some(x * (*slope)?)).collect())
                .to_vec(),
            resampled: xs
                .map(|x| (0..RESAMPLES).map(|at| x * resampled(at)).collect())
                .to_vec(),
            confidence: Level::DEFAULT.into(),
            n: 40,
        }
    }

    /// Of 400 slopes, shuffled, ten lie beyond either end. Five starts whose slopes are 180 to 220 vary by 15.8: Student's
    /// deviate at four degrees of freedom is 2.7764.
    #[test]
    fn the_interval_holds_that_of_starts_and_the_tails_of_the_bootstrap() {
        let xs = [0.0, 1.0, 2.0];
        let ends = |by_start: &[Option<f64>], resampled: &dyn Fn(usize) -> f64| {
            let found = lines(by_start, resampled).interval(&xs, |slope| slope)?;
            assert_eq!(found.level, Level::DEFAULT);
            Some((found.lo, found.hi))
        };
        let starts = [180.0, 190.0, 200.0, 210.0, 220.0].map(Some);
        assert_eq!(
            ends(&starts, &|at| (at * 7 % 400) as f64),
            Some((10.0, 389.0))
        );
        let (lo, hi) = ends(&starts, &|_| 200.0).unwrap();
        let half = 2.776_445_105_197_793 * (250.0f64 / 5.0).sqrt();
        assert!((lo - (200.0 - half)).abs() < 1e-9 && (hi - (200.0 + half)).abs() < 1e-9);
        let (lo, hi) = ends(&starts, &|at| 190.0 + (at % 2) as f64).unwrap();
        assert!((lo - (200.0 - half)).abs() < 1e-9 && (hi - (200.0 + half)).abs() < 1e-9);
        assert_eq!(ends(&starts[..4], &|_| 200.0), None);
        // One start without a median leaves its slope open, and so the interval.
        let open = [&starts[..], &[None]].concat();
        assert_eq!(ends(&open, &|_| 200.0), None);
    }

    /// A bend of `d` in the middle of three points lies 2/3 d from the line: three spreads of 0.01 and a thousandth.
    #[test]
    fn a_line_is_straight_within_three_spreads_of_its_medians() {
        let is_straight = |bend: f64, spread: f64| {
            let mut lines = lines(&[Some(200.0); 5], |_| 200.0);
            lines.medians[1] += bend;
            for (medians, median) in lines.resampled.iter_mut().zip(&lines.medians) {
                let sign = |at: usize| if at.is_multiple_of(2) { 1.0 } else { -1.0 };
                *medians = (0..RESAMPLES)
                    .map(|at| median + sign(at) * spread)
                    .collect();
            }
            lines
                .slope(GrowthStatistic::Factor, &[0.0, 1.0, 2.0], |slope| slope)
                .straight
        };
        assert_eq!(is_straight(0.046, 0.01), Some(true));
        assert_eq!(is_straight(-0.046, 0.01), Some(true));
        assert_eq!(is_straight(0.047, 0.01), Some(false));
        assert_eq!(is_straight(-0.047, 0.01), Some(false));
        assert_eq!(is_straight(0.0014, 0.0), Some(true));
        assert_eq!(is_straight(0.0016, 0.0), Some(false));
    }

    /// Seed 49: starts of 1, 2 and 4 instances, each drawn whole: as many starts, of their own sizes.
    #[test]
    fn resamples_draw_starts_and_then_their_instances() {
        let starts = [1, 2, 4];
        let parts: Vec<_> = parts(&starts).collect();
        assert_eq!(parts, [0..1, 1..3, 3..7]);
        let mut stream = Streams::new(49).key("resample").stream(0);
        let (mut counts, mut sizes) = ([0u32; 7], std::collections::BTreeSet::new());
        for _ in 0..3_000 {
            let drawn = resampled(&starts, &mut stream);
            sizes.insert(drawn.len());
            drawn.iter().for_each(|&at| counts[at] += 1);
        }
        assert_eq!((sizes.first(), sizes.last()), (Some(&3), Some(&12)));
        assert!(
            counts.iter().all(|count| (2_700..3_300).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn a_line_of_least_squares_is_the_textbooks() {
        // Means 3 and 5, products about them 21, squares 14.
        let FittedLine { slope, start } = FittedLine::of(&[1.0, 2.0, 6.0], &[4.0, 1.0, 10.0]);
        assert!(
            (slope - 21.0 / 14.0).abs() < 1e-12 && (start - 0.5).abs() < 1e-12,
            "{slope} {start}"
        );
        let upright = FittedLine::of(&[2.0, 2.0], &[1.0, 5.0]);
        assert_eq!((upright.slope, upright.start), (0.0, 3.0));
    }

    #[test]
    fn a_median_that_stopped_answers_leave_open_does_not_count() {
        let mut capped = points(|x| 1e-6 * libm::pow(4.0, x));
        let whole = growth(
            ["x", ""],
            &capped[..5],
            &[4; 10],
            (Level::DEFAULT.into(), 1),
        );
        for cost in &mut capped[5].1 {
            (cost.seconds, cost.censored) = (1e-7, true);
        }
        let known = growth(["x", ""], &capped, &[4; 10], (Level::DEFAULT.into(), 1));
        assert_eq!((known[0].values, known[0].estimate), (5, whole[0].estimate));
        assert_eq!(median_time(capped[5].1.iter().copied()), None);
        assert!(
            growth(
                ["x", ""],
                &capped[3..],
                &[4; 10],
                (Level::DEFAULT.into(), 1)
            )
            .is_empty()
        );
    }
}
