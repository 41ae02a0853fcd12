//! The player that a game is measured by.

use super::game::result_of;
use crate::casino::Casino;
use crate::deal::Deal;
use crate::players::{MacroPlayer, MacroStep, PlayerMemory, order, play};
use crate::round::Round;
use crate::rules::{DeckShape, Rules};
use crate::table::CardTable;
use crate::unseen::game::play_until_turned;
use cards::advice::CardPlayer;
use cards::hidden::HiddenPlayer;
use cards::review::{self, OwnMoves, StartValue};
use kit::rng::{Stream, StreamKey};

/// A player by macro moves that plays games on to their ends.
#[derive(Clone, Debug, PartialEq)]
pub struct SolitaireFinisher(CardPlayer);

impl SolitaireFinisher {
    /// The finisher of a game between players.
    const USUAL: SolitaireFinisher =
        SolitaireFinisher(CardPlayer::ByMacros(HiddenPlayer::hindsight(8)));
    /// The finisher of people's games: it turns what can be turned before it draws, as people do.
    pub const FOR_PEOPLE: SolitaireFinisher =
        SolitaireFinisher(CardPlayer::TurningFirst(HiddenPlayer::hindsight(8)));

    /// Makes a finisher of a player; `None` of one by single moves.
    pub fn new(player: CardPlayer) -> Option<SolitaireFinisher> {
        player.is_by_macros().then_some(SolitaireFinisher(player))
    }

    /// The player.
    pub fn player(&self) -> &CardPlayer {
        &self.0
    }

    /// The known mean by some rules: that of 10,000 deals of the result `solitaire-finishers`.
    pub fn known(&self, rules: Rules) -> Option<StartValue> {
        let is_for_people = *self == SolitaireFinisher::FOR_PEOPLE;
        match (rules, is_for_people) {
            _ if !is_for_people && *self != SolitaireFinisher::USUAL => None,
            (Rules::DRAW_3, false) => Some(StartValue::new(0.4805, 0.4707, 0.4903)),
            (Rules::DRAW_3, true) => Some(StartValue::new(0.4799, 0.4701, 0.4897)),
            (Rules::DRAW_1, false) => Some(StartValue::new(0.7096, 0.7006, 0.7185)),
            (Rules::DRAW_1, true) => Some(StartValue::new(0.7063, 0.6973, 0.7152)),
            _ => None,
        }
    }
}

impl review::Finisher for SolitaireFinisher {
    type Game = Casino;
    type Memory = PlayerMemory;

    fn name(&self) -> String {
        self.0.to_string()
    }

    fn own_moves(
        &self,
        round: &Round,
        memory: &mut PlayerMemory,
        stream: &mut Stream,
    ) -> OwnMoves<Casino> {
        let player = MacroPlayer {
            order: order(&self.0),
            judge: self.0.judge(),
        };
        let MacroStep { moves, is_last } = player.choose(round, memory.macros(), stream);
        let mut world = *round;
        let has_turned = play_until_turned(&mut world, &moves, |_| ());
        OwnMoves {
            moves,
            world,
            is_over: is_last && !has_turned,
        }
    }

    fn finish(&self, round: Round, memory: &mut PlayerMemory, draws: (&StreamKey, u64)) -> i64 {
        let played = play(round, &self.0, memory, draws);
        result_of(round.table(), played.score)
    }

    fn play_other(
        &self,
        start: &Round,
        memory: &mut PlayerMemory,
        (draws, number): (&StreamKey, u64),
    ) -> i64 {
        let deal = Deal::draw(DeckShape::FULL, &mut draws.stream(number));
        let start = Round::new(CardTable::new(&deal, start.table().rules()));
        self.finish(start, memory, (draws, number))
    }

    fn known_start(&self, start: &Round) -> Option<StartValue> {
        self.known(start.table().rules())
    }
}
