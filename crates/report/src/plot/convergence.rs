//! A plot of an estimate's convergence: its interval and its confidence sequence at growing numbers
//! of samples.

use super::Plot;
use super::drawing::{Point, WIDTH};
use super::marks::IntervalMark;
use super::scale::{AxisFrame, Scale, ScaleRange};
use crate::format::said;
use stats::Span;

const LEFT: f64 = 76.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 150.0;

/// The estimate after a number of samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ConvergencePoint {
    /// Samples so far.
    pub(crate) samples: f64,
    /// The estimate from them.
    pub(crate) interval: IntervalMark,
    /// The ends of its confidence sequence, which holds at all points at once.
    pub(crate) sequence: Option<Span>,
}

impl ConvergencePoint {
    /// The ends of the confidence sequence where they are not those of the interval.
    fn outer(&self) -> Option<Span> {
        self.sequence
            .filter(|_| self.sequence != self.interval.ends)
    }

    /// Returns the bounds of the estimate: the estimate twice if no sample leaves it open.
    fn between(&self) -> Option<Span> {
        let alone = self.interval.value.map(Span::point);
        alone.or(self.interval.bounds)
    }
}

/// The estimate, its interval and, fainter around it, its confidence sequence against the number of
/// samples, on a logarithmic axis. Where unresolved samples leave it open, what it is between. The
/// widest intervals, of the first samples, may leave the frame, which cuts them off.
pub(crate) fn convergence(title: &str, points: &[ConvergencePoint], unit: &str) -> Option<Plot> {
    let samples = points.iter().map(|point| point.samples);
    let frame = AxisFrame {
        x: Scale::logarithmic(samples, ScaleRange::new(LEFT, RIGHT))?,
        y: Scale::linear(window(points), ScaleRange::new(BOTTOM, TOP))?,
    };
    if points.len() < 3 {
        return None;
    }
    let mut drawing = frame.drawing(("plain", unit), "");
    let place = |point: &ConvergencePoint| Some(frame.at(point.samples, point.interval.value?));
    let places: Vec<Point> = points.iter().filter_map(place).collect();
    let (corner, opposite) = (Point::new(LEFT, TOP), Point::new(RIGHT, BOTTOM));
    drawing.within(corner, opposite, |inner| {
        inner.area(&band(points, ConvergencePoint::outer, &frame), "band");
        inner.area(&band(points, |point| point.interval.ends, &frame), "band");
        if is_open(points) {
            let between = band(points, ConvergencePoint::between, &frame);
            inner.area(&between, "between");
        }
        inner.curve(&places, "curve series-1");
    });
    if let Some(last) = points.last().and_then(place) {
        let (left, right) = (Point::new(LEFT, last.y), Point::new(RIGHT, last.y));
        drawing.line(left, right, "mark");
    }
    let caption = caption(points, &frame.y);
    let label = format!("{title} by sample size. {caption}");
    Some(drawing.into_plot(&label, title, &caption))
}

/// Returns whether unresolved samples leave an estimate open.
fn is_open(points: &[ConvergencePoint]) -> bool {
    let mut marks = points.iter().map(|point| &point.interval);
    marks.any(|mark| mark.value.is_none() && mark.bounds.is_some())
}

fn caption(points: &[ConvergencePoint], y: &Scale) -> String {
    let any = |is: &dyn Fn(&ConvergencePoint) -> bool| points.iter().any(is);
    let has_outer = any(&|point| point.outer().is_some());
    let is_cut = |Span { lo, hi }: Span| y.at(hi) < TOP || y.at(lo) > BOTTOM;
    said(&[
        (
            has_outer,
            "The estimate by sample size (logarithmic), with its interval and, fainter, its \
             confidence sequence, which holds at all sample sizes at once.",
        ),
        (
            !has_outer,
            "The estimate and its interval by sample size (logarithmic).",
        ),
        (
            is_open(points),
            "Where unresolved samples leave the estimate open, the dark area lies between its \
             bounds.",
        ),
        (
            any(&|point| point.outer().or(point.interval.ends).is_some_and(is_cut)),
            "Early intervals run off the chart.",
        ),
    ])
}

/// The numbers that must be in sight: all estimates, the intervals of the last half, and the
/// confidence sequence of the last third.
fn window(points: &[ConvergencePoint]) -> Vec<f64> {
    let (third, half) = (points.len() / 3, points.len() / 2);
    let outer = points[2 * third..]
        .iter()
        .filter_map(ConvergencePoint::outer);
    let values = points.iter().filter_map(ConvergencePoint::between);
    let values = values.flat_map(Span::to_array);
    let ends = points[half..]
        .iter()
        .filter_map(|point| point.interval.ends);
    let ends = ends.chain(outer).flat_map(Span::to_array);
    values
        .chain(ends)
        .filter(|value| value.is_finite())
        .collect()
}

/// The outline of what lies between all `limits`: lower ends forwards, upper ends backwards.
fn band(
    points: &[ConvergencePoint],
    limits: fn(&ConvergencePoint) -> Option<Span>,
    frame: &AxisFrame,
) -> Vec<Point> {
    let ends = points.iter().filter_map(|point| {
        let Span { lo, hi } = limits(point)?;
        Some((frame.at(point.samples, lo), frame.at(point.samples, hi)))
    });
    let (lower, upper): (Vec<Point>, Vec<Point>) = ends.unzip();
    lower.into_iter().chain(upper.into_iter().rev()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point_after(samples: f64) -> ConvergencePoint {
        let width = 10.0 / samples.sqrt();
        ConvergencePoint {
            samples,
            interval: IntervalMark {
                label: String::new(),
                value: Some(5.0 + width / 2.0),
                ends: Some(Span::about(5.0, width)),
                ..IntervalMark::default()
            },
            sequence: None,
        }
    }

    #[test]
    fn a_band_narrows_around_a_line() {
        let points: Vec<ConvergencePoint> = [1.0, 10.0, 100.0, 1000.0].map(point_after).into();
        let plot = convergence("score", &points, "cards").unwrap();
        assert_eq!(plot.svg.matches("class=\"band\"").count(), 1);
        assert_eq!(plot.svg.matches("<polyline").count(), 1);
    }

    #[test]
    fn an_estimate_that_opens_goes_on_as_the_area_between_its_bounds() {
        let mut points: Vec<ConvergencePoint> = [1.0, 10.0, 100.0, 1000.0].map(point_after).into();
        for point in &mut points[2..] {
            point.interval.bounds = point
                .interval
                .value
                .map(|value| Span::new(value, value + 1.0));
            point.interval.value = None;
        }
        let plot = convergence("score", &points, "cards").unwrap();
        assert_eq!(plot.svg.matches("class=\"between\"").count(), 1);
        assert!(plot.caption.contains("dark area"), "{}", plot.caption);
    }

    #[test]
    fn a_confidence_sequence_is_a_second_band_unless_it_is_the_interval() {
        let mut points: Vec<ConvergencePoint> = [1.0, 10.0, 100.0, 1000.0].map(point_after).into();
        for point in &mut points {
            point.sequence = point.interval.ends;
        }
        let same = convergence("score", &points, "cards").unwrap();
        assert_eq!(same.svg.matches("class=\"band\"").count(), 1);
        for point in &mut points {
            point.sequence = point
                .interval
                .ends
                .map(|ends| Span::new(ends.lo - 1.0, ends.hi + 1.0));
        }
        let wider = convergence("score", &points, "cards").unwrap();
        assert_eq!(wider.svg.matches("class=\"band\"").count(), 2);
        assert!(wider.caption.contains("at all sample sizes at once"));
    }

    #[test]
    fn the_line_stays_in_the_frame_and_a_wide_first_interval_is_cut_off() {
        let points: Vec<ConvergencePoint> =
            [1.0, 10.0, 100.0, 1000.0, 10_000.0].map(point_after).into();
        let plot = convergence("score", &points, "cards").unwrap();
        let frame = "<svg x=\"76\" y=\"10\" width=\"270\" height=\"140\" \
                     viewBox=\"76 10 270 140\" overflow=\"hidden\">";
        let (_, inner) = plot.svg.split_once(frame).unwrap();
        let inside = |mark: &str| {
            let (_, after) = inner.split_once(mark).unwrap();
            let (_, places) = after.split_once("points=\"").unwrap();
            let (places, _) = places.split_once('"').unwrap();
            let height = |place: &str| place.split_once(',').unwrap().1.parse::<f64>().unwrap();
            places
                .split(' ')
                .map(height)
                .all(|y| (TOP..=BOTTOM).contains(&y))
        };
        assert!(inside("<polyline") && !inside("class=\"band\""));
        assert!(plot.caption.contains("run off the chart"));
    }

    #[test]
    fn two_points_show_no_course() {
        assert_eq!(
            convergence("x", &[point_after(1.0), point_after(2.0)], ""),
            None
        );
    }
}
