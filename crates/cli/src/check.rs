//! `etude check`: checks experiment files without running them.

use base::decimal::LEAST_DIGITS;
use base::words::split;
use base::{count, counted};
use clap::Args;
use experiment::{Experiment, Overrides};
use lab::job::{programs, read_experiment};
use task::MetricKind;

use super::Application;
use super::examined::check_players;
use super::experiment_arguments::Settings;
use super::failure::{Failure, tell};
use super::game_verbs::check_player;
use super::progress::Display;
use super::terminal;

/// Validate experiment files without running them, or test a player's program
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude check experiments/curated/*.toml
  etude check --player 'python3 my_fox.py'              test an engine
  etude check --player class.toml                       test every player of a file

The programs that an experiment names are printed and not started.")]
pub(crate) struct CheckArguments {
    /// The experiment files (TOML)
    #[arg(required_unless_present = "player", value_name = "EXPERIMENT")]
    files: Vec<String>,
    #[command(flatten)]
    settings: Settings,
    /// A player's program and its arguments, or an experiment file with players, to test against the Universal
    /// Game Interface
    #[arg(long, value_name = "ARGV", conflicts_with = "files")]
    player: Option<String>,
    /// The game it plays [default: the first that has players of this kind]
    #[arg(long, value_name = "GAME", requires = "player")]
    game: Option<String>,
    /// A folder for a transcript of every fault of the player
    #[arg(long, value_name = "DIR", requires = "player")]
    log: Option<String>,
}

impl CheckArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        if let Some(file) = self
            .player
            .as_ref()
            .filter(|player| player.ends_with(".toml"))
        {
            return check_players(app, file, self.log.as_deref());
        }
        if let Some(player) = &self.player {
            if split(player).first().is_none_or(String::is_empty) {
                return Err(Failure::usage("--player names no program")
                    .with_help("write the program and its arguments in one pair of quotes: --player 'python3 my_fox.py'"));
            }
            let mut options = vec!["--player", player];
            options.extend(self.log.iter().flat_map(|folder| ["--log", folder]));
            return check_player(app.games, self.game.as_deref(), &options);
        }
        self.check_files(app)
    }

    fn check_files(&self, app: &Application) -> Result<(), Failure> {
        let mut wrong = 0;
        let overrides = Overrides {
            set: self.settings.set.clone(),
            ..Overrides::default()
        };
        for file in &self.files {
            let read = read_experiment(app, file, &overrides, &mut Display::default());
            match read.and_then(as_raced) {
                Ok(experiment) => tell_valid(file, experiment),
                Err(failure) => {
                    tell(&failure, app);
                    wrong += 1;
                }
            }
        }
        if wrong == 0 {
            return Ok(());
        }
        let files = self.files.len();
        let message = format!("{wrong} of {files} experiment files cannot be run");
        Err(Failure::usage(message))
    }
}

/// The experiment, as a race if its file has contenders.
fn as_raced(experiment: Experiment) -> Result<Experiment, Failure> {
    if experiment.file.contenders.is_empty() {
        return Ok(experiment);
    }
    experiment.into_race()
}

/// Says that an experiment can be run, and what it starts, rounds and costs.
fn tell_valid(file: &str, mut experiment: Experiment) {
    let (is_race, cells) = (experiment.is_race(), experiment.cells.len() as u64);
    let cells = counted(cells, if is_race { "contender" } else { "cell" });
    let task = &experiment.task.name;
    note!("{file}: valid ({task}, {cells})");
    for missing in programs::missing(&experiment) {
        terminal::warn(&missing);
    }
    let commands = programs::commands(&experiment);
    for command in &commands {
        note!(
            "  a {} starts {command}; check does not",
            if is_race { "race" } else { "run" }
        );
    }
    if is_race {
        match experiment.leave_out_missing() {
            Ok(names) => names.iter().for_each(|name| {
                terminal::warn(&format!(
                    "`{name}` would be left out: its program is not there"
                ));
            }),
            Err(failure) => terminal::warn(&failure.message),
        }
        note!("  to see every contender answer one instance: etude bench {file} --instance 0");
    }
    tell_resolution(&experiment);
    tell_size(&experiment);
}

/// Says what the numbers of a program are rounded to; a built-in task writes its own with its decimals.
fn tell_resolution(experiment: &Experiment) {
    if experiment.command.is_none() {
        return;
    }
    let metrics = experiment.task.metrics.iter();
    for metric in metrics.filter(|metric| metric.kind == MetricKind::Number) {
        let [step, least] = [1, 10_i64.pow(LEAST_DIGITS - 1)].map(|units| metric.write(units));
        let (name, decimals) = (&metric.name, metric.decimals);
        note!(
            "  `{name}` is rounded to {step}; one nearer to 0 than {least} that has more than \
             {decimals} decimals stops the run"
        );
    }
}

/// The number of samples of all cells from which on a check warns of the cost.
const MANY: f64 = 1e11;

/// Says what very many samples cost at the very least.
fn tell_size(experiment: &Experiment) {
    let samples = experiment.stop.max_samples as f64 * experiment.cells.len() as f64;
    if samples >= MANY {
        let days = count((samples * 1e-6 / 86_400.0).round() as u64);
        note!(
            "  up to {samples:.1e} samples: {days} days of one core at a microsecond each; \
             `etude plan` measures the cost"
        );
    }
}
