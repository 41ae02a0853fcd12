//! `purses.csv`: what players of a game for money have after many games.

use super::facts::RunFacts;
use super::metric_in_cell::MetricInCell;
use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use crate::run::Outcome;
use experiment::Wager;
use stats::{
    Accumulator, Histogram, Looks, PayoffDistribution, Sampling, TotalGain, outwards, to_width,
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
        totals.map(move |total| row(subject, wager, &total, outcome))
    });
    Some(Table::of(rows))
}

/// The row of a total; what an estimate would be is not known while games are open.
fn row(subject: MetricInCell, wager: &Wager, total: &TotalGain, outcome: &Outcome) -> PurseRow {
    let tally = &outcome.tally.cell(subject.cell)[wager.metric];
    let is_open = matches!(tally, Tally::Counts(counts) if counts.unresolved() > 0);
    let confidence = outcome.confidence;
    // There are intervals of a single look only, and no number of a sample without one.
    let level = (confidence.looks == Looks::Once).then_some(confidence.level.get());
    let is_exact = confidence.looks == Looks::Exhaustive;
    let ahead = total.ahead_interval.filter(|_| level.is_some());
    let ahead = ahead.map(outwards);
    let median = total.median_interval.filter(|_| level.is_some());
    let of_ahead = |chance| (!is_open && (is_exact || ahead.is_some())).then_some(chance);
    let money = |amount| money(amount, subject.metric);
    let of_median = |gain| (!is_open && (is_exact || median.is_some())).then(|| money(gain));
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
    use crate::run::{BlockTally, CompiledExperiment};
    use crate::tables::exact;
    use experiment::{Experiment, Overrides};
    use stats::Proportion;
    use task::{Row, Value, coin};

    /// The totals of games that pay this, at a price of 2, and what they cost.
    fn played(payments: &[Value]) -> (Vec<TotalGain>, Vec<PurseRow>) {
        let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 3\n\
                    [wager]\nmetric = \"run\"\nstake = 2\ngames = 20\n";
        let experiment = Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default());
        let experiment = experiment.unwrap_or_else(|error| panic!("{}", error.render(false)));
        let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
        let game = |&payment: &Value| {
            let mut row = Row::new();
            let values = [Value::flag(true), payment, Value::Exact(1)];
            values.into_iter().for_each(|value| row.push(value));
            row
        };
        let tally = BlockTally::of(&compiled, 0, &[payments.iter().map(game).collect()]);
        let outcome = Outcome::of(&compiled, tally, experiment.confidence());
        let subject = MetricInCell::new(&experiment, 0, 1);
        let wager = experiment.wager.as_ref().unwrap();
        let totals = total_gains(subject, wager, &outcome);
        let row = |total| row(subject, wager, total, &outcome);
        let rows = totals.iter().map(row).collect();
        (totals, rows)
    }

    /// Of 100 games 20 pay 4, ten 0 or 4, and the others nothing.
    #[test]
    fn open_games_pay_their_least_and_intervals_reach_to_their_most() {
        let payment = |game: i64| match game {
            0..20 => Value::Exact(4),
            20..30 => Value::bounds(0, 4),
            _ => Value::Exact(0),
        };
        let payments: Vec<Value> = (0..100).map(payment).collect();
        let (totals, rows) = played(&payments);
        let games: Vec<u64> = totals.iter().map(|total| total.games).collect();
        assert_eq!(games, [1, 10, 20, 100, 1_000]);
        let paid = [2.0, 20.0, 40.0, 200.0, 2_000.0].map(|cost| Some(Exact(cost)));
        assert!(rows.iter().map(|row| row.cost).eq(paid));
        for row in &rows {
            assert_eq!([row.ahead, row.even], [None; 2], "games are open");
            assert!(
                [row.q05, row.q25, row.q50, row.q75, row.q95]
                    .iter()
                    .all(Option::is_none)
            );
            assert!(row.ahead_lo.is_some() || row.games > 100);
        }
        let share = |paid| {
            let share = Proportion::new(paid, 0, 100).unwrap();
            share.clopper_pearson(stats::Level::DEFAULT).unwrap()
        };
        let one = totals[0].ahead_interval.unwrap();
        assert_eq!((one.lo, one.hi), (share(20).lo, share(30).hi));
        assert!((totals[0].ahead - 0.2).abs() < 1e-12);
    }

    /// Three games tell nothing of their median but that it is no more than 20 flips less the price, and no less than none.
    #[test]
    fn a_median_reaches_as_far_as_payments_less_their_price() {
        let (totals, _) = played(&[0, 0, 4].map(Value::Exact));
        let median = totals[0].median_interval.unwrap();
        assert_eq!((median.lo, median.hi), (-2.0, 18.0));
    }

    #[test]
    fn amounts_have_the_digits_of_their_steps() {
        let cents = Metric::number("paid", "$", 2, "");
        let written = |amount| exact(money(amount, &cents).0);
        assert_eq!(written(123_456_789_012.25), "123456789012.25");
        assert_eq!(written(0.1 + 0.2), "0.3");
        assert_eq!(written(-52.0), "-52");
    }
}
