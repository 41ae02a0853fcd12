//! The player that a game is measured by.

use crate::deal::Deal;
use crate::players::{MacroPlayer, PlayerMemory, order, play};
use crate::round::Round;
use crate::rules::{DeckShape, Rules, money};
use crate::table::CardTable;
use cards::advice::CardPlayer;
use kit::rng::StreamKey;
use kit::search::hidden::HiddenPlayer;
use stats::Span;

/// The games in which the finisher plays a deal, to tell how hard it is: of so many, those won are the deal's par.
pub const REPLAYS: u64 = 16;

/// A player by macro moves that plays games on to their ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Finisher(CardPlayer);

impl Finisher {
    /// The finisher of a game between players.
    const USUAL: Finisher = Finisher(CardPlayer::ByMacros(HiddenPlayer::hindsight(8)));
    /// The finisher of people's games: it turns what can be turned before it draws, as people do.
    pub const FOR_PEOPLE: Finisher = Finisher(CardPlayer::TurningFirst(HiddenPlayer::hindsight(8)));

    /// Makes a finisher of a player; `None` of one by single moves.
    pub fn new(player: CardPlayer) -> Option<Finisher> {
        player.is_by_macros().then_some(Finisher(player))
    }

    /// The player.
    pub fn player(&self) -> &CardPlayer {
        &self.0
    }

    pub(super) fn by_macros(&self) -> MacroPlayer<'_> {
        MacroPlayer {
            order: order(&self.0),
            judge: self.0.judge(),
        }
    }

    /// The result of a round that it plays on: 1 of a game won and 0 of others where passes are not limited, and
    /// otherwise dollars.
    pub fn finish(&self, round: Round, memory: &mut PlayerMemory, draws: (&StreamKey, u64)) -> i64 {
        let played = play(round, &self.0, memory, draws);
        result_of(round.table(), played.score)
    }

    /// The result of a game of another deal, drawn by a number too.
    pub fn play_other(
        &self,
        rules: Rules,
        memory: &mut PlayerMemory,
        (draws, number): (&StreamKey, u64),
    ) -> i64 {
        let deal = Deal::draw(DeckShape::FULL, &mut draws.stream(number));
        let start = Round::new(CardTable::new(&deal, rules));
        self.finish(start, memory, (draws, number))
    }
}

/// The result of a round as it stands.
pub(super) fn result(round: &Round) -> i64 {
    result_of(round.table(), round.score())
}

/// The result of a game in which so many cards reached the foundations: 1 of a game won and 0 of others where passes
/// are not limited, and otherwise dollars.
fn result_of(table: &CardTable, score: u8) -> i64 {
    match table.rules().passes {
        None => i64::from(score == table.cards()),
        Some(_) => money(score),
    }
}

/// The finisher's mean result over all deals, where it was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartValue {
    /// The mean.
    pub mean: f64,
    /// The ends of its interval of 95 %.
    pub interval: Span,
}

impl StartValue {
    const fn new(mean: f64, lo: f64, hi: f64) -> StartValue {
        let interval = Span::new(lo, hi);
        StartValue { mean, interval }
    }

    /// The known mean of a finisher: that of 10,000 deals of the result `solitaire-finishers`.
    pub fn known(rules: Rules, finisher: &Finisher) -> Option<StartValue> {
        let is_for_people = *finisher == Finisher::FOR_PEOPLE;
        match (rules, is_for_people) {
            _ if !is_for_people && *finisher != Finisher::USUAL => None,
            (Rules::DRAW_3, false) => Some(Self::new(0.4805, 0.4707, 0.4903)),
            (Rules::DRAW_3, true) => Some(Self::new(0.4799, 0.4701, 0.4897)),
            (Rules::DRAW_1, false) => Some(Self::new(0.7096, 0.7006, 0.7185)),
            (Rules::DRAW_1, true) => Some(Self::new(0.7063, 0.6973, 0.7152)),
            _ => None,
        }
    }
}
