//! The table: real cards in columns, on foundations, in stock and waste, and every single move.
//!
//! A [`CardTable`] is small and `Copy`: to take a move back, keep the table from before it. It follows
//! the rules as a person at a table would and knows nothing of search.

mod column;
mod moves;

use super::card::Card;
use super::deal::Deal;
use super::rules::{DeckShape, Rules};

pub use column::TableauColumn;
pub use moves::Move;

/// The most cards of a stock.
const MOST_STOCK: usize = 24;
/// The most columns.
const MOST_COLUMNS: usize = 7;

/// A position with all its cards, and the rules it is played by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CardTable {
    rules: Rules,
    columns: [TableauColumn; MOST_COLUMNS],
    column_count: u8,
    king: u8,
    foundations: [u8; 4],
    stock: [Card; MOST_STOCK],
    stock_len: u8,
    waste: u8,
    pass: u8,
}

impl CardTable {
    /// The table after the deal: the last card of each column face up.
    pub fn new(deal: &Deal, rules: Rules) -> CardTable {
        let mut table = CardTable {
            rules,
            columns: [TableauColumn::default(); MOST_COLUMNS],
            column_count: deal.deck().columns() as u8,
            king: deal.deck().king(),
            foundations: [0; 4],
            stock: [Card::default(); MOST_STOCK],
            stock_len: deal.stock().len() as u8,
            waste: 0,
            pass: 0,
        };
        for (column, cards) in table.columns.iter_mut().zip(deal.columns()) {
            cards.iter().for_each(|&card| column.push(card));
            column.down = column.len - 1;
        }
        table.stock[..deal.stock().len()].copy_from_slice(deal.stock());
        table
    }

    /// A table of the whole deck with its cards where a game in progress has left them: each column
    /// with the number of its face-down cards, the waste and the stock after it.
    ///
    /// The columns must be such as moves make them, of at most 19 cards, and the talon of at most 24.
    pub fn in_progress(
        rules: Rules,
        columns: &[(Vec<Card>, usize)],
        foundations: [u8; 4],
        (waste, stock): (&[Card], &[Card]),
        pass: u8,
    ) -> CardTable {
        let deal = Deal::sorted(DeckShape::FULL);
        let mut table = CardTable {
            columns: [TableauColumn::default(); MOST_COLUMNS],
            foundations,
            stock: [Card::default(); MOST_STOCK],
            stock_len: (waste.len() + stock.len()) as u8,
            waste: waste.len() as u8,
            pass: if rules.passes.is_some() { pass } else { 0 },
            ..CardTable::new(&deal, rules)
        };
        for (column, (cards, down)) in table.columns.iter_mut().zip(columns) {
            cards.iter().for_each(|&card| column.push(card));
            column.down = *down as u8;
        }
        let talon = waste.iter().chain(stock);
        table
            .stock
            .iter_mut()
            .zip(talon)
            .for_each(|(slot, &card)| *slot = card);
        table
    }

    /// The rules.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The columns from left to right.
    #[inline]
    pub fn columns(&self) -> &[TableauColumn] {
        &self.columns[..usize::from(self.column_count)]
    }

    /// The number of cards on each suit's foundation, which is the rank it waits for.
    #[inline]
    pub fn foundations(&self) -> [u8; 4] {
        self.foundations
    }

    /// The number of cards on all foundations.
    #[inline]
    pub fn founded(&self) -> u8 {
        self.foundations.iter().sum()
    }

    /// The cards of the waste, the one that can be played last.
    #[inline]
    pub fn waste(&self) -> &[Card] {
        &self.stock[..usize::from(self.waste)]
    }

    /// The cards of the stock in the order of drawing.
    #[inline]
    pub fn stock(&self) -> &[Card] {
        &self.stock[usize::from(self.waste)..usize::from(self.stock_len)]
    }

    /// Waste and stock together: the order in which a pass goes through them.
    #[inline]
    pub fn talon(&self) -> &[Card] {
        &self.stock[..usize::from(self.stock_len)]
    }

    /// The passes already completed; always 0 where they are not limited.
    #[inline]
    pub fn pass(&self) -> u8 {
        self.pass
    }

    /// The number of face-down cards in the columns.
    pub fn face_down(&self) -> usize {
        self.columns().iter().map(TableauColumn::face_down).sum()
    }

    /// The number of all cards, wherever they are.
    pub fn cards(&self) -> u8 {
        let in_columns: u8 = self.columns().iter().map(|column| column.len).sum();
        self.founded() + self.stock_len + in_columns
    }

    /// The rank that may go to an empty column: the highest of the deck.
    #[inline]
    pub(crate) fn king(&self) -> u8 {
        self.king
    }

    /// Returns whether all cards are on the foundations.
    pub fn is_won(&self) -> bool {
        self.stock_len == 0 && self.columns().iter().all(|column| column.len == 0)
    }

    /// Puts other cards in the places of those face down and in the stock: the same position in
    /// another world. `cards` are the face-down cards, column by column from the base up, then
    /// waste and stock in the order of [`talon`](Self::talon). Missing ones leave places as they
    /// are.
    pub(crate) fn with_hidden<'a>(&self, cards: impl IntoIterator<Item = &'a Card>) -> CardTable {
        let mut table = *self;
        let mut cards = cards.into_iter();
        let columns = &mut table.columns[..usize::from(self.column_count)];
        let hidden = columns.iter_mut().flat_map(|column| {
            let down = usize::from(column.down);
            &mut column.cards[..down]
        });
        let talon = &mut table.stock[..usize::from(self.stock_len)];
        for (slot, &card) in hidden.chain(talon).zip(&mut cards) {
            *slot = card;
        }
        table
    }

    /// The top card of a suit's foundation.
    pub fn foundation_top(&self, suit: u8) -> Option<Card> {
        let height = *self.foundations.get(usize::from(suit))?;
        Card::new(height.checked_sub(1)?, suit)
    }

    /// Returns whether a card is the next of its foundation.
    #[inline]
    pub(crate) fn is_next(&self, card: Card) -> bool {
        self.foundations[usize::from(card.suit())] == card.rank()
    }

    /// The columns a card may be put on, by the rules of building: on a card one rank higher of the
    /// other colour, a king to an empty column.
    pub(crate) fn homes(&self, card: Card) -> impl Iterator<Item = u8> + '_ {
        let accepts = move |column: &TableauColumn| match column.top() {
            Some(top) => card.fits_on(top),
            None => card.rank() == self.king,
        };
        let columns = (0..).zip(self.columns());
        columns.filter_map(move |(i, column)| accepts(column).then_some(i))
    }

    /// The card a move takes, the highest of a run; `None` for moves of the stock and for moves
    /// that are not legal.
    pub fn moved_card(&self, play: Move) -> Option<Card> {
        let column = |from: u8| self.columns().get(usize::from(from));
        match play {
            Move::Draw | Move::Recycle => None,
            Move::WasteToFoundation | Move::WasteToColumn { .. } => self.waste().last().copied(),
            Move::ColumnToFoundation { from } => column(from)?.top(),
            Move::FoundationToColumn { suit, .. } => self.foundation_top(suit),
            Move::ColumnToColumn { from, count, .. } => {
                let cards = column(from)?.cards();
                cards
                    .get(cards.len().checked_sub(usize::from(count))?)
                    .copied()
            }
        }
    }

    /// The table after a legal move; anything may come of a move that is not.
    #[must_use]
    pub fn after(&self, play: Move) -> CardTable {
        let mut table = *self;
        table.play(play);
        table
    }

    /// Makes a legal move. A move that is not legal leaves a table that makes no sense, or none of
    /// its cards moved.
    pub fn play(&mut self, play: Move) {
        match play {
            Move::Draw => self.waste = (self.waste + self.rules.draw).min(self.stock_len),
            Move::Recycle => {
                self.waste = 0;
                self.pass += u8::from(self.rules.passes.is_some());
            }
            Move::ColumnToColumn { from, to, count } => self.move_run(from, to, count),
            _ => self.move_card(play),
        }
    }

    fn move_run(&mut self, from: u8, to: u8, count: u8) {
        let source = self.columns[usize::from(from)];
        let run = &source.cards()[usize::from(source.len - count)..];
        let target = &mut self.columns[usize::from(to)];
        run.iter().for_each(|&card| target.push(card));
        self.columns[usize::from(from)].shorten(count);
    }

    fn move_card(&mut self, play: Move) {
        let Some(card) = self.moved_card(play) else {
            return;
        };
        let height = &mut self.foundations[usize::from(card.suit())];
        match play {
            Move::WasteToFoundation | Move::ColumnToFoundation { .. } => *height += 1,
            Move::FoundationToColumn { .. } => *height -= 1,
            _ => (),
        }
        match play {
            Move::ColumnToFoundation { from } => self.columns[usize::from(from)].shorten(1),
            Move::WasteToFoundation | Move::WasteToColumn { .. } => self.remove_from_waste(),
            _ => (),
        }
        if let Move::WasteToColumn { to } | Move::FoundationToColumn { to, .. } = play {
            self.columns[usize::from(to)].push(card);
        }
    }

    fn remove_from_waste(&mut self) {
        let (top, end) = (usize::from(self.waste), usize::from(self.stock_len));
        self.stock.copy_within(top..end, top - 1);
        self.stock[end - 1] = Card::default();
        self.waste -= 1;
        self.stock_len -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::DeckShape;
    use super::*;
    use kit::rng::{Streams, choose};

    fn first(rules: Rules) -> CardTable {
        let deal = Deal::draw(DeckShape::FULL, &mut Streams::new(2).key("deal").stream(0));
        CardTable::new(&deal, rules)
    }

    /// Seed 8: 300 random games of 200 moves.
    #[test]
    fn random_games_keep_all_cards_and_every_run_in_order() {
        for index in 0..300 {
            let mut stream = Streams::new(8).key("play").stream(index);
            let deal = Deal::draw(DeckShape::FULL, &mut stream);
            let mut table = CardTable::new(&deal, Rules::VEGAS_3);
            for _ in 0..200 {
                let moves = table.moves();
                let Some(&play) = choose(&mut stream, &moves) else {
                    break;
                };
                table.play(play);
                assert_is_sound(&table);
            }
        }
    }

    fn assert_is_sound(table: &CardTable) {
        let mut cards: Vec<Card> = table.talon().to_vec();
        for column in table.columns() {
            cards.extend(column.cards());
            assert!(column.run().windows(2).all(|pair| pair[1].fits_on(pair[0])));
            assert_eq!(column.run().is_empty(), column.cards().is_empty());
        }
        for suit in 0..4 {
            let height = table.foundations()[usize::from(suit)];
            cards.extend((0..height).filter_map(|rank| Card::new(rank, suit)));
        }
        cards.sort();
        assert!(cards.into_iter().eq(DeckShape::FULL.cards()));
    }

    /// Seed 2: 24 cards make eight packets of three; three passes are two turns of the waste.
    #[test]
    fn the_stock_is_gone_through_as_often_as_the_rules_say() {
        let mut table = first(Rules::VEGAS_3);
        let mut stock_moves = String::new();
        while let Some(&play) = table.moves().last() {
            match play {
                Move::Draw => stock_moves.push('d'),
                Move::Recycle => stock_moves.push('r'),
                _ => break,
            }
            table.play(play);
        }
        let pass = "d".repeat(8);
        assert_eq!(stock_moves, format!("{pass}r{pass}r{pass}"));
    }

    /// Seed 2: taking the top of a packet makes the card below it the top.
    #[test]
    fn a_card_taken_from_the_waste_shifts_those_after_it() {
        let start = first(Rules::DRAW_3).after(Move::Draw).after(Move::Draw);
        let mut table = start;
        table.remove_from_waste();
        assert_eq!(table.waste(), &start.waste()[..5]);
        assert_eq!(table.stock(), start.stock());
        assert_eq!(table.cards(), 51);
    }

    /// Seed 2.
    #[test]
    fn hidden_cards_are_replaced_in_their_places_alone() {
        let table = first(Rules::VEGAS_1);
        let hidden: Vec<Card> = table
            .columns()
            .iter()
            .flat_map(|column| column.cards()[..column.face_down()].to_vec())
            .chain(table.talon().to_vec())
            .collect();
        assert_eq!(hidden.len(), 45);
        assert_eq!(table.with_hidden(&hidden), table);
        let reversed: Vec<Card> = hidden.iter().rev().copied().collect();
        let other = table.with_hidden(&reversed);
        assert_ne!(other, table);
        assert_eq!(other.with_hidden(&hidden), table);
        let tops = |table: &CardTable| {
            table
                .columns()
                .iter()
                .map(TableauColumn::top)
                .collect::<Vec<_>>()
        };
        assert_eq!(tops(&other), tops(&table));
    }
}
