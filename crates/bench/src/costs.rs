//! The times of all instances, by contender.

use super::rows::RunRow;
use super::runner::RunState;
use super::setting::Setting;
use super::speed::{Cost, TimePair};

/// The times of all instances, by contender; the control is the last.
#[derive(Clone, Debug, Default)]
pub struct RaceCosts(Vec<Vec<Cost>>);

impl RaceCosts {
    /// The costs of runs, which stand in the order of instances.
    pub fn of(setting: &Setting, runs: &[RunRow]) -> Self {
        let mut costs = Self::default();
        let instances = runs.chunk_by(|a, b| a.instance == b.instance);
        let counted = instances.filter(|runs| runs.iter().any(|run| run.round > 0));
        counted.for_each(|runs| costs.push(setting, runs));
        costs
    }

    /// Adds the runs of an instance.
    pub fn push(&mut self, setting: &Setting, runs: &[RunRow]) {
        let cost = |(contender, name): (usize, &str)| {
            let own = |run: &&RunRow| run.contender == name && run.round > 0;
            let own: Vec<&RunRow> = runs.iter().filter(own).collect();
            let program = setting.contenders[contender].program.as_ref();
            Cost::of(&own, program.and(setting.cap()))
        };
        self.0.push(setting.entrants().map(cost).collect());
    }

    /// Instances.
    pub fn instances(&self) -> u64 {
        self.0.len() as u64
    }

    /// The times of a contender.
    pub fn of_contender(&self, contender: usize) -> Vec<Cost> {
        self.0.iter().map(|costs| costs[contender]).collect()
    }

    /// The times of two contenders on every instance.
    pub fn pairs(&self, (first, second): (usize, usize)) -> Vec<TimePair> {
        let costs = self.0.iter();
        costs.map(|costs| [costs[first], costs[second]]).collect()
    }

    /// The times of the first contender and of its control.
    pub fn control(&self) -> Vec<TimePair> {
        let last = self.0.first().map_or(0, |costs| costs.len() - 1);
        self.pairs((0, last))
    }
}

impl Cost {
    /// The mean of the times of an instance, by a contender whose answers are stopped after `cap`
    /// seconds on the wall. A program that was stopped has used no more of the processor than it has,
    /// however long it was waited for.
    fn of(runs: &[&RunRow], cap: Option<f64>) -> Self {
        let mean = |seconds: &dyn Fn(&RunRow) -> f64| {
            let sum: f64 = runs.iter().map(|run| seconds(run)).sum();
            sum / runs.len().max(1) as f64
        };
        let used = |run: &RunRow| run.user + run.system;
        let most = |run: &RunRow| match run.state.parse() {
            Ok(RunState::Done) => used(run),
            // Without a cap in seconds its nodes stopped it, where it stood.
            Ok(RunState::Capped) => used(run).max(cap.unwrap_or(0.0)),
            _ => used(run).max(cap.unwrap_or(f64::INFINITY)),
        };
        let is_done = |run: &&RunRow| run.state == RunState::Done.as_ref();
        Self {
            seconds: mean(&used),
            most: mean(&most),
            censored: runs.is_empty() || !runs.iter().all(is_done),
        }
    }
}
