//! A distribution of money: losses left of zero, gains right of it.

use super::Plot;
use super::drawing::{Anchor, Drawing, Point, WIDTH};
use super::histogram::bar_width;
use super::scale::Scale;
use crate::report::format::tick;

const TOP: f64 = 24.0;
const BOTTOM: f64 = 170.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = WIDTH - 10.0;
/// Bars at most.
const MOST_BARS: f64 = 56.0;
/// The share at each end that is not drawn.
const TAIL: f64 = 5e-4;

/// Draws a histogram of gains: `points` are amounts in ascending order with their shares. `None`
/// without two of them.
pub fn gains(title: &str, caption: &str, points: &[(f64, f64)], unit: &str) -> Option<Plot> {
    let points = without_tails(points);
    let (first, last) = (points.first()?.0, points.last()?.0);
    let width = bar_width(points.iter().map(|point| point.0), MOST_BARS)?;
    let bars = bars(points, width);
    let x = Scale::linear([first - width, last + width, 0.0], (LEFT, RIGHT))?;
    let y = Scale::linear(bars.iter().map(|bar| bar.share).chain([0.0]), (BOTTOM, TOP))?;
    let mut drawing = Drawing::new(196.0);
    y.draw_left(&mut drawing, (LEFT, RIGHT), "");
    x.draw_below(&mut drawing, (BOTTOM, BOTTOM), unit);
    // A bar of one outcome stands on it; one of several stands on all of them.
    let shift = if bars.iter().all(GainBar::is_single) {
        width / 2.0
    } else {
        0.0
    };
    for bar in bars {
        let left = if bar.is_single() { bar.least } else { bar.left } - shift;
        let corner = Point::new(x.at(left), y.at(0.0));
        let opposite = Point::new(x.at(left + width) - 0.5, y.at(bar.share));
        let hint = format!("{}: {}", bar.outcomes(unit), tick(bar.share, ""));
        drawing.bar(corner, opposite, bar.class(), &hint);
    }
    draw_sides(&mut drawing, x.at(0.0));
    Some(drawing.into_plot(&format!("{title}. {caption}"), title, caption))
}

/// A line between losses and gains, with a word on each side that has room for it.
fn draw_sides(drawing: &mut Drawing, nothing: f64) {
    let (upper, lower) = (Point::new(nothing, 8.0), Point::new(nothing, BOTTOM));
    drawing.line(upper, lower, "mark");
    if nothing - LEFT > 30.0 {
        drawing.text(
            Point::new(nothing - 6.0, 17.0),
            Anchor::End,
            "label",
            "loss",
        );
    }
    if RIGHT - nothing > 30.0 {
        drawing.text(
            Point::new(nothing + 6.0, 17.0),
            Anchor::Start,
            "label",
            "gain",
        );
    }
}

fn without_tails(points: &[(f64, f64)]) -> &[(f64, f64)] {
    let is_thin = |points: &[(f64, f64)]| points.iter().map(|point| point.1).sum::<f64>() < TAIL;
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

    fn class(&self) -> &'static str {
        match (self.least, self.most) {
            (_, most) if most < 0.0 => "bar loss",
            (0.0, 0.0) => "bar even",
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

/// The outcomes in bars of one width, none of them on both sides of nothing.
fn bars(points: &[(f64, f64)], width: f64) -> Vec<GainBar> {
    let mut bars: Vec<GainBar> = Vec::new();
    for &(amount, share) in points {
        let left = (amount / width).floor() * width;
        match bars.last_mut() {
            Some(bar) if left - bar.left < width / 2.0 => {
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

    #[test]
    fn losses_and_gains_have_their_own_colours() {
        let points = [(-10.0, 0.5), (-5.0, 0.3), (0.0, 0.1), (5.0, 0.1)];
        let plot = gains("money", "What a game brings.", &points, "$").unwrap();
        assert_eq!(plot.svg.matches("bar loss").count(), 2);
        assert_eq!(plot.svg.matches("bar even").count(), 1);
        assert_eq!(plot.svg.matches("bar gain").count(), 1);
        for hint in ["-$10: 50 %", "-$5: 30 %", "$0: 10 %", "$5: 10 %"] {
            assert!(plot.svg.contains(hint), "{hint} in {}", plot.svg);
        }
        assert!(plot.svg.contains(">loss<") && plot.svg.contains(">gain<"));
        assert_eq!(gains("money", "", &points[..1], "$"), None);
        assert_eq!(gains("money", "", &[], "$"), None);
    }

    #[test]
    fn no_share_is_lost_in_bars() {
        let points: Vec<(f64, f64)> = (0..1000).map(|n| (f64::from(n) - 500.0, 1e-3)).collect();
        let bars = bars(&points, 20.0);
        assert_eq!(bars.len(), 50);
        assert!((bars.iter().map(|bar| bar.share).sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
