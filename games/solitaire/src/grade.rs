//! Grades of deals that can be won: the share of games that a player without sight wins.
//!
//! One deal is played again and again. The player draws at random, as it guesses the hidden cards, so it wins the
//! same deal in a share of its games. Games are played until a confidence sequence of that share lies within a
//! grade or beside it, so that looking after each of them costs nothing of its level. Reference: Howard, Ramdas,
//! McAuliffe, Sekhon 2021, *Annals of Statistics* 49.

use super::deal::Deal;
use super::players::{self, PlayerMemory};
use super::round::Round;
use super::rules::Rules;
use super::table::CardTable;
use cards::advice::CardPlayer;
use cards::hidden::HiddenPlayer;
use kit::rng::Streams;
use stats::{Interval, Level, Proportion};
use std::ops::RangeInclusive;

/// The difficulty of a deal for a player without sight.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum DealGrade {
    /// At least three games of four are won.
    Easy,
    /// Between one game of four and three are won.
    Medium,
    /// At most one game of four is won.
    Hard,
}

/// The grades, each with the shares of games won that belong to it.
const SHARES: [(DealGrade, RangeInclusive<f64>); 3] = [
    (DealGrade::Easy, 0.75..=1.0),
    (DealGrade::Medium, 0.25..=0.75),
    (DealGrade::Hard, 0.0..=0.25),
];

/// The grades in words: `easy 75 to 100 %, ...`.
pub fn grades_in_words() -> String {
    let told = SHARES.map(|(grade, shares)| {
        let [least, most] = [shares.start(), shares.end()].map(|share| 100.0 * share);
        format!("{} {least} to {most} %", grade.as_ref())
    });
    told.join(", ")
}

impl DealGrade {
    /// Returns whether a share of which an interval is known belongs to the grade; `None` if the interval
    /// goes beyond it.
    fn holds(self, share: Interval) -> Option<bool> {
        let (_, shares) = SHARES.into_iter().find(|(grade, _)| *grade == self)?;
        if shares.contains(&share.lo) && shares.contains(&share.hi) {
            return Some(true);
        }
        let is_beside = share.hi < *shares.start() || *shares.end() < share.lo;
        is_beside.then_some(false)
    }
}

/// The player that grades, whose guesses are `WORLDS`.
pub const PLAYER: CardPlayer = CardPlayer::ByMacros(HiddenPlayer::hindsight(WORLDS));
/// The orders of the hidden cards on which it judges each choice: few, so that it errs as people do.
const WORLDS: u32 = 4;
/// The most games on one deal.
pub const MOST_GAMES: u64 = 256;
/// The games after which the interval is narrowest.
const PLANNED: u64 = 64;
/// The level of the interval.
pub const LEVEL: Level = Level::DEFAULT;

/// The games of the player on one deal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradedDeal {
    /// The games played.
    pub games: u64,
    /// The games won.
    pub won: u64,
    /// An interval of the share that it wins, valid although the number of games was not fixed.
    pub share: Interval,
    /// True if the share belongs to the grade asked for; `None` if [`MOST_GAMES`] do not tell.
    pub is_of_grade: Option<bool>,
}

/// Plays a deal until it is known whether it is of a grade; `None` only if no game can be played.
/// Its draws depend on the deal alone, so that it is graded alike wherever it comes from.
pub fn play_until_graded(
    deal: &Deal,
    rules: Rules,
    grade: DealGrade,
    memory: &mut PlayerMemory,
) -> Option<GradedDeal> {
    let round = Round::new(CardTable::new(deal, rules));
    let draws = Streams::new(0).key(&format!("grade of {deal}"));
    let (mut won, mut graded) = (0, None);
    for games in 1..=MOST_GAMES {
        let game = players::play(round, &PLAYER, memory, (&draws, games - 1));
        won += u64::from(usize::from(game.score) == deal.deck().len());
        let share = Proportion::new(won, 0, games)?.sequence(LEVEL, PLANNED)?;
        let is_of_grade = grade.holds(share);
        graded = Some(GradedDeal {
            games,
            won,
            share,
            is_of_grade,
        });
        if is_of_grade.is_some() {
            break;
        }
    }
    graded
}

#[cfg(test)]
mod tests {
    use super::super::rules::DeckShape;
    use super::*;
    use cards::tabletop::deal_stream;
    use stats::{Method, Span, Validity};

    /// A share belongs to a grade when its whole interval does, and to no other.
    #[test]
    fn a_grade_is_given_where_the_whole_interval_lies() {
        let share = |lo, hi| {
            Interval::new(
                Span::new(lo, hi),
                LEVEL,
                Method::BetaBinomial,
                Validity::AnyTime,
            )
            .unwrap()
        };
        for ((lo, hi), [easy, medium, hard]) in [
            ((0.8, 1.0), [Some(true), Some(false), Some(false)]),
            ((0.75, 1.0), [Some(true), None, Some(false)]),
            ((0.3, 0.7), [Some(false), Some(true), Some(false)]),
            ((0.0, 0.2), [Some(false), Some(false), Some(true)]),
            ((0.2, 0.3), [Some(false), None, None]),
            ((0.0, 1.0), [None, None, None]),
        ] {
            let found = [DealGrade::Easy, DealGrade::Medium, DealGrade::Hard];
            let found = found.map(|grade| grade.holds(share(lo, hi)));
            assert_eq!(found, [easy, medium, hard], "{lo} {hi}");
        }
        assert_eq!(
            grades_in_words(),
            "easy 75 to 100 %, medium 25 to 75 %, hard 0 to 25 %"
        );
    }

    /// Seed 6, sample 0: whoever asks, and for whatever grade, the games are the same as far as they go.
    #[test]
    fn the_games_on_a_deal_depend_on_it_alone() {
        let deal = Deal::draw(DeckShape::FULL, &mut deal_stream((6, 0)));
        let play = |grade, memory: &mut PlayerMemory| {
            play_until_graded(&deal, Rules::DRAW_3, grade, memory).unwrap()
        };
        let mut used = PlayerMemory::default();
        for grade in [DealGrade::Easy, DealGrade::Hard] {
            let again = play(grade, &mut used);
            assert_eq!(play(grade, &mut PlayerMemory::default()), again);
            let share = Proportion::new(again.won, 0, again.games).unwrap();
            assert_eq!(share.sequence(LEVEL, PLANNED), Some(again.share));
        }
    }
}
