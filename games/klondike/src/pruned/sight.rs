//! The observation of a person: the cards seen of a game, and the worlds that look the same.
//!
//! A card is seen once it lies face up. An observation has no field for a face-down card, so a
//! player that receives one cannot peek. Cards that were moved or played to a foundation have
//! always been seen.

use super::super::card::{Card, CardSet};
use super::super::layout::MAX_COLUMNS;
use super::board::{DealtCards, PrunedPosition};
use super::relax::Future;
use super::world::World;

/// A game in progress as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// The cards dealt to each column that was dealt any; 0 after the last.
    sizes: [u8; MAX_COLUMNS],
    /// The card dealt at each place, `None` while it lies face down.
    dealt: [Option<Card>; 52],
    /// The cards that the deck lacks.
    missing: u32,
    /// The changes by play, of the cards seen.
    state: PrunedPosition,
}

/// The gain of a move at once, as far as it is seen: the card that the move turns is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Gain {
    /// Cards on the foundations after it.
    pub(crate) founded: u8,
    /// True if it turns a card.
    pub(crate) turns: bool,
}

impl Observation {
    /// The cards that nobody has seen.
    pub(crate) fn unseen(&self) -> CardSet {
        CardSet::DECK - self.state.face_up
    }

    /// The world in which the unseen cards lie on the hidden places in order of suit and rank:
    /// what is seen, and no more.
    pub fn canonical(&self) -> World {
        let mut unseen = self.unseen();
        let places = self.sizes.iter().map(|&size| usize::from(size)).sum();
        let dealt = self.dealt[..places].iter();
        let cards: Vec<Card> = dealt
            .filter_map(|seen| seen.or_else(|| unseen.pop()))
            .collect();
        let mut world = World {
            board: DealtCards::of_columns(&self.sizes, &cards, self.missing),
            state: self.state,
        };
        world.block_hidden();
        world
    }
}

impl World {
    /// Returns the observation of the game.
    pub(crate) fn observe(&self) -> Observation {
        let state = &self.state;
        let mut dealt = [None; 52];
        for (slot, &number) in dealt.iter_mut().zip(&self.board.dealt) {
            *slot = Card::from_number(number).filter(|&card| state.face_up.contains(card));
        }
        Observation {
            sizes: self.board.sizes(),
            dealt,
            missing: self.board.missing,
            state: PrunedPosition {
                blocked: state.blocked & state.face_up,
                ..*state
            },
        }
    }

    /// Returns the gain of a legal move, as far as it is seen.
    pub(crate) fn gain(&self, card: Card) -> Gain {
        let seen = self.state.face_up;
        let mut next = self.state;
        next.moved.insert(card);
        self.board.lift(&mut next, card);
        self.board.settle_among(&mut next, seen);
        Gain {
            founded: next.founded.len() as u8,
            turns: next.face_up != seen,
        }
    }

    /// A quick upper bound on the score that can be reached.
    pub(crate) fn bound(&self) -> u8 {
        let future = Future::of(&self.board, &self.state, CardSet::EMPTY);
        future.bound - self.board.missing as u8
    }
}

impl DealtCards {
    /// The board of cards dealt in order to columns of these sizes.
    fn of_columns(sizes: &[u8], cards: &[Card], missing: u32) -> DealtCards {
        let mut board = DealtCards::empty(missing);
        // The state before the first move is not needed.
        let mut state = PrunedPosition::nothing(CardSet::EMPTY);
        let mut rest = cards;
        for &size in sizes.iter().filter(|&&size| size > 0) {
            let (column, others) = rest.split_at(usize::from(size).min(rest.len()));
            board.deal_column(column, cards.len() - rest.len(), &mut state);
            rest = others;
        }
        board
    }

    /// The cards dealt to each column that was dealt any; 0 after the last.
    fn sizes(&self) -> [u8; MAX_COLUMNS] {
        let mut sizes = [0; MAX_COLUMNS];
        let mut head = 0;
        for size in &mut sizes {
            // From its head on, a column's cards.
            *size = self.upward[head].len() as u8;
            head += usize::from(*size);
        }
        sizes
    }
}
