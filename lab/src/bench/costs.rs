//! The times of all instances, by contender.

use super::rows::RunRow;
use super::runner::RunState;
use super::setting::Setting;
use super::speed::{Cost, TimePair};
use crate::experiment::CONTROL;

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
        let names = setting.names().chain([CONTROL]);
        let cost = |(at, name): (usize, &str)| {
            let own = |run: &&RunRow| run.contender == name && run.round > 0;
            let own: Vec<&RunRow> = runs.iter().filter(own).collect();
            let contender = &setting.contenders[at % setting.contenders.len()];
            cost(&own, contender.program.as_ref().and(setting.cap()))
        };
        self.0.push(names.enumerate().map(cost).collect());
    }

    /// Instances.
    pub fn instances(&self) -> u64 {
        self.0.len() as u64
    }

    /// The times of a contender.
    pub fn of_contender(&self, contender: usize) -> Vec<Cost> {
        self.0.iter().map(|costs| costs[contender]).collect()
    }

    /// The seconds of a contender, those at which it was stopped among them.
    pub fn seconds(&self, contender: usize) -> Vec<f64> {
        let costs = self.0.iter();
        costs.map(|costs| costs[contender].seconds).collect()
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

/// The mean of the times of an instance. Where one was stopped or failed it is the least that it can
/// be: a program that was stopped by the clock takes at least its cap.
fn cost(runs: &[&RunRow], cap: Option<f64>) -> Cost {
    let is_done = |run: &RunRow| run.state == RunState::Done.name();
    let least = |run: &RunRow| match cap {
        Some(cap) if !is_done(run) => cap.max(run.user + run.system),
        _ => run.user + run.system,
    };
    let sum: f64 = runs.iter().map(|run| least(run)).sum();
    Cost {
        seconds: sum / runs.len().max(1) as f64,
        censored: runs.is_empty() || !runs.iter().all(|run| is_done(run)),
    }
}
