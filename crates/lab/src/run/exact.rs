//! Exact values that a task or an experiment file declares, checked against the samples. They may be wrong: they decide
//! nothing, and samples that contradict them say so.

use experiment::Experiment;
use stats::{Extreme, Interval, Level, declared};
use task::{Support, Tally, Truth};

use super::evidence::Evidence;

/// The probability with which samples contradict any exact value of a run though all are true.
const FALSE_ALARM: f64 = 1e-4;

impl Evidence<'_> {
    /// The exact mean of a metric in a cell, as the experiment's file declares it or its task knows it.
    pub(crate) fn exact_mean(
        self,
        experiment: &Experiment,
        (cell, metric): (usize, usize),
    ) -> Option<Truth> {
        let name = &*self.compiled.metrics()[metric].name;
        let declared = experiment.declared_truth(name);
        declared.or_else(|| self.compiled.task(cell).truth(name))
    }

    /// The ends of what a metric in a cell can be, as its task knows them.
    pub(crate) fn exact_support(self, (cell, metric): (usize, usize)) -> Option<Support> {
        let name = &*self.compiled.metrics()[metric].name;
        self.compiled.task(cell).support(name)
    }

    /// Returns whether a mean cannot be this: the samples contradict it, at a level at which that is no chance. In a race,
    /// answers that were stopped are missing, so its means say nothing.
    pub(crate) fn contradicts_mean(
        self,
        experiment: &Experiment,
        place: (usize, usize),
        value: f64,
    ) -> bool {
        let places = self.compiled.cells() * self.compiled.metrics().len();
        let level = Level::new(1.0 - FALSE_ALARM).unwrap_or(self.confidence.level);
        let strict = self.confidence.at(level.shared_by(places));
        let interval = self.with(strict).estimate_of(place).interval;
        !experiment.is_race() && interval.is_some_and(|interval| !covers(interval, value))
    }

    /// A value beyond the ends that a metric in a cell is said to have.
    pub(crate) fn beyond(self, (cell, metric): (usize, usize), support: &Support) -> Option<f64> {
        let (tally, spec) = (
            &self.tally.cell(cell)[metric],
            &self.compiled.metrics()[metric],
        );
        let met = |extreme: Extreme| match tally {
            Tally::Counts(counts) => extreme.of(counts, spec.denominator),
            Tally::Sums(sums) => extreme.of(sums, spec.denominator),
            _ => None,
        };
        let least = met(Extreme::Min).and_then(|least| least.upper);
        let most = met(Extreme::Max).and_then(|most| most.lower);
        let below = least.filter(|&least| least < support.least);
        below.or(most.filter(|&most| most > support.most))
    }
}

/// Returns whether an interval covers a value, both as they are written. Two exact values are equal but
/// for the rounding of their last digit.
pub(crate) fn covers(interval: Interval, value: f64) -> bool {
    let is_exact = interval.lo == interval.hi;
    let rounding = if is_exact {
        4.0 * f64::EPSILON * value.abs()
    } else {
        0.0
    };
    let (written, value) = (interval.written(), declared(value, Some(interval)));
    written.lo - rounding <= value && value <= written.hi + rounding
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coin;
    use crate::run::{BlockTally, CompiledExperiment};
    use experiment::Overrides;
    use stats::{Method, Span, Validity};
    use task::{Row, Value};

    /// Only what a sample is known to be is beyond an end: one somewhere from 1 to 9 is within 2 to 8, and one from 9 to
    /// 12 is not.
    #[test]
    fn a_value_beyond_what_a_metric_can_be_is_one_that_is_known() {
        let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 2\n";
        let experiment = Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default());
        let compiled = CompiledExperiment::of_experiment(&experiment.unwrap()).unwrap();
        let beyond_of = |metric: usize, runs: &[(i64, i64)]| {
            let row = |&(least, most): &(i64, i64)| {
                let mut row = Row::new();
                row.push(Value::flag(true));
                row.push(Value::bounds(least, most));
                row.push(Value::Exact(least));
                row
            };
            let rows = [runs.iter().map(row).collect::<Vec<_>>()];
            let evidence = Evidence {
                compiled: &compiled,
                tally: &BlockTally::of(&compiled, 0, &rows),
                confidence: Level::DEFAULT.into(),
            };
            let support = Support {
                least: 2.0,
                most: 8.0,
                source: "a book".to_owned(),
            };
            evidence.beyond((0, metric), &support)
        };
        let beyond = |runs: &[(i64, i64)]| beyond_of(1, runs);
        assert_eq!(beyond(&[(2, 2), (8, 8), (1, 9)]), None);
        assert_eq!(beyond(&[(5, 5), (0, 1)]), Some(1.0));
        assert_eq!(beyond(&[(5, 5), (9, 12)]), Some(9.0));
        // Of totals, sums alone are kept, with the least and the most.
        assert_eq!(beyond_of(2, &[(2, 2), (8, 8)]), None);
        assert_eq!(beyond_of(2, &[(5, 5), (1, 1)]), Some(1.0));
        assert_eq!(beyond_of(2, &[(5, 5), (9, 9)]), Some(9.0));
    }

    /// A false alarm in ten thousand experiments, not in ten thousand of their three metrics.
    #[test]
    fn a_contradiction_counts_all_places_at_which_one_may_be_seen() {
        let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 500\n";
        let experiment = Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default());
        let experiment = experiment.unwrap();
        let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
        let outcome = crate::run::run(&experiment, 1).unwrap();
        let evidence = Evidence {
            compiled: &compiled,
            tally: &outcome.tally,
            confidence: outcome.confidence,
        };
        let most_at = |alpha: f64| {
            let level = Level::new(1.0 - alpha).unwrap();
            let estimate = evidence.with(level.into()).estimate_of((0, 0));
            estimate.interval.unwrap().hi
        };
        let (of_one, of_three) = (most_at(1e-4), most_at(1e-4 / 3.0));
        let is_contradicted = |value| evidence.contradicts_mean(&experiment, (0, 0), value);
        assert!(!is_contradicted((of_one + of_three) / 2.0));
        assert!(is_contradicted(of_three + (of_three - of_one)));
    }

    /// A truth a millisecond beyond a sharp interval of a large number is missed, and one within it is
    /// not; exact values may differ in their last digit.
    #[test]
    fn a_sharp_interval_of_a_large_number_misses_what_is_beyond_it() {
        let interval = |lo, hi| {
            let limits = Span::new(lo, hi);
            Interval::new(limits, Level::DEFAULT, Method::StudentT, Validity::FixedN).unwrap()
        };
        let clock = interval(1_700_000_000.250_28, 1_700_000_000.250_33);
        assert!(covers(clock, 1_700_000_000.250_3));
        assert!(!covers(clock, 1_700_000_000.251_3));
        assert!(covers(interval(0.3, 0.3), 0.1 + 0.2));
        assert!(!covers(interval(0.3, 0.3), 0.300_000_000_001));
    }

    /// Answers that were stopped are missing from the means of a race.
    #[test]
    fn a_race_contradicts_nothing() {
        let text = |cells: &str| {
            format!(
                "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 500\n{cells}"
            )
        };
        let parsed = |text: &str| {
            Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default()).unwrap()
        };
        let plain = parsed(&text("[sweep]\np = [0.25, 0.5]\n"));
        let race = text("[contenders.a]\np = 0.25\n[contenders.b]\np = 0.5\n");
        let race = parsed(&race).into_race().unwrap();
        let compiled = CompiledExperiment::of_experiment(&plain).unwrap();
        let outcome = crate::run::run(&plain, 1).unwrap();
        let evidence = Evidence {
            compiled: &compiled,
            tally: &outcome.tally,
            confidence: outcome.confidence,
        };
        assert!(evidence.contradicts_mean(&plain, (0, 0), 0.75));
        assert!(!evidence.contradicts_mean(&race, (0, 0), 0.75));
    }
}
