//! Rounds in few bytes, for the many games that a player imagines.
//!
//! A [`Quick`] holds what a [`Round`] holds, plays the same plays and ends with the same score, in
//! a fraction of the time: face-up runs lie apart from the face-down cards, so a play moves only
//! the cards it is about. `heuristic` says what is played.

use super::card::Card;
use super::round::{Play, Round};
use super::table::Move;

/// The number of columns at most.
pub(crate) const COLUMNS: usize = 7;

/// A round that is played on quickly.
#[derive(Clone, Copy, Debug)]
pub struct Quick {
    /// The face-up runs, highest card first.
    runs: [[Card; 13]; COLUMNS],
    lens: [u8; COLUMNS],
    /// The face-down cards, the lowest first.
    downs: [[Card; 6]; COLUMNS],
    depths: [u8; COLUMNS],
    columns: u8,
    king: u8,
    heights: [u8; 4],
    talon: [Card; 24],
    stock: u8,
    waste: u8,
    draw: u8,
    /// The number of times that the waste may still be turned over; `None` without limit.
    turns: Option<u8>,
    single_pass: bool,
    stock_known: bool,
    best: u8,
}

impl From<&Round> for Quick {
    fn from(round: &Round) -> Quick {
        let table = round.table();
        let (rules, talon) = (table.rules(), table.talon());
        let left = |passes: u8| passes.saturating_sub(table.pass() + 1);
        let mut quick = Quick {
            runs: [[Card::default(); 13]; COLUMNS],
            lens: [0; COLUMNS],
            downs: [[Card::default(); 6]; COLUMNS],
            depths: [0; COLUMNS],
            columns: table.columns().len() as u8,
            king: table.king(),
            heights: table.foundations(),
            talon: [Card::default(); 24],
            stock: talon.len() as u8,
            waste: table.waste().len() as u8,
            draw: rules.draw,
            turns: rules.passes.map(left),
            single_pass: rules.passes == Some(1),
            stock_known: round.is_stock_known(),
            best: round.score(),
        };
        quick.talon[..talon.len()].copy_from_slice(talon);
        for (index, column) in table.columns().iter().enumerate() {
            let (run, depth) = (column.run(), column.face_down());
            quick.runs[index][..run.len()].copy_from_slice(run);
            quick.lens[index] = run.len() as u8;
            quick.downs[index][..depth].copy_from_slice(&column.cards()[..depth]);
            quick.depths[index] = depth as u8;
        }
        quick
    }
}

impl Quick {
    /// The number of columns.
    #[inline]
    pub(crate) fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    /// A column's face-up run, highest card first.
    #[inline]
    pub fn run(&self, column: usize) -> &[Card] {
        &self.runs[column][..usize::from(self.lens[column])]
    }

    /// The number of face-down cards in a column.
    #[inline]
    pub(crate) fn depth(&self, column: usize) -> u8 {
        self.depths[column]
    }

    /// The rank that may go to an empty column.
    #[inline]
    pub(crate) fn king(&self) -> u8 {
        self.king
    }

    /// The number of cards on each suit's foundation.
    #[inline]
    pub(crate) fn heights(&self) -> [u8; 4] {
        self.heights
    }

    /// Returns whether a card is the next of its foundation.
    #[inline]
    pub(crate) fn is_next(&self, card: Card) -> bool {
        self.heights[usize::from(card.suit())] == card.rank()
    }

    /// Waste and stock together.
    #[inline]
    pub(crate) fn talon(&self) -> &[Card] {
        &self.talon[..usize::from(self.stock)]
    }

    /// Returns the number of cards of the talon that lie in the waste.
    #[inline]
    pub(crate) fn waste(&self) -> u8 {
        self.waste
    }

    /// Cards drawn at once.
    #[inline]
    pub(crate) fn draw(&self) -> u8 {
        self.draw
    }

    /// Returns whether the waste may be turned over once more.
    #[inline]
    pub(crate) fn may_turn(&self) -> bool {
        self.turns != Some(0)
    }

    /// Returns whether the rules allow a single pass.
    #[inline]
    pub(crate) fn is_single_pass(&self) -> bool {
        self.single_pass
    }

    /// Returns whether the order of the stock is known.
    #[inline]
    pub(crate) fn is_stock_known(&self) -> bool {
        self.stock_known
    }

    /// The most cards that lay on the foundations at one moment.
    #[inline]
    pub(crate) fn score(&self) -> u8 {
        self.best
    }

    /// Makes a legal play.
    #[inline]
    pub(crate) fn play(&mut self, play: Play) {
        for _ in 0..play.draws {
            self.turn_stock();
        }
        for single in play.moves.into_iter().flatten() {
            self.make(single);
        }
    }

    /// Draws, or turns the waste over.
    fn turn_stock(&mut self) {
        if self.waste == self.stock {
            self.waste = 0;
            self.turns = self.turns.map(|turns| turns.saturating_sub(1));
        } else {
            self.waste = (self.waste + self.draw).min(self.stock);
        }
        self.stock_known |= self.waste == self.stock;
    }

    fn make(&mut self, single: Move) {
        match single {
            Move::Draw | Move::Recycle => self.turn_stock(),
            Move::WasteToFoundation => {
                let card = self.take_from_waste();
                self.found(card);
            }
            Move::WasteToColumn { to } => {
                let card = self.take_from_waste();
                self.push(usize::from(to), card);
            }
            Move::ColumnToFoundation { from } => {
                let from = usize::from(from);
                let card = self.runs[from][usize::from(self.lens[from]) - 1];
                self.found(card);
                self.shorten(from, 1);
            }
            Move::FoundationToColumn { suit, to } => {
                let height = &mut self.heights[usize::from(suit)];
                *height -= 1;
                let card = Card::new(*height, suit).unwrap_or_default();
                self.push(usize::from(to), card);
            }
            Move::ColumnToColumn { from, to, count } => {
                self.move_run(usize::from(from), usize::from(to), count);
            }
        }
    }

    fn found(&mut self, card: Card) {
        self.heights[usize::from(card.suit())] += 1;
        self.best = self.best.max(self.heights.iter().sum());
    }

    fn push(&mut self, to: usize, card: Card) {
        self.runs[to][usize::from(self.lens[to])] = card;
        self.lens[to] += 1;
    }

    fn move_run(&mut self, from: usize, to: usize, count: u8) {
        let start = self.lens[from] - count;
        for index in start..self.lens[from] {
            self.push(to, self.runs[from][usize::from(index)]);
        }
        self.shorten(from, count);
    }

    /// Takes cards off a run; below an empty one the next card is turned.
    fn shorten(&mut self, column: usize, count: u8) {
        self.lens[column] -= count;
        if self.lens[column] == 0 && self.depths[column] > 0 {
            self.depths[column] -= 1;
            let card = self.downs[column][usize::from(self.depths[column])];
            self.push(column, card);
        }
    }

    fn take_from_waste(&mut self) -> Card {
        let (top, end) = (usize::from(self.waste), usize::from(self.stock));
        let card = self.talon[top - 1];
        self.talon.copy_within(top..end, top - 1);
        self.waste -= 1;
        self.stock -= 1;
        card
    }
}
