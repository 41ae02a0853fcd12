//! A metric against a swept number: one line of estimates with whiskers for each series.

use super::Plot;
use super::drawing::{Anchor, Drawing, Point, WIDTH, wrapped};
use super::intervals::{at_least_a_bar, dot_class, legend};
use super::marks::IntervalMark;
use super::scale::{AxisFrame, Scale, ScaleRange};
use crate::format::tick;
use stats::Span;

const LEFT: f64 = 60.0;
const RIGHT: f64 = WIDTH - 14.0;
const BOTTOM: f64 = 180.0;
/// The height that a long key leaves to the lines.
const LEAST_HEIGHT: f64 = 110.0;

/// Colours there are.
const MOST_SERIES: usize = 6;

/// Estimates at growing numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Series {
    /// The label that distinguishes it from the others; may be empty.
    pub(crate) label: String,
    /// The estimates of the series with the swept number of each, which grows.
    pub(crate) points: Vec<(f64, IntervalMark)>,
}

/// Up to six series in one picture. `axis` names the swept parameter.
pub(crate) fn series(title: &str, axis: &str, series: &[Series], unit: &str) -> Option<Plot> {
    let points = || series.iter().flat_map(|series| &series.points);
    if series.len() > MOST_SERIES || points().count() < 2 {
        return None;
    }
    let labels: Vec<&str> = series.iter().map(|series| series.label.as_str()).collect();
    let top = key_top(key_lines(&labels));
    let xs: Vec<f64> = points().map(|point| point.0).collect();
    let ys: Vec<f64> = points().flat_map(|point| point.1.numbers()).collect();
    let frame = AxisFrame {
        x: Scale::fitting(&xs, ScaleRange::new(LEFT, RIGHT))?,
        y: Scale::fitting(
            &ys,
            ScaleRange::new(BOTTOM.max(top + LEAST_HEIGHT), top + 6.0),
        )?,
    };
    let mut drawing = frame.drawing(("plain", unit), axis);
    let marks: Vec<&IntervalMark> = points().map(|point| &point.1).collect();
    let some_have_ends = marks.iter().any(|mark| mark.ends.is_some());
    let mut line = 0;
    for (one, number) in series.iter().zip(1..) {
        draw_series(&mut drawing, &frame, one, (number, unit, some_have_ends));
        if series.len() > 1 {
            line += draw_key(&mut drawing, (&one.label, &told(one, unit)), (number, line));
        }
    }
    let aloud: Vec<String> = series.iter().map(|one| told(one, unit)).collect();
    let label = format!("{title} against {axis}. {}", aloud.join(" "));
    let shown = series.iter().flat_map(|one| {
        let points = one.points.iter();
        points.map(|(x, mark)| mark.point(&one.label, &x.to_string()))
    });
    let plot = drawing.into_plot(&label, title, legend(&marks, &frame.y));
    Some(plot.with(shown))
}

/// The left end of the key.
const KEY_LEFT: f64 = 56.0;
/// Characters of a line of the key.
const KEY_WIDTH: usize = 42;
/// The height of a line of the key.
const KEY_LINE: f64 = 17.0;

/// The lines that the key of these series takes; one alone needs none.
pub(super) fn key_lines(labels: &[&str]) -> usize {
    let lines = |label: &&str| wrapped(label, KEY_WIDTH).len();
    match labels {
        [_] => 0,
        several => several.iter().map(lines).sum(),
    }
}

/// The height below a key of so many lines.
pub(super) fn key_top(lines: usize) -> f64 {
    8.0 + KEY_LINE * lines as f64
}

/// Draws the key of a series with its label and what it tells, from a line on; returns how many
/// lines it takes.
pub(super) fn draw_key(
    drawing: &mut Drawing,
    (label, told): (&str, &str),
    (number, line): (usize, usize),
) -> usize {
    let y = |line: usize| 8.0 + KEY_LINE * (line as f64 + 0.5);
    let class = format!("dot series-{number}");
    drawing.dot(Point::new(KEY_LEFT + 6.0, y(line)), &class, told);
    let label = wrapped(label, KEY_WIDTH);
    for (text, place) in label.iter().zip(line..) {
        let at = Point::new(KEY_LEFT + 16.0, y(place) + 4.0);
        drawing.text(at, Anchor::Start, "label", text);
    }
    label.len()
}

fn draw_series(
    drawing: &mut Drawing,
    frame: &AxisFrame,
    series: &Series,
    (number, unit, some_have_ends): (usize, &str, bool),
) {
    let class = |mark: &str| format!("{mark} series-{number}");
    let place = |(x, mark): &(f64, IntervalMark)| Some(frame.at(*x, mark.value?));
    let places: Vec<Point> = series.points.iter().filter_map(place).collect();
    drawing.curve(&places, &class("curve"));
    for (x, mark) in &series.points {
        let between = |ends: Span| (frame.at(*x, ends.lo), frame.at(*x, ends.hi));
        if let Some((low, high)) = mark.ends.map(between) {
            drawing.line(low, high, &class("whisker"));
        }
        let bounds = mark.bounds.filter(|_| mark.value.is_none());
        if let Some((low, high)) = bounds.map(between) {
            let ScaleRange {
                start: bottom,
                end: top,
            } = at_least_a_bar(ScaleRange::new(low.y, high.y));
            let (low, high) = (Point::new(low.x, bottom), Point::new(high.x, top));
            drawing.line(low, high, &class("bounds"));
        }
        if let Some(value) = mark.value {
            let label = match mark.label.as_str() {
                "" => tick(*x, "plain"),
                label => label.to_owned(),
            };
            let hint = format!("{label}: {}", tick(value, unit));
            let class = class(dot_class(mark, some_have_ends));
            drawing.dot(frame.at(*x, value), &class, &hint);
        }
    }
}

/// The ends of a series as a sentence.
fn told(series: &Series, unit: &str) -> String {
    let value = |point: Option<&(f64, IntervalMark)>| {
        point.map_or("open".to_owned(), |(_, mark)| mark.spoken(unit))
    };
    let ends = (value(series.points.first()), value(series.points.last()));
    format!("{} from {} to {}.", series.label, ends.0, ends.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(label: &str, values: &[f64]) -> Series {
        let point = |(x, &value): (f64, &f64)| {
            let ends = Some(Span::new(value * 0.9, value * 1.1));
            (x, IntervalMark::between(label, Some(value), None, ends))
        };
        Series {
            label: label.into(),
            points: [4.0, 5.0, 6.0].into_iter().zip(values).map(point).collect(),
        }
    }

    #[test]
    fn series_have_colours_and_a_key_where_there_are_several() {
        let two = [
            line("seed", &[2.0, 10.0, 4.0]),
            line("uniform", &[1.0, 9.0, 3.0]),
        ];
        let plot = series("solutions", "n", &two, "boards").unwrap();
        assert_eq!(plot.svg.matches("class=\"curve series-2\"").count(), 1);
        assert_eq!(plot.svg.matches("class=\"whisker series-1\"").count(), 3);
        assert!(plot.svg.contains(">uniform</text>"));
        let one = series("solutions", "n", &two[..1], "boards").unwrap();
        assert!(!one.svg.contains(">seed</text>"));
    }

    #[test]
    fn a_long_key_leaves_room_for_the_lines() {
        let long = vec![line(&"version=automaton-2 ".repeat(4), &[1.0, 2.0, 3.0]); 6];
        let svg = series("x", "n", &long, "").unwrap().svg;
        let heights = svg.split("class=\"grid\" ").skip(1);
        let heights = heights.map(|line| line.split('"').nth(3).unwrap().parse::<f64>().unwrap());
        let (low, high) = heights.fold((f64::MAX, 0.0_f64), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        assert!(high - low > 60.0, "{low} {high}");
    }

    #[test]
    fn too_many_series_are_left_to_other_plots() {
        let many = vec![line("a", &[1.0, 2.0, 3.0]); 7];
        assert_eq!(series("x", "n", &many, ""), None);
    }
}
