//! Claims: sentences of a source with a relation on a metric that makes them testable.
//!
//! A claim is parsed here and answered elsewhere; it knows metrics and swept values by index.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{Extreme, Published, Relation};

use super::document::{Document, KeyPath};
use super::error::Checked;
use super::pairs::CellPair;
use super::relation::Scope;
use super::{RatioRelation, StopQuestion, StopRule};

/// A sentence from a source and the relation that is true where the sentence is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ClaimTable {
    /// The source of the claim.
    pub source: String,
    /// The sentence, quoted or paraphrased.
    pub text: String,
    /// The relation: `score.mean < 11`, `widest-position.max <= 7`, `diff(A, B).win > 0`. A published
    /// value with its own error: `win.mean agrees 0.819 +- 0.001`, at 95 % unless `at 68.27 %` or
    /// another level follows; without an error the value is exact. Of the times of a benchmark:
    /// `ratio(A, B).median > 2`.
    pub holds: String,
    /// True if the claim was written after the results were seen. The verdict says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub post_hoc: bool,
    /// The cells that the claim is about, by swept values: `variant=chess`. By default all cells.
    #[serde(rename = "where")]
    pub(crate) selector: Option<String>,
    /// The experiment's analysis, if it is written below the last claim.
    pub(crate) analysis: Option<String>,
}

/// A claim with its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The claim as the file has it.
    pub written: ClaimTable,
    /// The meaning of its relation.
    pub meaning: Meaning,
}

/// The meaning of a claim's relation, which says who decides it.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// A relation of a metric: the samples of a run decide it.
    Metric(ClaimSpec),
    /// A relation of two times: a benchmark decides it.
    Ratio(RatioRelation),
}

impl Claim {
    /// The relation of a metric; `None` of another claim.
    pub fn spec(&self) -> Option<&ClaimSpec> {
        match &self.meaning {
            Meaning::Metric(spec) => Some(spec),
            Meaning::Ratio(_) => None,
        }
    }

    /// The relation of two times; `None` of another claim.
    pub(crate) fn ratio(&self) -> Option<&RatioRelation> {
        match &self.meaning {
            Meaning::Metric(_) => None,
            Meaning::Ratio(relation) => Some(relation),
        }
    }
}

/// A relation of a metric, with the cells it speaks of.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimSpec {
    /// The left side.
    pub subject: Subject,
    /// The test of it.
    pub test: ClaimTest,
    /// The cells it speaks of.
    pub(crate) selector: Selector,
}

/// The test of a claim's left side. Numbers are in the metric's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClaimTest {
    /// A relation to a number.
    Compare(Relation, f64),
    /// Agreement with a published value: the difference, with both errors, may be zero.
    Agrees(Published),
}

impl ClaimTest {
    /// The word for agreement in experiment files.
    pub(crate) const AGREES: &str = "agrees";

    /// The sign or word that it is written with.
    pub fn symbol(&self) -> &'static str {
        match self {
            ClaimTest::Compare(relation, _) => relation.into(),
            ClaimTest::Agrees(_) => Self::AGREES,
        }
    }

    /// The number on the right side.
    pub fn number(&self) -> f64 {
        match *self {
            ClaimTest::Compare(_, number) => number,
            ClaimTest::Agrees(published) => published.value,
        }
    }

    /// The published value, of a claim of agreement.
    pub fn published(&self) -> Option<Published> {
        match *self {
            ClaimTest::Compare(..) => None,
            ClaimTest::Agrees(published) => Some(published),
        }
    }
}

/// The left side of a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A statistic of a metric in every selected cell.
    Metric {
        /// The metric's index in the task.
        metric: usize,
        /// The statistic.
        stat: Stat,
    },
    /// The mean of a metric in one cell minus that in another, for every pair of selected cells
    /// that differ in one swept value only.
    Difference {
        /// The index of the swept parameter among the axes.
        axis: usize,
        /// The index of the first cell's value on that axis.
        first: usize,
        /// The index of the value of the cell that is taken away.
        second: usize,
        /// The metric's index in the task.
        metric: usize,
    },
}

/// A statistic of a metric over samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stat {
    /// The mean; of a flag its share.
    Mean,
    /// The smallest or largest value.
    Extreme(Extreme),
    /// The quantile at this probability, inside (0, 1); the median is 0.5.
    Quantile(f64),
}

/// Writes the statistic as claims spell it: `mean`, `max`, `median`, `q05`.
impl fmt::Display for Stat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Stat::Mean => out.write_str("mean"),
            Stat::Extreme(extreme) => out.write_str(extreme.as_ref()),
            Stat::Quantile(0.5) => out.write_str("median"),
            Stat::Quantile(probability) => {
                let digits = format!("{probability:.6}");
                let digits = digits.trim_start_matches("0.").trim_end_matches('0');
                write!(out, "q{digits:0<2}")
            }
        }
    }
}

/// The cells that a claim is about: those with all these swept values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Selector {
    /// Axis index and value index, in order of axis; empty selects every cell.
    pub(crate) terms: Vec<(usize, usize)>,
}

/// The cells that a claim is tested on, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimTarget {
    /// A cell.
    Cell(usize),
    /// The cell that differs from the other in one swept value, minus that other.
    Pair(CellPair),
}

/// Compiles the claims; each selector is written as every selector is.
pub(super) fn compile(
    tables: Vec<ClaimTable>,
    document: &Document,
    scope: Scope,
) -> Checked<Vec<Claim>> {
    let compiled = (tables.into_iter().enumerate()).map(|(index, mut written)| {
        let path = document.at("claims").at(index);
        let meaning = if RatioRelation::is_written(&written.holds) {
            Meaning::Ratio(RatioRelation::of(&written, &path)?)
        } else {
            Meaning::Metric(spec(&mut written, &path, scope)?)
        };
        Ok(Claim { written, meaning })
    });
    compiled.collect()
}

/// A difference compares two values of a parameter, so `where` cannot select one of them.
fn spec(table: &mut ClaimTable, path: &KeyPath, scope: Scope) -> Checked<ClaimSpec> {
    let (subject, test) = (scope.holds(&table.holds))
        .map_err(|problem| path.at("holds").within(&table.holds, problem))?;
    let path = path.at("where");
    let selector = scope.selector_at(&mut table.selector, &path)?;
    let mut axes = selector.terms.iter().map(|(axis, _)| axis);
    match &subject {
        Subject::Difference { axis, .. } if axes.any(|selected| selected == axis) => {
            let problem = path.fault("this selects by the parameter that `diff` compares");
            Err(problem.help("select by other swept parameters only"))
        }
        _ => Ok(ClaimSpec {
            subject,
            test,
            selector,
        }),
    }
}

/// Refuses a run that would wait for a claim which is never decided but by being refuted.
pub(super) fn check_stop(claims: &[Claim], stop: StopRule, document: &Document) -> Checked {
    let agrees = |spec: &ClaimSpec| matches!(spec.test, ClaimTest::Agrees(_));
    let is_agreement = |claim: &Claim| claim.spec().is_some_and(agrees);
    let waits = stop.question == Some(StopQuestion::Claims);
    let agreement = claims.iter().position(is_agreement).filter(|_| waits);
    agreement.map_or(Ok(()), |index| {
        let message = "a claim that `agrees` is never decided by waiting, and the run stops when \
                       every claim is decided";
        let problem = document.at("claims").at(index).at("holds").fault(message);
        Err(problem.help("set `samples` under [stop], or use [stop.half-width]"))
    })
}
