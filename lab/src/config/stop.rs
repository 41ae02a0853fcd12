//! The stop rules: after a number of samples, or when a question is settled.
//!
//! Every rule except the first looks at the samples repeatedly. Its intervals are therefore valid
//! under repeated looks, and it has a cap.

use std::ops::Range;

use toml::Spanned;

use crate::stats::{Hypotheses, Level, Sprt, planned_for};
use crate::task::{Metric, MetricKind};

use super::error::Problem;
use super::value::{MAX_SAMPLES, optional, required};
use super::wire::{ClaimsStopTable, HalfWidthTable, Item, Scalar, SprtTable, StopTable, TomlTable};
use super::{suggest, value};

/// The rule that ends an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopRule {
    /// After this many samples of each cell, at least one.
    Samples(u64),
    /// After the interval of a metric is narrow enough in every cell.
    HalfWidth {
        /// The metric's place among the task's.
        metric: usize,
        /// Half the interval's width at most, in the metric's unit.
        target: f64,
        /// The cap.
        max_samples: u64,
    },
    /// After a sequential test of a metric has decided in every cell.
    Sprt {
        /// The metric's place among the task's.
        metric: usize,
        /// The test.
        test: Sprt,
        /// The cap.
        max_samples: u64,
    },
    /// After every claim is decided.
    Claims {
        /// The cap.
        max_samples: u64,
    },
}

impl StopRule {
    /// The most samples of each cell.
    pub fn max_samples(&self) -> u64 {
        match *self {
            StopRule::Samples(samples) => samples,
            StopRule::HalfWidth { max_samples, .. }
            | StopRule::Sprt { max_samples, .. }
            | StopRule::Claims { max_samples } => max_samples,
        }
    }

    /// The samples of each cell at which intervals should be narrowest: about where the target is
    /// reached, if it is known, else the most.
    pub fn planned(&self, metrics: &[Metric], level: Level) -> u64 {
        let StopRule::HalfWidth { metric, target, .. } = *self else {
            return self.max_samples();
        };
        let limits = metrics[metric].unit_limits();
        let needed = limits.map(|limits| planned_for(target, limits, level));
        needed.map_or(self.max_samples(), |needed| needed.min(self.max_samples()))
    }

    /// Returns whether it looks at the samples before the last one.
    pub fn looks(&self) -> bool {
        !matches!(self, StopRule::Samples(_))
    }

    /// Returns the rule with another largest number of samples.
    pub(super) fn with_max_samples(mut self, samples: u64) -> Self {
        match &mut self {
            StopRule::Samples(max_samples)
            | StopRule::HalfWidth { max_samples, .. }
            | StopRule::Sprt { max_samples, .. }
            | StopRule::Claims { max_samples } => *max_samples = samples,
        }
        self
    }
}

/// Reads the rule of a `[stop]` table, of which there must be exactly one; `None` if there is
/// none.
pub(super) fn read(
    table: &Spanned<TomlTable<StopTable>>,
    metrics: &[Metric],
    claims: usize,
) -> Result<Option<StopRule>, Problem> {
    let stop = table.get_ref();
    let samples = stop.samples.as_ref().map(|item| item.span());
    let places = [
        samples,
        stop.half_width.as_ref().map(Spanned::span),
        stop.sprt.as_ref().map(Spanned::span),
        stop.claims.as_ref().map(Spanned::span),
    ];
    if let Some(second) = places.into_iter().flatten().nth(1) {
        return Err(Problem::at(second, "a second rule for when to stop")
            .expected("expected one of `samples`, `half-width`, `sprt` and `claims`"));
    }
    if let Some(table) = &stop.half_width {
        return half_width(table, metrics).map(Some);
    }
    if let Some(table) = &stop.sprt {
        return sprt(table, metrics).map(Some);
    }
    if let Some(table) = &stop.claims {
        return when_claims_are_decided(table, claims).map(Some);
    }
    let samples = stop.samples.as_ref();
    let samples = samples.map(|item| value::whole("samples", item, 1..=MAX_SAMPLES));
    Ok(samples.transpose()?.map(StopRule::Samples))
}

fn cap(item: &Option<Item>, place: Range<usize>) -> Result<u64, Problem> {
    let read = |key: &str, item: &Item| value::whole(key, item, 1..=MAX_SAMPLES);
    required("max-samples", item, Some(place), read)
}

fn half_width(
    table: &Spanned<TomlTable<HalfWidthTable>>,
    metrics: &[Metric],
) -> Result<StopRule, Problem> {
    let (place, table) = (table.span(), table.get_ref());
    let (metric, item) = metric(&table.metric, place.clone(), metrics)?;
    if metrics[metric].limits().is_none() {
        let message =
            "this metric has no interval that is valid under repeated looks: it has no bounds";
        return Err(Problem::at(item.span(), message)
            .expected("expected a flag, a pair, or an integer or number with bounds"));
    }
    Ok(StopRule::HalfWidth {
        metric,
        target: required(
            "target",
            &table.target,
            Some(place.clone()),
            value::positive,
        )?,
        max_samples: cap(&table.max_samples, place)?,
    })
}

fn sprt(table: &Spanned<TomlTable<SprtTable>>, metrics: &[Metric]) -> Result<StopRule, Problem> {
    let (place, table) = (table.span(), table.get_ref());
    let (metric, item) = metric(&table.metric, place.clone(), metrics)?;
    let elo = pair("elo", &table.elo)?.map(Hypotheses::Elo);
    let nelo = pair("nelo", &table.nelo)?.map(Hypotheses::NormalisedElo);
    let rate = pair("rate", &table.rate)?.map(Hypotheses::Rate);
    let hypotheses: Vec<Hypotheses> = [elo, nelo, rate].into_iter().flatten().collect();
    let fits = match (hypotheses.as_slice(), metrics[metric].kind) {
        ([Hypotheses::Elo(_) | Hypotheses::NormalisedElo(_)], MetricKind::Pair) => true,
        ([Hypotheses::Rate(rates)], MetricKind::Flag) => {
            rates.iter().all(|rate| *rate > 0.0 && *rate < 1.0)
        }
        _ => false,
    };
    let &[hypotheses] = hypotheses
        .as_slice()
        .get(..1)
        .filter(|_| fits)
        .unwrap_or_default()
    else {
        return Err(Problem::at(item.span(), "the hypotheses do not fit this metric").expected(
            "expected `rate = [P0, P1]` inside (0, 1) for a flag, `elo = [E0, E1]` or `nelo = [E0, E1]` for a pair",
        ));
    };
    Ok(StopRule::Sprt {
        metric,
        test: Sprt {
            hypotheses,
            alpha: optional("alpha", &table.alpha, 0.05, value::share)?,
            beta: optional("beta", &table.beta, 0.05, value::share)?,
        },
        max_samples: cap(&table.max_samples, place)?,
    })
}

fn when_claims_are_decided(
    table: &Spanned<TomlTable<ClaimsStopTable>>,
    claims: usize,
) -> Result<StopRule, Problem> {
    if claims == 0 {
        return Err(Problem::at(table.span(), "there is no claim to decide")
            .help("add a [[claims]] table, or stop after a number of samples"));
    }
    let max_samples = cap(&table.get_ref().max_samples, table.span())?;
    Ok(StopRule::Claims { max_samples })
}

/// The metric's place among the task's, and its name's place in the file.
pub(super) fn metric<'a>(
    item: &'a Option<Item>,
    place: Range<usize>,
    metrics: &[Metric],
) -> Result<(usize, &'a Item), Problem> {
    let name = required("metric", item, Some(place), value::text)?;
    let found = metrics.iter().position(|metric| metric.name == name);
    match (found, item) {
        (Some(found), Some(item)) => Ok((found, item)),
        _ => {
            let span = item.as_ref().map_or(0..0, |item| item.span());
            let names = metrics.iter().map(|metric| &*metric.name);
            Err(
                Problem::at(span, format!("the task has no metric `{name}`"))
                    .help(suggest::help(&name, names)),
            )
        }
    }
}

/// Two numbers, the smaller first.
fn pair(key: &str, item: &Option<Item>) -> Result<Option<[f64; 2]>, Problem> {
    let Some(item) = item else {
        return Ok(None);
    };
    let mismatch = || value::mismatch(key, item, "two numbers, the smaller first");
    let Scalar::List(items) = item.get_ref() else {
        return Err(mismatch());
    };
    let numbers: Vec<f64> = items
        .iter()
        .filter_map(|item| value::real(item.get_ref()))
        .collect();
    match numbers.as_slice() {
        &[low, high] if items.len() == 2 && low < high => Ok(Some([low, high])),
        _ => Err(mismatch()),
    }
}
