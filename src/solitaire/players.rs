//! A player that sees what a person sees, and thinks no further than the next move.

use super::card::Card;
use super::table::{Column, Move, Table};

/// Plays a game to its end and returns its moves: safe cards to the foundations, then the move
/// that turns a card of the deepest column, then the waste's top card wherever it fits, then the
/// stock; and when that is gone through without a gain, every card that fits on a foundation. No
/// card is taken back.
pub fn greedy(table: &Table) -> Vec<Move> {
    let mut table = *table;
    let mut moves = Vec::new();
    // The positions of the stock seen since the last card was played.
    let mut drawn = 0;
    while let Some(play) = choose(&table, drawn) {
        drawn = match play {
            Move::Draw | Move::Recycle => drawn + 1,
            _ => 0,
        };
        table.play(play);
        moves.push(play);
    }
    moves
}

fn choose(table: &Table, drawn: usize) -> Option<Move> {
    let moves = table.moves();
    let first = |wanted: &dyn Fn(&Move) -> bool| moves.iter().copied().find(wanted);
    let founds = |play: &Move| {
        matches!(
            play,
            Move::WasteToFoundation | Move::ColumnToFoundation { .. }
        )
    };
    let is_safe = |play: &Move| {
        founds(play)
            && table
                .moved_card(*play)
                .is_some_and(|card| is_safe(table, card))
    };
    // A whole pass has at most one position a card, and its turn.
    let is_stale = drawn > table.talon().len() + 1;
    first(&is_safe)
        .or_else(|| reveal(table, &moves))
        .or_else(|| {
            first(&|play| matches!(play, Move::WasteToFoundation | Move::WasteToColumn { .. }))
        })
        .or_else(|| first(&|play| !is_stale && matches!(play, Move::Draw | Move::Recycle)))
        .or_else(|| first(&founds))
}

/// Whether no card that could want to lie on this one is needed in the columns.
fn is_safe(table: &Table, card: Card) -> bool {
    let heights = table.foundations();
    let height = |other: u8| heights[usize::from(card.suit() ^ other)];
    height(1) + 2 >= card.rank() && height(2) + 1 >= card.rank() && height(3) + 1 >= card.rank()
}

/// The move of a whole run that turns a card of the deepest column.
fn reveal(table: &Table, moves: &[Move]) -> Option<Move> {
    let depth = |play: &Move| match *play {
        Move::ColumnToColumn { from, count, .. } => {
            let column: &Column = table.columns().get(usize::from(from))?;
            let is_whole = column.run().len() == usize::from(count);
            (is_whole && column.face_down() > 0).then_some(column.face_down())
        }
        _ => None,
    };
    let revealing = moves.iter().filter(|play| depth(play).is_some());
    revealing.copied().max_by_key(|play| depth(play))
}

#[cfg(test)]
mod tests {
    use super::super::deal::Deal;
    use super::super::exact::Solver;
    use super::super::rules::{Deck, Rules};
    use super::*;
    use lab::rng::Streams;
    use lab::search::Budget;

    /// Seed 4, samples 0 to 29 of each kind of rules.
    #[test]
    fn greedy_games_are_legal_end_and_do_not_beat_perfect_play() {
        for rules in [Rules::VEGAS_1, Rules::VEGAS_3, Rules::DRAW_1, Rules::DRAW_3] {
            let mut solver = Solver::default();
            for index in 0..30 {
                let mut stream = Streams::new(4).key("deal").stream(index);
                let start = Table::new(&Deal::draw(Deck::FULL, &mut stream), rules);
                let mut table = start;
                for play in greedy(&start) {
                    assert!(table.allows(play));
                    table.play(play);
                }
                let best = solver.solve(&start, Budget::nodes(50_000)).foundation;
                assert!(table.founded() <= best.upper());
            }
        }
    }
}
