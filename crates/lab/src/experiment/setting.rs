//! The setting of a benchmark: its contenders, what they must agree on, and what is compared.

use std::collections::BTreeSet;
use std::time::Duration;

use kit::rng::Streams;
use kit::search::Budget;
use shell_words::join;

use super::{
    CONTROL, CapTable, ContenderTable, Experiment, RatioRelation, program_folders, suggest,
};
use crate::failure::Failure;
use crate::task::outside::{Declaration, ProgramContender};
use crate::task::{Metric, MetricKind, ParamValue, Params, Task, Value};

/// Contenders up to which every one is compared with every other.
const FEW: usize = 8;

/// The time that a program without a cap may take for an answer.
const PATIENCE: Duration = Duration::from_secs(3600);

/// The starts of every contender unless the file has others.
const STARTS: u32 = 10;

/// The most instances between two starts where a rule looks.
const FEW_INSTANCES: u64 = 10;

/// The margin of equality unless the file has one.
const MARGIN: f64 = 0.03;

/// A benchmark: all that is known before the first answer.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The experiment.
    pub experiment: Experiment,
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
    /// The name of its table under `[contenders]`; `None` of a cell.
    pub table: Option<String>,
    /// Its parameters.
    pub params: Params,
    /// The program that answers; `None` where the task itself does.
    pub program: Option<Declaration>,
    /// The swept values.
    pub swept: Vec<(String, ParamValue)>,
}

impl Setting {
    /// The setting of an experiment.
    ///
    /// # Errors
    /// If there is nothing to compare, or a name is unknown.
    pub fn of(mut experiment: Experiment) -> Result<Self, Failure> {
        // A resolved file of any experiment is one of a benchmark.
        let margin = *experiment.file.bench.equal.get_or_insert(MARGIN);
        let (file, metrics) = (&experiment.file, &experiment.task.metrics);
        let is_chosen = |metric: &Metric| match &file.bench.answers {
            Some(answers) => answers.iter().any(|name| *name == metric.name),
            None => !metric.work,
        };
        let those = |is_one: &dyn Fn(&Metric) -> bool| {
            let all = metrics.iter().enumerate();
            all.filter_map(|(at, one)| is_one(one).then_some(at))
                .collect()
        };
        let cap = file.bench.cap.nodes.map(Budget::nodes);
        let budget = cap.or(file.budgets().last().copied());
        let answers: Vec<usize> = those(&is_chosen);
        let setting = Self {
            contenders: contenders(&experiment, &answers),
            answers,
            work: those(&|metric| metric.work),
            instances: file.stop.max_samples().unwrap_or(1),
            budget: budget.unwrap_or(Budget::UNLIMITED),
            margin,
            experiment,
        };
        setting.check().map(|()| setting)
    }

    fn check(&self) -> Result<(), Failure> {
        let source = &self.experiment.source.0;
        if self.contenders.len() < 2 {
            return Err(Failure::usage(format!(
                "{source}: a benchmark needs two contenders, and this file has fewer"
            ))
            .with_help("add a [sweep], a table [contenders.NAME], or --against PROGRAM"));
        }
        let mut known = BTreeSet::new();
        if let Some(twice) = self.names().find(|name| !known.insert(*name)) {
            return Err(
                Failure::usage(format!("{source}: two contenders are called `{twice}`"))
                    .with_help("rename the one under [contenders]"),
            );
        }
        let claims = self.experiment.ratio_claims.iter();
        let claimed = claims.flat_map(|claim| [&claim.relation.first, &claim.relation.second]);
        let mut named = self.named_by_rule().chain(claimed);
        named.try_for_each(|name| self.find(name).map(drop))
    }

    /// The contenders that the rule names.
    fn named_by_rule(&self) -> impl Iterator<Item = &String> {
        let rule = self.experiment.file.stop.ratio.iter();
        rule.flat_map(|rule| [&rule.first, &rule.second])
    }

    /// Leaves out the contenders whose programs are not there, with the claims about them; returns
    /// their names.
    ///
    /// # Errors
    /// If the rule asks for one of them, or too few are left.
    pub fn leave_out_missing(&mut self) -> Result<Vec<String>, Failure> {
        let is_missing = |one: &&BenchContender| {
            let program = one.program.as_ref();
            program.is_some_and(|declared| declared.program.locate().is_err())
        };
        let missing = self.contenders.iter().filter(is_missing);
        let missing: Vec<String> = missing.map(|one| one.name.clone()).collect();
        if missing.is_empty() {
            return Ok(missing);
        }
        let is_there = |at: usize| !missing.contains(&self.name(at).to_owned());
        let is_left = |name: &str| self.find(name).is_ok_and(is_there);
        if let Some(name) = self.named_by_rule().find(|name| !is_left(name)) {
            return Err(Failure::usage(format!(
                "the program of `{name}`, which [stop.ratio] asks for, is not there"
            ))
            .with_help("install it, or compare other contenders"));
        }
        let mut experiment = self.experiment.clone();
        let is_kept = |claim: &RatioRelation| is_left(&claim.first) && is_left(&claim.second);
        let claims = &mut experiment.ratio_claims;
        claims.retain(|claim| is_kept(&claim.relation));
        let gone = self.contenders.iter().filter(is_missing);
        let gone: Vec<&String> = gone.filter_map(|one| one.table.as_ref()).collect();
        let tables = &mut experiment.file.contenders;
        tables.retain(|name, _| !gone.contains(&name));
        *self = Self::of(experiment)?;
        Ok(missing)
    }

    /// The contenders' names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.contenders.iter().map(|one| one.name.as_str())
    }

    /// A contender's name.
    pub fn name(&self, contender: usize) -> &str {
        &self.contenders[contender].name
    }

    /// Those that answer an instance, by contender and name: all contenders, and the first one once
    /// more as the control.
    pub fn entrants(&self) -> impl Iterator<Item = (usize, &str)> {
        self.names().enumerate().chain([(0, CONTROL)])
    }

    /// The contender of a name; `new` is also the first one's.
    ///
    /// # Errors
    /// If there is none; the help has the names that there are.
    pub fn find(&self, name: &str) -> Result<usize, Failure> {
        let found = self.experiment.contender(name);
        found.ok_or_else(|| {
            Failure::usage(format!("there is no contender `{name}`"))
                .with_help(suggest::help(name, self.names()))
        })
    }

    /// The two contenders of a relation.
    ///
    /// # Errors
    /// As [`Setting::find`].
    pub fn sides(&self, relation: &RatioRelation) -> Result<(usize, usize), Failure> {
        Ok((self.find(&relation.first)?, self.find(&relation.second)?))
    }

    /// The contenders that the rule compares.
    pub fn rule_sides(&self) -> Option<(usize, usize)> {
        let mut sides = self.named_by_rule().map(|name| self.find(name).ok());
        Some((sides.next()??, sides.next()??))
    }

    /// The pair that the benchmark is about: that of the rule or of the first claim.
    pub fn asked(&self) -> Option<(usize, usize)> {
        let claim = self.experiment.ratio_claims.first();
        let claimed = || self.sides(&claim?.relation).ok();
        self.rule_sides().or_else(claimed)
    }

    /// The swept values of a contender that make its question.
    fn question(&self, contender: usize) -> impl Iterator<Item = &(String, ParamValue)> {
        let named = self.experiment.file.bench.questions.as_ref();
        let swept = self.contenders[contender].swept.iter();
        swept.filter(move |(name, value)| {
            named.map_or_else(|| value.number().is_some(), |names| names.contains(name))
        })
    }

    /// Returns whether two contenders answer the same question.
    pub fn is_alike(&self, first: usize, second: usize) -> bool {
        let [first, second] = [first, second].map(|at| self.question(at));
        first.eq(second)
    }

    /// The compared contenders: all that answer the same question, in both directions; where they are
    /// many each with the first, and what a claim or the rule names.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let count = self.contenders.len();
        let is_first = |at: usize| (0..at).all(|other| !self.is_alike(other, at));
        let is_shown = |a, b| self.is_alike(a, b) && (count <= FEW || is_first(a) || is_first(b));
        let all = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
        let shown = all.filter(|&(a, b)| is_shown(a, b));
        let claims = self.experiment.ratio_claims.iter();
        let claimed = claims.filter_map(|claim| self.sides(&claim.relation).ok());
        let named = claimed
            .chain(self.rule_sides())
            .flat_map(|(a, b)| [(a, b), (b, a)]);
        let mut known = BTreeSet::new();
        let mut pairs: Vec<_> = shown.chain(named).collect();
        pairs.retain(|&pair| pair.0 != pair.1 && known.insert(pair));
        pairs
    }

    /// The table of a contender.
    pub fn table(&self, contender: &BenchContender) -> Option<&ContenderTable> {
        self.experiment
            .file
            .contenders
            .get(contender.table.as_ref()?)
    }

    /// The metrics of the task.
    pub fn metrics(&self) -> &[Metric] {
        &self.experiment.task.metrics
    }

    /// The most that one answer may cost.
    pub fn cap(&self) -> CapTable {
        self.experiment.file.bench.cap
    }

    /// The task of a contender.
    ///
    /// # Errors
    /// If the task refuses its parameters.
    pub fn task(&self, contender: &BenchContender) -> Result<Box<dyn Task>, Failure> {
        let built = self.experiment.task.build(&contender.params);
        built.map_err(|error| contender.failure(&error).with_help(error.help))
    }

    /// The program of a contender with all that it is asked by; `None` where the task itself answers.
    ///
    /// # Errors
    /// If the task refuses the parameters, or a word of the program's answers means no answer.
    pub fn program(&self, contender: &BenchContender) -> Result<Option<ProgramContender>, Failure> {
        let Some(declaration) = &contender.program else {
            return Ok(None);
        };
        let (file, task) = (&self.experiment.file, &self.experiment.task);
        let is_command = self.experiment.command.is_some();
        let mut params = contender.params.clone();
        if !is_command && !declaration.once {
            // A worker for any task is told which one it is asked for.
            params.set("task", ParamValue::Text(task.name.clone()));
            params.set("seed", ParamValue::Text(file.seed.to_string().into()));
        }
        let streams = Streams::new(file.seed);
        let own = self.task(contender)?;
        let words = self.words(contender);
        Ok(Some(ProgramContender {
            params,
            budget: self.budget,
            cpu: self.cap().cpu,
            wall: self.cap().backstop(),
            positions: if declaration.once && !is_command {
                self.answers.clone()
            } else {
                (0..task.metrics.len()).collect()
            },
            metrics: task.metrics.len(),
            words: words.map_err(|fault| contender.failure(&fault))?,
            writer: Box::new(move |index, form| own.instance(&streams, index, form)),
            declaration: declaration.clone(),
            streams,
        }))
    }

    /// The words of a program's output with the values of the first answer that they mean.
    fn words(&self, contender: &BenchContender) -> Result<Vec<(String, Value)>, String> {
        let table = self.table(contender);
        let words = table.into_iter().flat_map(|table| &table.answers);
        let Some(metric) = self.answers.first().map(|&at| &self.metrics()[at]) else {
            return Ok(Vec::new());
        };
        let read = |(word, answer): (&String, &ParamValue)| {
            let value = match (metric.kind, answer) {
                (MetricKind::Flag, ParamValue::Flag(flag)) => Some(Value::flag(*flag)),
                (_, answer) => metric.read(&answer.to_string()).ok(),
            };
            let fits = value.filter(|&value| metric.admits(value));
            let fault = || format!("`{answer}` is no value of `{}`", metric.name);
            Ok((word.clone(), fits.ok_or_else(fault)?))
        };
        words.map(read).collect()
    }

    /// The instances that are answered between two starts of all contenders. Where a rule may stop the
    /// race early they are few, so that there are many starts by then.
    pub fn per_start(&self) -> u64 {
        let starts = u64::from(self.experiment.file.bench.starts.unwrap_or(STARTS));
        let even = self.instances.div_ceil(starts).max(1);
        let rule = self.experiment.file.stop.ratio.as_ref();
        rule.map_or(even, |_| even.min(FEW_INSTANCES))
    }
}

impl BenchContender {
    /// A fault of this contender.
    pub fn failure(&self, fault: &impl ToString) -> Failure {
        Failure::usage(format!("contender `{}`: {}", self.name, fault.to_string()))
    }

    /// The command line of its program; `None` where the task itself answers.
    pub fn command(&self) -> Option<String> {
        let argv = &self.program.as_ref()?.program.argv;
        Some(join(argv.iter().map(String::as_str)))
    }
}

/// All contenders. Another program has the parameters of the first contender at the same values.
fn contenders(experiment: &Experiment, answers: &[usize]) -> Vec<BenchContender> {
    let racers = experiment.racers();
    let mut found: Vec<BenchContender> = Vec::new();
    for racer in &racers {
        let (at, cell) = racer.cell;
        let own_table = racer.table.map(|(_, table)| table);
        let is_program = own_table.is_some_and(|table| table.argv().is_some());
        let first = racers.iter().position(|other| other.cell.0 == at);
        let base = first
            .and_then(|first| found.get(first))
            .filter(|_| is_program);
        let mut one = BenchContender {
            name: racer.name.clone(),
            table: racer.table.map(|(name, _)| name.to_owned()),
            params: base.map_or_else(|| cell.params.clone(), |base| base.params.clone()),
            program: declaration(experiment, own_table.filter(|_| is_program), answers),
            swept: cell.swept.clone(),
        };
        for (name, value) in own_table.iter().flat_map(|table| &table.params) {
            one.params.set(name, value.clone());
            let swept = one.swept.iter_mut().find(|(known, _)| known == name);
            swept.into_iter().for_each(|(_, old)| *old = value.clone());
        }
        found.push(one);
    }
    found
}

/// The declaration of a table's program or of the command's: that of the command, or of one that
/// answers all metrics, or these alone if it is started for every instance.
fn declaration(
    experiment: &Experiment,
    table: Option<&ContenderTable>,
    answers: &[usize],
) -> Option<Declaration> {
    let mut declaration = match &experiment.command {
        Some(command) => command.declaration().clone(),
        None => Declaration {
            batch: 1,
            columns: experiment.task.metrics.to_vec(),
            ..Declaration::default()
        },
    };
    if let Some(table) = table {
        declaration.once = table.once.is_some();
        declaration.program.argv.clone_from(table.argv()?);
    }
    if experiment.command.is_none() {
        declaration.program.folders = program_folders(&experiment.source.0);
        if declaration.once {
            let metrics = answers
                .iter()
                .map(|&at| experiment.task.metrics[at].clone());
            declaration.columns = metrics.collect();
        }
    }
    let cap = experiment.file.bench.cap.backstop();
    declaration.program.patience = cap.map_or(PATIENCE, Duration::from_secs_f64);
    declaration.timeout = Some(declaration.program.patience);
    Some(declaration).filter(|_| experiment.command.is_some() || table.is_some())
}
