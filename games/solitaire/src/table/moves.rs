//! The single moves: what they are, how they are written, and which of them are legal.

use std::fmt;

use super::CardTable;
use cards::review::SingleMove;

/// A single move, as a hand makes it; columns are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// The next cards of the stock go to the waste.
    Draw,
    /// The waste is turned over and becomes the stock: the next pass begins.
    Recycle,
    /// The waste's top card goes to its foundation.
    WasteToFoundation,
    /// The waste's top card goes to a column.
    WasteToColumn {
        /// The column that it goes to.
        to: u8,
    },
    /// A column's last card goes to its foundation.
    ColumnToFoundation {
        /// The column that it comes from.
        from: u8,
    },
    /// A foundation's top card goes back to a column.
    FoundationToColumn {
        /// The foundation's suit.
        suit: u8,
        /// The column that it goes to.
        to: u8,
    },
    /// The last `count` cards of a column, a run or a part of one, go to another.
    ColumnToColumn {
        /// The column that they come from.
        from: u8,
        /// The column that they go to.
        to: u8,
        /// The number of cards.
        count: u8,
    },
}

/// The foundations as moves name them.
const SUITS: [&str; 4] = ["h", "d", "c", "s"];

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::Draw => write!(f, "draw"),
            Move::Recycle => write!(f, "turn"),
            Move::WasteToFoundation => write!(f, "w f"),
            Move::WasteToColumn { to } => write!(f, "w {}", to + 1),
            Move::ColumnToFoundation { from } => write!(f, "{} f", from + 1),
            Move::FoundationToColumn { suit, to } => {
                let suit = SUITS[usize::from(suit % 4)];
                write!(f, "{suit} {}", to + 1)
            }
            Move::ColumnToColumn { from, to, count } => {
                write!(f, "{} {} {count}", from + 1, to + 1)
            }
        }
    }
}

impl SingleMove for Move {
    fn written(text: &str) -> Option<Move> {
        let column = |word: &str| match word.parse() {
            Ok(column @ 1..=7) => Some(column - 1),
            _ => None,
        };
        let words: Vec<&str> = text.split(' ').collect();
        Some(match words.as_slice() {
            ["draw"] => Move::Draw,
            ["turn"] => Move::Recycle,
            ["w", "f"] => Move::WasteToFoundation,
            ["w", to] => Move::WasteToColumn { to: column(to)? },
            [from, "f"] => Move::ColumnToFoundation {
                from: column(from)?,
            },
            [from, to, count] => Move::ColumnToColumn {
                from: column(from)?,
                to: column(to)?,
                count: count.parse().ok()?,
            },
            [suit, to] => Move::FoundationToColumn {
                suit: SUITS.iter().position(|sign| sign == suit)? as u8,
                to: column(to)?,
            },
            _ => return None,
        })
    }
}

impl CardTable {
    /// Lists all legal moves: foundations first, then columns, the waste, worrying back, the stock.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(16);
        self.push_moves(&mut moves);
        moves
    }

    /// Appends all legal moves, in the order of [`moves`](Self::moves).
    pub(crate) fn push_moves(&self, moves: &mut Vec<Move>) {
        self.moves_to_foundations(moves);
        self.moves_between_columns(moves);
        if let Some(&card) = self.waste().last() {
            moves.extend(self.homes(card).map(|to| Move::WasteToColumn { to }));
        }
        if self.rules.worrying_back {
            self.moves_back(moves);
        }
        self.stock_move(moves);
    }

    fn moves_to_foundations(&self, moves: &mut Vec<Move>) {
        for (from, column) in (0..).zip(self.columns()) {
            if column.top().is_some_and(|card| self.is_next(card)) {
                moves.push(Move::ColumnToFoundation { from });
            }
        }
        if self.waste().last().is_some_and(|&card| self.is_next(card)) {
            moves.push(Move::WasteToFoundation);
        }
    }

    fn moves_between_columns(&self, moves: &mut Vec<Move>) {
        for (from, column) in (0..).zip(self.columns()) {
            let counts = (1..=column.run().len() as u8).rev();
            for (&card, count) in column.run().iter().zip(counts) {
                let elsewhere = self.homes(card).filter(|&to| to != from);
                moves.extend(elsewhere.map(|to| Move::ColumnToColumn { from, to, count }));
            }
        }
    }

    fn moves_back(&self, moves: &mut Vec<Move>) {
        for suit in 0..4 {
            if let Some(card) = self.foundation_top(suit) {
                let back = |to| Move::FoundationToColumn { suit, to };
                moves.extend(self.homes(card).map(back));
            }
        }
    }

    fn stock_move(&self, moves: &mut Vec<Move>) {
        if self.waste < self.stock_len {
            moves.push(Move::Draw);
        } else if self.waste > 0 && self.rules.allow_pass(self.pass + 1) {
            moves.push(Move::Recycle);
        }
    }

    /// Returns whether a move is legal.
    pub fn allows(&self, play: Move) -> bool {
        self.moves().contains(&play)
    }
}
