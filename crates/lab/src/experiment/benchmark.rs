//! `[bench]`, `[contenders]` and what a benchmark calls its contenders. Knows nothing of how time is
//! taken.

use std::collections::HashSet;
use std::path::Path;

use super::document::{Document, KeyPath};
use super::error::Checked;
use super::file::{Agreement, ContenderTable, ExperimentFile, is_default};
use super::relation::metric_at;
use super::{Cell, Experiment, RatioRelation, declared, grid, suggest};
use crate::task::{ParamValue, TaskSpec};

/// The name of the second run of the first contender.
pub const CONTROL: &str = "control";
/// The contender that stands for what is there now, beside one that was before.
pub const NEW: &str = "new";
/// The contender that `--against` adds.
pub const BEFORE: &str = "before";

/// The keys of a contender that are no parameters.
const PROGRAM_KEYS: [&str; 5] = ["run", "once", "stdin", "answers", "files"];

impl ExperimentFile {
    /// Returns whether the file has keys of a benchmark.
    pub fn is_benchmark(&self) -> bool {
        self.is_only_benchmark() || !is_default(&self.bench)
    }

    /// Returns whether the file describes contenders that `etude run` knows nothing of.
    pub fn is_only_benchmark(&self) -> bool {
        !self.contenders.is_empty() || self.stop.ratio.is_some()
    }

    /// The first contender with a program, if `[command]` names none itself and so borrows it.
    pub(super) fn lender(&self) -> Option<&ContenderTable> {
        let command = self.command.as_ref()?;
        let mut contenders = self.contenders.values();
        let lender = contenders.find(|table| table.argv().is_some());
        lender.filter(|_| command.run.is_none() && command.once.is_none())
    }
}

/// Checks `[bench]` and `[contenders]`; parameters are read as the task has them.
pub(super) fn compile(file: &mut ExperimentFile, document: &Document, task: &TaskSpec) {
    let bench = document.at("bench");
    if let Some(agreement) = &file.bench.answers {
        check_agreement(agreement, &bench.at("answers"), task, document);
    }
    if let Some(name) = &file.bench.baseline
        && !file.contenders.contains_key(name)
    {
        let fault = bench
            .at("baseline")
            .fault(format!("there is no table [contenders.{name}]"));
        let names = file.contenders.keys().map(String::as_str);
        document.add(fault.help(suggest::help(name, names)));
    }
    for (index, name) in file.bench.questions.iter().flatten().enumerate() {
        if !file.sweep.contains_key(name) {
            let fault = bench
                .at("questions")
                .at(index)
                .fault(format!("`{name}` is not swept"));
            let names = file.sweep.keys().map(String::as_str);
            document.add(fault.help(suggest::help(name, names)));
        }
    }
    for (name, table) in &mut file.contenders {
        let path = document.at("contenders").at(name);
        document.keep(check_name(name, &path));
        if table.is_program() {
            document.keep(check_program(table, &path));
        }
        for (name, value) in &mut table.params {
            let path = path.at(name);
            let spec = grid::spec(task, name, &path, &PROGRAM_KEYS);
            let read = spec.and_then(|spec| grid::read(spec, value, &path));
            document.keep(read.map(|read| *value = read));
        }
    }
}

/// Checks that metrics of the task are named, and that a tolerance leaves answers to differ.
fn check_agreement(agreement: &Agreement, path: &KeyPath, task: &TaskSpec, document: &Document) {
    for (index, (name, tolerance)) in agreement.tolerances().into_iter().enumerate() {
        let path = match agreement {
            Agreement::Within(_) => path.at(name),
            Agreement::Same(_) => path.at(index),
        };
        document.keep(metric_at(&task.metrics, name, &path));
        if !(0.0..1.0).contains(&tolerance) {
            let expected = "a share of the larger answer, from 0 and below 1, such as 1e-6";
            document.add(path.mismatch(expected));
        }
    }
}

fn check_name(name: &str, path: &KeyPath) -> Checked {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name == CONTROL {
        let problem = path.fault_of_key("`control` is the first contender's second run");
        return Err(problem.help("choose another name"));
    }
    if name.is_empty() || !name.chars().all(fits) {
        let problem = path.fault_of_key(format!("`{name}` cannot be a contender's name"));
        return Err(problem.expected("expected letters, digits, points, hyphens and underscores"));
    }
    Ok(())
}

fn check_program(table: &ContenderTable, path: &KeyPath) -> Checked {
    let (verb, _) = declared::verb((&table.run, &table.once), path)?;
    if verb == "run" && !table.answers.is_empty() {
        let message = "`answers` are words of a program started by `once`";
        let problem = path.at("answers").fault_of_key(message);
        return Err(problem.help("remove them: a program started by `run` answers with values"));
    }
    if verb == "run" && table.stdin.is_some() {
        let message = "`stdin` is that of a program started by `once`";
        let problem = path.at("stdin").fault_of_key(message);
        return Err(problem.help("remove it: a program started by `run` is asked line by line"));
    }
    table.params.keys().next().map_or(Ok(()), |key| {
        let message =
            format!("a program has no parameter `{key}`: it has those of the first contender");
        Err(path.at(key).fault_of_key(message).help("remove it"))
    })
}

/// A contender of a benchmark: a cell, or a table of the file at the values of a cell.
#[derive(Clone, Debug)]
pub struct Racer<'a> {
    /// The contender's name.
    pub name: String,
    /// The cell, whose position among the cells comes first.
    pub cell: (usize, &'a Cell),
    /// The contender's table under `[contenders]`, with the table's name.
    pub table: Option<(&'a str, &'a ContenderTable)>,
}

/// The name of a table's contender at the swept values of a cell: `exact,n=8`.
fn at_values(name: &str, table: &ContenderTable, cell: &Cell) -> String {
    let value = |(axis, value): &(String, ParamValue)| {
        format!(",{axis}={}", table.params.get(axis).unwrap_or(value))
    };
    name.to_owned() + &cell.swept.iter().map(value).collect::<String>()
}

impl Experiment {
    /// All contenders. Cells race themselves as the program of a command, or as the task unless a
    /// table changes its parameters; every table does at the values of every cell.
    pub fn racers(&self) -> Vec<Racer<'_>> {
        let tables = &self.file.contenders;
        let are_raced = match &self.command {
            Some(_) => self.file.lender().is_none(),
            None => tables.values().all(ContenderTable::is_program) && !tables.contains_key(NEW),
        };
        let is_single = self.cells.len() == 1;
        let name_of = |cell: &Cell| {
            if is_single {
                self.single_name()
            } else {
                cell.name.clone()
            }
        };
        let cells = self.cells.iter().enumerate();
        let own = cells.clone().filter(|_| are_raced).map(|cell| Racer {
            name: name_of(cell.1),
            cell,
            table: None,
        });
        let of_tables = tables.iter().flat_map(|(name, table)| {
            cells.clone().map(move |cell| Racer {
                name: if is_single {
                    name.clone()
                } else {
                    at_values(name, table, cell.1)
                },
                cell,
                table: Some((name.as_str(), table)),
            })
        });
        let mut racers: Vec<Racer<'_>> = own.chain(of_tables).collect();
        // A table that sets a swept parameter is the same at all of its values.
        let mut known = HashSet::new();
        racers.retain(|racer| racer.table.is_none() || known.insert(racer.name.clone()));
        racers
    }

    /// Refuses settings of a benchmark where there is a single contender.
    pub(super) fn check_bench(&self, document: &Document) -> Checked {
        if is_default(&self.file.bench) || self.racers().len() > 1 {
            return Ok(());
        }
        let path = document.at("bench");
        let fault = path.fault_of_key("[bench] has nothing to race: there is one contender");
        Err(fault.help(
            "add a [sweep] or a table [contenders.NAME], or remove [bench]; `etude bench` with --against \
             PROGRAM races the file as it stands",
        ))
    }

    /// Refuses swept values at which nobody races, as every contender has a value of its own.
    pub(super) fn check_swept(&self, document: &Document) -> Checked {
        let racers = self.racers();
        let keeps = |racer: &Racer, axis: &str| {
            racer
                .table
                .is_none_or(|(_, table)| !table.params.contains_key(axis))
        };
        let is_dropped = |axis: &&String| !racers.iter().any(|racer| keeps(racer, axis));
        let dropped = self.file.sweep.keys().find(is_dropped);
        dropped
            .filter(|_| !self.file.contenders.is_empty())
            .map_or(Ok(()), |axis| {
                let path = document.at("sweep").at(axis);
                let fault = path.fault_of_key(format!(
                    "every contender has its own `{axis}`: no swept value is raced"
                ));
                Err(fault.help("remove it from [sweep], or from [contenders]"))
            })
    }

    /// The name of a single cell: the file of a command's program, or the cell's own.
    fn single_name(&self) -> String {
        let program = self
            .command
            .as_ref()
            .map(|part| &part.declaration().program);
        let stem =
            |path: &String| Some(Path::new(path).file_stem()?.to_string_lossy().into_owned());
        let own = program.and_then(|program| {
            let file = program.files.first().map(|file| &file.path);
            file.or(program.argv.first()).and_then(stem)
        });
        own.unwrap_or_else(|| self.cells[0].name.clone())
    }

    /// The names of all contenders.
    pub fn contender_names(&self) -> Vec<String> {
        self.racers().into_iter().map(|racer| racer.name).collect()
    }

    /// The position of the contender that a text names; `new` is also the first one's.
    pub fn contender(&self, text: &str) -> Option<usize> {
        let names = self.contender_names();
        let position = |name: &str| names.iter().position(|known| known == name);
        let by_values = || position(&self.cells[self.cell_of(text)?].name);
        let first = || (text == NEW).then_some(0);
        position(text).or_else(first).or_else(by_values)
    }

    /// Checks that the rule and the claims of ratios name contenders, or one that `--against` would add.
    pub(super) fn check_contenders(&self, document: &Document) {
        let ratio = document.at("stop").at("ratio");
        let rule = self.file.stop.ratio.iter().flat_map(|rule| {
            let sides = [("first", &rule.first), ("second", &rule.second)];
            sides.map(|(key, name)| (ratio.at(key), name))
        });
        let claims = self.claims.iter().enumerate();
        let ratios = claims.filter_map(|(index, claim)| Some((index, claim.ratio()?)));
        let claims = ratios.flat_map(|(index, RatioRelation { first, second, .. })| {
            let path = document.at("claims").at(index).at("holds");
            [first, second].map(|name| (path.clone(), name))
        });
        let racers = self.racers();
        let is_baseline = |racer: &Racer| {
            let table = racer.table.map(|(name, _)| name);
            self.file.bench.is_baseline(table)
        };
        if racers.first().is_some_and(is_baseline) {
            let path = document.at("bench").at("baseline");
            let fault =
                path.fault("the baseline is the first contender, whose copy is the control");
            document.add(fault.help("put its table below that of another contender"));
        }
        let names = self.contender_names();
        for (path, name) in rule.chain(claims) {
            if self
                .contender(name)
                .is_some_and(|at| is_baseline(&racers[at]))
            {
                let fault = path.fault(format!(
                    "`{name}` is the baseline, and compared with nothing"
                ));
                document.add(fault.help("name other contenders"));
            }
            let is_added = name.split(',').next() == Some(BEFORE);
            if !is_added && self.contender(name).is_none() {
                let help = suggest::help(name, names.iter().map(String::as_str));
                let fault = path.fault(format!("there is no contender `{name}`"));
                document.add(fault.help(help));
            }
        }
    }
}
