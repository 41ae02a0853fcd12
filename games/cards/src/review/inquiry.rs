//! The question about a game, the work that it takes, and its answer.

use super::answer::ReviewAnswer;
use super::game::{Finisher, REPLAYS, ReviewedGame, Stakes, StartValue};
use super::record::Record;
use super::report::{ReviewReport, ToldMistake, told_mistake};
use super::summary::{PieceTally, PlayTally, Share};
use super::terms::{Review, ReviewDraws, SingleOf};
use kit::rng::Streams;
use stats::{Bounded, Dependence, Histogram, Level, Limited, Span, difference_interval};

/// A question about a game: was it the player or the cards?
pub struct Inquiry<'a, F: Finisher> {
    /// The game.
    pub record: &'a Record<F::Game>,
    /// The player that it is measured against.
    pub finisher: &'a F,
    /// The worlds in which each decision is measured.
    pub playouts: u64,
    /// The seed of the draws.
    pub seed: u64,
}

/// A kind of work, in numbered pieces none of which depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReviewWork {
    /// All decisions of the game, in worlds that go on from one to the next.
    Rounds,
    /// The decision at a piece of the record once more, with other draws.
    Again(usize),
    /// Games of the finisher on this deal.
    Replays,
    /// Games of the finisher on other deals.
    OtherDeals,
}

/// Whoever does the work.
pub trait Workers<F: Finisher> {
    /// The first `count` answers of some work, in order.
    fn answers(
        &mut self,
        inquiry: &Inquiry<'_, F>,
        work: ReviewWork,
        count: u64,
    ) -> Vec<ReviewAnswer<SingleOf<F>>>;
}

/// One worker, who does one piece after the other.
pub struct OneWorker<F: Finisher>(F::Memory);

impl<F: Finisher> Default for OneWorker<F> {
    fn default() -> Self {
        OneWorker(F::Memory::default())
    }
}

impl<F: Finisher> Workers<F> for OneWorker<F> {
    fn answers(
        &mut self,
        inquiry: &Inquiry<'_, F>,
        work: ReviewWork,
        count: u64,
    ) -> Vec<ReviewAnswer<SingleOf<F>>> {
        let numbers = 0..count;
        let answers = numbers.map(|number| inquiry.measure(work, number, &mut self.0));
        answers.collect()
    }
}

impl<F: Finisher> Inquiry<'_, F> {
    /// Does one numbered piece of work. It depends on nothing but the game, the finisher and the seed.
    pub fn measure(
        &self,
        work: ReviewWork,
        number: u64,
        memory: &mut F::Memory,
    ) -> ReviewAnswer<SingleOf<F>> {
        let streams = Streams::new(self.seed);
        match work {
            ReviewWork::Rounds => {
                let draws = ReviewDraws::new(&streams, "review");
                ReviewAnswer::Round(self.review(&draws).imagine(number, memory))
            }
            ReviewWork::Again(piece) => {
                let draws = ReviewDraws::new(&streams, "review again");
                let (review, piece) = (self.review(&draws), self.record.pieces.get(piece));
                let compared = piece.map(|piece| review.imagine_piece(piece, number, memory));
                ReviewAnswer::Round(compared.into_iter().collect())
            }
            ReviewWork::Replays => {
                let draws = (&streams.key("par"), number);
                ReviewAnswer::Game(
                    self.finisher
                        .finish(self.record.start.clone(), memory, draws),
                )
            }
            ReviewWork::OtherDeals => {
                let draws = (&streams.key("other deals"), number);
                let start = &self.record.start;
                ReviewAnswer::Game(self.finisher.play_other(start, memory, draws))
            }
        }
    }

    /// Reviews the game; `None` without playouts, or where some work was not done.
    pub fn answer(&self, workers: &mut impl Workers<F>) -> Option<ReviewReport> {
        let mut tally = PlayTally::default();
        let rounds = workers.answers(self, ReviewWork::Rounds, self.playouts);
        let rounds = rounds.into_iter().filter_map(ReviewAnswer::round);
        rounds.for_each(|round| tally.add(round));
        let replays = self.games(ReviewWork::Replays, REPLAYS, workers);
        let start = self.start(workers)?;
        let play = tally.play(self.stakes(), Level::DEFAULT)?;
        let (game, end) = (F::Game::default(), &self.record.end);
        let result = game.result(end);
        Some(ReviewReport {
            result,
            cards: game.founded(end),
            stakes: self.stakes(),
            start,
            play,
            luck: rest(result, start, play),
            replays: replays.into_iter().sum(),
            mistakes: self.mistakes(&tally, workers),
            curve: tally.curve(self.record, self.stakes(), Level::DEFAULT),
            decisions: tally.decisions(),
            playouts: self.playouts,
            finisher: self.finisher.name(),
        })
    }

    fn stakes(&self) -> Stakes {
        F::Game::default().stakes(&self.record.start)
    }

    fn review<'a>(&'a self, draws: &'a ReviewDraws) -> Review<'a, F> {
        Review {
            record: self.record,
            finisher: self.finisher,
            draws,
            index: 0,
        }
    }

    fn games(&self, work: ReviewWork, count: u64, workers: &mut impl Workers<F>) -> Vec<i64> {
        let games = workers.answers(self, work, count).into_iter();
        games.filter_map(ReviewAnswer::game).collect()
    }

    /// The finisher's mean: known, or measured on as many other deals as there are playouts.
    fn start(&self, workers: &mut impl Workers<F>) -> Option<Share> {
        let known = self.finisher.known_start(&self.record.start);
        if let Some(StartValue { mean, interval }) = known {
            return Some(Share { mean, interval });
        }
        let mut results = Bounded::<Histogram>::default();
        let games = self.games(ReviewWork::OtherDeals, self.playouts, workers);
        games.into_iter().for_each(|result| results.push(result));
        Share::of_results(&results, self.stakes(), Level::DEFAULT)
    }

    /// The mistakes that are found again with other draws. The most of many noisy costs is too great, so only the
    /// costs found again are told.
    fn mistakes(
        &self,
        tally: &PlayTally<SingleOf<F>>,
        workers: &mut impl Workers<F>,
    ) -> Vec<ToldMistake> {
        let stakes = self.stakes();
        let found = tally.mistakes(stakes, Level::DEFAULT);
        let level = Level::DEFAULT.shared_by(found.len());
        let again = found.into_iter().filter_map(|mistake| {
            let work = ReviewWork::Again(mistake.piece);
            let compared = workers.answers(self, work, self.playouts).into_iter();
            let mut again = PieceTally::default();
            let compared = compared.filter_map(ReviewAnswer::round).flatten();
            compared.for_each(|one| again.add(one));
            let gain = again.gain(stakes, level)?;
            let instead = tally.pieces[mistake.piece].instead();
            let piece = &self.record.pieces[mistake.piece];
            (gain.interval.hi < 0.0).then(|| told_mistake(piece, instead, gain))
        });
        let mut told: Vec<_> = again.collect();
        told.sort_by(|one, other| one.gain.mean.total_cmp(&other.gain.mean));
        told
    }
}

/// The worlds in which each decision of a game just played is measured: enough for a few seconds.
const QUICK_REVIEW: u64 = 50;

/// A review of a game just played, in sentences; none if it was no game.
pub fn quick_review<F: Finisher>(record: &Record<F::Game>, finisher: &F, seed: u64) -> Vec<String> {
    let inquiry = Inquiry {
        record,
        finisher,
        playouts: QUICK_REVIEW,
        seed,
    };
    let report = inquiry.answer(&mut OneWorker::default());
    report.map_or_else(Vec::new, |report| report.lines())
}

/// The luck: what is left of the result.
fn rest(result: i64, start: Share, play: Share) -> Share {
    let left = result as f64 - start.mean;
    let Span { lo, hi } = start.interval;
    let at = |value: f64, limits: Span| Limited { value, limits };
    let first = at(left, Span::new(result as f64 - hi, result as f64 - lo));
    let second = at(play.mean, play.interval);
    Share {
        mean: left - play.mean,
        interval: difference_interval(first, second, Dependence::Correlation(0.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distances from the estimates to their ends are added as legs of a right triangle: 3 and 4, 5 and 12.
    #[test]
    fn luck_is_what_start_and_play_leave_of_a_result() {
        let share = |mean, lo, hi| Share {
            mean,
            interval: Span::new(lo, hi),
        };
        let luck = rest(20, share(7.0, 2.0, 10.0), share(-4.0, -16.0, 0.0));
        assert!((luck.mean - 17.0).abs() < 1e-9);
        let Span { lo, hi } = luck.interval;
        assert!(
            (lo - 12.0).abs() < 1e-9 && (hi - 30.0).abs() < 1e-9,
            "{lo} {hi}"
        );
    }
}
