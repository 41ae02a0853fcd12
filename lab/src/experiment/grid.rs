//! The cells of an experiment: its parameters, and every combination of the swept ones.

use indexmap::IndexMap;
use std::collections::BTreeSet;

use crate::task::{
    Metric, ParamError, ParamKind, ParamSpec, ParamValue, Params, Task, TaskSpec, visible_line,
};

use super::document::Document;
use super::error::{Faults, Problem};
use super::file::ExperimentFile;
use super::relation::Scope;
use super::{shape, suggest};

/// A swept parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The parameter's name.
    pub name: String,
    /// Its values in file order, all different; at least one.
    pub values: Vec<ParamValue>,
}

/// One point of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its name: the swept value (`random`), `fox=random,hens=safe` with several axes, `all`
    /// without a sweep.
    pub name: String,
    /// Every parameter of the task.
    pub params: Params,
    /// The swept ones among them, in the order of the axes.
    pub swept: Vec<(String, ParamValue)>,
}

impl Cell {
    /// Builds the cell's task. It was built once while the file was checked, so it builds again.
    ///
    /// # Errors
    /// As the task says of these parameters.
    pub fn build(&self, task: &TaskSpec) -> Result<Box<dyn Task>, ParamError> {
        task.build(&self.params)
    }
}

/// The most cells of one experiment.
const MAX_CELLS: usize = 10_000;

/// The axes of a sweep and its cells, first axis slowest.
#[derive(Debug)]
pub(super) struct Grid {
    pub axes: Vec<Axis>,
    pub cells: Vec<Cell>,
}

impl Grid {
    /// The names that claims, truths and answers may use.
    pub fn scope<'a>(&'a self, metrics: &'a [Metric]) -> Scope<'a> {
        Scope {
            metrics,
            axes: &self.axes,
        }
    }
}

/// A parameter of the file: one value under `[params]`, any number under `[sweep]`.
struct GivenParam<'a> {
    spec: &'a ParamSpec,
    /// Its path in the file.
    path: String,
    values: Vec<ParamValue>,
}

/// The parameters of a file beside its task.
struct Settings<'a> {
    task: &'a TaskSpec,
    document: &'a Document<'a>,
    fixed: Vec<GivenParam<'a>>,
    swept: Vec<GivenParam<'a>>,
}

/// Compiles `[params]` and `[sweep]` for a task, and builds the task of every cell once. Both are
/// written back with every value as the task takes it, and `[params]` with every default.
pub(super) fn compile(
    task: &TaskSpec,
    file: &mut ExperimentFile,
    document: &Document,
    faults: &mut Faults,
) -> Option<Grid> {
    let fixed = (file.params.iter()).map(|(name, value)| fixed(task, document, name, value));
    let fixed = faults.keep_all(fixed);
    let swept = (file.sweep.iter()).map(|(name, values)| swept(task, document, name, values));
    let swept = faults.keep_all(swept);
    let settings = Settings {
        task,
        document,
        fixed: fixed?,
        swept: swept?,
    };
    faults.keep_all(settings.conflicts())?;
    faults.keep(settings.check_size())?;
    let cells: Vec<Cell> = (0..settings.size())
        .map(|cell| settings.cell(cell))
        .collect();
    faults.keep(settings.check_names(&cells))?;
    faults.keep_all(settings.builds(&cells))?;
    let axes = settings.swept.into_iter().map(GivenParam::into_axis);
    let axes: Vec<Axis> = axes.collect();
    let axis = |axis: &Axis| (axis.name.clone(), axis.values.clone());
    file.sweep = axes.iter().map(axis).collect();
    file.params = shared(&cells, &file.sweep);
    Some(Grid { axes, cells })
}

/// The parameters that all cells share.
fn shared(
    cells: &[Cell],
    sweep: &IndexMap<String, Vec<ParamValue>>,
) -> IndexMap<String, ParamValue> {
    let params = cells.iter().take(1).flat_map(|cell| cell.params.iter());
    params
        .filter(|(name, _)| !sweep.contains_key(*name))
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect()
}

fn fixed<'a>(
    task: &'a TaskSpec,
    document: &Document,
    name: &str,
    value: &ParamValue,
) -> Result<GivenParam<'a>, Problem> {
    let path = format!("params.{name}");
    let spec = spec(task, document, &path, name)?;
    Ok(GivenParam {
        values: vec![read(spec, value, &path, document)?],
        spec,
        path,
    })
}

fn swept<'a>(
    task: &'a TaskSpec,
    document: &Document,
    name: &str,
    values: &[ParamValue],
) -> Result<GivenParam<'a>, Problem> {
    let path = format!("sweep.{name}");
    let spec = spec(task, document, &path, name)?;
    if values.is_empty() {
        return Err(document
            .fault(&path, format!("the sweep of `{name}` is empty"))
            .expected("expected a list of at least one value"));
    }
    let values = values.iter().enumerate();
    let values =
        values.map(|(index, value)| read(spec, value, &format!("{path}.{index}"), document));
    let values = values.collect::<Result<Vec<_>, _>>()?;
    check_visible(name, &values, document)?;
    check_distinct(name, &values, document)?;
    Ok(GivenParam { spec, path, values })
}

fn spec<'a>(
    task: &'a TaskSpec,
    document: &Document,
    path: &str,
    name: &str,
) -> Result<&'a ParamSpec, Problem> {
    let known = task.params.iter().find(|spec| spec.name == *name);
    known.ok_or_else(|| {
        let names = task.params.iter().map(|spec| &*spec.name);
        let message = format!("`{}` has no parameter `{name}`", task.name);
        let help = shape::misplaced(name).unwrap_or_else(|| suggest::help(name, names));
        document.fault_of_key(path, message).help(help)
    })
}

/// The value at a path as the parameter takes it.
fn read(
    spec: &ParamSpec,
    value: &ParamValue,
    path: &str,
    document: &Document,
) -> Result<ParamValue, Problem> {
    spec.kind.read(value).ok_or_else(|| {
        let problem = document.mismatch(path, &spec.kind.accepted());
        match (&spec.kind, value) {
            (ParamKind::Choice(words), ParamValue::Text(text)) => Problem {
                help: suggest::did_you_mean(text, words.iter()),
                ..problem
            },
            _ => problem,
        }
    })
}

/// Swept values name cells, and a cell's name is a field of every table: one line, all of it seen.
fn check_visible(name: &str, values: &[ParamValue], document: &Document) -> Result<(), Problem> {
    let is_hidden = |value: &ParamValue| visible_line(&value.to_string()) != value.to_string();
    match values.iter().position(is_hidden) {
        None => Ok(()),
        Some(index) => Err(document.fault(
            &format!("sweep.{name}.{index}"),
            format!("a value of the sweep of `{name}` has a line feed, another control character or a mark of writing direction"),
        )
        .expected("expected a text in one line: it names a cell")
        .help("sweep short names, and let the program look up what they stand for")),
    }
}

fn check_distinct(name: &str, values: &[ParamValue], document: &Document) -> Result<(), Problem> {
    let repeated = (1..values.len()).find(|&index| values[..index].contains(&values[index]));
    match repeated {
        None => Ok(()),
        Some(index) => Err(document
            .fault(
                &format!("sweep.{name}.{index}"),
                format!("the sweep of `{name}` has `{}` twice", values[index]),
            )
            .expected("expected each value once")),
    }
}

impl GivenParam<'_> {
    fn into_axis(self) -> Axis {
        Axis {
            name: self.spec.name.to_string(),
            values: self.values,
        }
    }
}

impl Settings<'_> {
    /// Parameters set twice, and required ones that are not set.
    fn conflicts(&self) -> impl Iterator<Item = Result<(), Problem>> {
        let is_in = |settings: &[GivenParam], spec: &ParamSpec| {
            settings
                .iter()
                .any(|setting| setting.spec.name == spec.name)
        };
        let twice = self.swept.iter().map(move |setting| {
            if !is_in(&self.fixed, setting.spec) {
                return Ok(());
            }
            let message = format!("`{}` is both set and swept", setting.spec.name);
            let problem = self.document.fault_of_key(&setting.path, message);
            Err(problem.help("remove it from [params]"))
        });
        let missing = self.task.params.iter().map(move |spec| {
            let needed = spec.default.is_none();
            if !needed || is_in(&self.fixed, spec) || is_in(&self.swept, spec) {
                return Ok(());
            }
            let message = format!("`{}` needs the parameter `{}`", self.task.name, spec.name);
            Err(self.document.fault("task", message).help(format!(
                "add to [params]: `{} = ...`, {}",
                spec.name,
                spec.kind.accepted()
            )))
        });
        twice.chain(missing)
    }

    fn size(&self) -> usize {
        let lengths = self.swept.iter().map(|setting| setting.values.len());
        lengths.fold(1, usize::saturating_mul)
    }

    fn check_size(&self) -> Result<(), Problem> {
        match (self.size(), self.swept.last()) {
            (size, Some(last)) if size > MAX_CELLS => Err(self
                .document
                .fault_of_key(
                    &last.path,
                    format!("the sweep has {size} cells, more than {MAX_CELLS}"),
                )
                .help("sweep fewer values, or make several experiments of it")),
            _ => Ok(()),
        }
    }

    /// The index on each axis of a cell.
    fn coordinates(&self, cell: usize) -> Vec<usize> {
        let mut rest = cell;
        let mut coordinates: Vec<usize> = (self.swept.iter().rev())
            .map(|setting| {
                let length = setting.values.len();
                let coordinate = rest % length;
                rest /= length;
                coordinate
            })
            .collect();
        coordinates.reverse();
        coordinates
    }

    fn cell(&self, cell: usize) -> Cell {
        let mut params = Params::defaults(&self.task.params);
        for setting in &self.fixed {
            params.set(&setting.spec.name, setting.values[0].clone());
        }
        let coordinates = self.coordinates(cell);
        let chosen = self.swept.iter().zip(coordinates);
        let swept: Vec<(String, ParamValue)> = chosen
            .map(|(setting, at)| (setting.spec.name.to_string(), setting.values[at].clone()))
            .collect();
        for (name, value) in &swept {
            params.set(name, value.clone());
        }
        Cell {
            name: name(&swept),
            params,
            swept,
        }
    }

    /// Texts with commas may give two combinations one name.
    fn check_names(&self, cells: &[Cell]) -> Result<(), Problem> {
        let mut names = BTreeSet::new();
        let twin = cells.iter().find(|cell| !names.insert(&cell.name));
        match (twin, self.swept.first()) {
            (Some(cell), Some(first)) => Err(self
                .document
                .fault_of_key(
                    &first.path,
                    format!("two cells would have the name `{}`", cell.name),
                )
                .help("change a value that contains `,` or `=`")),
            _ => Ok(()),
        }
    }

    /// The task of every cell, built and dropped.
    fn builds(&self, cells: &[Cell]) -> impl Iterator<Item = Result<(), Problem>> {
        cells.iter().enumerate().map(|(index, cell)| {
            let built = cell.build(self.task).map(drop);
            built.map_err(|error| self.unbuildable(index, error))
        })
    }

    /// The fault of a parameter that the task refused, at its value in this cell.
    fn unbuildable(&self, cell: usize, error: ParamError) -> Problem {
        let coordinates = self.coordinates(cell);
        let swept = (self.swept.iter().zip(coordinates))
            .map(|(setting, at)| (setting, format!("{}.{at}", setting.path)));
        let fixed = self
            .fixed
            .iter()
            .map(|setting| (setting, setting.path.clone()));
        let path = swept
            .chain(fixed)
            .find(|(setting, _)| setting.spec.name == error.name)
            .map(|(_, path)| path);
        let expected = match path {
            Some(_) => String::new(),
            None => format!("`{}` is not set and has its default", error.name),
        };
        self.document
            .fault(path.as_deref().unwrap_or("task"), error.message)
            .expected(expected)
            .help(error.help)
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
