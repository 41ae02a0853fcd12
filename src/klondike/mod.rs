//! The random experiments with the Klondike casino, and the verbs that solve and play it; the game is the
//! crate `klondike`.

mod hidden_bound;
mod hidden_value;
mod params;
mod play;
mod review;
mod solve;
mod story;
mod tasks;
mod tree;

use task::{GameSpec, Verb};

/// The game.
pub static GAME: GameSpec = GameSpec {
    name: "klondike",
    summary: "the Klondike casino, now known as Russian Solitaire: optimal scores (Wetherell, ch. 19)",
    tasks: &[
        tasks::SCORE,
        hidden_value::HIDDEN_VALUE,
        hidden_bound::HIDDEN_BOUND,
        tree::TREE,
    ],
    verbs: &[
        Verb::new::<solve::SolveKlondike>("solve"),
        Verb::new::<play::PlayKlondike>("play"),
        Verb::new::<review::ReviewKlondike>("review"),
    ],
    players: tasks::PLAYERS,
};
