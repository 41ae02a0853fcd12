#![doc = include_str!("../README.md")]
//!
//! # From a file to an experiment
//!
//! A file is TOML 1.0 (<https://toml.io/en/v1.0.0>). `file` has its types, which serde reads and writes; `document` knows
//! the place of every value in the text, and says for people what serde refuses; `reader` makes the file an experiment: it
//! looks up the names, checks everything that can be checked before a sample is drawn, and reports each fault with its
//! place.

mod answers;
mod bench_table;
mod benchmark;
mod canonical;
mod checked;
mod claim;
mod contenders;
mod declared;
mod document;
mod error;
mod file;
mod grid;
mod instances;
mod memory;
mod metric_table;
mod pairs;
mod param_table;
mod players;
mod program_tables;
mod prose;
mod published;
mod race;
mod ratio_claim;
mod reader;
mod real;
mod relation;
mod schema;
mod setting;
mod source;
mod starts;
mod stop;
mod sweep;
mod text_part;
mod typed;
mod unwanted;
mod variance;
mod wager;
mod whole;

pub(crate) use bench_table::Agreement;
pub use bench_table::{BenchTable, CapTable};
pub use benchmark::{BEFORE, CONTROL, NEW};
pub use canonical::toml_list;
pub use checked::{Experiment, Overrides};
pub(crate) use claim::Selector;
pub use claim::{Claim, ClaimSpec, ClaimTable, ClaimTarget, ClaimTest, Meaning, Stat, Subject};
pub use contenders::Contender;
pub use error::{ConfigError, Problem};
pub(crate) use file::Nodes;
pub use file::{BudgetTable, ExperimentFile, PageTable};
pub use grid::Cell;
pub use memory::MemorySize;
pub use metric_table::MetricTable;
pub use pairs::CellPair;
pub(crate) use param_table::ParamTable;
pub use program_tables::{CommandTable, ContenderTable, PlayerTable};
pub(crate) use program_tables::{OnTimeout, PlayerFaults};
pub use prose::{DIFFERENCES_OF, EFFECTS_OF, RATIOS_OF};
pub use ratio_claim::{RatioRelation, RatioTest};
pub use reader::is_name;
pub use schema::schema;
pub use setting::Setting;
pub use source::{Source, folder_of};
pub use stop::{MaxSamples, Precision, RatioTable, SprtTable, StopQuestion, StopRule, StopTable};
pub(crate) use sweep::Axes;
pub use sweep::SweepTable;
pub use variance::VarianceTable;
pub use wager::{Wager, WagerTable};

use base::suggest;

#[cfg(test)]
use task::coin;
#[cfg(test)]
mod tests;
