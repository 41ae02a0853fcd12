//! The decisions on an experiment's claims, made by its samples, jointly at the experiment's level.

use crate::experiment::{ClaimSpec, ClaimTarget, Experiment, Stat, Subject};
use crate::stats::{
    Accumulator, Bounded, ClaimVerdict, Confidence, Estimate, Extreme, Looks, Method, Observed,
    decide_jointly, quantile_estimate,
};
use crate::task::{Metric, Truth};

use super::compiled_experiment::{CellPair, CompiledExperiment};
use super::outcome::{difference_at, estimate, exact_estimate_at};
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
    pub decision: ClaimVerdict,
    /// A remark on the decision for the reader; often empty.
    pub note: String,
}

/// Decides every claim of `experiment` on every cell or pair it speaks of.
pub fn decide_claims(
    experiment: &Experiment,
    laboratory: &CompiledExperiment,
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
            let outcome = question.finding(confidence.at(own.unwrap_or(confidence.level)));
            outcome.noting(circumstances(experiment, question.index))
        })
        .collect()
}

/// Returns the remarks on a claim that hold whatever the samples are.
fn circumstances(experiment: &Experiment, claim: usize) -> Vec<String> {
    let extended = experiment.file.extended_from.last().map(|samples| {
        format!("the run was extended after its numbers could be seen at {samples} samples")
    });
    let late = experiment.file.claims[claim]
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
    laboratory: &'run CompiledExperiment,
    tally: &'run BlockTally,
    /// The answer where it is known exactly.
    known: Option<Truth>,
}

/// Returns the exact value of a claim's subject, if it is known: a mean, a difference of means, an
/// extreme.
fn known(laboratory: &CompiledExperiment, claim: &ClaimSpec, target: ClaimTarget) -> Option<Truth> {
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
    Some(Truth { value, source })
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
    fn finding(&self, confidence: Confidence) -> ClaimOutcome {
        match &self.known {
            Some(known) => self.counted(known),
            None => self.sampled(confidence),
        }
    }

    /// Decides the claim by an exact count: no sample is needed.
    fn counted(&self, known: &Truth) -> ClaimOutcome {
        let value = Some(known.value);
        let estimate = Estimate {
            value,
            lower: value,
            upper: value,
            ..Estimate::default()
        };
        ClaimOutcome {
            note: format!("decided by {}", known.source),
            ..self.by_interval(estimate.exact())
        }
    }

    fn sampled(&self, confidence: Confidence) -> ClaimOutcome {
        match (&self.claim.subject, self.target) {
            (
                &Subject::Metric {
                    metric,
                    stat: Stat::Mean,
                },
                ClaimTarget::Cell(cell),
            ) => {
                let place = (cell, metric);
                self.by_interval(exact_estimate_at(
                    self.laboratory,
                    self.tally,
                    place,
                    confidence,
                ))
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

    fn difference(&self, pair: CellPair, metric: usize, confidence: Confidence) -> ClaimOutcome {
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
    ) -> ClaimOutcome {
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
                quantile_estimate(counts, p, confidence, metric.limits())
                    .divided_by(metric.denominator),
            ),
            (Stat::Sd, _) => self.without_interval(estimate(metric, tally, confidence).sd),
            _ => self.without_interval(None),
        }
    }

    fn by_interval(&self, estimate: Estimate) -> ClaimOutcome {
        let (relation, bound) = (self.claim.relation, self.claim.number);
        let decision = relation.decide(estimate.interval, bound);
        let method = estimate.interval.map(|interval| interval.method);
        let note = match (decision, method) {
            (ClaimVerdict::Undecided, Some(Method::ExactBounds)) => {
                "not resolved within its budget; give it more nodes"
            }
            _ if estimate.untrusted => "the weights cannot be trusted, so they decide nothing",
            _ => "",
        };
        self.decided(decision, estimate, note)
    }

    fn without_interval(&self, value: Option<f64>) -> ClaimOutcome {
        let estimate = Estimate {
            value,
            ..Estimate::default()
        };
        let note = "this statistic has no interval, so it decides nothing";
        self.decided(ClaimVerdict::Undecided, estimate, note)
    }

    fn decided(
        &self,
        decision: ClaimVerdict,
        estimate: Estimate,
        note: impl Into<String>,
    ) -> ClaimOutcome {
        ClaimOutcome {
            claim: self.index,
            target: self.target,
            estimate,
            decision,
            note: note.into(),
        }
    }

    fn extreme<A: Accumulator>(
        &self,
        extreme: Extreme,
        metric: &Metric,
        tally: &Bounded<A>,
        confidence: Confidence,
    ) -> ClaimOutcome {
        let Some(observed) = Observed::of(tally, extreme) else {
            return self.without_interval(None);
        };
        let observed = observed.divided_by(metric.denominator);
        if confidence.looks == Looks::Exhaustive {
            return self.by_interval(observed.exact(tally.unresolved()));
        }
        let (relation, bound) = (self.claim.relation, self.claim.number);
        let decision = extreme.decide(relation, bound, &observed);
        let note = match decision {
            ClaimVerdict::Undecided => extreme.caveat(relation, bound, &observed, confidence.level),
            _ => String::new(),
        };
        let estimate = Estimate {
            value: Some(observed.certain),
            n: observed.n,
            unresolved: tally.unresolved(),
            ..Estimate::default()
        };
        self.decided(decision, estimate, note)
    }
}
