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
            if self.lands_on_itself(card, state, state.starts) {
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

    /// Whether the target of `card` lies in the own pile of the card, found by walking down the
    /// column of the target, segment by segment.
    ///
    /// `starts` holds the starts of segments, at least those of `state`; of a segment that starts
    /// in `starts` alone it is not known where it lies, and the walk ends.
    #[inline]
    pub fn lands_on_itself(&self, card: Card, state: &State, starts: u64) -> bool {
        let own = self.place_bit(card);
        let mut target = card.higher();
        while let Some(top) = target {
            let segment = self.segment(top, starts);
            if segment.places & own != 0 {
                return true;
            }
            target = self.support(segment.root, state);
        }
        false
    }

    /// Whether the target of `card` could ever come to lie upon `card` if the card stayed: along
    /// cards as they lie, and from cards whose places are in `restless` also to their targets.
    #[inline]
    pub fn may_land_on_itself(&self, card: Card, state: &State, restless: u64) -> bool {
        let own = self.place_bit(card);
        let mut seen = 0;
        let mut tops = card.higher().map_or(CardSet::EMPTY, CardSet::of);
        while let Some(top) = tops.pop() {
            let segment = self.segment(top, state.starts);
            if segment.places & own != 0 {
                return true;
            }
            let movers = Places(segment.places & restless & !seen);
            seen |= segment.places;
            let targets = movers.filter_map(|place| self.dealt[place % 52].higher());
            for target in targets.chain(self.support(segment.root, state)) {
                if seen & self.place_bit(target) == 0 {
                    tops.insert(target);
                }
            }
        }
        false
    }

    /// The segment below and including `top`.
    #[inline]
    fn segment(&self, top: Card, starts: u64) -> Segment {
        let up_to = u64::MAX >> (63 - self.place[top.index()] % 64);
        let start = 63 - (starts & up_to).leading_zeros();
        Segment {
            places: up_to & (u64::MAX << start),
            root: self.dealt[start as usize % 52],
        }
    }

    /// The card that the first card of a segment lies on.
    #[inline]
    fn support(&self, root: Card, state: &State) -> Option<Card> {
        if state.moved.contains(root) {
            root.higher()
        } else {
            None
        }
    }
}

/// A run of cards lying as dealt.
struct Segment {
    places: u64,
    root: Card,
}

/// The places of a word's bits, in order.
struct Places(u64);

impl Iterator for Places {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let place = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (place < 64).then_some(place)
    }
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
