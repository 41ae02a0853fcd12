//! The registry of players. A player is one file here and one line in [`ENTRIES`].
//!
//! A player sees the game, draws from its own stream only, and may spend a number of nodes, never
//! time. What it chooses is a function of those and of its own earlier moves in the same game.

mod advance;
mod arsac;
mod external;
mod mcts;
mod perfect;
mod random;
mod safe;
mod search;

use std::path::Path;
use std::sync::Arc;

use super::game::Game;
use super::moves::Move;
use super::position::Side;
use super::rules::Rules;
use super::solved::proof::{DEFAULT_FOLDER, ProofTables};
use external::External;
use kit::rng::{Stream, choose};
use kit::search::Budget;
use task::PlayerSpec;
use task::outside::{OutsidePlayer, Players, WorkerError};
use task::suggest::did_you_mean;

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

/// A decision, or why there is none.
pub type Chosen = Result<Choice, Box<WorkerError>>;

/// Chooses moves.
pub trait Player {
    /// Forgets all earlier games.
    fn begin(&mut self) {}

    /// A match begins from the game's position; `seed` gives the bytes that the stream of
    /// [`choose`](Self::choose) is made of.
    ///
    /// # Errors
    /// If the player is another program and fails.
    fn begin_match(
        &mut self,
        game: &Game,
        seed: &dyn Fn() -> [u8; 32],
    ) -> Result<(), Box<WorkerError>> {
        let _ = (game, seed);
        self.begin();
        Ok(())
    }

    /// Returns whether the play of this match may depend on the seed that [`begin_match`](Self::begin_match)
    /// gave, rather than on the stream of [`choose`](Self::choose) alone.
    fn takes_seed(&self) -> bool {
        false
    }

    /// The match has ended, by the rules or by the other side's fault.
    ///
    /// # Errors
    /// If the player is another program and failed after its last move, or answered more than once.
    fn end_match(&mut self) -> Result<(), Box<WorkerError>> {
        Ok(())
    }

    /// A legal move for the side to move; the game has not ended.
    ///
    /// # Errors
    /// If the player is another program and fails.
    fn choose(&mut self, game: &Game, rng: &mut Stream, budget: Budget) -> Chosen;
}

/// An integer in the parentheses after a player's name.
#[derive(Debug)]
pub struct Argument {
    /// A description in a few words.
    pub name: &'static str,
    /// Least value.
    pub min: u64,
    /// Greatest value.
    pub max: u64,
    /// The value where it is left out; `None` where it may not be.
    pub default: Option<u64>,
}

/// A player as the registry knows it.
#[derive(Debug)]
pub struct PlayerEntry {
    /// The player's entry in lists.
    pub spec: PlayerSpec,
    /// The arguments in its parentheses.
    pub arguments: &'static [Argument],
    /// Makes one.
    pub build: PlayerBuild,
}

impl PlayerEntry {
    /// The name before the parentheses.
    pub fn name(&self) -> &'static str {
        let name = self.spec.name;
        name.split_once('(').map_or(name, |(name, _)| name)
    }

    /// Returns whether it plays a side.
    pub fn plays(&self, side: Side) -> bool {
        ["both", side.name()].contains(&self.spec.side)
    }
}

/// The way in which a player is made.
#[derive(Clone, Copy, Debug)]
pub enum PlayerBuild {
    /// A player made from one checked value per argument.
    WithNumbers(fn(&[u64]) -> Box<dyn Player>),
    /// A player made from the tables of a proof, whose folder the parentheses hold.
    WithTables(fn(Arc<ProofTables>) -> Box<dyn Player>),
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

/// All players as `list players` shows them.
pub const SPECS: [PlayerSpec; ENTRIES.len()] = specs();

const fn specs() -> [PlayerSpec; ENTRIES.len()] {
    let mut specs = [ENTRIES[0].spec; ENTRIES.len()];
    let mut index = 0;
    while index < specs.len() {
        specs[index] = ENTRIES[index].spec;
        index += 1;
    }
    specs
}

/// A player's name and arguments, checked: `search(4)`.
#[derive(Clone, Debug)]
pub struct PlayerName {
    maker: PlayerMaker,
}

/// A way to make a player, with its arguments.
#[derive(Clone, Debug)]
enum PlayerMaker {
    Numbers(fn(&[u64]) -> Box<dyn Player>, Vec<u64>),
    Tables(fn(Arc<ProofTables>) -> Box<dyn Player>, Arc<ProofTables>),
    External(Arc<OutsidePlayer>, Side),
}

impl PlayerName {
    /// Reads a name for a side: one of the experiment file's own players, or a built-in one.
    ///
    /// # Errors
    /// The defect of the name, and the players that there are.
    pub fn read_with(
        own: Option<&Players>,
        text: &str,
        side: Side,
    ) -> Result<PlayerName, (String, String)> {
        match own.and_then(|players| players.named(text.trim())) {
            Some(player) => PlayerName::external(player, side),
            None => PlayerName::built_in(own, text, side),
        }
    }

    /// Reads the name of a built-in player for a side.
    ///
    /// # Errors
    /// The defect of the name, and the players that there are.
    pub fn read(text: &str, side: Side) -> Result<PlayerName, (String, String)> {
        PlayerName::built_in(None, text, side)
    }

    fn built_in(
        own: Option<&Players>,
        text: &str,
        side: Side,
    ) -> Result<PlayerName, (String, String)> {
        let (name, arguments) = split(text).ok_or_else(|| malformed(text))?;
        let entry = ENTRIES
            .iter()
            .find(|entry| entry.name() == name && entry.plays(side))
            .ok_or_else(|| unknown(own, name, side))?;
        let maker = match entry.build {
            PlayerBuild::WithNumbers(build) => {
                PlayerMaker::Numbers(build, check(&arguments, entry)?)
            }
            PlayerBuild::WithTables(build) => {
                PlayerMaker::Tables(build, open(&arguments.join(","))?)
            }
        };
        Ok(PlayerName { maker })
    }

    /// A player in another program, for a side. A name of a built-in player is refused.
    ///
    /// # Errors
    /// If a built-in player has its name.
    pub fn external(
        player: &Arc<OutsidePlayer>,
        side: Side,
    ) -> Result<PlayerName, (String, String)> {
        let name = &player.declaration().name;
        if ENTRIES.iter().any(|entry| entry.name() == name) {
            return Err((
                format!("`{name}` is a player of etude"),
                "give the table [players.NAME] another name".to_owned(),
            ));
        }
        Ok(PlayerName {
            maker: PlayerMaker::External(Arc::clone(player), side),
        })
    }

    /// The other program that plays, if one does.
    pub fn program(&self) -> Option<&Arc<OutsidePlayer>> {
        match &self.maker {
            PlayerMaker::External(player, _) => Some(player),
            _ => None,
        }
    }

    /// Returns whether the player knows these rules; the error says which it knows, and what to do.
    ///
    /// # Errors
    /// The rules that the player knows, and advice.
    pub fn check(&self, rules: &Rules) -> Result<(), (String, String)> {
        match &self.maker {
            PlayerMaker::Tables(_, tables) => tables.check_rules(rules).map_err(|other| {
                (
                    format!("the tables are for {} = {}", other.name, other.known),
                    format!(
                        "play on the board `{}` with capture = \"longest\", stuck = \"foxes-win\", and quiet = 0 or \
                         at least {}",
                        tables.terms().board().name,
                        tables.draws().quiet()
                    ),
                )
            }),
            _ => Ok(()),
        }
    }

    /// Makes the player.
    pub fn build(&self) -> Box<dyn Player> {
        match &self.maker {
            PlayerMaker::Numbers(build, arguments) => build(arguments),
            PlayerMaker::Tables(build, tables) => build(Arc::clone(tables)),
            PlayerMaker::External(player, side) => Box::new(External::new(player, *side)),
        }
    }
}

fn split(text: &str) -> Option<(&str, Vec<&str>)> {
    let text = text.trim();
    match text.split_once('(') {
        None => Some((text, Vec::new())),
        Some((name, rest)) => {
            let inside = rest.strip_suffix(')')?;
            Some((name.trim_end(), inside.split(',').map(str::trim).collect()))
        }
    }
}

fn malformed(text: &str) -> (String, String) {
    (
        format!("`{text}` is not a player"),
        "write a name, with its arguments in parentheses: `search(4)`".to_owned(),
    )
}

fn unknown(own: Option<&Players>, name: &str, side: Side) -> (String, String) {
    let built_in = ENTRIES.iter().filter(|entry| entry.plays(side));
    let names: Vec<&str> = (own.into_iter().flat_map(Players::names))
        .chain(built_in.map(|entry| entry.spec.name))
        .collect();
    let help = if name.contains(['.', '/']) {
        format!(
            "a program of your own needs a name: add [players.NAME] with run = [\"{name}\"], and \
         write NAME here"
        )
    } else {
        did_you_mean(name, names.iter().copied())
            .unwrap_or_else(|| format!("choose one of {}", names.join(", ")))
    };
    (
        format!("no player of the {} is called `{name}`", side.name()),
        help,
    )
}

/// The tables in a folder.
fn open(folder: &str) -> Result<Arc<ProofTables>, (String, String)> {
    let folder = if folder.is_empty() {
        DEFAULT_FOLDER
    } else {
        folder
    };
    let tables = ProofTables::open(Path::new(folder));
    tables
        .map(Arc::new)
        .map_err(|error| (error.to_string(), error.help().to_owned()))
}

fn check(given: &[&str], entry: &PlayerEntry) -> Result<Vec<u64>, (String, String)> {
    let help = || format!("write `{}`", entry.spec.name);
    if given.len() > entry.arguments.len() {
        let message = format!(
            "`{}` takes {} arguments",
            entry.name(),
            entry.arguments.len()
        );
        return Err((message, help()));
    }
    let value = |(index, argument): (usize, &Argument)| match given.get(index) {
        None => argument.default.ok_or_else(|| {
            let message = format!("`{}` needs its {}", entry.name(), argument.name);
            (message, help())
        }),
        Some(text) => argument.read(text),
    };
    entry.arguments.iter().enumerate().map(value).collect()
}

impl Argument {
    fn read(&self, text: &str) -> Result<u64, (String, String)> {
        match text.replace('_', "").parse() {
            Ok(value) if (self.min..=self.max).contains(&value) => Ok(value),
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

    #[test]
    fn names_are_read_for_the_sides_that_have_them() {
        for (name, side) in [("random", Side::Hens), (" search( 4, 1_000 )", Side::Foxes)] {
            assert!(PlayerName::read(name, side).is_ok(), "{name}");
        }
        let cases = [
            ("arsac", Side::Hens, "no player of the hens"),
            ("safe", Side::Foxes, "no player of the foxes"),
            ("arsac(3)", Side::Foxes, "takes 0 arguments"),
            ("arsac(", Side::Foxes, "is not a player"),
            ("", Side::Foxes, "no player"),
            ("search", Side::Foxes, "needs its depth"),
            ("search(0)", Side::Hens, "the depth is `0`"),
            ("mcts(9,9)", Side::Hens, "takes 1 arguments"),
            ("perfect(no/such/folder)", Side::Hens, "no/such/folder"),
        ];
        for (name, side, message) in cases {
            let (said, help) = PlayerName::read(name, side).unwrap_err();
            assert!(said.contains(message), "{name}: {said}");
            assert!(!help.is_empty());
        }
    }

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
                        let choice = player.choose(&game, &mut stream, budget).unwrap();
                        assert!(legal.contains(&choice.play), "{}", entry.name());
                        assert!((1..=legal.len()).contains(&choice.candidates));
                    }
                }
            }
        }
    }
}
