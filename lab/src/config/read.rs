//! From the mirror of a file to the checked experiment, with a place for every fault.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml::Spanned;

use crate::external;
use crate::external::player::ExternalPlayer;
use crate::search::Budget;
use crate::task::{GameSpec, Metric, TaskSpec};

use super::error::{Faults, Problem};
use super::grid::{self, Grid};
use super::relation::Scope;
use super::wire::{ClaimTable, ExperimentFile, Item, Table};
use super::{
    ClaimSpec, CommandPart, Experiment, Overrides, Selector, StopRule, Subject, TruthSpec, program,
    stop, suggest, syntax, truth, value, variance, wager,
};

/// The most samples of a cell: more would not end.
pub(super) const MAX_SAMPLES: u64 = 10_000_000_000_000;

/// What is outside the file's keys.
pub(super) struct Context<'a> {
    pub text: &'a str,
    pub source_name: &'a str,
    pub games: &'a [&'static GameSpec],
    pub overrides: &'a Overrides,
}

/// Reads an experiment, or finds all of its faults.
pub(super) fn read(context: &Context) -> Result<Experiment, Vec<Problem>> {
    let file = syntax::parse(context.text).map_err(|problem| vec![problem])?;
    let mut reader = Reader {
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
type PlacedTask = (Cow<'static, TaskSpec>, Range<usize>);

struct Reader<'a> {
    context: &'a Context<'a>,
    file: &'a ExperimentFile,
    faults: Faults,
}

impl Reader<'_> {
    /// Every part is read before the first missing one ends the reading.
    fn experiment(&mut self) -> Option<Experiment> {
        let file = self.file;
        let name = self.keep(|reader| reader.name());
        let question = self.keep(|_| required("question", &file.question, None, value::text));
        let folders = program::folders(self.context.source_name);
        let command = file.command.as_ref();
        let command = command.and_then(|table| program::read(table, &folders, &mut self.faults));
        let players = program::players(&file.players, &folders, &mut self.faults);
        let task = self.keep(|reader| reader.task(command.as_ref())).flatten();
        let task = task.and_then(|(task, place)| {
            let players = players.as_deref()?;
            let joined = self.keep(|reader| reader.with_players(task, players));
            Some((joined?, place))
        });
        let seed = self.keep(|reader| reader.seed());
        let level = self.keep(|_| optional("level", &file.level, 0.95, value::level));
        let analysis = self.keep(|reader| reader.analysis());
        let budgets = self.keep(|reader| reader.budgets());
        let keep_samples = self.keep(|reader| reader.keep_samples());
        let exhibit = self.keep(|reader| reader.exhibit());
        let extended_from = self.keep(|reader| reader.extended_from());
        let metrics = task.as_ref().map(|(task, _)| task.metrics.clone());
        let metrics: &[Metric] = metrics.as_deref().unwrap_or_default();
        let chance = task.as_ref().is_none_or(|(task, _)| task.chance);
        let stop = self.keep(|reader| reader.stop(metrics, chance));
        let wager = self.keep(|_| match metrics {
            // Without a task its metrics are not known.
            [] => Ok(None),
            _ => wager::read(file.wager.as_ref(), metrics),
        });
        let (task, place) = task?;
        let grid = grid::read(&task, place, file, &mut self.faults)?;
        let answer = self.keep(|reader| reader.answer(&task, &grid));
        let claims = self.claims(&task, &grid);
        let truths = self.truths(&task, &grid);
        let stop = stop?;
        let variance = file.variance.as_deref();
        let variance = self.keep(|_| variance::read(variance, &task, &grid, stop));
        Some(Experiment {
            name: name?,
            question: question?,
            answer: answer?,
            analysis: analysis?,
            task,
            seed: seed?,
            level: level?,
            budgets: budgets?,
            stop,
            variance: variance?,
            cells: grid.cells,
            axes: grid.axes,
            wager: wager?,
            claims: claims?,
            truths: truths?,
            keep_samples: keep_samples?,
            exhibit: exhibit?,
            extended_from: extended_from?,
            command,
            players: players?,
            source: (
                self.context.source_name.to_owned(),
                self.context.text.to_owned(),
            ),
        })
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
        Ok(Some((Cow::Borrowed(task), item.span())))
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
        Ok(task.map(|task| (Cow::Owned(task), item.span())))
    }

    /// The task with the players of the file: only a game with players can have them.
    fn with_players(
        &self,
        task: Cow<'static, TaskSpec>,
        players: &[Arc<ExternalPlayer>],
    ) -> Result<Cow<'static, TaskSpec>, Problem> {
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
        Ok(Cow::Owned(external::player::joined(&task, players)))
    }

    fn seed(&self) -> Result<u64, Problem> {
        let given = self.context.overrides.seed;
        let read = |key: &str, item: &Item| value::whole(key, item, 0..=u64::MAX);
        match (&self.file.seed, given) {
            (None, Some(seed)) => Ok(seed),
            (seed, _) => Ok(given.unwrap_or(required("seed", seed, None, read)?)),
        }
    }

    /// The answer, whose every place is a metric's.
    fn answer(&self, task: &TaskSpec, grid: &Grid) -> Result<Option<String>, Problem> {
        let Some(item) = &self.file.answer else {
            return Ok(None);
        };
        let answer = value::text("answer", item)?;
        let places = answer.split('{').skip(1);
        for place in places.map(|rest| rest.split('}').next().unwrap_or_default()) {
            let (cell, metric) = match place.rsplit_once(':') {
                Some((cell, metric)) => (Some(cell), metric),
                None => (None, place),
            };
            let metrics = task.metrics.iter().map(|metric| &*metric.name);
            if !metrics.clone().any(|name| name == metric) {
                return Err(misplaced(item, place, suggest::help(metric, metrics)));
            }
            let cells = grid.cells.iter().map(|cell| cell.name.as_str());
            if cell.is_some_and(|cell| !cells.clone().any(|name| name == cell)) {
                return Err(misplaced(
                    item,
                    place,
                    suggest::help(cell.unwrap_or(place), cells),
                ));
            }
        }
        Ok(Some(answer))
    }

    /// The analysis stands at the top or below the last claim.
    fn analysis(&self) -> Result<Option<String>, Problem> {
        let claims = self.file.claims.iter().map(|claim| claim.get_ref());
        let mut below = claims.rev().map(|claim| claim.analysis.as_ref());
        let last = below.next().flatten();
        if let Some(stray) = below.flatten().next() {
            return Err(
                Problem::at(stray.span(), "an analysis stands between claims")
                    .help("move it above the first [table] or below the last claim"),
            );
        }
        match (&self.file.analysis, last) {
            (Some(_), Some(second)) => Err(Problem::at(second.span(), "a second analysis")
                .expected("expected one analysis, which stands above already")),
            (item, last) => {
                let item = item.as_ref().or(last);
                item.map(|item| value::text("analysis", item)).transpose()
            }
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

    /// When to stop. Without chance one sample says all, whatever the file asks for.
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

    fn truths(&mut self, task: &TaskSpec, grid: &Grid) -> Option<Vec<TruthSpec>> {
        let scope = Scope {
            metrics: &task.metrics,
            axes: &grid.axes,
        };
        truth::read(
            &self.file.truths,
            self.context.text,
            scope,
            &mut self.faults,
        )
    }

    fn claims(&mut self, task: &TaskSpec, grid: &Grid) -> Option<Vec<ClaimSpec>> {
        let scope = Scope {
            metrics: &task.metrics,
            axes: &grid.axes,
        };
        let text = self.context.text;
        let claims = self.file.claims.iter();
        let claims = claims.map(|table| claim(text, table, scope));
        self.faults.keep_all(claims)
    }
}

/// A key that must be there; `table` is the place of its table, `None` for the file's own keys.
fn misplaced(item: &Item, place: &str, help: String) -> Problem {
    Problem::at(item.span(), format!("the answer asks for `{place}`"))
        .expected("expected `{METRIC}` or `{CELL:METRIC}`")
        .help(help)
}

pub(super) fn required<T>(
    key: &str,
    item: &Option<Item>,
    table: Option<Range<usize>>,
    read: impl Fn(&str, &Item) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let where_to = match table {
        Some(_) => "to this table",
        None => "above the first [table]",
    };
    item.as_ref()
        .map(|item| read(key, item))
        .unwrap_or_else(|| {
            let problem = Problem::nowhere(format!("the key `{key}` is missing"));
            let problem = problem.help(format!("add `{key} = ...` {where_to}"));
            Err(Problem {
                span: table,
                ..problem
            })
        })
}

pub(super) fn optional<T>(
    key: &str,
    item: &Option<Item>,
    default: T,
    read: impl Fn(&str, &Item) -> Result<T, Problem>,
) -> Result<T, Problem> {
    item.as_ref().map_or(Ok(default), |item| read(key, item))
}

fn claim(
    source: &str,
    table: &Spanned<Table<ClaimTable>>,
    scope: Scope,
) -> Result<ClaimSpec, Problem> {
    let place = table.span();
    let table = table.get_ref();
    let text = |key: &str, item| required(key, item, Some(place.clone()), value::text);
    let read_holds = |key: &str, item: &Item| inside(source, key, item, |text| scope.holds(text));
    let holds = required("holds", &table.holds, Some(place.clone()), read_holds)?;
    let read_where =
        |key: &str, item: &Item| inside(source, key, item, |text| scope.selector(text));
    let selector = optional("where", &table.selector, Selector::default(), read_where)?;
    check_pairs(&holds.subject, &selector, &table.selector)?;
    Ok(ClaimSpec {
        source: text("source", &table.source)?,
        text: text("text", &table.text)?,
        holds: text("holds", &table.holds)?,
        subject: holds.subject,
        relation: holds.relation,
        number: holds.number,
        selector,
        post_hoc: optional("post-hoc", &table.post_hoc, false, value::flag)?,
    })
}

/// Parses a text; a fault within it is moved to its place in the file.
pub(super) fn inside<T>(
    source: &str,
    key: &str,
    item: &Item,
    parse: impl FnOnce(&str) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let text = value::text(key, item)?;
    parse(&text).map_err(|problem| {
        let span = item.span();
        // With escapes the text does not stand in the file as it is; then all of it is at fault.
        let start = source.get(span.clone()).and_then(|raw| raw.find(&text));
        let place = match (start, &problem.span) {
            (Some(start), Some(within)) => {
                let start = span.start + start;
                start + within.start..start + within.end
            }
            _ => span,
        };
        Problem {
            span: Some(place),
            ..problem
        }
    })
}

/// A difference compares two values of a parameter, so `where` cannot select one of them.
fn check_pairs(subject: &Subject, selector: &Selector, item: &Option<Item>) -> Result<(), Problem> {
    match (subject, item) {
        (Subject::Difference { axis, .. }, Some(item))
            if selector.terms.iter().any(|(selected, _)| selected == axis) =>
        {
            Err(Problem::at(
                item.span(),
                "this selects by the parameter that `diff` compares",
            )
            .help("select by other swept parameters only"))
        }
        _ => Ok(()),
    }
}
