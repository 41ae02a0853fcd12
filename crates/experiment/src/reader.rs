//! The conversion of a file to the checked experiment, with a place for every error.

use base::files;
use stats::Level;
use task::outside::{self, Declaration, InstanceFiles, PlayerDeclaration, Players};
use task::{GameSpec, TaskSpec};

use super::document::Document;
use super::error::{Checked, Problem, position_of};
use super::file::{BudgetTable, ExperimentFile, Nodes};
use super::grid::TriedTask;
use super::relation::Scope;
use super::stop::{MAX_SAMPLES, StopTable};
use super::{
    Cell, ConfigError, Experiment, Overrides, Source, StopRule, benchmark, claim, declared, grid,
    players, prose, setting, stop, unwanted, variance, wager, whole,
};

/// Advice on a list of budgets.
const BUDGETS: &str = "an unresolved sample is tried again with the next, larger budget; what can be \
    compared by a list are parameters, under [sweep]";

/// The context of an experiment file, beside its own keys.
struct Context<'a> {
    source: Source,
    games: &'a [&'static GameSpec],
    /// A task that stands in no game.
    own: Option<TaskSpec>,
    overrides: &'a Overrides,
}

impl Experiment {
    /// Reads and checks an experiment file. `source` is its path, as errors show it, and what belongs to it.
    ///
    /// ```
    /// use etude_experiment::{Experiment, Overrides};
    ///
    /// let error = Experiment::parse("seed = -1", "mine.toml", &[], &Overrides::default());
    /// assert!(error.unwrap_err().to_string().contains("`seed` cannot be `-1`"));
    /// ```
    ///
    /// # Errors
    /// The first fault that is found, at its place in the text.
    pub fn parse(
        text: &str,
        source: impl Into<Source>,
        games: &[&'static GameSpec],
        overrides: &Overrides,
    ) -> Result<Self, ConfigError> {
        let context = Context {
            source: source.into(),
            games,
            own: None,
            overrides,
        };
        read(text, &context)
    }

    /// An experiment with a task of no game, as the front page of this crate shows one. The text is
    /// that of an experiment file.
    ///
    /// # Errors
    /// As [`Experiment::parse`].
    pub fn of_task(task: TaskSpec, text: &str) -> Result<Self, ConfigError> {
        let context = Context {
            source: "experiment.toml".into(),
            games: &[],
            own: Some(task),
            overrides: &Overrides::default(),
        };
        read(text, &context)
    }
}

/// Returns whether a text can be the name of an experiment: small letters, digits and hyphens, and
/// no name that Windows keeps for a device.
pub fn is_name(text: &str) -> bool {
    let fits = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    !text.is_empty() && text.bytes().all(fits) && !files::is_device(text)
}

/// Reads an experiment.
fn read(text: &str, context: &Context) -> Result<Experiment, ConfigError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Lines end alike wherever the file was written.
    let file = text.replace("\r\n", "\n");
    let settings = setting::lines(&context.overrides.set);
    let lines = setting::padded(&settings, file.len());
    let whole = format!("{file}{settings}");
    let refuse = |problem: Problem| match problem.span.clone() {
        Some(span) if span.start >= file.len() && !settings.is_empty() => {
            let own = span.start - file.len()..span.end - file.len();
            ConfigError::new("--set", &settings, problem.placed(own))
        }
        _ => ConfigError::new(&context.source.to_string(), &file, problem),
    };
    let mut document = Document::parse_first(&whole, file.len()).map_err(refuse)?;
    document.set(&lines).map_err(refuse)?;
    let reader = FileReader {
        context,
        document: &document,
    };
    let read = document.file().and_then(|file| reader.experiment(file));
    read.map_err(refuse)
}

/// The part of the file that determines the samples: the task, and the programs that draw or play.
struct Sampled {
    task: TaskSpec,
    command: Option<Declaration>,
    players: Vec<PlayerDeclaration>,
}

impl Sampled {
    /// The number of instances that there are, where it is limited.
    fn instances(&self) -> Option<u64> {
        let instances = self.command.as_ref()?.instances.as_ref()?;
        instances.files().map(InstanceFiles::count)
    }
}

struct FileReader<'a> {
    context: &'a Context<'a>,
    document: &'a Document<'a>,
}

impl FileReader<'_> {
    fn experiment(&self, mut file: ExperimentFile) -> Checked<Experiment> {
        let document = self.document;
        self.general(&mut file)?;
        let level = self.level(file.level)?;
        let sampled = self.sampled(&mut file)?;
        let stop = self.stop(&mut file, &sampled)?;
        let task = &sampled.task;
        let tried = TriedTask::of(task, &sampled.players);
        let cells = grid::compile(&tried, &mut file, document)?;
        let axes = file.sweep.clone();
        let scope = Scope {
            metrics: &task.metrics,
            axes: &axes,
            cells: &cells,
        };
        unwanted::compile(&mut file, document, scope)?;
        let wager = file.wager.as_mut();
        let wager = wager.map(|table| wager::compile(table, document, scope));
        let wager = wager.transpose()?;
        prose::compile(&mut file, document, task, scope)?;
        let claims = claim::compile(std::mem::take(&mut file.claims), document, scope)?;
        benchmark::compile(&mut file, document, task)?;
        self.check_named(&tried.players)?;
        claim::check_stop(&claims, stop, document)?;
        let needs_all = sampled.task.contest.is_some() || file.is_benchmark();
        stop::check_each_cell(stop, needs_all, document)?;
        if let Some(table) = &file.variance {
            variance::check(table, document, &tried, &cells, stop)?;
        }
        self.check_budget_use(&tried, &cells)?;
        let experiment = Experiment {
            source: self.context.source.clone(),
            level,
            stop,
            wager,
            cells,
            task: sampled.task,
            claims,
            command: sampled.command,
            players: sampled.players,
            file,
        };
        prose::check_differences(&experiment, document)?;
        experiment.check_contenders(document, self.context.overrides.is_against)?;
        Ok(experiment)
    }

    /// Refuses a budget that no cell's task heeds; what a run folder holds was run as it is.
    fn check_budget_use(&self, tried: &TriedTask, cells: &[Cell]) -> Checked {
        let path = self.document.at("budget");
        if !path.is_filled() || self.context.source.folder().is_some() {
            return Ok(());
        }
        let Some(reason) = grid::ignored_budget(tried, cells) else {
            return Ok(());
        };
        let problem = path.fault("the budget would change nothing");
        Err(problem.help(format!("{reason}; take the table out")))
    }

    /// Checks the keys that are the same for every task: question, seed, name.
    fn general(&self, file: &mut ExperimentFile) -> Checked {
        let document = self.document;
        let given = self.context.overrides.seed;
        file.seed = given.unwrap_or(file.seed);
        if !document.at("seed").is_filled() && given.is_none() {
            let problem = Problem::nowhere("the key `seed` is missing");
            return Err(problem.help("add `seed = ...` above the first [table]"));
        }
        self.name(file)?;
        if !document.at("question").is_filled() {
            file.question.clone_from(&file.name);
        } else if file.question.trim().is_empty() {
            return Err(document.at("question").mismatch("a text"));
        }
        prose::compile_analysis(file, document)?;
        self.budget(file)?;
        self.increasing(&file.extended_from, "extended-from")
    }

    fn name(&self, file: &mut ExperimentFile) -> Checked {
        let path = self.document.at("name");
        if path.is_filled() {
            let mismatch = || path.mismatch("small letters, digits and hyphens");
            return is_name(&file.name).then_some(()).ok_or_else(mismatch);
        }
        let stem = self.context.source.path().file_stem();
        file.name = stem.unwrap_or_default().to_string_lossy().into_owned();
        is_name(&file.name).then_some(()).ok_or_else(|| {
            let message = format!("`{}` cannot be the name of an experiment", file.name);
            Problem::nowhere(message).help(
                "name the file with small letters, digits and hyphens, or add `name = \"...\"`",
            )
        })
    }

    /// A confidence level; beyond six nines it would be written as 1 once many claims share it.
    fn level(&self, level: f64) -> Checked<Level> {
        let known = Some(level).filter(|level| (1e-6..=1.0 - 1e-6).contains(level));
        let expected = "a level from 0.000001 to 0.999999";
        let mismatch = || self.document.at("level").mismatch(expected);
        known.and_then(Level::new).ok_or_else(mismatch)
    }

    /// Refuses the list at a path unless each number in it is larger than the one before.
    fn increasing(&self, numbers: &[u64], path: &str) -> Checked {
        let falls = numbers.windows(2).position(|pair| pair[0] >= pair[1]);
        falls.map_or(Ok(()), |at| {
            let [before, after] = [at, at + 1].map(|at| whole::digits(numbers[at]));
            let path = self.document.at(path).at(at + 1);
            let problem = path.fault(format!(
                "the list does not increase: {after} follows {before}"
            ));
            Err(problem.expected(format!("expected a whole number above {before}")))
        })
    }

    /// Writes a budget in the usual way: none if it is unlimited, a number if there is one.
    fn budget(&self, file: &mut ExperimentFile) -> Checked {
        let budgets = file.budgets();
        let limits: Vec<u64> = budgets.iter().map(|budget| budget.limit()).collect();
        self.increasing(&limits, "budget.nodes")
            .map_err(|problem| problem.help(BUDGETS))?;
        if limits.is_empty() {
            let problem = self.document.at("budget.nodes").fault("the list is empty");
            return Err(problem
                .expected("expected a whole number, or several")
                .help(BUDGETS));
        }
        let nodes = match limits.as_slice() {
            [u64::MAX] => None,
            [one] => Some(Nodes::One(*one)),
            _ => Some(Nodes::Several(limits)),
        };
        file.budget = nodes.map(|nodes| BudgetTable { nodes: Some(nodes) });
        Ok(())
    }

    /// Reads the task, and the programs of the file that draw or play.
    fn sampled(&self, file: &mut ExperimentFile) -> Checked<Sampled> {
        let folders = self.context.source.program_folders();
        let document = self.document;
        let lender = file.lender().cloned();
        let command = file.command.as_mut();
        let command = command.map(|table| {
            let lender = lender.as_ref();
            declared::compile_command(table, lender, document, (&folders, file.seed))
        });
        let command = command.transpose()?;
        let players = players::compile(&mut file.players, document, &folders)?;
        let task = self.task(file, command.as_ref())?;
        Ok(Sampled {
            task: self.with_players(task, &players)?,
            command,
            players,
        })
    }

    fn task(&self, file: &ExperimentFile, command: Option<&Declaration>) -> Checked<TaskSpec> {
        let tasks = self.context.games.iter().flat_map(|game| game.tasks);
        let (name, path) = (file.task.as_str(), self.document.at("task"));
        match (name == outside::COMMAND, command) {
            (true, Some(command)) => return Ok(outside::spec(command)),
            (true, None) => {
                let problem = path.fault("the task `command` needs a table `[command]`");
                let help = "`etude init command NAME` writes an experiment to begin with";
                return Err(problem.help(help));
            }
            (false, Some(_)) => {
                let problem = self.document.at("command").fault("the command is not used");
                return Err(problem.help("write `task = \"command\"`, or remove the table"));
            }
            (false, None) => {}
        }
        let tasks: Vec<&TaskSpec> = tasks.chain(&self.context.own).collect();
        let unknown = || {
            let fault = path.fault(format!("there is no task `{name}`"));
            fault.expected("expected a task of `etude list tasks`")
        };
        let at = position_of(name, tasks.iter().map(|task| &*task.name), unknown)?;
        Ok(tasks[at].clone())
    }

    /// The task with the players of the file: only a game with players can have them.
    fn with_players(&self, task: TaskSpec, players: &[PlayerDeclaration]) -> Checked<TaskSpec> {
        let Some(first) = players.first() else {
            return Ok(task);
        };
        let of_game = |game: &&&'static GameSpec| task.name.starts_with(&format!("{}/", game.name));
        let game = self.context.games.iter().find(of_game);
        if game.is_none_or(|game| game.players.is_empty()) {
            let path = self.document.at("players").at(&first.name);
            let problem = path.fault_of_key(format!("`{}` has no players", task.name));
            let help = "remove the table, or choose a task of a match game, such as foxes/match";
            return Err(problem.help(help));
        }
        Ok(outside::joined(&task, players))
    }

    /// Compiles the stop rule. Without chance one sample says all, whatever the file asks for.
    fn stop(&self, file: &mut ExperimentFile, sampled: &Sampled) -> Checked<StopRule> {
        let task = &sampled.task;
        if let Some(samples) = self.context.overrides.samples {
            if !(1..=MAX_SAMPLES).contains(&samples) {
                let [samples, most] = [samples, MAX_SAMPLES].map(whole::digits);
                let problem = Problem::nowhere(format!("`--samples` cannot be {samples}"));
                let help = format!("give a whole number from 1 to {most}");
                return Err(problem.help(help));
            }
            let rule = file.stop.take().unwrap_or(StopTable::after(samples));
            file.stop = Some(rule.capped(samples));
        }
        if !task.is_random {
            file.stop.get_or_insert(StopTable::after(1));
        }
        if let Some(instances) = sampled.instances() {
            self.check_instances(file, instances)?;
        }
        let rule = stop::compile(
            file.stop.as_ref(),
            self.document,
            &task.metrics,
            file.claims.len(),
        )?;
        if task.is_random {
            return Ok(rule);
        }
        // A race repeats what a run draws once.
        if !file.is_benchmark() && !self.context.overrides.is_raced {
            file.stop = Some(StopTable::after(1));
        }
        Ok(StopRule::after(1))
    }

    /// Makes all instances the samples unless fewer are asked for, and refuses more.
    fn check_instances(&self, file: &mut ExperimentFile, instances: u64) -> Checked {
        let rule = file.stop.get_or_insert(StopTable::after(instances));
        let asked = rule.max_samples();
        if asked <= instances {
            return Ok(());
        }
        let [asked, instances] = [asked, instances].map(whole::digits);
        let message = format!("{asked} samples of {instances} instances: there are too few files");
        let problem = if self.context.overrides.samples.is_some() {
            Problem::nowhere(message)
        } else {
            self.document.at("stop").fault(message)
        };
        Err(problem.help("leave the number out to sample every file once"))
    }

    /// A player that no cell names is a mistake: it would be started, and never play.
    fn check_named(&self, players: &Players) -> Checked {
        players.unnamed().map_or(Ok(()), |player| {
            let name = &player.name;
            let path = self.document.at("players").at(name);
            let problem = path.fault_of_key(format!("no cell plays `{name}`"));
            let help = "name it as a player under [sweep] or [params], or remove its table";
            Err(problem.help(help))
        })
    }
}
