//! What plots of intervals show: estimates with their intervals, and the numbers that they are held against.

use super::PlotPoint;
use crate::format::{exactly, tick, typeset};
use figures::Figure;
use figures::quantity;
use stats::{Estimate, Interval, Span};

/// An estimate with its interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct IntervalMark {
    /// The quantity that it estimates, in words for people.
    pub(crate) label: String,
    /// The estimate with its interval in words; made of the numbers if empty.
    pub(crate) text: String,
    /// The estimate; none while unresolved samples leave it open.
    pub(crate) value: Option<f64>,
    /// The bounds of an open estimate.
    pub(crate) bounds: Option<Span>,
    /// Both ends of the interval.
    pub(crate) ends: Option<Span>,
    /// The value that it estimates, where that is known otherwise.
    pub(crate) known: Option<f64>,
}

impl IntervalMark {
    /// The mark of an estimate. What is known exactly has no interval.
    pub(crate) fn of(label: impl Into<String>, estimate: &Estimate) -> Self {
        let bounds = Span::between(estimate.lower, estimate.upper);
        let is_exact = Figure::of(estimate, "").is_exact();
        let interval = estimate.interval.filter(|_| !is_exact);
        let ends = interval.map(Interval::ends);
        Self::between(label, estimate.value, bounds, ends)
    }

    /// The number of the mark in a series, at a place across.
    pub(super) fn point(&self, series: &str, x: &str) -> PlotPoint {
        PlotPoint {
            series: series.to_owned(),
            x: x.to_owned(),
            y: self.value,
            ends: self.ends.or(self.bounds),
        }
    }

    /// The mark of a number, or of the bounds of one that is open, with the ends of its interval.
    pub(crate) fn between(
        label: impl Into<String>,
        value: Option<f64>,
        bounds: Option<Span>,
        ends: Option<Span>,
    ) -> Self {
        Self {
            label: label.into(),
            value,
            bounds: bounds.filter(|_| value.is_none()),
            ends,
            ..Self::default()
        }
    }

    /// Returns the finite numbers among the value, the ends, the bounds and the known value.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> + use<> {
        let pairs = [self.ends, self.bounds].into_iter().flatten();
        let alone = [self.value, self.known].into_iter().flatten();
        let numbers = pairs.flat_map(Span::to_array).chain(alone);
        numbers.filter(|number| number.is_finite())
    }

    /// The estimate, or its least bound.
    pub(super) fn size(&self) -> Option<f64> {
        self.value.or(self.bounds.map(|bounds| bounds.lo))
    }

    /// The estimate, or its bounds, in words.
    pub(super) fn spoken(&self, unit: &str) -> String {
        match (self.value, self.bounds) {
            (Some(value), _) => tick(value, unit),
            (None, Some(Span { lo, hi })) => format!("{} to {}", tick(lo, unit), tick(hi, unit)),
            (None, None) => "not settled".to_owned(),
        }
    }

    /// The estimate as it stands beside its lane: the words before the interval.
    pub(super) fn short(&self, unit: &str) -> String {
        match self.text.split_once(" (") {
            Some((short, _)) => short.to_owned(),
            None if self.text.is_empty() => self.spoken(unit),
            None => self.text.clone(),
        }
    }

    /// The mark with its label and its estimate in words.
    pub(super) fn whole(&self, unit: &str) -> String {
        let value = match self.text.as_str() {
            "" => self.spoken(unit),
            text => text.to_owned(),
        };
        format!("{}: {value}", self.label)
    }
}

/// A number that is marked across all rows, such as a published value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Threshold {
    /// The number.
    pub(crate) value: f64,
    /// The error that it was published with: half the width of its interval; 0 of an exact number.
    pub(crate) error: f64,
    /// A few words about it; empty for the line alone.
    pub(crate) label: String,
}

impl Threshold {
    /// A line without words.
    pub(crate) fn line(value: f64) -> Self {
        Self {
            value,
            ..Self::default()
        }
    }

    /// A claimed number with its error, and both in words.
    pub(crate) fn claimed(value: f64, error: Option<f64>, unit: &str) -> Self {
        let error = error.unwrap_or(0.0);
        let figure = Figure::plain(value, Some(Span::about(value, error)), unit);
        let label = match figure.decimals() {
            Some(decimals) => {
                let beside = quantity(error, decimals, unit);
                format!("{} ± {beside}", figure.value())
            }
            None => exactly(value, unit),
        };
        Self {
            value,
            error,
            label: typeset(&label),
        }
    }

    /// Returns both ends of the interval.
    pub(super) fn ends(&self) -> Span {
        Span::about(self.value, self.error)
    }
}
