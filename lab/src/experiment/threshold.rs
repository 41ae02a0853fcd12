//! The number that a claim holds its subject against.

use crate::task::{Metric, UNITLESS};

use super::error::Problem;
use super::part::TextPart;
use super::{Stat, Subject};

/// The number that a subject is held against, within what the subject can be.
pub(super) fn threshold(
    subject: &Subject,
    metrics: &[Metric],
    part: TextPart,
) -> Result<f64, Problem> {
    let (Subject::Metric { metric, .. } | Subject::Difference { metric, .. }) = *subject;
    let metric = &metrics[metric];
    let (number, is_share) = (number(part, metric)?, metric.unit.is_empty());
    let Some((lo, hi)) = reach(subject, metric).filter(|(lo, hi)| !(*lo..=*hi).contains(&number))
    else {
        return Ok(number);
    };
    let quoted = |value: f64| {
        if is_share {
            format!("{} %", rounded(value * 100.0))
        } else {
            format!("{} {}", rounded(value), metric.unit)
        }
    };
    let fault = part.fault(format!(
        "`{}` lies between {} and {}, so it never reaches {}",
        metric.name,
        quoted(lo),
        quoted(hi),
        quoted(number)
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
pub(super) fn number(part: TextPart, metric: &Metric) -> Result<f64, Problem> {
    let (digits, scale) = match part.text.strip_suffix('%') {
        Some(digits) => (digits.trim_end(), 100.0),
        None => (part.text, 1.0),
    };
    if scale != 1.0 && !metric.unit.is_empty() {
        let message = match &*metric.unit {
            UNITLESS => format!("`{}` is a number, not a share", metric.name),
            unit => format!("`{}` is in {unit}, not a share", metric.name),
        };
        return Err(part
            .fault(message)
            .expected("expected a number without `%`"));
    }
    let number = digits.replace('_', "").parse().ok();
    let number = number.filter(|number: &f64| number.is_finite());
    number.map(|number| number / scale).ok_or_else(|| {
        let message = match part.text {
            "" => "the number is missing".to_owned(),
            text => format!("`{text}` is not a number"),
        };
        part.fault(message).expected("expected a number")
    })
}

/// The least and the greatest value a subject can have, in the metric's unit; `None` where there
/// are none.
fn reach(subject: &Subject, metric: &Metric) -> Option<(f64, f64)> {
    let (min, max) = metric.limits()?;
    let denominator = metric.denominator as f64;
    let (min, max) = (min as f64 / denominator, max as f64 / denominator);
    Some(match subject {
        Subject::Metric { stat: Stat::Sd, .. } => (0.0, max - min),
        Subject::Metric { .. } => (min, max),
        Subject::Difference { .. } => (min - max, max - min),
    })
}

/// About four significant digits, without trailing zeros.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
