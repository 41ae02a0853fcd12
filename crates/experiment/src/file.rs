//! The experiment file: its keys, with the types of what a person writes.
//!
//! The JSON Schema, the book's reference and the canonical file all
//! come from these types. A new key is a field with its doc comment; what cannot be said by its
//! type is checked where the experiment is compiled.

use std::num::NonZeroUsize;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ConfigError;
use super::document::Document;
use super::stop::StopTable;
use task::{ParamValue, real};

use super::metric_table::MetricTable;
use super::param_table::ParamTable;
use super::whole;
use kit::search::Budget;

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
    #[serde(default = "defaults::level", deserialize_with = "real::share")]
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
    pub stop: StopTable,
    /// Parameters with a list of values each: one cell for every combination, in file order.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub sweep: Axes,
    /// The settings of `etude bench`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bench: BenchTable,
    /// Contenders of a benchmark beside the cells, by their names; each at every swept value.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub contenders: IndexMap<String, ContenderTable>,
    /// The files written beside the summaries.
    #[serde(default)]
    pub output: OutputTable,
    /// The price and the payout of a game, for reports of a player's gain or loss.
    pub wager: Option<WagerTable>,
    /// Sentences from the sources, each with a relation that makes it testable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClaimTable>,
    /// The top of the experiment's page.
    pub page: Option<PageTable>,
    /// Words for people in place of the names of metrics, parameters, swept values and contenders:
    /// `"hindsight(32)" = "tests each move on 32 guesses of the hidden cards"`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub labels: IndexMap<String, String>,
}

/// The swept parameters in file order, each with its values: all different, at least one.
pub type Axes = IndexMap<String, Vec<ParamValue>>;

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

/// A simulation in another program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CommandTable {
    /// The program and its arguments. The program is started once for each thread and answers line by line.
    /// Relative paths start from the folder of this file.
    pub run: Option<Vec<String>>,
    /// The program and its arguments: started for every sample, with `{seed32}`, `{sample}` and
    /// parameters in braces filled in. The last line of its output holds the values.
    pub once: Option<Vec<String>>,
    /// The standard input of programs started by `once`, with the same places: `"{instance}"`.
    pub stdin: Option<String>,
    /// Files that are the instances, one for each sample, in an order drawn from the seed: a pattern
    /// such as `"cnf/*.cnf"`, relative to the folder of this file. In the arguments of a program started by
    /// `once`, `{instance}` is the path of the sample's file; in its input, the content.
    pub instances: Option<String>,
    /// In place of `instances`, a program and its arguments that writes the instance of a sample to its
    /// standard output: started once for each, before a benchmark and in nobody's time. The program has the seeds
    /// and `{sample}`, and no parameters.
    pub generate: Option<Vec<String>>,
    /// The files that determine the numbers: their hashes are part of the results' fingerprint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The hashes of `files` when the experiment was made; those of the files unless given.
    pub hashes: Option<Vec<String>>,
    /// The program's version, if no files determine it.
    pub version: Option<String>,
    /// Seconds of silence after which the program counts as hanging; 60 by default.
    #[serde(
        default = "defaults::patience",
        deserialize_with = "real::above::<0, _>"
    )]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub patience: f64,
    /// One independent seed for each of these names and every sample; `seed` by default.
    #[serde(default = "defaults::streams")]
    pub streams: Vec<String>,
    /// The most samples requested in one line; 64 by default. The number changes no value.
    #[serde(
        default = "defaults::batch",
        deserialize_with = "whole::one::<1, 4096, _, _>"
    )]
    #[schemars(range(min = 1, max = 4096))]
    pub batch: u64,
    /// Seconds of silence after which a sample, drawn alone, is given up; only with `on-timeout`.
    #[serde(default, deserialize_with = "real::positive")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub timeout: Option<f64>,
    /// `unresolved`: a sample that takes longer than `timeout` counts as unresolved, anywhere
    /// within the bounds of its metrics. Which samples these are depends on the machine.
    pub on_timeout: Option<OnTimeout>,
    /// The declared parameters.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub params: IndexMap<String, ParamTable>,
    /// The hashes of the instances when the experiment was made; those of the files unless given.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub instance_hashes: IndexMap<String, String>,
    /// The metrics that a sample reports, in the order of a row's values.
    #[serde(default)]
    pub metrics: IndexMap<String, MetricTable>,
}

/// The meaning of a sample that takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum OnTimeout {
    /// Unresolved, anywhere within the bounds of its metrics.
    Unresolved,
}

/// A player in another program, which speaks UGI.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerTable {
    /// The program and its arguments. Relative paths start from the folder of this file.
    pub run: Vec<String>,
    /// The files that determine its moves: their hashes are part of the results' fingerprint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The hashes of `files` when the experiment was made; those of the files unless given.
    pub hashes: Option<Vec<String>>,
    /// The program's version, if no files determine it.
    pub version: Option<String>,
    /// Seconds that an answer may take; 60 by default.
    #[serde(
        default = "defaults::patience",
        deserialize_with = "real::above::<0, _>"
    )]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub patience: f64,
    /// The most that a move may cost: `nodes` (no limit, the default), `nodes 500` or `depth 6`.
    #[serde(default = "defaults::go")]
    pub go: String,
    /// The consequence of a fault of the player: `stop` the run (the default) or `lose` the match.
    /// Faults are an illegal move, no answer in time, a second answer, a repeated crash, play that does
    /// not repeat, and a program that is missing.
    #[serde(default)]
    pub faults: PlayerFaults,
}

/// The consequence of a player's fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum PlayerFaults {
    /// The run stops.
    #[default]
    Stop,
    /// The player loses the match.
    Lose,
}

/// The most that one sample may cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetTable {
    /// Nodes of exact search for each sample. A sample that uses them up counts with its bounds
    /// and is never dropped. With a list, an unresolved sample is tried again with the next,
    /// larger budget. A player's foresight is set by its name; the budget does not limit it.
    pub nodes: Option<Nodes>,
}

/// One budget, or several for one attempt each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "another value, expected a whole number above 0, or a list of them"
)]
pub enum Nodes {
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

/// A control variate, which reduces the variance of the estimates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VarianceTable {
    /// The feature of an instance that the estimates are adjusted by.
    pub control: String,
    /// The mean, as another run has estimated it.
    #[serde(deserialize_with = "real::one")]
    pub mean: f64,
    /// The standard error of that mean, which becomes part of the error of every adjusted estimate.
    #[serde(deserialize_with = "real::above::<0, _>")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub error: f64,
}

/// The files written beside the summaries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OutputTable {
    /// True to write every sample to samples.csv.
    pub samples: bool,
    /// The sample that reports show step by step, of the cell that the headline names; 0 by default.
    #[serde(deserialize_with = "whole::one::<0, 9_999_999_999_999, _, _>")]
    #[schemars(range(max = 9_999_999_999_999_u64))]
    pub exhibit: u64,
}

/// The price and the payout of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WagerTable {
    /// The metric of a game's payout: a bounded integer that cannot be negative.
    pub metric: String,
    /// The price of a game, in the metric's unit; 0 where the metric is a gain, which can be negative.
    #[serde(deserialize_with = "real::one")]
    #[schemars(range(min = 0))]
    pub stake: f64,
    /// Games in a row whose total gain is shown; 100 by default.
    #[serde(
        default = "defaults::games",
        deserialize_with = "whole::one::<1, 1000, _, _>"
    )]
    #[schemars(range(min = 1, max = 1000))]
    pub games: u64,
    /// The cell whose player's gains are shown; the first by default.
    pub cell: Option<String>,
}

/// A sentence from a source and the relation that is true where the sentence is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ClaimTable {
    /// The source of the claim.
    pub source: String,
    /// The sentence, quoted or paraphrased.
    pub text: String,
    /// The relation: `score.mean < 11`, `widest-position.max <= 7`, `diff(A, B).win > 0`. A published
    /// value with its own error: `win.mean agrees 0.819 +- 0.001`, at 95 % unless `at 68.27 %` or
    /// another level follows; without an error the value is exact. Of the times of a benchmark:
    /// `ratio(A, B).median > 2`.
    pub holds: String,
    /// True if the claim was written after the results were seen. The verdict says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub post_hoc: bool,
    /// The cells that the claim is about, by swept values: `variant=chess`. By default all cells.
    #[serde(rename = "where")]
    pub selector: Option<String>,
    /// The experiment's analysis, if it is written below the last claim.
    pub analysis: Option<String>,
}

/// The settings of a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchTable {
    /// The metrics on which all contenders must agree: `["win"]`, or with a tolerance each,
    /// `{ mean = 1e-6 }`. By default all that do not describe work.
    pub answers: Option<Agreement>,
    /// The most that one answer may cost: `{ cpu = 10, wall = 60, nodes = 1_000_000 }`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cap: CapTable,
    /// A contender, by its table, whose time is subtracted from that of every other one on the same
    /// instance: a program that starts and reads, and does nothing. Nobody reads its answers.
    pub baseline: Option<String>,
    /// Times that every contender is started anew; 10 by default.
    #[serde(default, deserialize_with = "whole::optional::<3, 1000, _, _>")]
    #[schemars(range(min = 3, max = 1000))]
    pub starts: Option<u32>,
    /// Times that an answer is given in a row for one timing; by default 1, and more where answers take
    /// less than a millisecond.
    #[serde(default, deserialize_with = "whole::optional::<1, 10000, _, _>")]
    #[schemars(range(min = 1, max = 10000))]
    pub repeats: Option<u32>,
    /// The swept parameters whose values are different questions, and not compared; by default those of
    /// numbers.
    pub questions: Option<Vec<String>>,
    /// The margin within which contenders are called equal; 0.03 by default.
    #[serde(default, deserialize_with = "real::optional_share")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub equal: Option<f64>,
}

/// The metrics on which all contenders must agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "another value, expected a list of metrics, or a table with a tolerance for each: \
                 `answers = { mean = 1e-6 }`"
)]
pub enum Agreement {
    /// Metrics whose values must be the same.
    Same(Vec<String>),
    /// Metrics whose values may differ by a tolerance, as a share of the larger one in size, and numbers
    /// by rounding in their last decimal; 0 is the same value.
    Within(
        #[schemars(extend("additionalProperties" = {
            "type": "number", "minimum": 0, "exclusiveMaximum": 1
        }))]
        IndexMap<String, f64>,
    ),
}

impl Agreement {
    /// The metrics with their tolerances.
    pub fn tolerances(&self) -> Vec<(&str, f64)> {
        match self {
            Self::Same(names) => names.iter().map(|name| (name.as_str(), 0.0)).collect(),
            Self::Within(table) => {
                let tolerances = table.iter();
                tolerances
                    .map(|(name, &most)| (name.as_str(), most))
                    .collect()
            }
        }
    }
}

/// The most that one answer may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table: `cap = { cpu = 10 }` or `cap = { nodes = 1_000_000 }`"
)]
pub struct CapTable {
    /// Seconds of the processor, after which a program is stopped and an answer counts as none.
    #[serde(default, deserialize_with = "real::positive")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub cpu: Option<f64>,
    /// Seconds on the wall, after which a program is stopped; by default ten times those of the processor.
    #[serde(default, deserialize_with = "real::positive")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub wall: Option<f64>,
    /// Nodes of exact search.
    #[serde(default, deserialize_with = "whole::optional::<1, { u64::MAX }, _, _>")]
    #[schemars(range(min = 1))]
    pub nodes: Option<u64>,
}

impl CapTable {
    /// Seconds on the wall, after which a program is stopped: a backstop for one that waits.
    pub fn backstop(&self) -> Option<f64> {
        self.wall.or(self.cpu.map(|seconds| 10.0 * seconds))
    }

    /// The seconds of the processor that count of an answer that was stopped.
    pub fn counted(&self) -> Option<f64> {
        self.cpu.or(self.wall)
    }
}

/// A contender beside the cells: the task with other parameters, or another program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContenderTable {
    /// A program and its arguments, which goes on running and speaks the protocol of `[command]`.
    pub run: Option<Vec<String>>,
    /// A program and its arguments, started for every instance, with `{instance}` filled in.
    pub once: Option<Vec<String>>,
    /// The standard input of a program started by `once`, with the same places: `"{instance}"`.
    pub stdin: Option<String>,
    /// The words in the output of a program started by `once`, and the answers that they mean:
    /// `{ Solved = true, Impossible = false }`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub answers: IndexMap<String, ParamValue>,
    /// The files that the program is made of; the manifest has their hashes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Parameters of the task, in place of those of the first cell.
    #[serde(flatten)]
    pub params: IndexMap<String, ParamValue>,
}

impl ContenderTable {
    /// The contender of a program that goes on running.
    pub fn running(argv: Vec<String>) -> Self {
        Self {
            run: Some(argv),
            ..Self::default()
        }
    }

    /// The program and its arguments; `None` where the task answers.
    pub fn argv(&self) -> Option<&Vec<String>> {
        self.run.as_ref().or(self.once.as_ref())
    }

    /// Returns whether another program answers.
    pub(super) fn is_program(&self) -> bool {
        let has_input = self.stdin.is_some() || !self.files.is_empty();
        self.argv().is_some() || has_input || !self.answers.is_empty()
    }
}

/// Returns whether a table says nothing, and need not be written.
pub(super) fn is_default<T: Default + PartialEq>(table: &T) -> bool {
    *table == T::default()
}

/// The values of keys that a file leaves out.
mod defaults {
    use stats::Level;

    pub fn level() -> f64 {
        Level::DEFAULT.get()
    }

    pub fn patience() -> f64 {
        60.0
    }

    pub fn streams() -> Vec<String> {
        vec!["seed".to_owned()]
    }

    pub fn batch() -> u64 {
        64
    }

    pub fn go() -> String {
        "nodes".to_owned()
    }

    pub fn games() -> u64 {
        100
    }
}
