//! The keys of an experiment file, as written: a mirror for serde, and nothing more.
//!
//! Every value keeps its place in the text, and any scalar is accepted anywhere, so that `read`
//! can name each fault where it stands. Only unknown keys and things that are no tables fail
//! here. The shape also yields the JSON Schema (draft 2020-12) of the file.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

/// A value with its place in the text.
pub(super) type Item = Spanned<Scalar>;

/// An experiment for `etude run`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Experiment")]
pub(super) struct ExperimentFile {
    /// The question that the experiment answers, in a sentence.
    #[schemars(with = "String", required)]
    pub question: Option<Item>,
    /// What is sampled: `game/task`, from `etude list tasks`.
    #[schemars(with = "String", required)]
    pub task: Option<Item>,
    /// The root of the random streams: the same seed gives the same numbers.
    #[schemars(with = "u64", required)]
    pub seed: Option<Item>,
    /// The confidence level of the intervals; 0.95 by default.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub level: Option<Item>,
    /// The experiment's name; by default the name of the file.
    #[serde(default)]
    #[schemars(with = "String", regex(pattern = "^[a-z0-9-]+$"))]
    pub name: Option<Item>,
    /// The answer in a sentence, with metrics' names in braces in place of figures: `{score}` for
    /// the first cell, `{greedy:score}` for another one.
    #[serde(default)]
    #[schemars(with = "String")]
    pub answer: Option<Item>,
    /// Prose that is shown with the numbers.
    #[serde(default)]
    #[schemars(with = "String")]
    pub analysis: Option<Item>,
    /// The numbers of samples at which this run was complete before it was extended. `etude run`
    /// writes it, because the intervals must then be valid under repeated looks.
    #[serde(default, rename = "extended-from")]
    #[schemars(with = "Vec<u64>")]
    pub extended_from: Option<Item>,
    /// The task's parameters.
    #[serde(default)]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub params: Entries,
    /// A simulation in another program, for the task `command`.
    #[serde(default)]
    #[schemars(with = "CommandTable")]
    pub command: Option<Spanned<TomlTable<CommandTable>>>,
    /// Players in other programs, by the names that parameters give them.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, PlayerTable>")]
    pub players: NamedTables<PlayerTable>,
    /// What one sample may cost.
    #[serde(default)]
    #[schemars(with = "BudgetTable")]
    pub budget: Option<TomlTable<BudgetTable>>,
    /// What is done to reduce the variance of the estimates.
    #[serde(default)]
    #[schemars(with = "VarianceTable")]
    pub variance: Option<TomlTable<VarianceTable>>,
    /// When to stop.
    #[schemars(with = "StopTable", required)]
    pub stop: Option<Spanned<TomlTable<StopTable>>>,
    /// Parameters with a list of values each: one cell for every combination, in file order.
    #[serde(default)]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub sweep: Entries,
    /// What is written beside the summaries.
    #[serde(default)]
    #[schemars(with = "OutputTable")]
    pub output: Option<TomlTable<OutputTable>>,
    /// What a game costs and pays, for reports of what a player gains or loses.
    #[serde(default)]
    #[schemars(with = "WagerTable")]
    pub wager: Option<Spanned<TomlTable<WagerTable>>>,
    /// Sentences from the sources, each with a relation that makes it testable.
    #[serde(default)]
    #[schemars(with = "Vec<ClaimTable>")]
    pub claims: Vec<Spanned<TomlTable<ClaimTable>>>,
    /// Exact expectations, where they are known: the estimates are held against them.
    #[serde(default)]
    #[schemars(with = "Vec<TruthTable>")]
    pub truths: Vec<Spanned<TomlTable<TruthTable>>>,
}

/// A simulation in another program.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CommandTable {
    /// The program and its arguments: started once for each thread, it answers line by line.
    /// Relative paths start from the folder of this file.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub run: Option<Item>,
    /// The program and its arguments: started for every sample, with `{seed32}`, `{sample}` and
    /// parameters in braces filled in. The last line of its output holds the values.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub once: Option<Item>,
    /// The files that determine the numbers: their hashes are part of the results' fingerprint.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub files: Option<Item>,
    /// The hashes of `files` when the experiment was made; those of the files unless given.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub hashes: Option<Item>,
    /// The program's version, if no files determine it.
    #[serde(default)]
    #[schemars(with = "String")]
    pub version: Option<Item>,
    /// One independent seed for each of these names and every sample; `seed` by default.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub streams: Option<Item>,
    /// Seconds of silence after which the program counts as hanging; 60 by default.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub patience: Option<Item>,
    /// The most samples requested in one line; 64 by default. It changes no value.
    #[serde(default)]
    #[schemars(with = "u64", range(min = 1, max = 4096))]
    pub batch: Option<Item>,
    /// Its parameters.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, ParamTable>")]
    pub params: NamedTables<ParamTable>,
    /// What a sample reports, in the order of a row's values.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, MetricTable>")]
    pub metrics: NamedTables<MetricTable>,
}

/// A parameter of a program.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ParamTable {
    /// `integer`, `number`, `flag`, `text` or `choice`.
    #[schemars(with = "String", required)]
    pub kind: Option<Item>,
    /// The least value.
    #[serde(default)]
    #[schemars(with = "f64")]
    pub min: Option<Item>,
    /// The greatest value.
    #[serde(default)]
    #[schemars(with = "f64")]
    pub max: Option<Item>,
    /// The words of a choice.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub choices: Option<Item>,
    /// The default value; without it, the experiment must give one.
    #[serde(default)]
    #[schemars(with = "serde_json::Value")]
    pub default: Option<Item>,
    /// One sentence: what it does.
    #[serde(default)]
    #[schemars(with = "String")]
    pub summary: Option<Item>,
}

/// A metric of a program.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MetricTable {
    /// `flag`, `integer`, `number`, `total`, `ratio`, `weight` or `pair`.
    #[schemars(with = "String", required)]
    pub kind: Option<Item>,
    /// Its unit.
    #[serde(default)]
    #[schemars(with = "String")]
    pub unit: Option<Item>,
    /// The least possible value.
    #[serde(default)]
    #[schemars(with = "f64")]
    pub min: Option<Item>,
    /// The greatest possible value.
    #[serde(default)]
    #[schemars(with = "f64")]
    pub max: Option<Item>,
    /// Digits after the point of a number, 0 to 12; 6 by default.
    #[serde(default)]
    #[schemars(with = "u8", range(min = 0, max = 12))]
    pub decimals: Option<Item>,
    /// One sentence: what it is.
    #[serde(default)]
    #[schemars(with = "String")]
    pub summary: Option<Item>,
    /// Its exact expectation, if it is known and the same in all cells, to compare with the
    /// estimate. `[[truths]]` names one for each cell.
    #[serde(default)]
    #[schemars(with = "f64")]
    pub truth: Option<Item>,
}

/// A player in another program, which speaks UGI.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayerTable {
    /// The program and its arguments. Relative paths start from the folder of this file.
    #[schemars(with = "Vec<String>", required)]
    pub run: Option<Item>,
    /// The files that determine its moves: their hashes are part of the results' fingerprint.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub files: Option<Item>,
    /// The hashes of `files` when the experiment was made; those of the files unless given.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub hashes: Option<Item>,
    /// The program's version, if no files determine it.
    #[serde(default)]
    #[schemars(with = "String")]
    pub version: Option<Item>,
    /// Seconds of silence after which the player counts as hanging; 60 by default.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub patience: Option<Item>,
    /// What a move may cost: `nodes` (the experiment's budget, the default), `nodes 500` or `depth 6`.
    #[serde(default)]
    #[schemars(with = "String")]
    pub go: Option<Item>,
    /// What an illegal move or a repeated crash means: `stop` the run (the default) or `lose` the
    /// match.
    #[serde(default)]
    #[schemars(with = "String")]
    pub faults: Option<Item>,
}

/// What one sample may cost.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BudgetTable {
    /// Nodes of exact search for each sample. A sample that uses them up counts with its bounds
    /// and is never dropped. With a list, an unresolved sample is tried again with the next,
    /// larger budget.
    #[serde(default)]
    #[schemars(with = "Nodes")]
    pub nodes: Option<Item>,
}

/// What is done to reduce the variance of the estimates.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct VarianceTable {
    /// Features of an instance with known means, used to adjust the estimates.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub control: Option<Item>,
    /// Equal parts of the first draw's range; consecutive samples take one each. A power of two
    /// that divides the number of samples. 2 makes pairs of opposite halves.
    #[serde(default)]
    #[schemars(with = "u64", range(min = 2, max = 64))]
    pub strata: Option<Item>,
    /// Estimated means of controls whose mean is not known exactly, by name.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, KnownTable>")]
    pub known: NamedTables<KnownTable>,
}

/// The mean of a control, as estimated by another run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct KnownTable {
    /// The mean.
    #[schemars(with = "f64", required)]
    pub mean: Option<Item>,
    /// Its standard error. It becomes part of the error of every adjusted estimate.
    #[schemars(with = "f64", required, extend("exclusiveMinimum" = 0))]
    pub error: Option<Item>,
}

/// When to stop.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StopTable {
    /// Samples of each cell.
    #[serde(default)]
    #[schemars(with = "u64", range(min = 1, max = 10_000_000_000_000_u64))]
    pub samples: Option<Item>,
    /// Stop when the interval of a metric is narrow enough in every cell.
    #[serde(default, rename = "half-width")]
    #[schemars(with = "HalfWidthTable")]
    pub half_width: Option<Spanned<TomlTable<HalfWidthTable>>>,
    /// Stop when a sequential probability ratio test has decided in every cell.
    #[serde(default)]
    #[schemars(with = "SprtTable")]
    pub sprt: Option<Spanned<TomlTable<SprtTable>>>,
    /// Stop when every claim is decided.
    #[serde(default)]
    #[schemars(with = "ClaimsStopTable")]
    pub claims: Option<Spanned<TomlTable<ClaimsStopTable>>>,
}

/// Stop when the interval of a metric is narrow enough in every cell.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HalfWidthTable {
    /// The metric.
    #[schemars(with = "String", required)]
    pub metric: Option<Item>,
    /// The largest half-width of its interval, in its unit.
    #[schemars(with = "f64", required, extend("exclusiveMinimum" = 0))]
    pub target: Option<Item>,
    /// The most samples of each cell.
    #[serde(rename = "max-samples")]
    #[schemars(with = "u64", required, range(min = 1, max = 10_000_000_000_000_u64))]
    pub max_samples: Option<Item>,
}

/// Stop when a sequential probability ratio test has decided in every cell.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SprtTable {
    /// The metric: a flag, or the half points of pairs of games.
    #[schemars(with = "String", required)]
    pub metric: Option<Item>,
    /// The hypotheses as Elo differences, for pairs.
    #[serde(default)]
    #[schemars(with = "[f64; 2]")]
    pub elo: Option<Item>,
    /// The hypotheses in normalised Elo, for pairs.
    #[serde(default)]
    #[schemars(with = "[f64; 2]")]
    pub nelo: Option<Item>,
    /// The hypotheses as probabilities, for flags.
    #[serde(default)]
    #[schemars(with = "[f64; 2]")]
    pub rate: Option<Item>,
    /// The probability of accepting the upper hypothesis wrongly; 0.05 by default.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub alpha: Option<Item>,
    /// The probability of accepting the lower hypothesis wrongly; 0.05 by default.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub beta: Option<Item>,
    /// The most samples of each cell.
    #[serde(rename = "max-samples")]
    #[schemars(with = "u64", required, range(min = 1, max = 10_000_000_000_000_u64))]
    pub max_samples: Option<Item>,
}

/// Stop when every claim is decided.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimsStopTable {
    /// The most samples of each cell.
    #[serde(rename = "max-samples")]
    #[schemars(with = "u64", required, range(min = 1, max = 10_000_000_000_000_u64))]
    pub max_samples: Option<Item>,
}

/// One budget, or several for one attempt each.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum Nodes {
    One(u64),
    Several(Vec<u64>),
}

/// What is written beside the summaries.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OutputTable {
    /// Whether to write every sample to samples.csv.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub samples: Option<Item>,
    /// The sample of the first cell that reports show step by step; 0 by default.
    #[serde(default)]
    #[schemars(with = "u64")]
    pub exhibit: Option<Item>,
}

/// What a game costs and pays.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WagerTable {
    /// The metric of a game's payout: a bounded integer.
    #[schemars(with = "String", required)]
    pub metric: Option<Item>,
    /// What a game costs, in the metric's unit.
    #[schemars(with = "f64", required, extend("exclusiveMinimum" = 0))]
    pub stake: Option<Item>,
    /// Games in a row whose total gain is shown; 100 by default.
    #[serde(default)]
    #[schemars(with = "u64", range(min = 1, max = 1000))]
    pub games: Option<Item>,
}

/// A sentence from a source and the relation that is true where the sentence is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimTable {
    /// Who claims it.
    #[schemars(with = "String", required)]
    pub source: Option<Item>,
    /// The sentence, quoted or paraphrased.
    #[schemars(with = "String", required)]
    pub text: Option<Item>,
    /// The relation: `score.mean < 11`, `widest-position.max <= 7`, `diff(A, B).win > 0`.
    #[schemars(with = "String", required)]
    pub holds: Option<Item>,
    /// The cells it is about, by swept values: `variant=chess`. All by default.
    #[serde(rename = "where")]
    #[serde(default)]
    #[schemars(with = "String")]
    pub selector: Option<Item>,
    /// Whether it was written after a first look at such numbers. Shown with the verdict.
    #[serde(default, rename = "post-hoc")]
    #[schemars(with = "bool")]
    pub post_hoc: Option<Item>,
    /// The experiment's analysis, if it is written below the last claim.
    #[serde(default)]
    #[schemars(with = "String")]
    pub analysis: Option<Item>,
}

/// An exact expectation of a metric.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TruthTable {
    /// The metric.
    #[schemars(with = "String", required)]
    pub metric: Option<Item>,
    /// Its expectation, in its unit.
    #[schemars(with = "f64", required)]
    pub value: Option<Item>,
    /// The cells it is true in, by swept values: `load=0.5`. All unless given.
    #[serde(rename = "where")]
    #[serde(default)]
    #[schemars(with = "String")]
    pub selector: Option<Item>,
    /// Where it is known from.
    #[serde(default)]
    #[schemars(with = "String")]
    pub source: Option<Item>,
}

/// Named tables, in file order.
#[derive(Debug)]
pub(super) struct NamedTables<T>(pub Vec<(Spanned<String>, Spanned<TomlTable<T>>)>);

impl<T> Default for NamedTables<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for NamedTables<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TablesVisitor(PhantomData))
    }
}

struct TablesVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for TablesVisitor<T> {
    type Value = NamedTables<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("named tables")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NamedTables<T>, A::Error> {
        let mut tables = Vec::new();
        while let Some(entry) = map.next_entry::<Spanned<String>, Spanned<TomlTable<T>>>()? {
            tables.push(entry);
        }
        tables.sort_by_key(|(key, _)| key.span().start);
        Ok(NamedTables(tables))
    }
}

/// A table of these keys. A list is none, though it could be read by position.
#[derive(Debug)]
pub(super) struct TomlTable<T>(pub T);

impl<T> Deref for TomlTable<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TomlTable<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TableVisitor(PhantomData))
    }
}

struct TableVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for TableVisitor<T> {
    type Value = TomlTable<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<TomlTable<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(TomlTable)
    }
}

/// The keys and values of a table, in file order.
#[derive(Debug, Default)]
pub(super) struct Entries(pub Vec<KeyValue>);

/// A key with its value.
#[derive(Debug)]
pub(super) struct KeyValue {
    /// The key.
    pub key: Spanned<String>,
    /// The value.
    pub value: Item,
}

/// Any value of a key.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Text(String),
    Integer(i128),
    Number(f64),
    Flag(bool),
    List(Vec<Item>),
    /// A table or a date.
    Table,
}

impl Scalar {
    /// The value in words, for messages.
    pub fn describe(&self) -> String {
        match self {
            Scalar::Text(text) if text.chars().count() > 40 => "this text".to_owned(),
            Scalar::Text(text) => format!("the text `{}`", text.escape_debug()),
            Scalar::Integer(integer) => format!("`{integer}`"),
            Scalar::Number(number) => format!("`{number:?}`"),
            Scalar::Flag(flag) => format!("`{flag}`"),
            Scalar::List(_) => "a list".to_owned(),
            Scalar::Table => "a table or a date".to_owned(),
        }
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a table of parameters")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = map.next_entry::<Spanned<String>, Item>()? {
            entries.push(KeyValue { key, value });
        }
        // The parser sorts by key; the file's order is the order of places.
        entries.sort_by_key(|entry| entry.key.span().start);
        Ok(Entries(entries))
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(text.to_owned()))
    }

    fn visit_i64<E>(self, integer: i64) -> Result<Scalar, E> {
        Ok(Scalar::Integer(integer.into()))
    }

    fn visit_u64<E>(self, integer: u64) -> Result<Scalar, E> {
        Ok(Scalar::Integer(integer.into()))
    }

    fn visit_i128<E>(self, integer: i128) -> Result<Scalar, E> {
        Ok(Scalar::Integer(integer))
    }

    fn visit_u128<E>(self, integer: u128) -> Result<Scalar, E> {
        Ok(Scalar::Integer(
            i128::try_from(integer).unwrap_or(i128::MAX),
        ))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Scalar, E> {
        Ok(Scalar::Number(number))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Scalar, E> {
        Ok(Scalar::Flag(flag))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Scalar, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element::<Item>()? {
            items.push(item);
        }
        Ok(Scalar::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Table)
    }
}
