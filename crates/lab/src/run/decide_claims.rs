//! The decisions on an experiment's claims, made by its samples, jointly at the experiment's level.

use experiment::{ClaimSpec, ClaimTarget, ClaimTest, Experiment, Stat, Subject};
use stats::{
    ClaimVerdict, Confidence, Estimate, Extreme, Interval, Looks, Method, Published, Relation,
    decide_jointly, quantile_estimate,
};
use task::{Metric, Truth};

use super::compiled_experiment::CompiledExperiment;
use super::evidence::Evidence;
use super::tally::BlockTally;
use task::Tally;

/// The decision on a claim about one cell or one pair of cells.
#[derive(Clone, Debug)]
pub struct ClaimOutcome {
    /// The claim's position in the experiment.
    pub claim: usize,
    /// The cell or the pair of cells that it was tested on.
    pub(crate) target: ClaimTarget,
    /// The statistic, with the interval that decided the claim, at the level it was decided at;
    /// of an open claim, the last one tried.
    pub estimate: Estimate,
    /// The statistic minus the published value, of a claim that they agree: the interval that decided it.
    pub(crate) difference: Option<Interval>,
    /// The decision; all decisions of the experiment hold together at its level.
    pub decision: ClaimVerdict,
    /// A remark on the decision for the reader; often empty.
    pub(crate) note: String,
}

/// Decides every claim of `experiment` on every cell or pair it speaks of.
pub fn decide_claims(
    experiment: &Experiment,
    compiled: &CompiledExperiment,
    tally: &BlockTally,
    confidence: Confidence,
) -> Vec<ClaimOutcome> {
    let evidence = Evidence {
        compiled,
        tally,
        confidence,
    };
    let questions = experiment.metric_claims().flat_map(|(index, _, claim)| {
        let targets = experiment.targets(claim).into_iter();
        targets.map(move |target| ClaimQuestion {
            index,
            claim,
            target,
            evidence,
        })
    });
    let questions: Vec<ClaimQuestion<'_>> = questions.collect();
    // A counterexample carries no statistical error, so only the others share the level.
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
            let known = question.known(experiment, outcome.decision);
            outcome.noting(
                known
                    .into_iter()
                    .chain(circumstances(experiment, question.index)),
            )
        })
        .collect()
}

/// Returns the remarks on a claim that hold whatever the samples are.
fn circumstances(experiment: &Experiment, claim: usize) -> impl Iterator<Item = String> {
    let extended = experiment.file.extended_from.last().map(|samples| {
        format!("the run was extended after its numbers could be seen at {samples} samples")
    });
    let written = &experiment.claims[claim].written;
    let late = (written.post_hoc).then(|| "post hoc: written after seeing results".to_owned());
    extended.into_iter().chain(late)
}

impl ClaimOutcome {
    /// Returns the outcome with more remarks.
    fn noting(mut self, more: impl Iterator<Item = String>) -> Self {
        let own = std::iter::once(self.note).filter(|note| !note.is_empty());
        self.note = own.chain(more).collect::<Vec<_>>().join("; ");
        self
    }
}

/// A claim about a cell or a pair of cells.
struct ClaimQuestion<'run> {
    index: usize,
    claim: &'run ClaimSpec,
    target: ClaimTarget,
    evidence: Evidence<'run>,
}

impl ClaimQuestion<'_> {
    /// Returns whether the answer is subject to chance.
    fn is_estimated(&self) -> bool {
        let stat = match self.claim.subject {
            Subject::Metric { stat, .. } => Some(stat),
            Subject::Difference { .. } => None,
        };
        !matches!(stat, Some(Stat::Extreme(_)))
    }

    /// A remark on the exact value of the claim's subject, where it is known: the samples decide the claim, and may
    /// contradict it.
    fn known(&self, experiment: &Experiment, decision: ClaimVerdict) -> Option<String> {
        let (exact, is_contradicted) = self.exact(experiment)?;
        let Truth { value, source } = exact;
        Some(if is_contradicted {
            format!("the samples contradict the exact value {value} ({source})")
        } else if decision == ClaimVerdict::Undecided {
            format!("known, not measured: {value} ({source})")
        } else {
            format!("the exact value is known: {value} ({source})")
        })
    }

    /// The exact value of the claim's subject, if it is known (a mean, a difference of means, an extreme), and whether
    /// the samples contradict it.
    fn exact(&self, experiment: &Experiment) -> Option<(Truth, bool)> {
        let evidence = self.evidence;
        let mean = |place| {
            let truth = evidence.exact_mean(experiment, place)?;
            let is_contradicted = evidence.contradicts_mean(experiment, place, truth.value);
            Some((truth, is_contradicted))
        };
        match (&self.claim.subject, self.target) {
            (&Subject::Metric { metric, stat }, ClaimTarget::Cell(cell)) => match stat {
                Stat::Mean => mean((cell, metric)),
                Stat::Extreme(extreme) => {
                    let support = evidence.exact_support((cell, metric))?;
                    let is_contradicted = evidence.beyond((cell, metric), &support).is_some();
                    let value = match extreme {
                        Extreme::Min => support.least,
                        Extreme::Max => support.most,
                    };
                    let source = support.source;
                    Some((Truth { value, source }, is_contradicted))
                }
                Stat::Quantile(_) => None,
            },
            (&Subject::Difference { metric, .. }, ClaimTarget::Pair(pair)) => {
                let [first, second] = [pair.first, pair.second].map(|cell| mean((cell, metric)));
                let ((first, one), (second, other)) = first.zip(second)?;
                let value = first.value - second.value;
                Some((Truth { value, ..first }, one || other))
            }
            _ => None,
        }
    }

    /// The answer, with the interval that decided it.
    fn finding(&self, confidence: Confidence) -> ClaimOutcome {
        match self.claim.test {
            ClaimTest::Agrees(published) => self.against(&published, confidence),
            ClaimTest::Compare(relation, bound) => match self.estimate(confidence) {
                Some(estimate) => self.decided(relation.decide(estimate.interval, bound), estimate),
                None => self.without_interval((relation, bound), confidence),
            },
        }
    }

    /// Decides the claim by the difference from a published value.
    fn against(&self, published: &Published, confidence: Confidence) -> ClaimOutcome {
        let estimate = self.estimate(published.part(confidence));
        let estimate = estimate.unwrap_or_default();
        let difference = published.difference(&estimate, confidence);
        ClaimOutcome {
            difference,
            ..self.decided(ClaimVerdict::of_difference(difference), estimate)
        }
    }

    /// The statistic, if it has an interval.
    fn estimate(&self, confidence: Confidence) -> Option<Estimate> {
        let evidence = self.evidence.with(confidence);
        let compiled = evidence.compiled;
        match (&self.claim.subject, self.target) {
            (&Subject::Metric { metric, stat }, ClaimTarget::Cell(cell)) => match stat {
                Stat::Mean => Some(evidence.estimate_of((cell, metric))),
                Stat::Quantile(p) => match &evidence.tally.cell(cell)[metric] {
                    Tally::Counts(counts) => {
                        let spec = &compiled.metrics()[metric];
                        let estimate = quantile_estimate(counts, p, confidence, spec.limits());
                        let estimate = estimate.divided_by(spec.denominator);
                        Some(match evidence.withheld((cell, metric)) {
                            Some(reason) => estimate.without_interval(reason),
                            None => estimate,
                        })
                    }
                    _ => None,
                },
                _ => None,
            },
            (&Subject::Difference { metric, .. }, ClaimTarget::Pair(pair)) => {
                let pair = compiled.pairs().iter().position(|known| *known == pair);
                let estimate = pair.map(|pair| evidence.difference((pair, metric)).estimate);
                Some(estimate.unwrap_or_default())
            }
            _ => Some(Estimate::default()),
        }
    }

    /// Decides a claim on a statistic without an interval: an extreme by its witnesses, others never.
    fn without_interval(&self, bound: (Relation, f64), confidence: Confidence) -> ClaimOutcome {
        let (
            &Subject::Metric {
                metric,
                stat: Stat::Extreme(extreme),
            },
            ClaimTarget::Cell(cell),
        ) = (&self.claim.subject, self.target)
        else {
            return self.unfounded();
        };
        let Evidence {
            compiled, tally, ..
        } = self.evidence;
        let (tally, metric) = (&tally.cell(cell)[metric], &compiled.metrics()[metric]);
        let observed = match tally {
            Tally::Counts(counts) => extreme.of(counts, metric.denominator),
            Tally::Sums(sums) => extreme.of(sums, metric.denominator),
            _ => None,
        };
        observed.map_or_else(
            || self.unfounded(),
            |observed| self.extreme((extreme, metric), observed, bound, confidence),
        )
    }

    /// Decides nothing: the statistic has no interval.
    fn unfounded(&self) -> ClaimOutcome {
        let note = "this statistic has no interval, so it decides nothing";
        self.outcome(
            ClaimVerdict::Undecided,
            Estimate::default(),
            note.to_owned(),
        )
    }

    /// The outcome of a decision by an interval.
    fn decided(&self, decision: ClaimVerdict, estimate: Estimate) -> ClaimOutcome {
        let method = estimate.interval.map(|interval| interval.method);
        let note = match (decision, method) {
            (ClaimVerdict::Undecided, Some(Method::ExactBounds)) if estimate.unresolved > 0 => {
                "not resolved within its budget; give it more nodes".to_owned()
            }
            _ => estimate.withheld.map_or_else(String::new, |reason| {
                format!("{}, so they decide nothing", reason.in_words())
            }),
        };
        self.outcome(decision, estimate, note)
    }

    fn outcome(&self, decision: ClaimVerdict, estimate: Estimate, note: String) -> ClaimOutcome {
        ClaimOutcome {
            claim: self.index,
            target: self.target,
            estimate,
            difference: None,
            decision,
            note,
        }
    }

    /// Decides a claim on an extreme, of which these samples are witnesses or all there is.
    fn extreme(
        &self,
        (extreme, metric): (Extreme, &Metric),
        observed: Estimate,
        (relation, bound): (Relation, f64),
        confidence: Confidence,
    ) -> ClaimOutcome {
        if confidence.looks == Looks::Exhaustive {
            let exact = observed.exact();
            return self.decided(relation.decide(exact.interval, bound), exact);
        }
        let observed = witnessing(extreme, observed, metric);
        let most = metric.rounding() / metric.denominator as f64;
        let (limits, rounded) = (metric.unit_limits(), rounded(observed, most));
        let by = |limits| extreme.decide(relation, bound, &rounded, limits);
        let decision = by(limits);
        let as_written = || extreme.decide(relation, bound, &observed, limits);
        let note = match decision {
            ClaimVerdict::Undecided if as_written() != ClaimVerdict::Undecided => {
                format!("samples are rounded by up to {most}, so the nearest decide nothing")
            }
            ClaimVerdict::Undecided => extreme.caveat(relation, bound, &rounded, confidence.level),
            _ if by(None) != decision => {
                let open = extreme.witnessed(&observed).is_none();
                let rest = if open { "; no sample is resolved" } else { "" };
                format!("decided by the limits of `{}`{rest}", metric.name)
            }
            _ => String::new(),
        };
        let estimate = Estimate {
            value: extreme.witnessed(&observed),
            lower: None,
            upper: None,
            ..observed
        };
        self.outcome(decision, estimate, note)
    }
}

/// The observed extreme where every value may have been rounded by so much.
fn rounded(observed: Estimate, most: f64) -> Estimate {
    Estimate {
        lower: observed.lower.map(|lower| lower - most),
        upper: observed.upper.map(|upper| upper + most),
        ..observed
    }
}

/// The observed extreme without its witness, where no sample is resolved and none is known to be
/// beyond the limit that every value keeps.
fn witnessing(extreme: Extreme, observed: Estimate, metric: &Metric) -> Estimate {
    if observed.unresolved < observed.n {
        return observed;
    }
    let limits = metric.unit_limits();
    let Estimate { lower, upper, .. } = observed;
    match extreme {
        Extreme::Min => Estimate {
            upper: upper.filter(|witness| limits.is_none_or(|limits| *witness != limits.hi)),
            ..observed
        },
        Extreme::Max => Estimate {
            lower: lower.filter(|witness| limits.is_none_or(|limits| *witness != limits.lo)),
            ..observed
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coin;
    use experiment::Overrides;

    #[test]
    fn a_bound_that_no_value_can_pass_is_decided_by_the_limits() {
        let claim = |holds: &str| {
            format!("[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"{holds}\"\n")
        };
        let claims = [
            "run.max <= 20",
            "run.max > 20",
            "run.max <= 19",
            "run.min >= 0",
            "run.max > 0",
        ]
        .map(claim);
        let text = format!(
            "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 9\n{}",
            claims.concat()
        );
        let experiment =
            Experiment::parse(&text, "x.toml", coin::GAMES, &Overrides::default()).unwrap();
        let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
        let outcome = crate::run::run(&experiment, 1).unwrap();
        let confidence = experiment.confidence();
        let decided = decide_claims(&experiment, &compiled, &outcome.tally, confidence);
        let told = decided
            .iter()
            .map(|claim| (claim.decision, claim.note.as_str()));
        let told: Vec<_> = told.collect();
        let by_limits = "decided by the limits of `run`";
        assert_eq!(told[0], (ClaimVerdict::Supported, by_limits));
        assert_eq!(told[1], (ClaimVerdict::Refuted, by_limits));
        let open = "not refuted in 9 samples; exceptions are at most 2.9e-1 of all (0.95)";
        assert_eq!(told[2], (ClaimVerdict::Undecided, open));
        assert_eq!(told[3], (ClaimVerdict::Supported, by_limits));
        let ends = decided
            .iter()
            .map(|claim| (claim.estimate.lower, claim.estimate.upper));
        assert!(ends.eq([(None, None); 5]), "witnesses bound nothing");
        // A sample is a witness, whatever the limits.
        assert_eq!(told[4], (ClaimVerdict::Supported, ""));
    }

    /// Nine flips of seed 1 decide nothing of a fair coin though it says what it is, and 2,000 decide as they would
    /// if nothing were known. A claim on a difference says what both coins say.
    #[test]
    fn what_a_task_says_of_itself_decides_nothing() {
        let told = |samples: u64, holds: &str| {
            let text = format!(
                "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = {samples}\n\
                 [sweep]\np = [0.5, 0.75]\n[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"{holds}\"\n"
            );
            let experiment = Experiment::parse(&text, "x.toml", coin::GAMES, &Overrides::default());
            let experiment = experiment.unwrap();
            let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
            let outcome = crate::run::run(&experiment, 1).unwrap();
            let confidence = experiment.confidence();
            let decided = decide_claims(&experiment, &compiled, &outcome.tally, confidence);
            (decided[0].decision, decided[0].note.clone())
        };
        let (fair, own) = ("heads.mean < 0.6", "the coin's own parameter");
        let known = |how: &str, value: f64| format!("{how}: {value} ({own})");
        let undecided = (ClaimVerdict::Undecided, known("known, not measured", 0.5));
        assert_eq!(told(9, fair), undecided);
        let supported = (
            ClaimVerdict::Supported,
            known("the exact value is known", 0.5),
        );
        assert_eq!(told(2_000, fair), supported);
        let apart = (
            ClaimVerdict::Supported,
            known("the exact value is known", 0.25),
        );
        assert_eq!(told(2_000, "diff(0.75, 0.5).heads > 0"), apart);
    }

    #[test]
    fn a_claim_says_where_its_numbers_could_be_seen_last() {
        let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 90\n\
                    [[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"heads.mean > 0.9\"\n";
        let experiment = Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default());
        let mut experiment = experiment.unwrap();
        experiment.file.extended_from = vec![40, 70];
        let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
        let outcome = crate::run::run(&experiment, 1).unwrap();
        let confidence = experiment.confidence();
        let decided = decide_claims(&experiment, &compiled, &outcome.tally, confidence);
        let note = &decided[0].note;
        assert!(note.contains("could be seen at 70 samples"), "{note}");
    }

    /// An estimate and a published value with an error share the level where somebody looks.
    #[test]
    fn a_published_value_with_an_error_takes_half_of_what_may_be_missed() {
        let level = |published: &str, looks| {
            let text = format!(
                "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 90\n\
                 [[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"heads.mean agrees {published}\"\n"
            );
            let experiment = Experiment::parse(&text, "x.toml", coin::GAMES, &Overrides::default());
            let experiment = experiment.unwrap();
            let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
            let outcome = crate::run::run(&experiment, 1).unwrap();
            let level = stats::Level::DEFAULT;
            let confidence = Confidence { level, looks };
            let decided = decide_claims(&experiment, &compiled, &outcome.tally, confidence);
            decided[0].estimate.interval.unwrap().level
        };
        let (all, many) = (stats::Level::DEFAULT, Looks::Many { planned: 90 });
        assert_eq!(level("0.5 +- 0.1", Looks::Once), all);
        assert_eq!(level("0.5 +- 0.1", many), all.shared_by(2));
        assert_eq!(level("0.5 +- 0", many), all);
    }

    /// Samples of which nothing is known witness nothing, least of all the limit itself; one that is
    /// known to be at least 3, or to be 0, does.
    #[test]
    fn samples_that_are_not_resolved_are_no_witnesses_of_an_extreme() {
        use stats::{Bounded, Histogram};
        let metric = Metric::integer("grade", "", (0, 20), "");
        let greatest = |values: &[(i64, i64)]| {
            let mut tally = Bounded::<Histogram>::default();
            let ends = values.iter();
            ends.for_each(|&(least, most)| tally.push_bounds(least, most));
            let observed = Extreme::Max.of(&tally, 1).unwrap();
            Extreme::Max.witnessed(&witnessing(Extreme::Max, observed, &metric))
        };
        assert_eq!(greatest(&[(0, 20), (0, 9)]), None);
        assert_eq!(greatest(&[(0, 20), (3, 9)]), Some(3.0));
        assert_eq!(greatest(&[(0, 20), (0, 0)]), Some(0.0));
        let mut open = Bounded::<Histogram>::default();
        open.push_repeated_bounds((0, 20), 7);
        let least = Extreme::Min.of(&open, 1).unwrap();
        let least = witnessing(Extreme::Min, least, &metric);
        assert_eq!(Extreme::Min.witnessed(&least), None);
        let decide = |relation, bound, limits| Extreme::Min.decide(relation, bound, &least, limits);
        let limits = metric.unit_limits();
        assert_eq!(
            decide(Relation::AtMost, 20.0, limits),
            ClaimVerdict::Supported
        );
        assert_eq!(
            decide(Relation::AtMost, 20.0, None),
            ClaimVerdict::Undecided
        );
        assert_eq!(
            decide(Relation::AtMost, 19.0, limits),
            ClaimVerdict::Undecided
        );
    }
}
