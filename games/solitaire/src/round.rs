//! A game in progress as a person plays it: the face-down cards and the stock not yet gone through
//! are unseen.
//!
//! A [`Round`] knows every card, as a table does. What a person may know of it is a [`SeenRound`],
//! whose unseen cards lie sorted: it tells which they are, and not where.

use std::hash::{Hash, Hasher};

use super::card::Card;
use super::table::{CardTable, Move};

/// A table with what its player remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Round {
    table: CardTable,
    /// True if the whole stock was drawn once, so that its order is known from then on.
    stock_known: bool,
    /// The most cards that lay on the foundations at one moment.
    best: u8,
}

/// A decision of a person: moves of the stock, then moves of cards that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Play {
    /// The number of times that cards are drawn or the waste is turned over.
    pub(crate) draws: u8,
    /// The moves that follow.
    pub moves: [Option<Move>; 2],
}

impl Play {
    /// Draws once.
    pub(crate) const DRAW: Play = Play {
        draws: 1,
        moves: [None; 2],
    };

    /// A single move, of the stock or of cards.
    pub fn single(play: Move) -> Play {
        match play {
            Move::Draw | Move::Recycle => Play::DRAW,
            _ => Play::of(play),
        }
    }

    /// A single move of cards.
    pub(crate) fn of(play: Move) -> Play {
        Play::after(0, play)
    }

    /// A move of cards after moves of the stock.
    pub(crate) fn after(draws: u8, play: Move) -> Play {
        Play {
            draws,
            moves: [Some(play), None],
        }
    }

    /// Two moves, the first for the sake of the second.
    pub(crate) fn pair(first: Move, second: Move) -> Play {
        Play {
            draws: 0,
            moves: [Some(first), Some(second)],
        }
    }
}

/// The view of a person on a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenRound(Round);

impl Hash for SeenRound {
    /// Takes a few numbers that seldom agree: a tree looks up a round in each of its steps.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let table = self.0.table();
        table.foundations().hash(state);
        let (talon, waste) = (table.talon(), table.waste());
        (talon.len(), waste.len(), waste.last(), table.pass()).hash(state);
        for column in table.columns() {
            let run = column.run();
            (run.first(), run.last(), run.len(), column.face_down()).hash(state);
        }
    }
}

impl Round {
    /// The round that begins with a table.
    pub fn new(table: CardTable) -> Round {
        Round {
            stock_known: table.talon().is_empty(),
            best: table.founded(),
            table,
        }
    }

    /// A round in progress, whose stock may have been drawn before.
    pub(crate) fn in_progress(table: CardTable, stock_known: bool) -> Round {
        Round {
            stock_known: stock_known || table.stock().is_empty(),
            ..Round::new(table)
        }
    }

    /// The table.
    #[inline]
    pub fn table(&self) -> &CardTable {
        &self.table
    }

    /// Returns whether the order of waste and stock is known.
    #[inline]
    pub fn is_stock_known(&self) -> bool {
        self.stock_known
    }

    /// The score so far: the most cards that lay on the foundations at one moment.
    #[inline]
    pub fn score(&self) -> u8 {
        self.best
    }

    /// Takes the order of the stock as known, as after going through it.
    #[cfg(test)]
    pub(crate) fn know_stock(&mut self) {
        self.stock_known = true;
    }

    /// Makes a legal play.
    pub fn play(&mut self, play: Play) {
        self.play_and_tell(play, |_| ());
    }

    /// Makes a legal play, telling its single moves.
    pub(crate) fn play_and_tell(&mut self, play: Play, mut tell: impl FnMut(Move)) {
        for _ in 0..play.draws {
            let is_over = self.table.stock().is_empty();
            let single = if is_over { Move::Recycle } else { Move::Draw };
            self.table.play(single);
            self.stock_known |= self.table.stock().is_empty();
            tell(single);
        }
        for single in play.moves.into_iter().flatten() {
            self.table.play(single);
            self.best = self.best.max(self.table.founded());
            tell(single);
        }
    }

    /// The cards that nobody has seen, in the order of their places: face down in the columns,
    /// then in the stock.
    pub fn unseen(&self) -> Vec<Card> {
        let columns = self.table.columns().iter();
        let down = columns.flat_map(|column| &column.cards()[..column.face_down()]);
        let stock = if self.stock_known {
            &[]
        } else {
            self.table.stock()
        };
        down.chain(stock).copied().collect()
    }

    /// Returns the round with its unseen cards in other places.
    pub fn redealt(&self, unseen: &[Card]) -> Round {
        let down = self.table.face_down().min(unseen.len());
        let (down, stock) = unseen.split_at(down);
        let seen = self.table.talon().len() - stock.len();
        let talon = self.table.talon()[..seen].iter().chain(stock);
        Round {
            table: self.table.with_hidden(down.iter().chain(talon)),
            ..*self
        }
    }

    /// Returns the view of a person.
    pub fn sight(&self) -> SeenRound {
        let mut unseen = self.unseen();
        unseen.sort_unstable();
        SeenRound(self.redealt(&unseen))
    }
}

impl SeenRound {
    /// The round in which the unseen cards lie sorted.
    pub fn canonical(&self) -> Round {
        self.0
    }
}
