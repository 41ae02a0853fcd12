//! `ugi foxes PLAYER`: a built-in player as an engine for other programs.

use super::super::ugi::UgiPlayer;
use lab::task::{Arguments, Console, Verb, VerbError, VerbOption};

pub(super) const UGI: Verb = Verb {
    name: "ugi",
    summary: "play as an engine over the Universal Game Interface",
    examples: &[
        (
            "etude ugi foxes 'search(4)'",
            "both sides, four plies ahead",
        ),
        (
            "etude ugi foxes arsac/safe",
            "one player for each side, FOX/HENS",
        ),
    ],
    options: &[VerbOption::operand(
        "player",
        "PLAYER",
        "the player, from `etude list players`",
    )],
    run,
};

fn run(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let name = arguments.text("player").unwrap_or_default();
    let mut engine = UgiPlayer::new(name)
        .map_err(|(message, help)| VerbError::usage("PLAYER", message, help))?;
    while let Some(line) = console.ask("") {
        match engine.answer(&line) {
            Some(said) if !said.is_empty() => console.answer(&said.join("\n")),
            Some(_) => {}
            None => break,
        }
    }
    Ok(())
}
