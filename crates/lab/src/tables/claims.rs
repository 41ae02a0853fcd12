//! `claims.csv`: the verdict on each claim.

use super::facts::RunFacts;
use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use crate::run::ClaimOutcome;
use experiment::{Claim, ClaimSpec, ClaimTarget, Experiment, Meaning, Stat, Subject};
use stats::{ClaimVerdict, Estimate, Extreme, Interval};

table_row! {
    /// A row of `claims.csv`: the verdict on a claim in one place.
    pub struct ClaimRow in "claims", keys ["claim", "cell"] refers ["metric"] to "metrics" {
        /// Name of the experiment.
        experiment: String,
        /// Number of the claim in the experiment file, from 1.
        claim: u64,
        /// The source of the claim.
        source: String,
        /// The claim as a sentence.
        text: String,
        /// The relation that is true where the claim is, as the experiment file has it.
        holds: String,
        /// The cell that was tested, or `first - second` for a difference.
        cell: String,
        /// Unit of the metric; empty for a share.
        unit: String,
        /// Name of the metric.
        metric: String,
        /// The statistic of the metric that the claim is about.
        statistic: String,
        /// The relation of the statistic to the threshold: <, <=, >, >= or agrees.
        relation: String,
        /// The number that the statistic is compared with, in the metric's unit.
        threshold: Option<Exact>,
        /// The published error of the threshold: half the width of its interval.
        threshold_error: Option<Exact>,
        /// The level of the threshold's interval.
        threshold_level: Option<f64>,
        /// The statistic in the samples.
        estimate: Option<Exact>,
        /// The statistic is at least this, at the level ci_level.
        lo: Option<Exact>,
        /// The statistic is at most this, at the level ci_level.
        hi: Option<Exact>,
        /// The statistic, with the interval that decided the claim.
        measured: Estimate,
        /// The statistic minus the threshold is at least this, with both errors: it decided the claim.
        difference_lo: Option<Exact>,
        /// The statistic minus the threshold is at most this.
        difference_hi: Option<Exact>,
        /// supported, refuted, agrees or undecided.
        verdict: ClaimVerdict,
        /// A remark on the verdict.
        note: String,
    }
}

/// The columns that tables have where a claim agrees with a published value.
const OF_AGREEMENT: [&str; 4] = [
    "threshold_error",
    "threshold_level",
    "difference_lo",
    "difference_hi",
];

/// The table; `None` if nothing is claimed.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    let all = || facts.experiment.metric_claims();
    let agrees = all().any(|(_, _, claim)| claim.test.published().is_some());
    let claims = facts.claims.iter();
    let rows = claims.filter_map(|outcome| judged(facts.experiment, outcome));
    let is_kept = |name: &str| agrees || !OF_AGREEMENT.contains(&name);
    (all().next().is_some()).then(|| Table::of_columns(is_kept, rows))
}

/// The row of an outcome; `None` of a claim that a benchmark decides.
fn judged(experiment: &Experiment, outcome: &ClaimOutcome) -> Option<ClaimRow> {
    let Claim { written, meaning } = &experiment.claims[outcome.claim];
    let Meaning::Metric(claim) = meaning else {
        return None;
    };
    let (Subject::Metric { metric, .. } | Subject::Difference { metric, .. }) = claim.subject;
    let metric = &experiment.task.metrics[metric];
    let estimate = outcome.estimate.written();
    let difference = outcome.difference.map(Interval::written);
    let ends = ends(claim, &estimate);
    let published = claim.test.published();
    Some(ClaimRow {
        experiment: experiment.name().to_owned(),
        claim: outcome.claim as u64 + 1,
        source: written.source.clone(),
        text: written.text.clone(),
        holds: written.holds.clone(),
        cell: target(experiment, outcome.target),
        unit: metric.unit.to_string(),
        metric: metric.name.to_string(),
        statistic: statistic(&claim.subject),
        relation: claim.test.symbol().to_owned(),
        threshold: Some(Exact(claim.test.number())),
        threshold_error: published.map(|published| Exact(published.error)),
        threshold_level: published.map(|published| published.level.get()),
        estimate: estimate.value.map(Exact),
        lo: ends.lo.map(Exact),
        hi: ends.hi.map(Exact),
        measured: outcome.estimate,
        difference_lo: difference.map(|interval| Exact(interval.lo)),
        difference_hi: difference.map(|interval| Exact(interval.hi)),
        verdict: outcome.decision,
        note: outcome.note.clone(),
    })
}

fn statistic(subject: &Subject) -> String {
    match subject {
        Subject::Metric { stat, .. } => stat.to_string(),
        Subject::Difference { .. } => "difference of means".into(),
    }
}

/// Both ends of what is known of a statistic.
#[derive(Default)]
struct KnownEnds {
    lo: Option<f64>,
    hi: Option<f64>,
}

/// Both ends of what is known of the statistic. Samples bound an extreme on one side only.
fn ends(claim: &ClaimSpec, estimate: &Estimate) -> KnownEnds {
    if let Some(Interval { lo, hi, .. }) = estimate.interval {
        return KnownEnds {
            lo: Some(lo),
            hi: Some(hi),
        };
    }
    let (lo, hi) = (estimate.value, estimate.value);
    match claim.subject {
        Subject::Metric {
            stat: Stat::Extreme(extreme),
            ..
        } => match extreme {
            Extreme::Min => KnownEnds { lo: None, hi },
            Extreme::Max => KnownEnds { lo, hi: None },
        },
        _ => KnownEnds::default(),
    }
}

fn target(experiment: &Experiment, target: ClaimTarget) -> String {
    let name = |cell: usize| &experiment.cells[cell].name;
    match target {
        ClaimTarget::Cell(cell) => name(cell).clone(),
        ClaimTarget::Pair(pair) => format!("{} - {}", name(pair.first), name(pair.second)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use experiment::Overrides;
    use stats::{Level, Method, Span, Validity};
    use task::coin;

    /// A value that was drawn is one that the least is not above, and the most not below; of a mean it bounds nothing.
    #[test]
    fn an_extreme_without_an_interval_is_known_on_the_side_of_its_witness() {
        let claim = |holds: &str| {
            format!("[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"{holds}\"\n")
        };
        let claims = ["run.min > 0", "run.max < 9", "run.mean > 1"].map(claim);
        let text = format!(
            "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 3\n{}",
            claims.concat()
        );
        let experiment = Experiment::parse(&text, "x.toml", coin::GAMES, &Overrides::default());
        let experiment = experiment.unwrap();
        let limits = Span::new(2.0, 5.0);
        let interval = Interval::new(limits, Level::DEFAULT, Method::Exact, Validity::FixedN);
        let of = |interval| {
            let estimate = Estimate {
                value: Some(4.0),
                interval,
                ..Estimate::default()
            };
            let claims = experiment.metric_claims();
            let ends = claims.map(|(_, _, claim)| super::ends(claim, &estimate));
            ends.map(|ends| (ends.lo, ends.hi)).collect::<Vec<_>>()
        };
        let (none, known) = (None, Some(4.0));
        assert_eq!(of(None), [(none, known), (known, none), (none, none)]);
        assert_eq!(of(interval), [(Some(2.0), Some(5.0)); 3]);
    }
}
