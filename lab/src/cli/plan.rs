//! `etude plan`: what a run would do and cost. It draws only a few samples to measure.

use std::time::{Duration, Instant};

use crate::config::{Experiment, StopRule};
use crate::harness::{BlockTally, Laboratory, Plan};
use crate::report::counted;
use crate::task::{Row, SampleError, TableCell, Workspace};
use clap::Args;

use super::experiment::{ExperimentArguments, laboratory};
use super::failure::Failure;
use super::memory;
use super::program::Program;
use super::table::{Format, Printed};

/// Show the cells, samples, stop rule and estimated cost of an experiment
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude plan experiments/curated/klondike-casino.toml")]
pub struct PlanArguments {
    #[command(flatten)]
    experiment: ExperimentArguments,
    /// How the table is written
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// How long each cell is tried at most, and all of them together.
const PILOT: Duration = Duration::from_millis(200);
const PILOTS: Duration = Duration::from_secs(10);

impl PlanArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let experiment = self.experiment.load(program)?;
        let laboratory = laboratory(&experiment)?;
        let plan = Plan::of(&experiment);
        if laboratory.is_external() {
            return without_pilot(&experiment, &laboratory, &plan, self.format);
        }
        let pilots: Vec<f64> = (0..laboratory.cells())
            .map(|cell| seconds_per_sample(&laboratory, cell, plan.samples()))
            .collect::<Result<_, _>>()
            .map_err(|error| Failure::failed(error.to_string()))?;
        cells_table(&experiment, &plan, &pilots).print(self.format)?;
        tell_cost(&experiment, &laboratory, &plan, &pilots);
        Ok(())
    }
}

/// The cells of programs that a plan does not start: what a sample costs is not known.
fn without_pilot(
    experiment: &Experiment,
    laboratory: &Laboratory,
    plan: &Plan,
    format: Format,
) -> Result<(), Failure> {
    let mut table = Printed::new(&["cell", "samples", "microseconds_per_sample", "core_seconds"]);
    for cell in &experiment.cells {
        table.push([
            TableCell::Text(cell.name.clone()),
            TableCell::Integer(i128::from(plan.samples())),
            TableCell::Empty,
            TableCell::Empty,
        ]);
    }
    table.print(format)?;
    tell_size(experiment, laboratory, plan);
    eprintln!("the cost of a sample is unknown: plan starts no program");
    Ok(())
}

fn cells_table(experiment: &Experiment, plan: &Plan, pilots: &[f64]) -> Printed {
    let mut table = Printed::new(&["cell", "samples", "microseconds_per_sample", "core_seconds"]);
    for (cell, seconds) in experiment.cells.iter().zip(pilots) {
        table.push([
            TableCell::Text(cell.name.clone()),
            TableCell::Integer(i128::from(plan.samples())),
            TableCell::Number(three_digits(seconds * 1e6)),
            TableCell::Number(three_digits(seconds * plan.samples() as f64)),
        ]);
    }
    table
}

/// The mean cost of the first samples of a cell, as many as fit into the pilot.
fn seconds_per_sample(
    laboratory: &Laboratory,
    cell: usize,
    samples: u64,
) -> Result<f64, SampleError> {
    let (mut workspace, mut rows) = (Workspace::new(), [Row::new()]);
    let cells = u32::try_from(laboratory.cells()).unwrap_or(u32::MAX);
    let pilot = PILOT.min(PILOTS / cells.max(1));
    let started = Instant::now();
    let mut drawn = 0;
    while drawn < samples && (drawn == 0 || started.elapsed() < pilot) {
        laboratory.draw(cell, &mut workspace, drawn, &mut rows)?;
        drawn += 1;
    }
    Ok(started.elapsed().as_secs_f64() / drawn.max(1) as f64)
}

fn tell_cost(experiment: &Experiment, laboratory: &Laboratory, plan: &Plan, pilots: &[f64]) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let seconds = pilots.iter().sum::<f64>() * plan.samples() as f64 / threads as f64;
    tell_size(experiment, laboratory, plan);
    eprintln!(
        "about {} on {} (estimated from the first samples), up to {} MB of memory{}",
        duration(seconds),
        counted(threads as u64, "thread"),
        memory::expected(laboratory, threads).div_ceil(1_000_000),
        memory::free().map_or(String::new(), |free| format!(
            ", {} MB are free",
            free / 1_000_000
        ))
    );
    eprintln!(
        "up to {} MB on disk{}",
        on_disk(experiment, laboratory, plan).div_ceil(1_000_000),
        if experiment.keep_samples {
            ", most of it samples"
        } else {
            ""
        }
    );
    if let Err(failure) = memory::check_fit(laboratory, threads) {
        failure.tell();
    }
}

fn tell_size(experiment: &Experiment, laboratory: &Laboratory, plan: &Plan) {
    eprintln!(
        "{} for each of {} in {}; stops {}",
        counted(plan.samples(), "sample"),
        counted(laboratory.cells() as u64, "cell"),
        counted(plan.total_blocks(), "block"),
        stop_rule(experiment)
    );
}

/// Bytes of the journal, of the tables and of the samples where they are kept, at most.
fn on_disk(experiment: &Experiment, laboratory: &Laboratory, plan: &Plan) -> u64 {
    let rows = laboratory.cells() as u64 * laboratory.metrics().len() as u64;
    let block = BlockTally::text_size(laboratory, plan.block_size());
    let journal = plan.total_blocks().saturating_mul(stored(block));
    let tables = rows.saturating_mul(500) + BlockTally::text_size(laboratory, plan.samples()) * 5;
    let kept = if experiment.keep_samples {
        plan.samples().saturating_mul(rows.saturating_mul(12))
    } else {
        0
    };
    journal.saturating_add(tables).saturating_add(kept)
}

/// Bytes that a tally of so many takes in a journal, which deflates long ones: to 45 % of counts that
/// differ, a third more in Base64.
fn stored(text: u64) -> u64 {
    if text > 4096 { text / 5 * 3 } else { text }
}

fn stop_rule(experiment: &Experiment) -> String {
    let name = |metric: usize| &experiment.task.metrics[metric].name;
    match experiment.stop {
        StopRule::Samples(_) if !experiment.task.chance => {
            "after one, since the task has no chance".into()
        }
        StopRule::Samples(_) => "after all samples".into(),
        StopRule::HalfWidth { metric, target, .. } => {
            format!("when {} is known to ±{target}, or at the cap", name(metric))
        }
        StopRule::Sprt { metric, .. } => {
            format!(
                "when the test of {} has decided, or at the cap",
                name(metric)
            )
        }
        StopRule::Claims { .. } => "when every claim is decided, or at the cap".into(),
    }
}

/// Seconds as people say them: `3.2 s`, `1.5 min`, `47.0 h`, `2.5 days`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3_600.0 => format!("{:.1} min", s / 60.0),
        s if s < 48.0 * 3_600.0 => format!("{:.1} h", s / 3_600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

fn three_digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}
