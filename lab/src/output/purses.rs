//! `purses.csv`: what players of a game for money have after many games.

use crate::config::Experiment;
use crate::harness::{Outcome, Tally};
use crate::stats::{Gains, Level, Looks, Purse};

use super::fields::{PLACE, place_fields};
use super::number::number;
use super::table::Table;

/// After [`PLACE`].
const COLUMNS: [&str; 14] = [
    "games:integer",
    "cost:number",
    "ahead:number",
    "ahead_lo:number",
    "ahead_hi:number",
    "even:number",
    "q05:number",
    "q25:number",
    "q50:number",
    "q75:number",
    "q95:number",
    "q50_lo:number",
    "q50_hi:number",
    "ci_level:number",
];

/// The table; `None` if games cost nothing.
pub(super) fn purses_table(experiment: &Experiment, outcome: &Outcome) -> Option<Table> {
    let wager = experiment.wager.as_ref()?;
    let metric = &experiment.task.metrics[wager.metric];
    let confidence = outcome.confidence;
    let mut table = Table::new("purses", PLACE.into_iter().chain(COLUMNS));
    for cell in 0..experiment.cells.len() {
        let Tally::Counts(counts) = &outcome.tally.cell(cell)[wager.metric] else {
            continue;
        };
        // Unresolved payments count at their least.
        let counts = counts.low_end();
        let samples = counts.iter().map(|(_, count)| count).sum();
        let payments = counts.iter();
        let payments = payments.map(|(value, count)| (value as f64 / metric.per as f64, count));
        let Some(game) = Gains::of(payments, wager.stake) else {
            continue;
        };
        for purse in game.purses(wager.games, samples, confidence.level) {
            let mut row = place_fields(experiment, cell, metric);
            let level = Some(confidence.level).filter(|_| confidence.looks == Looks::Once);
            row.extend(fields(&purse, wager.stake, level));
            table.push(row);
        }
    }
    Some(table)
}

/// The fields after those of the place; without a level there are no intervals.
fn fields(purse: &Purse, stake: f64, level: Option<Level>) -> Vec<String> {
    let ahead = purse.ahead_interval.filter(|_| level.is_some());
    let median = level.map(|_| purse.median_interval);
    let ends = |ends: Option<(f64, f64)>| {
        let (lo, hi) = ends.unzip();
        [number(lo), number(hi)]
    };
    let mut fields = vec![
        purse.games.to_string(),
        number(Some(stake * purse.games as f64)),
        number(Some(purse.ahead)),
    ];
    fields.extend(ends(ahead));
    fields.push(number(Some(purse.even)));
    fields.extend(purse.quantiles.map(|amount| number(Some(amount))));
    fields.extend(ends(median));
    fields.push(number(level.map(|level| level.get())));
    fields
}
