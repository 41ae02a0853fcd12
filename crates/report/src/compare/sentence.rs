//! The result of a comparison in words: the second run minus the first, and how certain that is.

use crate::{Figure, of_difference};
use stats::{Estimate, Interval, Looks, Method, Withheld};

use super::{ComparedMetric, RunComparison};

impl RunComparison {
    /// The result of a row in a sentence: which run is larger, and the difference second minus
    /// first, as in the columns beside it.
    pub fn conclusion(&self, row: &ComparedMetric) -> String {
        let (metric, estimate) = (&row.metric, &row.difference.estimate);
        let subject = if self.has_cells() {
            format!("{} ({})", metric.name, row.cells[0])
        } else {
            metric.name.to_string()
        };
        let Some(middle) = middle(estimate) else {
            return format!("{subject}: nothing to compare");
        };
        let [first, second] = self.names();
        let [value, within, method] = row.shown();
        let difference = format!("{second} minus {first} is");
        let larger = if middle < 0.0 { &first } else { &second };
        let certainty = format!("{within} ({method}, {})", row.pairing);
        match estimate.interval {
            Some(interval) if interval.method == Method::Exact && middle == 0.0 => {
                format!("{subject}: both are exactly equal")
            }
            Some(interval) if leaves_open(&interval) => {
                format!("{subject}: no difference found; {difference} {value}, {certainty}")
            }
            Some(_) if within.is_empty() => {
                format!("{subject}: {larger} is larger; {difference} exactly {value}")
            }
            Some(_) => format!("{subject}: {larger} is larger; {difference} {value}, {certainty}"),
            None => {
                let why = self.reason(estimate);
                format!("{subject}: {difference} {value} in these samples; {why}")
            }
        }
    }

    /// The result of a row in a few words, beside its estimate and interval.
    pub fn result(&self, row: &ComparedMetric) -> &'static str {
        let estimate = &row.difference.estimate;
        match (middle(estimate), estimate.interval) {
            (Some(0.0), Some(interval)) if interval.method == Method::Exact => "equal",
            (Some(_), Some(interval)) if leaves_open(&interval) => "no difference found",
            (Some(middle), Some(_)) if middle < 0.0 => "A is larger",
            (Some(_), Some(_)) => "B is larger",
            _ => self.reason(estimate),
        }
    }

    /// Returns why an estimate has no interval.
    fn reason(&self, estimate: &Estimate) -> &'static str {
        if let Some(reason) = estimate.withheld {
            match reason {
                Withheld::Untrusted => "no interval: the weights cannot be trusted",
                Withheld::OneSample => "no interval: the samples are all the same",
            }
        } else if self.looks() != Looks::Once {
            "no interval: a run was stopped or extended after a look, and this metric has no limits"
        } else {
            "no interval: the samples do not vary, or are too few for how skewed they are"
        }
    }
}

impl ComparedMetric {
    /// The difference, its interval and method, rounded to what they tell. A difference of shares is
    /// in percentage points.
    pub fn shown(&self) -> [String; 3] {
        let estimate = &self.difference.estimate;
        let figure = Figure::of(estimate, of_difference(&self.metric.unit));
        let within = figure.interval().unwrap_or_default();
        let validity = (estimate.interval).map_or("", |interval| interval.validity.into());
        let method = match figure.method() {
            name if name.is_empty() => name,
            name => format!("{name}, {validity}"),
        };
        [figure.value(), within, method]
    }
}

/// Returns whether an estimated interval has zero within it.
fn leaves_open(interval: &Interval) -> bool {
    interval.method != Method::Exact && interval.written().contains(0.0)
}

/// The estimate, or the middle of its bounds.
fn middle(estimate: &Estimate) -> Option<f64> {
    let bounds = || Some((estimate.lower? + estimate.upper?) / 2.0);
    estimate.value.or_else(bounds)
}
