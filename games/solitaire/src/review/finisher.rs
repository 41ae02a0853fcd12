//! The player that a game is measured by.

use crate::deal::Deal;
use crate::players::{MacroPlayer, PlayerMemory, order, play};
use crate::round::Round;
use crate::rules::{DeckShape, Rules, money};
use crate::table::CardTable;
use cards::advice::CardPlayer;
use kit::rng::StreamKey;
use kit::search::hidden::HiddenPlayer;

/// The games in which the finisher plays a deal, to tell how hard it is.
pub const REPLAYS: u32 = 16;

/// A player by macro moves that plays games on to their ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Finisher(CardPlayer);

impl Finisher {
    /// The finisher of a game between players.
    pub const USUAL: Finisher = Finisher(CardPlayer::ByMacros(HiddenPlayer::hindsight(8)));
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

    /// The result of a round that it plays on.
    pub(super) fn finish(
        &self,
        round: Round,
        memory: &mut PlayerMemory,
        draws: (&StreamKey, u64),
    ) -> i64 {
        let played = play(round, &self.0, memory, draws);
        result_of(round.table(), played.score)
    }

    /// The sum of the results of [`REPLAYS`] games of one deal: what is called par.
    pub fn replay(
        &self,
        start: Round,
        memory: &mut PlayerMemory,
        (draws, index): (&StreamKey, u64),
    ) -> i64 {
        let first = index.wrapping_mul(u64::from(REPLAYS));
        let games = (0..u64::from(REPLAYS)).map(|game| first.wrapping_add(game));
        games
            .map(|game| self.finish(start, memory, (draws, game)))
            .sum()
    }

    /// The sum of the results of as many games of other deals.
    pub fn play_others(
        &self,
        rules: Rules,
        memory: &mut PlayerMemory,
        draws: (&StreamKey, u64),
    ) -> i64 {
        let games = 0..u64::from(REPLAYS);
        let result = |game| {
            let mut stream = draws.0.step(draws.1, game);
            let deal = Deal::draw(DeckShape::FULL, &mut stream);
            let number = draws.1.wrapping_mul(u64::from(REPLAYS)).wrapping_add(game);
            let start = Round::new(CardTable::new(&deal, rules));
            self.finish(start, memory, (draws.0, number))
        };
        games.map(result).sum()
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
    pub interval: (f64, f64),
}

impl StartValue {
    /// The mean of 3,000 deals of the result `solitaire-unseen-players`.
    const USUAL_DRAW_3: StartValue = StartValue {
        mean: 0.485_333,
        interval: (0.467_304, 0.503_392),
    };

    /// The known mean of a finisher.
    pub fn known(rules: Rules, finisher: &Finisher) -> Option<StartValue> {
        let is_usual = *finisher == Finisher::USUAL || *finisher == Finisher::FOR_PEOPLE;
        (is_usual && rules == Rules::DRAW_3).then_some(Self::USUAL_DRAW_3)
    }
}
