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
    pub costs: RaceCosts,
    /// The instances after which it looks next.
    look: u64,
}

impl<'race> RatioWatch<'race> {
    /// A watch that goes on after these times.
    pub fn new(experiment: &'race Experiment, costs: RaceCosts) -> Self {
        Self {
            look: costs.instances().max(FIRST_LOOK),
            experiment,
            costs,
        }
    }

    /// Takes in the timings of an instance; returns whether the rule is content with what is known.
    pub fn is_content_with(&mut self, timings: &[Timing]) -> bool {
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
