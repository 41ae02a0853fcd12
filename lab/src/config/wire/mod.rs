//! The keys of an experiment file, as written: a mirror for serde, and nothing more.
//!
//! Every value keeps its place in the text, and any scalar is accepted anywhere, so that `read`
//! can name each fault where it stands. Only unknown keys and things that are no tables fail
//! here. The shape also yields the JSON Schema (draft 2020-12) of the file.

mod program;
mod values;

pub(super) use program::{CommandTable, MetricTable, ParamTable, PlayerTable};
pub(super) use values::{Entries, Item, KeyValue, NamedTables, Scalar, TomlTable};

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

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
    /// What reduces the variance of the estimates: a control variate.
    #[serde(default)]
    #[schemars(with = "VarianceTable")]
    pub variance: Option<Spanned<TomlTable<VarianceTable>>>,
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

/// What reduces the variance of the estimates: a control variate.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct VarianceTable {
    /// The feature of an instance that the estimates are adjusted by.
    #[schemars(with = "String", required)]
    pub control: Option<Item>,
    /// Its mean, as another run has estimated it.
    #[schemars(with = "f64", required)]
    pub mean: Option<Item>,
    /// The standard error of that mean. It becomes part of the error of every adjusted estimate.
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
    /// The metric of a game's payout: a bounded integer that cannot be negative.
    #[schemars(with = "String", required)]
    pub metric: Option<Item>,
    /// What a game costs, in the metric's unit; 0 where the metric is a gain, which can be negative.
    #[schemars(with = "f64", required, range(min = 0))]
    pub stake: Option<Item>,
    /// Games in a row whose total gain is shown; 100 by default.
    #[serde(default)]
    #[schemars(with = "u64", range(min = 1, max = 1000))]
    pub games: Option<Item>,
    /// The cell whose player's gains are shown; the first by default.
    #[serde(default)]
    #[schemars(with = "String")]
    pub cell: Option<Item>,
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
    /// Whether it was written after seeing results. Shown with the verdict.
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
    /// The source of the knowledge.
    #[serde(default)]
    #[schemars(with = "String")]
    pub source: Option<Item>,
}
