//! Advice for a player who does not see the face-down cards.
//!
//! Each move is shown with its mean score over worlds that look the same, and an interval for the
//! choice of worlds. Unknown cards of a table may lie in any order: nobody looks at them.

use super::DECK;
use crate::hidden::{
    Advice, HiddenGame, HiddenPlayer, Judging, PlayerError, Scratch, count_worlds,
};
use kit::rng::Stream;
use stats::{Bounded, Confidence, Estimate, Histogram, Level, Looks, Span, mean, outward_ends};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A player of a card game, and the kind of choices that it makes.
#[derive(Clone, Debug, PartialEq)]
pub enum CardPlayer {
    /// A player that judges the moves of the game.
    ByMoves(HiddenPlayer),
    /// A player that judges macro moves: all that is done until the next unknown card.
    ByMacros(HiddenPlayer),
    /// A player that judges macro moves, as people order them: it goes through the stock only when no card can be
    /// turned without it.
    TurningFirst(HiddenPlayer),
}

impl fmt::Display for CardPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CardPlayer::ByMoves(player) => player.fmt(f),
            CardPlayer::ByMacros(player) => write!(f, "macros({player})"),
            CardPlayer::TurningFirst(player) => write!(f, "turns({player})"),
        }
    }
}

impl FromStr for CardPlayer {
    type Err = PlayerError;

    fn from_str(name: &str) -> Result<CardPlayer, PlayerError> {
        let name = name.trim();
        let judge = |kind: &str| name.strip_prefix(kind)?.strip_suffix(')');
        if let Some(inside) = judge("macros(") {
            return macro_judge(name, inside).map(CardPlayer::ByMacros);
        }
        if let Some(inside) = judge("turns(") {
            return macro_judge(name, inside).map(CardPlayer::TurningFirst);
        }
        name.parse().map(CardPlayer::ByMoves)
    }
}

/// The player inside the name of a player by macro moves.
fn macro_judge(name: &str, inside: &str) -> Result<HiddenPlayer, PlayerError> {
    match inside.parse()? {
        // Hindsight stops judging a macro move as soon as it cannot be the best, a race never.
        HiddenPlayer::Race { player, .. } if matches!(*player, HiddenPlayer::Hindsight { .. }) => {
            Err(PlayerError::HindsightRace(name.to_owned()))
        }
        player => Ok(player),
    }
}

impl CardPlayer {
    /// The player that judges its choices.
    pub fn judge(&self) -> &HiddenPlayer {
        let (CardPlayer::ByMoves(player)
        | CardPlayer::ByMacros(player)
        | CardPlayer::TurningFirst(player)) = self;
        player
    }

    /// Returns whether it chooses among macro moves.
    pub fn is_by_macros(&self) -> bool {
        !matches!(self, CardPlayer::ByMoves(_))
    }

    /// The purpose of the streams that it draws from, so that the same game is played
    /// wherever it plays.
    pub fn purpose(&self) -> String {
        match self {
            CardPlayer::ByMoves(player) => player.purpose(),
            CardPlayer::ByMacros(player) => {
                let player = CardPlayer::ByMacros(player.with_usual_foresight());
                format!("play of {player}")
            }
            CardPlayer::TurningFirst(player) => {
                let player = CardPlayer::TurningFirst(player.with_usual_foresight());
                format!("play of {player}")
            }
        }
    }
}

/// The meaning of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Cards on the foundations.
    Cards,
    /// Games won, of a hundred.
    Wins,
}

impl Unit {
    /// The least and the greatest score.
    fn limits(self) -> (i64, i64) {
        match self {
            Unit::Cards => (0, DECK.into()),
            Unit::Wins => (0, 100),
        }
    }
}

/// A choice in words, with its judgement.
pub struct JudgedMove {
    /// The choice as it is typed.
    pub written: String,
    /// The choice in words.
    pub told: String,
    /// The judgement of the move.
    pub estimate: ScoreEstimate,
}

impl JudgedMove {
    /// The choice with its judgement, in words.
    pub fn judged(&self) -> String {
        let ScoreEstimate {
            unit,
            mean,
            interval,
            worlds,
        } = self.estimate;
        let told = &self.told;
        match unit {
            Unit::Cards => {
                let Span { lo, hi } = outward_ends(interval, 0.01);
                format!("{told}: {mean:.2} cards ({lo:.2} to {hi:.2}) over {worlds} worlds")
            }
            Unit::Wins => {
                let Span { lo, hi } = outward_ends(interval, 1.0);
                format!("{told}: wins {mean:.0} % ({lo:.0} to {hi:.0}) of {worlds} worlds")
            }
        }
    }
}

/// The judgement of a choice.
#[derive(Clone, Copy, Debug)]
pub struct ScoreEstimate {
    /// The meaning of the scores.
    pub unit: Unit,
    /// The mean score.
    pub mean: f64,
    /// An interval of 95 % for the mean over all worlds, as in a summary of a run; the mean itself
    /// where all were taken.
    pub interval: Span,
    /// The worlds it was judged on.
    pub worlds: usize,
}

impl ScoreEstimate {
    /// The judgement of a choice whose score is known.
    pub fn known(unit: Unit, score: u32) -> ScoreEstimate {
        let mean = f64::from(score);
        ScoreEstimate {
            unit,
            mean,
            interval: Span::point(mean),
            worlds: 1,
        }
    }
}

/// The question which move of a world is best, put to a player who answers on guesses of the hidden cards.
/// Each guess is judged by itself, so whoever asks several advisers shares the guesses out.
pub struct Consultation<G: HiddenGame> {
    judging: Judging<G>,
    scratch: Scratch<G>,
    /// True if there are no other worlds.
    are_all: bool,
    unit: Unit,
}

impl<G: HiddenGame> Consultation<G> {
    /// Asks a player who draws from a stream.
    pub fn new(
        game: &G,
        world: &G::World,
        player: &HiddenPlayer,
        stream: Stream,
        unit: Unit,
    ) -> Consultation<G> {
        let seen = game.observe(world);
        Consultation {
            judging: player.begin_advice(game, &seen, stream),
            scratch: Scratch::default(),
            are_all: takes_all(player, count_worlds(game, &seen)),
            unit,
        }
    }

    /// The number of guesses.
    pub fn worlds(&self) -> usize {
        self.judging.worlds()
    }

    /// The scores of all moves in some of the worlds, a row for each world.
    pub fn judge(&mut self, game: &G, worlds: Range<usize>) -> Vec<Vec<u32>> {
        self.judging.judge(game, &mut self.scratch, worlds)
    }

    /// Each legal move by its scores in the worlds that were judged, the best one first; of equals the one that
    /// the base player likes better.
    pub fn estimates(&self, judged: &[Vec<u32>]) -> Vec<(G::Move, ScoreEstimate)> {
        let estimate = |advice: Advice<G::Move>| {
            let estimate = score_estimate(&advice.scores, self.are_all, self.unit)?;
            Some((advice.play, estimate))
        };
        let advice = self.judging.advice(judged).into_iter();
        let mut estimates: Vec<_> = advice.filter_map(estimate).collect();
        estimates.sort_by(|(_, one), (_, other)| other.mean.total_cmp(&one.mean));
        estimates
    }
}

/// The [estimates](Consultation::estimates) of a player who judged all its worlds.
pub fn estimates<G: HiddenGame>(
    game: &G,
    world: &G::World,
    player: &HiddenPlayer,
    stream: Stream,
    unit: Unit,
) -> Vec<(G::Move, ScoreEstimate)> {
    let mut consultation = Consultation::new(game, world, player, stream, unit);
    let judged = consultation.judge(game, 0..consultation.worlds());
    consultation.estimates(&judged)
}

/// Returns whether the worlds of a decision, of so many, are all there are. A player that draws as it plays
/// on knows its scores only from samples even then.
fn takes_all(player: &HiddenPlayer, worlds: u64) -> bool {
    let draws = matches!(
        player,
        HiddenPlayer::Nested { .. } | HiddenPlayer::Race { .. }
    );
    let has_room = |limit| worlds <= u64::from(limit);
    !draws && player.worlds().is_some_and(has_room)
}

/// The mean of some scores; `None` without any.
fn score_estimate(totals: &[u32], are_all: bool, unit: Unit) -> Option<ScoreEstimate> {
    let mut scores = Bounded::<Histogram>::default();
    totals
        .iter()
        .for_each(|&score| scores.push(i64::from(score)));
    let mean = mean_score(&scores, are_all, unit.limits());
    let interval = mean.interval?;
    Some(ScoreEstimate {
        unit,
        mean: mean.value?,
        interval: interval.ends(),
        worlds: totals.len(),
    })
}

/// Estimates the mean score as a summary estimates the mean of a metric.
fn mean_score(scores: &Bounded<Histogram>, are_all: bool, limits: (i64, i64)) -> Estimate {
    let level = Level::DEFAULT;
    let looks = if are_all {
        Looks::Exhaustive
    } else {
        Looks::Once
    };
    mean(scores, Confidence { level, looks }, Some(limits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_a_judgement_are_rounded_outward() {
        let judged = |unit, mean, interval| {
            let estimate = ScoreEstimate {
                unit,
                mean,
                interval,
                worlds: 400,
            };
            let told = "draws".to_owned();
            let written = String::new();
            let judged = JudgedMove {
                written,
                told,
                estimate,
            };
            judged.judged()
        };
        let wins = judged(Unit::Wins, 64.2, Span::new(59.4, 68.6));
        assert_eq!(wins, "draws: wins 64 % (59 to 69) of 400 worlds");
        let wins = judged(Unit::Wins, 64.0, Span::new(59.9, 68.1));
        assert_eq!(wins, "draws: wins 64 % (59 to 69) of 400 worlds");
        let cards = judged(Unit::Cards, 13.57, Span::point(13.57));
        assert_eq!(cards, "draws: 13.57 cards (13.57 to 13.57) over 400 worlds");
    }

    #[test]
    fn few_worlds_leave_a_wide_interval_within_the_cards_and_all_worlds_none() {
        let ends = |scores: &[u32], are_all| {
            let estimate = score_estimate(scores, are_all, Unit::Cards);
            estimate.unwrap().interval
        };
        // One score says that at most 97.5 % of all are others.
        let Span { lo, hi } = ends(&[52], false);
        assert!((lo - 1.3).abs() < 1e-9 && hi == 52.0, "{lo} {hi}");
        let Span { lo, hi } = ends(&[4, 52], false);
        assert!(
            (0.0..10.0).contains(&lo) && (50.0..=52.0).contains(&hi),
            "{lo} {hi}"
        );
        assert_eq!(ends(&[4, 52], true), Span::new(28.0, 28.0));
        let player = |name: &str| name.parse::<HiddenPlayer>().unwrap();
        assert!("macros(race(8, rollout(2)))".parse::<CardPlayer>().is_ok());
        let raced = "macros(race(8, hindsight(2)))".parse::<CardPlayer>();
        assert!(matches!(raced, Err(PlayerError::HindsightRace(_))));
        assert!(takes_all(&player("hindsight(2)"), 2));
        assert!(!takes_all(&player("hindsight(2)"), 6));
        assert!(!takes_all(&player("nested(2, random)"), 2));
    }
}
