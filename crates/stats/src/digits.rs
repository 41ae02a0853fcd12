//! The digits with which estimates are written: as many as the width of their interval needs.
//!
//! Decisions use the numbers as they are written, so whoever reads them finds what was decided. The
//! lower end of an interval is rounded down and the upper end up: what is written holds what was found.

use super::{Elo, Estimate, Interval, Span};

/// Significant digits that every number has: beyond them, platforms' mathematical libraries may differ.
pub const USUAL_DIGITS: usize = 12;

/// Significant digits that tell a number from its neighbours.
const ALL_DIGITS: usize = 17;

/// Digits of an interval's width that are written at least.
const OF_WIDTH: i32 = 6;

impl Interval {
    /// Returns the interval as it is written.
    pub fn written(self) -> Self {
        let Span { lo, hi } = outwards(self.ends());
        Self { lo, hi, ..self }
    }
}

impl Estimate {
    /// Returns the estimate as it is written. Without an interval its error tells the digits; what has
    /// no error is known to the last one.
    pub fn written(self) -> Self {
        let width = self.interval.map(|interval| interval.hi - interval.lo);
        let width = width.or(self.mcse).unwrap_or_default();
        Self {
            interval: self.interval.map(Interval::written),
            ..self.map(|value| to_width(value, width))
        }
    }
}

impl Elo {
    /// Returns the rating as it is written.
    pub fn written(self) -> Self {
        let ends = self.lo.zip(self.hi);
        let width = ends.map_or(f64::INFINITY, |(lo, hi)| hi - lo);
        Self {
            value: self.value.map(|value| to_width(value, width)),
            lo: self.lo.map(|lo| toward(f64::NEG_INFINITY, lo, width)),
            hi: self.hi.map(|hi| toward(f64::INFINITY, hi, width)),
            ..self
        }
    }
}

/// The side to which an end of an interval is rounded, so that the shown interval contains the one found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outward {
    /// The end is rounded down.
    Below,
    /// The end is rounded up.
    Above,
}

/// A number rounded to a multiple of this step on this side of it; one that is a multiple but for rounding
/// errors stays.
pub fn outward(value: f64, step: f64, side: Outward) -> f64 {
    let steps = value / step;
    let nearest = steps.round();
    let error = f64::EPSILON * steps.abs();
    let room = (8.0 * error).min(1e-3).max(error);
    let [below, above] = [steps.floor(), steps.ceil()];
    let rounded = match side {
        // Of very many steps a rounding error is no small part of one.
        _ if room < 0.1 && (steps - nearest).abs() <= room => nearest,
        Outward::Below if below * step > value => below - 1.0,
        Outward::Below => below,
        Outward::Above if above * step < value => above + 1.0,
        Outward::Above => above,
    };
    // No negative zero.
    rounded * step + 0.0
}

/// The ends of an interval, each rounded outward to a multiple of this step.
pub fn outward_ends(Span { lo, hi }: Span, step: f64) -> Span {
    Span::new(
        outward(lo, step, Outward::Below),
        outward(hi, step, Outward::Above),
    )
}

/// The ends of an interval as they are written.
pub fn outwards(Span { lo, hi }: Span) -> Span {
    let width = hi - lo;
    let below = toward(f64::NEG_INFINITY, lo, width);
    Span::new(below, toward(f64::INFINITY, hi, width))
}

/// A number of a person, or an exact value beside an interval, as it is written: as declared where it
/// has few digits, else with as many as the interval.
pub fn declared(value: f64, interval: Option<Interval>) -> f64 {
    let width = interval.map_or(0.0, |interval| interval.hi - interval.lo);
    if rounded(value, f64::DIGITS as usize) == value {
        return value;
    }
    to_width(value, width)
}

/// A value as it is written where others lie this far away.
pub fn to_width(value: f64, width: f64) -> f64 {
    rounded(value, digits(value, width))
}

/// The significant digits of a value that is uncertain by so much.
fn digits(value: f64, width: f64) -> usize {
    if width <= 0.0 {
        return ALL_DIGITS;
    }
    let power = |number: f64| libm::log10(number.abs()).floor().clamp(-400.0, 400.0) as i32;
    let needed = power(value) - power(width) + OF_WIDTH;
    needed.clamp(USUAL_DIGITS as i32, ALL_DIGITS as i32) as usize
}

/// Returns the nearest number with this many significant digits.
pub fn rounded(value: f64, digits: usize) -> f64 {
    let text = format!("{value:.*e}", digits.max(1) - 1);
    text.parse().unwrap_or(value)
}

/// The end of an interval of this width, rounded to its digits no farther than `limit`'s side of it.
fn toward(limit: f64, end: f64, width: f64) -> f64 {
    let digits = digits(end, width);
    let nearest = rounded(end, digits);
    let is_beyond = nearest == end || (nearest < end) == (limit < end);
    if is_beyond {
        return nearest;
    }
    let text = format!("{end:.*e}", digits - 1).replace('.', "");
    let next = text.split_once('e').and_then(|(mantissa, exponent)| {
        let step = if limit > end { 1 } else { -1 };
        let mantissa = mantissa.parse::<i64>().ok()? + step;
        let exponent = exponent.parse::<i32>().ok()? - (digits as i32 - 1);
        format!("{mantissa}e{exponent}").parse().ok()
    });
    next.unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Method};
    use kit::rng::{Streams, below, unit};

    fn written(lo: f64, hi: f64) -> Span {
        let interval =
            Interval::fixed(Span::new(lo, hi), Level::DEFAULT, Method::StudentT).unwrap();
        interval.written().ends()
    }

    #[test]
    fn ends_are_rounded_away_from_what_they_hold() {
        let ends = |value| {
            let Span { lo, hi } = outward_ends(Span::point(value), 0.01);
            [lo, hi].map(|end| format!("{end:.2}"))
        };
        assert_eq!(ends(6.5185), ["6.51", "6.52"]);
        assert_eq!(ends(-6.5185), ["-6.52", "-6.51"]);
        assert_eq!(ends(0.07), ["0.07", "0.07"]);
        assert_eq!(ends(0.1 + 0.2), ["0.30", "0.30"]);
        assert_eq!(ends(-0.004), ["-0.01", "0.00"]);
        assert_eq!(ends(0.0), ["0.00", "0.00"]);
    }

    #[test]
    fn digits_follow_the_width_and_ends_go_outwards() {
        let third = 1.0 / 3.0;
        assert_eq!(
            written(third, 2.0 * third),
            Span::new(0.333333333333, 0.666666666667)
        );
        assert_eq!(
            written(-2.0 * third, -third),
            Span::new(-0.666666666667, -0.333333333333)
        );
        assert_eq!(written(third, third), Span::new(third, third));
        assert_eq!(written(0.0, 1.0), Span::new(0.0, 1.0));
        let clock = 1_700_000_000.250_3;
        let Span { lo, hi } = written(clock - 0.000_012_3, clock + 0.000_012_3);
        assert!(lo <= clock - 0.000_012_3 && hi >= clock + 0.000_012_3);
        assert!((hi - lo - 0.000_024_6).abs() < 1e-6, "{lo} {hi}");
        // One step across a power of ten.
        assert_eq!(written(1.0 - 1e-14, 3.0), Span::new(0.99999999999, 3.0));
        assert_eq!(written(-3.0, 1.0 + 1e-14), Span::new(-3.0, 1.00000000001));
    }

    /// Ten digits before the point and five behind it beside a width of 3.
    #[test]
    fn a_value_has_six_digits_more_than_tell_its_width() {
        assert_eq!(to_width(1_234_567_890.123_456_7, 3.0), 1_234_567_890.123_46);
        assert_eq!(to_width(1_234_567_890.123_456_7, 30.0), 1_234_567_890.123_5);
        assert_eq!(to_width(0.012_345_678_901_234_5, 3.0), 0.012_345_678_901_2);
    }

    /// A third of an Elo, with a limit on one side only or on both.
    #[test]
    fn limits_of_elo_go_outwards_too() {
        let third = 1.0 / 3.0;
        for hi in [None, Some(2.0 * third)] {
            let elo = Elo {
                value: Some(third),
                lo: Some(-third),
                hi,
                ..Elo::default()
            };
            let elo = elo.written();
            assert_eq!(
                [elo.value, elo.lo],
                [0.333333333333, -0.333333333334].map(Some)
            );
            assert_eq!(elo.hi, hi.map(|_| 0.666666666667));
        }
    }

    #[test]
    fn an_estimate_without_an_error_keeps_every_digit() {
        let count = Estimate {
            value: Some(1_700_000_000_250_321.0),
            ..Estimate::default()
        };
        assert_eq!(count.written(), count);
    }

    /// Seed 31. Of any size and width, what is written holds what was found, is not wider by a
    /// ten-thousandth of the width unless the usual digits are, and holds the estimate as written.
    #[test]
    fn what_is_written_holds_what_was_found() {
        let mut stream = Streams::new(31).key("digits").stream(0);
        for _ in 0..20_000 {
            let mut power = |range: u64| below(&mut stream, range) as i32;
            let (size, narrow) = (power(40) - 20, power(17));
            let value = (unit(&mut stream) - 0.5) * 10f64.powi(size);
            let width = unit(&mut stream) * 10f64.powi(size - narrow);
            let (lo, hi) = (value - width, value + width);
            let [below, above] = written(lo, hi).to_array();
            assert!(below <= lo && hi <= above, "{lo} {hi}: {below} {above}");
            let room = 1e-4 * (hi - lo) + 1e-11 * lo.abs().max(hi.abs());
            assert!(lo - below <= room && above - hi <= room, "{lo} {hi}");
            let estimate = Estimate {
                value: Some(value),
                interval: Interval::fixed(Span::new(lo, hi), Level::DEFAULT, Method::StudentT),
                ..Estimate::default()
            };
            let written = estimate.written();
            let interval = written.interval.unwrap();
            assert!(interval.contains(written.value.unwrap()), "{written:?}");
        }
    }
}
