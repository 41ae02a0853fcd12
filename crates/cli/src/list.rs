//! `etude list`: lists games, tasks, players, metrics, parameters and experiments.

use base::{count, suggest};
use clap::{Args, ValueEnum};
use experiment::ExperimentFile;
use figures::{duration, sentence};
use task::{BuiltIn, GameSpec, Metric, MetricKind, ParamKind, ParamValue, TableCell, TaskSpec};

use super::Application;
use super::failure::Failure;
use super::table::{Format, Printed};

/// List games, tasks, players, metrics, parameters or built-in experiments
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude list                          games
  etude list tasks                    what an experiment can measure
  etude list metrics klondike/score   what this task measures
  etude list params --format json     the parameters of every task
  etude list experiments              built-in experiments; `etude plan NAME` estimates the time")]
pub(crate) struct ListArguments {
    /// Kind of entries to list
    #[arg(value_enum, default_value = "games")]
    what: Listing,
    /// Only what belongs to this game or task
    #[arg(value_name = "GAME|TASK")]
    of: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Listing {
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

impl ListArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        let fits = |known: &str| self.of.as_deref().is_none_or(|name| name == known);
        let (mut listed, mut known) = (Vec::new(), Vec::new());
        for &game in app.games {
            let own = game.tasks.iter();
            let own = own.filter(|task| fits(game.name) || fits(&task.name));
            let before = known.len();
            known.extend(own);
            if fits(game.name) || known.len() > before {
                listed.push(game);
            }
        }
        if let Some(name) = self.of.as_deref().filter(|_| listed.is_empty()) {
            return Err(unknown(app.games, name));
        }
        let table = match self.what {
            Listing::Games => games(&listed),
            Listing::Tasks => tasks(&known),
            Listing::Players => players(&listed),
            Listing::Metrics => metrics(&known),
            Listing::Params => params(&known),
            Listing::Experiments => return experiments(app, &known, self.format),
        };
        table.print(self.format)
    }
}

fn unknown(games: &[&'static GameSpec], name: &str) -> Failure {
    let tasks = games.iter().flat_map(|game| game.tasks);
    let names = games.iter().map(|game| game.name);
    let names = names.chain(tasks.map(|task| &*task.name));
    Failure::usage(format!("there is no game or task `{name}`"))
        .with_help(suggest::help(name, names))
}

fn games(games: &[&'static GameSpec]) -> Printed {
    let rows = games.iter().map(|game| {
        let verbs: Vec<&str> = game.verbs.iter().map(|verb| verb.name).collect();
        let (verbs, summary) = (verbs.join(" "), sentence(game.summary));
        let tasks = game.tasks.len();
        [game.name.into(), tasks.into(), verbs.into(), summary.into()]
    });
    Printed::of(["game", "tasks", "verbs", "summary"], rows)
}

fn tasks(tasks: &[&'static TaskSpec]) -> Printed {
    let rows = tasks.iter().map(|task| {
        let row = [&*task.name, &task.sample, &sentence(&task.summary)];
        row.map(TableCell::from)
    });
    Printed::of(["task", "sample", "summary"], rows)
}

fn players(games: &[&'static GameSpec]) -> Printed {
    let of = |game: &&'static GameSpec| game.players.iter().map(|player| (game.name, player));
    let rows = games.iter().flat_map(of).map(|(game, player)| {
        let row = [game, player.side, player.name, &sentence(player.summary)];
        row.map(TableCell::from)
    });
    Printed::of(["game", "side", "player", "summary"], rows)
}

fn metrics(tasks: &[&'static TaskSpec]) -> Printed {
    let of = |task: &&'static TaskSpec| task.metrics.iter().map(|metric| (&task.name, metric));
    let rows = tasks.iter().flat_map(of).map(|(task, metric)| {
        let (kind, summary) = (metric_kind(metric), sentence(&metric.summary));
        let row = [&**task, &metric.name, &metric.unit, &kind, &summary];
        row.map(TableCell::from)
    });
    Printed::of(["task", "metric", "unit", "kind", "summary"], rows)
}

fn params(tasks: &[&'static TaskSpec]) -> Printed {
    let of = |task: &&'static TaskSpec| task.params.iter().map(|param| (&task.name, param));
    let rows = tasks.iter().flat_map(of).map(|(task, param)| {
        let default = param.default.as_ref().map(ParamValue::to_string);
        let default = default.unwrap_or_else(|| "(required)".to_owned());
        let (kind, summary) = (param_kind(&param.kind), sentence(&param.summary));
        let row = [&**task, &param.name, &kind, &default, &summary];
        row.map(TableCell::from)
    });
    Printed::of(["task", "parameter", "values", "default", "summary"], rows)
}

/// The question and cost of the built-in experiments with these tasks, a line each. The samples are
/// of all cells together, at most; the time on one core is at most the committed run's on all its
/// threads by the clock, or about what `plan` expects of one that has not been run.
///
/// Reads the files alone: to build their tasks would take seconds.
fn experiments(
    app: &Application,
    tasks: &[&'static TaskSpec],
    format: Format,
) -> Result<(), Failure> {
    let is_text = format == Format::Text;
    let sizes: &[&str] = if is_text {
        &["samples"]
    } else {
        &["cells", "samples"]
    };
    let columns = [&["experiment"], sizes, &["core time", "question"]].concat();
    let mut table = Printed::new(&columns);
    for built_in in app.experiments {
        let file = ExperimentFile::read(built_in.text, built_in.file)?;
        if !tasks.iter().any(|task| task.name == file.task) {
            continue;
        }
        let sweep = file.sweep.values();
        let cells: u64 = sweep.map(|values| values.len() as u64).product();
        let samples = cells * file.max_samples().unwrap_or_default();
        let sizes = if is_text {
            vec![format!("{:>10}", count(samples)).into()]
        } else {
            vec![cells.into(), samples.into()]
        };
        let row = [built_in.name.into()].into_iter().chain(sizes);
        table.push(row.chain([cost(built_in).into(), file.question.into()]));
    }
    table.print_lines(format)
}

/// The time on one core that an experiment was measured to take, or estimated in its text.
fn cost(built_in: &BuiltIn) -> Option<String> {
    // The wall seconds of all threads: a busy machine takes longer than the work.
    let measured = built_in
        .seconds
        .map(|time| format!("at most {}", duration(time)));
    measured.or_else(|| {
        let mut lines = built_in.text.lines().rev();
        let seconds = lines.find_map(|line| line.strip_prefix("# estimated: ")?.parse().ok());
        seconds.map(|time| format!("about {}", duration(time)))
    })
}

fn metric_kind(metric: &Metric) -> String {
    let (min, max) = metric.limits().unwrap_or_default();
    match metric.kind {
        MetricKind::Flag => "flag".into(),
        MetricKind::Integer => format!("integer {min}..{max}"),
        MetricKind::Number if metric.limits().is_none() => {
            format!("number to {} decimals", metric.decimals)
        }
        MetricKind::Number => {
            let [min, max] = [min, max].map(|end| metric.write(end));
            format!("number {min}..{max} to {} decimals", metric.decimals)
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
