//! `[bench]`, `[contenders]` and what a benchmark calls its contenders. Knows nothing of how time is
//! taken.

use super::declared::{check_argv, check_placeholder, check_places};
use super::document::{Document, KeyPath};
use super::error::{Checked, position_of};
use super::file::{is_default, places};
use super::grid::TriedTask;
use super::relation::metric_at;
use super::{
    Agreement, Cell, ContenderTable, Experiment, ExperimentFile, RatioRelation, StopTable,
    declared, grid,
};
use task::TaskSpec;
use task::outside::Declaration;

/// The name of the second run of the first contender.
pub const CONTROL: &str = "control";
/// The contender that stands for what is there now, beside one that was before.
pub const NEW: &str = "new";
/// The contender that `--against` adds.
pub const BEFORE: &str = "before";

/// The keys of a contender that are no parameters.
const PROGRAM_KEYS: [&str; 8] = [
    "run", "once", "stdin", "answers", "exit", "files", "setup", "prepare",
];

impl ExperimentFile {
    /// Returns whether the file has keys of a benchmark.
    pub fn is_benchmark(&self) -> bool {
        self.is_only_benchmark() || !is_default(&self.bench)
    }

    /// Returns whether the file describes contenders that `etude run` knows nothing of.
    pub fn is_only_benchmark(&self) -> bool {
        !self.contenders.is_empty() || matches!(self.stop, Some(StopTable::Ratio(_)))
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
pub(super) fn compile(file: &mut ExperimentFile, document: &Document, task: &TaskSpec) -> Checked {
    let bench = document.at("bench");
    if let Some(agreement) = &file.bench.answers {
        check_agreement(agreement, &bench.at("answers"), task)?;
    }
    if let Some(name) = &file.bench.baseline {
        let (path, names) = (bench.at("baseline"), file.contenders.keys());
        let fault = || path.fault(format!("there is no table [contenders.{name}]"));
        position_of(name, names.map(String::as_str), fault)?;
    }
    for (index, name) in file.bench.questions.iter().flatten().enumerate() {
        let (path, names) = (bench.at("questions").at(index), file.sweep.keys());
        let fault = || path.fault(format!("`{name}` is not swept"));
        position_of(name, names.map(String::as_str), fault)?;
    }
    for (name, table) in &mut file.contenders {
        let path = document.at("contenders").at(name);
        check_name(name, &path)?;
        if table.is_program() {
            check_program(table, &path)?;
        }
        for (name, value) in &mut table.params {
            let path = path.at(name);
            let spec = grid::spec(task, name, &path, &PROGRAM_KEYS)?;
            *value = grid::read(spec, value, &path)?;
        }
    }
    Ok(())
}

/// Checks that metrics of the task are named, and that a tolerance leaves answers to differ.
fn check_agreement(agreement: &Agreement, path: &KeyPath, task: &TaskSpec) -> Checked {
    for (index, (name, tolerance)) in agreement.tolerances().into_iter().enumerate() {
        let path = match agreement {
            Agreement::Within(_) => path.at(name),
            Agreement::Same(_) => path.at(index),
        };
        metric_at(&task.metrics, name, &path)?;
        if !(0.0..1.0).contains(&tolerance) {
            let expected = "a share of the larger answer, from 0 and below 1, such as 1e-6";
            return Err(path.mismatch(expected));
        }
    }
    Ok(())
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
    for (key, argv) in table.chores() {
        check_argv(key, argv, path)?;
    }
    if verb == "run" && !table.answers.is_empty() {
        let message = "`answers` are signs of a program started by `once`";
        let problem = path.at("answers").fault_of_key(message);
        return Err(problem.help("remove them: a program started by `run` answers with values"));
    }
    if verb == "run" && table.exit.is_some() {
        let problem = path
            .at("exit")
            .fault_of_key("`exit` is of a program started by `once`");
        return Err(problem.help("remove it: a program started by `run` goes on running"));
    }
    let is_none = |status: &&i64| !(0..=255).contains(*status);
    if let Some(status) = table.exit.iter().flatten().find(is_none) {
        let problem = path
            .at("exit")
            .fault(format!("no program ends with status {status}"));
        return Err(problem.expected("expected numbers from 0 to 255"));
    }
    if table.exit.as_ref().is_some_and(Vec::is_empty) && table.answers.status.is_empty() {
        let problem = path
            .at("exit")
            .fault("no exit status is a good one: every answer would fail");
        return Err(problem.help("name some, such as `exit = [0]`"));
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

impl Experiment {
    /// Checks that a benchmark has contenders, and that the rule and the claims of ratios name them, or one that
    /// `--against` would add.
    pub(super) fn check_contenders(&self, document: &Document, is_against: bool) -> Checked {
        let ratio = document.at("stop").at("ratio");
        let rule = self.ratio_rule().into_iter().flat_map(|rule| {
            let sides = [("first", &rule.first), ("second", &rule.second)];
            sides.map(|(key, name)| (ratio.at(key), name))
        });
        let claims = self.claims.iter().enumerate();
        let ratios = claims.filter_map(|(index, claim)| Some((index, claim.ratio()?)));
        let claims = ratios.flat_map(|(index, RatioRelation { first, second, .. })| {
            let path = document.at("claims").at(index).at("holds");
            [first, second].map(|name| (path.clone(), name))
        });
        let mut named = rule.chain(claims).peekable();
        if !self.file.is_benchmark() && named.peek().is_none() {
            return Ok(());
        }
        let race = self.clone().lined_up();
        race.check_raced(document, is_against)?;
        for (path, name) in named {
            let found = race.find_contender(name);
            if found.as_ref().is_ok_and(|&at| race.is_baseline(at)) {
                let fault = path.fault(format!(
                    "`{name}` is the baseline, and compared with nothing"
                ));
                return Err(fault.help("name other contenders"));
            }
            let is_added = name.split(',').next() == Some(BEFORE);
            if let Err(unknown) = found
                && !is_added
            {
                let fault = path.fault(unknown.message);
                return Err(fault.help(unknown.help));
            }
        }
        Ok(())
    }

    /// Refuses a single contender, a baseline that comes first, and swept values at which nobody races.
    fn check_raced(&self, document: &Document, is_against: bool) -> Checked {
        let bench = document.at("bench");
        if !is_against && !is_default(&self.file.bench) && self.cells.len() < 2 {
            let fault = bench.fault_of_key("[bench] has nothing to race: there is one contender");
            return Err(fault.help(
                "add a [sweep] or a table [contenders.NAME], or remove [bench]; `etude bench` with --against \
                 PROGRAM races the file as it stands",
            ));
        }
        if self.is_baseline(0) {
            let path = bench.at("baseline");
            let fault =
                path.fault("the baseline is the first contender, whose copy is the control");
            return Err(fault.help("put its table below that of another contender"));
        }
        let sets = |at: usize, axis: &str| {
            let table = self.table(at);
            table.is_some_and(|table| table.params.contains_key(axis))
        };
        let is_dropped = |axis: &&String| (0..self.cells.len()).all(|at| sets(at, axis));
        let dropped = self.file.sweep.keys().find(is_dropped);
        if let Some(axis) = dropped.filter(|_| !self.file.contenders.is_empty()) {
            let path = document.at("sweep").at(axis);
            let fault = path.fault_of_key(format!(
                "every contender has its own `{axis}`: no swept value is raced"
            ));
            return Err(fault.help("remove it from [sweep], or from [contenders]"));
        }
        self.check_cap_use(&bench.at("cap").at("nodes"))?;
        self.check_memory_use(&bench.at("cap").at("memory"))?;
        self.check_answers(document)?;
        self.check_contender_programs(document)
    }

    /// Refuses a cap in memory where no program is a contender: the task's own memory is that of this program.
    fn check_memory_use(&self, path: &KeyPath) -> Checked {
        let programs = self.cells.iter().any(|cell| cell.program().is_some());
        if programs || !path.is_filled() {
            return Ok(());
        }
        let fault = path.fault_of_key("the cap in memory would change nothing");
        Err(fault.help("it is for contenders that are programs, and there is none: remove it"))
    }

    /// Refuses a cap in nodes that no contender heeds. Programs that go on running are told it, others where `{nodes}`
    /// stands.
    fn check_cap_use(&self, path: &KeyPath) -> Checked {
        let is_told = |program: &Declaration| {
            let texts = program.program.argv.iter().chain([&program.stdin]);
            !program.once
                || texts
                    .flat_map(|text| places(text))
                    .any(|one| one == "nodes")
        };
        if !path.is_filled() || self.cells.iter().filter_map(Cell::program).any(is_told) {
            return Ok(());
        }
        let tried = TriedTask::of(&self.task, &self.players);
        let reason = if self.cells.iter().all(|cell| cell.program().is_some()) {
            Some("no program is told it, as `{nodes}` stands in none of their words")
        } else {
            grid::ignored_budget(&tried, &self.cells)
        };
        let Some(reason) = reason else {
            return Ok(());
        };
        let fault = path.fault_of_key("the cap in nodes would change nothing");
        Err(fault.help(format!("{reason}; cap seconds: `cap = {{ cpu = 10 }}`")))
    }

    /// Refuses the table of a simulation's contender that changes nothing, and one whose program has
    /// placeholders that nothing fills.
    fn check_contender_programs(&self, document: &Document) -> Checked {
        if self.command.is_none() {
            return Ok(());
        }
        for (name, table) in &self.file.contenders {
            let path = document.at("contenders").at(name);
            if !table.is_program() && table.params.is_empty() && self.file.lender().is_some() {
                let fault = path.fault(format!("`{name}` has no program of its own"));
                return Err(fault.help("add `run` or `once`, or remove the table"));
            }
            let own = self.cells.iter().filter(|cell| cell.table() == Some(name));
            let mut programs = own.filter_map(Cell::program);
            if table.is_program() {
                programs.try_for_each(|program| check_places(program, &path))?;
            }
            let mut own = self.cells.iter().filter(|cell| cell.table() == Some(name));
            if let Some(program) = own.find_map(Cell::program) {
                for (key, argv) in table.chores() {
                    let mut places = argv.iter().flat_map(|word| places(word));
                    let path = path.at(key);
                    places.try_for_each(|place| check_placeholder(program, place, &path))?;
                }
            }
        }
        Ok(())
    }
}
