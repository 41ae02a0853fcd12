//! Estimates with their intervals, one below the other on one scale.

use super::Plot;
use super::drawing::{Anchor, Drawing, Point, WIDTH, shortened};
use super::scale::Scale;
use crate::report::figures::tick;

const LEFT: f64 = 12.0;
const RIGHT: f64 = WIDTH - 14.0;
const ROW: f64 = 36.0;
const TOP: f64 = 4.0;

/// An estimate with its interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interval {
    /// What it is the estimate of.
    pub label: String,
    /// The estimate; none while unresolved samples leave it open.
    pub value: Option<f64>,
    /// Both ends of the interval.
    pub ends: Option<(f64, f64)>,
}

impl Interval {
    /// All finite numbers it is made of.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> + use<> {
        let ends = self.ends.map(|(lo, hi)| [lo, hi]);
        let numbers = ends.into_iter().flatten().chain(self.value);
        numbers.filter(|number| number.is_finite())
    }
}

/// A dot and a whisker for each row; a line where `mark` is, such as at no difference.
pub fn intervals(title: &str, rows: &[Interval], unit: &str, mark: Option<f64>) -> Option<Plot> {
    let shown: Vec<&Interval> = (rows.iter())
        .filter(|row| row.numbers().next().is_some())
        .collect();
    let numbers = shown.iter().flat_map(|row| row.numbers()).chain(mark);
    let x = (!shown.is_empty()).then(|| Scale::linear(numbers, (LEFT, RIGHT)))??;
    let bottom = TOP + ROW * shown.len() as f64 + 4.0;
    let mut drawing = Drawing::new(bottom + 22.0);
    x.draw_below(&mut drawing, (TOP, bottom), unit);
    if let Some(mark) = mark {
        let at = x.at(mark);
        drawing.line(Point::new(at, TOP), Point::new(at, bottom), "mark");
    }
    for (row, place) in shown.iter().zip(0..) {
        let top = TOP + ROW * f64::from(place);
        draw_row(&mut drawing, &x, row, (top, unit));
    }
    let caption = String::from("Dots are estimates, whiskers their intervals.");
    Some(Plot {
        svg: drawing.finish(&format!("{title}. {}", aloud(&shown, unit))),
        title: title.to_owned(),
        caption,
    })
}

fn draw_row(drawing: &mut Drawing, x: &Scale, row: &Interval, (top, unit): (f64, &str)) {
    let label = shortened(&row.label, 52);
    drawing.text(Point::new(LEFT, top + 13.0), Anchor::Start, "label", &label);
    let y = top + 25.0;
    if let Some((lo, hi)) = row.ends {
        let (left, right) = (Point::new(x.at(lo), y), Point::new(x.at(hi), y));
        drawing.line(left, right, "whisker");
    }
    if let Some(value) = row.value {
        let hint = format!("{}: {}", row.label, tick(value, unit));
        drawing.dot(Point::new(x.at(value), y), "dot", &hint);
    }
}

/// The rows as a sentence, for those who do not see them.
fn aloud(rows: &[&Interval], unit: &str) -> String {
    let value = |row: &&Interval| match row.value {
        Some(value) => format!("{}: {}", row.label, tick(value, unit)),
        None => format!("{}: open", row.label),
    };
    rows.iter().map(value).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_labels_dots_and_whiskers_and_open_ones_no_dot() {
        let row = |label: &str, value| Interval {
            label: label.into(),
            value,
            ends: Some((0.1, 0.3)),
        };
        let rows = [row("optimal", Some(0.2)), row("greedy", None)];
        let plot = intervals("win", &rows, "", Some(0.0)).unwrap();
        assert_eq!(plot.svg.matches("class=\"dot\"").count(), 1);
        assert_eq!(plot.svg.matches("class=\"whisker\"").count(), 2);
        assert_eq!(plot.svg.matches("class=\"mark\"").count(), 1);
        assert!(plot.svg.contains("optimal: 20 %; greedy: open"));
    }

    #[test]
    fn rows_without_numbers_are_not_drawn() {
        assert_eq!(
            intervals("win", &[Interval::default()], "", Some(0.0)),
            None
        );
    }
}
