//! The rule that ends a race once a ratio is known well enough.

use stats::speed::{Speed, median};

use super::costs::{RaceCosts, Timing};
use experiment::Experiment;

/// Instances before the first look.
const FIRST_LOOK: u64 = 10;

/// The times so far, with the rule that looks at them ever more seldom.
#[derive(Debug)]
pub struct RatioWatch<'race> {
    experiment: &'race Experiment,
    /// The times.
    pub(crate) costs: RaceCosts,
    /// The instances after which it looks next.
    look: u64,
}

impl<'race> RatioWatch<'race> {
    /// A watch that goes on after these times.
    pub(crate) fn new(experiment: &'race Experiment, costs: RaceCosts) -> Self {
        Self {
            look: FIRST_LOOK,
            experiment,
            costs,
        }
    }

    /// Takes in the timings of an instance; returns whether the rule is content with what is known.
    pub(crate) fn is_content_with(&mut self, timings: &[Timing]) -> bool {
        self.costs.push(self.experiment, timings);
        let raced = self.costs.instances();
        let is_last = raced == self.experiment.stop.max_samples;
        let rule = self.experiment.ratio_rule();
        let Some(rule) = rule.filter(|_| raced >= self.look || is_last) else {
            return false;
        };
        self.look = raced + raced / 20 + 1;
        let found = self.experiment.rule_sides().map(|sides| self.ratio(sides));
        let ends = found.and_then(|found| found.value.zip(found.lo().zip(found.hi())));
        ends.is_some_and(|(value, (lo, hi))| hi <= value * rule.within && lo >= value / rule.within)
    }

    /// The median ratio of two contenders so far, for someone who looks again and again.
    fn ratio(&self, sides: (usize, usize)) -> Speed {
        let confidence = self.experiment.ratio_confidence(false);
        median(&self.costs.pairs(sides), confidence)
    }

    /// The ratio that the race is about, with the names of its contenders.
    pub fn headline(&self) -> Option<([&'race str; 2], Speed)> {
        let experiment = self.experiment;
        let first = || {
            let mut pairs = experiment.raced_pairs().into_iter();
            pairs.find(|pair| pair.1 == 0)
        };
        let sides = experiment.asked().or_else(first)?;
        let names = [sides.0, sides.1].map(|at| experiment.cells[at].name.as_str());
        Some((names, self.ratio(sides)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::costs::tests::{race, timings};
    use super::*;

    /// The instance at which a watch is content whose `b` takes `ratio(instance)` times as long as `a`.
    fn contented(within: f64, samples: u64, ratio: impl Fn(u64) -> f64) -> Option<u64> {
        let stop = format!(
            "[stop.ratio]\nfirst = \"b\"\nsecond = \"a\"\nwithin = {within}\nmax-samples = {samples}"
        );
        let race = race("starts = 20", &stop);
        let mut watch = RatioWatch::new(&race, RaceCosts::default());
        (1..=samples).find(|&at| {
            let seconds = [1.0, ratio(at), 5.0, 1.0];
            watch.is_content_with(&timings(at - 1, at, &seconds))
        })
    }

    /// The rule looks after ten instances, and then at every twentieth part more; at the last in any case.
    #[test]
    fn a_watch_is_content_at_the_first_look_at_which_both_ends_are_near() {
        assert_eq!(
            contented(1.05, 200, |_| 2.0 + 1e-9),
            contented(1.05, 200, |_| 2.0)
        );
        let content = contented(1.05, 400, |at| 2.0 + 1e-3 * (at % 3) as f64).unwrap();
        let mut looks = vec![10];
        while looks.last().unwrap() < &content {
            let last = looks.last().unwrap();
            looks.push(last + last / 20 + 1);
        }
        assert_eq!(looks.last(), Some(&content), "{looks:?}");
        // More than half of the ratios are 2, the others above, or below: one end alone is near.
        for other in [3.0, 1.5] {
            let found = contented(1.2, 150, |at| if at % 9 < 5 { 2.0 } else { other });
            assert_eq!(found, None, "{other}");
        }
        assert_eq!(contented(1.05, 5, |_| 2.0), None);
    }

    /// Up to 20 instances it looks at each, and then a twentieth later.
    #[test]
    fn a_watch_looks_ever_more_seldom() {
        let stop = "[stop.ratio]\nfirst = \"b\"\nsecond = \"a\"\nwithin = 1.05\nmax-samples = 400";
        let race = race("starts = 20", stop);
        let mut watch = RatioWatch::new(&race, RaceCosts::default());
        let mut looks = Vec::new();
        for at in 1..=66u64 {
            let (before, ratio) = (watch.look, if at.is_multiple_of(2) { 1.0 } else { 9.0 });
            assert!(!watch.is_content_with(&timings(at - 1, at, &[1.0, ratio, 5.0, 1.0])));
            looks.extend((watch.look != before).then_some(at));
        }
        let later = [
            22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 43, 46, 49, 52, 55, 58, 61, 65,
        ];
        let expected: Vec<u64> = (10..=20).chain(later).collect();
        assert_eq!(looks, expected);
    }

    #[test]
    fn the_headline_is_the_ratio_that_the_rule_asks_for() {
        let stop = "[stop.ratio]\nfirst = \"b\"\nsecond = \"a\"\nwithin = 1.05\nmax-samples = 400";
        let mut names = Vec::new();
        for stop in [stop, "[stop]\nsamples = 40"] {
            let race = race("", stop);
            let mut watch = RatioWatch::new(&race, RaceCosts::default());
            for at in 0..40 {
                let is_content = watch.is_content_with(&timings(at, at, &[1.0, 2.0, 5.0, 1.0]));
                assert!(!is_content || stop.contains("ratio"));
            }
            let (own, found) = watch.headline().unwrap();
            names.push(own.map(str::to_owned));
            assert!(
                (found.value.unwrap() - 2.0).abs() < 1e-6,
                "{own:?} {found:?}"
            );
        }
        assert_eq!(names, [["b", "a"]; 2]);
    }
}
