//! Means whose variance is reduced by a control variate, beside the plain ones.

use stats::{Confidence, Estimate, Known, Looks};
use task::{Metric, MetricKind};

use super::compiled_experiment::CompiledExperiment;
use super::evidence::Evidence;
use super::tally::BlockTally;
use task::Tally;

/// A mean with and without what reduces its variance.
#[derive(Clone, Debug)]
pub struct ReducedMean {
    /// The cell's number.
    pub(crate) cell: usize,
    /// The metric's place among the task's.
    pub metric: usize,
    /// The average of the samples, with the interval of independent ones.
    pub(crate) plain: Estimate,
    /// The estimate that is reported.
    pub estimate: Estimate,
    /// The number subtracted from the mean for each unit that the control's average is off, in the
    /// metric's unit.
    pub coefficient: f64,
}

impl ReducedMean {
    /// Returns the ratio of the independent samples that would give the same standard error to
    /// those drawn.
    pub fn factor(&self) -> Option<f64> {
        let (plain, reduced) = self.plain.mcse.zip(self.estimate.mcse)?;
        (reduced > 0.0).then(|| (plain / reduced).powi(2))
    }
}

/// Samples, of a flag those of the rarer answer, from which on a mean is adjusted. With fewer, the
/// coefficient is too uncertain: with 10 to 14 samples up to a fifth of the intervals missed, and
/// estimates left what the quantity can be.
const ENOUGH: u64 = 30;

/// A mean with its variance reduced, `plain` without; `None` where that is not asked for, for
/// quantities that are no means, where these samples contradict the control's mean, and where an
/// adjusted mean has no interval of its own: with few samples, of a rare flag, or with residuals that
/// do not vary.
pub(super) fn reduced_mean(
    evidence: Evidence<'_>,
    (cell, metric): (usize, usize),
    plain: Estimate,
) -> Option<ReducedMean> {
    let control = evidence.compiled.control()?;
    let Confidence { level, looks } = evidence.confidence;
    let counted = &evidence.tally.cell(cell)[metric];
    if looks != Looks::Once || !matches!(counted, Tally::Counts(_) | Tally::Sums(_)) {
        return None;
    }
    let spec = &evidence.compiled.metrics()[metric];
    let known = Known {
        mean: control.mean,
        error: control.error,
        limits: spec.limits(),
        deviations: counted.deviations()?,
    };
    let adjusted = evidence.tally.adjusted(cell, metric)?;
    if contradiction(evidence.compiled, evidence.tally, (cell, metric)).is_some() {
        return None;
    }
    let adjusted = adjusted.estimate(&known, level)?;
    let estimate = (adjusted.estimate.rounded_by(spec.rounding())).within(spec.range());
    if estimate.n < ENOUGH || is_rare(spec, counted) || estimate.interval.is_none() {
        return None;
    }
    Some(ReducedMean {
        cell,
        metric,
        plain,
        estimate: Estimate {
            sd: plain.sd,
            unresolved: plain.unresolved,
            ..estimate.divided_by(spec.denominator)
        },
        coefficient: adjusted.coefficient / spec.denominator as f64,
    })
}

/// The mean of the control on a cell's samples, where it contradicts the known one.
fn contradiction(
    compiled: &CompiledExperiment,
    tally: &BlockTally,
    (cell, metric): (usize, usize),
) -> Option<f64> {
    let known = compiled.control()?;
    let limits = compiled.task(cell).control()?.limits;
    let adjusted = tally.adjusted(cell, metric)?;
    adjusted.contradiction(known.mean, known.error, limits)
}

/// A sentence on a control whose known mean the samples contradict; `None` where they do not.
pub(crate) fn control_caution(compiled: &CompiledExperiment, tally: &BlockTally) -> Option<String> {
    let known = compiled.control()?;
    let metrics = 0..compiled.metrics().len();
    let (own, cell) = (0..compiled.cells()).find_map(|cell| {
        let mut found = metrics.clone();
        let own = found.find_map(|metric| contradiction(compiled, tally, (cell, metric)))?;
        Some((own, cell))
    })?;
    let over = compiled.task(cell).control()?.over;
    Some(format!(
        "no estimate is adjusted by `{}`: its mean is {own:.4} in the samples and {} in [variance], \
         farther apart than chance explains; `mean` is to be that of {over}",
        known.control, known.mean
    ))
}

/// Returns whether a flag has too few of one answer for the interval of a mean.
fn is_rare(metric: &Metric, tally: &Tally) -> bool {
    match (metric.kind, tally) {
        (MetricKind::Flag, Tally::Counts(counts)) => {
            let (low, high) = (counts.low_end(), counts.high_end());
            low.count_of(1) < ENOUGH || high.count_of(0) < ENOUGH
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BlockTally, Outcome, run};
    use super::*;
    use experiment::Experiment;
    use stats::Level;
    use task::{Value, coin};

    /// Flips of a coin, the run of heads counted in parts of a flip, adjusted by a mean that is known.
    fn flips(samples: u64, parts: u64) -> (CompiledExperiment, Outcome) {
        let mut spec = coin::GAME.tasks[0].clone();
        spec.metrics.to_mut()[1].denominator = parts;
        let text = format!(
            "question = \"?\"\ntask = \"coin/flip\"\nseed = 5\n[params]\np = 0.5\n\
             [variance]\ncontrol = \"low\"\nmean = 0.5\nerror = 1e-9\n[stop]\nsamples = {samples}\n"
        );
        let experiment = Experiment::of_task(spec, &text);
        let experiment = experiment.unwrap_or_else(|error| panic!("{}", error.render(false)));
        let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
        let outcome = run(&experiment, 1).unwrap();
        (compiled, outcome)
    }

    fn of_run(outcome: &Outcome) -> Option<&ReducedMean> {
        outcome.reduced.iter().find(|reduced| reduced.metric == 1)
    }

    /// The spread of the samples is what it was; every other number is in the metric's unit.
    #[test]
    fn a_reduced_mean_is_in_its_unit_and_keeps_the_spread_of_its_samples() {
        let (whole, quarters) = (flips(200, 1).1, flips(200, 4).1);
        let [whole, quarters] = [&whole, &quarters].map(|outcome| of_run(outcome).unwrap());
        assert_eq!(whole.estimate.sd, whole.plain.sd);
        assert!(whole.estimate.mcse < whole.plain.mcse && whole.estimate.sd.is_some());
        let numbers = |found: &ReducedMean| {
            let Estimate {
                value, mcse, sd, ..
            } = found.estimate;
            [Some(found.coefficient), value, mcse, sd].map(Option::unwrap)
        };
        for (part, own) in numbers(quarters).into_iter().zip(numbers(whole)) {
            assert!((4.0 * part - own).abs() < 1e-12, "{part} {own}");
        }
        let gain = (whole.plain.mcse.unwrap() / whole.estimate.mcse.unwrap()).powi(2);
        assert_eq!(whole.factor(), Some(gain));
    }

    #[test]
    fn thirty_samples_at_one_look_can_be_adjusted() {
        assert!(of_run(&flips(30, 1).1).is_some());
        assert!(of_run(&flips(29, 1).1).is_none());
        let (compiled, outcome) = flips(200, 1);
        for looks in [Looks::Many { planned: 200 }, Looks::Exhaustive] {
            let level = Level::DEFAULT;
            let watched = Confidence { level, looks };
            let tally: BlockTally = outcome.tally.clone();
            assert!(Outcome::of(&compiled, tally, watched).reduced.is_empty());
        }
        // Of a sample that was under way when the run was stopped, no control is known.
        let mut stopped = outcome.tally;
        stopped.push_unresolved(&compiled, &Default::default(), 1);
        let stopped = Outcome::of(&compiled, stopped, Level::DEFAULT.into());
        assert!(stopped.reduced.is_empty());
    }

    #[test]
    fn a_rare_flag_is_not_adjusted() {
        for (samples, adjusted) in [(200, vec![0, 1]), (50, vec![1])] {
            let reduced = flips(samples, 1).1.reduced.into_iter();
            let bounded: Vec<usize> = reduced
                .map(|reduced| reduced.metric)
                .filter(|&metric| metric < 2)
                .collect();
            assert_eq!(bounded, adjusted, "{samples}");
        }
    }

    /// An answer is rare of which fewer than 30 are sure, be it yes or no.
    #[test]
    fn open_flags_are_no_sure_answers() {
        let is_rare = |yes: usize, no: usize, open: usize| {
            let metric = Metric::flag("flag", "");
            let mut tally = Tally::new(&metric);
            let answers = [
                (Value::flag(true), yes),
                (Value::flag(false), no),
                (Value::flag_bounds(false, true), open),
            ];
            for (answer, count) in answers {
                (0..count).for_each(|_| tally.push(answer));
            }
            super::is_rare(&metric, &tally)
        };
        assert!(!is_rare(30, 30, 40));
        assert!(is_rare(29, 31, 40) && is_rare(31, 29, 40));
    }
}
