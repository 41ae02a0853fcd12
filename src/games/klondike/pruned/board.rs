//! A deal as bit sets: the state of a game in six words, moves of all suits found by one shift.
//!
//! With building in suit a card can land on one card only, and it leaves that card only for the
//! foundation. So no card moves twice in a game, and the set of moved cards together with the
//! foundations *is* the position; columns, their order and the order of moves follow from it.

use super::super::card::{Card, CardSet, SLOTS};
use super::super::deal::Deal;

/// What stays the same during a game: where each card was dealt.
///
/// A card's *place* is its number in dealing order, 0 to 51, so a column is a range of places.
#[derive(Clone, Debug)]
pub(super) struct Board {
    place: [u8; SLOTS],
    dealt: [Card; 52],
    beneath: [CardSet; SLOTS],
    heads: CardSet,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// Cards that have moved, wherever they are now.
    pub moved: CardSet,
    /// Cards on the foundations.
    pub founded: CardSet,
    /// Cards from which all that was dealt upon them has gone.
    pub clear: CardSet,
    /// Cards that are, or were before they left, face up.
    pub face_up: CardSet,
    /// Places where a segment starts: a run of cards lying as dealt, from a column's head or a
    /// moved card up to the next moved card.
    pub starts: u64,
    /// Empty columns.
    pub empty: u8,
}

impl Board {
    /// The board of a deal and the position before anything is played.
    pub fn new(deal: &Deal) -> (Board, State) {
        let mut board = Board {
            place: [0; SLOTS],
            dealt: *deal.cards(),
            beneath: [CardSet::EMPTY; SLOTS],
            heads: CardSet::EMPTY,
        };
        let mut state = State::nothing();
        let mut place = 0;
        for (shape, cards) in deal.columns() {
            board.deal_column(cards, &mut place);
            for &card in &cards[usize::from(shape.down).min(cards.len())..] {
                state.face_up.insert(card);
            }
            match (cards.first(), cards.last()) {
                (Some(&head), Some(&last)) => {
                    state.starts |= 1 << board.place[head.index()];
                    state.clear.insert(last);
                }
                _ => state.empty += 1,
            }
        }
        (board, state)
    }

    fn deal_column(&mut self, cards: &[Card], place: &mut u8) {
        let mut beneath = CardSet::EMPTY;
        for &card in cards {
            self.place[card.index()] = *place;
            self.beneath[card.index()] = beneath;
            beneath = CardSet::of(card);
            *place += 1;
        }
        self.heads = cards
            .first()
            .map_or(self.heads, |&head| self.heads | CardSet::of(head));
    }

    /// The place of a card as a bit.
    #[inline]
    pub fn place_bit(&self, card: Card) -> u64 {
        1 << self.place[card.index()]
    }

    /// The moves that are legal but for landing on the own pile, of cards not `gone`: a card face
    /// up whose target is the last of a column, and with an empty column any king that heads none.
    #[inline]
    pub fn candidates(&self, state: &State, gone: CardSet) -> CardSet {
        let room = if state.empty > 0 {
            CardSet::KINGS
        } else {
            CardSet::EMPTY
        };
        let targeted = state.clear.one_lower() | (room - self.heads);
        (targeted & state.face_up) - gone
    }

    /// The legal moves.
    #[inline]
    pub fn legal_moves(&self, state: &State) -> CardSet {
        let mut legal = self.candidates(state, state.moved | state.founded);
        for card in legal {
            if self.walk(card, state, state.starts, 0) == Landing::OwnPile {
                legal.remove(card);
            }
        }
        legal
    }

    /// Plays a legal move and builds the foundations.
    #[inline]
    pub fn play(&self, state: &mut State, card: Card) {
        state.moved.insert(card);
        state.starts |= self.place_bit(card);
        self.lift(state, card);
        state.empty -= u8::from(card.is_king());
        self.settle(state);
    }

    /// Builds the foundations as high as they go.
    #[inline]
    pub fn settle(&self, state: &mut State) {
        loop {
            let next = state.founded.next_on_foundations() & state.clear;
            if next.is_empty() {
                return;
            }
            state.founded = state.founded | next;
            for card in next {
                if !state.moved.contains(card) {
                    self.lift(state, card);
                } else if card.is_king() {
                    state.empty += 1;
                }
            }
        }
    }

    /// A card leaves the card it was dealt on, or its column if it was the head.
    #[inline]
    pub fn lift(&self, state: &mut State, card: Card) {
        let uncovered = self.beneath[card.index()];
        state.clear = state.clear | uncovered;
        state.face_up = state.face_up | uncovered;
        state.empty += u8::from(uncovered.is_empty());
    }

    /// What `card` would land on, found by walking down the column of its target, segment by
    /// segment. `starts` holds the starts of segments, at least those of `state`; a segment that
    /// starts in `starts` alone lies nobody knows where. `restless` holds places of cards that
    /// may still move.
    #[inline]
    pub fn walk(&self, card: Card, state: &State, starts: u64, restless: u64) -> Landing {
        let own = self.place_bit(card);
        let mut found = Landing::Settled;
        let mut target = card.higher();
        while let Some(top) = target {
            let place = self.place[top.index()] % 64;
            let up_to = u64::MAX >> (63 - place);
            let start = 63 - (starts & up_to).leading_zeros();
            let segment = up_to & (u64::MAX << start);
            if segment & own != 0 {
                return Landing::OwnPile;
            }
            if segment & restless != 0 {
                found = Landing::Restless;
            }
            let root = self.dealt[start as usize % 52];
            target = if state.moved.contains(root) {
                root.higher()
            } else {
                None
            };
        }
        found
    }
}

/// What a card would land on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Landing {
    /// On cards that will all stay where they are, or in an empty column.
    Settled,
    /// On some card that may still move.
    Restless,
    /// On its own pile: no move.
    OwnPile,
}

impl State {
    fn nothing() -> State {
        State {
            moved: CardSet::EMPTY,
            founded: CardSet::EMPTY,
            clear: CardSet::EMPTY,
            face_up: CardSet::EMPTY,
            starts: 0,
            empty: 0,
        }
    }

    /// A word that differs between any two positions of one deal: in each suit's sixteen bits, the
    /// top of the foundation as the lowest bit set, and above it the cards that have moved.
    #[inline]
    pub fn key(&self) -> u64 {
        (self.moved - self.founded).bits() | self.founded.foundation_marks()
    }
}
