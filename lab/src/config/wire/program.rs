//! The keys of `[command]` and `[players.NAME]`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::values::{Item, NamedTables};

/// A simulation in another program.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandTable {
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
    /// Seconds of silence after which a sample, drawn alone, is given up; only with `on-timeout`.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub timeout: Option<Item>,
    /// `unresolved`: a sample that takes longer than `timeout` counts as unresolved, anywhere
    /// within the bounds of its metrics. Which samples these are depends on the machine.
    #[serde(default, rename = "on-timeout")]
    #[schemars(with = "String")]
    pub on_timeout: Option<Item>,
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
pub struct ParamTable {
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
pub struct MetricTable {
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
pub struct PlayerTable {
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
