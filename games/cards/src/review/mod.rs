//! The share of the player and of the cards in a game that was played.
//!
//! A named player without sight, the *finisher*, is the measure. With `V` the mean result of a game that it plays on
//! from what a person knows,
//!
//! ```text
//! result - V(start) = sum of V(after the player's moves) - V(after the finisher's own moves)    the play
//!                   + sum of V(after a card is turned) - V(before)                              the luck
//! ```
//!
//! `V` is a martingale under the finisher's own moves, so the mean of the luck is 0 whoever plays, and the mean
//! of the play is the difference of the two players' results. Only the play is measured, in imagined worlds; the luck
//! is the rest. It never looks at a hidden card: a world is drawn from what is seen.
//! References: Zare 2000, *A Measure of Luck*; Kakade and Langford 2002 (performance difference lemma); Burch et al.
//! 2018, *AIVAT*.

mod answer;
mod game;
mod inquiry;
mod record;
mod report;
mod summary;
mod terms;
#[cfg(test)]
mod tests;

pub use answer::{NoReviewAnswer, ReviewAnswer};
pub use game::{Finisher, OwnMoves, REPLAYS, ReviewedGame, SingleMove, Stakes, StartValue};
pub use inquiry::{Inquiry, OneWorker, ReviewWork, Workers, quick_review};
pub use record::{Record, RecordPiece};
pub use report::{ResultParts, ReviewReport, ToldMistake};
pub use summary::{PieceTally, ReviewPoint, Share};
pub use terms::{MoveComparison, Review, ReviewDraws};
