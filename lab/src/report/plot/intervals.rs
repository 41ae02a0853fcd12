//! Estimates with their intervals, one below the other on one scale.

use super::Plot;
use super::drawing::{Anchor, Drawing, Point, WIDTH, wrapped};
use super::scale::Scale;
use crate::report::format::tick;

const LEFT: f64 = 12.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 4.0;
/// The height of a line of a label, and of the lane below it.
const LINE: f64 = 15.0;
const LANE: f64 = 20.0;
/// Characters of a line of a label.
const WIDE: usize = 50;

/// An estimate with its interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IntervalMark {
    /// The quantity that it estimates.
    pub label: String,
    /// The estimate; none while unresolved samples leave it open.
    pub value: Option<f64>,
    /// The bounds of an open estimate.
    pub bounds: Option<(f64, f64)>,
    /// Both ends of the interval.
    pub ends: Option<(f64, f64)>,
}

impl IntervalMark {
    /// All finite numbers it is made of.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> + use<> {
        let pairs = [self.ends, self.bounds].into_iter().flatten();
        let numbers = pairs.flat_map(|(lo, hi)| [lo, hi]).chain(self.value);
        numbers.filter(|number| number.is_finite())
    }

    /// The estimate, or its bounds, in words.
    pub(super) fn spoken(&self, unit: &str) -> String {
        match (self.value, self.bounds) {
            (Some(value), _) => tick(value, unit),
            (None, Some((lo, hi))) => format!("{} to {}", tick(lo, unit), tick(hi, unit)),
            (None, None) => "open".to_owned(),
        }
    }
}

/// The width that a dot hides, and that of the shortest bar between bounds.
const DOT: f64 = 8.0;
const LEAST_BAR: f64 = 4.0;

/// Explains the kinds of marks that the plot on this scale has.
pub(super) fn legend(rows: &[&IntervalMark], scale: &Scale) -> String {
    let any = |is: &dyn Fn(&IntervalMark) -> bool| rows.iter().any(|row| is(row));
    let has_dot = |row: &IntervalMark| row.value.is_some();
    let is_hidden = |(lo, hi): (f64, f64)| (scale.at(hi) - scale.at(lo)).abs() < DOT;
    let with_ends = any(&|row| has_dot(row) && row.ends.is_some());
    let parts = [
        (with_ends, "Dots are estimates; lines are their intervals."),
        (
            any(&|row| has_dot(row) && row.ends.is_some_and(is_hidden)),
            "Where no line shows, the interval is narrower than the dot.",
        ),
        (
            with_ends && any(&|row| has_dot(row) && row.ends.is_none()),
            "Hollow dots have no interval.",
        ),
        (
            any(&|row| row.value.is_none() && row.bounds.is_some()),
            "Thick bars are bounds: with unresolved samples, the estimate lies between them; the \
             lines around them are intervals.",
        ),
        (scale.is_logarithmic(), "The scale is logarithmic."),
    ];
    let said: Vec<&str> = parts
        .iter()
        .filter(|part| part.0)
        .map(|part| part.1)
        .collect();
    said.join(" ")
}

/// The class of the dot of an estimate, hollow without an interval where others have one.
pub(super) fn dot_class(row: &IntervalMark, some_have_ends: bool) -> &'static str {
    if some_have_ends && row.ends.is_none() {
        "dot hollow"
    } else {
        "dot"
    }
}

/// Both places, far enough apart for the bar between them to be seen.
pub(super) fn at_least_a_bar((low, high): (f64, f64)) -> (f64, f64) {
    let missing = (LEAST_BAR - (high - low).abs()).max(0.0) / 2.0;
    let towards = if low <= high { missing } else { -missing };
    (low - towards, high + towards)
}

/// A dot and a whisker for each row; a line where `mark` is, such as at no difference. Positive
/// numbers that span more than two powers of ten get a logarithmic scale, if there is no mark at 0.
pub fn intervals(
    title: &str,
    rows: &[IntervalMark],
    unit: &str,
    mark: Option<f64>,
) -> Option<Plot> {
    let shown: Vec<&IntervalMark> = (rows.iter())
        .filter(|row| row.numbers().next().is_some())
        .collect();
    let numbers: Vec<f64> = (shown.iter().flat_map(|row| row.numbers()))
        .chain(mark)
        .collect();
    let x = (!shown.is_empty()).then(|| Scale::fitting(&numbers, (LEFT, RIGHT)))??;
    let heights = shown.iter().map(|row| height(row));
    let bottom = TOP + heights.sum::<f64>() + 4.0;
    let mut drawing = Drawing::new(bottom + 22.0);
    let mut top = TOP;
    let some_have_ends = shown.iter().any(|row| row.ends.is_some());
    for row in &shown {
        let class = dot_class(row, some_have_ends);
        draw_row(&mut drawing, &x, (row, class), (top, unit, mark));
        top += height(row);
    }
    x.draw_below(&mut drawing, (bottom, bottom), unit);
    let label = format!("{title}. {}", aloud(&shown, unit));
    Some(drawing.into_plot(&label, title, legend(&shown, &x)))
}

fn height(row: &IntervalMark) -> f64 {
    LINE * wrapped(&row.label, WIDE).len() as f64 + LANE
}

/// A label and, in the lane below it, its marks. The scale's lines stay in the lanes, so that none
/// crosses a label.
fn draw_row(
    drawing: &mut Drawing,
    x: &Scale,
    (row, class): (&IntervalMark, &str),
    (top, unit, mark): (f64, &str, Option<f64>),
) {
    let mut y = top;
    for line in wrapped(&row.label, WIDE) {
        let at = Point::new(LEFT, y + 12.0);
        drawing.text(at, Anchor::Start, "label", &line);
        y += LINE;
    }
    let (upper, lower) = (y + 1.0, y + LANE - 3.0);
    x.draw_lines(drawing, (upper, lower));
    if let Some(mark) = mark {
        let at = x.at(mark);
        drawing.line(Point::new(at, upper), Point::new(at, lower), "mark");
    }
    let middle = (upper + lower) / 2.0;
    let places = |(lo, hi): (f64, f64)| (x.at(lo), x.at(hi));
    let across = |(left, right)| (Point::new(left, middle), Point::new(right, middle));
    if let Some((left, right)) = row.ends.map(places).map(across) {
        drawing.line(left, right, "whisker");
    }
    match (row.value, row.bounds.map(places)) {
        (Some(value), _) => {
            let hint = format!("{}: {}", row.label, tick(value, unit));
            drawing.dot(Point::new(x.at(value), middle), class, &hint);
        }
        (None, Some(bounds)) => {
            let (left, right) = across(at_least_a_bar(bounds));
            drawing.line(left, right, "bounds");
        }
        (None, None) => {}
    }
}

/// The rows as a sentence, for those who do not see them.
fn aloud(rows: &[&IntervalMark], unit: &str) -> String {
    let value = |row: &&IntervalMark| format!("{}: {}", row.label, row.spoken(unit));
    rows.iter().map(value).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, value: Option<f64>, bounds: Option<(f64, f64)>) -> IntervalMark {
        IntervalMark {
            label: label.into(),
            value,
            bounds,
            ends: Some((0.1, 0.3)),
        }
    }

    #[test]
    fn rows_have_labels_dots_and_whiskers_and_open_ones_their_bounds() {
        let rows = [
            row("optimal", Some(0.2), None),
            row("greedy", None, Some((0.15, 0.25))),
        ];
        let plot = intervals("win", &rows, "", Some(0.0)).unwrap();
        assert_eq!(plot.svg.matches("class=\"dot\"").count(), 1);
        assert_eq!(plot.svg.matches("class=\"whisker\"").count(), 2);
        assert_eq!(plot.svg.matches("class=\"bounds\"").count(), 1);
        assert!(plot.svg.contains("optimal: 20 %; greedy: 15 % to 25 %"));
        assert!(plot.caption.contains("Dots") && plot.caption.contains("Thick bars"));
        let open = intervals("win", &rows[1..], "", None).unwrap();
        assert!(!open.caption.contains("Dots"));
    }

    #[test]
    fn close_bounds_can_be_seen_and_short_intervals_are_explained() {
        let rows = [
            row("wide", Some(0.2), None),
            row("open", None, Some((0.2, 0.200_01))),
            IntervalMark {
                ends: Some((0.25, 0.250_01)),
                ..row("sure", Some(0.25), None)
            },
            IntervalMark {
                ends: None,
                ..row("bare", Some(0.22), None)
            },
        ];
        let plot = intervals("win", &rows, "", None).unwrap();
        let (_, bar) = plot.svg.split_once("class=\"bounds\" x1=\"").unwrap();
        let number = |text: &str| text.split('"').next().unwrap().parse::<f64>().unwrap();
        let (_, end) = bar.split_once("x2=\"").unwrap();
        assert!(number(end) - number(bar) > 3.9, "{bar}");
        assert_eq!(plot.svg.matches("\"dot hollow\"").count(), 1);
        assert!(plot.caption.contains("narrower than the dot"));
        assert!(plot.caption.contains("Hollow dots have no interval"));
    }

    #[test]
    fn no_line_crosses_a_label() {
        let long = "search(64, 10000) − search(64, 100) (hens=search(64, 10000), quiet=200)";
        let plot = intervals("x", &[row(long, Some(0.2), None)], "", Some(0.0)).unwrap();
        assert_eq!(plot.svg.matches("class=\"label\"").count(), 2);
        let below = |line: &str| {
            let (_, y) = line.split_once("y1=\"").unwrap();
            y.split_once('"').unwrap().0.parse::<f64>().unwrap()
        };
        let lines = plot.svg.lines().filter(|line| line.starts_with("<line"));
        assert!(lines.map(below).all(|y| y > TOP + 2.0 * LINE));
    }

    #[test]
    fn rows_without_numbers_are_not_drawn() {
        assert_eq!(
            intervals("win", &[IntervalMark::default()], "", Some(0.0)),
            None
        );
    }
}
