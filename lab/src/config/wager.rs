//! Games for money: `[wager]` says what a game costs and which metric is its payout.
//!
//! It changes no number. Reports use it to show what a player gains or loses.

use std::ops::Range;

use toml::Spanned;

use crate::task::{Metric, MetricKind};

use super::error::Problem;
use super::grid::Grid;
use super::stop::metric;
use super::value::{optional, required};
use super::wire::{Item, TomlTable, WagerTable};
use super::{suggest, value};

/// The stake and the payments of a game for money.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wager {
    /// The place of the metric of what a game pays among the task's.
    pub metric: usize,
    /// The stake of one game, in the metric's unit.
    pub stake: f64,
    /// Games in a row whose total gain is shown.
    pub games: u64,
    /// The place of the cell whose player's gains are shown, among the experiment's; the first
    /// unless the file names one.
    pub cell: Option<usize>,
}

/// Games in a row unless the file says otherwise.
const GAMES: u64 = 100;

/// Reads the table.
pub(super) fn read(
    table: Option<&Spanned<TomlTable<WagerTable>>>,
    metrics: &[Metric],
    grid: &Grid,
) -> Result<Option<Wager>, Problem> {
    let Some(table) = table else {
        return Ok(None);
    };
    let (place, table) = (table.span(), table.get_ref());
    let (metric, item) = metric(&table.metric, place.clone(), metrics)?;
    if !matches!(metrics[metric].kind, MetricKind::Integer { .. }) {
        let message = "this metric keeps no histogram, so gains cannot be computed from it";
        return Err(Problem::at(item.span(), message).expected("expected a bounded integer"));
    }
    let games = |key: &str, item: &_| value::whole(key, item, 1..=1000);
    Ok(Some(Wager {
        metric,
        stake: stake(&metrics[metric], &table.stake, (place, item.span()))?,
        games: optional("games", &table.games, GAMES, games)?,
        cell: table
            .cell
            .as_ref()
            .map(|item| cell(item, metrics, grid))
            .transpose()?,
    }))
}

/// Reads the stake of one game. A metric that can be negative is what is left after the stake,
/// which must not be paid twice; the spans are those of the table and of the metric's name.
fn stake(
    metric: &Metric,
    item: &Option<Item>,
    (table, name): (Range<usize>, Range<usize>),
) -> Result<f64, Problem> {
    let stake = required("stake", item, Some(table), value::not_negative)?;
    let is_net = metric.limits().is_some_and(|(least, _)| least < 0);
    if is_net && stake > 0.0 {
        let message = format!(
            "`{}` can be negative, so what a game costs is already paid from it",
            metric.name
        );
        return Err(Problem::at(name, message)
            .expected("expected a metric of payments, such as `payout`")
            .help("name a metric that cannot be negative, or write `stake = 0`"));
    }
    Ok(stake)
}

impl Wager {
    /// A sentence about a stake above all that a game can pay; `None` of a sensible one.
    pub fn caution(&self, metric: &Metric) -> Option<String> {
        let (_, most) = metric.unit_limits()?;
        let (name, stake) = (&metric.name, self.stake);
        (stake > most).then(|| {
            format!(
                "[wager]: the stake of {stake} is more than the largest `{name}`, {most}, so no \
                 game can gain; is `{name}` what a game pays?"
            )
        })
    }
}

/// The place of the cell of this name.
fn cell(item: &Item, metrics: &[Metric], grid: &Grid) -> Result<usize, Problem> {
    let name = value::text("cell", item)?;
    let names = || grid.cells.iter().map(|cell| cell.name.as_str());
    grid.scope(metrics).cell(&grid.cells, &name).ok_or_else(|| {
        Problem::at(item.span(), format!("there is no cell `{name}`"))
            .help(suggest::help(&name, names()))
    })
}
