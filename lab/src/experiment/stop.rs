//! The stop rules: after a number of samples, or when a question is settled.
//!
//! Every rule except the first looks at the samples repeatedly. Its intervals are therefore valid
//! under repeated looks, and it has a cap.

use crate::stats::{Hypotheses, Level, Sprt, planned_for};
use crate::task::{Metric, MetricKind};

use super::document::Document;
use super::error::Problem;
use super::file::{HalfWidthTable, SprtTable, StopTable};
use super::suggest;

/// The most samples of a cell: more would not end.
pub(super) const MAX_SAMPLES: u64 = 10_000_000_000_000;

/// The rule that ends an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopRule {
    /// After this many samples of each cell, at least one.
    Samples(u64),
    /// After the interval of a metric is narrow enough in every cell.
    HalfWidth {
        /// The metric's index in the task.
        metric: usize,
        /// Half the interval's width at most, in the metric's unit.
        target: f64,
        /// The cap.
        max_samples: u64,
    },
    /// After a sequential test of a metric has decided in every cell.
    Sprt {
        /// The metric's index in the task.
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
}

/// Compiles `[stop]`, which has exactly one rule.
pub(super) fn compile(
    stop: &StopTable,
    document: &Document,
    metrics: &[Metric],
    claims: usize,
) -> Result<StopRule, Problem> {
    let rules = [
        ("samples", stop.samples.is_some()),
        ("half-width", stop.half_width.is_some()),
        ("sprt", stop.sprt.is_some()),
        ("claims", stop.claims.is_some()),
    ];
    let mut given = rules.into_iter().filter(|(_, is_given)| *is_given);
    if let (_, Some((second, _))) = (given.next(), given.next()) {
        let path = format!("stop.{second}");
        return Err(document
            .fault(&path, "a second rule for when to stop")
            .expected("expected one of `samples`, `half-width`, `sprt` and `claims`"));
    }
    match stop {
        StopTable {
            samples: Some(samples),
            ..
        } => Ok(StopRule::Samples(*samples)),
        StopTable {
            half_width: Some(table),
            ..
        } => half_width(table, document, metrics),
        StopTable {
            sprt: Some(table), ..
        } => sprt(table, document, metrics),
        StopTable {
            claims: Some(table),
            ..
        } if claims > 0 => Ok(StopRule::Claims {
            max_samples: table.max_samples,
        }),
        StopTable {
            claims: Some(_), ..
        } => Err(document
            .fault("stop.claims", "there is no claim to decide")
            .help("add a [[claims]] table, or stop after a number of samples")),
        _ => Err(document
            .fault("stop", "the experiment does not say when to stop")
            .help("add a table\n    [stop]\n    samples = 1000")),
    }
}

fn half_width(
    table: &HalfWidthTable,
    document: &Document,
    metrics: &[Metric],
) -> Result<StopRule, Problem> {
    let path = "stop.half-width.metric";
    let metric = metric(&table.metric, path, document, metrics)?;
    if metrics[metric].limits().is_none() {
        let message =
            "this metric has no interval that is valid under repeated looks: it has no bounds";
        return Err(document
            .fault(path, message)
            .expected("expected a flag, a pair, or an integer or number with bounds"));
    }
    Ok(StopRule::HalfWidth {
        metric,
        target: table.target,
        max_samples: table.max_samples,
    })
}

fn sprt(table: &SprtTable, document: &Document, metrics: &[Metric]) -> Result<StopRule, Problem> {
    let path = "stop.sprt.metric";
    let metric = metric(&table.metric, path, document, metrics)?;
    let pairs = [
        ("elo", table.elo),
        ("nelo", table.nelo),
        ("rate", table.rate),
    ];
    let falling =
        |&(_, pair): &(&str, Option<[f64; 2]>)| pair.is_some_and(|[low, high]| low >= high);
    if let Some((key, _)) = pairs.into_iter().find(falling) {
        let path = format!("stop.sprt.{key}");
        return Err(document.mismatch(&path, "two numbers, the smaller first"));
    }
    let kind = metrics[metric].kind;
    let hypotheses = hypotheses(table, kind).ok_or_else(|| {
        document
            .fault(path, "the hypotheses do not fit this metric")
            .expected(
                "expected `rate = [P0, P1]` inside (0, 1) for a flag, `elo = [E0, E1]` or `nelo = [E0, E1]` for a pair",
            )
    })?;
    Ok(StopRule::Sprt {
        metric,
        test: Sprt {
            hypotheses,
            alpha: table.alpha,
            beta: table.beta,
        },
        max_samples: table.max_samples,
    })
}

/// The hypotheses of a test of such a metric, if the table has one pair that fits.
fn hypotheses(table: &SprtTable, kind: MetricKind) -> Option<Hypotheses> {
    let is_inside = |rates: &[f64; 2]| rates.iter().all(|rate| *rate > 0.0 && *rate < 1.0);
    match (kind, table.elo, table.nelo, table.rate) {
        (MetricKind::Pair, Some(elo), None, None) => Some(Hypotheses::Elo(elo)),
        (MetricKind::Pair, None, Some(nelo), None) => Some(Hypotheses::NormalisedElo(nelo)),
        (MetricKind::Flag, None, None, rate) => rate.filter(is_inside).map(Hypotheses::Rate),
        _ => None,
    }
}

/// The index of the metric that the text at a path names.
pub(super) fn metric(
    name: &str,
    path: &str,
    document: &Document,
    metrics: &[Metric],
) -> Result<usize, Problem> {
    let found = metrics.iter().position(|metric| metric.name == name);
    found.ok_or_else(|| {
        let names = metrics.iter().map(|metric| &*metric.name);
        document
            .fault(path, format!("the task has no metric `{name}`"))
            .help(suggest::help(name, names))
    })
}
