//! How an estimate settled: its interval at growing numbers of samples.

use super::Plot;
use super::drawing::{Drawing, Point, WIDTH};
use super::intervals::Interval;
use super::scale::Scale;

const LEFT: f64 = 52.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 150.0;

/// The estimate after so many samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settling {
    /// Samples so far.
    pub samples: f64,
    /// The estimate from them.
    pub interval: Interval,
}

/// The estimate and its interval against the number of samples, on a logarithmic axis. The
/// widest intervals, of the first samples, may leave the picture.
pub fn convergence(title: &str, points: &[Settling], unit: &str) -> Option<Plot> {
    let x = Scale::logarithmic(points.iter().map(|point| point.samples), (LEFT, RIGHT))?;
    let y = Scale::linear(window(points), (BOTTOM, TOP))?;
    if points.len() < 3 {
        return None;
    }
    let mut drawing = Drawing::new(BOTTOM + 24.0);
    drawing.area(&band(points, &x, &y), "band");
    y.draw_left(&mut drawing, (LEFT, RIGHT), unit);
    x.draw_below(&mut drawing, (BOTTOM, BOTTOM), "plain");
    let places: Vec<Point> = (points.iter())
        .filter_map(|point| Some((point.samples, point.interval.value?)))
        .map(|(samples, value)| inside(Point::new(x.at(samples), y.at(value))))
        .collect();
    drawing.curve(&places, "curve series-1");
    let last = points.last().and_then(|point| point.interval.value);
    if let Some(value) = last {
        let (left, right) = (
            Point::new(LEFT, y.at(value)),
            Point::new(RIGHT, y.at(value)),
        );
        drawing.line(left, right, "mark");
    }
    let caption = String::from("Estimate and interval after so many samples.");
    Some(Plot {
        svg: drawing.finish(&format!("{title} as the samples came in. {caption}")),
        title: title.to_owned(),
        caption,
    })
}

/// The numbers that must be in sight: all estimates but the first third's, and the intervals of
/// the last half.
fn window(points: &[Settling]) -> Vec<f64> {
    let (third, half) = (points.len() / 3, points.len() / 2);
    let values = points[third..]
        .iter()
        .filter_map(|point| point.interval.value);
    let ends = points[half..]
        .iter()
        .filter_map(|point| point.interval.ends);
    let ends = ends.flat_map(|(lo, hi)| [lo, hi]);
    values
        .chain(ends)
        .filter(|value| value.is_finite())
        .collect()
}

/// The outline of all intervals: lower ends forwards, upper ends backwards.
fn band(points: &[Settling], x: &Scale, y: &Scale) -> Vec<Point> {
    let ends = || {
        points
            .iter()
            .filter_map(|p| Some((p.samples, p.interval.ends?)))
    };
    let lower = ends().map(|(samples, (lo, _))| Point::new(x.at(samples), y.at(lo)));
    let upper = ends().map(|(samples, (_, hi))| Point::new(x.at(samples), y.at(hi)));
    let upper: Vec<Point> = upper.collect();
    lower.chain(upper.into_iter().rev()).map(inside).collect()
}

fn inside(point: Point) -> Point {
    Point::new(point.x, point.y.clamp(TOP, BOTTOM))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settling(samples: f64) -> Settling {
        let width = 10.0 / samples.sqrt();
        Settling {
            samples,
            interval: Interval {
                label: String::new(),
                value: Some(5.0 + width / 2.0),
                ends: Some((5.0 - width, 5.0 + width)),
            },
        }
    }

    #[test]
    fn a_band_narrows_around_a_line() {
        let points: Vec<Settling> = [1.0, 10.0, 100.0, 1000.0].map(settling).into();
        let plot = convergence("score", &points, "cards").unwrap();
        assert_eq!(plot.svg.matches("<polygon").count(), 1);
        assert_eq!(plot.svg.matches("<polyline").count(), 1);
    }

    #[test]
    fn two_points_show_no_course() {
        assert_eq!(convergence("x", &[settling(1.0), settling(2.0)], ""), None);
    }
}
