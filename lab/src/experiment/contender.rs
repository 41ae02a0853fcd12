//! The tables `[bench]` and `[contenders.NAME]`.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::task::ParamValue;

/// The settings of a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchTable {
    /// The metrics on which all contenders must agree; by default all that do not describe work.
    pub answers: Option<Vec<String>>,
    /// The most that one answer may cost: `{ seconds = 10, nodes = 1_000_000 }`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cap: CapTable,
    /// Times that every contender answers each instance in either order; by default 1, and more where
    /// answers take less than 10 ms.
    #[schemars(range(min = 1, max = 1000))]
    pub rounds: Option<u32>,
    /// The swept parameters whose values are different questions, and not compared; by default those of
    /// numbers.
    pub questions: Option<Vec<String>>,
    /// The margin within which contenders are called equal; 0.03 by default.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub equal: Option<f64>,
}

/// The most that one answer may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapTable {
    /// Seconds, after which a program is stopped.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub seconds: Option<f64>,
    /// Nodes of exact search.
    #[schemars(range(min = 1))]
    pub nodes: Option<u64>,
}

/// A contender beside the cells: the task with other parameters, or another program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContenderTable {
    /// A program and its arguments, which goes on running and speaks the protocol of `[command]`.
    pub run: Option<Vec<String>>,
    /// A program and its arguments, started for every instance, with `{instance}` filled in.
    pub once: Option<Vec<String>>,
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
        self.argv().is_some() || !self.answers.is_empty() || !self.files.is_empty()
    }
}

/// Returns whether a table says nothing, and need not be written.
pub(super) fn is_default<T: Default + PartialEq>(table: &T) -> bool {
    *table == T::default()
}
