//! `purses.csv`: what players of a game for money have after many games.

use crate::config::{Experiment, Wager};
use crate::harness::{Outcome, Tally};
use crate::stats::{Accumulator, Gains, Histogram, Looks, Purse, Sampling};
use crate::task::Metric;

use super::fields::MetricPlace;
use super::table::Table;

/// The purses of the players of one cell.
type CellPurse = (usize, Purse);

/// The table; `None` if games cost nothing.
pub(super) fn purses_table(experiment: &Experiment, outcome: &Outcome) -> Option<Table> {
    let wager = experiment.wager.as_ref()?;
    let metric = &experiment.task.metrics[wager.metric];
    let rows =
        (0..experiment.cells.len()).flat_map(|cell| purses(experiment, wager, outcome, cell));
    let confidence = outcome.confidence;
    // There are intervals of a single look only.
    let level = (confidence.looks == Looks::Once).then_some(confidence.level.get());
    let ahead = move |(_, purse): &CellPurse| purse.ahead_interval.filter(|_| level.is_some());
    let median = move |(_, purse): &CellPurse| purse.median_interval.filter(|_| level.is_some());
    let mut table = Table::of("purses", &["cell", "metric", "games"], rows)
        .refers(&["cell", "metric"], "summary")
        .place(experiment, move |&(cell, _)| MetricPlace { cell, metric })
        .integer("games", "Independent games in a row.", |(_, purse)| {
            purse.games
        })
        .number(
            "cost",
            "What they cost, in the metric's unit.",
            |(_, purse)| Some(wager.stake * purse.games as f64),
        )
        .number(
            "ahead",
            "Probability to be paid more than the games cost.",
            |(_, purse)| Some(purse.ahead),
        )
        .number(
            "ahead_lo",
            "Lower end of its interval; empty where none holds.",
            move |row| ahead(row).map(|ends| ends.0),
        )
        .number("ahead_hi", "Upper end of its interval.", move |row| {
            ahead(row).map(|ends| ends.1)
        })
        .number(
            "even",
            "Probability to be paid exactly what the games cost.",
            |(_, purse)| Some(purse.even),
        );
    for (place, (name, meaning)) in QUANTILES.into_iter().enumerate() {
        table = table.number(name, meaning, move |(_, purse)| {
            Some(purse.quantiles[place])
        });
    }
    let table = table
        .number(
            "q50_lo",
            "Lower end of the interval of q50; empty where none holds.",
            move |row| median(row).map(|ends| ends.0),
        )
        .number("q50_hi", "Upper end of the interval of q50.", move |row| {
            median(row).map(|ends| ends.1)
        })
        .level(move |_| level);
    Some(table.build())
}

/// The columns of the amounts at [`Purse::QUANTILES`].
const QUANTILES: [(&str, &str); 5] = [
    (
        "q05",
        "Gain that 5 % of players have at most; losses are negative.",
    ),
    ("q25", "Gain that 25 % of players have at most."),
    ("q50", "Gain that half of the players have at most."),
    ("q75", "Gain that 75 % of players have at most."),
    ("q95", "Gain that 95 % of players have at most."),
];

/// After growing numbers of games in a cell; none if it was never played.
fn purses(
    experiment: &Experiment,
    wager: &Wager,
    outcome: &Outcome,
    cell: usize,
) -> Vec<CellPurse> {
    let Tally::Counts(counts) = &outcome.tally.cell(cell)[wager.metric] else {
        return Vec::new();
    };
    let metric = &experiment.task.metrics[wager.metric];
    // Unresolved payments count at their least; intervals reach up to their most.
    let least = purses_of(metric, wager, outcome, &counts.low_end());
    let most = purses_of(metric, wager, outcome, &counts.high_end());
    let widened = |purse: Purse| {
        let higher = most.iter().find(|higher| higher.games == purse.games);
        (cell, purse.up_to(higher))
    };
    least.into_iter().map(widened).collect()
}

fn purses_of(metric: &Metric, wager: &Wager, outcome: &Outcome, counts: &Histogram) -> Vec<Purse> {
    let per = metric.per as f64;
    let sampling = Sampling {
        samples: counts.count(),
        level: outcome.confidence.level,
        limits: metric
            .unit_limits()
            .map(|(least, most)| (least - wager.stake, most - wager.stake)),
    };
    let payments = counts.iter();
    let payments = payments.map(|(value, count)| (value as f64 / per, count));
    let game = Gains::of(payments, wager.stake);
    game.map_or_else(Vec::new, |game| game.purses(wager.games, &sampling))
}
