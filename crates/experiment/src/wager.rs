//! Games for money: `[wager]` says what a game costs and which metric is its payout.
//!
//! The table changes no number. Reports use it to show what a player gains or loses.

use super::real;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use task::{Metric, MetricKind};

use super::document::{Document, KeyPath};
use super::error::Checked;
use super::relation::{Scope, metric_at};
use super::{suggest, whole};

/// The price and the payout of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WagerTable {
    /// The metric of a game's payout: a bounded integer that cannot be negative.
    pub metric: String,
    /// The price of a game, in the metric's unit; 0 where the metric is a gain, which can be negative.
    #[serde(deserialize_with = "real::one")]
    #[schemars(range(min = 0))]
    pub stake: f64,
    /// Games in a row whose total gain is shown; 100 by default.
    #[serde(
        default = "usual_games",
        deserialize_with = "whole::one::<1, 1000, _, _>"
    )]
    #[schemars(range(min = 1, max = 1000))]
    pub games: u64,
    /// The cell whose player's gains are shown; the first by default.
    pub cell: Option<String>,
}

/// The games of a table that gives none.
fn usual_games() -> u64 {
    100
}

/// The stake and the payments of a game for money.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wager {
    /// The index of the metric of what a game pays among the task's.
    pub metric: usize,
    /// The stake of one game, in the metric's unit.
    pub stake: f64,
    /// Games in a row whose total gain is shown.
    pub games: u64,
    /// The index of the cell whose player's gains are shown, among the experiment's; the first
    /// unless the file names one.
    pub(crate) cell: Option<usize>,
}

/// The largest stake: amounts of many games stay exact.
const MOST_STAKE: f64 = 1e9;

/// Parts of a unit that stakes and payments are whole numbers of: gains are counted in these.
const PARTS: u64 = stats::PayoffDistribution::PARTS;

/// Compiles the table; the cell gets the name by which it is known.
pub(super) fn compile(table: &mut WagerTable, document: &Document, scope: Scope) -> Checked<Wager> {
    let path = document.at("wager");
    let metric = metric_at(scope.metrics, &table.metric, &path.at("metric"))?;
    if !(0.0..=MOST_STAKE).contains(&table.stake) {
        let expected = "a number from 0 to 1,000,000,000";
        return Err(path.at("stake").mismatch(expected));
    }
    if (table.stake * PARTS as f64).round() / PARTS as f64 != table.stake {
        let problem = path
            .at("stake")
            .fault("the stake has more than three decimals");
        return Err(
            problem.help("round it to three decimals, or count stake and metric in a smaller unit")
        );
    }
    check_metric(&scope.metrics[metric], table.stake, &path.at("metric"))?;
    let cell = table.cell.as_ref().map(|name| {
        scope.cell(name).ok_or_else(|| {
            let problem = path.at("cell").fault(format!("there is no cell `{name}`"));
            let names = scope.cells.iter().map(|cell| cell.name.as_str());
            problem.help(suggest::help(name, names))
        })
    });
    let cell = cell.transpose()?;
    table.cell = cell.map(|cell| scope.cells[cell].name.clone());
    Ok(Wager {
        metric,
        stake: table.stake,
        games: table.games,
        cell,
    })
}

/// Refuses a metric without a histogram, one whose steps gains cannot hold, and one that can be negative with a stake:
/// it is what is left after the stake, which must not be paid twice.
fn check_metric(metric: &Metric, stake: f64, path: &KeyPath) -> Checked {
    if metric.kind != MetricKind::Integer {
        let message = "this metric keeps no histogram, so gains cannot be computed from it";
        return Err(path.fault(message).expected("expected a bounded integer"));
    }
    let is_net = metric.limits().is_some_and(|(least, _)| least < 0);
    if is_net && stake > 0.0 {
        let message = format!(
            "`{}` can be negative, so what a game costs is already paid from it",
            metric.name
        );
        return Err((path.fault(message))
            .expected("expected a metric of payments, such as `payout`")
            .help("name a metric that cannot be negative, or write `stake = 0`"));
    }
    if !PARTS.is_multiple_of(metric.denominator) {
        let message = format!("`{}` has steps of 1/{}", metric.name, metric.denominator);
        let problem = path.fault(message);
        return Err(problem.expected(format!("expected steps that make up 1/{PARTS}")));
    }
    Ok(())
}

impl Wager {
    /// A sentence about a stake above all that a game can pay; `None` of a sensible one.
    pub fn caution(&self, metric: &Metric) -> Option<String> {
        let most = metric.unit_limits()?.hi;
        let (name, stake) = (&metric.name, self.stake);
        (stake > most).then(|| {
            format!(
                "[wager]: the stake of {stake} is more than the largest `{name}`, {most}, so no \
                 game can gain; is `{name}` what a game pays?"
            )
        })
    }
}
