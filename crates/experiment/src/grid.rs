//! The cells of an experiment: its parameters, and every combination of the swept ones.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::words::join;
use indexmap::IndexMap;

use base::{count, visible_line};
use task::outside::{COMMAND, Declaration, PlayerDeclaration, Players};
use task::{ParamError, ParamKind, ParamSpec, ParamValue, Params, Task, TaskSpec};

use super::contenders::Contender;
use super::document::{Document, KeyPath, misplaced};
use super::error::{Checked, Problem};
use super::file::ExperimentFile;
use super::suggest;
use super::sweep::SweepTable;

/// A point of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The name of the cell: the swept value (`random`), `fox=random,hens=safe` with several axes, `all`
    /// without a sweep.
    pub name: String,
    /// Every parameter of the task.
    pub params: Params,
    /// The swept ones among them, in the order of the axes.
    pub swept: Vec<(String, ParamValue)>,
    /// The contender that answers in a cell of a race; `None` in any other experiment.
    pub contender: Option<Contender>,
}

impl Cell {
    /// The name of the contender's table; `None` where a cell of the sweep races.
    pub fn table(&self) -> Option<&String> {
        self.contender.as_ref()?.table.as_ref()
    }

    /// The program that answers; `None` where the task itself does.
    pub fn program(&self) -> Option<&Declaration> {
        self.contender.as_ref()?.program.as_ref()
    }

    /// The command line of the contender's program; `None` where the task itself answers.
    pub fn command(&self) -> Option<String> {
        let argv = &self.program()?.program.argv;
        Some(join(argv.iter().map(String::as_str)))
    }

    /// Returns whether a text among its parameters has this name for one of its words.
    pub(crate) fn names(&self, name: &str) -> bool {
        let is_between = |c: char| !(c.is_alphanumeric() || ['_', '-'].contains(&c));
        let has = |value: &ParamValue| value.to_string().split(is_between).any(|word| word == name);
        self.params.iter().any(|(_, value)| has(value))
    }
}

/// A task on trial, with the players that its parameters may name: it is built to see whether it accepts parameters,
/// and draws nothing.
pub(super) struct TriedTask<'a> {
    /// The task.
    pub(super) spec: &'a TaskSpec,
    /// The players, which have no engines.
    pub(super) players: Arc<Players>,
}

impl<'a> TriedTask<'a> {
    pub(super) fn of(spec: &'a TaskSpec, players: &[PlayerDeclaration]) -> Self {
        let players = Arc::new(Players::declared(players));
        Self { spec, players }
    }

    /// The task with the parameters of a cell; `None` where another program draws the samples.
    ///
    /// # Errors
    /// As the task says of these parameters.
    fn build(&self, cell: &Cell) -> Result<Option<Box<dyn Task>>, ParamError> {
        let build = || {
            self.spec
                .build(&cell.params.clone().with_players(&self.players))
        };
        (self.spec.name != COMMAND).then(build).transpose()
    }

    /// The tasks of those cells whose samples no other program draws.
    pub(super) fn all(&self, cells: &[Cell]) -> impl Iterator<Item = Box<dyn Task>> {
        let built = cells.iter().filter_map(|cell| self.build(cell).ok());
        built.flatten()
    }
}

/// Returns the reason for which a budget changes no sample of these cells; `None` where it may.
pub(super) fn ignored_budget(tried: &TriedTask, cells: &[Cell]) -> Option<&'static str> {
    let reasons: Option<Vec<_>> = tried.all(cells).map(|task| task.ignores_budget()).collect();
    reasons?.first().copied()
}

/// The most cells of one experiment.
const MAX_CELLS: usize = 10_000;

/// Compiles `[params]` and `[sweep]` for a task, and builds the task of every cell once; the first
/// axis is the slowest. Both tables are written back with every value as the task takes it, and
/// `[params]` with every default.
pub(super) fn compile(
    tried: &TriedTask,
    file: &mut ExperimentFile,
    document: &Document,
) -> Checked<Vec<Cell>> {
    let task = tried.spec;
    let fixed = file.params.iter().map(|(name, value)| {
        let path = document.at("params").at(name);
        let value = read(spec(task, name, &path, &[])?, value, &path)?;
        Ok((name.clone(), value))
    });
    let fixed = fixed.collect::<Checked<_>>()?;
    let swept = (file.sweep.iter()).map(|(name, values)| swept(task, name, values, document));
    file.sweep.axes = swept.collect::<Checked<_>>()?;
    file.sweep.check_zip(&document.at("sweep"))?;
    file.params = fixed;
    check_given(task, file, document)?;
    check_size(&file.sweep, document)?;
    let swept = (0..file.sweep.cells()).map(|at| file.sweep.of_cell(at));
    let cells: Vec<Cell> = swept.map(|swept| cell(task, &file.params, swept)).collect();
    check_names(&cells, document)?;
    for cell in &cells {
        let built = tried.build(cell).map(drop);
        built.map_err(|error| unbuildable(cell, error, file, document))?;
    }
    let params = cells.iter().take(1).flat_map(|cell| cell.params.iter());
    let shared = params.filter(|(name, _)| !file.sweep.contains_key(*name));
    file.params = shared
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect();
    Ok(cells)
}

/// A swept parameter with its values as the task takes them.
fn swept(
    task: &TaskSpec,
    name: &str,
    values: &[ParamValue],
    document: &Document,
) -> Checked<(String, Vec<ParamValue>)> {
    let path = document.at("sweep").at(name);
    let spec = spec(task, name, &path, &[])?;
    if values.is_empty() {
        let problem = path.fault(format!("the sweep of `{name}` is empty"));
        return Err(problem.expected("expected a list of at least one value"));
    }
    let read = (values.iter().enumerate()).map(|(index, value)| read(spec, value, &path.at(index)));
    let values = read.collect::<Checked<Vec<_>>>()?;
    check_values(name, &values, &path)?;
    Ok((name.to_owned(), values))
}

/// The declaration of the parameter that stands at a path, in a table that has these keys, too.
pub(super) fn spec<'a>(
    task: &'a TaskSpec,
    name: &str,
    path: &KeyPath,
    keys: &[&str],
) -> Checked<&'a ParamSpec> {
    let known = task.params.iter().find(|spec| spec.name == *name);
    known.ok_or_else(|| {
        let params = task.params.iter().map(|spec| &*spec.name);
        let names = params.chain(keys.iter().copied());
        let message = format!("`{}` has no parameter `{name}`", task.name);
        let help = misplaced(name).unwrap_or_else(|| suggest::help(name, names));
        path.fault_of_key(message).help(help)
    })
}

/// The value at a path as the parameter takes it.
pub(super) fn read(spec: &ParamSpec, value: &ParamValue, path: &KeyPath) -> Checked<ParamValue> {
    spec.kind.read(value).ok_or_else(|| {
        let problem = path.mismatch(&spec.kind.accepted());
        match (&spec.kind, value) {
            (ParamKind::Choice(words), ParamValue::Text(text)) => Problem {
                help: suggest::did_you_mean(text, words.iter()),
                ..problem
            },
            (ParamKind::Number { .. }, ParamValue::Integer(integer))
                if value.number().is_none() =>
            {
                let near = *integer as f64;
                problem.help(format!(
                    "it would be rounded: the nearest number that is held exactly is `{near}`"
                ))
            }
            _ => problem,
        }
    })
}

/// Swept values name cells, and a cell's name is a field of every table: each value once, on one
/// line, all of it seen.
fn check_values(name: &str, values: &[ParamValue], path: &KeyPath) -> Checked {
    let is_hidden = |value: &ParamValue| visible_line(&value.to_string()) != value.to_string();
    if let Some(index) = values.iter().position(is_hidden) {
        let message = format!(
            "a value of the sweep of `{name}` has a line feed, another control character or a \
             mark of writing direction"
        );
        let problem = path.at(index).fault(message);
        return Err(problem
            .expected("expected a text in one line: it names a cell")
            .help("sweep short names, and let the program look up what they stand for"));
    }
    let repeated = (1..values.len()).find(|&index| values[..index].contains(&values[index]));
    repeated.map_or(Ok(()), |index| {
        let message = format!("the sweep of `{name}` has `{}` twice", values[index]);
        let problem = path.at(index).fault(message);
        Err(problem.expected("expected each value once"))
    })
}

/// Refuses parameters that are set twice, and required ones that are not set.
fn check_given(task: &TaskSpec, file: &ExperimentFile, document: &Document) -> Checked {
    let mut swept = file.sweep.keys();
    if let Some(name) = swept.find(|name| file.params.contains_key(*name)) {
        let path = document.at("sweep").at(name);
        let problem = path.fault_of_key(format!("`{name}` is both set and swept"));
        return Err(problem
            .help("give it once: one value under [params], or a list of values under [sweep]"));
    }
    let missing = task.params.iter().find(|spec| {
        let name = spec.name.as_ref();
        let is_given = file.params.contains_key(name) || file.sweep.contains_key(name);
        spec.default.is_none() && !is_given
    });
    missing.map_or(Ok(()), |spec| {
        let (name, accepted) = (&spec.name, spec.kind.accepted());
        let message = format!("`{}` needs the parameter `{name}`", task.name);
        let problem = document.at("task").fault(message);
        Err(problem.help(format!("add to [params]: `{name} = ...`, {accepted}")))
    })
}

fn check_size(sweep: &SweepTable, document: &Document) -> Checked {
    let size = sweep.cells();
    match sweep.last() {
        Some((name, _)) if size > MAX_CELLS => {
            let [size, most] = [size, MAX_CELLS].map(|cells| count(cells as u64));
            let message = format!("the sweep has {size} cells, more than {most}");
            let problem = document.at("sweep").at(name).fault_of_key(message);
            Err(problem.help("sweep fewer values, or make several experiments of it"))
        }
        _ => Ok(()),
    }
}

fn cell(
    task: &TaskSpec,
    fixed: &IndexMap<String, ParamValue>,
    swept: Vec<(String, ParamValue)>,
) -> Cell {
    let mut params = Params::defaults(&task.params);
    let swept_values = swept.iter().map(|(name, value)| (name, value));
    for (name, value) in fixed.iter().chain(swept_values) {
        params.set(name, value.clone());
    }
    Cell {
        name: name(&swept),
        params,
        swept,
        contender: None,
    }
}

/// `all`, the value of the only axis, or `fox=random,hens=safe`.
fn name(swept: &[(String, ParamValue)]) -> String {
    match swept {
        [] => "all".to_owned(),
        [(_, value)] if !value.to_string().is_empty() => value.to_string(),
        _ => {
            let terms = swept.iter().map(|(name, value)| format!("{name}={value}"));
            terms.collect::<Vec<_>>().join(",")
        }
    }
}

/// Texts with commas may give two combinations one name.
fn check_names(cells: &[Cell], document: &Document) -> Checked {
    let mut names = BTreeSet::new();
    let twin = cells.iter().find(|cell| !names.insert(&cell.name));
    twin.map_or(Ok(()), |cell| {
        let message = format!("two cells would have the name `{}`", cell.name);
        let problem = document
            .at("sweep")
            .at(&cell.swept[0].0)
            .fault_of_key(message);
        Err(problem.help("change a value that contains `,` or `=`"))
    })
}

/// The fault of a parameter that the task refused, at its value in this cell.
fn unbuildable(
    cell: &Cell,
    error: ParamError,
    file: &ExperimentFile,
    document: &Document,
) -> Problem {
    let name = &error.name;
    let swept = cell.swept.iter().find(|(known, _)| known == name);
    let index = swept.and_then(|(_, value)| file.sweep[name].iter().position(|one| one == value));
    let problem = match index {
        Some(index) => document.at("sweep").at(name).at(index).fault(error.message),
        None if file.params.contains_key(name) => {
            document.at("params").at(name).fault(error.message)
        }
        None => (document.at("task").fault(error.message))
            .expected(format!("`{name}` is not set and has its default")),
    };
    problem.help(error.help)
}
