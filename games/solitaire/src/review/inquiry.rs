//! The question about a game, the work that it takes, and its answer.

use super::answer::ReviewAnswer;
use super::finisher::{Finisher, REPLAYS, StartValue, result};
use super::record::Record;
use super::report::{ReviewReport, ToldMistake, told_mistake};
use super::summary::{PieceTally, PlayTally, Share};
use super::terms::{Review, ReviewDraws};
use crate::players::PlayerMemory;
use kit::rng::Streams;
use stats::{Bounded, Dependence, Histogram, Level, Limited, Span, difference_interval};

/// A question about a game: was it the player or the cards?
#[derive(Clone, Copy, Debug)]
pub struct Inquiry<'a> {
    /// The game.
    pub record: &'a Record,
    /// The player that it is measured against.
    pub finisher: &'a Finisher,
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
pub trait Workers {
    /// The first `count` answers of some work, in order.
    fn answers(&mut self, inquiry: &Inquiry<'_>, work: ReviewWork, count: u64)
    -> Vec<ReviewAnswer>;
}

/// One worker does one piece after the other.
impl Workers for PlayerMemory {
    fn answers(
        &mut self,
        inquiry: &Inquiry<'_>,
        work: ReviewWork,
        count: u64,
    ) -> Vec<ReviewAnswer> {
        let numbers = 0..count;
        let answers = numbers.map(|number| inquiry.measure(work, number, self));
        answers.collect()
    }
}

impl Inquiry<'_> {
    /// Does one numbered piece of work. It depends on nothing but the game, the finisher and the seed.
    pub fn measure(
        &self,
        work: ReviewWork,
        number: u64,
        memory: &mut PlayerMemory,
    ) -> ReviewAnswer {
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
                ReviewAnswer::Game(self.finisher.finish(self.record.start, memory, draws))
            }
            ReviewWork::OtherDeals => {
                let rules = self.record.start.table().rules();
                let draws = (&streams.key("other deals"), number);
                ReviewAnswer::Game(self.finisher.play_other(rules, memory, draws))
            }
        }
    }

    /// Reviews the game; `None` without playouts, or where some work was not done.
    pub fn answer(&self, workers: &mut impl Workers) -> Option<ReviewReport> {
        let mut tally = PlayTally::default();
        let rounds = workers.answers(self, ReviewWork::Rounds, self.playouts);
        let rounds = rounds.into_iter().filter_map(ReviewAnswer::round);
        rounds.for_each(|round| tally.add(round));
        let replays = self.games(ReviewWork::Replays, REPLAYS, workers);
        let start = self.start(workers)?;
        let play = tally.play(Level::DEFAULT)?;
        let result = result(&self.record.end);
        let rules = self.record.end.table().rules();
        Some(ReviewReport {
            result,
            cards: self.record.end.score(),
            is_money: rules.passes.is_some(),
            start,
            play,
            luck: rest(result, start, play),
            replays: replays.into_iter().sum(),
            mistakes: self.mistakes(&tally, workers),
            curve: tally.curve(self.record, Level::DEFAULT),
            decisions: tally.decisions(),
            playouts: self.playouts,
            finisher: self.finisher.player().to_string(),
        })
    }

    fn review<'a>(&'a self, draws: &'a ReviewDraws) -> Review<'a> {
        Review {
            record: self.record,
            finisher: self.finisher,
            draws,
            index: 0,
        }
    }

    fn games(&self, work: ReviewWork, count: u64, workers: &mut impl Workers) -> Vec<i64> {
        let games = workers.answers(self, work, count).into_iter();
        games.filter_map(ReviewAnswer::game).collect()
    }

    /// The finisher's mean: known, or measured on as many other deals as there are playouts.
    fn start(&self, workers: &mut impl Workers) -> Option<Share> {
        let rules = self.record.start.table().rules();
        if let Some(StartValue { mean, interval }) = StartValue::known(rules, self.finisher) {
            return Some(Share { mean, interval });
        }
        let mut results = Bounded::<Histogram>::default();
        let games = self.games(ReviewWork::OtherDeals, self.playouts, workers);
        games.into_iter().for_each(|result| results.push(result));
        Share::of_results(&results, rules, Level::DEFAULT)
    }

    /// The mistakes that are found again with other draws. The most of many noisy costs is too great, so only the
    /// costs found again are told.
    fn mistakes(&self, tally: &PlayTally, workers: &mut impl Workers) -> Vec<ToldMistake> {
        let rules = self.record.start.table().rules();
        let found = tally.mistakes(self.record, Level::DEFAULT);
        let level = Level::DEFAULT.shared_by(found.len());
        let again = found.into_iter().filter_map(|mistake| {
            let work = ReviewWork::Again(mistake.piece);
            let compared = workers.answers(self, work, self.playouts).into_iter();
            let mut again = PieceTally::default();
            let compared = compared.filter_map(ReviewAnswer::round).flatten();
            compared.for_each(|one| again.add(one));
            let gain = again.gain(rules, level)?;
            let instead = tally.pieces[mistake.piece].instead();
            let piece = &self.record.pieces[mistake.piece];
            (gain.interval.hi < 0.0).then(|| told_mistake(piece, instead, gain))
        });
        let mut told: Vec<_> = again.collect();
        told.sort_by(|one, other| one.gain.mean.total_cmp(&other.gain.mean));
        told
    }
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
