//! The times of all instances, by start and contender.

use super::rows::RunRow;
use super::runner::RunState;
use super::setting::Setting;
use super::speed::{Cost, TimePair};
use lab::experiment::CapTable;

/// The times of all instances by the start that they were measured after; those of the control are the
/// last.
#[derive(Clone, Debug, Default)]
pub struct RaceCosts(Vec<StartCosts>);

/// The times of the instances after one start.
#[derive(Clone, Debug, Default)]
struct StartCosts {
    start: u64,
    /// By instance, and by entrant.
    costs: Vec<Vec<Cost>>,
}

impl RaceCosts {
    /// The costs of runs, which stand in the order of instances.
    pub fn of(setting: &Setting, runs: &[RunRow]) -> Self {
        let mut costs = Self::default();
        let instances = runs.chunk_by(|a, b| a.instance == b.instance);
        let counted = instances.filter(|runs| runs.iter().any(|run| run.position > 0));
        counted.for_each(|runs| costs.push(setting, runs));
        costs
    }

    /// Adds the runs of an instance.
    pub fn push(&mut self, setting: &Setting, runs: &[RunRow]) {
        let counted: Vec<&RunRow> = runs.iter().filter(|run| run.position > 0).collect();
        let cost = |(contender, name): (usize, &str)| {
            let own = counted.iter().copied().filter(|run| run.entrant == name);
            let is_program = setting.contenders[contender].program.is_some();
            Cost::of(&own.collect::<Vec<_>>(), setting.cap(), is_program)
        };
        let costs = setting.entrants().map(cost).collect();
        let start = counted.first().map_or(0, |run| run.start);
        if self.0.last().is_none_or(|last| last.start != start) {
            self.0.push(StartCosts {
                start,
                costs: Vec::new(),
            });
        }
        self.0
            .last_mut()
            .into_iter()
            .for_each(|last| last.costs.push(Vec::clone(&costs)));
    }

    /// Instances.
    pub fn instances(&self) -> u64 {
        self.sizes().iter().sum::<usize>() as u64
    }

    /// The instances of each start.
    pub fn sizes(&self) -> Vec<usize> {
        self.0.iter().map(|start| start.costs.len()).collect()
    }

    /// The number of the last start.
    pub fn last_start(&self) -> u64 {
        self.0.last().map_or(0, |last| last.start)
    }

    /// The times of a contender.
    pub fn of_contender(&self, contender: usize) -> Vec<Cost> {
        let all = self.0.iter().flat_map(|start| &start.costs);
        all.map(|costs| costs[contender]).collect()
    }

    /// The times of two contenders on every instance, by start.
    pub fn pairs(&self, (first, second): (usize, usize)) -> Vec<Vec<TimePair>> {
        let pair = |costs: &Vec<Cost>| [costs[first], costs[second]];
        let of_start = |start: &StartCosts| start.costs.iter().map(pair).collect();
        self.0.iter().map(of_start).collect()
    }

    /// The times of the first contender and of its control.
    pub fn control(&self) -> Vec<Vec<TimePair>> {
        let first = self.0.first().and_then(|start| start.costs.first());
        self.pairs((0, first.map_or(0, |costs| costs.len() - 1)))
    }
}

impl Cost {
    /// The mean of the times of an instance, each counted up to the cap. A program that was stopped has
    /// used no more of the processor than it has, however long it was waited for; the task itself is
    /// stopped by its nodes, where it stands.
    fn of(runs: &[&RunRow], cap: CapTable, is_program: bool) -> Self {
        let mean = |seconds: &dyn Fn(&RunRow) -> f64| {
            let sum: f64 = runs.iter().map(|run| seconds(run)).sum();
            sum / runs.len().max(1) as f64
        };
        let counted = cap.counted().filter(|_| is_program);
        let used = |run: &RunRow| (run.user + run.system).min(cap.cpu.unwrap_or(f64::INFINITY));
        let most = |run: &RunRow| match run.state.parse() {
            Ok(RunState::Done) => used(run),
            Ok(RunState::Capped) => used(run).max(counted.unwrap_or(0.0)),
            _ => used(run).max(counted.unwrap_or(f64::INFINITY)),
        };
        let is_done = |run: &&RunRow| run.state == RunState::Done.as_ref();
        Self {
            seconds: mean(&used),
            most: mean(&most),
            wall: mean(&|run| run.wall),
            censored: runs.is_empty() || !runs.iter().all(is_done),
        }
    }
}
