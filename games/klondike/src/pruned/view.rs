//! A game as its player sees it: turning a card is a separate step, and may show any unseen card.
//!
//! Inside is a [`World`] in which the unseen cards lie in some order. Only [`View::world`] depends
//! on that order.

use super::super::card::{Card, CardSet};
use super::super::deal::Deal;
use super::world::World;

/// A position as seen, with the foundations built as high as the cards seen allow.
///
/// Places from which all that covered them is gone, and whose cards nobody has looked at, wait to
/// be turned: moves are made only when none does.
#[derive(Clone, Debug)]
pub(crate) struct View {
    world: World,
    seen: CardSet,
}

impl View {
    /// Returns the view after the deal.
    pub(crate) fn new(deal: &Deal) -> View {
        let world = World::unsettled(deal);
        let seen = world.state.face_up;
        let mut view = View { world, seen };
        view.settle();
        view
    }

    /// Returns one of the worlds that look like this view. Its face-down cards are [`View::unseen`] if none waits.
    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// The legal moves, where no card waits to be turned.
    pub(crate) fn moves(&self) -> CardSet {
        self.world.moves()
    }

    /// The cards not seen yet.
    pub(crate) fn unseen(&self) -> CardSet {
        CardSet::DECK - self.seen
    }

    /// The number of the deck's cards on the foundations.
    pub(crate) fn score(&self) -> u8 {
        self.world.score()
    }

    /// Plays one of [`View::moves`] and builds the foundations with cards seen.
    pub(crate) fn play(&mut self, card: Card) {
        self.world.board.relocate(&mut self.world.state, card);
        self.settle();
    }

    fn settle(&mut self) {
        let World { board, state } = &mut self.world;
        board.settle_among(state, self.seen);
    }

    /// Returns whether a card waits to be turned.
    pub(crate) fn waits(&self) -> bool {
        !(self.world.state.clear - self.seen).is_empty()
    }

    /// Turns the first card that waits, which shows `card`, one not yet seen; builds the
    /// foundations.
    pub(crate) fn turn(&mut self, card: Card) {
        let Some(guess) = (self.world.state.clear - self.seen).pop() else {
            return;
        };
        let exchanged = |other: Card| match other {
            other if other == guess => card,
            other if other == card => guess,
            other => other,
        };
        let unseen = self.unseen();
        let cards: Vec<Card> = self.world.in_order(unseen).map(exchanged).collect();
        let World { board, state } = &mut self.world;
        board.redeal(self.seen, &cards);
        for set in [&mut state.clear, &mut state.face_up] {
            *set = set.map(exchanged).collect();
        }
        state.blocked.remove(card);
        self.seen.insert(card);
        self.settle();
    }

    /// The columns with a card in any order: the number of cards not seen in each, and the cards
    /// on them.
    pub(crate) fn columns(&self) -> impl Iterator<Item = (usize, Vec<Card>)> {
        let World { board, state } = &self.world;
        let bottoms = (board.heads - state.moved) | (state.moved & CardSet::KINGS);
        (bottoms - state.founded).map(|bottom| {
            let column = board.column(bottom, state);
            let seen = column.iter().filter(|&&card| self.seen.contains(card));
            let seen: Vec<Card> = seen.copied().collect();
            (column.len() - seen.len(), seen)
        })
    }
}
