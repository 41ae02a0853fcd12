//! What a review says: the play with its interval, and the choices that were mistakes.

use super::game::{ReviewedGame, Stakes};
use super::record::{Record, RecordPiece};
use super::terms::MoveComparison;
use stats::{
    Accumulator, Bounded, ClaimVerdict, Confidence, Estimate, Histogram, Interval, Level, Looks,
    Paired, Relation, SampledMean, Span, decide_jointly, mean, welch_interval,
};

/// The comparisons of a game so far.
#[derive(Clone, Debug)]
pub(super) struct PlayTally<S> {
    /// The sum over the pieces, of each round.
    pub(super) sums: Bounded<Histogram>,
    /// The pieces.
    pub(super) pieces: Vec<PieceTally<S>>,
}

/// The comparisons of a piece so far.
#[derive(Clone, Debug)]
pub struct PieceTally<S> {
    /// The results after the piece, and after the finisher's own moves.
    results: Paired,
    /// The results after the piece, of the rounds in which the finisher's own moves led elsewhere.
    after: Bounded<Histogram>,
    /// The finisher's own moves that led elsewhere, and in how many rounds.
    instead: Vec<(Vec<S>, u64)>,
}

/// The finisher's mean result around a piece of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReviewPoint {
    /// The moves of the game before the piece.
    pub first: usize,
    /// The finisher's mean result before it, had it moved itself.
    pub before: f64,
    /// The finisher's mean result after the piece. The two differ by the play of the piece.
    pub after: Share,
}

/// One in so many rounds must differ at a piece for a point on the curve.
const CURVE_SHARE: u64 = 8;

/// A mean with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The mean.
    pub mean: f64,
    /// The ends of its interval.
    pub interval: Span,
}

/// A choice that is worse than the finisher's own, and the level at which that was decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mistake {
    /// The number of the piece.
    pub(super) piece: usize,
    /// The level of its interval, with which all decisions hold together.
    pub(super) level: Level,
}

// A derived default would ask for one of the moves.
impl<S> Default for PlayTally<S> {
    fn default() -> Self {
        PlayTally {
            sums: Bounded::default(),
            pieces: Vec::new(),
        }
    }
}

impl<S> Default for PieceTally<S> {
    fn default() -> Self {
        PieceTally {
            results: Paired::default(),
            after: Bounded::default(),
            instead: Vec::new(),
        }
    }
}

impl<S: Copy + Eq> PlayTally<S> {
    /// Counts the comparisons of a round.
    pub(super) fn add(&mut self, round: Vec<MoveComparison<S>>) {
        self.sums
            .push(round.iter().map(MoveComparison::difference).sum());
        self.pieces.resize_with(round.len(), PieceTally::default);
        let pieces = self.pieces.iter_mut().zip(round);
        pieces.for_each(|(piece, comparison)| piece.add(comparison));
    }

    /// The play: the sum over the pieces, with Student's interval over the rounds. Where all rounds agree, their error
    /// is taken to be that of one round in which all that a game is about is won or lost.
    pub(super) fn play(&self, stakes: Stakes, level: Level) -> Option<Share> {
        let sums = self.sums.resolved().moments();
        let (mean, n) = (sums.mean()?, sums.count());
        if self.decisions() == 0 {
            let interval = Span::point(0.0);
            return Some(Share { mean, interval });
        }
        let of = |mean, error| SampledMean { mean, error, n };
        let (least, most) = stakes.limits();
        let one_game = (most - least) as f64 / n as f64;
        let error = sums.standard_error().unwrap_or(0.0).max(one_game);
        let interval = welch_interval(of(mean, error), of(0.0, 0.0), level)?;
        Some(Share {
            mean,
            interval: interval.ends(),
        })
    }

    /// The choices whose intervals lie below 0, all together at a level (Holm), the costliest first.
    pub(super) fn mistakes(&self, stakes: Stakes, level: Level) -> Vec<Mistake> {
        let open: Vec<usize> = (0..self.pieces.len())
            .filter(|&piece| !self.pieces[piece].instead.is_empty())
            .collect();
        let decide = |claim: usize, level| self.pieces[open[claim]].is_worse(stakes, level);
        let decided = decide_jointly(open.len(), level, decide).into_iter();
        let mistake = |(&piece, (verdict, level)): (&usize, (ClaimVerdict, Level))| {
            (verdict == ClaimVerdict::Supported).then_some(Mistake { piece, level })
        };
        let mut mistakes: Vec<Mistake> = open.iter().zip(decided).filter_map(mistake).collect();
        let mean = |mistake: &Mistake| self.pieces[mistake.piece].mean();
        mistakes.sort_by(|one, other| mean(one).total_cmp(&mean(other)));
        mistakes
    }

    /// The curve over the game: the play is in its steps, the luck is between them.
    pub(super) fn curve<G: ReviewedGame<Single = S>>(
        &self,
        record: &Record<G>,
        stakes: Stakes,
        level: Level,
    ) -> Vec<ReviewPoint> {
        let least = (self.sums.count() / CURVE_SHARE).max(2);
        let pieces = self.pieces.iter().zip(&record.pieces);
        let differs = pieces.filter(|(tally, _)| tally.after.count() >= least);
        let point = |(tally, piece): (&PieceTally<S>, &RecordPiece<G>)| {
            let after = Share::of_results(&tally.after, stakes, level)?;
            Some(ReviewPoint {
                first: piece.first,
                before: after.mean - tally.mean(),
                after,
            })
        };
        differs.filter_map(point).collect()
    }

    /// The pieces at which the finisher's own moves led elsewhere in some round.
    pub(super) fn decisions(&self) -> usize {
        let differs = |piece: &&PieceTally<S>| !piece.instead.is_empty();
        self.pieces.iter().filter(differs).count()
    }
}

impl<S: Copy + Eq> PieceTally<S> {
    /// Counts a comparison.
    pub fn add(&mut self, comparison: MoveComparison<S>) {
        let MoveComparison::Differ {
            played,
            finisher,
            instead,
        } = comparison
        else {
            return self.results.push(0, 0);
        };
        self.results.push(played, finisher);
        self.after.push(played);
        match self.instead.iter_mut().find(|(moves, _)| *moves == instead) {
            Some((_, times)) => *times += 1,
            None => self.instead.push((instead, 1)),
        }
    }

    /// The finisher's own moves, as it mostly chose where it chose otherwise.
    pub(super) fn instead(&self) -> &[S] {
        let most = self.instead.iter().rev().max_by_key(|&&(_, times)| times);
        most.map_or(&[], |(moves, _)| moves)
    }

    /// The gain of the piece over the finisher's own moves; a loss is negative.
    pub fn gain(&self, stakes: Stakes, level: Level) -> Option<Share> {
        Share::of(&stakes.difference(&self.results, level))
    }

    fn mean(&self) -> f64 {
        self.results.differences().resolved().mean().unwrap_or(0.0)
    }

    /// Returns whether the piece is worse than the finisher's own moves.
    fn is_worse(&self, stakes: Stakes, level: Level) -> ClaimVerdict {
        let ends = self.gain(stakes, level).map(|gain| gain.interval);
        ends.map_or(ClaimVerdict::Undecided, |Span { lo, hi }| {
            Relation::Less.decide_between(lo, hi, 0.0)
        })
    }
}

impl Share {
    /// The mean of results of games with these stakes.
    pub(super) fn of_results(
        results: &Bounded<Histogram>,
        stakes: Stakes,
        level: Level,
    ) -> Option<Share> {
        let looks = Looks::Once;
        Share::of(&mean(
            results,
            Confidence { level, looks },
            Some(stakes.limits()),
        ))
    }

    fn of(estimate: &Estimate) -> Option<Share> {
        Some(Share {
            mean: estimate.value?,
            interval: estimate.interval.map(Interval::ends)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differ(played: i64, finisher: i64) -> MoveComparison<u8> {
        MoveComparison::Differ {
            played,
            finisher,
            instead: vec![7],
        }
    }

    /// Piece 1 loses 30 of 100 games, piece 2 loses 3 and wins 2, piece 3 is never looked at.
    #[test]
    fn a_choice_is_a_mistake_only_if_its_interval_excludes_nothing_lost() {
        let mut tally = PlayTally::default();
        for round in 0..100 {
            let clear = differ(0, i64::from(round % 10 < 3));
            let close = differ(i64::from(round % 50 == 1), i64::from(round % 33 == 2));
            tally.add(vec![
                MoveComparison::Same,
                clear,
                close,
                MoveComparison::Same,
            ]);
        }
        let level = Level::DEFAULT;
        let mistakes = tally.mistakes(Stakes::Wins, level);
        assert_eq!(
            mistakes.iter().map(|found| found.piece).collect::<Vec<_>>(),
            [1]
        );
        // Two decisions were tested.
        assert_eq!(mistakes[0].level, level.shared_by(2));
        let gain = tally.pieces[1].gain(Stakes::Wins, level).unwrap();
        assert!((gain.mean + 0.3).abs() < 1e-9 && gain.interval.hi < -0.2);
        assert_eq!(tally.pieces[1].instead(), [7]);
        assert_eq!(tally.decisions(), 2);
        let play = tally.play(Stakes::Wins, level).unwrap();
        assert!((play.mean + 0.31).abs() < 1e-9);
        assert!(play.interval.lo < -0.31 && -0.31 < play.interval.hi);
    }

    /// A round in which all was at stake may be missing where a choice led elsewhere and all 20 rounds agree nevertheless.
    #[test]
    fn rounds_that_agree_leave_room_for_one_that_differs() {
        let mut tally = PlayTally::default();
        (0..20).for_each(|_| tally.add(vec![differ(1, 1), MoveComparison::Same]));
        assert_eq!(tally.decisions(), 1);
        let most = Stakes::Dollars {
            least: -55,
            most: 205,
        };
        for (stakes, at_stake) in [(Stakes::Wins, 1.0), (most, 260.0)] {
            let play = tally.play(stakes, Level::DEFAULT).unwrap();
            let Span { lo, hi } = play.interval;
            assert_eq!((play.mean, lo), (0.0, -hi));
            // Student's quantile of 19 degrees of freedom.
            assert!(
                (hi - 2.093 * at_stake / 20.0).abs() < 1e-3 * at_stake,
                "{hi}"
            );
        }
    }
}
