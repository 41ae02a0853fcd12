//! The contenders of a race: cells, and tables at the values of cells.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use super::declared::silence;
use super::{Cell, ContenderTable, Experiment, NEW};
use task::outside::{Declaration, DeclaredProgram, HashedFile};
use task::{ParamValue, Params};

/// The time that a program without a cap may take for an answer.
const PATIENCE: Duration = Duration::from_secs(3600);

/// The contender that answers in a cell of a race; the cell has its name, parameters and swept values.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// The name of its table under `[contenders]`; `None` of a cell of the sweep.
    pub(crate) table: Option<String>,
    /// The program that answers; `None` where the task itself does.
    pub(crate) program: Option<Declaration>,
    /// The program that is started before it is first asked.
    pub(crate) setup: Option<Declaration>,
    /// The program that is started before each answer.
    pub(crate) prepare: Option<Declaration>,
}

/// The name of a contender, the cell whose values it has, and its table under its name.
type Racer<'a> = (
    String,
    (usize, &'a Cell),
    Option<(&'a String, &'a ContenderTable)>,
);

/// The entrants of a race. Cells race themselves as the program of a command, or as the task unless a table changes
/// its parameters; every table does at the values of every cell.
fn entries(experiment: &Experiment) -> Vec<Racer<'_>> {
    let cells = experiment.cells.iter().enumerate();
    let own = cells.clone().filter(|_| race_themselves(experiment));
    let own = own.map(|cell| (own_name(experiment, cell.1), cell, None));
    let tables = experiment.file.contenders.iter();
    let of_tables = tables.flat_map(|(name, table)| {
        let named = move |cell: &Cell| match experiment.cells.len() {
            1 => name.clone(),
            _ => at_values(name, table, cell),
        };
        let cells = cells.clone();
        cells.map(move |cell| (named(cell.1), cell, Some((name, table))))
    });
    let mut entries: Vec<Racer<'_>> = own.chain(of_tables).collect();
    // A table that sets a swept parameter is the same at all of its values.
    let mut known = HashSet::new();
    entries.retain(|(name, _, table)| table.is_none() || known.insert(name.clone()));
    entries
}

/// All contenders. Another program has the parameters of the first contender at the same values.
pub(super) fn contenders(experiment: &Experiment) -> Vec<Cell> {
    let mut firsts: HashMap<usize, Params> = HashMap::new();
    let entries = entries(experiment).into_iter();
    let contender = |(name, (at, cell), table): Racer<'_>| {
        let own_table = table.map(|(_, table)| table);
        let program = own_table.filter(|table| table.argv().is_some());
        let base = program.and_then(|_| firsts.get(&at));
        let declared = declaration(experiment, program);
        let chore = |argv: Option<&Vec<String>>| Some(chore(declared.as_ref()?, argv?));
        let mut one = Cell {
            name,
            params: base.unwrap_or(&cell.params).clone(),
            swept: cell.swept.clone(),
            contender: Some(Contender {
                table: table.map(|(name, _)| name.clone()),
                setup: chore(program.and_then(|table| table.setup.as_ref())),
                prepare: chore(program.and_then(|table| table.prepare.as_ref())),
                program: declared,
            }),
        };
        for (name, value) in own_table.iter().flat_map(|table| &table.params) {
            one.params.set(name, value.clone());
            let swept = one.swept.iter_mut().find(|(known, _)| known == name);
            swept.into_iter().for_each(|(_, old)| *old = value.clone());
        }
        firsts.entry(at).or_insert_with(|| one.params.clone());
        one
    };
    entries.map(contender).collect()
}

/// Returns whether the cells are contenders themselves, beside those of tables.
fn race_themselves(experiment: &Experiment) -> bool {
    let tables = &experiment.file.contenders;
    match &experiment.command {
        Some(_) => experiment.file.lender().is_none(),
        None => tables.values().all(ContenderTable::is_program) && !tables.contains_key(NEW),
    }
}

/// The name of a table's contender at the swept values of a cell: `exact,n=8`.
fn at_values(name: &str, table: &ContenderTable, cell: &Cell) -> String {
    let value = |(axis, value): &(String, ParamValue)| {
        format!(",{axis}={}", table.params.get(axis).unwrap_or(value))
    };
    name.to_owned() + &cell.swept.iter().map(value).collect::<String>()
}

/// The name of a cell that races itself: of a single one the file of a command's program, else the cell's.
fn own_name(experiment: &Experiment, cell: &Cell) -> String {
    let command = experiment.command.as_ref();
    let command = command.filter(|_| experiment.cells.len() == 1);
    let program = command.map(|command| &command.program);
    let stem = |path: &String| Some(Path::new(path).file_stem()?.to_string_lossy().into_owned());
    let own = program.and_then(|program| {
        let file = program.files.first().map(|file| &file.path);
        file.or(program.argv.first()).and_then(stem)
    });
    own.unwrap_or_else(|| cell.name.clone())
}

/// The declaration of a program that is started beside that of a contender, and of which nothing is read.
fn chore(beside: &Declaration, argv: &[String]) -> Declaration {
    let mut chore = beside.clone();
    chore.once = true;
    chore.stdin = String::new();
    chore.columns = Vec::new();
    chore.program.argv = argv.to_vec();
    chore.program.patience = PATIENCE;
    chore.timeout = Some(PATIENCE);
    chore
}

/// The declaration of a table's program or of the command's: that of the command, or of one that
/// answers all metrics, or those alone that all must agree on if it is started for every instance.
fn declaration(experiment: &Experiment, table: Option<&ContenderTable>) -> Option<Declaration> {
    let mut declaration = match &experiment.command {
        Some(command) => command.clone(),
        None => Declaration {
            batch: 1,
            columns: experiment.task.metrics.to_vec(),
            ..Declaration::default()
        },
    };
    if experiment.command.is_none() {
        declaration.program.folders = experiment.source.program_folders();
    }
    if let Some(table) = table {
        declaration.once = table.once.is_some();
        let command = experiment.file.command.as_ref();
        let shared = || command.and_then(|command| command.stdin.clone());
        declaration.stdin = table.stdin.clone().or_else(shared).unwrap_or_default();
        declaration.program.argv.clone_from(table.argv()?);
        add_files(&mut declaration.program, &table.files);
    }
    if experiment.command.is_none() && declaration.once {
        let agreed = experiment.agreed();
        let metrics = agreed.iter().map(|&at| experiment.task.metrics[at].clone());
        declaration.columns = metrics.collect();
    }
    let cap = experiment.answer_cap().backstop();
    declaration.program.patience = cap.map_or(PATIENCE, silence);
    declaration.timeout = Some(declaration.program.patience);
    Some(declaration).filter(|_| experiment.command.is_some() || table.is_some())
}

/// Adds the files that a contender is made of to those of its program, with their hashes as they are now.
fn add_files(program: &mut DeclaredProgram, paths: &[String]) {
    let unread = |path: &String| HashedFile {
        path: path.clone(),
        hash: String::new(),
    };
    let shared = program.files.len();
    program.files.extend(paths.iter().map(unread));
    let home = program.home().to_owned();
    for file in &mut program.files[shared..] {
        *file = HashedFile::found(&home, &file.path);
    }
}
