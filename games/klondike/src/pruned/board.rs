//! A deal as bit sets: the state of a game in seven words, moves of all suits found by one shift.
//!
//! With building in suit a card can land on one card only, and it leaves that card only for the
//! foundation. So no card moves twice in a game, and the set of moved cards together with the
//! foundations *is* the position; columns, their order and the order of moves follow from it.

use super::super::card::{Card, CardSet, SLOTS};
use super::super::deal::Deal;

/// The constants of a game: the place where each card was dealt.
///
/// A card's *place* is its number in dealing order, 0 to 51, so a column is a range of places.
#[derive(Clone, Debug)]
pub(super) struct DealtCards {
    /// The place of each card.
    pub(super) place: [u8; SLOTS],
    /// The number of the card dealt at each place.
    pub(super) dealt: [u8; SLOTS],
    /// The cards of a column from each place on; nothing past the last place.
    pub(super) upward: [CardSet; SLOTS],
    /// The card dealt under each card.
    pub(super) beneath: [CardSet; SLOTS],
    /// The first card of each column.
    pub(super) heads: CardSet,
    /// The number of cards on the foundations before the game, which a small deck lacks.
    pub(super) missing: u32,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PrunedPosition {
    /// Cards that have moved, wherever they are now.
    pub(crate) moved: CardSet,
    /// Cards on the foundations.
    pub(crate) founded: CardSet,
    /// Cards from which all that was dealt on them has gone.
    pub(crate) clear: CardSet,
    /// Cards that are, or were before they left, face up.
    pub(crate) face_up: CardSet,
    /// Cards whose target lies in their own pile.
    pub(crate) blocked: CardSet,
    /// The places of heads and of cards that have left theirs, and the place past the last: a
    /// segment, cards lying as they were dealt, ends before each.
    pub(crate) breaks: u64,
    /// Empty columns.
    pub(crate) empty: u8,
}

impl DealtCards {
    /// The board of a deal and the position before anything is played.
    pub(crate) fn new(deal: &Deal) -> (DealtCards, PrunedPosition) {
        let missing = deal.layout().deck().missing();
        let mut board = DealtCards::empty(missing.len());
        let mut state = PrunedPosition::nothing(deal.founded());
        let mut place = 0;
        for (shape, cards) in deal.columns() {
            board.deal_column(cards, place, &mut state);
            place += cards.len();
            for &card in &cards[usize::from(shape.down).min(cards.len())..] {
                state.face_up.insert(card);
            }
        }
        state.breaks |= 1 << place;
        (board, state)
    }

    /// Returns a board without cards, for a deck that lacks a number of cards.
    pub(super) fn empty(missing: u32) -> DealtCards {
        DealtCards {
            place: [0; SLOTS],
            dealt: [0; SLOTS],
            upward: [CardSet::EMPTY; SLOTS],
            beneath: [CardSet::EMPTY; SLOTS],
            heads: CardSet::EMPTY,
            missing,
        }
    }

    /// Deals a column whose head comes to `start`.
    pub(super) fn deal_column(&mut self, cards: &[Card], start: usize, state: &mut PrunedPosition) {
        let (Some(&head), Some(&last)) = (cards.first(), cards.last()) else {
            state.empty += 1;
            return;
        };
        let (mut upward, mut above) = (CardSet::EMPTY, last);
        for (offset, &card) in cards.iter().enumerate().rev() {
            let place = start + offset;
            self.place[card.index()] = place as u8;
            self.dealt[place % SLOTS] = card.number();
            if !upward.is_empty() {
                self.beneath[above.index()] = CardSet::of(card);
            }
            state.blocked = state.blocked | (upward.one_lower() & CardSet::of(card));
            upward.insert(card);
            self.upward[place % SLOTS] = upward;
            above = card;
        }
        self.heads.insert(head);
        state.breaks |= self.place_bit(head);
        state.clear.insert(last);
    }

    /// Puts other cards into the places of those that are not `face_up`, in the order of places.
    pub(crate) fn redeal(&mut self, face_up: CardSet, cards: &[Card]) {
        let heads = self.heads;
        self.heads = heads & face_up;
        let mut cards = cards.iter().rev();
        for place in (0..52).rev() {
            let old = Card::from_number(self.dealt[place]).filter(|&card| !face_up.contains(card));
            let Some((old, &new)) = old.and_then(|old| Some((old, cards.next()?))) else {
                continue;
            };
            self.replace(place, new);
            if heads.contains(old) {
                self.heads.insert(new);
                self.beneath[new.index()] = CardSet::EMPTY;
            }
        }
    }

    /// Deals a card to a place under cards that are in theirs.
    fn replace(&mut self, place: usize, card: Card) {
        self.place[card.index()] = place as u8;
        self.dealt[place] = card.number();
        self.upward[place] = self.upward[place + 1] | CardSet::of(card);
        if let Some(above) = Card::from_number(self.dealt[place + 1]) {
            self.beneath[above.index()] = CardSet::of(card);
        }
    }

    /// The place of a card as a bit.
    #[inline]
    fn place_bit(&self, card: Card) -> u64 {
        1 << self.place[card.index()]
    }

    /// The moves that are legal but for landing on the own pile, of cards not `gone`: a card face
    /// up whose target is the last of a column, and with an empty column any king that heads none.
    #[inline]
    pub(crate) fn candidates(&self, state: &PrunedPosition, gone: CardSet) -> CardSet {
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
    pub(crate) fn legal_moves(&self, state: &PrunedPosition) -> CardSet {
        self.candidates(state, state.moved | state.founded) - state.blocked
    }

    /// Plays a legal move and builds the foundations.
    #[inline]
    pub(crate) fn play(&self, state: &mut PrunedPosition, card: Card) {
        self.relocate(state, card);
        self.settle(state);
    }

    /// Moves a card with all on it, and builds nothing.
    #[inline]
    pub(crate) fn relocate(&self, state: &mut PrunedPosition, card: Card) {
        state.blocked = self.blocked_after(card, state);
        state.moved.insert(card);
        self.lift(state, card);
        state.empty -= u8::from(card.is_king());
    }

    /// The cards whose target lies in their own pile once `card` has moved. Only targets that move
    /// with it change what they lie on.
    #[inline]
    fn blocked_after(&self, card: Card, state: &PrunedPosition) -> CardSet {
        let pile = self.pile(card, state);
        let under = card
            .higher()
            .map_or(CardSet::EMPTY, |target| self.chain(target, state));
        let concerned = pile.one_lower();
        (state.blocked - (concerned - pile)) | (concerned & under)
    }

    /// Builds the foundations as high as they go.
    #[inline]
    pub(crate) fn settle(&self, state: &mut PrunedPosition) {
        self.settle_among(state, CardSet::DECK);
    }

    /// Builds the foundations as high as they go with cards of a set.
    #[inline]
    pub(crate) fn settle_among(&self, state: &mut PrunedPosition, cards: CardSet) {
        loop {
            let built = state.founded.built_with(state.clear & cards);
            let next = built - state.founded;
            if next.is_empty() {
                return;
            }
            state.founded = built;
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
    pub(crate) fn lift(&self, state: &mut PrunedPosition, card: Card) {
        let uncovered = self.beneath[card.index()];
        state.breaks |= self.place_bit(card);
        state.clear = state.clear | uncovered;
        state.face_up = state.face_up | uncovered;
        state.empty += u8::from(uncovered.is_empty());
    }
}

impl PrunedPosition {
    /// The position before any card is dealt, with these on the foundations.
    pub(super) fn nothing(founded: CardSet) -> PrunedPosition {
        PrunedPosition {
            moved: CardSet::EMPTY,
            founded,
            clear: CardSet::EMPTY,
            face_up: founded,
            blocked: CardSet::EMPTY,
            breaks: 0,
            empty: 0,
        }
    }

    /// A word that differs between any two positions of one deal: in each suit's sixteen bits, the
    /// top of the foundation as the lowest bit set, and above it the cards that have moved.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.built().bits() | self.founded.foundation_marks()
    }

    /// The cards that lie on their targets, or as kings in columns that were empty.
    #[inline]
    pub(crate) fn built(&self) -> CardSet {
        self.moved - self.founded
    }
}
