//! The other side of the Universal Game Interface: a built-in player as an engine.
//!
//! Reference: `ugi.md` in kz04px/cutegames; the first player is the hens. The option `Seed`, 64 hex
//! digits, is what the player's stream is made of, so that it plays as it does within etude.
//! Knows players and rules; where lines come from and go to is the caller's.

use std::str::SplitWhitespace;
use strum::VariantNames;

use super::players::{Contestant, PlayerName};
use foxes::board::{BOARDS, Board};
use foxes::game::Game;
use foxes::notation::read_position;
use foxes::position::{Position, Side};
use foxes::rules::{Capture, Rules, Stuck};
use foxes::typed::{read_move, write_move};
use kit::rng::{Stream, stream_of};
use kit::search::Budget;

/// A player that answers the lines of a referee.
pub struct UgiPlayer {
    name: String,
    players: [Option<PlayerName>; 2],
    seated: [Option<Box<dyn Contestant>>; 2],
    rules: Rules,
    seed: [u8; 32],
    streams: [Stream; 2],
    game: Game,
    /// The text of the last position, to which the next one usually adds a move or two.
    told: String,
}

impl UgiPlayer {
    /// The engine of a player's name; of `FOX/HENS`, one player for each side.
    ///
    /// # Errors
    /// If no side has such a player, with the players that there are.
    pub fn new(name: &str) -> Result<Self, (String, String)> {
        let (foxes, hens) = name.split_once('/').unwrap_or((name, name));
        let read = [
            PlayerName::read(foxes, Side::Foxes),
            PlayerName::read(hens, Side::Hens),
        ];
        if let [Err(error), Err(_)] = read {
            return Err(error);
        }
        let rules = Rules::ARSAC;
        Ok(Self {
            name: name.to_owned(),
            players: read.map(Result::ok),
            seated: [None, None],
            rules,
            seed: [0; 32],
            streams: [stream_of([0; 32]), stream_of([0; 32])],
            game: Game::from(rules, rules.start()),
            told: String::new(),
        })
    }

    /// Answers a line; `None` where it asks to end.
    pub fn answer(&mut self, line: &str) -> Option<Vec<String>> {
        let mut words = line.split_whitespace();
        Some(match words.next().unwrap_or_default() {
            "ugi" => self.introduce(),
            "isready" => vec!["readyok".to_owned()],
            "setoption" => said(self.set(line)),
            "uginewgame" => {
                self.begin();
                Vec::new()
            }
            "position" => said(self.place(line.trim())),
            "go" => self.go(words),
            "query" => self.query(words.next().unwrap_or_default()),
            "quit" => return None,
            "" | "stop" => Vec::new(),
            other => said(Err(format!("`{other}` is not known"))),
        })
    }

    fn introduce(&self) -> Vec<String> {
        let combo = |name: &str, usual: &str, words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| format!(" var {word}")).collect();
            format!(
                "option name {name} type combo default {usual}{}",
                words.concat()
            )
        };
        let spin = |name: &str, usual: u32, most: u32| {
            format!("option name {name} type spin default {usual} min 0 max {most}")
        };
        let usual = Rules::ARSAC;
        vec![
            format!("id name etude {}", self.name),
            "id author the authors of etude".to_owned(),
            "option name Seed type string default 0".to_owned(),
            combo("Board", usual.board.name, &BOARDS.map(|board| board.name)),
            combo("Capture", usual.capture.as_ref(), Capture::VARIANTS),
            combo("Stuck", usual.stuck.as_ref(), Stuck::VARIANTS),
            spin("Quiet", usual.quiet, Rules::MOST_QUIET),
            spin("Repetition", usual.repetition, Rules::MOST_REPETITION),
            "ugiok".to_owned(),
        ]
    }

    fn set(&mut self, line: &str) -> Result<(), String> {
        let (name, value) = line
            .split_once(" name ")
            .and_then(|(_, rest)| rest.split_once(" value "))
            .ok_or("write `setoption name NAME value VALUE`")?;
        let value = value.trim();
        let number = |most: u32| {
            let number = value.parse().ok().filter(|&number| number <= most);
            number.ok_or_else(|| format!("`{value}` is not a number from 0 to {most}"))
        };
        let rules = &mut self.rules;
        let known = match name.trim().to_lowercase().as_str() {
            "seed" => {
                self.seed = read_seed(value);
                true
            }
            "board" => Board::named(value)
                .map(|board| rules.board = board)
                .is_some(),
            "capture" => value
                .parse()
                .ok()
                .map(|capture| rules.capture = capture)
                .is_some(),
            "stuck" => value
                .parse()
                .ok()
                .map(|stuck| rules.stuck = stuck)
                .is_some(),
            "quiet" => {
                rules.quiet = number(Rules::MOST_QUIET)?;
                true
            }
            "repetition" => {
                rules.repetition = number(Rules::MOST_REPETITION)?;
                true
            }
            _ => return Err(format!("there is no option `{name}`")),
        };
        if known {
            Ok(())
        } else {
            Err(format!("`{value}` is not a value of `{name}`"))
        }
    }

    /// Forgets earlier matches; both sides draw from the seed.
    fn begin(&mut self) {
        self.streams = [stream_of(self.seed), stream_of(self.seed)];
        self.seated
            .iter_mut()
            .flatten()
            .for_each(|player| player.begin());
        self.game.restart(self.rules, self.rules.start());
        self.told.clear();
    }

    /// `position startpos|fen F [moves ...]`. What the last one said is not played again.
    fn place(&mut self, line: &str) -> Result<(), String> {
        let added = line.strip_prefix(self.told.as_str());
        let added = added.filter(|rest| !self.told.is_empty() && rest.starts_with([' ', '\0']));
        if !self.told.is_empty() && line == self.told {
            return Ok(());
        }
        let moves = match added {
            Some(rest) => rest,
            None => self.restart(line)?,
        };
        self.told.clear();
        let mut words = moves.split_whitespace().peekable();
        words.next_if_eq(&"moves");
        for text in words {
            let play = read_move(text, self.game.rules(), self.game.position())
                .map_err(|error| format!("{text}: {error}"))?;
            self.game.play(play);
        }
        self.told.push_str(line);
        Ok(())
    }

    /// Sets up a first position and gives the moves after it.
    fn restart<'a>(&mut self, line: &'a str) -> Result<&'a str, String> {
        let rest = line
            .strip_prefix("position")
            .unwrap_or_default()
            .trim_start();
        let (start, moves) = match rest.split_once("moves") {
            Some((start, moves)) => (start, moves),
            None => (rest, ""),
        };
        let start = self.read_start(start.trim())?;
        self.game.restart(self.rules, start);
        Ok(moves)
    }

    fn read_start(&self, text: &str) -> Result<Position, String> {
        match text.strip_prefix("fen ") {
            Some(fen) => read_position(fen, self.rules.board).map_err(|error| error.to_string()),
            None if text == "startpos" => Ok(self.rules.start()),
            None => Err("write `position startpos` or `position fen FEN`".to_owned()),
        }
    }

    fn go(&mut self, mut words: SplitWhitespace<'_>) -> Vec<String> {
        let mut budget = Budget::UNLIMITED;
        let mut remarks = Vec::new();
        while let Some(word) = words.next() {
            match (
                word,
                words.clone().next().and_then(|count| count.parse().ok()),
            ) {
                ("nodes", Some(nodes)) => budget = Budget::nodes(nodes),
                ("searchmoves", _) => {
                    remarks = self.remark_on(words);
                    break;
                }
                _ => {}
            }
        }
        if self.game.ending().is_some() {
            return said(Err("the game has ended".to_owned()));
        }
        let side = self.game.position().side;
        let seat = usize::from(side == Side::Hens);
        let Some(name) = &self.players[seat] else {
            return said(Err(format!(
                "{} does not play the {}",
                self.name,
                side.name()
            )));
        };
        let player = self.seated[seat].get_or_insert_with(|| name.build());
        match player.choose(&self.game, &mut self.streams[seat], budget) {
            Ok(choice) => {
                let (nodes, candidates) = (choice.nodes, choice.candidates);
                remarks.push(format!("info nodes {nodes} candidates {candidates}"));
                remarks.push(format!("bestmove {}", write_move(choice.play)));
                remarks
            }
            Err(fault) => said(Err(format!("{fault:?}"))),
        }
    }

    /// Returns the remark on a search that wants fewer moves than are legal.
    fn remark_on(&self, wanted: SplitWhitespace<'_>) -> Vec<String> {
        let mut legal = Vec::new();
        let position = self.game.position();
        self.game.rules().moves(position, &mut legal);
        let wanted: Vec<&str> = wanted.collect();
        if legal
            .iter()
            .all(|&play| wanted.contains(&&*write_move(play)))
        {
            return Vec::new();
        }
        said(Err(
            "searchmoves is not supported: the move is chosen from all legal moves".to_owned(),
        ))
    }

    fn query(&self, question: &str) -> Vec<String> {
        let ending = self.game.ending();
        let answer = match question {
            "gameover" => ending.is_some().to_string(),
            "p1turn" => (self.game.position().side == Side::Hens).to_string(),
            "result" => match ending.map(|ending| ending.winner()) {
                None => "none".to_owned(),
                Some(None) => "draw".to_owned(),
                Some(Some(Side::Hens)) => "p1win".to_owned(),
                Some(Some(Side::Foxes)) => "p2win".to_owned(),
            },
            _ => return said(Err(format!("`{question}` cannot be asked"))),
        };
        vec![format!("response {answer}")]
    }
}

/// Returns an error as a line that a referee passes over.
fn said(result: Result<(), String>) -> Vec<String> {
    match result {
        Ok(()) => Vec::new(),
        Err(message) => vec![format!("info string {message}")],
    }
}

/// 64 hex digits; any other text by its hash.
fn read_seed(text: &str) -> [u8; 32] {
    match blake3::Hash::from_hex(text) {
        Ok(hash) => *hash.as_bytes(),
        Err(_) => *blake3::hash(text.as_bytes()).as_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::rng::Streams;

    fn tell(engine: &mut UgiPlayer, line: &str) -> Vec<String> {
        engine.answer(line).unwrap()
    }

    #[test]
    fn the_handshake_names_every_rule() {
        let mut engine = UgiPlayer::new("search(4)").unwrap();
        let lines = tell(&mut engine, "ugi");
        assert_eq!(lines.first().unwrap(), "id name etude search(4)");
        assert_eq!(lines.last().unwrap(), "ugiok");
        for name in ["Seed", "Board", "Capture", "Stuck", "Quiet", "Repetition"] {
            let option = format!("option name {name} ");
            assert!(lines.iter().any(|line| line.starts_with(&option)), "{name}");
        }
        assert_eq!(engine.answer("quit"), None);
    }

    /// Seed 6: sent as a whole or move by move, a match is the same, and that of the player.
    #[test]
    fn an_engine_plays_as_the_player_it_is() {
        let key = Streams::new(6).key("fox");
        let hex = blake3::Hash::from_bytes(key.seed(3)).to_hex();
        let mut engine = UgiPlayer::new("random").unwrap();
        tell(&mut engine, &format!("setoption name Seed value {hex}"));
        tell(&mut engine, "uginewgame");
        let mut stream = key.stream(3);
        let mut player = PlayerName::read("random", Side::Hens).unwrap().build();
        let rules = Rules::ARSAC;
        let mut game = Game::from(rules, rules.start());
        let mut line = "position startpos moves".to_owned();
        for _ in 0..8 {
            let choice = player
                .choose(&game, &mut stream, Budget::UNLIMITED)
                .unwrap();
            let text = if line.ends_with("moves") {
                "position startpos"
            } else {
                &line
            };
            assert_eq!(tell(&mut engine, text), Vec::<String>::new());
            let said = tell(&mut engine, "go nodes 100 searchmoves a1");
            assert!(said[0].starts_with("info string searchmoves is not supported"));
            assert_eq!(said[2], format!("bestmove {}", write_move(choice.play)));
            game.play(choice.play);
            line.push_str(&format!(" {}", write_move(choice.play)));
            let mut legal = Vec::new();
            rules.moves(game.position(), &mut legal);
            game.play(legal[0]);
            line.push_str(&format!(" {}", write_move(legal[0])));
        }
    }

    #[test]
    fn wrong_commands_are_reported_and_skipped() {
        let mut engine = UgiPlayer::new("arsac").unwrap();
        for line in [
            "fly",
            "setoption name Board value moon",
            "setoption name Hash value 3",
            "setoption Board",
            "setoption name Quiet value 10001",
            "setoption name Repetition value 101",
            "position fen x",
            "position startpos moves a1-a9",
            "go",
            "query weather",
        ] {
            let said = tell(&mut engine, line);
            assert!(said[0].starts_with("info string "), "{line}: {said:?}");
        }
        assert_eq!(tell(&mut engine, "query p1turn"), ["response true"]);
        assert_eq!(tell(&mut engine, "query result"), ["response none"]);
        assert!(UgiPlayer::new("nobody").is_err());
    }
}
