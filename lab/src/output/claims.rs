//! `claims.csv`: the verdict on each claim.

use crate::config::{ClaimSpec, ClaimTarget, Experiment, Stat, Subject};
use crate::harness::ClaimOutcome;
use crate::stats::Estimate;
use crate::task::Metric;

use super::fields::{ESTIMATE, estimate_fields};
use super::number::number;
use super::table::Table;

/// What was claimed, and where it was tested.
const CLAIM: [&str; 14] = [
    "experiment",
    "claim:integer",
    "source",
    "text",
    "holds",
    "cell",
    "unit",
    "metric",
    "statistic",
    "relation",
    "threshold:number",
    "estimate:number",
    "lo:number",
    "hi:number",
];

/// The table.
pub(super) fn claims_table(experiment: &Experiment, claims: &[ClaimOutcome]) -> Table {
    let columns = CLAIM.into_iter().chain(ESTIMATE);
    let mut table = Table::new("claims", columns.chain(["verdict", "note"]));
    for outcome in claims {
        let claim = &experiment.claims[outcome.claim];
        let metric = claimed_metric(experiment, claim);
        let (lo, hi) = ends(claim, &outcome.estimate);
        let mut row = vec![
            experiment.name.clone(),
            (outcome.claim + 1).to_string(),
            claim.source.clone(),
            claim.text.clone(),
            claim.holds.clone(),
            target(experiment, outcome.target),
            metric.unit.to_string(),
            metric.name.to_string(),
            statistic(&claim.subject),
            claim.relation.to_string(),
            number(Some(claim.number)),
            number(outcome.estimate.value),
            number(lo),
            number(hi),
        ];
        row.extend(estimate_fields(&outcome.estimate));
        row.extend([outcome.decision.name().to_owned(), outcome.note.clone()]);
        table.push(row);
    }
    table
}

fn claimed_metric<'run>(experiment: &'run Experiment, claim: &ClaimSpec) -> &'run Metric {
    let (Subject::Metric { metric, .. } | Subject::Difference { metric, .. }) = claim.subject;
    &experiment.task.metrics[metric]
}

fn statistic(subject: &Subject) -> String {
    match subject {
        Subject::Metric { stat, .. } => stat.to_string(),
        Subject::Difference { .. } => "difference of means".into(),
    }
}

/// Both ends of what is known of the statistic. Samples bound an extreme on one side only.
fn ends(claim: &ClaimSpec, estimate: &Estimate) -> (Option<f64>, Option<f64>) {
    if let Some(interval) = estimate.interval {
        return (Some(interval.lo), Some(interval.hi));
    }
    match claim.subject {
        Subject::Metric {
            stat: Stat::Max, ..
        } => (estimate.value, None),
        Subject::Metric {
            stat: Stat::Min, ..
        } => (None, estimate.value),
        _ => (None, None),
    }
}

fn target(experiment: &Experiment, target: ClaimTarget) -> String {
    let name = |cell: usize| &experiment.cells[cell].name;
    match target {
        ClaimTarget::Cell(cell) => name(cell).clone(),
        ClaimTarget::Pair { first, second } => format!("{} - {}", name(first), name(second)),
    }
}
