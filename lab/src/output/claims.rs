//! `claims.csv`: the verdict on each claim.

use crate::config::{ClaimSpec, ClaimTarget, Experiment, Stat, Subject};
use crate::harness::ClaimOutcome;
use crate::stats::Estimate;
use crate::task::Metric;

use super::table::Table;

/// The table.
pub(super) fn claims_table(experiment: &Experiment, claims: &[ClaimOutcome]) -> Table {
    let claim = |outcome: &&ClaimOutcome| &experiment.claims[outcome.claim];
    let metric = move |outcome: &&ClaimOutcome| claimed_metric(experiment, claim(outcome));
    let ends = move |outcome: &&ClaimOutcome| ends(claim(outcome), &outcome.estimate);
    Table::of("claims", &["claim", "cell"], claims)
        .refers(&["metric"], "metrics")
        .experiment(experiment)
        .integer(
            "claim",
            "Number of the claim in the experiment file, from 1.",
            |outcome| outcome.claim + 1,
        )
        .text("source", "Who makes the claim.", move |outcome| {
            &claim(outcome).source
        })
        .text("text", "The claim as a sentence.", move |outcome| {
            &claim(outcome).text
        })
        .text(
            "holds",
            "The relation that is true where the claim is, as the experiment file has it.",
            move |outcome| &claim(outcome).holds,
        )
        .text(
            "cell",
            "The cell that was tested, or `first - second` for a difference.",
            |outcome| target(experiment, outcome.target),
        )
        .unit(metric)
        .metric(metric)
        .text(
            "statistic",
            "The statistic of the metric that the claim is about.",
            move |outcome| statistic(&claim(outcome).subject),
        )
        .text(
            "relation",
            "How the statistic is compared with the threshold: <, <=, > or >=.",
            move |outcome| claim(outcome).relation,
        )
        .number(
            "threshold",
            "The number that the statistic is compared with, in the metric's unit.",
            move |outcome| Some(claim(outcome).number),
        )
        .number("estimate", "The statistic in the samples.", |outcome| {
            outcome.estimate.value
        })
        .number(
            "lo",
            "The statistic is at least this, at the level ci_level.",
            move |outcome| ends(outcome).0,
        )
        .number(
            "hi",
            "The statistic is at most this, at the level ci_level.",
            move |outcome| ends(outcome).1,
        )
        .estimate(|outcome| outcome.estimate)
        .text("verdict", "supported, refuted or undecided.", |outcome| {
            outcome.decision.name()
        })
        .text("note", "What to know about the verdict.", |outcome| {
            &outcome.note
        })
        .build()
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
