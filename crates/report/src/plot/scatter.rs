//! A plot of the times of instances in two cells: a dot for each, on logarithmic axes of one scale.

use super::drawing::{Point, WIDTH};
use super::scale::{AxisFrame, Scale, ScaleRange};
use super::{Plot, PlotPoint};
use stats::speed::TimePair;

const LEFT: f64 = 72.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = TOP + RIGHT - LEFT;

/// The instances that took anything in both cells, hollow where one was cut off; `None` without two of them.
/// The labels are those of the cells: the first across, the second upwards.
pub(crate) fn scatter(
    title: &str,
    caption: &str,
    labels: [&str; 2],
    instances: &[TimePair],
) -> Option<Plot> {
    let is_positive = |pair: &&TimePair| pair.iter().all(|cost| cost.seconds > 0.0);
    let shown: Vec<&TimePair> = instances.iter().filter(is_positive).collect();
    let values = || shown.iter().flat_map(|pair| pair.map(|cost| cost.seconds));
    let frame = AxisFrame {
        x: Scale::logarithmic(values(), ScaleRange::new(LEFT, RIGHT))?,
        y: Scale::logarithmic(values(), ScaleRange::new(BOTTOM, TOP))?,
    };
    if shown.len() < 2 {
        return None;
    }
    let mut drawing = frame.drawing(("plain", "plain"), &short(labels[0]));
    for x in frame.x.ticks(5).iter().map(|tick| frame.x.at(*tick)) {
        drawing.line(Point::new(x, TOP), Point::new(x, BOTTOM), "grid");
    }
    drawing.line(Point::new(LEFT, BOTTOM), Point::new(RIGHT, TOP), "mark");
    let points = shown.iter().map(|[first, second]| PlotPoint {
        series: if first.censored || second.censored {
            "cut off".to_owned()
        } else {
            String::new()
        },
        x: first.seconds.to_string(),
        y: Some(second.seconds),
        ends: None,
    });
    let points: Vec<PlotPoint> = points.collect();
    for [first, second] in shown {
        let is_open = first.censored || second.censored;
        let class = if is_open { "speck open" } else { "speck" };
        drawing.speck(frame.at(first.seconds, second.seconds), class);
    }
    let side = Point::new(12.0, (TOP + BOTTOM) / 2.0);
    drawing.text_upwards(side, "label", &short(labels[1]));
    let plot = drawing.into_plot(&format!("{title}. {caption}"), title, caption);
    Some(plot.with(points))
}

/// A label that fits along an axis.
fn short(label: &str) -> String {
    const MOST: usize = 40;
    if label.chars().count() > MOST {
        label.chars().take(MOST - 1).chain(['…']).collect()
    } else {
        label.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::speed::Cost;

    fn both(first: f64, second: f64, solved: bool) -> TimePair {
        [first, second].map(|seconds| Cost {
            seconds,
            most: seconds,
            wall: seconds,
            censored: !solved,
            off: 0.0,
        })
    }

    #[test]
    fn equal_work_lies_on_the_diagonal_and_unsolved_instances_are_hollow() {
        let instances = [
            both(1.0, 1.0, true),
            both(1000.0, 10.0, true),
            both(50.0, 50.0, false),
            both(0.0, 5.0, true),
        ];
        let plot = scatter("nodes", "", ["plain", "pruned"], &instances).unwrap();
        assert_eq!(plot.svg.matches("<circle").count(), 3);
        assert_eq!(plot.svg.matches("speck open").count(), 1);
        assert!(plot.svg.contains(">plain</text>") && plot.svg.contains(">pruned</text>"));
        let x = Scale::logarithmic([1.0, 1000.0], ScaleRange::new(LEFT, RIGHT)).unwrap();
        let y = Scale::logarithmic([1.0, 1000.0], ScaleRange::new(BOTTOM, TOP)).unwrap();
        assert!((x.at(50.0) - LEFT - (BOTTOM - y.at(50.0))).abs() < 1e-9);
    }

    #[test]
    fn one_instance_is_no_picture() {
        let one = [both(3.0, 4.0, true)];
        assert_eq!(scatter("nodes", "", ["a", "b"], &one), None);
    }
}
