//! A race: the experiment whose cells are contenders, what they must agree on, and what is compared.

use std::collections::BTreeSet;

use kit::search::Budget;
use stats::{Confidence, Looks};

use super::contenders::contenders;
use super::file::places;
use super::{
    Agreement, BEFORE, CONTROL, CapTable, Cell, ContenderTable, Experiment, NEW, RatioRelation,
    RatioTable, StopRule, StopTable, suggest,
};
use base::Failure;
use task::outside::ProgramContender;
use task::{Metric, ParamValue};

/// Contenders up to which every one is compared with every other.
const FEW: usize = 8;

/// The margin of equality unless the file has one.
const MARGIN: f64 = 0.03;

impl Experiment {
    /// The race of the experiment: its cells are the contenders, and their samples are kept, which are
    /// the answers.
    ///
    /// # Errors
    /// If there is nothing to compare, or a name is unknown.
    pub fn into_race(mut self) -> Result<Self, Failure> {
        // A resolved file of any experiment is one of a race.
        self.file.bench.equal.get_or_insert(MARGIN);
        self.file.output.samples = true;
        self.stop = StopRule::after(self.file.max_samples().unwrap_or(1));
        let race = self.lined_up();
        race.check_race().map(|()| race)
    }

    /// The experiment with its contenders for cells.
    pub(super) fn lined_up(mut self) -> Self {
        self.cells = contenders(&self);
        self
    }

    /// Returns whether its cells are contenders, which are timed.
    pub fn is_race(&self) -> bool {
        let first = self.cells.first();
        first.is_some_and(|cell| cell.contender.is_some())
    }

    /// The verb that draws it.
    pub fn verb(&self) -> &'static str {
        if self.is_race() { "bench" } else { "run" }
    }

    /// Returns whether a rule may end it before its last sample.
    pub fn has_rule(&self) -> bool {
        self.stop.looks() || self.ratio_rule().is_some()
    }

    /// The rule that ends a race once a ratio is known well enough.
    pub fn ratio_rule(&self) -> Option<&RatioTable> {
        match &self.file.stop {
            Some(StopTable::Ratio(rule)) => Some(rule),
            _ => None,
        }
    }

    fn check_race(&self) -> Result<(), Failure> {
        let source = &self.source;
        let is_compared = |at: &usize| !self.is_baseline(*at);
        if (0..self.cells.len()).filter(is_compared).count() < 2 {
            return Err(Failure::usage(format!(
                "{source}: a benchmark needs two contenders, and this file has fewer"
            ))
            .with_help("add a [sweep], a table [contenders.NAME], or --against PROGRAM"));
        }
        let mut known = BTreeSet::new();
        if let Some(twice) = self.cell_names().find(|name| !known.insert(*name)) {
            return Err(
                Failure::usage(format!("{source}: two contenders are called `{twice}`"))
                    .with_help("rename the one under [contenders]"),
            );
        }
        let is_told_none = |cell: &Cell| cell.program().is_some_and(|one| !one.once);
        let told_none = self.cells.iter().position(is_told_none);
        if let (Some(at), Some(_)) = (told_none, self.instances()) {
            let fault = "a program that goes on running is told no instances of [command]";
            let help = "start it by `once` under [contenders.NAME]; --against PROGRAM cannot";
            return Err(self.at_fault(at, &fault).with_help(help));
        }
        let claims = self.ratio_claims();
        let claimed = claims.map(|(_, relation)| [&relation.first, &relation.second]);
        let rule = self.ratio_rule().into_iter();
        let rule = rule.map(|rule| [&rule.first, &rule.second]);
        rule.chain(claimed).try_for_each(|[first, second]| {
            if self.find_contender(first)? != self.find_contender(second)? {
                return Ok(());
            }
            let message =
                format!("`{first}` and `{second}` are one contender, and a ratio is of two");
            Err(Failure::usage(message).with_help(suggest::help("", self.cell_names())))
        })
    }

    /// The contenders that the rule names.
    fn named_by_rule(&self) -> impl Iterator<Item = &String> {
        let rule = self.ratio_rule().into_iter();
        rule.flat_map(|rule| [&rule.first, &rule.second])
    }

    /// Leaves out the contenders whose programs are not there, with the claims about them; returns
    /// their names.
    ///
    /// # Errors
    /// If the rule asks for one of them, or too few are left.
    pub fn leave_out_missing(&mut self) -> Result<Vec<String>, Failure> {
        let is_there = |cell: &Cell| {
            let program = cell.program();
            program.is_none_or(|declared| declared.program.locate().is_ok())
        };
        let found = |name: &str| self.find_contender(name);
        let is_left = |name: &String| found(name).is_ok_and(|at| is_there(&self.cells[at]));
        if let Some(name) = self.named_by_rule().find(|name| !is_left(name)) {
            return Err(Failure::usage(format!(
                "the program of `{name}`, which [stop.ratio] asks for, is not there"
            ))
            .with_help("install it, or compare other contenders"));
        }
        let is_gone = |&at: &usize| self.is_baseline(at) && !is_there(&self.cells[at]);
        if let Some(at) = (0..self.cells.len()).find(is_gone) {
            let name = &self.cells[at].name;
            let message = format!("the program of `{name}`, the baseline, is not there");
            return Err(Failure::usage(message).with_help("install it, or remove `baseline`"));
        }
        let is_build = |cell: &&Cell| {
            let table = cell.table();
            table.is_some_and(|table| [NEW, BEFORE].contains(&table.as_str())) && !is_there(cell)
        };
        let build = self.cells.iter().find(is_build).and_then(Cell::program);
        if let Some(fault) = build.and_then(|build| build.program.locate().err()) {
            return Err(
                Failure::usage(fault).with_help("mend its name: two builds are to be compared")
            );
        }
        let mut claims = self.claims.clone();
        let is_kept = |ratio: &RatioRelation| is_left(&ratio.first) && is_left(&ratio.second);
        claims.retain(|claim| claim.ratio().is_none_or(is_kept));
        self.claims = claims;
        let missing: Vec<Cell>;
        (self.cells, missing) = self.cells.drain(..).partition(is_there);
        let tables: Vec<&String> = missing.iter().filter_map(Cell::table).collect();
        self.file
            .contenders
            .retain(|name, _| !tables.contains(&name));
        let names = missing.iter().map(|cell| cell.name.clone()).collect();
        if missing.is_empty() || self.raced_pairs().iter().any(|(a, b)| a != b) {
            return self.check_race().map(|()| names);
        }
        let fault = missing
            .iter()
            .filter_map(Cell::program)
            .find_map(|program| program.program.locate().err());
        let message = format!(
            "too few contenders are left to race: {}",
            fault.unwrap_or_default()
        );
        Err(Failure::usage(message).with_help("mend its name, install it, or race another program"))
    }

    /// The entrants that answer an instance, by contender and name: all contenders, and the first one once
    /// more as the control.
    pub fn entrants(&self) -> impl Iterator<Item = (usize, &str)> {
        self.cell_names().enumerate().chain([(0, CONTROL)])
    }

    /// The contender of a name, or of values that only it has; `new` is also the first one's.
    ///
    /// # Errors
    /// If there is none; the help has the names that there are.
    pub fn find_contender(&self, name: &str) -> Result<usize, Failure> {
        let by_name = self.cell_names().position(|known| known == name);
        let first = || (name == NEW).then_some(0);
        let found = by_name.or_else(first).or_else(|| self.cell_of(name));
        found.ok_or_else(|| {
            Failure::usage(format!("there is no contender `{name}`"))
                .with_help(suggest::help(name, self.cell_names()))
        })
    }

    /// The two contenders of a relation.
    ///
    /// # Errors
    /// As [`Experiment::find_contender`].
    pub fn sides(&self, relation: &RatioRelation) -> Result<(usize, usize), Failure> {
        let side = |name: &String| {
            let at = self.find_contender(name)?;
            let baseline = Failure::usage(format!("`{name}` is the baseline, and not compared"));
            (!self.is_baseline(at)).then_some(at).ok_or(baseline)
        };
        Ok((side(&relation.first)?, side(&relation.second)?))
    }

    /// Returns whether a contender is the baseline, which is subtracted and not compared.
    pub fn is_baseline(&self, contender: usize) -> bool {
        let baseline = self.file.bench.baseline.as_ref();
        baseline.is_some() && self.cells[contender].table() == baseline
    }

    /// The contender whose time is subtracted from that of another: the baseline at the same swept values,
    /// or the first one where it has a value of its own.
    pub fn baseline_of(&self, contender: usize) -> Option<usize> {
        let baselines = || (0..self.cells.len()).filter(|&at| self.is_baseline(at));
        let swept = |at: usize| &self.cells[at].swept;
        let same = baselines().find(|&at| swept(at) == swept(contender));
        let found = same.or_else(|| baselines().next());
        found.filter(|_| !self.is_baseline(contender))
    }

    /// The contenders that the rule compares.
    pub fn rule_sides(&self) -> Option<(usize, usize)> {
        let rule = self.ratio_rule()?;
        let side = |name: &str| self.find_contender(name).ok();
        side(&rule.first).zip(side(&rule.second))
    }

    /// The pair that the benchmark is about: two builds, or that of the rule or of the first claim.
    pub fn asked(&self) -> Option<(usize, usize)> {
        // With a sweep, builds race at each of its values: the first is told.
        let of = |name: &str| {
            let is_of = |cell: &Cell| cell.table().is_some_and(|table| table == name);
            self.cells.iter().position(is_of)
        };
        let builds = of(NEW).zip(of(BEFORE));
        let claimed = || self.sides(self.ratio_claims().next()?.1).ok();
        builds.or_else(|| self.rule_sides()).or_else(claimed)
    }

    /// The swept values of a contender that make its question: those that the file names, else numbers and what
    /// instances are made by.
    fn question(&self, contender: usize) -> impl Iterator<Item = &(String, ParamValue)> {
        let named = self.file.bench.questions.as_ref();
        let swept = self.cells[contender].swept.iter();
        swept.filter(move |(name, value)| {
            let makes = || value.number().is_some() || self.makes_instances(name);
            named.map_or_else(makes, |names| names.contains(name))
        })
    }

    /// Returns whether the program that makes the instances is given a parameter.
    fn makes_instances(&self, param: &str) -> bool {
        let instances = self.command.as_ref().and_then(|it| it.instances.as_ref());
        let program = instances.and_then(|instances| instances.program());
        let words = program.iter().flat_map(|program| &program.argv);
        words.flat_map(|word| places(word)).any(|one| one == param)
    }

    /// Returns whether two contenders answer the same question; the baseline answers none.
    pub fn is_alike(&self, first: usize, second: usize) -> bool {
        if self.is_baseline(first) || self.is_baseline(second) {
            return false;
        }
        let [first, second] = [first, second].map(|at| self.question(at));
        first.eq(second)
    }

    /// The compared contenders: all that answer the same question, in both directions; where they are
    /// many each with the first, and what a claim or the rule names.
    pub fn raced_pairs(&self) -> Vec<(usize, usize)> {
        let count = self.cells.len();
        let is_first = |at: usize| (0..at).all(|other| !self.is_alike(other, at));
        let is_shown = |a, b| self.is_alike(a, b) && (count <= FEW || is_first(a) || is_first(b));
        let all = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
        let shown = all.filter(|&(a, b)| is_shown(a, b));
        let claims = self.ratio_claims();
        let claimed = claims.filter_map(|(_, relation)| self.sides(relation).ok());
        let named = claimed
            .chain(self.rule_sides())
            .flat_map(|(a, b)| [(a, b), (b, a)]);
        let mut known = BTreeSet::new();
        let mut pairs: Vec<_> = shown.chain(named).collect();
        pairs.retain(|&pair| pair.0 != pair.1 && known.insert(pair));
        pairs
    }

    /// The table of a contender.
    pub(super) fn table(&self, contender: usize) -> Option<&ContenderTable> {
        self.file.contenders.get(self.cells[contender].table()?)
    }

    /// The positions of the metrics on which all contenders must agree.
    pub fn agreed(&self) -> Vec<usize> {
        let tolerances = self.tolerances().into_iter();
        tolerances.map(|(at, _)| at).collect()
    }

    /// The positions of the metrics that an answer must tell: those on which all contenders must agree, or all where
    /// none is compared.
    pub fn told_metrics(&self) -> Vec<usize> {
        let agreed = self.agreed();
        if agreed.is_empty() {
            return (0..self.task.metrics.len()).collect();
        }
        agreed
    }

    /// The positions of the metrics on which all contenders must agree, each with the share of the larger
    /// answer by which two may differ.
    pub fn tolerances(&self) -> Vec<(usize, f64)> {
        let chosen = self.file.bench.answers.as_ref().map(Agreement::tolerances);
        let is_all_work = self.task.metrics.iter().all(|metric| metric.work);
        let tolerance = |metric: &Metric| match &chosen {
            Some(chosen) => {
                let own = chosen.iter().find(|(name, _)| *name == metric.name);
                own.map(|(_, tolerance)| *tolerance)
            }
            None => (!metric.work || is_all_work).then_some(0.0),
        };
        let metrics = self.task.metrics.iter().enumerate();
        metrics
            .filter_map(|(at, metric)| Some((at, tolerance(metric)?)))
            .collect()
    }

    /// The nodes that an answer may cost.
    pub fn answer_budget(&self) -> Budget {
        let cap = self.answer_cap().nodes.map(Budget::nodes);
        let budget = cap.or(self.file.budgets().last().copied());
        budget.unwrap_or(Budget::UNLIMITED)
    }

    /// The margin within which contenders are called equal.
    pub fn margin(&self) -> f64 {
        self.file.bench.equal.unwrap_or(MARGIN)
    }

    /// The confidence of ratios: of one look if the race is complete, unless a rule looked, or somebody
    /// may have looked before it went on.
    pub fn ratio_confidence(&self, is_complete: bool) -> Confidence {
        if is_complete && self.ratio_rule().is_none() && self.file.extended_from.is_empty() {
            return self.level.into();
        }
        let first = self.file.extended_from.first().copied();
        let most = self.stop.max_samples.max(1);
        let planned = first.unwrap_or((most / 10).max(100).min(most));
        Confidence {
            level: self.level,
            looks: Looks::Many { planned },
        }
    }

    /// The most that one answer may cost.
    pub fn answer_cap(&self) -> CapTable {
        self.file.bench.cap
    }

    /// A fault of a contender.
    pub fn at_fault(&self, contender: usize, fault: &impl ToString) -> Failure {
        let (name, fault) = (&self.cells[contender].name, fault.to_string());
        Failure::usage(format!("contender `{name}`: {fault}"))
    }

    /// The program of a contender with all that it is asked by; `None` where the task itself answers.
    ///
    /// # Errors
    /// If a word of the program's answers means no answer.
    pub fn program_of(&self, contender: usize) -> Result<Option<ProgramContender>, Failure> {
        let Some(declaration) = self.cells[contender].program() else {
            return Ok(None);
        };
        let is_command = self.command.is_some();
        let mut params = self.cells[contender].params.clone();
        if !is_command && !declaration.once {
            // A worker for any task is told which one it is asked for.
            params.set("task", ParamValue::Text(self.task.name.clone()));
            params.set("seed", ParamValue::Text(self.seed().to_string().into()));
        }
        let answers = self.known_answers(contender);
        let answers = answers.map_err(|fault| self.at_fault(contender, &fault.message))?;
        let table = self.table(contender);
        let own = self.cells[contender].contender.clone();
        let (setup, prepare) = own.map_or((None, None), |own| (own.setup, own.prepare));
        Ok(Some(ProgramContender {
            params,
            memory: self.answer_cap().memory.map(|size| size.0),
            setup,
            prepare,
            budget: self.answer_budget(),
            cpu: self.answer_cap().cpu,
            wall: self.answer_cap().backstop(),
            positions: if declaration.once && self.is_baseline(contender) {
                Vec::new()
            } else if !answers.is_empty() {
                self.meant().into_iter().collect()
            } else if declaration.once && !is_command {
                self.agreed()
            } else {
                (0..self.task.metrics.len()).collect()
            },
            metrics: self.task.metrics.len(),
            asked: self.told_metrics(),
            answers,
            good_statuses: table.map_or_else(Vec::new, ContenderTable::good_statuses),
            declaration: declaration.clone(),
        }))
    }
}
