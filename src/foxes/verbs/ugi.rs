//! `ugi foxes PLAYER`: a built-in player as an engine for other programs.

use super::super::ugi::UgiPlayer;
use base::Failure;
use clap::Args;
use task::{Console, VerbOptions};

/// `etude ugi foxes`.
#[derive(Debug, Args)]
#[command(
    about = "Play as an engine over the Universal Game Interface",
    after_help = "Examples:
  etude ugi foxes 'search(4)'
      both sides, four plies ahead
  etude ugi foxes arsac/safe
      one player for each side, FOX/HENS"
)]
pub struct UgiFoxes {
    /// The player, from `etude list players`
    player: String,
}

impl VerbOptions for UgiFoxes {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let mut engine = UgiPlayer::new(&self.player)
            .map_err(|(message, help)| Failure::input("PLAYER", message, help))?;
        while let Some(line) = console.ask("") {
            match engine.answer(&line) {
                Some(said) if !said.is_empty() => console.answer(&said.join("\n")),
                Some(_) => {}
                None => break,
            }
        }
        Ok(())
    }
}
