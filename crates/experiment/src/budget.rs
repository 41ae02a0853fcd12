//! `[budget]`: the most that one sample may cost.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use kit::search::Budget;
use task::TaskSpec;

use super::document::{Document, KeyPath};
use super::error::Checked;
use super::{Cell, Experiment, ExperimentFile, grid, whole};

/// Advice on a list of budgets.
const BUDGETS: &str = "an unresolved sample is tried again with the next, larger budget; what can be \
    compared by a list are parameters, under [sweep]";

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

impl ExperimentFile {
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

impl Experiment {
    /// The nodes that an answer may cost.
    pub(super) fn answer_budget(&self) -> Budget {
        let cap = self.answer_cap().nodes.map(Budget::nodes);
        let budget = cap.or(self.file.budgets().last().copied());
        budget.unwrap_or(Budget::UNLIMITED)
    }

    /// The budget of each attempt at one sample, or that of an answer of a race; at least one.
    pub fn budgets(&self) -> Vec<Budget> {
        if self.is_race() {
            vec![self.answer_budget()]
        } else {
            self.file.budgets()
        }
    }
}

/// Writes a budget in the usual way: none if it is unlimited, a number if there is one.
pub(super) fn compile(file: &mut ExperimentFile, document: &Document) -> Checked {
    let path = document.at("budget.nodes");
    let budgets = file.budgets();
    let limits: Vec<u64> = budgets.iter().map(|budget| budget.limit()).collect();
    check_increasing(&limits, &path).map_err(|problem| problem.help(BUDGETS))?;
    if limits.is_empty() {
        let problem = path.fault("the list is empty");
        return Err(problem
            .expected("expected a whole number, or several")
            .help(BUDGETS));
    }
    let nodes = match limits.as_slice() {
        [u64::MAX] => None,
        [one] => Some(Nodes::One(*one)),
        _ => Some(Nodes::Several(limits)),
    };
    file.budget = nodes.map(|nodes| BudgetTable { nodes: Some(nodes) });
    Ok(())
}

/// Refuses the list at a path unless each number in it is larger than the one before.
pub(super) fn check_increasing(numbers: &[u64], path: &KeyPath) -> Checked {
    let falls = numbers.windows(2).position(|pair| pair[0] >= pair[1]);
    falls.map_or(Ok(()), |at| {
        let [before, after] = [at, at + 1].map(|at| whole::digits(numbers[at]));
        let problem = path.at(at + 1).fault(format!(
            "the list does not increase: {after} follows {before}"
        ));
        Err(problem.expected(format!("expected a whole number above {before}")))
    })
}

/// Refuses a budget that no cell's task heeds; what a run folder holds was run as it is.
pub(super) fn check_use(
    document: &Document,
    source_name: &str,
    task: &TaskSpec,
    cells: &[Cell],
) -> Checked {
    let path = document.at("budget");
    let is_stored = Path::new(source_name).ends_with("config.toml");
    if !path.is_filled() || is_stored {
        return Ok(());
    }
    let Some(reason) = grid::ignored_budget(task, cells) else {
        return Ok(());
    };
    let problem = path.fault("the budget would change nothing");
    Err(problem.help(format!("{reason}; take the table out")))
}
