//! The verb `review`: was it you or the cards?

use super::review_task::finisher;
use super::settings::GivenRules;
use crate::cards::advise::player;
use crate::cards::review::{ReviewOptions, refuse_middle};
use base::Failure;
use cards::advice::CardPlayer;
use clap::Args;
use solitaire::players::single_moves;
use solitaire::review::{Record, SolitaireFinisher};
use solitaire::seat::SolitaireSeat;
use task::{Console, VerbOptions};

/// `etude review solitaire`.
#[derive(Debug, Args)]
#[command(
    about = "Was it you or the cards? What your moves and what luck did to the result of a game",
    after_help = "Examples:
  etude review solitaire --seed 7 --index 3 --moves \"5 f; 6 f; d; d\"
      a game on the deal that `etude play solitaire --seed 7 --index 3` deals
  etude review solitaire --deal \"...\" --moves \"...\" --playouts 100 --format json
      sooner and with wider intervals, as data"
)]
pub struct ReviewSolitaire {
    #[command(flatten)]
    game: ReviewOptions,
    /// The player that the game is measured against: `turns(PLAYER)` or `macros(PLAYER)`
    #[arg(long, value_name = "PLAYER", value_parser = player, default_value_t = SolitaireFinisher::FOR_PEOPLE.player().clone())]
    finisher: CardPlayer,
    #[command(flatten)]
    rules: GivenRules,
}

impl VerbOptions for ReviewSolitaire {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let dealt = self.game.dealt(&self.rules.rules()?)?;
        if dealt.deal.is_none() {
            return Err(refuse_middle());
        }
        let seat = SolitaireSeat(dealt.round);
        let line = single_moves(seat.0, &self.game.plays(&seat)?);
        let finisher = finisher("finisher", self.finisher)?;
        (self.game).review(&Record::cut(seat.0, &line), &finisher, console)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solitaire::play::PlaySolitaire;
    use base::FailureKind;
    use task::{Script, Verb};

    fn review(options: &[&str]) -> Result<Script, Failure> {
        Script::default().run(&Verb::new::<ReviewSolitaire>("review"), options)
    }

    /// Seed 3, sample 0: three draws, and then the person stops.
    #[test]
    fn a_review_is_the_same_after_the_game_and_by_itself_and_adds_up() {
        let verb = Verb::new::<PlaySolitaire>("play");
        let script = Script::answering(&["d", "d", "d", "quit"]);
        let played = script.run(&verb, &["--seed=3"]).unwrap();
        let options = [
            "--seed=3",
            "--moves=draw; d;d",
            "--playouts=50",
            "--review-seed=3",
        ];
        let reviewed = review(&options).unwrap();
        assert!(
            played.notes.ends_with(&reviewed.notes),
            "{:?}",
            played.notes
        );
        assert_eq!(
            reviewed.column(0)[..4],
            ["start", "cards", "play", "result"]
        );
        let hundredths = |text: &String| (100.0 * text.parse::<f64>().unwrap()).round() as i64;
        let values: Vec<i64> = reviewed.column(1)[..4].iter().map(hundredths).collect();
        assert_eq!(values[0] + values[1] + values[2], values[3]);
        assert!(reviewed.heard("You lost: 0 of 52 cards on the foundations."));
        let par = "par of this deal: a player who sees what you see wins it ";
        assert!(reviewed.heard(par));
    }

    #[test]
    fn a_game_that_cannot_be_reviewed_is_refused_at_its_place() {
        let refused = |options: &[&str]| {
            let error = review(options).err().unwrap();
            (error.place, error.message)
        };
        let (place, message) = refused(&["--seed=3", "--moves=d; 1 7; d"]);
        assert_eq!(place, "--moves");
        assert_eq!(message, "move 2, `1 7`, cannot be played there");
        let begun = "foundations: KH KD JC JS | KC | KS | -- | -- | -- | -- | -- | QC QS";
        assert_eq!(refused(&["--moves=d", "--deal", begun]).0, "--deal");
        let hidden = "--deal=foundations: KH KD JC JS | KC | KS | -- | -- | -- | -- | -- | ?? ??";
        assert_eq!(refused(&["--moves=d", hidden]).0, "--deal");
        let finisher = refused(&["--seed=3", "--moves=d", "--finisher=greedy"]);
        assert_eq!(finisher.0, "--finisher");
        for options in [
            &["--moves=d"][..],
            &["--seed=3", "--moves=d", "--playouts=1"],
        ] {
            assert_eq!(review(options).err().unwrap().kind, FailureKind::Usage);
        }
    }
}
