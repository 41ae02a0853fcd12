//! The experiment file: its keys, with the types of what a person writes.
//!
//! The JSON Schema, the book's reference and the canonical file all
//! come from these types. A new key is a field with its doc comment; what cannot be said by its
//! type is checked where the experiment is compiled.

use std::num::NonZeroUsize;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::real;
use kit::search::Budget;
use stats::Level;
use task::ParamValue;

use super::document::Document;
use super::{
    BenchTable, ClaimTable, CommandTable, ConfigError, ContenderTable, PlayerTable, StopTable,
    SweepTable, VarianceTable, WagerTable, whole,
};

/// An experiment for `etude run`, or a benchmark for `etude bench`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "Experiment", extend("required" = ["task", "seed", "stop"]))]
pub struct ExperimentFile {
    /// The experiment's name; by default the name of the file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(regex(pattern = "^[a-z0-9-]+$"))]
    pub name: String,
    /// The question that the experiment answers, in a sentence; by default its name.
    #[serde(default)]
    pub question: String,
    /// The task to sample: `game/task`, from `etude list tasks`.
    pub task: String,
    /// The root of the random streams: the same seed gives the same numbers.
    #[serde(default, deserialize_with = "whole::one::<0, { u64::MAX }, _, _>")]
    #[schemars(extend("default" = null))]
    pub seed: u64,
    /// The confidence level of the intervals; 0.95 by default.
    #[serde(default = "usual_level", deserialize_with = "real::share")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub level: f64,
    /// The numbers of samples at which this run was complete before it was extended. `etude run`
    /// writes them, because the intervals must then be valid under repeated looks.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "whole::list"
    )]
    #[schemars(inner(range(min = 1)))]
    pub extended_from: Vec<u64>,
    /// The answer in a sentence, with metrics' names in braces in place of figures: `{score}` for
    /// the first cell, `{greedy:score}` for another one, `{greedy - optimal:score}` for the paired
    /// difference of two, as pairs.csv has it.
    pub answer: Option<String>,
    /// Prose that is shown with the numbers.
    pub analysis: Option<String>,
    /// The task's parameters.
    #[serde(default)]
    pub params: IndexMap<String, ParamValue>,
    /// A simulation in another program, for the task `command`.
    pub command: Option<CommandTable>,
    /// Players in other programs, by the names that parameters give them.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub players: IndexMap<String, PlayerTable>,
    /// The most that one sample may cost.
    pub budget: Option<BudgetTable>,
    /// A control variate, which reduces the variance of the estimates.
    pub variance: Option<VarianceTable>,
    /// The stop rule.
    #[serde(default)]
    #[schemars(extend("default" = null))]
    pub stop: Option<StopTable>,
    /// Parameters with a list or a range of values each: one cell for every combination, in file order. The
    /// parameters that `zip` names change together.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sweep: SweepTable,
    /// Cells that nobody wants any more, each with the number of samples after which it draws no more. They stay in the
    /// folder and count in every joint statement: what has been seen is not taken out.
    #[serde(
        default,
        skip_serializing_if = "IndexMap::is_empty",
        deserialize_with = "whole::by_name"
    )]
    pub unwanted: IndexMap<String, u64>,
    /// The settings of `etude bench`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bench: BenchTable,
    /// Contenders of a benchmark beside the cells, by their names; each at every swept value.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub contenders: IndexMap<String, ContenderTable>,
    /// The files written beside the summaries.
    #[serde(default)]
    pub(crate) output: OutputTable,
    /// The price and the payout of a game, for reports of a player's gain or loss.
    pub wager: Option<WagerTable>,
    /// Sentences from the sources, each with a relation that makes it testable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) claims: Vec<ClaimTable>,
    /// The top of the experiment's page.
    pub page: Option<PageTable>,
    /// Words for people in place of the names of metrics, parameters, swept values and contenders:
    /// `"hindsight(32)" = "tests each move on 32 guesses of the hidden cards"`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub labels: IndexMap<String, String>,
}

/// The top of the experiment's page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageTable {
    /// The one large number: `{score}` for the first cell, `{greedy:score}` for another one. The
    /// first figure of the answer unless given, or else the first metric of the first cell.
    pub headline: Option<String>,
    /// The words beside the number: `of every $55 stake. You get back {payout}.`
    pub sentence: Option<String>,
    /// One to three pictures, the first on top: a metric's name, or `wager`, `ratings`,
    /// `differences of METRIC`, `effects of METRIC`, which are differences from the first cell, or
    /// `ratios of METRIC` to its exact values. By default the picture that fits the headline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<String>,
    /// Cells that a picture of rows begins with; those after them are a picture behind it. By default
    /// all cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<NonZeroUsize>,
    /// The assumptions, in a few words.
    pub assumes: Option<String>,
    /// The game that the experiment is about, where programs of a command play one that is known here: its pages stand
    /// together.
    pub game: Option<String>,
    /// The noun for a sample of a command, in the singular: `deal`. By default `sample`.
    pub noun: Option<String>,
    /// True if the page stands among the first of a site.
    #[serde(default, skip_serializing_if = "is_default")]
    pub featured: bool,
}

impl ExperimentFile {
    /// Reads a file's text as it stands, without building its task. `source_name` is its path, as errors
    /// show it.
    ///
    /// # Errors
    /// The first key that is unknown, missing or of a wrong type.
    pub fn read(text: &str, source_name: &str) -> Result<Self, ConfigError> {
        let file = Document::parse(text).and_then(|document| document.file());
        file.map_err(|problem| ConfigError::new(source_name, text, problem))
    }

    /// The figures that the headline of the page asks for, and after them those of its answer:
    /// `METRIC`, `CELL:METRIC` or `CELL - CELL:METRIC`.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        let page = self.page.as_ref();
        let headline = page.and_then(|page| page.headline.as_deref());
        let texts = [headline, self.answer.as_deref()];
        texts.into_iter().flatten().flat_map(places)
    }

    /// The figures that its texts ask for: these, and those of the sentence of the page.
    pub fn told_places(&self) -> impl Iterator<Item = &str> {
        let page = self.page.as_ref();
        let sentence = page.and_then(|page| page.sentence.as_deref());
        self.places().chain(sentence.into_iter().flat_map(places))
    }

    /// The most samples of each cell; `None` of a file that does not say when to stop.
    pub fn max_samples(&self) -> Option<u64> {
        self.stop.as_ref().map(StopTable::max_samples)
    }

    /// The budget of each attempt at one sample; at least one.
    pub fn budgets(&self) -> Vec<Budget> {
        let budget = self.budget.as_ref();
        match budget.and_then(|budget| budget.nodes.as_ref()) {
            None => vec![Budget::UNLIMITED],
            Some(Nodes::One(nodes)) => vec![Budget::nodes(*nodes)],
            Some(Nodes::Several(nodes)) => nodes.iter().copied().map(Budget::nodes).collect(),
        }
    }
}

/// The figures that a text asks for, without their braces.
pub(super) fn places(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split('{').skip(1);
    parts.filter_map(|part| Some(part.split_once('}')?.0))
}

/// The most that one sample may cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetTable {
    /// Nodes of exact search for each sample. A sample that uses them up counts with its bounds
    /// and is never dropped. With a list, an unresolved sample is tried again with the next,
    /// larger budget. A player's foresight is set by its name; the budget does not limit it.
    pub(crate) nodes: Option<Nodes>,
}

/// One budget, or several for one attempt each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a whole number above 0, or a list of them"
)]
pub(crate) enum Nodes {
    /// One budget.
    One(
        #[serde(deserialize_with = "whole::one::<1, { u64::MAX }, _, _>")]
        #[schemars(range(min = 1))]
        u64,
    ),
    /// The budget of each attempt, increasing.
    Several(
        #[serde(deserialize_with = "whole::list")]
        #[schemars(inner(range(min = 1)))]
        Vec<u64>,
    ),
}

/// The files written beside the summaries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct OutputTable {
    /// True to write every sample to samples.csv.
    pub(crate) samples: bool,
    /// The sample that reports show step by step, of the cell that the headline names; 0 by default.
    #[serde(deserialize_with = "whole::one::<0, 9_999_999_999_999, _, _>")]
    #[schemars(range(max = 9_999_999_999_999_u64))]
    pub(crate) exhibit: u64,
}

/// Returns whether a table says nothing, and need not be written.
pub(super) fn is_default<T: Default + PartialEq>(table: &T) -> bool {
    *table == T::default()
}

/// The level of a file that gives none.
fn usual_level() -> f64 {
    Level::DEFAULT.get()
}
