//! The random experiments with solitaire, and the verbs that solve, make and play its deals; the game is the
//! crate `solitaire`.

mod close_choices;
mod make;
mod play;
mod review;
mod review_task;
mod settings;
mod solve;
mod tasks;
mod unseen_bound;

use task::{GameSpec, Verb};

/// The game.
pub static GAME: GameSpec = GameSpec {
    name: "solitaire",
    summary: "the game called Klondike today (the book's is `klondike`): wins and optimal scores",
    tasks: &[
        tasks::SCORE,
        unseen_bound::UNSEEN_BOUND,
        close_choices::CLOSE_CHOICES,
        review_task::REVIEW,
    ],
    verbs: &[
        Verb::new::<solve::SolveSolitaire>("solve"),
        Verb::new::<make::MakeSolitaire>("make"),
        Verb::new::<play::PlaySolitaire>("play"),
        Verb::new::<review::ReviewSolitaire>("review"),
    ],
    players: tasks::PLAYERS,
};
