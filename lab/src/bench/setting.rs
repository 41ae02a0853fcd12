//! The setting of a benchmark: its contenders, what they must agree on, and what is compared.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::runner::{Asked, ContenderRunner, EachTime, Inside, Persistent, writer};
use crate::experiment::{
    Cell, ContenderKind, ContenderProgram, Experiment, RatioClaim, RatioRelation, program_folders,
};
use crate::files;
use crate::programs::declaration::{Declaration, DeclaredProgram};
use crate::rng::Streams;
use crate::run::CompiledExperiment;
use crate::search::Budget;
use crate::task::{Metric, MetricKind, ParamValue, Params, Value, suggest};

/// The time that a program without a cap may take for an answer.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Contenders up to which every one is compared with every other.
const FEW: usize = 8;

/// The margin of equality unless the file has one.
const MARGIN: f64 = 0.03;

/// What races.
#[derive(Clone, Debug)]
pub struct Setting<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// The contenders; at least two.
    pub contenders: Vec<BenchContender>,
    /// The positions of the metrics on which all must agree.
    pub answers: Vec<usize>,
    /// The positions of the metrics that describe work.
    pub work: Vec<usize>,
    /// The instances at most.
    pub instances: u64,
    /// The nodes that an answer may cost.
    pub budget: Budget,
    /// The margin of equality.
    pub margin: f64,
}

/// A contender of a benchmark.
#[derive(Clone, Debug)]
pub struct BenchContender {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Params,
    /// The program that answers; `None` where the task itself does.
    pub program: Option<ContenderProgram>,
    /// The numeric swept values: contenders in which they differ answer different questions.
    pub question: String,
    /// The swept values.
    pub swept: Vec<(String, ParamValue)>,
}

impl<'a> Setting<'a> {
    /// The setting of an experiment.
    ///
    /// # Errors
    /// A sentence: there is nothing to compare, or a name is unknown.
    pub fn of(experiment: &'a Experiment) -> Result<Self, String> {
        let benchmark = &experiment.benchmark;
        let metrics = &experiment.task.metrics;
        let chosen = |index: &usize| match &benchmark.bench.answers {
            Some(answers) => answers.iter().any(|name| *name == metrics[*index].name),
            None => !metrics[*index].work,
        };
        let cap = benchmark.bench.cap.nodes.map(Budget::nodes);
        let setting = Self {
            contenders: contenders(experiment)?,
            answers: (0..metrics.len()).filter(chosen).collect(),
            work: (0..metrics.len())
                .filter(|&index| metrics[index].work)
                .collect(),
            instances: benchmark.samples.unwrap_or(experiment.stop.max_samples()),
            budget: cap
                .or(experiment.file.budgets().last().copied())
                .unwrap_or(Budget::UNLIMITED),
            margin: benchmark.bench.equal.unwrap_or(MARGIN),
            experiment,
        };
        setting.check()?;
        Ok(setting)
    }

    fn check(&self) -> Result<(), String> {
        if self.contenders.len() < 2 {
            return Err(
                "there is one contender, and nothing to compare it with: add a [sweep], \
                        [contenders.NAME], or --against PROGRAM"
                    .to_owned(),
            );
        }
        let mut names: Vec<&str> = self.names().collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("two contenders are called `{}`", twice[0]));
        }
        let benchmark = &self.experiment.benchmark;
        let stop = benchmark
            .stop
            .iter()
            .flat_map(|stop| [&stop.first, &stop.second]);
        let claimed = |claim: &'a RatioClaim| [&claim.relation.first, &claim.relation.second];
        let named = stop.chain(benchmark.claims.iter().flat_map(claimed));
        named
            .map(|name| self.find(name))
            .collect::<Result<Vec<_>, _>>()
            .map(drop)
    }

    /// The contenders' names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.contenders
            .iter()
            .map(|contender| contender.name.as_str())
    }

    /// The contender of a name; `new` is also the first one's.
    ///
    /// # Errors
    /// A sentence with the names that there are.
    pub fn find(&self, name: &str) -> Result<usize, String> {
        let found = self.names().position(|known| known == name);
        let first = (name == NEW).then_some(0);
        let by_values = || {
            let cell = self.experiment.cell_of(name)?;
            let cell = &self.experiment.cells[cell].name;
            self.names().position(|known| known == cell)
        };
        found.or(first).or_else(by_values).ok_or_else(|| {
            format!(
                "there is no contender `{name}`; {}",
                suggest::help(name, self.names())
            )
        })
    }

    /// The two contenders of a relation.
    ///
    /// # Errors
    /// As [`Setting::find`].
    pub fn sides(&self, relation: &RatioRelation) -> Result<(usize, usize), String> {
        Ok((self.find(&relation.first)?, self.find(&relation.second)?))
    }

    /// The compared contenders: all that answer the same question, in both directions; where they are
    /// many each with the first, and what a claim or a rule names.
    pub fn pairs(&self, claimed: &[RatioRelation]) -> Vec<(usize, usize)> {
        let count = self.contenders.len();
        let question = |at: usize| &self.contenders[at].question;
        let first = |at: usize| {
            (0..count)
                .find(|&other| question(other) == question(at))
                .unwrap_or(at)
        };
        let is_shown = |a: usize, b: usize| {
            question(a) == question(b) && (count <= FEW || first(a) == a || first(b) == b)
        };
        let all = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
        let mut pairs: Vec<_> = all.filter(|&(a, b)| a != b && is_shown(a, b)).collect();
        for relation in claimed {
            if let Ok((a, b)) = self.sides(relation).map_err(drop) {
                pairs.extend([(a, b), (b, a)]);
            }
        }
        let mut known = std::collections::BTreeSet::new();
        pairs.retain(|&pair| pair.0 != pair.1 && known.insert(pair));
        pairs
    }

    /// The metrics of the task.
    pub fn metrics(&self) -> &[Metric] {
        &self.experiment.task.metrics
    }

    /// The seconds after which a program is stopped.
    pub fn cap(&self) -> Option<f64> {
        self.experiment.benchmark.bench.cap.seconds
    }

    /// Returns the seconds that a contender takes at least where it was stopped by the clock.
    pub fn cap_of(&self, contender: usize) -> Option<f64> {
        self.contenders[contender]
            .program(self.experiment)
            .and(self.cap())
    }

    /// Makes what answers for a contender.
    ///
    /// # Errors
    /// A sentence: the program is not there, or the task refuses the parameters.
    pub fn runner(&self, contender: usize) -> Result<Box<dyn ContenderRunner>, String> {
        let contender = &self.contenders[contender];
        let experiment = self.experiment;
        let build = || {
            experiment
                .task
                .build(&contender.params)
                .map_err(|error| format!("contender `{}`: {error}; {}", contender.name, error.help))
        };
        let streams = Streams::new(experiment.file.seed);
        let Some(program) = contender.program(experiment) else {
            let laboratory =
                CompiledExperiment::new(vec![build()?], self.metrics(), streams, self.budget);
            return Ok(Box::new(Inside::new(laboratory)));
        };
        let named = |fault: String| format!("contender `{}`: {fault}", contender.name);
        let question = self.question(contender, &program);
        if !program.once {
            return Ok(Box::new(Persistent::new(question).map_err(named)?));
        }
        let words = self.words(&program).map_err(named)?;
        let runner = EachTime::new(question, writer(build()?, streams), words);
        Ok(Box::new(runner.map_err(named)?))
    }

    /// Returns whether the program of a contender is there.
    pub fn has_program(&self, contender: &BenchContender) -> bool {
        let program = contender.program.as_ref();
        program.is_none_or(|program| {
            self.question(contender, program)
                .declaration
                .program
                .locate()
                .is_ok()
        })
    }

    /// BLAKE3 of the file of a contender's program; `None` where there is none.
    pub fn program_hash(&self, contender: &BenchContender) -> Option<String> {
        let program = contender.program(self.experiment)?;
        let question = self.question(contender, &program);
        let executable = question.declaration.program.locate().ok()?;
        files::digest(&executable.path).ok()
    }

    fn question(&self, contender: &BenchContender, program: &ContenderProgram) -> Asked {
        let experiment = self.experiment;
        let streams = Streams::new(experiment.file.seed);
        let part = experiment
            .command
            .as_ref()
            .map(|command| command.declaration());
        let streams_of = |part: &Declaration| {
            part.streams
                .iter()
                .map(|name| (name.clone(), streams.key(name)))
                .collect()
        };
        let positions = match (part, program.once) {
            (None, true) => self.answers.clone(),
            _ => (0..self.metrics().len()).collect(),
        };
        let values = contender
            .params
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_string()));
        Asked {
            declaration: self.declaration(part, program, &positions),
            params: match part {
                Some(_) => contender.params.to_json(),
                None => self.with_task(&contender.params),
            },
            values: values.collect(),
            streams: part.map_or_else(Vec::new, streams_of),
            nodes: (self.budget != Budget::UNLIMITED).then(|| self.budget.limit()),
            cap: self.cap(),
            positions,
            metrics: self.metrics().len(),
        }
    }

    /// The parameters of a built-in task with its name and the seed, for a program that has both.
    fn with_task(&self, params: &Params) -> String {
        let mut params = params.clone();
        params.set("task", ParamValue::Text(self.experiment.task.name.clone()));
        params.set(
            "seed",
            ParamValue::Text(self.experiment.file.seed.to_string().into()),
        );
        params.to_json()
    }

    fn declaration(
        &self,
        part: Option<&Declaration>,
        program: &ContenderProgram,
        positions: &[usize],
    ) -> Declaration {
        let patience = self.cap().map_or(PATIENCE, Duration::from_secs_f64);
        let own = DeclaredProgram {
            argv: program.argv.clone(),
            folders: program_folders(&self.experiment.source.0),
            files: Vec::new(),
            version: None,
            patience,
        };
        let Some(part) = part else {
            return Declaration {
                program: own,
                once: program.once,
                streams: Vec::new(),
                batch: 1,
                params: Vec::new(),
                timeout: Some(patience),
                columns: positions
                    .iter()
                    .map(|&at| self.metrics()[at].clone())
                    .collect(),
            };
        };
        let mut declaration = part.clone();
        declaration.once = program.once;
        declaration.program = DeclaredProgram {
            argv: program.argv.clone(),
            patience,
            ..part.program.clone()
        };
        declaration.timeout = Some(patience);
        declaration
    }

    /// The words of a program's output with the values of the first answer that they mean.
    fn words(&self, program: &ContenderProgram) -> Result<Vec<(String, Value)>, String> {
        let Some(&position) = self.answers.first().filter(|_| !program.answers.is_empty()) else {
            return Ok(Vec::new());
        };
        let metric = &self.metrics()[position];
        let read = |(word, text): &(String, String)| {
            let value = match (metric.kind, text.as_str()) {
                (MetricKind::Flag, "true") => Some(Value::flag(true)),
                (MetricKind::Flag, "false") => Some(Value::flag(false)),
                (_, text) => metric.read(text).ok(),
            };
            let fits = value.filter(|&value| metric.admits(value));
            let fits = fits.ok_or_else(|| format!("`{text}` is no value of `{}`", metric.name))?;
            Ok((word.clone(), fits))
        };
        program.answers.iter().map(read).collect()
    }
}

impl BenchContender {
    /// The program that answers for it: its own, or that of the command; `None` where the task does.
    pub fn program(&self, experiment: &Experiment) -> Option<ContenderProgram> {
        let of_command = || {
            let declaration = experiment.command.as_ref()?.declaration();
            Some(ContenderProgram {
                argv: declaration.program.argv.clone(),
                once: declaration.once,
                ..ContenderProgram::default()
            })
        };
        self.program.clone().or_else(of_command)
    }
}

/// All contenders: the cells, and those of the file. Another program answers for the parameters of
/// the first contender.
fn contenders(experiment: &Experiment) -> Result<Vec<BenchContender>, String> {
    let first = experiment
        .cells
        .first()
        .ok_or("the experiment has no cell")?;
    let mut found = Vec::new();
    if has_cells(experiment) {
        let name = (experiment.cells.len() == 1).then(|| own_name(experiment));
        let cells = experiment.cells.iter();
        found.extend(cells.map(|cell| of_cell(cell, name.as_deref().unwrap_or(&cell.name))));
    }
    for contender in &experiment.benchmark.contenders {
        let program = |program: &ContenderProgram, first: &BenchContender| BenchContender {
            name: contender.name.clone(),
            program: Some(program.clone()),
            ..first.clone()
        };
        let mut one = of_cell(first, &contender.name);
        match &contender.kind {
            ContenderKind::Params(params) => set(&mut one, params),
            ContenderKind::Program(named) => one = program(named, found.first().unwrap_or(&one)),
        }
        found.push(one);
    }
    Ok(found)
}

/// Returns whether the cells are contenders: those of a sweep are; a single one is the program of a
/// command, or the task if no contender changes its parameters.
fn has_cells(experiment: &Experiment) -> bool {
    let benchmark = &experiment.benchmark;
    let is_task = |kind: &ContenderKind| matches!(kind, ContenderKind::Params(_));
    let changed = || {
        benchmark
            .contenders
            .iter()
            .any(|contender| is_task(&contender.kind))
    };
    let renewed = || {
        benchmark
            .contenders
            .iter()
            .any(|contender| contender.name == NEW)
    };
    match (&experiment.command, experiment.cells.len()) {
        (Some(_), _) => !benchmark.borrows_program,
        (None, 1) => !changed() && !renewed(),
        _ => true,
    }
}

/// The contender that stands for what is there now, beside one that was before.
pub const NEW: &str = "new";

/// The name of a single cell: the file of a command's program, or the cell's own.
fn own_name(experiment: &Experiment) -> String {
    let program = experiment
        .command
        .as_ref()
        .map(|part| &part.declaration().program);
    let stem = |path: &String| Some(Path::new(path).file_stem()?.to_string_lossy().into_owned());
    let own = program.and_then(|program| {
        let file = program.files.first().map(|file| &file.path);
        file.or(program.argv.first()).and_then(stem)
    });
    let name = experiment.cells.first().map_or("all", |cell| &cell.name);
    own.unwrap_or_else(|| name.to_owned())
}

fn of_cell(cell: &Cell, name: &str) -> BenchContender {
    let mut one = BenchContender {
        name: name.to_owned(),
        params: cell.params.clone(),
        program: None,
        question: String::new(),
        swept: cell.swept.clone(),
    };
    one.question = question(&one);
    one
}

fn set(contender: &mut BenchContender, params: &[(String, ParamValue)]) {
    let changed: BTreeMap<&String, &ParamValue> =
        params.iter().map(|(name, value)| (name, value)).collect();
    for (name, value) in params {
        contender.params.set(name, value.clone());
    }
    for (name, value) in &mut contender.swept {
        if let Some(new) = changed.get(name) {
            *value = (*new).clone();
        }
    }
    contender.question = question(contender);
}

/// The numeric swept values, as a text.
fn question(contender: &BenchContender) -> String {
    let is_number =
        |value: &ParamValue| matches!(value, ParamValue::Integer(_) | ParamValue::Number(_));
    let numbers = contender.swept.iter().filter(|(_, value)| is_number(value));
    let texts: Vec<String> = numbers
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    texts.join(",")
}
