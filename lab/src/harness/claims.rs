//! The decisions on an experiment's claims, made by its samples, jointly at the experiment's level.

use crate::config::{ClaimSpec, ClaimTarget, Experiment, Stat, Subject};
use crate::stats::{
    self, Accumulator, Bounded, Confidence, Estimate, Extreme, Looks, Method, Observed,
    decide_jointly, quantile_estimate,
};
use crate::task::Metric;

use super::laboratory::{CellPair, Laboratory};
use super::outcome::{claimed_at, difference_at, estimate};
use super::tally::{BlockTally, Tally};

/// The decision on a claim about one cell or one pair of cells.
#[derive(Clone, Debug)]
pub struct ClaimOutcome {
    /// The claim's position in the experiment.
    pub claim: usize,
    /// The cell or the pair of cells that it was tested on.
    pub target: ClaimTarget,
    /// The statistic, with the interval that decided the claim, at the level it was decided at;
    /// of an open claim, the last one tried.
    pub estimate: Estimate,
    /// The decision; all decisions of the experiment hold together at its level.
    pub decision: stats::ClaimVerdict,
    /// A remark on the decision for the reader; often empty.
    pub note: String,
}

/// Decides every claim of `experiment` on every cell or pair it speaks of.
pub fn decide_claims(
    experiment: &Experiment,
    laboratory: &Laboratory,
    tally: &BlockTally,
    confidence: Confidence,
) -> Vec<ClaimOutcome> {
    let questions: Vec<ClaimQuestion<'_>> = experiment
        .claims
        .iter()
        .enumerate()
        .flat_map(|(index, claim)| {
            let targets = experiment.targets(claim).into_iter();
            targets.map(move |target| ClaimQuestion {
                index,
                claim,
                target,
                laboratory,
                tally,
                known: known(laboratory, claim, target),
            })
        })
        .collect();
    // A counterexample and an exact count carry no statistical error, so only the others share the
    // level.
    let shared: Vec<&ClaimQuestion<'_>> = questions.iter().filter(|q| q.is_estimated()).collect();
    let decisions = decide_jointly(shared.len(), confidence.level, |i, level| {
        shared[i].finding(confidence.at(level)).decision
    });
    let mut levels = decisions.into_iter().map(|(_, level)| level);
    questions
        .iter()
        .map(|question| {
            let own = question.is_estimated().then(|| levels.next()).flatten();
            let outcome = question.outcome(confidence.at(own.unwrap_or(confidence.level)));
            outcome.noting(circumstances(experiment, question.claim))
        })
        .collect()
}

/// Returns the remarks on a claim that hold whatever the samples are.
fn circumstances(experiment: &Experiment, claim: &ClaimSpec) -> Vec<String> {
    let extended = experiment.extended_from.last().map(|samples| {
        format!("the run was extended after its numbers could be seen at {samples} samples")
    });
    let late = claim
        .post_hoc
        .then(|| "post hoc: written after seeing results".to_owned());
    extended.into_iter().chain(late).collect()
}

impl ClaimOutcome {
    /// Returns the outcome with more remarks.
    fn noting(mut self, more: Vec<String>) -> Self {
        let own = std::iter::once(self.note).filter(|note| !note.is_empty());
        self.note = own.chain(more).collect::<Vec<_>>().join("; ");
        self
    }
}

/// One claim about one cell or pair.
struct ClaimQuestion<'run> {
    index: usize,
    claim: &'run ClaimSpec,
    target: ClaimTarget,
    laboratory: &'run Laboratory,
    tally: &'run BlockTally,
    /// The answer where it is known exactly.
    known: Option<ExactCount>,
}

/// The exact value of a claim's subject, and the source that counted it.
struct ExactCount {
    value: f64,
    source: String,
}

/// Returns the exact value of a claim's subject, if it is known: a mean, a difference of means, an
/// extreme.
fn known(laboratory: &Laboratory, claim: &ClaimSpec, target: ClaimTarget) -> Option<ExactCount> {
    let name = |metric: usize| &*laboratory.metrics()[metric].name;
    let mean = |cell: usize, metric: usize| laboratory.task(cell).truth(name(metric));
    let (value, source) = match (&claim.subject, target) {
        (&Subject::Metric { metric, stat }, ClaimTarget::Cell(cell)) => match stat {
            Stat::Mean => mean(cell, metric).map(|truth| (truth.value, truth.source))?,
            Stat::Min | Stat::Max => {
                let support = laboratory.task(cell).support(name(metric))?;
                let ends = (support.least, support.most);
                let end = if stat == Stat::Min { ends.0 } else { ends.1 };
                (end, support.source)
            }
            _ => return None,
        },
        (&Subject::Difference { metric, .. }, ClaimTarget::Pair { first, second }) => {
            let (a, b) = (mean(first, metric)?, mean(second, metric)?);
            (a.value - b.value, a.source)
        }
        _ => return None,
    };
    Some(ExactCount { value, source })
}

/// The estimate and the decision of a claim at some level.
struct ClaimFinding {
    estimate: Estimate,
    decision: stats::ClaimVerdict,
    note: String,
}

impl ClaimQuestion<'_> {
    /// Returns whether the answer is subject to chance.
    fn is_estimated(&self) -> bool {
        let extremes = [Stat::Min, Stat::Max];
        let extreme =
            matches!(&self.claim.subject, Subject::Metric { stat, .. } if extremes.contains(stat));
        self.known.is_none() && !extreme
    }

    /// The answer, with the interval that decided it.
    fn outcome(&self, confidence: Confidence) -> ClaimOutcome {
        let finding = self.finding(confidence);
        ClaimOutcome {
            claim: self.index,
            target: self.target,
            decision: finding.decision,
            estimate: finding.estimate,
            note: finding.note,
        }
    }

    fn finding(&self, confidence: Confidence) -> ClaimFinding {
        match &self.known {
            Some(known) => self.counted(known),
            None => self.sampled(confidence),
        }
    }

    /// Decides the claim by an exact count: no sample is needed.
    fn counted(&self, known: &ExactCount) -> ClaimFinding {
        let value = Some(known.value);
        let estimate = Estimate {
            value,
            lower: value,
            upper: value,
            ..Estimate::default()
        };
        ClaimFinding {
            note: format!("decided by {}", known.source),
            ..self.by_interval(estimate.exact())
        }
    }

    fn sampled(&self, confidence: Confidence) -> ClaimFinding {
        match (&self.claim.subject, self.target) {
            (
                &Subject::Metric {
                    metric,
                    stat: Stat::Mean,
                },
                ClaimTarget::Cell(cell),
            ) => {
                let place = (cell, metric);
                self.by_interval(claimed_at(self.laboratory, self.tally, place, confidence))
            }
            (&Subject::Metric { metric, stat }, ClaimTarget::Cell(cell)) => {
                let tally = &self.tally.cell(cell)[metric];
                self.statistic(stat, &self.laboratory.metrics()[metric], tally, confidence)
            }
            (&Subject::Difference { metric, .. }, ClaimTarget::Pair { first, second }) => {
                self.difference(CellPair { first, second }, metric, confidence)
            }
            _ => self.by_interval(Estimate::default()),
        }
    }

    fn difference(&self, pair: CellPair, metric: usize, confidence: Confidence) -> ClaimFinding {
        let pairs = self.laboratory.pairs();
        let place = pairs.iter().position(|candidate| *candidate == pair);
        let found = place.map(|place| {
            difference_at(self.laboratory, self.tally, (place, metric), confidence).estimate
        });
        self.by_interval(found.unwrap_or_default())
    }

    fn statistic(
        &self,
        stat: Stat,
        metric: &Metric,
        tally: &Tally,
        confidence: Confidence,
    ) -> ClaimFinding {
        match (stat, tally) {
            (Stat::Min, Tally::Counts(counts)) => {
                self.extreme(Extreme::Min, metric, counts, confidence)
            }
            (Stat::Max, Tally::Counts(counts)) => {
                self.extreme(Extreme::Max, metric, counts, confidence)
            }
            (Stat::Min, Tally::Sums(sums)) => self.extreme(Extreme::Min, metric, sums, confidence),
            (Stat::Max, Tally::Sums(sums)) => self.extreme(Extreme::Max, metric, sums, confidence),
            (Stat::Quantile(p), Tally::Counts(counts)) => self.by_interval(
                quantile_estimate(counts, p, confidence, metric.limits()).per(metric.per),
            ),
            (Stat::Sd, _) => self.without_interval(estimate(metric, tally, confidence).sd),
            _ => self.without_interval(None),
        }
    }

    fn by_interval(&self, estimate: Estimate) -> ClaimFinding {
        let (relation, bound) = (self.claim.relation, self.claim.number);
        let decision = relation.decide(estimate.interval, bound);
        let method = estimate.interval.map(|interval| interval.method);
        let note = match (decision, method) {
            (stats::ClaimVerdict::Undecided, Some(Method::ExactBounds)) => {
                "not resolved within its budget; give it more nodes"
            }
            _ if estimate.untrusted => "the weights cannot be trusted, so they decide nothing",
            _ => "",
        };
        ClaimFinding {
            decision,
            estimate,
            note: note.into(),
        }
    }

    fn without_interval(&self, value: Option<f64>) -> ClaimFinding {
        ClaimFinding {
            estimate: Estimate {
                value,
                ..Estimate::default()
            },
            decision: stats::ClaimVerdict::Undecided,
            note: "this statistic has no interval, so it decides nothing".into(),
        }
    }

    fn extreme<A: Accumulator>(
        &self,
        extreme: Extreme,
        metric: &Metric,
        tally: &Bounded<A>,
        confidence: Confidence,
    ) -> ClaimFinding {
        let Some(observed) = Observed::of(tally, extreme) else {
            return self.without_interval(None);
        };
        let observed = observed.per(metric.per);
        if confidence.looks == Looks::Exhaustive {
            return self.by_interval(observed.exact(tally.unresolved()));
        }
        let (relation, bound) = (self.claim.relation, self.claim.number);
        let decision = extreme.decide(relation, bound, &observed);
        let note = match decision {
            stats::ClaimVerdict::Undecided => {
                extreme.caveat(relation, bound, &observed, confidence.level)
            }
            _ => String::new(),
        };
        ClaimFinding {
            estimate: Estimate {
                value: Some(observed.certain),
                n: observed.n,
                unresolved: tally.unresolved(),
                ..Estimate::default()
            },
            decision,
            note,
        }
    }
}
