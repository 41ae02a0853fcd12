//! `etude replay`: shows one sample of an experiment step by step.

use base::suggest::did_you_mean;
use base::{count, parse_integer};
use clap::Args;
use experiment::Experiment;
use figures::{sentence, with_unit};
use lab::job::programs;
use lab::run::CompiledExperiment;
use task::{Replay, Row, UNITLESS, Value};

use super::Application;
use super::experiment_arguments::{ExperimentArguments, Leave};
use super::failure::Failure;
use super::progress::Display;
use super::table::write_stdout;

/// Replay one sample of an experiment move by move
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude replay experiments/curated/klondike-casino.toml --sample 7
  etude replay results/klondike-casino                  the sample that its page shows

A run folder with programs that you did not make here needs --run-programs.")]
pub(crate) struct ReplayArguments {
    #[command(flatten)]
    experiment: ExperimentArguments,
    /// The cell, by its name, its values (`hold=20`) or its number [default: 0, the first; without
    /// --sample that of the page]
    #[arg(long, value_name = "CELL")]
    cell: Option<String>,
    /// The sample's index, from 0 [default: that of the page]
    #[arg(long, value_name = "I", allow_negative_numbers = true, value_parser = parse_integer)]
    sample: Option<u64>,
    #[command(flatten)]
    leave: Leave,
}

impl ReplayArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        let mut experiment = self.experiment.load_of_folder(app)?;
        if experiment.file.is_only_benchmark() && !experiment.is_race() {
            experiment = experiment.into_race()?;
        }
        let compiled = CompiledExperiment::of_experiment(&experiment)?;
        let cell = match (&self.cell, self.sample) {
            (Some(cell), _) => find_cell(&experiment, cell)?,
            (None, Some(_)) => 0,
            (None, None) => experiment.exhibited_cell(),
        };
        let sample = self.sample.unwrap_or(experiment.exhibited_sample());
        if sample >= experiment.stop.max_samples {
            let most = count(experiment.stop.max_samples);
            note!(
                "sample {sample} is none of the {most} samples of the experiment; it is drawn like them"
            );
        }
        refuse_program(&experiment, cell)?;
        let given = self.leave.run_programs;
        let consent = programs::ask(&experiment, None, given, &mut Display::default())?;
        compiled.programs().allow(&consent);
        programs::handshake(&compiled, &experiment, &[])?;
        let told = compiled.source(cell).replay(sample);
        let drawn = told.and_then(|story| Ok((story, compiled.source(cell).sample(sample)?)));
        let (replay, row) = drawn.map_err(|error| {
            Failure::failed(format!("sample {} cannot be drawn: {error}", error.sample))
        })?;
        let (name, cell) = (experiment.name(), &experiment.cells[cell].name);
        let heading = format!("{name}, cell {cell}, sample {sample}\n");
        let text = heading + &story(&replay) + &values(&compiled, &row);
        write_stdout(text.as_bytes())
    }
}

/// Refuses the contender of a race that is another program, whose answer has no story.
fn refuse_program(experiment: &Experiment, cell: usize) -> Result<(), Failure> {
    if experiment.cells[cell].program().is_none() {
        return Ok(());
    }
    let name = &experiment.cells[cell].name;
    let fault = format!("`{name}` is another program: its answers cannot be replayed");
    Err(Failure::usage(fault)
        .with_help("`etude bench FILE --instance I` shows the answers of all contenders"))
}

fn find_cell(experiment: &Experiment, cell: &str) -> Result<usize, Failure> {
    let by_name = experiment.cell_names().position(|name| name == cell);
    let by_number = || cell.parse().ok().filter(|&n| n < experiment.cells.len());
    let by_values = || experiment.cell_of(cell);
    let position = by_name.or_else(by_number).or_else(by_values);
    position.ok_or_else(|| {
        let names: Vec<&str> = experiment.cell_names().collect();
        let all = || format!("the cells are, from 0: {}", names.join("; "));
        Failure::usage(format!("there is no cell `{cell}`"))
            .with_help(did_you_mean(cell, names.iter().copied()).unwrap_or_else(all))
    })
}

fn story(replay: &Replay) -> String {
    let mut text = format!("{}\n", replay.instance);
    for frame in &replay.frames {
        text.push_str(&format!("\n{}\n", frame.caption));
        if !frame.board.is_empty() {
            text.push_str(frame.board.trim_end());
            text.push('\n');
        }
    }
    format!("{text}\n{}\n", sentence(&replay.outcome))
}

fn values(compiled: &CompiledExperiment, row: &Row) -> String {
    let metrics = compiled.metrics().iter().zip(row.values());
    let lines = metrics.map(|(metric, value)| {
        let in_unit = |value: i64| measured(metric.write(value), &metric.unit);
        let unit = Some(&*metric.unit).filter(|unit| *unit != UNITLESS);
        let text = match *value {
            Value::Exact(value) => in_unit(value),
            Value::Bounds { lower, upper } => {
                format!("unresolved, {} to {}", metric.write(lower), in_unit(upper))
            }
            Value::Missing => "not defined".into(),
            value => format!("{} {}", metric.show(value), unit.unwrap_or_default()),
        };
        format!("  {:<20} {}\n", metric.name, text.trim_end())
    });
    lines.collect()
}

/// A value in its unit; a flag, whose unit is empty, is 0 or 1.
fn measured(text: String, unit: &str) -> String {
    match text.parse() {
        Ok(value) if !unit.is_empty() => with_unit(value, &text, unit),
        _ => text,
    }
}
