//! `etude list`: lists games, tasks, players, metrics, parameters and experiments.

use crate::config::{Experiment, Overrides};
use crate::task::{Cell, GameSpec, MetricKind, ParamDefault, ParamKind, decimal};
use clap::{Args, ValueEnum};

use super::failure::Failure;
use super::plan::duration;
use super::program::Program;
use super::reference::sentence;
use super::table::{Format, Printed};

/// List games, tasks, players, metrics, parameters or built-in experiments
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude list                          games
  etude list tasks                    what an experiment can measure
  etude list params --format json     the parameters of every task
  etude list experiments              built-in experiments; `etude plan NAME` estimates the time")]
pub struct List {
    /// What to list
    #[arg(value_enum, default_value = "games")]
    what: What,
    /// How the table is written
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// The games.
    Games,
    /// The tasks: random experiments over a game.
    Tasks,
    /// The players of match games.
    Players,
    /// The metrics of every task.
    Metrics,
    /// The parameters of every task.
    Params,
    /// The built-in experiments.
    Experiments,
}

impl List {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let table = match self.what {
            What::Games => games(program.games),
            What::Tasks => tasks(program.games),
            What::Players => players(program.games),
            What::Metrics => metrics(program.games),
            What::Params => params(program.games),
            What::Experiments => experiments(program)?,
        };
        table.print(self.format)
    }
}

/// What something is, in a sentence.
fn summary(text: &str) -> Cell {
    Cell::Text(sentence(text))
}

fn games(games: &[&'static GameSpec]) -> Printed {
    let mut table = Printed::new(&["game", "tasks", "verbs", "summary"]);
    for game in games {
        let verbs: Vec<&str> = game.verbs.iter().map(|verb| verb.name).collect();
        table.push([
            text(game.name),
            Cell::Integer(game.tasks.len() as i128),
            Cell::Text(verbs.join(" ")),
            summary(game.summary),
        ]);
    }
    table
}

fn tasks(games: &[&'static GameSpec]) -> Printed {
    let mut table = Printed::new(&["task", "sample", "summary"]);
    for task in games.iter().flat_map(|game| game.tasks) {
        table.push([text(&task.name), text(&task.sample), summary(&task.summary)]);
    }
    table
}

fn players(games: &[&'static GameSpec]) -> Printed {
    let mut table = Printed::new(&["game", "side", "player", "summary"]);
    for game in games {
        for player in game.players {
            table.push([
                text(game.name),
                text(player.side),
                text(player.name),
                summary(player.summary),
            ]);
        }
    }
    table
}

fn metrics(games: &[&'static GameSpec]) -> Printed {
    let mut table = Printed::new(&["task", "metric", "unit", "kind", "summary"]);
    for task in games.iter().flat_map(|game| game.tasks) {
        for metric in task.metrics.iter() {
            table.push([
                text(&task.name),
                text(&metric.name),
                text(&metric.unit),
                Cell::Text(metric_kind(metric.kind)),
                summary(&metric.summary),
            ]);
        }
    }
    table
}

fn params(games: &[&'static GameSpec]) -> Printed {
    let mut table = Printed::new(&["task", "parameter", "values", "default", "summary"]);
    for task in games.iter().flat_map(|game| game.tasks) {
        for param in task.params.iter() {
            table.push([
                text(&task.name),
                text(&param.name),
                Cell::Text(param_kind(&param.kind)),
                default(&param.default),
                summary(&param.summary),
            ]);
        }
    }
    table
}

/// Question and cost of every built-in experiment. The samples are of all cells together, at most;
/// the time is what the committed run took, on one core.
fn experiments(program: &Program) -> Result<Printed, Failure> {
    let mut table = Printed::new(&["experiment", "cells", "samples", "core time", "question"]);
    for (name, text) in program.experiments {
        let source = format!("{name}.toml");
        let experiment = Experiment::parse(text, &source, program.games, &Overrides::default())?;
        let cells = experiment.cells.len();
        table.push([
            Cell::Text(experiment.name.clone()),
            Cell::Integer(cells as i128),
            Cell::Integer(i128::from(experiment.stop.max_samples()) * cells as i128),
            measured(text).map_or(Cell::Empty, |seconds| Cell::Text(duration(seconds))),
            Cell::Text(experiment.question),
        ]);
    }
    Ok(table)
}

/// The seconds on one core that an experiment's text says it was measured to take.
fn measured(text: &str) -> Option<f64> {
    let mut lines = text.lines().rev();
    lines.find_map(|line| line.strip_prefix("# measured: ")?.parse().ok())
}

fn metric_kind(kind: MetricKind) -> String {
    match kind {
        MetricKind::Flag => "flag".into(),
        MetricKind::Integer { min, max } => format!("integer {min}..{max}"),
        MetricKind::Number { decimals, limits } => {
            let bounds = limits.map_or(String::new(), |(min, max)| {
                let [min, max] = [min, max].map(|end| decimal::text(end, decimals));
                format!(" {min}..{max}")
            });
            format!("number{bounds} to {decimals} decimals")
        }
        MetricKind::Total => "total".into(),
        MetricKind::Ratio => "ratio".into(),
        MetricKind::Weight => "weight".into(),
        MetricKind::Pair => "pair 0..4".into(),
    }
}

fn param_kind(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Text => "text".into(),
        ParamKind::Choice(words) => words.iter().collect::<Vec<_>>().join(" | "),
        ParamKind::Integer { min, max } => format!("integer {min}..{max}"),
        ParamKind::Number { min, max } => format!("number {min}..{max}"),
        ParamKind::Flag => "true | false".into(),
    }
}

fn default(default: &ParamDefault) -> Cell {
    default
        .value()
        .map_or(text("(required)"), |value| Cell::Text(value.to_string()))
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}
