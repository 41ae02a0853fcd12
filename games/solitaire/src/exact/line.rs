//! Steps of the search as single moves on a real table.

use super::super::card::Card;
use super::super::table::{CardTable, Move, TableauColumn};
use super::state::State;
use super::step::{SearchStep, StepKind};
use super::world::SearchConstants;

/// The single moves that carry out steps from a table on, the safe moves between them included.
pub(crate) fn single_moves(table: &CardTable, steps: &[SearchStep]) -> Vec<Move> {
    let world = SearchConstants::new(table);
    let mut hand = Hand::new(table);
    let mut state = State::new(&world, table);
    state.settle(&world, |step| hand.carry_out(step));
    for &step in steps {
        state.take(&world, step);
        hand.carry_out(step);
        state.settle(&world, |step| hand.carry_out(step));
    }
    hand.moves
}

/// The single moves that carry out steps from a table on, and no others.
pub(crate) fn moves_of(table: &CardTable, steps: impl Iterator<Item = SearchStep>) -> Vec<Move> {
    let mut hand = Hand::new(table);
    steps.for_each(|step| hand.carry_out(step));
    hand.moves
}

/// A table and the moves made on it. A step whose card is not where it should be is left out,
/// which the tests would see: no line of theirs may be too short or have an illegal move.
struct Hand {
    table: CardTable,
    moves: Vec<Move>,
}

impl Hand {
    fn new(table: &CardTable) -> Hand {
        Hand {
            table: *table,
            moves: Vec::new(),
        }
    }

    fn play(&mut self, play: Move) {
        self.table.play(play);
        self.moves.push(play);
    }

    fn carry_out(&mut self, step: SearchStep) {
        if let Some(base) = step.emptied {
            self.move_run(base);
        }
        match step.kind {
            StepKind::Found => self.found(step.card),
            StepKind::FoundStock => {
                self.bring_up(step.card);
                self.play(Move::WasteToFoundation);
            }
            StepKind::Free => self.move_run(step.card),
            StepKind::LandStock => {
                self.bring_up(step.card);
                self.put_home(step.card, |to| Move::WasteToColumn { to });
            }
            StepKind::Back => {
                let suit = step.card.suit();
                self.put_home(step.card, |to| Move::FoundationToColumn { suit, to });
            }
        }
    }

    fn put_home(&mut self, card: Card, play: impl Fn(u8) -> Move) {
        let home = self.table.homes(card).next();
        if let Some(to) = home {
            self.play(play(to));
        }
    }

    /// Goes through the stock until a card is the top of the waste.
    fn bring_up(&mut self, card: Card) {
        while self.table.talon().contains(&card) && self.table.waste().last() != Some(&card) {
            let play = match self.table.stock() {
                [] if !self.table.allows(Move::Recycle) => return,
                [] => Move::Recycle,
                _ => Move::Draw,
            };
            self.play(play);
        }
    }

    /// Moves a base and what lies on it.
    fn move_run(&mut self, base: Card) {
        if let Some((from, above)) = self.find(base) {
            let count = above + 1;
            self.put_home(base, |to| Move::ColumnToColumn { from, to, count });
        }
    }

    /// Puts a card of a column on its foundation, after what lies on it went to its twin.
    fn found(&mut self, card: Card) {
        let Some((from, count)) = self.find(card) else {
            return;
        };
        let twin = Card::new(card.rank(), card.suit() ^ 1);
        let is_twin = |column: &TableauColumn| column.top() == twin;
        if count > 0
            && let Some(to) = self.table.columns().iter().position(is_twin)
        {
            let to = to as u8;
            self.play(Move::ColumnToColumn { from, to, count });
        }
        self.play(Move::ColumnToFoundation { from });
    }

    /// The column a card lies in face up, and the number of cards on it.
    fn find(&self, card: Card) -> Option<(u8, u8)> {
        let above =
            |column: &TableauColumn| column.run().iter().rev().position(|&other| other == card);
        let columns = (0..).zip(self.table.columns());
        columns
            .filter_map(|(i, column)| Some((i, above(column)? as u8)))
            .next()
    }
}
