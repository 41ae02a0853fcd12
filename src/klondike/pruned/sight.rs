//! What a person sees of a position, and the positions that would look the same.
//!
//! A card is seen once it lies face up; which cards have moved or are founded follows from that and
//! from the moves made. An observation has no slot for a card face down.

use super::super::card::{Card, CardSet};
use super::super::deal::Deal;
use super::super::layout::MAX_COLUMNS;
use super::board::{Board, State};

/// A position as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// The cards dealt to each column.
    sizes: [u8; MAX_COLUMNS],
    /// The card dealt at each place, `None` while it lies face down.
    dealt: [Option<Card>; 52],
    /// What play has changed, of the cards seen.
    play: State,
}

/// Where every card was dealt.
#[derive(Clone, Debug)]
pub struct World {
    pub(super) board: Board,
    sizes: [u8; MAX_COLUMNS],
}

/// What play changes.
#[derive(Clone, Debug)]
pub struct Play(pub(super) State);

/// What a move gains at once, as far as is seen: the card it turns is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gain {
    /// Cards on the foundations after it.
    pub founded: u8,
    /// Whether it turns a card.
    pub turns: bool,
}

impl Observation {
    /// The cards dealt that nobody has seen.
    pub fn unseen(&self) -> CardSet {
        CardSet::DECK - self.play.face_up - self.play.founded
    }

    /// The world in which the unseen cards, sorted, lie on the hidden places in this order, and the
    /// position reached in it.
    pub fn world(&self, order: &[u8]) -> (World, Play) {
        let unseen: Vec<Card> = self.unseen().collect();
        let mut hidden = order
            .iter()
            .filter_map(|&card| unseen.get(usize::from(card)));
        let card = |seen: &Option<Card>| seen.or_else(|| hidden.next().copied());
        let cards: Vec<Card> = self.dealt.iter().filter_map(card).collect();
        let world = World {
            board: Board::of_columns(&self.sizes, &cards),
            sizes: self.sizes,
        };
        let mut state = self.play;
        for card in unseen {
            if world.board.is_blocked(card, &state) {
                state.blocked.insert(card);
            }
        }
        (world, Play(state))
    }
}

impl World {
    /// A deal and the position before the first move, the foundations built.
    pub fn of(deal: &Deal) -> (World, Play) {
        let (board, mut state) = Board::new(deal);
        board.settle(&mut state);
        let mut sizes = [0; MAX_COLUMNS];
        for (size, (_, cards)) in sizes.iter_mut().zip(deal.columns()) {
            *size = cards.len() as u8;
        }
        (World { board, sizes }, Play(state))
    }

    /// What is seen of a position.
    pub fn observe(&self, play: &Play) -> Observation {
        let state = &play.0;
        let places: u8 = self.sizes.iter().sum();
        let mut dealt = [None; 52];
        for (slot, &number) in dealt
            .iter_mut()
            .zip(&self.board.dealt[..usize::from(places)])
        {
            *slot = Card::from_number(number).filter(|&card| state.face_up.contains(card));
        }
        Observation {
            sizes: self.sizes,
            dealt,
            play: State {
                blocked: state.blocked & state.face_up,
                ..*state
            },
        }
    }

    /// The legal moves.
    pub fn moves(&self, play: &Play) -> CardSet {
        self.board.legal_moves(&play.0)
    }

    /// Plays a legal move and builds the foundations.
    pub fn play(&self, play: &mut Play, card: Card) {
        self.board.play(&mut play.0, card);
    }

    /// What a legal move gains as far as is seen.
    pub fn gain(&self, play: &Play, card: Card) -> Gain {
        let seen = play.0.face_up;
        let mut next = play.0;
        next.moved.insert(card);
        self.board.lift(&mut next, card);
        self.board.settle_among(&mut next, seen);
        Gain {
            founded: next.founded.len() as u8,
            turns: next.face_up != seen,
        }
    }
}

impl Play {
    /// The cards on the foundations.
    pub fn founded(&self) -> CardSet {
        self.0.founded
    }
}

impl Board {
    /// The board of cards dealt in order to columns of these sizes.
    fn of_columns(sizes: &[u8], cards: &[Card]) -> Board {
        let mut board = Board::empty();
        // What it says of a position before the first move is not needed.
        let mut state = State::nothing();
        let mut rest = cards;
        for &size in sizes {
            let (column, others) = rest.split_at(usize::from(size).min(rest.len()));
            board.deal_column(column, cards.len() - rest.len(), &mut state);
            rest = others;
        }
        board
    }

    /// Whether a card's target lies in its own pile.
    fn is_blocked(&self, card: Card, state: &State) -> bool {
        let target = card.higher();
        target.is_some_and(|target| self.pile(card, state).contains(target))
    }
}
