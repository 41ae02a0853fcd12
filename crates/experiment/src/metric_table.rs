//! Metrics as a file declares them.

use std::borrow::Cow;

use super::real;
use base::decimal::{self, MAX_DECIMALS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;
use task::{Metric, MetricKind, ParamError, UNITLESS};

use super::whole;

/// A metric as an experiment file declares it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MetricTable {
    /// The way in which the metric is tallied.
    pub(crate) kind: MetricKind,
    /// The least possible value, of a ratio that of each sample.
    #[schemars(with = "Option<f64>")]
    pub min: Option<Number>,
    /// The greatest possible value, of a ratio that of each sample.
    #[schemars(with = "Option<f64>")]
    pub max: Option<Number>,
    /// Digits after the point of a number, 0 to 18; 6 by default.
    #[serde(
        default,
        deserialize_with = "whole::optional::<0, { MAX_DECIMALS as u64 }, _, _>"
    )]
    #[schemars(range(min = 0, max = MAX_DECIMALS))]
    pub(crate) decimals: Option<u8>,
    /// The metric's unit.
    pub(crate) unit: Option<String>,
    /// A sentence that says what the metric is.
    pub(crate) summary: Option<String>,
    /// The metric's exact expectation, if it is known and the same in all cells, to compare with the
    /// estimate.
    #[serde(default, deserialize_with = "real::optional")]
    pub(crate) truth: Option<f64>,
}

impl MetricTable {
    /// The table that declares a metric, with every default written out.
    pub(crate) fn of(metric: &Metric) -> Self {
        let is_number = metric.kind == MetricKind::Number;
        let has_bounds = !matches!(metric.kind, MetricKind::Flag | MetricKind::Pair);
        let bound = |bound: Option<i64>| match bound.filter(|_| has_bounds)? {
            bound if metric.decimals == 0 => Some(Number::from(bound)),
            bound => Number::from_f64(bound as f64 / metric.denominator as f64),
        };
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Self {
            kind: metric.kind,
            min: bound(metric.min),
            max: bound(metric.max),
            decimals: is_number.then_some(metric.decimals),
            unit: text(&metric.unit),
            summary: text(&metric.summary),
            truth: None,
        }
    }

    /// The metric of this name that the table declares.
    ///
    /// # Errors
    /// The key that cannot be as it is; the empty key stands for the table.
    pub(crate) fn metric(&self, name: &str) -> Result<Metric, ParamError> {
        let decimals = self.digits()?;
        let mut metric = match self.kind {
            MetricKind::Flag => Metric::flag("", ""),
            MetricKind::Pair => Metric::pair("", ""),
            kind => Metric {
                kind,
                min: self.bound("min", &self.min, decimals)?,
                max: self.bound("max", &self.max, decimals)?,
                work: kind == MetricKind::Total,
                ..Metric::number("", "", decimals, "")
            },
        };
        metric.name = Cow::Owned(name.to_owned());
        metric.summary = Cow::Owned(self.summary.clone().unwrap_or_default());
        match &self.unit {
            Some(unit) => metric.unit = Cow::Owned(unit.clone()),
            None if metric.kind == MetricKind::Flag => {}
            None => metric.unit = Cow::Borrowed(UNITLESS),
        }
        let fault = |message: String, help: &str| Err(ParamError::new("", message, help));
        match (metric.min, metric.max) {
            (Some(min), Some(max)) if min > max => fault(
                format!("`{name}` has its `min` above its `max`"),
                "exchange them",
            ),
            (None, _) | (_, None) if metric.kind == MetricKind::Integer => fault(
                format!("the integer `{name}` has no bounds"),
                "add `min` and `max`, or make it a `total`, which has none",
            ),
            _ => Ok(metric),
        }
    }

    /// Returns the part of the table that decides how the metric is tallied.
    pub(crate) fn tallied(&self) -> Self {
        Self {
            unit: None,
            summary: None,
            truth: None,
            ..self.clone()
        }
    }

    /// Digits after the point that its values have.
    fn digits(&self) -> Result<u8, ParamError> {
        match (self.decimals, self.kind) {
            (decimals, MetricKind::Number) => Ok(decimals.unwrap_or(6).min(MAX_DECIMALS)),
            (None, _) => Ok(0),
            (Some(_), kind) => Err(ParamError::new(
                "decimals",
                format!("a {} has no decimals", word(kind)),
                "remove it, or make it `kind = \"number\"`",
            )),
        }
    }

    /// A bound in units of the last decimal.
    fn bound(
        &self,
        key: &str,
        bound: &Option<Number>,
        decimals: u8,
    ) -> Result<Option<i64>, ParamError> {
        let Some(bound) = bound else {
            return Ok(None);
        };
        if self.kind == MetricKind::Weight {
            let message = format!("a {} has no bounds", word(self.kind));
            return Err(ParamError::new(key, message, "remove it"));
        }
        let most = MOST as f64 / decimal::scale(decimals) as f64;
        let is_beyond = |bound: f64| bound.abs() > most;
        scaled(bound, decimals).map(Some).ok_or_else(|| {
            let help = match decimals {
                0 => format!("give a whole number from -{MOST} to {MOST}"),
                _ if bound.as_f64().is_some_and(is_beyond) => match most.floor() {
                    0.0 => "lower `decimals`".to_owned(),
                    most => format!("give a number from -{most} to {most}, or lower `decimals`"),
                },
                _ => format!("give a number of at most {decimals} decimals, or raise `decimals`"),
            };
            ParamError::new(key, format!("`{key}` cannot be `{bound}`"), help)
        })
    }
}

/// The greatest bound in units of the last decimal, 2^53: of numbers beyond it tables and intervals do not tell
/// one from the next.
const MOST: u64 = 1 << 53;

/// A number in units of the last decimal, if these hold it exactly: a bound is written out again,
/// and must then read as the same.
fn scaled(number: &Number, decimals: u8) -> Option<i64> {
    let scaled = decimal::scaled(&number.to_string(), decimals).ok()?;
    let fits = scaled.unsigned_abs() <= MOST;
    let is_exact = !number.is_f64()
        || Some(scaled as f64 / decimal::scale(decimals) as f64) == number.as_f64();
    (fits && is_exact).then_some(scaled)
}

/// The word for a kind in files.
fn word(kind: MetricKind) -> String {
    format!("{kind:?}").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_is_refused_has_too_many_decimals_or_lies_too_far_out() {
        let table = MetricTable::of(&Metric::number("clock", "s", 9, ""));
        let help_with = |decimals, bound: f64| {
            let refused = table.bound("min", &Number::from_f64(bound), decimals);
            refused.unwrap_err().help
        };
        let help = |bound| help_with(9, bound);
        assert_eq!(help_with(18, 1.0), "lower `decimals`");
        assert_eq!(
            help(1.7e9),
            "give a number from -9007199 to 9007199, or lower `decimals`"
        );
        assert_eq!(
            help(1e-10),
            "give a number of at most 9 decimals, or raise `decimals`"
        );
    }
}
