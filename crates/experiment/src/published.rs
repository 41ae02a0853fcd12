//! The right side of a relation: a number, or a published value with its error and level.

use std::ops::RangeInclusive;

use base::decimal;
use stats::{Level, Published, Span};
use task::{Metric, UNITLESS};

use super::Subject;
use super::document;
use super::error::Checked;
use super::text_part::{TextPart, around_word};

/// The signs between a published value and its error.
const SIGNS: [&str; 2] = ["+-", "±"];

/// The word before the level of an error.
const AT: &str = "at";

/// The levels of a published error: from half of all to all but one in a million.
const LEVELS: RangeInclusive<f64> = 0.5..=1.0 - 1e-6;

/// The right side of a claim of agreement: `0.81945 +- 0.00084`, `4`, `81.9 % ± 0.1 % at 68 %`. The
/// level of the error is 95 % unless given; without an error the value is exact.
pub(super) fn published(subject: &Subject, metric: &Metric, part: TextPart) -> Checked<Published> {
    let Some((value, rest)) = around_sign(part) else {
        return Ok(Published {
            value: threshold(subject, metric, part)?,
            error: 0.0,
            level: Level::DEFAULT,
        });
    };
    let (error, stated) = around_word(rest, AT).map_or((rest, None), |(e, l)| (e, Some(l)));
    if value.text.ends_with('%') != error.text.ends_with('%') {
        let message = "one of these numbers is in per cent and the other is not";
        let problem = part.fault(message);
        return Err(problem.expected("expected `%` after both or after neither"));
    }
    let value = threshold(subject, metric, value)?;
    let size = number(error, metric)?;
    if size < 0.0 {
        let problem = error.fault("an error is not negative");
        return Err(problem.expected("expected 0 or more: half the width of an interval"));
    }
    Ok(Published {
        value,
        error: size,
        level: stated.map_or(Ok(Level::DEFAULT), level)?,
    })
}

/// A level in per cent.
fn level(part: TextPart) -> Checked<Level> {
    let digits = part.text.strip_suffix('%').map(str::trim_end);
    let share = digits.and_then(decimal::real);
    let share = share.map(|percent| percent / 100.0);
    let known = share.filter(|share| LEVELS.contains(share));
    known.and_then(Level::new).ok_or_else(|| {
        (part.fault(format!("`{}` is not the level of an error", part.text)))
            .expected("expected per cent from `50 %` to `99.9999 %`")
            .help("the level of one standard error is `68.27 %`")
    })
}

/// The parts before and after the first sign of an error.
fn around_sign(part: TextPart) -> Option<(TextPart, TextPart)> {
    let signs = SIGNS.into_iter();
    let first = signs.filter_map(|sign| Some((part.text.find(sign)?, sign)));
    let (at, sign) = first.min()?;
    let (value, rest) = part.split_at(at);
    Some((value, rest.after(sign.len())))
}

/// The number that a subject is held against, within what the subject can be.
pub(super) fn threshold(subject: &Subject, metric: &Metric, part: TextPart) -> Checked<f64> {
    let (number, is_share) = (number(part, metric)?, metric.unit.is_empty());
    let reach = reach(subject, metric).filter(|reach| !(reach.lo..=reach.hi).contains(&number));
    let Some(Span { lo, hi }) = reach else {
        return Ok(number);
    };
    let quoted = |value: f64| match &*metric.unit {
        "" => format!("{} %", rounded(value * 100.0)),
        UNITLESS => rounded(value).to_string(),
        unit => format!("{} {unit}", rounded(value)),
    };
    let [least, most, never] = [lo, hi, number].map(quoted);
    let fault = part.fault(format!(
        "`{}` lies between {least} and {most}, so it never reaches {never}",
        metric.name
    ));
    let percent = number / 100.0;
    Err(if is_share && (lo..=hi).contains(&percent) {
        fault.help(format!(
            "for {number} per cent, write `{number} %` or `{percent}`"
        ))
    } else {
        fault.expected("expected a number within these limits")
    })
}

/// A number; of a share also in per cent: `40 %`.
pub(super) fn number(part: TextPart, metric: &Metric) -> Checked<f64> {
    let (digits, scale) = match part.text.strip_suffix('%') {
        Some(digits) => (digits.trim_end(), 100.0),
        None => (part.text, 1.0),
    };
    if scale != 1.0 && !metric.unit.is_empty() {
        let message = match &*metric.unit {
            UNITLESS => format!("`{}` is a number, not a share", metric.name),
            unit => format!("`{}` is in {unit}, not a share", metric.name),
        };
        let problem = part.fault(message);
        return Err(problem.expected("expected a number without `%`"));
    }
    let digits = digits.replace('_', "");
    let near = digits.parse().ok().filter(|near: &f64| near.is_finite());
    match (decimal::real(&digits), near, part.text) {
        (Some(number), ..) => Ok(number / scale),
        (None, Some(near), _) => Err(document::rounded("holds", &digits, near).placed(part.span())),
        (None, None, text) => {
            let message = match text {
                "" => "the number is missing".to_owned(),
                text => format!("`{text}` is not a number"),
            };
            Err(part.fault(message).expected("expected a number"))
        }
    }
}

/// The least and the greatest value a subject can have, in the metric's unit; `None` where there
/// are none.
fn reach(subject: &Subject, metric: &Metric) -> Option<Span> {
    let limits = metric.unit_limits()?;
    Some(match subject {
        Subject::Metric { .. } => limits,
        Subject::Difference { .. } => Span::new(limits.lo - limits.hi, limits.width()),
    })
}

/// About four significant digits, without trailing zeros.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
