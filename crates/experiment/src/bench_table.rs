//! `[bench]`: what a race agrees on, and what an answer may cost.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::file::is_default;
use super::real;
use super::{MemorySize, whole};

/// The settings of a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchTable {
    /// The metrics on which all contenders must agree: `["win"]`, or with a tolerance each,
    /// `{ mean = 1e-6 }`. By default all that do not describe work, or all if each of them does.
    pub(crate) answers: Option<Agreement>,
    /// The most that one answer may cost: `{ cpu = 10, wall = 60, nodes = 1_000_000 }`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) cap: CapTable,
    /// A contender, by its table, whose time is subtracted from that of every other one on the same
    /// instance: a program that starts and reads, and does nothing. Nobody reads its answers.
    pub baseline: Option<String>,
    /// Times that every contender is started anew; 10 by default.
    #[serde(default, deserialize_with = "whole::optional::<3, 1000, _, _>")]
    #[schemars(range(min = 3, max = 1000))]
    pub(crate) starts: Option<u32>,
    /// Times that an answer is given in a row for one timing; by default 1, and more where answers take
    /// less than a millisecond.
    #[serde(default, deserialize_with = "whole::optional::<1, 10000, _, _>")]
    #[schemars(range(min = 1, max = 10000))]
    pub repeats: Option<u32>,
    /// The swept parameters whose values are different questions, and not compared; by default those of
    /// numbers, and those by which `generate` makes instances.
    pub(crate) questions: Option<Vec<String>>,
    /// The margin within which contenders are called equal; 0.03 by default.
    #[serde(default, deserialize_with = "real::optional_share")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub(crate) equal: Option<f64>,
}

/// The metrics on which all contenders must agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a list of metrics, or a table with a tolerance for each: \
                 `answers = { mean = 1e-6 }`"
)]
pub(crate) enum Agreement {
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
    pub(crate) fn tolerances(&self) -> Vec<(&str, f64)> {
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
#[serde(deny_unknown_fields)]
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
    /// Memory that a program may have, such as `"2 GiB"`. On Linux alone, by a control group where one can be made: then
    /// it counts all that the program starts.
    pub memory: Option<MemorySize>,
}

impl CapTable {
    /// Seconds on the wall, after which a program is stopped: a backstop for one that waits.
    pub(crate) fn backstop(&self) -> Option<f64> {
        self.wall.or(self.cpu.map(|seconds| 10.0 * seconds))
    }

    /// The seconds of the processor that count of an answer that was stopped.
    pub fn counted(&self) -> Option<f64> {
        self.cpu.or(self.wall)
    }
}
