//! The conversion of a file's mirror to the checked experiment, with a place for every error.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::external;
use crate::external::player::ExternalPlayer;
use crate::search::Budget;
use crate::stats::Level;
use crate::task::{GameSpec, Metric, TaskSpec};

use super::error::{Faults, Problem};
use super::grid::{self, Grid};
use super::value::{MAX_SAMPLES, optional, required};
use super::wire::{ExperimentFile, Item};
use super::{
    ClaimSpec, CommandPart, ConfigError, Experiment, Overrides, StopRule, TruthSpec, claims,
    program, prose, stop, suggest, syntax, truth, value, variance, wager,
};

/// The context of an experiment file, beside its own keys.
struct Context<'a> {
    pub text: &'a str,
    pub source_name: &'a str,
    pub games: &'a [&'static GameSpec],
    /// A task that stands in no game.
    pub own: Option<TaskSpec>,
    pub overrides: &'a Overrides,
}

impl Experiment {
    /// Reads and checks an experiment file. `source_name` is its path, as errors show it.
    ///
    /// ```
    /// use lab::config::{Experiment, Overrides};
    ///
    /// let error = Experiment::parse("seed = -1", "mine.toml", &[], &Overrides::default());
    /// assert!(error.unwrap_err().to_string().contains("the key `task` is missing"));
    /// ```
    ///
    /// # Errors
    /// Every fault of the file, each with its place in the text.
    pub fn parse(
        text: &str,
        source_name: &str,
        games: &[&'static GameSpec],
        overrides: &Overrides,
    ) -> Result<Self, ConfigError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let context = Context {
            text,
            source_name,
            games,
            own: None,
            overrides,
        };
        read(&context).map_err(|problems| ConfigError::new(source_name, text, problems))
    }

    /// An experiment with a task of no game, as the front page of this crate shows one. The text is
    /// that of an experiment file.
    ///
    /// # Errors
    /// As [`Experiment::parse`].
    pub fn of_task(task: TaskSpec, text: &str) -> Result<Self, ConfigError> {
        let source_name = "experiment.toml";
        let context = Context {
            text,
            source_name,
            games: &[],
            own: Some(task),
            overrides: &Overrides::default(),
        };
        read(&context).map_err(|problems| ConfigError::new(source_name, text, problems))
    }
}

/// Reads an experiment, or finds all of its faults.
fn read(context: &Context) -> Result<Experiment, Vec<Problem>> {
    let file = syntax::parse(context.text).map_err(|problem| vec![problem])?;
    let mut reader = FileReader {
        context,
        file: &file,
        faults: Faults::default(),
    };
    let experiment = reader.experiment();
    let problems = reader.faults.into_problems();
    match experiment {
        Some(experiment) if problems.is_empty() => Ok(experiment),
        _ => Err(problems),
    }
}

/// A task with the place of its name.
type PlacedTask = (TaskSpec, Range<usize>);

/// The keys that are the same for every task: question, seed, level, name.
struct GeneralKeys {
    name: String,
    question: String,
    analysis: Option<String>,
    seed: u64,
    level: Level,
    budgets: Vec<Budget>,
    keep_samples: bool,
    exhibit: u64,
    extended_from: Vec<u64>,
}

/// The part of the file that determines the samples: the task, and the programs that draw or play.
struct Sampled {
    task: TaskSpec,
    omitted: Vec<usize>,
    place: Range<usize>,
    command: Option<CommandPart>,
    players: Vec<Arc<ExternalPlayer>>,
}

struct FileReader<'a> {
    context: &'a Context<'a>,
    file: &'a ExperimentFile,
    faults: Faults,
}

impl FileReader<'_> {
    /// Every part is read before the first missing one ends the reading.
    fn experiment(&mut self) -> Option<Experiment> {
        let file = self.file;
        let plain = self.plain();
        let sampled = self.sampled();
        let task = sampled.as_ref().map(|sampled| &sampled.task);
        let metrics = task.map_or(&[] as &[Metric], |task| &task.metrics);
        let chance = task.is_none_or(|task| task.chance);
        let stop = self.keep(|reader| reader.stop(metrics, chance));
        let sampled = sampled?;
        let task = &sampled.task;
        let grid = grid::read(task, sampled.place.clone(), file, &mut self.faults)?;
        let wager = self.keep(|_| wager::read(file.wager.as_ref(), &task.metrics, &grid));
        let answer = self.keep(|_| prose::answer(file, task, &grid));
        let claims = self.claims(task, &grid);
        let truths = self.truths(&sampled, &grid);
        self.keep_all_named(&sampled.players);
        let (plain, stop) = (plain?, stop?);
        let variance = self.keep(|_| variance::read(file.variance.as_ref(), task, &grid, stop));
        Some(Experiment {
            name: plain.name,
            question: plain.question,
            answer: answer?,
            analysis: plain.analysis,
            task: sampled.task,
            omitted: sampled.omitted,
            seed: plain.seed,
            level: plain.level,
            budgets: plain.budgets,
            stop,
            variance: variance?,
            cells: grid.cells,
            axes: grid.axes,
            wager: wager?,
            claims: claims?,
            truths: truths?,
            keep_samples: plain.keep_samples,
            exhibit: plain.exhibit,
            extended_from: plain.extended_from,
            command: sampled.command,
            players: sampled.players,
            source: (
                self.context.source_name.to_owned(),
                self.context.text.to_owned(),
            ),
        })
    }

    /// Reads the keys that are the same for every task.
    fn plain(&mut self) -> Option<GeneralKeys> {
        let file = self.file;
        let name = self.keep(|reader| reader.name());
        let question = self.keep(|_| required("question", &file.question, None, value::text));
        let seed = self.keep(|reader| reader.seed());
        let level = self.keep(|_| optional("level", &file.level, Level::DEFAULT, value::level));
        let analysis = self.keep(|_| prose::analysis(file));
        let budgets = self.keep(|reader| reader.budgets());
        let keep_samples = self.keep(|reader| reader.keep_samples());
        let exhibit = self.keep(|reader| reader.exhibit());
        let extended_from = self.keep(|reader| reader.extended_from());
        Some(GeneralKeys {
            name: name?,
            question: question?,
            analysis: analysis?,
            seed: seed?,
            level: level?,
            budgets: budgets?,
            keep_samples: keep_samples?,
            exhibit: exhibit?,
            extended_from: extended_from?,
        })
    }

    /// Reads the task, and the programs of the file that draw or play.
    fn sampled(&mut self) -> Option<Sampled> {
        let folders = program::folders(self.context.source_name);
        let command = self.file.command.as_ref();
        let command = command.and_then(|table| program::read(table, &folders, &mut self.faults));
        let players = program::players(&self.file.players, &folders, &mut self.faults);
        let task = self.keep(|reader| reader.task(command.as_ref())).flatten();
        let ((task, place), players) = task.zip(players)?;
        let mut task = self.keep(|reader| reader.with_players(task, &players))?;
        let omitted = self.omit_later_metrics(&mut task);
        Some(Sampled {
            task,
            omitted,
            place,
            command,
            players,
        })
    }

    /// Leaves a task the metrics of a stored run, if they are some of its own in the same order;
    /// returns the positions of the others.
    fn omit_later_metrics(&self, task: &mut TaskSpec) -> Vec<usize> {
        let Some(stored) = &self.context.overrides.metrics else {
            return Vec::new();
        };
        let (kept, omitted): (Vec<_>, Vec<_>) = (task.metrics.iter().enumerate())
            .partition(|(_, metric)| stored.iter().any(|name| *name == metric.name));
        if !kept.iter().map(|(_, metric)| &*metric.name).eq(stored) {
            return Vec::new();
        }
        let omitted = omitted.into_iter().map(|(position, _)| position).collect();
        task.metrics = kept.into_iter().map(|(_, metric)| metric.clone()).collect();
        omitted
    }

    fn keep<T>(&mut self, read: impl FnOnce(&Self) -> Result<T, Problem>) -> Option<T> {
        let result = read(self);
        self.faults.keep(result)
    }

    fn name(&self) -> Result<String, Problem> {
        let fits = |name: &str| {
            let is_fit = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
            !name.is_empty() && name.bytes().all(is_fit)
        };
        if let Some(item) = &self.file.name {
            let name = value::text("name", item)?;
            let expected = "small letters, digits and hyphens";
            let mismatch = || value::mismatch("name", item, expected);
            return Some(name).filter(|name| fits(name)).ok_or_else(mismatch);
        }
        let stem = Path::new(self.context.source_name).file_stem();
        let stem = stem.unwrap_or_default().to_string_lossy();
        Some(stem.to_string())
            .filter(|name| fits(name))
            .ok_or_else(|| {
                Problem::nowhere(format!("`{stem}` cannot be the name of an experiment")).help(
                    "name the file with small letters, digits and hyphens, or add `name = \"...\"`",
                )
            })
    }

    fn extended_from(&self) -> Result<Vec<u64>, Problem> {
        let item = self.file.extended_from.as_ref();
        item.map_or(Ok(Vec::new()), |item| {
            value::increasing("extended-from", item)
        })
    }

    /// The task and its place; nothing where the fault is the command's and noted already.
    fn task(&self, command: Option<&CommandPart>) -> Result<Option<PlacedTask>, Problem> {
        let tasks = self.context.games.iter().flat_map(|game| game.tasks);
        let tasks = tasks.chain(&self.context.own);
        let Some(item) = &self.file.task else {
            let names = suggest::list(tasks.map(|task| &*task.name));
            return Err(Problem::nowhere("the key `task` is missing")
                .help(format!("add `task = \"...\"`; there is {names}")));
        };
        let name = value::text("task", item)?;
        if name == external::task::NAME {
            return self.command_task(command, item);
        }
        if let Some(table) = &self.file.command {
            return Err(Problem::at(table.span(), "the command is not used")
                .help("write `task = \"command\"`, or remove the table"));
        }
        let task = tasks.clone().find(|task| task.name == name);
        let task = task.ok_or_else(|| {
            Problem::at(item.span(), format!("there is no task `{name}`"))
                .expected("expected a task of `etude list tasks`")
                .help(suggest::help(&name, tasks.map(|task| &*task.name)))
        })?;
        Ok(Some((task.clone(), item.span())))
    }

    fn command_task(
        &self,
        command: Option<&CommandPart>,
        item: &Item,
    ) -> Result<Option<PlacedTask>, Problem> {
        if self.file.command.is_none() {
            return Err(
                Problem::at(item.span(), "the task `command` needs a table `[command]`")
                    .help("`etude init command NAME` writes an experiment to begin with"),
            );
        }
        let task = command.map(|part| external::task::spec(&part.command));
        Ok(task.map(|task| (task, item.span())))
    }

    /// The task with the players of the file: only a game with players can have them.
    fn with_players(
        &self,
        task: TaskSpec,
        players: &[Arc<ExternalPlayer>],
    ) -> Result<TaskSpec, Problem> {
        let Some((first, _)) = self.file.players.0.first() else {
            return Ok(task);
        };
        let of_game = |game: &&&'static GameSpec| task.name.starts_with(&format!("{}/", game.name));
        let game = self.context.games.iter().find(of_game);
        if game.is_none_or(|game| game.players.is_empty()) {
            let message = format!("`{}` has no players", task.name);
            return Err(Problem::at(first.span(), message)
                .help("remove the table, or choose a task of a match game, such as foxes/match"));
        }
        Ok(external::player::joined(&task, players))
    }

    fn seed(&self) -> Result<u64, Problem> {
        let given = self.context.overrides.seed;
        let read = |key: &str, item: &Item| value::whole(key, item, 0..=u64::MAX);
        match (&self.file.seed, given) {
            (None, Some(seed)) => Ok(seed),
            (seed, _) => Ok(given.unwrap_or(required("seed", seed, None, read)?)),
        }
    }

    /// The budgets of the attempts at a sample; at least one.
    fn budgets(&self) -> Result<Vec<Budget>, Problem> {
        let table = self.file.budget.as_ref();
        let item = table.and_then(|table| table.nodes.as_ref());
        let Some(item) = item else {
            return Ok(vec![Budget::UNLIMITED]);
        };
        let nodes = value::increasing("nodes", item)?;
        Ok(nodes.into_iter().map(Budget::nodes).collect())
    }

    /// Reads the stop rule. Without chance one sample says all, whatever the file asks for.
    fn stop(&self, metrics: &[Metric], chance: bool) -> Result<StopRule, Problem> {
        let claims = self.file.claims.len();
        let table = self.file.stop.as_ref();
        let in_file = table.map(|table| stop::read(table, metrics, claims));
        match (
            in_file.transpose()?.flatten(),
            self.context.overrides.samples,
        ) {
            (_, Some(samples)) if !(1..=MAX_SAMPLES).contains(&samples) => Err(Problem::nowhere(
                format!("`--samples` cannot be {samples}"),
            )
            .help(format!(
                "give a whole number from 1 to {}",
                value::grouped(MAX_SAMPLES)
            ))),
            _ if !chance => Ok(StopRule::Samples(1)),
            (Some(rule), Some(samples)) => Ok(rule.with_max_samples(samples)),
            (None, Some(samples)) => Ok(StopRule::Samples(samples)),
            (Some(rule), None) => Ok(rule),
            (None, None) => Err(Problem {
                span: table.map(|stop| stop.span()),
                ..Problem::nowhere("the experiment does not say when to stop")
            }
            .help("add a table\n    [stop]\n    samples = 1000")),
        }
    }

    fn keep_samples(&self) -> Result<bool, Problem> {
        let output = self.file.output.as_ref();
        let item = output.and_then(|output| output.samples.as_ref());
        item.map_or(Ok(false), |item| value::flag("samples", item))
    }

    fn exhibit(&self) -> Result<u64, Problem> {
        let output = self.file.output.as_ref();
        let item = output.and_then(|output| output.exhibit.as_ref());
        item.map_or(Ok(0), |item| {
            value::whole("exhibit", item, 0..=MAX_SAMPLES - 1)
        })
    }

    /// A player that no cell names is a mistake: it would be started, and never play.
    fn keep_all_named(&mut self, players: &[Arc<ExternalPlayer>]) {
        let keys = self.file.players.0.iter().map(|(key, _)| key);
        let idle = keys.zip(players).filter(|(_, player)| !player.is_named());
        for (key, _) in idle {
            let message = format!("no cell plays `{}`", key.get_ref());
            let problem = Problem::at(key.span(), message)
                .help("name it as a player under [sweep] or [params], or remove its table");
            self.faults.keep(Err::<(), _>(problem));
        }
    }

    fn truths(&mut self, sampled: &Sampled, grid: &Grid) -> Option<Vec<TruthSpec>> {
        let command = sampled.command.as_ref();
        let beside = command.map(|part| part.command.declaration().columns.as_slice());
        truth::read(
            &self.file.truths,
            self.context.text,
            grid.scope(&sampled.task.metrics),
            beside.unwrap_or_default(),
            &mut self.faults,
        )
    }

    fn claims(&mut self, task: &TaskSpec, grid: &Grid) -> Option<Vec<ClaimSpec>> {
        claims::read(
            self.context.text,
            &self.file.claims,
            grid.scope(&task.metrics),
            &mut self.faults,
        )
    }
}
