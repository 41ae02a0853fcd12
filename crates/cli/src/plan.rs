//! `etude plan`: what a run would do and cost. It draws only a few samples to measure.

use base::{count, counted};
use clap::Args;
use experiment::{Cell, Experiment, Overrides, Precision, StopQuestion};
use figures::duration;
use lab::job::{Job, Pilot};
use lab::run::next_look;
use stats::{cost_of_cap, mean_known_after, share_known_after};
use std::time::Duration;
use task::MetricKind;
use task::outside::seconds;

use super::Application;
use super::bench;
use super::experiment_arguments::ExperimentArguments;
use super::failure::Failure;
use super::table::{Format, Printed};

/// Show the cells, samples, stop rule and estimated cost of an experiment
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude plan experiments/curated/klondike-casino.toml")]
pub(crate) struct PlanArguments {
    #[command(flatten)]
    experiment: ExperimentArguments,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

impl PlanArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        let experiment = self.experiment.load(app, Overrides::default())?;
        if experiment.file.is_only_benchmark() {
            return bench::plan(experiment, self.format);
        }
        let job = Job::of_app(app, experiment)?;
        if job.compiled.is_external() {
            cells_table(&job, std::iter::repeat(None), self.format).print(self.format)?;
            tell_size(&job);
            note!("the cost of a sample is unknown: plan starts no program");
            tell_worst_case(&job);
            return Ok(());
        }
        let pilot = Pilot::draw(&job).map_err(Failure::failed)?;
        let seconds = pilot.seconds.iter().copied().map(Some);
        cells_table(&job, seconds, self.format).print(self.format)?;
        tell_cost(&job, &pilot);
        Ok(())
    }
}

/// The seconds from which on a run is worth a cluster, and the machines that the advice speaks of.
const A_DAY: f64 = 86_400.0;
const MACHINES: f64 = 10.0;

/// The cells with the seconds that a sample of each takes, if known: in words for people.
fn cells_table(job: &Job, seconds: impl Iterator<Item = Option<f64>>, format: Format) -> Printed {
    let mut table = Printed::default();
    let (samples, noun) = (job.plan.samples(), &job.experiment.task.noun);
    let each = format!("a {noun}");
    for (cell, seconds) in job.experiment.cells.iter().zip(seconds) {
        let all = seconds.map(|seconds| seconds * samples as f64);
        let words = |time: Option<f64>| time.map_or(String::new(), duration).into();
        let digits = |time: Option<f64>| time.map(three_digits).into();
        let times = match format {
            Format::Text => [(&*each, words(seconds)), ("all, on one thread", words(all))],
            _ => [
                (
                    "microseconds_per_sample",
                    digits(seconds.map(|time| time * 1e6)),
                ),
                ("core_seconds", digits(all)),
            ],
        };
        let cell = [
            ("cell", cell.name.as_str().into()),
            ("samples", samples.into()),
        ];
        table.push_named(cell.into_iter().chain(times));
    }
    table
}

fn tell_cost(job: &Job, pilot: &Pilot<'_>) {
    let threads = job.threads;
    let seconds = pilot.seconds.iter().sum::<f64>() * job.plan.samples() as f64 / threads as f64;
    tell_size(job);
    let (mut about, mut caution) = ("about", "");
    if pilot.is_heavy {
        about = "at least";
        caution = ", of which one took much of the time: some of the others will take longer";
    }
    let (time, on) = (duration(seconds), counted(threads as u64, "thread"));
    note!("{about} {time} on {on} (estimated from the first samples{caution})");
    if seconds >= A_DAY && !job.experiment.stop.stops_each_cell() {
        let each = duration(seconds / MACHINES);
        note!("on {MACHINES} such machines, in shards, {each} each: see `run --shard`");
    }
    note!("about {} on disk", sized(pilot.disk()));
    for &(metric, half_width) in &pilot.far_limits {
        let (name, half_width) = (&metric.name, three_digits(half_width));
        note!(
            "the declared limits of {name} will make its interval ±{half_width} wide, for none of the \
             first samples came near them: declare what a value can really be, or take more samples"
        );
    }
}

/// Says how long a tournament takes in which every match ends with a player that is silent.
fn tell_worst_case(job: &Job) {
    let patience_of = |name: &str| {
        let mut players = job.experiment.players.iter();
        let player = players.find(|player| player.name == name);
        player.map(|player| player.program.patience)
    };
    let patience = |cell: &Cell| {
        let values = cell.params.iter().map(|(_, value)| value.to_string());
        values.filter_map(|value| patience_of(&value)).max()
    };
    let silences: Vec<Duration> = job.experiment.cells.iter().filter_map(patience).collect();
    let Some(longest) = silences.iter().max() else {
        return;
    };
    let matches = counted(
        silences.len() as u64 * job.plan.samples(),
        &job.experiment.task.noun,
    );
    let silence: f64 = silences.iter().map(Duration::as_secs_f64).sum();
    let threads = job.threads;
    let worst = duration(silence * job.plan.samples() as f64 / threads as f64);
    let (longest, on) = (seconds(*longest), counted(threads as u64, "thread"));
    note!(
        "at worst {worst} on {on}, if a player is silent in each of {matches} for its `patience` ({longest}); one that \
         never answers is out at the start"
    );
}

fn tell_size(job: &Job) {
    let (experiment, plan) = (&job.experiment, &job.plan);
    let each = match job.compiled.cells() {
        1 => String::new(),
        cells => format!(" for each of {}", counted(cells as u64, "cell")),
    };
    let samples = counted(plan.samples(), "sample");
    let blocks = counted(plan.total_blocks(), "block");
    note!(
        "{samples}{each} in {blocks}; stops {}",
        stop_rule(experiment)
    );
    if let Some(cost) = cost_of_the_cap(experiment) {
        note!("{cost}");
    }
}

/// Describes the effect of the cap of a stop rule on the intervals at its looks.
fn cost_of_the_cap(experiment: &Experiment) -> Option<String> {
    let cap = experiment.stop.max_samples;
    match experiment.stop.question? {
        StopQuestion::HalfWidth {
            target: Precision::Relative(_),
            ..
        } => None,
        StopQuestion::HalfWidth {
            metric,
            target: Precision::HalfWidth(target),
            ..
        } => {
            let (metric, level) = (&experiment.task.metrics[metric], experiment.level);
            let limits = metric.unit_limits()?;
            let most = match metric.kind {
                MetricKind::Flag => share_known_after(target, 0.5, level),
                _ => mean_known_after(target, limits.width() / 2.0, limits, level),
            };
            let most = next_look(most?);
            let cap = if most <= cap {
                "and the cap costs nothing".to_owned()
            } else {
                format!("so the cap of {} may come first", count(cap))
            };
            let most = counted(most, "sample");
            Some(format!(
                "the intervals are tuned to the target: it takes at most {most}, {cap}"
            ))
        }
        StopQuestion::Sprt { .. } => {
            Some("the cap does not change what the test decides".to_owned())
        }
        StopQuestion::Claims => {
            let cost = cost_of_cap(100.0, experiment.level);
            let (early, cap) = (counted(cap / 100, "sample"), count(cap));
            Some(format!(
                "the intervals are tuned to the cap of {cap}: what {early} could decide under a cap of \
                 as many takes about {cost:.1} times as many"
            ))
        }
    }
}

fn stop_rule(experiment: &Experiment) -> String {
    let name = |metric: usize| &experiment.task.metrics[metric].name;
    match experiment.stop.question {
        None if !experiment.task.is_random => "after one, since the task has no chance".into(),
        None => "after all samples".into(),
        Some(StopQuestion::HalfWidth {
            metric,
            target,
            each_cell,
        }) => {
            let target = match target {
                Precision::HalfWidth(target) => format!("±{target}"),
                Precision::Relative(share) => format!("±{} %", three_digits(100.0 * share)),
            };
            let whose = if each_cell { "each cell " } else { "" };
            format!(
                "{whose}when {} is known to {target}, or at the cap",
                name(metric)
            )
        }
        Some(StopQuestion::Sprt { metric, .. }) => {
            let metric = name(metric);
            format!("when the test of {metric} has decided, or at the cap")
        }
        Some(StopQuestion::Claims) => "when every claim is decided, or at the cap".into(),
    }
}

/// Bytes as people say them, to two digits or more: `437 KB`, `11 MB`, `2.4 GB`.
fn sized(bytes: u64) -> String {
    match bytes as f64 {
        b if b < 999_500.0 => format!("{:.0} KB", (b / 1e3).max(1.0)),
        b if b < 9.95e6 => format!("{:.1} MB", b / 1e6),
        b if b < 999.5e6 => format!("{:.0} MB", b / 1e6),
        b => format!("{:.1} GB", b / 1e9),
    }
}

fn three_digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::sized;

    #[test]
    fn sizes_have_two_digits_or_more() {
        let said = [0, 437_203, 999_600, 11_246_964, 999_600_000, 67_139_000_000].map(sized);
        assert_eq!(
            said,
            ["1 KB", "437 KB", "1.0 MB", "11 MB", "1.0 GB", "67.1 GB"]
        );
    }
}
