//! The verb `review`: was it you or the cards?

use super::play::read_layout;
use crate::cards::advise::{check, player};
use crate::cards::review::{ReviewOptions, refuse_middle};
use base::Failure;
use cards::advice::CardPlayer;
use cards::tabletop::Tabletop;
use clap::Args;
use klondike::deck::Deck;
use klondike::review::{CasinoFinisher, Record};
use klondike::seat::CasinoSeat;
use task::{Console, VerbOptions};

/// `etude review klondike`.
#[derive(Debug, Args)]
#[command(
    about = "Was it you or the cards? What your moves and what luck did to the dollars that a game left",
    after_help = "Examples:
  etude review klondike --seed 1978 --index 3 --moves \"9C; 5H; AD\"
      a game on the deal that `etude play klondike --seed 1978 --index 3` deals
  etude review klondike --deal \"...\" --moves \"...\" --playouts 100 --format json
      sooner and with wider intervals, as data"
)]
pub struct ReviewKlondike {
    #[command(flatten)]
    game: ReviewOptions,
    /// The player that the game is measured against
    #[arg(long, value_name = "PLAYER", value_parser = player, default_value_t = CardPlayer::ByMoves(CasinoFinisher::FOR_PEOPLE))]
    finisher: CardPlayer,
    /// The layout that was dealt
    #[arg(long, default_value = "yukon")]
    layout: String,
}

impl VerbOptions for ReviewKlondike {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        check::<CasinoSeat>("--finisher", &self.finisher)?;
        let layout = read_layout(&self.layout, Deck::FULL)?;
        let seat = CasinoSeat::new(self.game.dealt(&layout)?);
        if !seat.begins_with_the_deal() {
            return Err(refuse_middle());
        }
        let record = Record::cut(seat.start().clone(), &self.game.plays(&seat)?);
        let finisher = seat.finisher(self.finisher.judge().clone());
        self.game.review(&record, &finisher, console)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::klondike::play::PlayKlondike;
    use task::{Script, Verb};

    fn review(options: &[&str]) -> Result<Script, Failure> {
        Script::default().run(&Verb::new::<ReviewKlondike>("review"), options)
    }

    /// Seed 1978, sample 0: an ace onto a two, and then the person stops.
    #[test]
    fn a_review_is_the_same_after_the_game_and_by_itself_and_adds_up() {
        let verb = Verb::new::<PlayKlondike>("play");
        let script = Script::answering(&["AH", "quit"]);
        let played = script.run(&verb, &["--seed=1978"]).unwrap();
        let options = [
            "--seed=1978",
            "--moves=ah",
            "--playouts=50",
            "--review-seed=1978",
        ];
        let reviewed = review(&options).unwrap();
        assert!(
            played.notes.ends_with(&reviewed.notes),
            "{:?}",
            played.notes
        );
        let parts = ["start", "cards", "play", "result"];
        assert_eq!(reviewed.column(0)[..4], parts);
        let cents = |text: &String| (100.0 * text.parse::<f64>().unwrap()).round() as i64;
        let values: Vec<i64> = reviewed.column(1)[..4].iter().map(cents).collect();
        assert_eq!(values[0], -2837);
        assert_eq!(values[0] + values[1] + values[2], values[3]);
        assert!(reviewed.heard("You lost money: "));
        assert!(reviewed.heard("par of this deal: a player who sees what you see loses $"));
    }

    #[test]
    fn a_game_that_cannot_be_reviewed_is_refused_at_its_place() {
        let refused = |options: &[&str]| {
            let error = review(options).err().unwrap();
            (error.place, error.message)
        };
        let (place, message) = refused(&["--seed=1978", "--moves=ah; ah"]);
        assert_eq!(place, "--moves");
        assert_eq!(message, "move 2, `ah`, cannot be played there");
        let finisher = "--finisher=macros(greedy)";
        let refusal = refused(&["--seed=1978", "--moves=ah", finisher]);
        assert_eq!(refusal.0, "--finisher");
        let begun = "foundations: KC KD JH JS | QH KH | QS KS";
        assert_eq!(refused(&["--moves=qh", "--deal", begun]).0, "--deal");
        let layout = refused(&["--seed=1978", "--moves=ah", "--layout=1:1"]);
        assert_eq!(layout.0, "--layout");
    }
}
