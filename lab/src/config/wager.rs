//! Games for money: `[wager]` says what a game costs and which metric is its payout.
//!
//! It changes no number. Reports use it to show what a player gains or loses.

use toml::Spanned;

use crate::task::{Metric, MetricKind};

use super::error::Problem;
use super::grid::Grid;
use super::stop::metric;
use super::value::{optional, required};
use super::wire::{Item, TomlTable, WagerTable};
use super::{suggest, value};

/// What a game costs and pays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wager {
    /// The place of the metric of what a game pays among the task's.
    pub metric: usize,
    /// What a game costs, in the metric's unit.
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
        stake: required("stake", &table.stake, Some(place), value::positive)?,
        games: optional("games", &table.games, GAMES, games)?,
        cell: table
            .cell
            .as_ref()
            .map(|item| cell(item, metrics, grid))
            .transpose()?,
    }))
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
