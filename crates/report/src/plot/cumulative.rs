//! The share of instances solved within so much work: one rising curve for each cell.

use super::drawing::{Point, WIDTH};
use super::scale::{AxisFrame, Scale, ScaleRange};
use super::series::{draw_key, key_lines, key_top};
use super::{Plot, PlotPoint};
use crate::format::tick;

const LEFT: f64 = 52.0;
const RIGHT: f64 = WIDTH - 14.0;
const HEIGHT: f64 = 170.0;
/// Curves at most: as many as there are colours.
const MOST_CURVES: usize = 6;

/// The shares of instances that are solved within growing amounts of work.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Curve {
    /// The subject of the curve.
    pub(crate) label: String,
    /// Work with the share of instances solved within it, both ascending.
    pub(crate) points: Vec<CurvePoint>,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CurvePoint {
    /// The amount of work.
    pub(crate) work: f64,
    /// The share of instances solved within it.
    pub(crate) share: f64,
}

/// The curves on a common logarithmic axis of work; `None` without two different amounts of it.
pub(crate) fn cumulative(title: &str, axis: &str, curves: &[Curve]) -> Option<Plot> {
    let curves = &curves[..curves.len().min(MOST_CURVES)];
    let values = || curves.iter().flat_map(|curve| &curve.points);
    let positive = |value: &f64| *value > 0.0 && value.is_finite();
    let works: Vec<f64> = values().map(|point| point.work).filter(positive).collect();
    let first = works.iter().copied().fold(f64::INFINITY, f64::min);
    if !works.iter().any(|&value| value > first) {
        return None;
    }
    let labels: Vec<&str> = curves.iter().map(|curve| curve.label.as_str()).collect();
    let top = key_top(key_lines(&labels)) + 6.0;
    let frame = AxisFrame {
        x: Scale::logarithmic(works, ScaleRange::new(LEFT, RIGHT))?,
        y: Scale::linear([0.0, 1.0], ScaleRange::new(top + HEIGHT, top))?,
    };
    let mut drawing = frame.drawing(("plain", ""), axis);
    let mut line = 0;
    for (curve, number) in curves.iter().zip(1..) {
        drawing.curve(&outline(curve, &frame), &format!("curve series-{number}"));
        if curves.len() > 1 {
            line += draw_key(&mut drawing, (&curve.label, &told(curve)), (number, line));
        }
    }
    let caption = "Share of the instances solved within so much work. A curve further left is \
                   faster, and one that ends below 100 % leaves instances unresolved. The \
                   horizontal scale is logarithmic.";
    let aloud: Vec<String> = curves.iter().map(told).collect();
    let label = format!("{title}, cumulative. {}", aloud.join(" "));
    let shown = curves.iter().flat_map(|curve| {
        curve.points.iter().map(|point| PlotPoint {
            series: curve.label.clone(),
            x: point.work.to_string(),
            y: Some(point.share),
            ends: None,
        })
    });
    Some(drawing.into_plot(&label, title, caption).with(shown))
}

/// Returns the outline of a curve from the left end: instances that take no work are solved there.
fn outline(curve: &Curve, frame: &AxisFrame) -> Vec<Point> {
    let place = |point: &CurvePoint| {
        let at = frame.at(point.work, point.share);
        Point::new(at.x.max(LEFT), at.y)
    };
    let mut places: Vec<Point> = curve.points.iter().map(place).collect();
    if let (Some(&first), Some(&last)) = (places.first(), places.last()) {
        places.insert(0, Point::new(first.x, frame.y.at(0.0)));
        places.push(Point::new(RIGHT, last.y));
    }
    places
}

/// The work within which half of the instances are solved, or the share that is solved at all.
fn told(curve: &Curve) -> String {
    let half = curve.points.iter().find(|point| point.share >= 0.5);
    let solved = half.map_or_else(
        || {
            let share = curve.points.last().map_or(0.0, |point| point.share);
            format!("{:.0} % are solved", 100.0 * share)
        },
        |point| format!("half are solved within {}", tick(point.work, "plain")),
    );
    format!("{}: {solved}.", curve.label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(label: &str, points: &[[f64; 2]]) -> Curve {
        Curve {
            label: label.into(),
            points: (points
                .iter()
                .map(|&[work, share]| CurvePoint { work, share }))
            .collect(),
        }
    }

    #[test]
    fn each_cell_has_its_curve_and_the_axis_is_common() {
        let curves = [
            curve("plain", &[[0.0, 0.1], [10.0, 0.4], [1000.0, 1.0]]),
            curve("pruned", &[[5.0, 0.5], [50.0, 0.9]]),
            curve("book", &[[7.0, 0.25]]),
            curve("none", &[]),
        ];
        let plot = cumulative("nodes", "nodes", &curves).unwrap();
        assert_eq!(plot.svg.matches("<polyline").count(), 3);
        assert!(plot.svg.contains("book: 25\u{a0}% are solved."));
        assert!(plot.svg.contains("none: 0\u{a0}% are solved."));
        assert!(plot.svg.contains("plain: half are solved within 1,000."));
        assert!(plot.svg.contains("pruned: half are solved within 5."));
        assert!(plot.svg.contains(">pruned</text>"));
    }

    #[test]
    fn nothing_is_drawn_of_one_amount_or_none() {
        assert_eq!(cumulative("nodes", "nodes", &[]), None);
        let one = [curve("a", &[[0.0, 0.5], [7.0, 1.0]])];
        assert_eq!(cumulative("nodes", "nodes", &one), None);
    }
}
