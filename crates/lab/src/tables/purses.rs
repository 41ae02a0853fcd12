//! `purses.csv`: what players of a game for money have after many games.

use super::facts::RunFacts;
use super::metric_in_cell::MetricInCell;
use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use crate::run::Outcome;
use experiment::Wager;
use stats::{
    Accumulator, Confidence, Histogram, Looks, PayoffDistribution, Sampling, TotalGain, outwards,
    to_width,
};
use task::{Metric, Tally};

table_row! {
    /// A row of `purses.csv`: the players of a cell after so many games.
    pub struct PurseRow in "purses", keys ["cell", "metric", "games"]
    refers ["cell", "metric"] to "summary" {
        /// Name of the experiment.
        experiment: String,
        /// One combination of the swept parameters.
        cell: String,
        /// Name of the metric.
        metric: String,
        /// Unit of the metric; empty for a share.
        unit: String,
        /// Independent games in a row.
        games: u64,
        /// The cost of these games, in the metric's unit.
        cost: Option<Exact>,
        /// Probability to be paid more than the games cost; empty where no interval of it holds.
        ahead: Option<f64>,
        /// Lower end of the interval of ahead.
        ahead_lo: Option<Exact>,
        /// Upper end of the interval of ahead.
        ahead_hi: Option<Exact>,
        /// Probability to be paid exactly what the games cost.
        even: Option<f64>,
        /// Gain that 5 % of players have at most, losses being negative; empty, as all quantiles are,
        /// where no interval of the median holds.
        q05: Option<Exact>,
        /// Gain that 25 % of players have at most.
        q25: Option<Exact>,
        /// Gain that half of the players have at most.
        q50: Option<Exact>,
        /// Gain that 75 % of players have at most.
        q75: Option<Exact>,
        /// Gain that 95 % of players have at most.
        q95: Option<Exact>,
        /// Lower end of the interval of q50.
        q50_lo: Option<Exact>,
        /// Upper end of the interval of q50.
        q50_hi: Option<Exact>,
        /// Confidence level of the interval.
        ci_level: Option<f64>,
    }
}

/// The table; `None` if games cost nothing.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    let (wager, outcome) = (facts.experiment.wager.as_ref()?, facts.outcome);
    let rows = (0..facts.experiment.cells.len()).flat_map(move |cell| {
        let subject = MetricInCell::new(facts.experiment, cell, wager.metric);
        let totals = total_gains(subject, wager, outcome).into_iter();
        totals.map(move |total| row(subject, wager, &total, outcome.confidence))
    });
    Some(Table::of(rows))
}

fn row(
    subject: MetricInCell,
    wager: &Wager,
    total: &TotalGain,
    confidence: Confidence,
) -> PurseRow {
    // There are intervals of a single look only, and no number of a sample without one.
    let level = (confidence.looks == Looks::Once).then_some(confidence.level.get());
    let is_exact = confidence.looks == Looks::Exhaustive;
    let ahead = total.ahead_interval.filter(|_| level.is_some());
    let ahead = ahead.map(outwards);
    let median = total.median_interval.filter(|_| level.is_some());
    let of_ahead = |chance| (is_exact || ahead.is_some()).then_some(chance);
    let money = |amount| money(amount, subject.metric);
    let of_median = |gain| (is_exact || median.is_some()).then(|| money(gain));
    let [q05, q25, q50, q75, q95] = total.quantiles.map(of_median);
    PurseRow {
        experiment: subject.experiment(),
        cell: subject.cell(),
        metric: subject.metric(),
        unit: subject.unit(),
        games: total.games,
        cost: Some(money(wager.stake * total.games as f64)),
        ahead: of_ahead(total.ahead),
        ahead_lo: ahead.map(|ends| Exact(ends.lo)),
        ahead_hi: ahead.map(|ends| Exact(ends.hi)),
        even: of_ahead(total.even),
        q05,
        q25,
        q50,
        q75,
        q95,
        q50_lo: median.map(|ends| money(ends.lo)),
        q50_hi: median.map(|ends| money(ends.hi)),
        ci_level: level,
    }
}

/// An amount with the digits that tell it from those a step of the metric away.
fn money(amount: f64, metric: &Metric) -> Exact {
    Exact(to_width(amount, 1.0 / metric.denominator as f64))
}

/// After growing numbers of games in a cell; none if it was never played.
fn total_gains(subject: MetricInCell, wager: &Wager, outcome: &Outcome) -> Vec<TotalGain> {
    let Tally::Counts(counts) = &outcome.tally.cell(subject.cell)[wager.metric] else {
        return Vec::new();
    };
    if outcome.tally.is_one_sample(subject.cell) {
        return Vec::new();
    }
    // Unresolved payments count at their least; intervals reach up to their most.
    let least = total_gains_of(subject.metric, wager, outcome, &counts.low_end());
    let most = total_gains_of(subject.metric, wager, outcome, &counts.high_end());
    let widened = |total: TotalGain| {
        let higher = most.iter().find(|higher| higher.games == total.games);
        total.up_to(higher)
    };
    least.into_iter().map(widened).collect()
}

fn total_gains_of(
    metric: &Metric,
    wager: &Wager,
    outcome: &Outcome,
    counts: &Histogram,
) -> Vec<TotalGain> {
    let denominator = metric.denominator as f64;
    let sampling = Sampling {
        samples: counts.count(),
        level: outcome.confidence.level,
        limits: metric
            .unit_limits()
            .map(|limits| limits.map(|end| end - wager.stake)),
    };
    let payments = counts.iter();
    let payments = payments.map(|(value, count)| (value as f64 / denominator, count));
    let game = PayoffDistribution::of(payments, wager.stake);
    game.map_or_else(Vec::new, |game| game.total_gains(wager.games, &sampling))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::exact;

    #[test]
    fn amounts_have_the_digits_of_their_steps() {
        let cents = Metric::number("paid", "$", 2, "");
        let written = |amount| exact(money(amount, &cents).0);
        assert_eq!(written(123_456_789_012.25), "123456789012.25");
        assert_eq!(written(0.1 + 0.2), "0.3");
        assert_eq!(written(-52.0), "-52");
    }
}
