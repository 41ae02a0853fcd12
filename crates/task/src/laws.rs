//! Laws that every task obeys, whatever its game. Call them from the tests of a new task.
//!
//! A row holds one fitting value for each metric; a sample depends on nothing but the seed, the
//! parameters and its index; budgets bound what they leave open; samples agree with exact values; a replay is the same
//! every time. After open_spiel's simulation test (Lanctot et al. 2019), for samples.

use super::row_check::check_row;
use crate::{
    Draw, GameSpec, Metric, MetricKind, Params, Row, SampleError, Support, Tally, Task, TaskSpec,
    Truth, Value, Workspace,
};
use kit::rng::Streams;
use kit::search::Budget;
use stats::{Estimate, Extreme, Level, mean_estimate, share_estimate};

/// Seed of the samples drawn here.
const SEED: u64 = 20_251_120;
/// Enough to tell whether a sample depends on what was drawn before.
const SAMPLES: u64 = 3;
/// Samples that exact values are compared with.
const TRUTH_SAMPLES: u64 = 2_000;
/// The confidence with which samples contradict an exact value.
const TRUTH_LEVEL: f64 = 0.9999;
/// Seeds that are tried to find one that draws other samples.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=8;
/// The budget of a sample; harder ones stay unresolved and obey the same laws.
const LARGE: Budget = Budget::nodes(5_000);
const TINY: Budget = Budget::nodes(1);

/// The law that a task breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{task}: {law}")]
pub struct Breach {
    /// The task.
    pub(crate) task: String,
    /// The broken law, in a sentence.
    law: String,
}

/// Checks every task of a game whose parameters all have defaults, with these.
///
/// ```no_run
/// # static MINE: etude_task::GameSpec = etude_task::GameSpec {
/// #     name: "", summary: "", tasks: &[], verbs: &[], players: &[],
/// # };
/// assert_eq!(etude_task::laws::check(&MINE), Ok(()));
/// ```
///
/// # Errors
/// The first [`Breach`] found.
pub fn check(game: &GameSpec) -> Result<(), Breach> {
    for spec in game.tasks {
        if spec.params.iter().all(|param| param.default.is_some()) {
            let defaults = Params::defaults(&spec.params);
            check_task(spec, &defaults)?;
            check_truths(spec, &defaults)?;
        }
    }
    Ok(())
}

/// Checks one task with these parameters.
///
/// # Errors
/// The first [`Breach`] found.
pub fn check_task(spec: &TaskSpec, params: &Params) -> Result<(), Breach> {
    tested(spec, params, |task| task.check())
}

/// Checks that samples of one task with these parameters agree with the exact values that it declares, which
/// may take long to work out.
///
/// # Errors
/// The first [`Breach`] found.
pub fn check_truths(spec: &TaskSpec, params: &Params) -> Result<(), Breach> {
    tested(spec, params, |task| task.check_truths())
}

fn tested(
    spec: &TaskSpec,
    params: &Params,
    check: impl Fn(&TestedTask<'_>) -> Result<(), String>,
) -> Result<(), Breach> {
    let breach = |law: String| Breach {
        task: spec.name.to_string(),
        law,
    };
    let task = spec.build(params);
    let task = &*task.map_err(|error| breach(error.to_string()))?;
    check(&TestedTask { spec, task }).map_err(breach)
}

/// The broken law of a task that cannot draw a sample.
fn undrawn(error: SampleError) -> String {
    format!("sample {}: {error}", error.sample)
}

struct TestedTask<'a> {
    spec: &'a TaskSpec,
    task: &'a dyn Task,
}

impl TestedTask<'_> {
    /// Workers share a workspace, where what an earlier one left must not matter; the samples drawn
    /// backwards have their own.
    fn check(&self) -> Result<(), String> {
        let mut shared = Workspace::new();
        let large = self.rows(&mut shared, SEED, LARGE, 0..SAMPLES)?;
        let tiny = self.rows(&mut shared, SEED, TINY, 0..SAMPLES)?;
        let mut both = large.iter().chain(&tiny);
        both.try_for_each(|row| check_row(&self.spec.metrics, row))?;
        self.check_order(&mut shared, &large)?;
        self.check_budgets(&mut shared, &large)?;
        self.check_batch(&mut shared, &large)?;
        self.check_seeds(&mut shared, &large)?;
        self.check_containment(&tiny, &large)?;
        let is_heeded = self.task.ignores_budget().is_none() || tiny == large;
        ensure(
            is_heeded,
            "a budget changes its samples, and it says that it ignores one",
        )?;
        self.check_replay(LARGE)?;
        self.check_replay(TINY)
    }

    /// Checks that samples agree with the exact values that the task declares.
    fn check_truths(&self) -> Result<(), String> {
        let known = |metric: &Metric| {
            let name = &metric.name;
            (self.task.truth(name), self.task.support(name))
        };
        let known: Vec<_> = self.spec.metrics.iter().map(known).collect();
        if known.iter().all(|known| *known == (None, None)) {
            return Ok(());
        }
        let samples = if self.spec.is_random {
            TRUTH_SAMPLES
        } else {
            1
        };
        let rows = self.rows(&mut Workspace::new(), SEED, LARGE, 0..samples)?;
        let metrics = self.spec.metrics.iter().enumerate().zip(known);
        metrics
            .into_iter()
            .try_for_each(|((at, metric), (truth, support))| {
                let mut tally = Tally::new(metric);
                rows.iter().for_each(|row| tally.push(row.values()[at]));
                let is_trusted = !self.task.mean_untrustworthy(&metric.name);
                let truth = truth.filter(|_| is_trusted && self.spec.is_random);
                check_mean(metric, &tally, truth)?;
                check_support(metric, &tally, support)
            })
    }

    /// The samples of one worker, in the order of `indices`.
    fn rows(
        &self,
        workspace: &mut Workspace,
        seed: u64,
        budget: Budget,
        indices: impl IntoIterator<Item = u64>,
    ) -> Result<Vec<Row>, String> {
        let mut worker = self.task.worker(&Streams::new(seed), workspace);
        let draw = |index| {
            let mut row = Row::new();
            let drawn = worker.sample(Draw { index, budget }, &mut row);
            drawn.map(|()| row).map_err(undrawn)
        };
        indices.into_iter().map(draw).collect()
    }

    /// Checks that a sample does not depend on those drawn before it.
    fn check_order(&self, shared: &mut Workspace, large: &[Row]) -> Result<(), String> {
        let indices = (0..SAMPLES).rev();
        let mut backwards = self.rows(&mut Workspace::new(), SEED, LARGE, indices)?;
        backwards.reverse();
        ensure(
            backwards == large,
            "a sample depends on those drawn before it",
        )?;
        (0..).zip(large).try_for_each(|(index, row)| {
            let alone = self.rows(shared, SEED, LARGE, [index])?;
            let law = format!("sample {index} changes when it is drawn alone");
            ensure(alone.first() == Some(row), law)
        })
    }

    /// Smaller budgets tried before do not matter.
    fn check_budgets(&self, shared: &mut Workspace, large: &[Row]) -> Result<(), String> {
        let mut worker = self.task.worker(&Streams::new(SEED), shared);
        let mut row = Row::new();
        for (index, expected) in (0..).zip(large) {
            for budget in [TINY, LARGE] {
                row.clear();
                let drawn = worker.sample(Draw { index, budget }, &mut row);
                drawn.map_err(undrawn)?;
            }
            let law = format!("sample {index} depends on a budget that was tried before");
            ensure(row == *expected, law)?;
        }
        Ok(())
    }

    /// Samples drawn together are those drawn one by one.
    fn check_batch(&self, shared: &mut Workspace, large: &[Row]) -> Result<(), String> {
        let mut worker = self.task.worker(&Streams::new(SEED), shared);
        let mut rows = vec![Row::new(); large.len()];
        let first = Draw {
            index: 0,
            budget: LARGE,
        };
        worker.batch(first, &mut rows).map_err(undrawn)?;
        let law = "samples drawn in a batch differ from samples drawn one by one";
        ensure(rows == large, law)
    }

    /// Checks that another seed draws other samples if the task has chance, and the same ones if it
    /// has none. Players that draw nothing play alike too, which samples that are all equal show.
    fn check_seeds(&self, shared: &mut Workspace, large: &[Row]) -> Result<(), String> {
        let varies = large.iter().any(|row| *row != large[0]);
        if !self.spec.is_random {
            let again = self.rows(shared, SEED + 1, LARGE, 0..SAMPLES)?;
            return ensure(
                !varies && again == large,
                "it declares no chance, and varies",
            );
        }
        let is_fixed = large.iter().any(|row| row.without_chance);
        ensure(
            !(is_fixed && varies),
            "a sample without chance is not the only one",
        )?;
        let mut differs = !varies;
        for seed in SEEDS {
            differs = differs || self.rows(shared, seed, LARGE, 0..SAMPLES)? != large;
        }
        ensure(differs, "the seed is ignored")
    }

    /// Checks that values left open by a tiny budget contain those found with a large one. Totals
    /// count work, which grows with the budget, and are left out.
    fn check_containment(&self, tiny: &[Row], large: &[Row]) -> Result<(), String> {
        let values = |row: &Row| row.values().to_vec();
        let (tiny, large) = (tiny.iter().flat_map(values), large.iter().flat_map(values));
        let mut metrics = self.spec.metrics.iter().cycle().zip(tiny.zip(large));
        metrics.try_for_each(|(metric, (tiny, large))| check_contained(metric, tiny, large))
    }

    fn check_replay(&self, budget: Budget) -> Result<(), String> {
        let draw = Draw { index: 1, budget };
        let tell = || self.task.replay(&Streams::new(SEED), draw).map_err(undrawn);
        let told = tell()?;
        ensure(told == tell()?, "a replay is told in two ways")?;
        let says = !told.instance.is_empty() && !told.outcome.is_empty();
        ensure(says, "a replay tells no instance or no outcome")
    }
}

fn check_mean(metric: &Metric, tally: &Tally, truth: Option<Truth>) -> Result<(), String> {
    let level = Level::new(TRUTH_LEVEL).unwrap_or(Level::DEFAULT);
    let estimate = match tally {
        Tally::Counts(counts) if metric.kind == MetricKind::Flag => {
            share_estimate(counts, |share| share.clopper_pearson(level))
        }
        Tally::Counts(counts) => mean_estimate(counts, level, metric.limits()),
        Tally::Sums(sums) => mean_estimate(sums, level, metric.limits()),
        Tally::Ratio(ratio) => ratio.estimate(level, metric.range()),
        Tally::Weights(weights) => weights.estimate(level),
    };
    let estimate = estimate.divided_by(metric.denominator);
    let (Some(Truth { value, source }), Some(interval)) = (truth, estimate.interval) else {
        return Ok(());
    };
    let Estimate { value: mean, n, .. } = estimate;
    let (name, mean) = (&metric.name, mean.unwrap_or(f64::NAN));
    let law = format!(
        "the exact mean of {name} is said to be {value} ({source}), and {n} samples have {mean}"
    );
    let rounding = 4.0 * f64::EPSILON * value.abs();
    ensure(
        (interval.lo - rounding..=interval.hi + rounding).contains(&value),
        law,
    )
}

fn check_support(metric: &Metric, tally: &Tally, support: Option<Support>) -> Result<(), String> {
    let (
        Some(Support {
            least,
            most,
            source,
        }),
        Tally::Counts(counts),
    ) = (support, tally)
    else {
        return Ok(());
    };
    let met = |extreme: Extreme| extreme.of(counts, metric.denominator);
    let met = met(Extreme::Min)
        .and_then(|least| least.upper)
        .zip(met(Extreme::Max).and_then(|most| most.lower));
    let name = &metric.name;
    met.map_or(Ok(()), |(low, high)| {
        let law = format!("{name} is said to be from {least} to {most} ({source}), and samples are from {low} to {high}");
        ensure(least <= low && high <= most, law)
    })
}

fn check_contained(metric: &Metric, tiny: Value, large: Value) -> Result<(), String> {
    let (Value::Bounds { lower, upper }, Value::Exact(value)) = (tiny, large) else {
        return Ok(());
    };
    let holds = (lower..=upper).contains(&value) || metric.kind == MetricKind::Total;
    let name = &metric.name;
    let law = format!("{name} is {value}, not within {lower} to {upper}");
    ensure(holds, law)
}

/// Refuses what does not hold, in the words of the law that it breaks.
///
/// # Errors
/// The law.
pub fn ensure(holds: bool, law: impl Into<String>) -> Result<(), String> {
    if holds { Ok(()) } else { Err(law.into()) }
}

#[cfg(test)]
mod tests;
