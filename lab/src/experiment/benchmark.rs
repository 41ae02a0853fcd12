//! `[bench]`, `[contenders]`, `[stop.ratio]` and claims of ratios: the keys that `etude bench` reads.
//!
//! They are read before all others, and taken out of the text: what is left is an experiment like
//! any other, of the same length, so that every fault of it stands where the file has it. Knows
//! nothing of how time is taken.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::canonical::{key, literal, quoted};
use super::error::Problem;
use super::ratio_claim::{RATIO, RatioClaim};
use super::stop::MAX_SAMPLES;
use super::suggest;
use crate::task::{ParamSpec, ParamValue};

/// The benchmark that an experiment file describes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Benchmark {
    /// The table `[bench]`.
    pub bench: BenchTable,
    /// The contenders beside the cells, in file order.
    pub contenders: Vec<Contender>,
    /// The rule that looks at a ratio.
    pub stop: Option<RatioTable>,
    /// The claims of ratios.
    pub claims: Vec<RatioClaim>,
    /// The instances that the file asks for, also of a task without chance.
    pub samples: Option<u64>,
    /// True if `[command]` names no program of its own, and has that of a contender.
    pub borrows_program: bool,
}

/// How contenders are measured.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct BenchTable {
    /// The metrics on which all contenders must agree; by default all that do not describe work.
    pub answers: Option<Vec<String>>,
    /// What one answer may cost.
    #[serde(default)]
    pub cap: CapTable,
    /// Times that every contender answers each instance in either order; by default 1, and more where
    /// answers take less than 10 ms.
    pub rounds: Option<u32>,
    /// The margin within which contenders are called equal; 0.03 by default.
    pub equal: Option<f64>,
}

/// What one answer may cost.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct CapTable {
    /// Seconds, after which a program is stopped.
    pub seconds: Option<f64>,
    /// Nodes of exact search.
    pub nodes: Option<u64>,
}

/// Stop when the interval of a median ratio is narrow enough.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct RatioTable {
    /// The contender whose time is divided.
    pub first: String,
    /// The contender that it is divided by.
    pub second: String,
    /// The factor that the interval's ends may be from the estimate.
    pub within: f64,
    /// The most instances.
    #[serde(rename = "max-samples")]
    pub max_samples: u64,
}

/// A contender beside the cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// Its name.
    pub name: String,
    /// What answers.
    pub kind: ContenderKind,
}

/// What answers for a contender.
#[derive(Clone, Debug, PartialEq)]
pub enum ContenderKind {
    /// The task itself, with these parameters changed.
    Params(Vec<(String, ParamValue)>),
    /// Another program.
    Program(ContenderProgram),
}

/// A program that answers the same question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContenderProgram {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// True if it is started for every instance.
    pub once: bool,
    /// The words of its output and the answers they mean.
    pub answers: Vec<(String, String)>,
    /// The files that it is made of.
    pub files: Vec<String>,
}

/// The keys of a contender in a program; all others are parameters.
const PROGRAM_KEYS: [&str; 4] = ["run", "once", "answers", "files"];

type Entries = BTreeMap<Spanned<String>, Spanned<toml::Value>>;

/// The keys of a file that belong to its benchmark.
#[derive(Deserialize)]
struct BenchFile {
    #[serde(default)]
    bench: BenchTable,
    #[serde(default)]
    contenders: BTreeMap<Spanned<String>, Entries>,
    #[serde(default)]
    stop: StopKeys,
    #[serde(default)]
    command: BTreeMap<String, toml::Value>,
    #[serde(default)]
    claims: Vec<BTreeMap<String, toml::Value>>,
}

#[derive(Default, Deserialize)]
struct StopKeys {
    samples: Option<toml::Value>,
    ratio: Option<Spanned<RatioTable>>,
}

/// A text without the keys of its benchmark.
pub(super) struct Remaining {
    pub text: String,
    pub benchmark: Benchmark,
    entries: Vec<(String, Entries)>,
    /// Where a program was put in, and how many bytes it has.
    inserted: Option<(usize, usize)>,
}

/// The text of an experiment file without the keys of its benchmark.
pub fn without_benchmark(text: &str) -> String {
    Remaining::of(text).map_or_else(|_| text.to_owned(), |remaining| remaining.text)
}

impl Remaining {
    /// Takes the keys of a benchmark out of a text. A text that is no TOML stays as it is.
    pub fn of(text: &str) -> Result<Self, Problem> {
        let mut remaining = Self {
            text: text.to_owned(),
            benchmark: Benchmark::default(),
            entries: Vec::new(),
            inserted: None,
        };
        let Ok(table) = DeTable::parse(text) else {
            return Ok(remaining);
        };
        let table = table.into_inner();
        if !is_benchmark(&table) {
            return Ok(remaining);
        }
        let file: BenchFile = toml::from_str(text).map_err(|error| Problem {
            span: error.span(),
            ..Problem::nowhere(error.message())
        })?;
        remaining.read(file)?;
        remaining.cut(&table)?;
        Ok(remaining)
    }

    fn read(&mut self, file: BenchFile) -> Result<(), Problem> {
        check(&file)?;
        let mut named: Vec<_> = file.contenders.into_iter().collect();
        named.sort_by_key(|(name, _)| name.span().start);
        let names = named.iter().map(|(name, _)| checked_name(name));
        names.collect::<Result<Vec<_>, _>>()?;
        self.entries = named
            .into_iter()
            .map(|(name, entries)| (name.into_inner(), entries))
            .collect();
        let samples = file
            .stop
            .samples
            .and_then(|samples| samples.as_integer()?.try_into().ok());
        self.benchmark = Benchmark {
            bench: file.bench,
            samples,
            stop: file.stop.ratio.map(Spanned::into_inner),
            claims: file
                .claims
                .iter()
                .filter_map(RatioClaim::of_table)
                .collect::<Result<_, _>>()?,
            borrows_program: !file.command.is_empty()
                && !["run", "once"]
                    .iter()
                    .any(|key| file.command.contains_key(*key)),
            contenders: Vec::new(),
        };
        Ok(())
    }

    /// Blanks the keys in the text, and gives `[command]` a contender's program where it has none.
    fn cut(&mut self, table: &DeTable) -> Result<(), Problem> {
        for name in ["bench", "contenders"] {
            table
                .get_key_value(name)
                .into_iter()
                .for_each(|(key, value)| self.blank(key.span(), value));
        }
        self.cut_stop(table)?;
        let claims = table
            .get("claims")
            .and_then(|claims| claims.get_ref().as_array());
        let of_ratio = |claim: &&Spanned<DeValue>| {
            let holds = claim
                .get_ref()
                .as_table()
                .and_then(|table| table.get("holds"));
            holds
                .and_then(|holds| holds.get_ref().as_str())
                .is_some_and(|text| text.trim().starts_with(RATIO))
        };
        for claim in claims
            .into_iter()
            .flat_map(|claims| claims.iter())
            .filter(of_ratio)
        {
            self.blank(claim.span(), claim);
        }
        if let Some((_, command)) = table
            .get_key_value("command")
            .filter(|_| self.benchmark.borrows_program)
        {
            self.insert_program(command.span().end);
        }
        Ok(())
    }

    /// Replaces `[stop.ratio]` by the most samples that it may take.
    fn cut_stop(&mut self, table: &DeTable) -> Result<(), Problem> {
        let stop = table.get("stop").and_then(|stop| stop.get_ref().as_table());
        let Some((stop, (key, ratio))) =
            stop.and_then(|stop| Some((stop, stop.get_key_value("ratio")?)))
        else {
            return Ok(());
        };
        if stop.len() > 1 {
            return Err(
                Problem::at(ratio.span(), "a second rule for when to stop").expected(
                    "expected one of `samples`, `half-width`, `sprt`, `claims` and `ratio`",
                ),
            );
        }
        let most = self
            .benchmark
            .stop
            .as_ref()
            .map_or(0, |stop| stop.max_samples);
        let samples = format!("samples = {most}");
        if !self.is_header(ratio) {
            let whole = key.span().start..ratio.span().end;
            self.overwrite(whole, &samples);
            return Ok(());
        }
        let table = ratio.get_ref().as_table();
        let (most, value) = table
            .and_then(|table| table.get_key_value("max-samples"))
            .ok_or_else(|| Problem::at(ratio.span(), "the key `max-samples` is missing"))?;
        self.blank(key.span(), ratio);
        self.overwrite(ratio.span(), "[stop]");
        self.overwrite(most.span().start..value.span().end, &samples);
        Ok(())
    }

    fn is_header(&self, value: &Spanned<DeValue>) -> bool {
        self.text[value.span()].starts_with('[') && value.get_ref().is_table()
    }

    /// Blanks a key and its value, every line of it.
    fn blank(&mut self, key: Range<usize>, value: &Spanned<DeValue>) {
        let is_inline = self.text[value.span()].starts_with('{');
        match value.get_ref() {
            DeValue::Table(table) if !is_inline => {
                if self.is_header(value) {
                    self.overwrite(value.span(), "");
                }
                for (key, value) in table {
                    self.blank(key.span(), value);
                }
            }
            _ => {
                let line = self.text[..key.start].rfind('\n').map_or(0, |at| at + 1);
                self.overwrite(line..value.span().end, "");
            }
        }
    }

    /// Writes `with` over a part of the text and blanks the rest of it; lines stay lines.
    fn overwrite(&mut self, part: Range<usize>, with: &str) {
        let old = self.text[part.clone()].bytes();
        let mut new = with.bytes();
        let byte = |old| match old {
            b'\n' | b'\r' => old,
            _ => new.next().unwrap_or(b' '),
        };
        let bytes: Vec<u8> = old.map(byte).collect();
        self.text
            .replace_range(part, &String::from_utf8_lossy(&bytes));
    }

    /// Gives `[command]`, whose header ends at `end`, the program of the first contender with one.
    fn insert_program(&mut self, end: usize) {
        let programs = self.entries.iter().flat_map(|(_, entries)| entries);
        let found = programs
            .clone()
            .find(|(key, _)| ["run", "once"].contains(&key.get_ref().as_str()));
        let Some((key, value)) = found else { return };
        let line = format!("\n{} = {}", key.get_ref(), value.get_ref());
        self.text.insert_str(end, &line);
        self.inserted = Some((end, line.len()));
    }

    /// Moves a fault of the remaining text to where it stands in the file.
    pub fn place(&self, mut problem: Problem) -> Problem {
        let moved = |at: usize| match self.inserted {
            Some((start, length)) if at > start => at.saturating_sub(length).max(start),
            _ => at,
        };
        problem.span = problem.span.map(|span| moved(span.start)..moved(span.end));
        problem
    }

    /// The benchmark, with the parameters of its contenders read as the task has them.
    pub fn finish(self, params: &[ParamSpec], metrics: &[&str]) -> Result<Benchmark, Problem> {
        let mut benchmark = self.benchmark;
        for name in benchmark.bench.answers.iter().flatten() {
            if !metrics.contains(&name.as_str()) {
                let help = suggest::help(name, metrics.iter().copied());
                return Err(Problem::nowhere(format!(
                    "the task has no metric `{name}`, of `[bench] answers`"
                ))
                .help(help));
            }
        }
        for (name, entries) in self.entries {
            let kind = contender(&name, &entries, params)?;
            benchmark.contenders.push(Contender { name, kind });
        }
        Ok(benchmark)
    }
}

/// Returns whether a file has any key of a benchmark.
fn is_benchmark(table: &DeTable) -> bool {
    let stop = table.get("stop").and_then(|stop| stop.get_ref().as_table());
    let claims = table
        .get("claims")
        .and_then(|claims| claims.get_ref().as_array());
    let holds = |claim: &Spanned<DeValue>| {
        let holds = claim
            .get_ref()
            .as_table()?
            .get("holds")?
            .get_ref()
            .as_str()?;
        Some(holds.trim().starts_with(RATIO))
    };
    table.contains_key("bench")
        || table.contains_key("contenders")
        || stop.is_some_and(|stop| stop.contains_key("ratio"))
        || claims.is_some_and(|claims| claims.iter().any(|claim| holds(claim) == Some(true)))
}

fn check(file: &BenchFile) -> Result<(), Problem> {
    let is_positive =
        |number: Option<f64>| number.is_none_or(|number| number > 0.0 && number.is_finite());
    if !is_positive(file.bench.cap.seconds) || file.bench.cap.nodes == Some(0) {
        return Err(Problem::nowhere("`cap` of `[bench]` must be above 0"));
    }
    if !is_positive(file.bench.equal) {
        return Err(Problem::nowhere(
            "`equal` of `[bench]` must be above 0, such as 0.03",
        ));
    }
    if file
        .bench
        .rounds
        .is_some_and(|rounds| !(1..=1000).contains(&rounds))
    {
        return Err(Problem::nowhere(
            "`rounds` of `[bench]` must be from 1 to 1,000",
        ));
    }
    match &file.stop.ratio {
        Some(stop) if stop.get_ref().within.is_nan() || stop.get_ref().within <= 1.0 => Err(
            Problem::at(stop.span(), "`within` is a factor above 1, such as 1.05"),
        ),
        Some(stop) if !(1..=MAX_SAMPLES).contains(&stop.get_ref().max_samples) => {
            Err(Problem::at(stop.span(), "`max-samples` must be at least 1"))
        }
        _ => Ok(()),
    }
}

/// The name of the second run of the first contender.
pub const CONTROL: &str = "control";

fn checked_name(name: &Spanned<String>) -> Result<(), Problem> {
    let text = name.get_ref();
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if text == CONTROL {
        return Err(
            Problem::at(name.span(), "`control` is the first contender's second run")
                .help("choose another name"),
        );
    }
    if text.is_empty() || !text.chars().all(fits) {
        return Err(Problem::at(
            name.span(),
            format!("`{text}` cannot be a contender's name"),
        )
        .expected("expected letters, digits, points, hyphens and underscores"));
    }
    Ok(())
}

fn contender(name: &str, entries: &Entries, specs: &[ParamSpec]) -> Result<ContenderKind, Problem> {
    let is_program = |key: &Spanned<String>| PROGRAM_KEYS.contains(&key.get_ref().as_str());
    if entries.keys().any(is_program) {
        return program(name, entries).map(ContenderKind::Program);
    }
    let mut entries: Vec<_> = entries.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let params = entries
        .into_iter()
        .map(|(key, value)| param(key, value, specs));
    params.collect::<Result<_, _>>().map(ContenderKind::Params)
}

fn param(
    key: &Spanned<String>,
    value: &Spanned<toml::Value>,
    specs: &[ParamSpec],
) -> Result<(String, ParamValue), Problem> {
    let name = key.get_ref();
    let Some(spec) = specs.iter().find(|spec| spec.name == *name) else {
        let names = specs.iter().map(|spec| &*spec.name).chain(PROGRAM_KEYS);
        return Err(
            Problem::at(key.span(), format!("the task has no parameter `{name}`"))
                .help(suggest::help(name, names)),
        );
    };
    let given = value.get_ref().clone().try_into::<ParamValue>().ok();
    let value_of = given.and_then(|given| spec.kind.read(&given));
    let value = value_of.ok_or_else(|| {
        let expected = format!("expected {}", spec.kind.accepted());
        Problem::at(
            value.span(),
            format!("`{name}` cannot be `{}`", value.get_ref()),
        )
        .expected(expected)
    })?;
    Ok((name.clone(), value))
}

fn program(name: &str, entries: &Entries) -> Result<ContenderProgram, Problem> {
    let mut program = ContenderProgram::default();
    for (key, value) in entries {
        let texts = || {
            let list = value.get_ref().as_array().filter(|list| !list.is_empty());
            let list = list.and_then(|list| {
                list.iter()
                    .map(|item| Some(item.as_str()?.to_owned()))
                    .collect()
            });
            list.ok_or_else(|| {
                Problem::at(
                    value.span(),
                    format!("`{}` must be a list of texts", key.get_ref()),
                )
            })
        };
        match key.get_ref().as_str() {
            "run" => program.argv = texts()?,
            "once" => (program.argv, program.once) = (texts()?, true),
            "files" => program.files = texts()?,
            "answers" => program.answers = words(value)?,
            other => {
                let message = format!("`{other}` is no key of a contender in another program");
                return Err(Problem::at(key.span(), message)
                    .help(suggest::help(other, PROGRAM_KEYS.into_iter())));
            }
        }
    }
    let keys: Vec<&str> = entries.keys().map(|key| key.get_ref().as_str()).collect();
    let fault = match (keys.contains(&"run"), keys.contains(&"once")) {
        (true, true) => "both `run` and `once` are there",
        (false, false) => "no program is named: add `run = [...]` or `once = [...]`",
        (true, false) if keys.contains(&"answers") => {
            "`answers` are words of a program started by `once`"
        }
        _ => return Ok(program),
    };
    Err(Problem::nowhere(format!("contender `{name}`: {fault}")))
}

/// The words of a program's output and what they mean: `{ Solved = true }`.
fn words(value: &Spanned<toml::Value>) -> Result<Vec<(String, String)>, Problem> {
    let table = value.get_ref().as_table();
    let table = table.ok_or_else(|| {
        Problem::at(
            value.span(),
            "`answers` must be a table of words and answers",
        )
        .expected("expected such as { Solved = true, Impossible = false }")
    })?;
    let text = |value: &toml::Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    Ok(table
        .iter()
        .map(|(word, answer)| (word.clone(), text(answer)))
        .collect())
}

impl Benchmark {
    /// Returns whether the file describes contenders that `etude run` knows nothing of.
    pub fn is_only_bench(&self) -> bool {
        !self.contenders.is_empty() || self.stop.is_some()
    }

    /// Writes the tables as a file has them; nothing of a benchmark without any.
    pub(super) fn write(&self, out: &mut String) -> fmt::Result {
        if let Some(stop) = &self.stop {
            stop.write(out)?;
        }
        let BenchTable {
            answers,
            cap,
            rounds,
            equal,
        } = &self.bench;
        if self.bench != BenchTable::default() {
            writeln!(out, "\n[bench]")?;
        }
        if let Some(answers) = answers {
            writeln!(out, "answers = {}", list(answers))?;
        }
        let caps = [
            cap.seconds.map(|seconds| format!("seconds = {seconds:?}")),
            cap.nodes.map(|nodes| format!("nodes = {nodes}")),
        ];
        let caps: Vec<String> = caps.into_iter().flatten().collect();
        if !caps.is_empty() {
            writeln!(out, "cap = {{ {} }}", caps.join(", "))?;
        }
        rounds.map_or(Ok(()), |rounds| writeln!(out, "rounds = {rounds}"))?;
        equal.map_or(Ok(()), |equal| writeln!(out, "equal = {equal:?}"))?;
        self.contenders
            .iter()
            .try_for_each(|contender| contender.write(out))?;
        self.claims.iter().try_for_each(|claim| claim.write(out))
    }
}

impl RatioTable {
    /// Writes the rule as a file has it.
    pub(super) fn write(&self, out: &mut String) -> fmt::Result {
        let Self {
            first,
            second,
            within,
            max_samples,
        } = self;
        writeln!(
            out,
            "\n[stop.ratio]\nfirst = {}\nsecond = {}",
            quoted(first),
            quoted(second)
        )?;
        writeln!(out, "within = {within:?}\nmax-samples = {max_samples}")
    }
}

impl Contender {
    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "\n[contenders.{}]", key(&self.name))?;
        let program = match &self.kind {
            ContenderKind::Params(params) => {
                return params.iter().try_for_each(|(name, value)| {
                    writeln!(
                        out,
                        "{} = {}",
                        key(name),
                        literal(&serde_json::json!(value))
                    )
                });
            }
            ContenderKind::Program(program) => program,
        };
        let word = if program.once { "once" } else { "run" };
        writeln!(out, "{word} = {}", list(&program.argv))?;
        if !program.files.is_empty() {
            writeln!(out, "files = {}", list(&program.files))?;
        }
        let pair =
            |(word, answer): &(String, String)| format!("{} = {}", key(word), quoted(answer));
        let pairs: Vec<String> = program.answers.iter().map(pair).collect();
        if pairs.is_empty() {
            return Ok(());
        }
        writeln!(out, "answers = {{ {} }}", pairs.join(", "))
    }
}

fn list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", quoted.join(", "))
}
