//! The plays worth a thought, the best first as a quick player judges: what `greedy` plays, and
//! what players that look ahead choose from.
//!
//! Every play has a value, drawing has 0, and the largest is played. No play can be taken back by
//! another, so a round ends. Cards are not taken back from the foundations. Depends on what is seen
//! alone: face-down cards are counted and not looked at. `habits` says what plays are worth.

use super::card::Card;
use super::habits::Habits;
use super::quick::{COLUMNS, Quick};
use super::round::{Play, Round};
use super::table::Move;

/// Returns all plays that are worth considering, the best first.
pub(crate) fn plays(round: &Round) -> Vec<Play> {
    let mut options = Options::default();
    RoundView::new(&Quick::from(round)).list(&mut options);
    let mut list = options.list[..options.count].to_vec();
    // Stable: of equals the one listed first.
    list.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
    list.into_iter().map(|(_, play)| play).collect()
}

/// The first of [`plays`].
pub(crate) fn first(round: &Round) -> Option<Play> {
    best(&Quick::from(round), &mut Options::default())
}

/// The score of a round that is played on to its end.
pub fn play_out(mut quick: Quick) -> u8 {
    let mut options = Options::default();
    while let Some(play) = best(&quick, &mut options) {
        quick.play(play);
    }
    quick.score()
}

#[inline]
fn best(quick: &Quick, options: &mut Options) -> Option<Play> {
    RoundView::new(quick).list(options);
    let list = options.list[..options.count].iter();
    let best = list.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|&(_, play)| play)
}

/// The most plays of a round: more than can come together.
const MOST: usize = 96;

/// Plays with their values.
struct Options {
    list: [(i32, Play); MOST],
    count: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            list: [(0, Play::DRAW); MOST],
            count: 0,
        }
    }
}

impl Options {
    #[inline]
    fn add(&mut self, value: i32, play: Play) {
        if let Some(slot) = self.list.get_mut(self.count) {
            *slot = (value, play);
            self.count += 1;
        }
    }
}

/// The class of an empty column's missing card.
const NONE: u8 = 255;

/// A round with what is looked at often.
struct RoundView<'a> {
    quick: &'a Quick,
    habits: &'static Habits,
    /// The classes of the columns' last cards.
    tops: [u8; COLUMNS],
    /// The classes of the cards that lie on top of face-down cards.
    bases: [u8; COLUMNS],
    /// The first empty column.
    empty: Option<u8>,
}

impl<'a> RoundView<'a> {
    #[inline]
    fn new(quick: &'a Quick) -> Self {
        let (mut tops, mut bases, mut empty) = ([NONE; COLUMNS], [NONE; COLUMNS], None);
        for column in (0..quick.columns()).rev() {
            match quick.run(column) {
                [] => empty = Some(column as u8),
                [base, .., top] => {
                    tops[column] = top.class();
                    bases[column] = base.class();
                }
                [only] => {
                    tops[column] = only.class();
                    bases[column] = only.class();
                }
            }
            if quick.depth(column) == 0 {
                bases[column] = NONE;
            }
        }
        Self {
            quick,
            habits: Habits::of(quick.is_single_pass()),
            tops,
            bases,
            empty,
        }
    }

    /// Lists the plays; one that can do no harm makes all others needless.
    #[inline]
    fn list(&self, options: &mut Options) {
        options.count = 0;
        if let Some(from) = (0..self.quick.columns()).find(|&from| self.is_harmless(from)) {
            let from = from as u8;
            return options.add(0, Play::of(Move::ColumnToFoundation { from }));
        }
        for column in 0..self.quick.columns() {
            self.found(column, options);
            self.move_run(column, options);
            self.bare(column, options);
        }
        if let Some(index) = self.quick.waste().checked_sub(1) {
            self.use_waste(self.quick.talon()[usize::from(index)], 0, 0, options);
        }
        self.use_stock(options);
    }

    /// Returns whether a column's last card can go to its foundation and nothing needs it in a
    /// column any more.
    fn is_harmless(&self, column: usize) -> bool {
        let top = self.quick.run(column).last();
        top.is_some_and(|&card| self.quick.is_next(card) && self.is_safe(card))
    }

    /// Returns whether no card that could lie on this one in a column is still needed there.
    fn is_safe(&self, card: Card) -> bool {
        let heights = self.quick.heights();
        let other = if card.is_red() { [2, 3] } else { [0, 1] };
        other.iter().all(|&suit| heights[suit] + 1 >= card.rank())
    }

    /// Returns whether a card that lies on top of face-down cards could go on this one.
    fn has_child(&self, card: Card) -> bool {
        let class = (card.class() ^ 1).wrapping_sub(2);
        self.bases.contains(&class)
    }

    /// A column's last card to its foundation.
    fn found(&self, column: usize, options: &mut Options) {
        let run = self.quick.run(column);
        let Some(&card) = run.last().filter(|&&card| self.quick.is_next(card)) else {
            return;
        };
        let habits = self.habits;
        let mut value = habits.found[usize::from(card.rank())];
        value += match (run.len(), self.quick.depth(column)) {
            (1, 0) => habits.found_empties,
            (1, depth) => habits.found_reveals + habits.found_depth * i32::from(depth),
            _ => 0,
        };
        value += habits.found_needed * i32::from(self.has_child(card));
        let from = column as u8;
        options.add(value, Play::of(Move::ColumnToFoundation { from }));
    }

    /// A column's whole face-up run to another column.
    fn move_run(&self, column: usize, options: &mut Options) {
        let run = self.quick.run(column);
        let Some(&base) = run.first() else {
            return;
        };
        let value = match self.quick.depth(column) {
            0 if base.rank() == self.quick.king() => None,
            0 => self.clearing(),
            depth => Some(self.reveal(base, depth)),
        };
        if let Some(value) = value {
            let (from, count) = (column as u8, run.len() as u8);
            self.each_home(base, |to| {
                options.add(value, Play::of(Move::ColumnToColumn { from, to, count }));
            });
        }
    }

    /// The value of uncovering a card.
    fn reveal(&self, base: Card, depth: u8) -> i32 {
        let habits = self.habits;
        let mut value = habits.reveal + habits.reveal_depth * i32::from(depth);
        value += habits.reveal_last * i32::from(depth == 1);
        if base.rank() == self.quick.king() {
            value += habits.king_with_child * i32::from(self.has_child(base));
        }
        value
    }

    /// The value of emptying a column, where a king waits for the room.
    fn clearing(&self) -> Option<i32> {
        let habits = self.habits;
        let king = self.quick.king();
        let is_king = |&card: &Card| card.rank() == king;
        let talon = self.quick.talon();
        let last = usize::from(self.quick.waste()).checked_sub(1);
        match self.empty {
            Some(_) => None,
            None if self.bases.contains(&(2 * king)) || self.bases.contains(&(2 * king + 1)) => {
                Some(habits.clear_for_column)
            }
            None if last.is_some_and(|last| is_king(&talon[last])) => Some(habits.clear_for_waste),
            None => (self.quick.is_stock_known() && talon.iter().any(is_king))
                .then_some(habits.clear_for_stock),
        }
    }

    /// A part of a run elsewhere, so that the card under it can go to its foundation.
    fn bare(&self, column: usize, options: &mut Options) {
        let run = self.quick.run(column);
        for (index, pair) in run.windows(2).enumerate() {
            if !self.quick.is_next(pair[0]) {
                continue;
            }
            let class = pair[1].parent_class();
            let places = 0..self.quick.columns();
            let home = places
                .filter(|&to| to != column)
                .find(|&to| self.tops[to] == class);
            if let Some(to) = home {
                let (from, to, count) = (column as u8, to as u8, (run.len() - 1 - index) as u8);
                let lift = Move::ColumnToColumn { from, to, count };
                let play = Play::pair(lift, Move::ColumnToFoundation { from });
                options.add(self.habits.bare, play);
            }
        }
    }

    /// Calls `told` with each column to which a card may go: columns by the rules of building; of
    /// empty ones the first will do.
    #[inline]
    fn each_home(&self, card: Card, mut told: impl FnMut(u8)) {
        if card.rank() == self.quick.king() {
            if let Some(empty) = self.empty {
                told(empty);
            }
            return;
        }
        let class = card.parent_class();
        let places = (0..).zip(self.tops);
        let homes = places.filter(|&(_, top)| top == class);
        homes.for_each(|(place, _)| told(place));
    }

    /// The plays of the card that lies on the waste after so many moves of the stock.
    fn use_waste(&self, card: Card, draws: u8, price: i32, options: &mut Options) {
        let habits = self.habits;
        if self.quick.is_next(card) {
            let mut value = habits.waste_found - price;
            value += habits.waste_found_safe * i32::from(self.is_safe(card));
            value += habits.waste_found_later * i32::from(draws > 0);
            options.add(value, Play::after(draws, Move::WasteToFoundation));
        }
        let class = card.parent_class();
        let homes = self.tops.iter().filter(|&&top| top == class).count();
        let mut value = habits.place[usize::from(card.rank())] - price;
        value += habits.place_of_two * i32::from(homes > 1);
        self.each_home(card, |to| {
            options.add(value, Play::after(draws, Move::WasteToColumn { to }));
        });
    }

    /// The next cards of a stock not yet known; of a known one each card that can be reached and
    /// played.
    fn use_stock(&self, options: &mut Options) {
        let quick = self.quick;
        let talon = quick.talon();
        let len = talon.len() as u8;
        if !quick.is_stock_known() {
            if quick.waste() < len {
                options.add(0, Play::DRAW);
            }
            return;
        }
        let (mut waste, mut turned) = (quick.waste(), false);
        let mut met = 1_u32 | 1 << waste;
        for draws in 1.. {
            if waste == len {
                if turned || len == 0 || !quick.may_turn() {
                    return;
                }
                (waste, turned) = (0, true);
                continue;
            }
            waste = (waste + quick.draw()).min(len);
            if met >> waste & 1 == 0 {
                met |= 1 << waste;
                let card = talon[usize::from(waste) - 1];
                self.use_waste(card, draws, self.habits.price(draws, turned), options);
            }
        }
    }
}
