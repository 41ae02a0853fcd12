//! The casino as a person plays it.

use super::card::Card;
use super::casino::{Casino, PRIZE, STAKE};
use super::deal::Deal;
use super::layout::Layout;
use super::position::Position;
use super::pruned::{PrunedEngine, World};
use super::review::{CasinoFinisher, Record};
use super::{cards, draw};
use cards::advice::CardPlayer;
use cards::hidden::HiddenPlayer;
use cards::review::quick_review;
use cards::tabletop::{Dealer, Tabletop};
use cards::{DealError, WrittenTable};
use kit::rng::Stream;
use kit::search::{Budget, Verdict};

/// The nodes that a search for the best reachable score may cost.
const REVEAL: Budget = Budget::nodes(10_000_000);

/// A deal, or a game in progress, with a person before it.
pub struct CasinoSeat {
    deal: Deal,
    start: World,
}

impl CasinoSeat {
    /// The seat at a deal.
    pub fn new(deal: Deal) -> CasinoSeat {
        CasinoSeat {
            start: World::new(&deal),
            deal,
        }
    }

    /// Returns whether the game begins with the deal, and not in its middle.
    pub fn begins_with_the_deal(&self) -> bool {
        self.deal.founded() == self.deal.layout().deck().missing()
    }

    /// The player that games of this layout are measured by.
    pub fn finisher(&self, player: HiddenPlayer) -> CasinoFinisher {
        CasinoFinisher::new(player, self.deal.layout().clone())
    }
}

impl Tabletop for CasinoSeat {
    type Game = Casino;
    const HELP: &'static str =
        "Type the card to move, such as `7D`; every card on top moves with it.";
    const BETWEEN_MOVES: &'static [char] = &[' ', ',', ';'];

    fn game(&self) -> &Casino {
        &Casino
    }

    fn start(&self) -> &World {
        &self.start
    }

    fn board(&self, _: &World, played: &[Card]) -> String {
        let mut position = Position::new(&self.deal);
        played.iter().for_each(|&card| position.play(card));
        draw::seen(&position)
    }

    fn legal(&self, world: &World) -> Vec<String> {
        world.moves().map(draw::caption).collect()
    }

    fn nth(&self, world: &World, index: usize) -> Option<Card> {
        world.moves().nth(index)
    }

    fn read(&self, world: &World, line: &str) -> Option<Card> {
        Card::read(line).filter(|&card| world.moves().contains(card))
    }

    fn name(&self, _: &World, card: Card) -> String {
        card.to_string()
    }

    fn told(&self, _: &World, card: Card) -> String {
        draw::caption(card)
    }

    fn result(&self, score: u32) -> String {
        format!(
            "{} on the foundations: the casino pays ${} for your ${STAKE}.",
            cards(score as u8),
            PRIZE * i64::from(score)
        )
    }

    fn adviser(&self) -> CardPlayer {
        CardPlayer::ByMoves(HiddenPlayer::hindsight(1_000))
    }

    fn rival(&self) -> CardPlayer {
        CardPlayer::ByMoves(HiddenPlayer::hindsight(32))
    }

    /// Returns the review of a game from its deal, of which cards were hidden.
    fn review(&self, played: &[Card], seed: u64) -> Vec<String> {
        let has_luck = self.begins_with_the_deal() && !self.start.hidden().is_empty();
        if !has_luck || played.is_empty() {
            return Vec::new();
        }
        let record = Record::cut(self.start.clone(), played);
        quick_review(&record, &self.finisher(CasinoFinisher::FOR_PEOPLE), seed)
    }

    fn perfect(&self, world: &World) -> Verdict<u8> {
        PrunedEngine::new().value(world, REVEAL)
    }
}

impl Dealer for Layout {
    type Dealt = Deal;
    type Seat = CasinoSeat;

    fn read(&self, text: &str) -> Result<WrittenTable, DealError> {
        Deal::read_table(text)
    }

    fn lay_out(&self, table: &WrittenTable) -> Result<Deal, DealError> {
        Deal::of(table, self)
    }

    fn deal(&self, stream: &mut Stream) -> Deal {
        Deal::draw(self, stream)
    }

    fn seat(deal: Deal) -> CasinoSeat {
        CasinoSeat::new(deal)
    }
}

#[cfg(test)]
mod tests {
    use super::super::deal::tops;
    use super::super::pruned::PrunedEngine;
    use super::*;
    use cards::hidden::HiddenGame;
    use kit::rng::Streams;

    /// A position as a person would write it down.
    fn write(position: &Position) -> String {
        let tops = tops(position.founded()).into_iter().flatten();
        let tops: Vec<String> = tops.map(|card| card.to_string()).collect();
        let symbol = |card: Card| card.face().symbol(position.face_down().contains(card));
        let columns = position.columns().map(|head| {
            let cards: Vec<String> = position.pile(head).map(symbol).collect();
            match cards.as_slice() {
                [] => "--".to_owned(),
                cards => cards.join(" "),
            }
        });
        let columns: Vec<String> = columns.collect();
        format!("foundations: {} | {}", tops.join(" "), columns.join(" | "))
    }

    /// Seed 44: 20 deals after up to six moves of `greedy`.
    #[test]
    fn a_game_that_is_written_down_goes_on_as_it_was() {
        let mut engine = PrunedEngine::new();
        for index in 0..20 {
            let mut stream = Streams::new(44).key("deal").stream(index);
            let deal = Deal::draw(&"yukon".parse().unwrap(), &mut stream);
            let (mut world, mut position) = (World::new(&deal), Position::new(&deal));
            for _ in 0..index % 7 {
                if let Some(card) = Casino.policy(&world) {
                    world.play(card);
                    position.play(card);
                }
            }
            let text = write(&position);
            let read: Deal = text.parse().unwrap();
            assert_eq!(read.to_string().parse(), Ok(read.clone()));
            let seat = CasinoSeat::new(read);
            let same = seat.start();
            assert_eq!(same.score(), world.score(), "{text}");
            assert_eq!(same.moves(), world.moves(), "{text}");
            assert_eq!(same.hidden(), world.hidden(), "{text}");
            assert_eq!(seat.board(same, &[]), draw::seen(&position));
            let budget = Budget::UNLIMITED;
            assert_eq!(engine.value(same, budget), engine.value(&world, budget));
        }
    }
}
