//! The registry of players. A player is one file here and one line in [`ENTRIES`].
//!
//! A player sees the game, draws from its own stream only, and may spend a number of nodes, never
//! time. What it chooses is a function of those and of its own earlier moves in the same game.

mod advance;
mod arsac;
mod mcts;
mod perfect;
mod random;
mod safe;
mod search;

use super::game::Game;
use super::moves::Move;
use super::position::Side;
use kit::rng::{Stream, choose};
use kit::search::Budget;

pub use perfect::{Perfect, WonPositions};

/// A player's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move, legal in the game's position.
    pub play: Move,
    /// The number of moves that it thought equally good; the stream decided between them.
    pub candidates: usize,
    /// Positions it examined.
    pub nodes: u64,
}

/// Chooses moves.
pub trait Player {
    /// Forgets all earlier games.
    fn begin(&mut self) {}

    /// Returns a legal move for the side to move; the game has not ended.
    fn choose(&mut self, game: &Game, rng: &mut Stream, budget: Budget) -> Choice;
}

/// An integer in the parentheses after a player's name.
#[derive(Debug)]
struct Argument {
    /// A description in a few words.
    pub(crate) name: &'static str,
    /// Least value.
    pub(crate) min: u64,
    /// Greatest value.
    pub(crate) max: u64,
    /// The value where it is left out; `None` where it may not be.
    pub(crate) default: Option<u64>,
}

/// A player as the registry knows it.
#[derive(Debug)]
pub struct PlayerEntry {
    /// The player's name with the arguments in its parentheses.
    pub title: &'static str,
    /// The side that it plays: `foxes`, `hens` or `both`.
    pub side: &'static str,
    /// The way it plays, in a line.
    pub summary: &'static str,
    /// The arguments in its parentheses.
    arguments: &'static [Argument],
    /// The way in which it is made.
    pub build: PlayerBuild,
}

impl PlayerEntry {
    /// The name before the parentheses.
    pub fn name(&self) -> &'static str {
        let name = self.title;
        name.split_once('(').map_or(name, |(name, _)| name)
    }

    /// Returns whether it plays a side.
    pub fn plays(&self, side: Side) -> bool {
        ["both", side.name()].contains(&self.side)
    }

    /// Reads the numbers in the parentheses.
    ///
    /// # Errors
    /// The defect of an argument, and advice.
    pub fn read_arguments(&self, given: &[&str]) -> Result<Vec<u64>, (String, String)> {
        let help = || format!("write `{}`", self.title);
        if given.len() > self.arguments.len() {
            let message = format!("`{}` takes {} arguments", self.name(), self.arguments.len());
            return Err((message, help()));
        }
        let value = |(index, argument): (usize, &Argument)| match given.get(index) {
            None => argument.default.ok_or_else(|| {
                let message = format!("`{}` needs its {}", self.name(), argument.name);
                (message, help())
            }),
            Some(text) => argument.read(text),
        };
        self.arguments.iter().enumerate().map(value).collect()
    }
}

/// The way in which a player is made.
#[derive(Clone, Copy, Debug)]
pub enum PlayerBuild {
    /// A player made from one checked value per argument.
    WithNumbers(fn(&[u64]) -> Box<dyn Player>),
    /// [`Perfect`], made from the tables of a proof, which the caller reads.
    WithTables,
}

/// All players.
pub const ENTRIES: [PlayerEntry; 8] = [
    random::ENTRY,
    arsac::ENTRY,
    advance::ENTRY,
    safe::ENTRY,
    safe::ADVANCING,
    search::ENTRY,
    mcts::ENTRY,
    perfect::ENTRY,
];

impl Argument {
    /// Reads a value.
    ///
    /// # Errors
    /// The defect of the value, and advice.
    pub(crate) fn read(&self, text: &str) -> Result<u64, (String, String)> {
        let digits = text.replace('_', "");
        match digits.parse::<u64>() {
            // No player has two names: `04` is none.
            Ok(value) if (self.min..=self.max).contains(&value) && value.to_string() == digits => {
                Ok(value)
            }
            _ => Err((
                format!("the {} is `{text}`", self.name),
                format!("give an integer from {} to {}", self.min, self.max),
            )),
        }
    }
}

/// The moves a player thinks equally good so far, by a score to be minimised.
#[derive(Debug, Default)]
struct Best {
    score: Option<i64>,
    moves: Vec<Move>,
    seen: u64,
}

impl Best {
    fn clear(&mut self) {
        self.score = None;
        self.moves.clear();
        self.seen = 0;
    }

    #[inline]
    fn offer(&mut self, play: Move, score: i64) {
        self.seen += 1;
        if self.score.is_some_and(|best| best < score) {
            return;
        }
        if self.score != Some(score) {
            self.score = Some(score);
            self.moves.clear();
        }
        self.moves.push(play);
    }

    fn choice(&self, rng: &mut Stream) -> Choice {
        Choice {
            play: choose(rng, &self.moves).copied().unwrap_or(Move::PASS),
            candidates: self.moves.len(),
            nodes: self.seen,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::opening::Opening;
    use super::super::rules::Rules;
    use super::*;
    use kit::rng::Streams;

    /// Seed 14: every player, from 40 random openings on, with few nodes and with plenty.
    #[test]
    fn every_player_chooses_legal_moves_everywhere() {
        let mut stream = Streams::new(14).key("players").stream(0);
        let rules = Rules::ARSAC;
        for plies in 0..40 {
            let opening = Opening {
                root: rules.start(),
                missing: plies % 4,
                plies,
            };
            let game = Game::from(rules, opening.draw(&rules, &mut stream));
            let mut legal = Vec::new();
            rules.moves(game.position(), &mut legal);
            for entry in &ENTRIES {
                let PlayerBuild::WithNumbers(build) = entry.build else {
                    continue;
                };
                if entry.plays(game.position().side) {
                    let mut player = build(&[3, 500]);
                    for budget in [Budget::UNLIMITED, Budget::nodes(2)] {
                        let choice = player.choose(&game, &mut stream, budget);
                        assert!(legal.contains(&choice.play), "{}", entry.name());
                        assert!((1..=legal.len()).contains(&choice.candidates));
                    }
                }
            }
        }
    }
}
