//! The rules, as a review of a game asks for them.

use crate::card::Card;
use crate::casino::{Casino, PRIZE, STAKE};
use crate::draw::caption;
use crate::pruned::World;
use cards::DECK;
use cards::review::{ReviewedGame, SingleMove, Stakes};

/// The dollars that a game leaves with so many cards on the foundations.
fn money(cards: u8) -> i64 {
    PRIZE * i64::from(cards) - STAKE
}

impl SingleMove for Card {
    fn written(text: &str) -> Option<Card> {
        Card::read(text)
    }
}

impl ReviewedGame for Casino {
    type Single = Card;

    fn make(&self, world: &mut World, card: Card) {
        world.play(card);
    }

    fn next_length(&self, world: &World, line: &[Card]) -> usize {
        let mut world = world.clone();
        let turns = |&card: &Card| {
            let hidden = world.hidden();
            world.play(card);
            world.hidden() != hidden
        };
        (line.iter().position(turns)).map_or(line.len(), |index| index + 1)
    }

    fn is_over(&self, world: &World) -> bool {
        world.moves().is_empty()
    }

    fn told_line(&self, _: &World, cards: &[Card]) -> String {
        let told: Vec<String> = cards.iter().copied().map(caption).collect();
        told.join(", then ")
    }

    fn result(&self, world: &World) -> i64 {
        money(world.score())
    }

    fn stakes(&self, _: &World) -> Stakes {
        Stakes::Dollars {
            least: money(0),
            most: money(DECK),
        }
    }

    fn founded(&self, world: &World) -> u8 {
        world.score()
    }
}
