//! The result of a comparison in a sentence: which run is larger, by how much, and how certain
//! that is.

use std::path::Display;

use crate::report::{Figure, of_difference};
use crate::stats::{Estimate, Method};
use crate::task::Metric;

/// The facts that one sentence of a comparison states.
pub struct Sentence<'row> {
    /// The folders.
    pub names: (Display<'row>, Display<'row>),
    /// The first run's cell, where it has several.
    pub cell: Option<&'row str>,
    pub metric: &'row Metric,
    pub pairing: &'static str,
    pub estimate: &'row Estimate,
    /// True if a run was stopped by what its samples showed.
    pub watched: bool,
}

/// The sentence. It names the larger one, so it is the same from both sides.
pub fn conclusion(row: &Sentence<'_>) -> String {
    let Sentence {
        metric, estimate, ..
    } = row;
    let cell = row.cell.map_or(String::new(), |cell| format!(" ({cell})"));
    let subject = format!("{}{cell}", metric.name);
    let method = shown(estimate, metric)[2].clone();
    let (Some(middle), interval) = (middle(estimate), estimate.interval) else {
        return format!("{subject}: nothing to compare");
    };
    let (larger, smaller, from_larger) = seen_from_larger(row, middle);
    let [value, within, _] = shown(&from_larger, metric);
    match interval {
        Some(found) if found.method == Method::Exact && middle == 0.0 => {
            format!("{subject}: both are exactly equal")
        }
        Some(found) if found.lo <= 0.0 && found.hi >= 0.0 && found.method != Method::Exact => {
            format!(
                "{subject}: no difference found; {larger} minus {smaller} is {value}, {within} \
                 ({method}, {})",
                row.pairing
            )
        }
        Some(_) if within.is_empty() => {
            format!("{subject}: {larger} is larger than {smaller} by exactly {value}")
        }
        Some(_) => format!(
            "{subject}: {larger} is larger than {smaller} by {value}, {within} ({method}, {})",
            row.pairing
        ),
        None => {
            let why = reason(row);
            format!("{subject}: {larger} minus {smaller} is {value} in these samples; {why}")
        }
    }
}

/// The larger run, the smaller one, and the estimate of the larger minus the smaller. That of the
/// row is the second minus the first.
fn seen_from_larger<'row, 'names>(
    row: &'row Sentence<'names>,
    middle: f64,
) -> (&'row Display<'names>, &'row Display<'names>, Estimate) {
    let (first, second) = &row.names;
    // Neither is larger: the order of names decides, so that it is not the order of the folders.
    let is_first = middle < 0.0 || middle == 0.0 && first.to_string() <= second.to_string();
    if is_first {
        (first, second, row.estimate.mirrored())
    } else {
        (second, first, *row.estimate)
    }
}

/// Returns why the row has no interval.
fn reason(row: &Sentence<'_>) -> &'static str {
    if row.estimate.untrusted {
        "no interval: the weights cannot be trusted"
    } else if row.watched {
        "no interval: a run was stopped or extended after a look, and this metric has no limits"
    } else {
        "no interval: the samples do not vary, or are too few for how skewed they are"
    }
}

/// The result in a few words, beside the row's estimate and interval.
pub fn result(row: &Sentence<'_>) -> String {
    let (Some(middle), Some(found)) = (middle(row.estimate), row.estimate.interval) else {
        return reason(row).to_owned();
    };
    let is_exact = found.method == Method::Exact;
    if is_exact && middle == 0.0 {
        return "equal".to_owned();
    }
    if !is_exact && found.lo <= 0.0 && found.hi >= 0.0 {
        return "no difference found".to_owned();
    }
    let larger = if middle < 0.0 { "A" } else { "B" };
    format!("{larger} is larger")
}

/// The estimate, or the middle of its bounds.
fn middle(estimate: &Estimate) -> Option<f64> {
    let bounds = || Some((estimate.lower? + estimate.upper?) / 2.0);
    estimate.value.or_else(bounds)
}

/// The difference, its interval and method, rounded to what they tell. A difference of shares is
/// in percentage points.
pub fn shown(estimate: &Estimate, metric: &Metric) -> [String; 3] {
    let figure = Figure::of(estimate, of_difference(&metric.unit));
    let within = figure.interval().unwrap_or_default();
    let validity = (estimate.interval).map_or("", |interval| interval.validity.name());
    let method = match figure.method() {
        name if name.is_empty() => name,
        name => format!("{name}, {validity}"),
    };
    [figure.value(), within, method]
}
