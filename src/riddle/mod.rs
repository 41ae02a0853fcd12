//! The random experiments with riddle chess, its verbs, and riddles as people write them; the game is the
//! crate `riddle`.

mod tasks;
mod verbs;
pub mod written;

use task::GameSpec;

/// The game: its tasks and verbs.
pub static GAME: GameSpec = GameSpec {
    name: "riddle",
    summary: "Riddle chess: find hidden colourless pieces from the threats they make (the \"Divine generator\").",
    tasks: &[tasks::GENERATE, tasks::UNIQUE, tasks::CLUES, tasks::BIAS],
    verbs: verbs::VERBS,
    players: &[],
};
