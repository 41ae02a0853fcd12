//! The tables of an experiment file that declare other people's programs.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::file::is_default;
use super::metric_table::MetricTable;
use super::param_table::ParamTable;
use super::real;
use super::whole;
use task::ParamValue;

/// A simulation in another program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CommandTable {
    /// The program and its arguments. The program is started once for each thread and answers line by line.
    /// Relative paths start from the folder of this file.
    pub(crate) run: Option<Vec<String>>,
    /// The program and its arguments: started for every sample, with `{seed32}`, `{sample}` and
    /// parameters in braces filled in. The last line of its output holds the values.
    pub(crate) once: Option<Vec<String>>,
    /// The standard input of programs started by `once`, with the same places: `"{instance}"`.
    pub(crate) stdin: Option<String>,
    /// Files that are the instances, one for each sample, in an order drawn from the seed: a pattern
    /// such as `"cnf/*.cnf"`, relative to the folder of this file. In the arguments of a program started by
    /// `once`, `{instance}` is the path of the sample's file; in its input, the content.
    pub(crate) instances: Option<String>,
    /// In place of `instances`, a program and its arguments that writes the instance of a sample to its
    /// standard output: started once for each, before a benchmark and in nobody's time. The program has the seeds
    /// and `{sample}`, and no parameters.
    pub(crate) generate: Option<Vec<String>>,
    /// The files that determine the numbers: their hashes are part of the results' fingerprint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) files: Vec<String>,
    /// The hashes of `files` when the experiment was made; those of the files unless given.
    pub(crate) hashes: Option<Vec<String>>,
    /// The hashes of `files` as they are now, if they have changed and stored samples came out the same with them.
    pub(crate) proven: Option<Vec<String>>,
    /// The program's version, if no files determine it.
    pub(crate) version: Option<String>,
    /// Seconds without a whole answer after which the program counts as hanging; 60 by default.
    #[serde(
        default = "defaults::patience",
        deserialize_with = "real::above::<0, _>"
    )]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub(crate) patience: f64,
    /// One independent seed for each of these names and every sample; `seed` by default.
    #[serde(default = "defaults::streams")]
    pub(crate) streams: Vec<String>,
    /// The most samples requested in one line; 64 by default. The number changes no value.
    #[serde(
        default = "defaults::batch",
        deserialize_with = "whole::one::<1, 4096, _, _>"
    )]
    #[schemars(range(min = 1, max = 4096))]
    pub(crate) batch: u64,
    /// Seconds without a whole answer after which a sample, drawn alone, is given up; only with `on-timeout`.
    #[serde(default, deserialize_with = "real::positive")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub(crate) timeout: Option<f64>,
    /// `unresolved`: a sample that takes longer than `timeout` counts as unresolved, anywhere
    /// within the bounds of its metrics. Which samples these are depends on the machine.
    pub(crate) on_timeout: Option<OnTimeout>,
    /// The declared parameters.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) params: IndexMap<String, ParamTable>,
    /// The hashes of the instances when the experiment was made; those of the files unless given.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) instance_hashes: IndexMap<String, String>,
    /// The metrics that a sample reports, in the order of a row's values.
    #[serde(default)]
    pub metrics: IndexMap<String, MetricTable>,
}

/// The meaning of a sample that takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum OnTimeout {
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
    pub(crate) files: Vec<String>,
    /// The hashes of `files` when the experiment was made; those of the files unless given.
    pub(crate) hashes: Option<Vec<String>>,
    /// The hashes of `files` as they are now, if they have changed and stored samples came out the same with them.
    pub(crate) proven: Option<Vec<String>>,
    /// The program's version, if no files determine it.
    pub(crate) version: Option<String>,
    /// Seconds that an answer may take; 60 by default.
    #[serde(
        default = "defaults::patience",
        deserialize_with = "real::above::<0, _>"
    )]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub(crate) patience: f64,
    /// The most that a move may cost: `nodes` (no limit, the default), `nodes 500` or `depth 6`.
    #[serde(default = "defaults::go")]
    pub(crate) go: String,
    /// The consequence of a fault of the player: `stop` the run (the default) or `lose` the match.
    /// Faults are an illegal move, no answer in time, a second answer, a repeated crash, play that does
    /// not repeat, and a program that is missing.
    #[serde(default)]
    pub(crate) faults: PlayerFaults,
}

/// The consequence of a player's fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum PlayerFaults {
    /// The run stops.
    #[default]
    Stop,
    /// The player loses the match.
    Lose,
}

/// A contender beside the cells: the task with other parameters, or another program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContenderTable {
    /// A program and its arguments, which goes on running and speaks the protocol of `[command]`.
    pub(crate) run: Option<Vec<String>>,
    /// A program and its arguments, started for every instance, with `{instance}` filled in.
    pub(crate) once: Option<Vec<String>>,
    /// The standard input of a program started by `once`, with the same places: `"{instance}"`.
    pub(crate) stdin: Option<String>,
    /// The signs by which a program started by `once` tells its answer, and what they mean.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) answers: AnswerTable,
    /// The exit statuses with which a program started by `once` ends well: by default 0 and those of
    /// `answers.status`; with `answers` also 10 and 20, by which SAT solvers tell theirs.
    pub(crate) exit: Option<Vec<i64>>,
    /// A program and its arguments, started before the contender is first asked in a session, in nobody's time.
    pub(crate) setup: Option<Vec<String>>,
    /// A program and its arguments, started before each answer, in nobody's time, with the same places as in `once`.
    pub(crate) prepare: Option<Vec<String>>,
    /// The files that the program is made of; the manifest has their hashes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) files: Vec<String>,
    /// Parameters of the task, in place of those of the first cell.
    #[serde(flatten)]
    pub(crate) params: IndexMap<String, ParamValue>,
}

/// The signs of answers in the output and the exit status of a program: `{ Solved = true, Impossible = false }`,
/// `{ "s SATISFIABLE" = true }`, `{ status = { 10 = true, 20 = false } }`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct AnswerTable {
    /// Exit statuses, and the answers that they mean: `{ 10 = true, 20 = false }`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) status: IndexMap<String, ParamValue>,
    /// Words of the output, and whole lines where there is a blank or another mark.
    #[serde(flatten)]
    pub(crate) texts: IndexMap<String, ParamValue>,
}

impl AnswerTable {
    /// Returns whether it has no sign.
    pub(crate) fn is_empty(&self) -> bool {
        self.status.is_empty() && self.texts.is_empty()
    }
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
    pub(crate) fn argv(&self) -> Option<&Vec<String>> {
        self.run.as_ref().or(self.once.as_ref())
    }

    /// The programs that are started before it is asked, under their keys.
    pub(super) fn chores(&self) -> impl Iterator<Item = (&'static str, &Vec<String>)> {
        let chores = [("setup", &self.setup), ("prepare", &self.prepare)];
        let chores = chores.into_iter();
        chores.filter_map(|(key, argv)| Some((key, argv.as_ref()?)))
    }

    /// Returns whether another program answers.
    pub(super) fn is_program(&self) -> bool {
        let has_input = self.stdin.is_some() || !self.files.is_empty();
        let has_chores = self.setup.is_some() || self.prepare.is_some();
        let has_answers = !self.answers.is_empty() || self.exit.is_some();
        self.argv().is_some() || has_input || has_answers || has_chores
    }
}

/// The values of keys that a file leaves out.
mod defaults {
    pub(crate) fn patience() -> f64 {
        60.0
    }

    pub(super) fn streams() -> Vec<String> {
        vec!["seed".to_owned()]
    }

    pub(crate) fn batch() -> u64 {
        64
    }

    pub(crate) fn go() -> String {
        "nodes".to_owned()
    }
}
