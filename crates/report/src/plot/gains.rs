//! A bar for each possible outcome, at its value. Of money, losses stand left of zero and gains
//! right of it.

use super::Plot;
use super::boxes::{BoxColumn, BoxColumns, Boxes};
use super::histogram::bar_width;
use super::scale::{Scale, ScaleRange, Tick};
use crate::format::{tick, typeset};
use stats::{GainShare, Span};

/// Bars at most.
const MOST_BARS: f64 = 56.0;
/// The room that a number of the axis needs, in per cent of its length.
const ROOM: f64 = 12.0;
/// The share at each end that is not drawn.
const TAIL: f64 = 5e-4;

/// Draws a bar for every outcome: `points` are values in ascending order with their shares. `None`
/// without two of them. Amounts of money are losses and gains.
pub(crate) fn gains(title: &str, points: &[GainShare], unit: &str) -> Option<Plot> {
    let points = without_tails(points);
    let (first, last) = (points.first()?.amount, points.last()?.amount);
    let width = bar_width(points.iter().map(|point| point.amount), MOST_BARS)?;
    let bars = bars(points, width);
    let zero = (unit == "$").then_some(0.0);
    let ends = [first - width, last + width].into_iter().chain(zero);
    let x = Scale::linear(ends, ScaleRange::new(0.0, 100.0))?;
    let highest = bars.iter().map(|bar| bar.share).fold(0.0, f64::max);
    let y = Scale::exactly(Span::new(0.0, highest * 1.05), ScaleRange::new(0.0, 100.0));
    let are_single = bars.iter().all(GainBar::is_single);
    let spoken = |bar: &GainBar| format!("{}: {}", bar.outcomes(unit), tick(bar.share, ""));
    let column = |bar: &GainBar| BoxColumn {
        class: bar.class(unit),
        sides: bar.sides(width, are_single).map(|side| x.at(side)),
        height: y.at(bar.share),
        hint: typeset(&spoken(bar)),
    };
    let bars: Vec<BoxColumn> = bars.iter().map(column).collect();
    let said: Vec<&str> = bars.iter().map(|bar| &*bar.hint).collect();
    let columns = BoxColumns {
        label: format!("{title}. {}", said.join("; ")),
        shares: y.marks(3, ""),
        zero: zero.map(|zero| x.at(zero)),
        ticks: marks(&x, [first, last], unit),
        bars,
    };
    let caption = if are_single {
        "One bar for each possible value, as high as its share of the samples."
    } else {
        "Each bar holds several values, and is as high as their share of the samples."
    };
    Some(Plot::of_boxes(title, caption, Boxes::Columns(columns)))
}

/// The first and the last outcome, and round numbers where there is room beside them.
fn marks(x: &Scale, ends: [f64; 2], unit: &str) -> Vec<Tick> {
    let ends = ends.map(|end| Tick {
        place: x.at(end),
        text: typeset(&tick(end, unit)),
    });
    let has_room = |place: f64| ends.iter().all(|end| (place - end.place).abs() > ROOM);
    let mut marks = x.marks(4, unit);
    marks.retain(|mark| has_room(mark.place));
    marks.extend(ends);
    marks
}

fn without_tails(points: &[GainShare]) -> &[GainShare] {
    let is_thin = |points: &[GainShare]| points.iter().map(|point| point.share).sum::<f64>() < TAIL;
    let low = (0..points.len())
        .rfind(|&end| is_thin(&points[..end]))
        .unwrap_or(0);
    let high = (low..=points.len()).find(|&start| is_thin(&points[start..]));
    &points[low..high.unwrap_or(points.len())]
}

/// Outcomes that one bar shows.
struct GainBar {
    left: f64,
    least: f64,
    most: f64,
    share: f64,
}

impl GainBar {
    fn is_single(&self) -> bool {
        self.least == self.most
    }

    /// The amounts between which the bar is drawn. A bar of one outcome stands on it, one of
    /// several on all of them. Where others hold several, breaking even is a narrow bar at 0.
    fn sides(&self, width: f64, are_single: bool) -> Span {
        match (are_single, self.most == 0.0 && self.is_single()) {
            (true, _) => Span::about(self.least, width / 2.0),
            (_, true) => Span::new(-width / 6.0, width / 6.0),
            _ => Span::new(self.left, self.left + width),
        }
    }

    fn class(&self, unit: &str) -> &'static str {
        match self.most {
            _ if unit != "$" => "bar",
            most if most < 0.0 => "bar loss",
            0.0 => "bar even",
            _ => "bar gain",
        }
    }

    /// The outcome, or the first and the last: `-$55`, `-$55 to -$40`.
    fn outcomes(&self, unit: &str) -> String {
        let [least, most] = [self.least, self.most].map(|end| tick(end, unit));
        if self.is_single() {
            least
        } else {
            format!("{least} to {most}")
        }
    }
}

/// The outcomes in bars of one width. Losses, breaking even and gains share none.
fn bars(points: &[GainShare], width: f64) -> Vec<GainBar> {
    let mut bars: Vec<GainBar> = Vec::new();
    for &GainShare { amount, share } in points {
        let left = match amount {
            ..=0.0 => (amount / width).floor() * width,
            _ => ((amount / width).ceil() - 1.0) * width,
        };
        match bars.last_mut() {
            Some(bar) if left - bar.left < width / 2.0 && bar.most != 0.0 => {
                bar.most = amount;
                bar.share += share;
            }
            _ => bars.push(GainBar {
                left,
                least: amount,
                most: amount,
                share,
            }),
        }
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(amount: f64, share: f64) -> GainShare {
        GainShare { amount, share }
    }

    #[test]
    fn losses_and_gains_have_their_own_colours() {
        let points = [of(-10.0, 0.5), of(-5.0, 0.3), of(0.0, 0.1), of(5.0, 0.1)];
        let plot = gains("money", &points, "$").unwrap();
        assert_eq!(plot.svg.matches("bar loss").count(), 2);
        assert_eq!(plot.svg.matches("bar even").count(), 1);
        assert_eq!(plot.svg.matches("bar gain").count(), 1);
        for hint in ["-$10: 50 %", "-$5: 30 %", "$0: 10 %", "$5: 10 %"].map(typeset) {
            assert!(plot.svg.contains(&hint), "{hint} in {}", plot.svg);
        }
        assert_eq!(plot.svg.matches("tabindex=\"0\"").count(), 4);
        let cards = gains("cards", &points, "cards").unwrap();
        assert!(!cards.svg.contains("loss") && !cards.svg.contains("\"mark\""));
        assert_eq!(gains("money", &points[..1], "$"), None);
        assert_eq!(gains("money", &[], "$"), None);
    }

    #[test]
    fn an_axis_has_its_ends_and_round_numbers_apart_from_them() {
        let points = [-55.0, -50.0, 0.0, 150.0, 205.0].map(|value| of(value, 0.2));
        let svg = gains("money", &points, "$").unwrap().svg;
        let at = |text: &str| svg.contains(&format!(">{}</b>", typeset(text)));
        assert!(at("-$55") && at("$0") && at("$100") && at("$205"), "{svg}");
        assert!(!at("$200") && !at("-$100"), "{svg}");
    }

    #[test]
    fn no_share_is_lost_in_bars() {
        let points: Vec<GainShare> = (0..1000).map(|n| of(f64::from(n) - 500.0, 1e-3)).collect();
        let bars = bars(&points, 20.0);
        assert_eq!(bars.len(), 51);
        let even = bars.iter().find(|bar| bar.most == 0.0).unwrap();
        assert!(even.is_single() && even.class("$") == "bar even");
        assert_eq!(even.sides(20.0, false), Span::about(0.0, 20.0 / 6.0));
        assert!((bars.iter().map(|bar| bar.share).sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
