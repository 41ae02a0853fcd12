//! An answer to a piece of work, as workers without shared memory hand it over.

use super::game::SingleMove;
use super::inquiry::ReviewWork;
use super::terms::MoveComparison;
use std::fmt;
use std::str::FromStr;

/// The answer to a numbered piece of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewAnswer<S> {
    /// The worth of decisions in one world each.
    Round(Vec<MoveComparison<S>>),
    /// The result of a game.
    Game(i64),
}

/// A text that is no answer, or names no work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no part of a review")]
pub struct NoReviewAnswer;

impl<S> ReviewAnswer<S> {
    /// The comparisons of a round.
    pub(super) fn round(self) -> Option<Vec<MoveComparison<S>>> {
        match self {
            ReviewAnswer::Round(round) => Some(round),
            ReviewAnswer::Game(_) => None,
        }
    }

    /// The result of a game.
    pub(super) fn game(self) -> Option<i64> {
        match self {
            ReviewAnswer::Round(_) => None,
            ReviewAnswer::Game(result) => Some(result),
        }
    }
}

/// `7`, or `round` and the comparisons, each behind a comma: empty, or `PLAYED/FINISHER/MOVE;MOVE`.
impl<S: SingleMove> fmt::Display for ReviewAnswer<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReviewAnswer::Game(result) => write!(f, "{result}"),
            ReviewAnswer::Round(round) => {
                f.write_str("round")?;
                round.iter().try_for_each(|one| write!(f, ",{one}"))
            }
        }
    }
}

impl<S: SingleMove> fmt::Display for MoveComparison<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MoveComparison::Differ {
            played,
            finisher,
            instead,
        } = self
        else {
            return Ok(());
        };
        write!(f, "{played}/{finisher}/")?;
        instead.iter().try_for_each(|single| write!(f, "{single};"))
    }
}

impl<S: SingleMove> FromStr for ReviewAnswer<S> {
    type Err = NoReviewAnswer;

    fn from_str(text: &str) -> Result<ReviewAnswer<S>, NoReviewAnswer> {
        let Some(round) = text.strip_prefix("round") else {
            return text
                .parse()
                .map(ReviewAnswer::Game)
                .map_err(|_| NoReviewAnswer);
        };
        let comparisons = round.split(',').skip(1).map(str::parse);
        Ok(ReviewAnswer::Round(comparisons.collect::<Result<_, _>>()?))
    }
}

impl<S: SingleMove> FromStr for MoveComparison<S> {
    type Err = NoReviewAnswer;

    fn from_str(text: &str) -> Result<MoveComparison<S>, NoReviewAnswer> {
        if text.is_empty() {
            return Ok(MoveComparison::Same);
        }
        let mut parts = text.splitn(3, '/');
        let mut part = || parts.next().ok_or(NoReviewAnswer);
        let result = |text: &str| text.parse().map_err(|_| NoReviewAnswer);
        Ok(MoveComparison::Differ {
            played: result(part()?)?,
            finisher: result(part()?)?,
            instead: (part()?.split_terminator(';'))
                .map(|single| S::written(single).ok_or(NoReviewAnswer))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl fmt::Display for ReviewWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReviewWork::Rounds => f.write_str("rounds"),
            ReviewWork::Again(piece) => write!(f, "again-{piece}"),
            ReviewWork::Replays => f.write_str("replays"),
            ReviewWork::OtherDeals => f.write_str("other-deals"),
        }
    }
}

impl FromStr for ReviewWork {
    type Err = NoReviewAnswer;

    fn from_str(text: &str) -> Result<ReviewWork, NoReviewAnswer> {
        match text {
            "rounds" => Ok(ReviewWork::Rounds),
            "replays" => Ok(ReviewWork::Replays),
            "other-deals" => Ok(ReviewWork::OtherDeals),
            text => {
                let piece = text.strip_prefix("again-").ok_or(NoReviewAnswer)?;
                piece
                    .parse()
                    .map(ReviewWork::Again)
                    .map_err(|_| NoReviewAnswer)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Step(u8);

    impl fmt::Display for Step {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "step {}", self.0)
        }
    }

    impl SingleMove for Step {
        fn written(text: &str) -> Option<Step> {
            text.strip_prefix("step ")?.parse().ok().map(Step)
        }
    }

    #[test]
    fn answers_and_work_are_read_as_they_were_written() {
        let differ = MoveComparison::Differ {
            played: -52,
            finisher: 3,
            instead: vec![Step(7), Step(1)],
        };
        let round = ReviewAnswer::Round(vec![differ.clone(), MoveComparison::Same, differ]);
        let written = round.to_string();
        assert_eq!(written, "round,-52/3/step 7;step 1;,,-52/3/step 7;step 1;");
        assert_eq!(written.parse(), Ok(round));
        for answer in [ReviewAnswer::Game(-7), ReviewAnswer::Round(Vec::new())] {
            assert_eq!(answer.to_string().parse::<ReviewAnswer<Step>>(), Ok(answer));
        }
        for wrong in ["", "round,1/2", "round,1/x/", "round,1/2/leap;", "1.5"] {
            let read = wrong.parse::<ReviewAnswer<Step>>();
            assert_eq!(read, Err(NoReviewAnswer), "{wrong}");
        }
        let again = ReviewWork::Again(12);
        for work in [
            ReviewWork::Rounds,
            again,
            ReviewWork::Replays,
            ReviewWork::OtherDeals,
        ] {
            assert_eq!(work.to_string().parse(), Ok(work));
        }
        assert_eq!("again-x".parse::<ReviewWork>(), Err(NoReviewAnswer));
    }
}
