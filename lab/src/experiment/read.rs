//! The conversion of a file to the checked experiment, with a place for every error.

use std::path::Path;
use std::sync::Arc;

use crate::programs;
use crate::programs::command::ExternalCommand;
use crate::programs::player::ExternalPlayer;
use crate::stats::Level;
use crate::task::{GameSpec, Metric, TaskSpec};

use super::document::Document;
use super::error::{Faults, Problem};
use super::file::{BudgetTable, ExperimentFile, Nodes};
use super::grid::Grid;
use super::prose::Places;
use super::shape::{self, FileShape};
use super::stop::{MAX_SAMPLES, StopTable};
use super::{
    ConfigError, Experiment, Overrides, StopRule, benchmark, claims, grid, program, prose,
    ratio_claim, stop, suggest, truth, variance, wager,
};

/// The values of a key that takes a list of increasing numbers.
const INCREASING: &str = "increasing whole numbers";

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
    /// use lab::experiment::{Experiment, Overrides};
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
    let mut document = Document::parse(context.text).map_err(|problem| vec![problem])?;
    let mut shape = shape::check(&mut document);
    let problems = std::mem::take(&mut shape.problems);
    if shape.is_broken {
        return Err(problems);
    }
    let mut file = match document.file() {
        Ok(file) => file,
        Err(problem) => return Err([problems, vec![problem]].concat()),
    };
    let mut reader = FileReader {
        context,
        document: &document,
        shape,
        faults: Faults::of_shape(problems),
    };
    reader.general(&mut file);
    let experiment = reader.experiment(file);
    let problems = reader.faults.into_problems();
    match experiment {
        Some(experiment) if problems.is_empty() => Ok(experiment),
        _ => Err(problems),
    }
}

/// The part of the file that determines the samples: the task, and the programs that draw or play.
struct Sampled {
    task: TaskSpec,
    omitted: Vec<usize>,
    command: Option<Arc<ExternalCommand>>,
    players: Vec<Arc<ExternalPlayer>>,
}

struct FileReader<'a> {
    context: &'a Context<'a>,
    document: &'a Document<'a>,
    shape: FileShape,
    faults: Faults,
}

impl FileReader<'_> {
    /// Every part is read before the first missing one ends the reading.
    fn experiment(&mut self, mut file: ExperimentFile) -> Option<Experiment> {
        let document = self.document;
        let level = self.level(file.level);
        let sampled = self.sampled(&mut file);
        let task = sampled.as_ref().map(|sampled| &sampled.task);
        let stop = self.stop(&mut file, task);
        let sampled = sampled?;
        let task = &sampled.task;
        let grid = grid::compile(task, &mut file, document, &mut self.faults)?;
        let wager = wager::compile(file.wager.as_mut(), document, &task.metrics, &grid);
        let wager = self.faults.keep(wager);
        self.words(&mut file, task, &grid);
        let scope = grid.scope(&task.metrics);
        let claims = claims::compile(&mut file.claims, document, scope, &mut self.faults);
        benchmark::compile(&mut file, document, task, &mut self.faults);
        let ratios = ratio_claim::compile(&mut file.claims, document, &mut self.faults);
        let truths = truth::compile(&mut file, document, scope, &mut self.faults);
        self.check_named(&file, &sampled.players);
        let stop = stop?;
        let waits = claims::check_stop(claims.as_deref().unwrap_or_default(), stop, document);
        self.faults.keep(waits);
        self.variance(&file, task, &grid, stop);
        let Grid { axes, cells } = grid;
        let (paths, ratio_claims): (Vec<_>, _) = ratios.into_iter().unzip();
        let experiment = Experiment {
            source: (self.context.source_name.into(), self.context.text.into()),
            task: sampled.task,
            omitted: sampled.omitted,
            level: level?,
            stop,
            cells,
            axes,
            wager: wager?,
            claims: claims?,
            truths: truths?,
            command: sampled.command,
            players: sampled.players,
            ratio_claims,
            file,
        };
        experiment.check_contenders(&paths, document, &mut self.faults);
        Some(experiment)
    }

    /// Compiles all that names figures and cells for people: answer, page and labels.
    fn words(&mut self, file: &mut ExperimentFile, task: &TaskSpec, grid: &Grid) {
        let places = Places {
            document: self.document,
            task,
            grid,
        };
        let answer = places.compile(file.answer.as_mut(), "answer");
        self.faults.keep(answer);
        let page = places.compile_page(file.page.as_mut());
        self.faults.keep(page);
        let labels = places.check_labels(&file.labels, file.contenders.keys());
        self.faults.keep(labels);
    }

    fn variance(&mut self, file: &ExperimentFile, task: &TaskSpec, grid: &Grid, stop: StopRule) {
        let is_sound = !self.shape.faulty.contains("variance");
        let table = (file.variance.as_ref(), is_sound);
        let controlled = variance::check(table, self.document, task, grid, stop);
        self.faults.keep(controlled);
    }

    /// Checks the keys that are the same for every task: question, seed, name.
    fn general(&mut self, file: &mut ExperimentFile) {
        let given = self.context.overrides.seed;
        file.seed = given.unwrap_or(file.seed);
        for key in ["question", "seed"] {
            if self.shape.missing.contains(key) && (key != "seed" || given.is_none()) {
                let problem = Problem::nowhere(format!("the key `{key}` is missing"));
                let help = format!("add `{key} = ...` above the first [table]");
                self.faults.add(problem.help(help));
            }
        }
        self.name(file);
        let analysis = prose::compile_analysis(file, self.document);
        self.faults.keep(analysis);
        self.budget(file);
        if !file.extended_from.is_sorted_by(|a, b| a < b) {
            let problem = self.document.mismatch("extended-from", INCREASING);
            self.faults.add(problem);
        }
    }

    fn name(&mut self, file: &mut ExperimentFile) {
        let is_fit = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        let fits = |name: &str| !name.is_empty() && name.bytes().all(is_fit);
        if self.document.has("name") {
            if !fits(&file.name) {
                let expected = "small letters, digits and hyphens";
                self.faults.add(self.document.mismatch("name", expected));
            }
            return;
        }
        let stem = Path::new(self.context.source_name).file_stem();
        file.name = stem.unwrap_or_default().to_string_lossy().into_owned();
        if !fits(&file.name) {
            let message = format!("`{}` cannot be the name of an experiment", file.name);
            self.faults.add(Problem::nowhere(message).help(
                "name the file with small letters, digits and hyphens, or add `name = \"...\"`",
            ));
        }
    }

    /// A confidence level; beyond six nines it would be written as 1 once many claims share it.
    fn level(&mut self, level: f64) -> Option<Level> {
        let known = Some(level).filter(|level| (1e-6..=1.0 - 1e-6).contains(level));
        let expected = "a level from 0.000001 to 0.999999";
        let mismatch = || self.document.mismatch("level", expected);
        let known = known.and_then(Level::new).ok_or_else(mismatch);
        self.faults.keep(known)
    }

    /// Writes a budget in the usual way: none if it is unlimited, a number if there is one.
    fn budget(&mut self, file: &mut ExperimentFile) {
        let budgets = file.budgets();
        let limits: Vec<u64> = budgets.iter().map(|budget| budget.limit()).collect();
        if limits.is_empty() || !limits.is_sorted_by(|a, b| a < b) {
            let problem = self.document.mismatch("budget.nodes", INCREASING);
            self.faults.add(problem);
        }
        let nodes = match limits.as_slice() {
            [u64::MAX] => None,
            [one] => Some(Nodes::One(*one)),
            _ => Some(Nodes::Several(limits)),
        };
        file.budget = nodes.map(|nodes| BudgetTable { nodes: Some(nodes) });
    }

    /// Reads the task, and the programs of the file that draw or play.
    fn sampled(&mut self, file: &mut ExperimentFile) -> Option<Sampled> {
        let folders = program::folders(self.context.source_name);
        let (document, faults) = (self.document, &mut self.faults);
        let is_sound = |key: &str| !self.shape.faulty.contains(key);
        let borrows = file.borrows_program();
        if borrows {
            file.lend_program();
        }
        let command = file.command.as_mut().filter(|_| is_sound("command"));
        let command =
            command.and_then(|table| program::compile_command(table, document, &folders, faults));
        if borrows {
            file.take_back();
        }
        let players = Some(&mut file.players).filter(|_| is_sound("players"));
        let players =
            players.and_then(|tables| program::compile_players(tables, document, &folders, faults));
        let task = self.task(file, command.as_ref());
        let task = self.faults.keep(task).flatten();
        let (task, players) = task.zip(players)?;
        let task = self.with_players(task, file, &players);
        let mut task = self.faults.keep(task)?;
        let omitted = self.omit_later_metrics(&mut task);
        Some(Sampled {
            task,
            omitted,
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

    /// The task; nothing where the fault is the command's and noted already.
    fn task(
        &self,
        file: &ExperimentFile,
        command: Option<&Arc<ExternalCommand>>,
    ) -> Result<Option<TaskSpec>, Problem> {
        let tasks = self.context.games.iter().flat_map(|game| game.tasks);
        let tasks = tasks.chain(&self.context.own);
        let name = file.task.as_str();
        if self.shape.missing.contains("task") {
            let names = suggest::list(tasks.map(|task| &*task.name));
            return Err(Problem::nowhere("the key `task` is missing")
                .help(format!("add `task = \"...\"`; there is {names}")));
        }
        match (name == programs::task::NAME, &file.command) {
            (true, Some(_)) => return Ok(command.map(programs::task::spec)),
            (true, None) => {
                return Err(self
                    .document
                    .fault("task", "the task `command` needs a table `[command]`")
                    .help("`etude init command NAME` writes an experiment to begin with"));
            }
            (false, Some(_)) => {
                return Err(self
                    .document
                    .fault("command", "the command is not used")
                    .help("write `task = \"command\"`, or remove the table"));
            }
            (false, None) => {}
        }
        let task = tasks.clone().find(|task| task.name == name);
        let task = task.ok_or_else(|| {
            self.document
                .fault("task", format!("there is no task `{name}`"))
                .expected("expected a task of `etude list tasks`")
                .help(suggest::help(name, tasks.map(|task| &*task.name)))
        })?;
        Ok(Some(task.clone()))
    }

    /// The task with the players of the file: only a game with players can have them.
    fn with_players(
        &self,
        task: TaskSpec,
        file: &ExperimentFile,
        players: &[Arc<ExternalPlayer>],
    ) -> Result<TaskSpec, Problem> {
        let Some((first, _)) = file.players.first() else {
            return Ok(task);
        };
        let of_game = |game: &&&'static GameSpec| task.name.starts_with(&format!("{}/", game.name));
        let game = self.context.games.iter().find(of_game);
        if game.is_none_or(|game| game.players.is_empty()) {
            let message = format!("`{}` has no players", task.name);
            let problem = self
                .document
                .fault_of_key(&format!("players.{first}"), message);
            return Err(problem
                .help("remove the table, or choose a task of a match game, such as foxes/match"));
        }
        Ok(programs::player::joined(&task, players))
    }

    /// Compiles the stop rule. Without chance one sample says all, whatever the file asks for.
    fn stop(&mut self, file: &mut ExperimentFile, task: Option<&TaskSpec>) -> Option<StopRule> {
        let metrics = task.map_or(&[] as &[Metric], |task| &task.metrics);
        if let Some(samples) = self.context.overrides.samples {
            if !(1..=MAX_SAMPLES).contains(&samples) {
                let most = shape::grouped(MAX_SAMPLES.into());
                let problem = Problem::nowhere(format!("`--samples` cannot be {samples}"));
                let help = format!("give a whole number from 1 to {most}");
                self.faults.add(problem.help(help));
                return None;
            }
            file.stop.set_max_samples(samples);
        }
        let has_chance = task.is_none_or(|task| task.is_random);
        if !has_chance && file.stop == StopTable::default() {
            file.stop = StopTable::after(1);
        }
        let rule = stop::compile(&file.stop, self.document, metrics, file.claims.len());
        let rule = self.faults.keep(rule)?;
        if has_chance {
            return Some(rule);
        }
        // A benchmark repeats what a run draws once.
        if !file.is_benchmark() {
            file.stop = StopTable::after(1);
        }
        Some(StopRule::Samples(1))
    }

    /// A player that no cell names is a mistake: it would be started, and never play.
    fn check_named(&mut self, file: &ExperimentFile, players: &[Arc<ExternalPlayer>]) {
        let names = file.players.keys().zip(players);
        for (name, _) in names.filter(|(_, player)| !player.is_named()) {
            let message = format!("no cell plays `{name}`");
            let problem = self
                .document
                .fault_of_key(&format!("players.{name}"), message);
            self.faults.add(
                problem.help("name it as a player under [sweep] or [params], or remove its table"),
            );
        }
    }
}
