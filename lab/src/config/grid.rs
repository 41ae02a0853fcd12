//! The cells of an experiment: its parameters, and every combination of the swept ones.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::task::{
    Metric, ParamError, ParamSpec, ParamValue, Params, Task, TaskSpec, visible_line,
};

use super::error::{Faults, Problem};
use super::relation::Scope;
use super::wire::{ExperimentFile, Item, KeyValue, Scalar};
use super::{suggest, syntax, value};

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

/// A parameter of the file, with the places of its values: one under `[params]`, any number
/// under `[sweep]`.
struct GivenParam<'a> {
    spec: &'a ParamSpec,
    key: Range<usize>,
    values: Vec<ParamValue>,
    places: Vec<Range<usize>>,
}

/// The parameters of a file beside its task.
struct Settings<'a> {
    task: &'a TaskSpec,
    task_place: Range<usize>,
    fixed: Vec<GivenParam<'a>>,
    swept: Vec<GivenParam<'a>>,
}

/// Reads `[params]` and `[sweep]` for a task, which stands at `task_place`, and builds the task
/// of every cell once.
pub(super) fn read(
    task: &TaskSpec,
    task_place: Range<usize>,
    file: &ExperimentFile,
    faults: &mut Faults,
) -> Option<Grid> {
    let fixed = faults.keep_all(file.params.0.iter().map(|entry| fixed(task, entry)));
    let swept = faults.keep_all(file.sweep.0.iter().map(|entry| swept(task, entry)));
    let settings = Settings {
        task,
        task_place,
        fixed: fixed?,
        swept: swept?,
    };
    faults.keep_all(settings.conflicts())?;
    faults.keep(settings.check_size())?;
    let cells: Vec<Cell> = (0..settings.size())
        .map(|cell| settings.cell(cell))
        .collect();
    faults.keep(settings.check_names(&cells))?;
    let builds = cells.iter().enumerate().map(|(index, cell)| {
        let built = cell.build(task).map(drop);
        built.map_err(|error| settings.unbuildable(index, error))
    });
    faults.keep_all(builds)?;
    let axes = settings
        .swept
        .into_iter()
        .map(GivenParam::into_axis)
        .collect();
    Some(Grid { axes, cells })
}

fn fixed<'a>(task: &'a TaskSpec, entry: &KeyValue) -> Result<GivenParam<'a>, Problem> {
    let spec = spec(task, entry)?;
    Ok(GivenParam {
        spec,
        key: entry.key.span(),
        values: vec![value::param(spec, &entry.value)?],
        places: vec![entry.value.span()],
    })
}

fn swept<'a>(task: &'a TaskSpec, entry: &KeyValue) -> Result<GivenParam<'a>, Problem> {
    let spec = spec(task, entry)?;
    let items = match entry.value.get_ref() {
        Scalar::List(items) if !items.is_empty() => items,
        Scalar::List(_) => {
            let message = format!("the sweep of `{}` is empty", spec.name);
            return Err(Problem::at(entry.value.span(), message)
                .expected("expected a list of at least one value"));
        }
        _ => {
            let problem = value::mismatch(&spec.name, &entry.value, "a list of values");
            return Err(problem.help("a single value belongs under [params]"));
        }
    };
    let values = items.iter().map(|item| value::param(spec, item));
    let values = values.collect::<Result<Vec<_>, _>>()?;
    check_visible(spec, &values, items)?;
    check_distinct(spec, &values, items)?;
    Ok(GivenParam {
        spec,
        key: entry.key.span(),
        values,
        places: items.iter().map(Item::span).collect(),
    })
}

fn spec<'a>(task: &'a TaskSpec, entry: &KeyValue) -> Result<&'a ParamSpec, Problem> {
    let name = entry.key.get_ref();
    let known = task.params.iter().find(|spec| spec.name == *name);
    known.ok_or_else(|| {
        let names = task.params.iter().map(|spec| &*spec.name);
        let message = format!("`{}` has no parameter `{name}`", task.name);
        let help = syntax::misplaced(name).unwrap_or_else(|| suggest::help(name, names));
        Problem::at(entry.key.span(), message).help(help)
    })
}

/// Swept values name cells, and a cell's name is a field of every table: one line, all of it seen.
fn check_visible(spec: &ParamSpec, values: &[ParamValue], items: &[Item]) -> Result<(), Problem> {
    let is_hidden = |value: &ParamValue| visible_line(&value.to_string()) != value.to_string();
    match values.iter().position(is_hidden) {
        None => Ok(()),
        Some(index) => Err(Problem::at(
            items[index].span(),
            format!("a value of the sweep of `{}` has a line feed, another control character or a mark of writing direction", spec.name),
        )
        .expected("expected a text in one line: it names a cell")
        .help("sweep short names, and let the program look up what they stand for")),
    }
}

fn check_distinct(spec: &ParamSpec, values: &[ParamValue], items: &[Item]) -> Result<(), Problem> {
    let repeated = (1..values.len()).find(|&index| values[..index].contains(&values[index]));
    match repeated {
        None => Ok(()),
        Some(index) => Err(Problem::at(
            items[index].span(),
            format!("the sweep of `{}` has `{}` twice", spec.name, values[index]),
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
            Err(Problem::at(setting.key.clone(), message).help("remove it from [params]"))
        });
        let missing = self.task.params.iter().map(move |spec| {
            let needed = spec.default.is_none();
            if !needed || is_in(&self.fixed, spec) || is_in(&self.swept, spec) {
                return Ok(());
            }
            let message = format!("`{}` needs the parameter `{}`", self.task.name, spec.name);
            Err(Problem::at(self.task_place.clone(), message).help(format!(
                "add to [params]: `{} = ...`, {}",
                spec.name,
                value::accepted(&spec.kind)
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
            (size, Some(last)) if size > MAX_CELLS => Err(Problem::at(
                last.key.clone(),
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
            (Some(cell), Some(first)) => Err(Problem::at(
                first.key.clone(),
                format!("two cells would have the name `{}`", cell.name),
            )
            .help("change a value that contains `,` or `=`")),
            _ => Ok(()),
        }
    }

    /// The fault of a parameter that the task refused, at its value in this cell.
    fn unbuildable(&self, cell: usize, error: ParamError) -> Problem {
        let coordinates = self.coordinates(cell);
        let swept = self.swept.iter().zip(coordinates);
        let fixed = self.fixed.iter().map(|setting| (setting, 0));
        let place = swept
            .chain(fixed)
            .find(|(setting, _)| setting.spec.name == error.name)
            .map(|(setting, at)| setting.places[at].clone());
        let expected = match place {
            Some(_) => String::new(),
            None => format!("`{}` is not set and has its default", error.name),
        };
        Problem::at(place.unwrap_or(self.task_place.clone()), error.message)
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
