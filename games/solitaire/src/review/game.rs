//! The rules, as a review of a game asks for them.

use crate::casino::Casino;
use crate::round::{Play, Round};
use crate::rules::money;
use crate::seat::told_line;
use crate::table::{CardTable, Move};
use cards::review::{ReviewedGame, Stakes};

impl ReviewedGame for Casino {
    type Single = Move;

    fn make(&self, round: &mut Round, single: Move) {
        round.play(Play::single(single));
    }

    /// Going once through a stock that nobody has begun is one step where it costs nothing.
    fn next_length(&self, round: &Round, line: &[Move]) -> usize {
        look_length(round, line).unwrap_or_else(|| turning_length(*round, line))
    }

    fn is_over(&self, round: &Round) -> bool {
        round.table().is_won()
    }

    fn told_line(&self, round: &Round, moves: &[Move]) -> String {
        told_line(round, moves)
    }

    fn result(&self, round: &Round) -> i64 {
        result_of(round.table(), round.score())
    }

    fn stakes(&self, round: &Round) -> Stakes {
        match round.table().rules().passes {
            None => Stakes::Wins,
            Some(_) => Stakes::Dollars {
                least: money(0),
                most: money(52),
            },
        }
    }

    fn founded(&self, round: &Round) -> u8 {
        round.score()
    }
}

/// The result of a game in which so many cards reached the foundations: 1 of a game won and 0 of others where passes
/// are not limited, and otherwise dollars.
pub(super) fn result_of(table: &CardTable, score: u8) -> i64 {
    match table.rules().passes {
        None => i64::from(score == table.cards()),
        Some(_) => money(score),
    }
}

/// The number of moves up to one that shows an unknown card.
fn turning_length(mut round: Round, line: &[Move]) -> usize {
    let shows = |&single: &Move| {
        let (down, is_known) = (round.table().face_down(), round.is_stock_known());
        round.play(Play::single(single));
        let draws = matches!(single, Move::Draw) && !is_known;
        draws || round.table().face_down() < down
    };
    line.iter()
        .position(shows)
        .map_or(line.len(), |index| index + 1)
}

/// The moves of going once through the stock and turning it over, if the line begins with them.
fn look_length(round: &Round, line: &[Move]) -> Option<usize> {
    let table = round.table();
    let is_free = table.rules().passes.is_none() && table.waste().is_empty();
    if !is_free || round.is_stock_known() {
        return None;
    }
    let draws = table
        .stock()
        .len()
        .div_ceil(usize::from(table.rules().draw));
    let (look, _) = line.split_at_checked(draws + 1)?;
    let goes_through = look[..draws].iter().all(|single| *single == Move::Draw);
    (goes_through && look[draws] == Move::Recycle).then_some(draws + 1)
}
