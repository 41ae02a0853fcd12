//! The stop rules: after a number of samples, or when a question is settled.
//!
//! Every rule except the first looks at the samples repeatedly. Its intervals are therefore valid
//! under repeated looks, and it has a cap.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::real;
use task::{Metric, MetricKind};

use super::whole;
use stats::{Estimate, Hypotheses, Level, Span, Sprt, planned_for};

use super::document::{Document, KeyPath};
use super::error::Checked;
use super::relation::metric_at;

/// The fault of a file without a rule, and the advice on it.
pub(super) const NO_RULE: &str = "the experiment does not say when to stop";
pub(super) const ADD_RULE: &str = "add a table\n    [stop]\n    samples = 1000";

/// The most samples of a cell: more would not end.
pub(super) const MAX_SAMPLES: u64 = 10_000_000_000_000;

/// The rule for when to stop: exactly one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
pub enum StopTable {
    /// Samples of each cell.
    Samples(MaxSamples),
    /// Stop when the interval of a metric is narrow enough in every cell.
    HalfWidth {
        /// The metric.
        metric: String,
        /// The largest half-width of its interval, in its unit.
        #[serde(default, deserialize_with = "real::positive")]
        #[schemars(extend("exclusiveMinimum" = 0))]
        target: Option<f64>,
        /// The largest half-width of its interval as a share of the estimate, such as 0.01, in place of `target`.
        #[serde(default, deserialize_with = "real::positive")]
        #[schemars(extend("exclusiveMinimum" = 0))]
        relative: Option<f64>,
        /// True if a cell draws no more once its own interval is narrow enough, while the others go on.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        each_cell: bool,
        /// The most samples of each cell.
        max_samples: MaxSamples,
    },
    /// Stop when a sequential probability ratio test has decided in every cell.
    Sprt(SprtTable),
    /// Stop when every claim is decided.
    Claims {
        /// The most samples of each cell.
        max_samples: MaxSamples,
    },
    /// Stop a benchmark when the interval of a median ratio is narrow enough.
    Ratio(RatioTable),
}

/// The most samples of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct MaxSamples(
    #[serde(deserialize_with = "whole::one::<1, MAX_SAMPLES, _, _>")]
    #[schemars(range(min = 1, max = 10_000_000_000_000_u64))]
    pub u64,
);

impl StopTable {
    /// The rule that ends after this many samples of each cell.
    pub(crate) fn after(samples: u64) -> Self {
        Self::Samples(MaxSamples(samples))
    }

    /// The most samples of each cell.
    pub(crate) fn max_samples(&self) -> u64 {
        self.clone().cap().0
    }

    /// The rule with this many samples of each cell at most.
    pub fn capped(mut self, samples: u64) -> Self {
        self.cap().0 = samples;
        self
    }

    fn cap(&mut self) -> &mut MaxSamples {
        match self {
            Self::Samples(max_samples)
            | Self::HalfWidth { max_samples, .. }
            | Self::Sprt(SprtTable { max_samples, .. })
            | Self::Claims { max_samples }
            | Self::Ratio(RatioTable { max_samples, .. }) => max_samples,
        }
    }
}

/// A sequential probability ratio test of a metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(inline)]
pub struct SprtTable {
    /// The metric: a flag, or the half points of pairs of games.
    pub(crate) metric: String,
    /// The hypotheses as Elo differences, for pairs.
    #[serde(default, deserialize_with = "real::pair")]
    elo: Option<[f64; 2]>,
    /// The hypotheses in normalised Elo, for pairs.
    #[serde(default, deserialize_with = "real::pair")]
    pub(crate) nelo: Option<[f64; 2]>,
    /// The hypotheses as probabilities, for flags.
    #[serde(default, deserialize_with = "real::pair")]
    pub(crate) rate: Option<[f64; 2]>,
    /// The probability of accepting the upper hypothesis wrongly; 0.05 by default.
    #[serde(default = "error_rate", deserialize_with = "real::share")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub(crate) alpha: f64,
    /// The probability of accepting the lower hypothesis wrongly; 0.05 by default.
    #[serde(default = "error_rate", deserialize_with = "real::share")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub(crate) beta: f64,
    /// The most samples of each cell.
    pub(crate) max_samples: MaxSamples,
}

/// The precision of a median ratio in a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(inline)]
pub struct RatioTable {
    /// The contender whose time is divided.
    pub first: String,
    /// The contender that it is divided by.
    pub second: String,
    /// The factor that the interval's ends may be from the estimate, such as 1.05.
    #[serde(deserialize_with = "real::above::<1, _>")]
    #[schemars(extend("exclusiveMinimum" = 1))]
    pub within: f64,
    /// The most instances.
    pub(crate) max_samples: MaxSamples,
}

/// The error of a test that gives none.
fn error_rate() -> f64 {
    0.05
}

/// The rule that ends an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopRule {
    /// The most samples of each cell, at least one.
    pub max_samples: u64,
    /// The question that may end it earlier, once it is settled in every cell.
    pub question: Option<StopQuestion>,
}

/// The question of a rule that looks at the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopQuestion {
    /// The interval of a metric is narrow enough.
    HalfWidth {
        /// The metric's index in the task.
        metric: usize,
        /// Half the interval's width at most.
        target: Precision,
        /// True if a cell draws no more once its own interval is narrow enough.
        each_cell: bool,
    },
    /// A sequential test of a metric has decided.
    Sprt {
        /// The metric's index in the task.
        metric: usize,
        /// The test.
        test: Sprt,
    },
    /// Every claim is decided.
    Claims,
}

/// The half-width that an interval is to have at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Precision {
    /// In the unit of its metric.
    HalfWidth(f64),
    /// As a share of the estimate.
    Relative(f64),
}

impl Precision {
    /// Returns whether the interval of an estimate is narrow enough. One that unresolved samples leave open counts
    /// with its end nearer to 0.
    pub fn is_reached(self, estimate: &Estimate) -> bool {
        let most = match self {
            Self::HalfWidth(target) => target,
            Self::Relative(share) => {
                let ends = [estimate.lower, estimate.upper];
                let sizes = ends.into_iter().flatten().map(f64::abs);
                share * sizes.reduce(f64::min).unwrap_or(0.0)
            }
        };
        let half_width = estimate.interval.map(|interval| interval.half_width());
        half_width.is_some_and(|half_width| half_width <= most)
    }
}

/// The limits of a quantity of mean 1 that deviates from its mean by as much at most.
const AS_THE_MEAN: Span = Span { lo: 0.0, hi: 2.0 };

impl StopRule {
    /// The rule that ends after this many samples of each cell.
    pub fn after(max_samples: u64) -> Self {
        Self {
            max_samples,
            question: None,
        }
    }

    /// The samples of each cell at which intervals should be narrowest: about where the target is
    /// reached, if it is known, else the most. Where each cell stops by itself, the cap changes nothing, so that a
    /// cell is found to have stopped where it did once the cap is raised.
    pub(crate) fn planned(&self, metrics: &[Metric], level: Level) -> u64 {
        let most = self.max_samples;
        let Some(StopQuestion::HalfWidth {
            metric,
            target,
            each_cell,
        }) = self.question
        else {
            return most;
        };
        let needed = match target {
            Precision::HalfWidth(target) => {
                let limits = metrics[metric].unit_limits();
                limits.map(|limits| planned_for(target, limits, level))
            }
            // What a share of the estimate is shows only as samples come in.
            Precision::Relative(share) => each_cell.then(|| planned_for(share, AS_THE_MEAN, level)),
        };
        needed.map_or(most, |needed| {
            needed.min(if each_cell { u64::MAX } else { most })
        })
    }

    /// The metric whose interval settles a cell, and how narrow it is then; `None` where the run stops as a whole.
    pub fn cell_target(&self) -> Option<(usize, Precision)> {
        match self.question {
            Some(StopQuestion::HalfWidth {
                metric,
                target,
                each_cell: true,
            }) => Some((metric, target)),
            _ => None,
        }
    }

    /// Returns whether a cell draws no more once its own interval is narrow enough.
    pub fn stops_each_cell(&self) -> bool {
        self.cell_target().is_some()
    }

    /// Returns whether it looks at the samples before the last one.
    pub fn looks(&self) -> bool {
        self.question.is_some()
    }
}

/// Compiles `[stop]`.
pub(super) fn compile(
    stop: Option<&StopTable>,
    document: &Document,
    metrics: &[Metric],
    claims: usize,
) -> Checked<StopRule> {
    let path = document.at("stop");
    let stop = stop.ok_or_else(|| path.fault(NO_RULE).help(ADD_RULE))?;
    let question = match stop {
        StopTable::HalfWidth {
            metric,
            target,
            relative,
            each_cell,
            ..
        } => {
            let path = path.at("half-width");
            Some(StopQuestion::HalfWidth {
                metric: watched(metric, &path.at("metric"), metrics)?,
                target: precision(*target, *relative, &path)?,
                each_cell: *each_cell,
            })
        }
        StopTable::Sprt(table) => Some(sprt(table, &path.at("sprt"), metrics)?),
        StopTable::Claims { .. } if claims == 0 => {
            let problem = path.at("claims").fault("there is no claim to decide");
            return Err(problem.help("add a [[claims]] table, or stop after a number of samples"));
        }
        StopTable::Claims { .. } => Some(StopQuestion::Claims),
        // `etude run` refuses a rule on ratios: for a benchmark it is a cap.
        StopTable::Samples(_) | StopTable::Ratio(_) => None,
    };
    Ok(StopRule {
        max_samples: stop.max_samples(),
        question,
    })
}

/// Refuses to stop each cell by itself where ratings or times are those of the same samples in all cells.
pub(super) fn check_each_cell(stop: StopRule, needs_all: bool, document: &Document) -> Checked {
    if !stop.stops_each_cell() || !needs_all {
        return Ok(());
    }
    let path = document.at("stop").at("half-width").at("each-cell");
    let problem = path
        .fault("players and contenders are compared in the same samples: no cell can stop alone");
    Err(problem.help("leave `each-cell` out: the run then stops as a whole"))
}

/// The one of two targets that is there.
fn precision(target: Option<f64>, relative: Option<f64>, path: &KeyPath) -> Checked<Precision> {
    match (target, relative) {
        (Some(target), None) => Ok(Precision::HalfWidth(target)),
        (None, Some(share)) => Ok(Precision::Relative(share)),
        (None, None) => {
            let problem = path.fault("`target` is missing: the rule has no precision");
            Err(problem.help(
                "give `target` in the unit of the metric, or `relative` as a share of the estimate",
            ))
        }
        (Some(_), Some(_)) => {
            let problem = path.at("relative").fault("a second precision");
            Err(problem.expected("expected `target` or `relative`, not both"))
        }
    }
}

/// The metric of a rule that looks at its interval.
fn watched(name: &str, path: &KeyPath, metrics: &[Metric]) -> Checked<usize> {
    let metric = metric_at(metrics, name, path)?;
    if metrics[metric].limits().is_none() {
        let message =
            "this metric has no interval that is valid under repeated looks: it has no bounds";
        let expected = "expected a flag, a pair, or an integer or number with bounds";
        return Err(path.fault(message).expected(expected));
    }
    Ok(metric)
}

fn sprt(table: &SprtTable, path: &KeyPath, metrics: &[Metric]) -> Checked<StopQuestion> {
    let metric = metric_at(metrics, &table.metric, &path.at("metric"))?;
    let pairs = [
        ("elo", table.elo),
        ("nelo", table.nelo),
        ("rate", table.rate),
    ];
    for (key, pair) in pairs {
        if pair.is_some_and(|[low, high]| low.is_nan() || low >= high) {
            return Err(path.at(key).mismatch("two numbers, the smaller first"));
        }
        if pair.is_some_and(|pair| !pair.iter().all(|elo| elo.abs() <= Hypotheses::MOST_ELO)) {
            let expected = format!("two numbers from -{0} to {0}", Hypotheses::MOST_ELO);
            return Err(path.at(key).mismatch(&expected));
        }
    }
    let hypotheses = hypotheses(table, metrics[metric].kind).ok_or_else(|| {
        let problem = path
            .at("metric")
            .fault("the hypotheses do not fit this metric");
        problem.expected(
            "expected `rate = [P0, P1]` inside (0, 1) for a flag, `elo = [E0, E1]` or \
             `nelo = [E0, E1]` for a pair",
        )
    })?;
    Ok(StopQuestion::Sprt {
        metric,
        test: Sprt {
            hypotheses,
            alpha: table.alpha,
            beta: table.beta,
        },
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
