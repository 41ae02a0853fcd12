//! Match records: one match as lines of text that can be read back and checked.
//!
//! ```text
//! etude foxes record 1
//! rules board=cross capture=longest stuck=foxes-win quiet=200 repetition=3
//! fox arsac
//! hens safe
//! position 3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0
//! 1 c4-c5
//! 2 c6xc4:c5
//! end eaten
//! ```
//! Knows the rules and both notations, no files. `end` is missing while a match is unfinished.

use super::board::Board;
use super::game::Game;
use super::moves::Move;
use super::notation::{read_position, write_position};
use super::position::Position;
use super::rules::{Ending, Rules};
use super::typed::{read_move, write_move};

const TITLE: &str = "etude foxes record 1";

/// A match: who played, by which rules, from where, and every move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRecord {
    /// The rules.
    pub rules: Rules,
    /// The foxes' player.
    pub fox: String,
    /// The hens' player.
    pub hens: String,
    /// The first position.
    pub start: Position,
    /// The moves, in order.
    pub moves: Vec<Move>,
}

/// An error: a text is not the record of a legal match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct RecordError {
    /// The line at fault, from 1; one past the end where something is missing.
    pub line: usize,
    /// The fault, as a sentence without its final stop.
    pub message: String,
    /// The expected form.
    pub help: String,
}

impl MatchRecord {
    /// The match after all its moves.
    pub fn game(&self) -> Game {
        let mut game = Game::from(self.rules, self.start);
        for &play in &self.moves {
            game.play(play);
        }
        game
    }

    /// The record as text, one line feed after every line.
    pub fn write(&self) -> String {
        let mut lines = vec![
            TITLE.to_owned(),
            format!("rules {}", write_rules(&self.rules)),
            format!("fox {}", self.fox),
            format!("hens {}", self.hens),
            format!("position {}", write_position(&self.start, self.rules.board)),
        ];
        let moves = self.moves.iter().enumerate();
        lines.extend(moves.map(|(ply, &play)| format!("{} {}", ply + 1, write_move(play))));
        if let Some(ending) = self.game().ending() {
            lines.push(format!("end {}", ending_name(ending)));
        }
        lines.join("\n") + "\n"
    }

    /// Reads a record and checks it: every move legal, none after the end, the stated end right.
    ///
    /// # Errors
    /// The first line that cannot stand, and why.
    pub fn read(text: &str) -> Result<MatchRecord, RecordError> {
        let mut lines = RecordLines::of(text);
        lines.title()?;
        let (_, rules) = lines.field("rules")?;
        let rules = read_rules(rules).map_err(|error| lines.error(error))?;
        let (_, fox) = lines.field("fox")?;
        let (_, hens) = lines.field("hens")?;
        let (_, position) = lines.field("position")?;
        let start = read_position(position, rules.board)
            .map_err(|error| lines.error((error.to_string(), error.help)))?;
        let mut record = MatchRecord {
            rules,
            fox: fox.to_owned(),
            hens: hens.to_owned(),
            start,
            moves: Vec::new(),
        };
        record.read_moves(&mut lines)?;
        Ok(record)
    }

    fn read_moves(&mut self, lines: &mut RecordLines<'_>) -> Result<(), RecordError> {
        let mut game = Game::from(self.rules, self.start);
        while let Some((number, rest)) = lines.next() {
            if number == "end" {
                check_end(&game, rest).map_err(|error| lines.error(error))?;
                return lines.finished();
            }
            let play = self
                .read_ply(&game, number, rest)
                .map_err(|error| lines.error(error))?;
            game.play(play);
            self.moves.push(play);
        }
        match game.ending() {
            None => Ok(()),
            Some(ending) => {
                let message = "the match is over, but its end is not stated".to_owned();
                Err(lines.missing((message, format!("add `end {}`", ending_name(ending)))))
            }
        }
    }

    fn read_ply(&self, game: &Game, number: &str, text: &str) -> Result<Move, (String, String)> {
        let expected = (self.moves.len() + 1).to_string();
        if number != expected {
            return Err((
                format!("`{number}` is not the number of the next ply"),
                format!("this is ply {expected}"),
            ));
        }
        if let Some(ending) = game.ending() {
            return Err((
                "a move after the end of the match".to_owned(),
                ending.sentence().to_owned(),
            ));
        }
        read_move(text, game.rules(), game.position())
            .map_err(|error| (error.to_string(), error.help))
    }
}

fn check_end(game: &Game, stated: &str) -> Result<(), (String, String)> {
    let result = game.ending().map_or("unfinished", ending_name);
    if result == stated {
        return Ok(());
    }
    Err((
        format!("the end is stated as `{stated}`"),
        format!("by the moves it is `{result}`"),
    ))
}

/// The word for an ending in records and tables.
const fn ending_name(ending: Ending) -> &'static str {
    match ending {
        Ending::Square => "square",
        Ending::Block => "block",
        Ending::Eaten => "eaten",
        Ending::Stuck => "stuck",
        Ending::Repetition => "repetition",
        Ending::Quiet => "quiet",
        Ending::FoxesForfeit => "foxes-forfeit",
        Ending::HensForfeit => "hens-forfeit",
        Ending::Unplayed => "unplayed",
    }
}

/// Rules as `name=value` pairs, in a fixed order.
fn write_rules(rules: &Rules) -> String {
    format!(
        "board={} capture={} stuck={} quiet={} repetition={}",
        rules.board.name,
        rules.capture.as_ref(),
        rules.stuck.as_ref(),
        rules.quiet,
        rules.repetition
    )
}

/// Reads `name=value` pairs in any order; what is not named keeps its default.
fn read_rules(text: &str) -> Result<Rules, (String, String)> {
    let mut rules = Rules::ARSAC;
    for pair in text.split_whitespace() {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let understood = match name {
            "board" => Board::named(value).map(|board| rules.board = board),
            "capture" => value.parse().ok().map(|capture| rules.capture = capture),
            "stuck" => value.parse().ok().map(|stuck| rules.stuck = stuck),
            "quiet" => value.parse().ok().map(|quiet| rules.quiet = quiet),
            "repetition" => value.parse().ok().map(|times| rules.repetition = times),
            _ => None,
        };
        understood.ok_or_else(|| {
            let help = format!("write the rules like `{}`", write_rules(&Rules::ARSAC));
            (format!("`{pair}` is not a rule"), help)
        })?;
    }
    Ok(rules)
}

/// The lines that are not blank, with their numbers.
struct RecordLines<'a> {
    lines: std::vec::IntoIter<(usize, &'a str)>,
    number: usize,
}

impl<'a> RecordLines<'a> {
    fn of(text: &'a str) -> Self {
        let lines: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty())
            .collect();
        Self {
            lines: lines.into_iter(),
            number: 0,
        }
    }

    /// The next line's first word and the rest.
    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        let (number, line) = self.lines.next()?;
        self.number = number;
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        Some((first, rest.trim()))
    }

    fn title(&mut self) -> Result<(), RecordError> {
        let first = self.lines.next().map(|(_, line)| line);
        self.number = 1;
        if first == Some(TITLE) {
            return Ok(());
        }
        let message = "this is not the record of a match".to_owned();
        Err(self.error((message, format!("its first line must be `{TITLE}`"))))
    }

    fn field(&mut self, name: &str) -> Result<(&'a str, &'a str), RecordError> {
        let help = || format!("expected a line `{name} ...`");
        match self.next() {
            Some((word, rest)) if word == name => Ok((word, rest)),
            Some((word, _)) => Err(self.error((format!("`{word}` comes too soon"), help()))),
            None => Err(self.missing((format!("the line `{name}` is missing"), help()))),
        }
    }

    fn finished(&mut self) -> Result<(), RecordError> {
        match self.next() {
            None => Ok(()),
            Some((word, _)) => Err(self.error((
                format!("`{word}` after the end"),
                "`end` is the last line".to_owned(),
            ))),
        }
    }

    fn error(&self, (message, help): (String, String)) -> RecordError {
        RecordError {
            line: self.number,
            message,
            help,
        }
    }

    fn missing(&self, told: (String, String)) -> RecordError {
        let error = self.error(told);
        RecordError {
            line: self.number + 1,
            ..error
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::Stuck;
    use super::*;
    use kit::rng::Streams;
    use proptest::prelude::*;

    fn random_record(index: u64) -> MatchRecord {
        let rules = Rules {
            stuck: Stuck::Pass,
            quiet: 40,
            ..Rules::ARSAC
        };
        let mut stream = Streams::new(15).key("record").stream(index);
        let mut game = Game::from(rules, rules.start());
        let (mut moves, mut scratch) = (Vec::new(), Vec::new());
        while game.ending().is_none() && moves.len() < 300 {
            let (play, _) = rules.random_move(game.position(), &mut stream, &mut scratch);
            game.play(play);
            moves.push(play);
        }
        MatchRecord {
            rules,
            fox: "random".into(),
            hens: "random".into(),
            start: rules.start(),
            moves,
        }
    }

    /// Seed 15.
    #[test]
    fn records_of_random_matches_survive_a_round_trip() {
        for index in 0..200 {
            let record = random_record(index);
            assert_eq!(MatchRecord::read(&record.write()), Ok(record));
        }
    }

    #[test]
    fn a_changed_record_is_refused_with_its_line() {
        let text = random_record(0).write();
        let lines = text.lines().count();
        let cases = [
            (text.replace("record 1", "record 2"), 1, "not the record"),
            (
                text.replace("capture=longest", "capture=all"),
                2,
                "`capture=all`",
            ),
            (text.replace("fox random\n", ""), 3, "too soon"),
            (text.replace("hhhhhhh/hhh/", "hhhxhhh/hhh/"), 5, "`x`"),
            (text.replace("\n1 ", "\n2 "), 6, "not the number"),
            (text.replace("\n2 ", "\n2 a1"), 7, "not a cell"),
            (text.replace("end eaten", "end square"), lines, "stated as"),
            (text.replace("end eaten", ""), lines, "not stated"),
            (text.clone() + "end eaten\n", lines + 1, "after the end"),
        ];
        for (changed, line, part) in cases {
            let error = MatchRecord::read(&changed).unwrap_err();
            assert_eq!(error.line, line, "{error}");
            assert!(error.message.contains(part), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_panic(
            head in "(etude foxes record 1\n)?",
            text in "[a-z0-9 =/:,\n-]{0,120}",
        ) {
            let _ = MatchRecord::read(&(head + &text));
        }
    }
}
