//! Times and ratios in words, with as many digits as their intervals tell.

use stats::speed::Speed;
use stats::{Outward, outward};

use crate::rows::plain_ends;

/// `2.3 times (2.1 to 2.5)`.
pub(super) fn times_text(speed: &Speed) -> String {
    with_interval(speed, " times").unwrap_or_else(|| "an unknown number of times".to_owned())
}

/// `1.001 (0.996 to 1.006)`.
pub fn told(speed: &Speed) -> String {
    with_interval(speed, "").unwrap_or_else(|| "unknown".to_owned())
}

/// An estimate with what is known of its interval, or where stopped answers leave it open what is known of it.
fn with_interval(speed: &Speed, unit: &str) -> Option<String> {
    let interval = || match (speed.lo(), speed.hi()) {
        (None, None) => "no interval".to_owned(),
        _ if is_vague(speed) => "interval unknown".to_owned(),
        _ => interval_text(speed),
    };
    match (speed.value, speed.lo(), speed.hi()) {
        (Some(value), ..) => Some(format!(
            "{}{unit} ({})",
            value_text(value, speed),
            interval()
        )),
        (None, Some(lo), None) => Some(format!("more than {}{unit}", end_text(lo, Outward::Below))),
        (None, None, Some(hi)) => Some(format!("less than {}{unit}", end_text(hi, Outward::Above))),
        (None, Some(_), Some(_)) if !is_vague(speed) => {
            Some(format!("{}{unit}", interval_text(speed)))
        }
        (None, ..) => None,
    }
}

/// The factor between the ends of an interval of a ratio from which on it says nothing.
const VAGUE: f64 = 1000.0;

/// Returns whether an interval is so wide that it says nothing.
pub(super) fn is_vague(speed: &Speed) -> bool {
    let ends = speed.lo().zip(speed.hi());
    ends.is_some_and(|(lo, hi)| lo > 0.0 && hi > VAGUE * lo)
}

/// The interval with as many digits as it tells: `2.10 to 2.50`, `at least 2.10`, `unknown`.
pub(super) fn interval_text(speed: &Speed) -> String {
    let alone = || speed.lo().or(speed.hi()).map_or(0, digits_alone);
    ends_text(speed, digits(speed).unwrap_or_else(alone))
}

/// The ends of the interval with so many digits; `unknown` of one that says nothing.
pub(super) fn ends_text(speed: &Speed, digits: usize) -> String {
    if is_vague(speed) {
        return "unknown".to_owned();
    }
    plain_ends((speed.lo(), speed.hi()), digits)
}

/// An estimate with as many digits as its interval tells.
pub(super) fn value_text(value: f64, speed: &Speed) -> String {
    let told = digits(speed).filter(|_| !is_vague(speed));
    let digits = told.unwrap_or_else(|| digits_alone(value));
    format!("{value:.digits$}")
}

/// An end of an interval that stands alone.
pub(super) fn end_text(end: f64, side: Outward) -> String {
    let digits = digits_alone(end);
    let step = 10_f64.powi(-(digits as i32));
    format!("{:.digits$}", outward(end, step, side))
}

/// The digits after the point of a number that stands alone: three that are not 0.
fn digits_alone(value: f64) -> usize {
    let digits = if value > 0.0 {
        2.0 - libm::log10(value).floor()
    } else {
        2.0
    };
    digits.clamp(0.0, 9.0) as usize
}

/// The digits after the point that tell the limits apart, with one to spare.
fn digits(speed: &Speed) -> Option<usize> {
    let width = (speed.hi()? - speed.lo()?).max(1e-4);
    let least = if width < 100.0 { 1.0 } else { 0.0 };
    Some((1.0 - libm::log10(width)).ceil().clamp(least, 4.0) as usize)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use stats::{Interval, Level, Method, Span, Validity};

    pub(in crate::race) fn between(lo: f64, hi: f64) -> Option<Interval> {
        Interval::half_open(
            Span::new(lo, hi),
            Level::DEFAULT,
            Method::Starts,
            Validity::FixedN,
        )
    }

    fn speed([lo, value, hi]: [f64; 3]) -> Speed {
        Speed {
            value: Some(value),
            interval: between(lo, hi),
            ..Speed::none(2000, 0)
        }
    }

    #[test]
    fn ends_of_ratios_are_rounded_outward() {
        let mut speed = speed([1.2351, 1.24, 1.2449]);
        assert_eq!(ends_text(&speed, 2), "1.23 to 1.25");
        speed.interval = between(2.325_12, f64::INFINITY);
        assert_eq!(ends_text(&speed, 2), "at least 2.32");
        assert_eq!(told(&speed), "1.24 (at least 2.32)");
        speed.value = None;
        assert_eq!(told(&speed), "more than 2.32");
        speed.interval = between(f64::NEG_INFINITY, 2.325_12);
        assert_eq!(told(&speed), "less than 2.33");
    }

    #[test]
    fn a_share_from_zero_on_is_no_vague_ratio() {
        let share = speed([0.0, 0.01, 0.0295]);
        assert_eq!(told(&share), "0.010 (0.000 to 0.030)");
    }

    #[test]
    fn a_small_number_without_an_interval_does_not_look_like_none() {
        let alone = |value| Speed {
            value: Some(value),
            ..Speed::none(2, 0)
        };
        assert_eq!(times_text(&alone(14.526)), "14.5 times (no interval)");
        assert_eq!(
            times_text(&alone(0.000_157)),
            "0.000157 times (no interval)"
        );
        assert_eq!(times_text(&alone(0.0)), "0.00 times (no interval)");
    }

    #[test]
    fn an_interval_says_nothing_from_a_thousandfold_on() {
        let of = |hi| speed([2.0, 9.0, hi]);
        assert_eq!(told(&of(1_990.0)), "9 (2 to 1990)");
        assert_eq!(told(&of(2_010.0)), "9.00 (interval unknown)");
    }
}
