//! The starts of a race: its contenders are started anew before each part of it.

use super::Experiment;

/// The starts of every contender unless the file has others.
const STARTS: u32 = 10;

/// The most instances between two starts where a rule looks, and at the beginning of any race.
const FEW_INSTANCES: u64 = 10;

impl Experiment {
    /// The parts of the race, no two of which differ by more than one instance. Where a rule may stop the race early
    /// they are short, so that there are many starts by then.
    pub fn parts(&self) -> u64 {
        let instances = self.stop.max_samples.max(1);
        let rule = self.ratio_rule();
        let least = rule.map_or(1, |_| instances.div_ceil(FEW_INSTANCES));
        self.starts().max(least).min(instances)
    }

    fn starts(&self) -> u64 {
        u64::from(self.file.bench.starts.unwrap_or(STARTS))
    }

    /// The first instance after the start before this one: all contenders are started anew before each part. A first part
    /// of many instances is a race of its own, with as many starts: a race that somebody ends early has them.
    pub fn started_at(&self, instance: u64) -> u64 {
        let (mut instances, mut parts) = (self.stop.max_samples.max(1), self.parts());
        loop {
            // The quotient is a part's number, which is no larger than that of its instance.
            let product = u128::from(instance) * u128::from(parts);
            let part = (product / u128::from(instances)) as u64;
            let begin = |part: u64| {
                (u128::from(part) * u128::from(instances)).div_ceil(u128::from(parts)) as u64
            };
            let length = begin(1);
            if part > 0 || parts == 1 || length <= FEW_INSTANCES {
                return begin(part);
            }
            (instances, parts) = (length, self.starts().min(length));
        }
    }
}
