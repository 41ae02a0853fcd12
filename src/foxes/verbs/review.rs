//! `review foxes`: what each move of a game cost the side that made it.

use super::PositionOptions;
use crate::input::{InputFile, integer_within};
use base::Failure;
use clap::{ArgGroup, Args};
use foxes::alphabeta::MAX_DEPTH;
use foxes::game::Game;
use foxes::record::MatchRecord;
use foxes::review::{DEPTH, MatchReview, MoveWorth};
use foxes::typed::{read_move, write_move};
use task::{Console, TableCell, VerbOptions};

/// `etude review foxes`.
#[derive(Debug, Args)]
#[command(
    about = "What did each move cost? Values are in hundredths of a hen for the side that moved; a win is \
             1000000 minus the plies to it",
    group(ArgGroup::new("source").required(true).args(["load", "moves"])),
    after_help = "Examples:
  etude review foxes --load game.txt
      a match that `save` in `etude play foxes` wrote
  etude review foxes --moves \"a4-a5 c5-c6 a5-b5\" --depth 8 --format json
      from the start, deeper, as data"
)]
pub struct ReviewFoxes {
    /// A saved match
    #[arg(
        long,
        value_name = "FILE",
        value_parser = InputFile::read,
        conflicts_with_all = super::PLACE,
    )]
    load: Option<InputFile>,
    /// The moves from the position on, with blanks between them
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Plies to search beyond each move
    #[arg(long, value_name = "N", default_value_t = DEPTH.into(), value_parser = integer_within(1..=MAX_DEPTH.into()))]
    depth: u64,
    #[command(flatten)]
    position: PositionOptions,
}

impl VerbOptions for ReviewFoxes {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let record = self.record()?;
        console.progress("reviewing the game");
        let review = MatchReview::of(&record, self.depth as u32);
        console.columns(&["move", "side", "played", "value", "better", "best"]);
        for (number, one) in (1_u64..).zip(&review.moves) {
            console.row(&[
                number.into(),
                one.side.name().into(),
                write_move(one.played).into(),
                cell(one.worth),
                write_move(one.better).into(),
                cell(one.best),
            ]);
        }
        review.lines().iter().for_each(|line| console.note(line));
        Ok(())
    }
}

fn cell(worth: MoveWorth) -> TableCell {
    i64::from(worth.0).into()
}

impl ReviewFoxes {
    fn record(&self) -> Result<MatchRecord, Failure> {
        if let Some(file) = &self.load {
            return super::read_record(file);
        }
        let (rules, start) = self.position.read_open()?;
        let (mut game, mut moves) = (Game::from(rules, start), Vec::new());
        let texts = self.moves.iter().flat_map(|texts| texts.split_whitespace());
        for (number, text) in (1..).zip(texts) {
            let place = format!("--moves, move {number}");
            if let Some(ending) = game.ending() {
                let message = format!("`{text}` comes after the end: {}", ending.sentence());
                return Err(Failure::input(place, message, "leave it out"));
            }
            let play = read_move(text, game.rules(), game.position())
                .map_err(|error| Failure::input(place, error.to_string(), error.help))?;
            game.play(play);
            moves.push(play);
        }
        Ok(MatchRecord {
            rules,
            fox: "foxes".to_owned(),
            hens: "hens".to_owned(),
            start,
            moves,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::play::PlayFoxes;
    use super::*;
    use base::FailureKind;
    use task::{Script, Verb};

    fn review(options: &[&str]) -> Result<Script, Failure> {
        Script::default().run(&Verb::new::<ReviewFoxes>("review"), options)
    }

    /// The hen that steps up loses the game at once: the foxes need one more hen.
    #[test]
    fn a_game_is_reviewed_from_its_moves_from_its_file_and_at_its_end() {
        let position = "--position=3/3/4f1h/7/f6/3/3 h 11";
        let moves = review(&[position, "--moves=g5-f5 e5xg5:f5"]).unwrap();
        assert_eq!(moves.column(1), ["hens", "foxes"]);
        assert_eq!(moves.column(2), ["g5-f5", "e5xg5:f5"]);
        assert_eq!(moves.column(3), ["-999998", "999999"]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.txt").display().to_string();
        let (save, options) = (format!("save {path}"), [position, "--opponent=random"]);
        let answers = ["g5-f5", "review", &save, "quit"];
        let play = Verb::new::<PlayFoxes>("play");
        let played = Script::answering(&answers).run(&play, &options).unwrap();
        let loaded = review(&["--load", &path]).unwrap();
        assert_eq!(moves.rows, loaded.rows);
        assert!(loaded.notes.iter().all(|line| played.heard(line)));
        assert!(loaded.heard("no move of the foxes cost half a hen"));
    }

    #[test]
    fn a_move_that_cannot_be_played_is_refused_at_its_place() {
        let refused = |moves: &str| review(&[&format!("--moves={moves}")]).err().unwrap();
        let place = |moves: &str| refused(moves).place;
        assert_eq!(place("a4-a5 c5-c6 a5-a7"), "--moves, move 3");
        let over = review(&[
            "--position=3/3/4f1h/7/f6/3/3 h 11",
            "--moves=g5-f5 e5xg5:f5 e5-e6",
        ]);
        assert!(over.err().unwrap().message.contains("comes after the end"));
        assert_eq!(review(&[]).err().unwrap().kind, FailureKind::Usage);
    }
}
