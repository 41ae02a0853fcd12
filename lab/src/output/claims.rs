//! `claims.csv`: what the experiment says of each claim.

use crate::config::{ClaimSpec, Experiment, Subject, Target};
use crate::harness::ClaimOutcome;
use crate::task::Metric;

use super::fields::{ESTIMATE, estimate_fields};
use super::table::Table;

/// The table.
pub(super) fn claims_table(experiment: &Experiment, claims: &[ClaimOutcome]) -> Table {
    let columns = [
        "experiment",
        "claim:integer",
        "source",
        "text",
        "holds",
        "cell",
        "unit",
    ];
    let columns = columns.into_iter().chain(ESTIMATE);
    let mut table = Table::new("claims", columns.chain(["verdict", "note"]));
    for outcome in claims {
        let claim = &experiment.claims[outcome.claim];
        let mut row = vec![
            experiment.name.clone(),
            (outcome.claim + 1).to_string(),
            claim.source.clone(),
            claim.text.clone(),
            claim.holds.clone(),
            target(experiment, outcome.target),
            claimed_metric(experiment, claim).unit.to_owned(),
        ];
        row.extend(estimate_fields(&outcome.estimate));
        row.extend([outcome.decision.name().to_owned(), outcome.note.clone()]);
        table.push(row);
    }
    table
}

fn claimed_metric(experiment: &Experiment, claim: &ClaimSpec) -> &'static Metric {
    let (Subject::Metric { metric, .. } | Subject::Difference { metric, .. }) = claim.subject;
    &experiment.task.metrics[metric]
}

fn target(experiment: &Experiment, target: Target) -> String {
    let name = |cell: usize| &experiment.cells[cell].name;
    match target {
        Target::Cell(cell) => name(cell).clone(),
        Target::Pair { first, second } => format!("{} - {}", name(first), name(second)),
    }
}
