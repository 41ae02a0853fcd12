//! The review of one game as a person reads it; the same numbers wherever it is asked for.

use super::game::{REPLAYS, ReviewedGame, Stakes};
use super::record::RecordPiece;
use super::summary::{ReviewPoint, Share};
use stats::{Span, outward_ends};

/// The steps of a line that are told.
const MOST_TOLD: usize = 4;
/// The words between steps.
const THEN: &str = ", then ";

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewReport {
    /// The result of the game.
    pub result: i64,
    /// The cards on the foundations at the end.
    pub cards: u8,
    /// The unit of results.
    pub(super) stakes: Stakes,
    /// The finisher's mean result before the deal.
    pub start: Share,
    /// The play.
    pub play: Share,
    /// The luck: the result less start and play.
    pub luck: Share,
    /// The sum of the results of the finisher's games on this deal.
    pub replays: i64,
    /// The choices that were mistakes, the costliest first.
    pub mistakes: Vec<ToldMistake>,
    /// The finisher's mean result over the game, at the decisions at which it often chose otherwise.
    pub curve: Vec<ReviewPoint>,
    /// The decisions at which the finisher's own moves differed in some world.
    pub decisions: usize,
    /// The worlds in which each was measured.
    pub playouts: u64,
    /// The name of the finisher.
    pub(super) finisher: String,
}

/// A choice that was a mistake, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldMistake {
    /// The number of the first move that was not the finisher's, from 1.
    pub number: usize,
    /// The player's moves.
    pub played: String,
    /// The finisher's moves.
    pub better: String,
    /// The gain of the player's moves over the finisher's, which is negative, measured on other draws than those that
    /// found it.
    pub gain: Share,
}

/// A mistake in words, from the first move on that the finisher would not have made.
pub(super) fn told_mistake<G: ReviewedGame>(
    piece: &RecordPiece<G>,
    instead: &[G::Single],
    gain: Share,
) -> ToldMistake {
    let game = G::default();
    let pairs = piece.moves.iter().zip(instead);
    let common = pairs.take_while(|(played, own)| played == own).count();
    let shorter = piece.moves.len().min(instead.len());
    let common = if common == shorter { 0 } else { common };
    let mut world = game.canonical(&piece.seen);
    for &single in &piece.moves[..common] {
        game.make(&mut world, single);
    }
    let told = |moves: &[G::Single]| match moves {
        [] => "stop".to_owned(),
        moves => shortened(&game.told_line(&world, moves)),
    };
    ToldMistake {
        number: piece.first + common + 1,
        played: told(&piece.moves[common..]),
        better: told(&instead[common..]),
        gain,
    }
}

/// The first steps of a line in words.
fn shortened(line: &str) -> String {
    let steps: Vec<&str> = line.split(THEN).collect();
    match steps.get(..MOST_TOLD) {
        Some(first) if steps.len() > MOST_TOLD => first.join(THEN) + ", and so on",
        _ => line.to_owned(),
    }
}

/// The parts of a result, in whole steps that add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultParts {
    /// The finisher's mean before the deal.
    pub start: i64,
    /// The luck.
    pub cards: i64,
    /// The play.
    pub play: i64,
    /// The result.
    pub result: i64,
}

impl ReviewReport {
    /// The number that a result counts for: a game won is a hundred points.
    pub fn scale(&self) -> f64 {
        self.stakes.scale()
    }

    /// The parts of the result in steps of a part of a point or dollar. The luck is what start and play, rounded,
    /// leave, so that the sum is right to the last digit.
    pub fn parts(&self, steps: u32) -> ResultParts {
        let rounded = |value: f64| (value * self.scale() * f64::from(steps)).round() as i64;
        let (start, play) = (rounded(self.start.mean), rounded(self.play.mean));
        let result = rounded(self.result as f64);
        ResultParts {
            start,
            cards: result - start - play,
            play,
            result,
        }
    }

    /// The review in sentences.
    pub fn lines(&self) -> Vec<String> {
        let parts = self.parts(1);
        let share = |name: &str, part: i64, share: Share| {
            format!(
                "{name} {part:+} {} {}",
                self.stakes.unit(part),
                self.ends(share)
            )
        };
        let mut lines = vec![
            self.told_end(),
            format!(
                "{}   {}   from {} before the deal to {} at the end",
                share("cards", parts.cards, self.luck),
                share("play", parts.play, self.play),
                parts.start,
                parts.result,
            ),
        ];
        lines.extend(self.mistakes.iter().map(|mistake| self.told(mistake)));
        lines.extend(self.told_rest());
        lines.push(self.told_par());
        let point = match self.stakes {
            Stakes::Wins => " a point is a game in a hundred;",
            Stakes::Dollars { .. } => "",
        };
        lines.push(format!(
            "The measure is how {} would have moved and played on, in {} imagined worlds a decision;{point} intervals \
             of 95 %.",
            self.finisher, self.playouts,
        ));
        lines
    }

    fn told_end(&self) -> String {
        let won = match (self.stakes, self.result) {
            (Stakes::Wins, 0) => "You lost",
            (Stakes::Wins, _) => "You won",
            (Stakes::Dollars { .. }, ..0) => "You lost money",
            (Stakes::Dollars { .. }, 0) => "You broke even",
            (Stakes::Dollars { .. }, _) => "You made money",
        };
        format!("{won}: {} of 52 cards on the foundations.", self.cards)
    }

    /// The decisions at which nothing was found, if any.
    fn told_rest(&self) -> Option<String> {
        let rest = self.decisions - self.mistakes.len().min(self.decisions);
        let other = if self.mistakes.is_empty() {
            ""
        } else {
            "other "
        };
        let decisions = if rest == 1 { "decision" } else { "decisions" };
        (rest > 0).then(|| format!("at {rest} {other}{decisions}: no difference found"))
    }

    fn told_par(&self) -> String {
        let par = match (self.stakes, self.replays) {
            (Stakes::Dollars { .. }, dollars) => {
                let mean = (dollars as f64 / REPLAYS as f64).round() as i64;
                let verb = if mean < 0 { "loses" } else { "makes" };
                format!("{verb} ${} with it on average", mean.abs())
            }
            (Stakes::Wins, 1) => format!("wins it once in {REPLAYS} games"),
            (Stakes::Wins, wins) => format!("wins it {wins} times in {REPLAYS}"),
        };
        format!("par of this deal: a player who sees what you see {par}")
    }

    fn told(&self, mistake: &ToldMistake) -> String {
        let cost = Share {
            mean: -mistake.gain.mean,
            interval: Span::new(-mistake.gain.interval.hi, -mistake.gain.interval.lo),
        };
        let units = (self.scale() * cost.mean).round() as i64;
        format!(
            "move {}   you: {}   better: {}   cost {units} {} {}",
            mistake.number,
            mistake.played,
            mistake.better,
            self.stakes.unit(units),
            self.ends(cost),
        )
    }

    /// The ends of an interval, rounded outward.
    fn ends(&self, share: Share) -> String {
        let ends = share.interval.map(|end| self.scale() * end);
        let Span { lo, hi } = outward_ends(ends, 1.0);
        format!("({lo:.0} to {hi:.0})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(mean: f64, lo: f64, hi: f64) -> Share {
        let interval = Span::new(lo, hi);
        Share { mean, interval }
    }

    /// A lost game in which one decision of five was a mistake.
    fn lost() -> ReviewReport {
        ReviewReport {
            result: 0,
            cards: 17,
            stakes: Stakes::Wins,
            start: share(0.483, 0.47, 0.50),
            play: share(-0.213, -0.2641, -0.1502),
            luck: share(-0.270, -0.3501, -0.2209),
            replays: 6,
            mistakes: vec![ToldMistake {
                number: 31,
                played: "8♣ onto 9♦".to_owned(),
                better: "draw".to_owned(),
                gain: share(-0.142, -0.2031, -0.0809),
            }],
            curve: Vec::new(),
            decisions: 5,
            playouts: 200,
            finisher: "macros(hindsight(8))".to_owned(),
        }
    }

    #[test]
    fn a_lost_game_is_told_in_points_whose_ends_are_rounded_outward() {
        let parts = lost().parts(10);
        assert_eq!((parts.start, parts.cards), (483, -270));
        assert_eq!((parts.play, parts.result), (-213, 0));
        assert_eq!(
            lost().lines(),
            [
                "You lost: 17 of 52 cards on the foundations.",
                "cards -27 points (-36 to -22)   play -21 points (-27 to -15)   \
                 from 48 before the deal to 0 at the end",
                "move 31   you: 8♣ onto 9♦   better: draw   cost 14 points (8 to 21)",
                "at 4 other decisions: no difference found",
                "par of this deal: a player who sees what you see wins it 6 times in 16",
                "The measure is how macros(hindsight(8)) would have moved and played on, in 200 imagined worlds a \
                 decision; a point is a game in a hundred; intervals of 95 %.",
            ]
        );
    }

    #[test]
    fn a_game_about_money_is_told_in_dollars() {
        let (least, most) = (-52, 208);
        let report = ReviewReport {
            result: -12,
            cards: 8,
            stakes: Stakes::Dollars { least, most },
            start: share(-2.7, -2.9, -2.4),
            play: share(5.4, -1.2, 12.1),
            luck: share(-14.7, -21.5, -8.2),
            replays: -35,
            mistakes: Vec::new(),
            decisions: 1,
            ..lost()
        };
        assert_eq!(
            report.lines()[..4],
            [
                "You lost money: 8 of 52 cards on the foundations.",
                "cards -14 dollars (-22 to -8)   play +5 dollars (-2 to 13)   \
                 from -3 before the deal to -12 at the end",
                "at 1 decision: no difference found",
                "par of this deal: a player who sees what you see loses $2 with it on average",
            ]
        );
        let told = |result, replays| {
            let lines = ReviewReport {
                result,
                replays,
                decisions: 0,
                ..report.clone()
            }
            .lines();
            (lines[0].clone(), lines[2].clone())
        };
        let (even, makes) = told(0, 24);
        assert!(
            even.starts_with("You broke even") && makes.ends_with("makes $2 with it on average")
        );
        assert!(told(3, 0).0.starts_with("You made money"));
    }

    #[test]
    fn one_of_a_unit_is_told_as_one() {
        let mut report = lost();
        report.play = share(-0.0111, -0.03, 0.0);
        report.mistakes[0].gain = share(-0.012, -0.03, -0.001);
        let lines = report.lines();
        assert!(lines[1].contains("play -1 point (-3 to 0)"), "{}", lines[1]);
        assert!(lines[2].ends_with("cost 1 point (0 to 3)"), "{}", lines[2]);
    }

    #[test]
    fn four_steps_of_a_line_are_told() {
        let line = ["draw"; 4].join(THEN);
        assert_eq!(shortened(&line), line);
        let longer = format!("{line}{THEN}stop");
        assert_eq!(shortened(&longer), format!("{line}, and so on"));
    }
}
