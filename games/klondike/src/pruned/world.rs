//! A game in progress with every card known: a starting point for an exact search.
//!
//! A player with hidden cards imagines such worlds: the same game with other cards in the unseen
//! places. [`World::redeal`] makes one from another without dealing again.

use super::super::card::{Card, CardSet};
use super::super::deal::Deal;
use super::board::{DealtCards, PrunedPosition};

/// A position of a deal, foundations built as high as they go.
#[derive(Clone, Debug)]
pub struct World {
    pub(super) board: DealtCards,
    pub(super) state: PrunedPosition,
}

/// Worlds are equal if their cards were dealt alike and lie alike, in whatever order they got there.
impl PartialEq for World {
    fn eq(&self, other: &World) -> bool {
        self.state.key() == other.state.key() && self.board.dealt == other.board.dealt
    }
}

impl World {
    /// The position after the deal.
    pub fn new(deal: &Deal) -> World {
        let mut world = World::unsettled(deal);
        world.board.settle(&mut world.state);
        world
    }

    /// The position before any foundation is built.
    pub(super) fn unsettled(deal: &Deal) -> World {
        let (board, state) = DealtCards::new(deal);
        World { board, state }
    }

    /// The legal moves, each named by its card.
    #[inline]
    pub fn moves(&self) -> CardSet {
        self.board.legal_moves(&self.state)
    }

    /// Plays one of [`World::moves`] and builds the foundations.
    #[inline]
    pub fn play(&mut self, card: Card) {
        self.board.play(&mut self.state, card);
    }

    /// The cards on the foundations, those a small deck lacks included.
    pub(crate) fn founded(&self) -> CardSet {
        self.state.founded
    }

    /// The number of the deck's cards on the foundations, 0 to 52.
    #[inline]
    pub fn score(&self) -> u8 {
        (self.state.founded.len() - self.board.missing) as u8
    }

    /// The cards that were never face up.
    pub fn hidden(&self) -> CardSet {
        CardSet::DECK - self.state.face_up
    }

    /// The hidden cards in the order of their places: columns in order, heads first.
    pub fn hidden_in_order(&self) -> impl Iterator<Item = Card> {
        self.in_order(self.hidden())
    }

    /// Cards in the order of their places.
    pub(super) fn in_order(&self, cards: CardSet) -> impl Iterator<Item = Card> {
        let dealt = self.board.dealt.iter();
        dealt
            .filter_map(|&number| Card::from_number(number))
            .filter(move |&card| cards.contains(card))
    }

    /// Puts the hidden cards into other places: `cards` are the same as those of
    /// [`World::hidden_in_order`] in another order. What is not hidden stays as it is.
    pub fn redeal(&mut self, cards: &[Card]) {
        self.state.blocked = self.state.blocked - self.hidden();
        self.board.redeal(self.state.face_up, cards);
        self.block_hidden();
    }

    /// Notes which of the hidden cards have their targets in their own piles.
    pub(super) fn block_hidden(&mut self) {
        for card in self.hidden() {
            let pile = self.board.pile(card, &self.state);
            let is_blocked = card.higher().is_some_and(|target| pile.contains(target));
            if is_blocked {
                self.state.blocked.insert(card);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::layout::Layout;
    use super::super::PrunedEngine;
    use super::*;
    use kit::rng::{Streams, choose, shuffle};
    use kit::search::Budget;

    /// Seed 31: 60 yukon games and 60 of a small deck, played at random; at every position the
    /// hidden cards are shuffled, and the world is the one that dealing so and playing on makes.
    #[test]
    fn a_redealt_world_is_the_one_dealt_so_from_the_start() {
        let small = Layout::parse("2:3,3:1,0:2,3:2", "2x8".parse().unwrap()).unwrap();
        for layout in ["yukon".parse().unwrap(), small] {
            let streams = Streams::new(31);
            for index in 0..60 {
                let mut stream = streams.key("play").stream(index);
                let deal = Deal::draw(&layout, &mut streams.key("deal").stream(index));
                let mut played = Vec::new();
                let mut world = World::new(&deal);
                loop {
                    check(&deal, &world, &played, &mut stream);
                    let moves: Vec<Card> = world.moves().collect();
                    let Some(&card) = choose(&mut stream, &moves) else {
                        break;
                    };
                    world.play(card);
                    played.push(card);
                }
            }
        }
    }

    fn check(deal: &Deal, world: &World, played: &[Card], stream: &mut kit::rng::Stream) {
        let before: Vec<Card> = world.hidden_in_order().collect();
        let mut after = before.clone();
        shuffle(stream, &mut after);
        let mut redealt = world.clone();
        redealt.redeal(&after);
        let moved_to = |card: &Card| {
            let index = before.iter().position(|other| other == card);
            index.map_or(*card, |index| after[index])
        };
        let cards: Vec<Card> = deal.cards().iter().map(moved_to).collect();
        let other = Deal::with_cards(deal.layout(), &cards).unwrap();
        let mut fresh = World::new(&other);
        played.iter().for_each(|&card| fresh.play(card));
        let in_play = CardSet::DECK - fresh.founded();
        assert_eq!(redealt.state.key(), fresh.state.key(), "{other}");
        assert_eq!(redealt.moves(), fresh.moves(), "{other}");
        assert_eq!(redealt.hidden(), fresh.hidden(), "{other}");
        assert_eq!(redealt.state.clear, fresh.state.clear, "{other}");
        assert_eq!(redealt.state.breaks, fresh.state.breaks, "{other}");
        assert_eq!(
            redealt.state.blocked & in_play,
            fresh.state.blocked & in_play,
            "{other}"
        );
        assert_eq!(format!("{:?}", redealt.board), format!("{:?}", fresh.board));
        let mut engine = PrunedEngine::new();
        let budget = Budget::nodes(20_000);
        assert_eq!(engine.value(&redealt, budget), engine.value(&fresh, budget));
    }
}
