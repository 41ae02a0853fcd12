//! Players at a match: the built-in ones by their names, and those in other programs.

mod external;

use std::path::Path;
use std::sync::Arc;

use super::proof::{DEFAULT_FOLDER, ProofTables};
use base::suggest::did_you_mean;
use external::External;
use foxes::game::Game;
use foxes::players::{Choice, ENTRIES, Perfect, Player, PlayerBuild, WonPositions};
use foxes::position::{Position, Side};
use foxes::rules::Rules;
use kit::rng::Stream;
use kit::search::Budget;
use task::PlayerSpec;
use task::outside::{OutsidePlayer, Players, WorkerError};

/// A decision, or why there is none.
pub type Chosen = Result<Choice, Box<WorkerError>>;

/// A player at a match: a built-in one, or another program.
pub trait Contestant {
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

/// A built-in player, which never fails.
struct BuiltInPlayer(Box<dyn Player>);

impl Contestant for BuiltInPlayer {
    fn begin(&mut self) {
        self.0.begin();
    }

    fn choose(&mut self, game: &Game, rng: &mut Stream, budget: Budget) -> Chosen {
        Ok(self.0.choose(game, rng, budget))
    }
}

/// Unreadable tables know nothing.
impl WonPositions for ProofTables {
    fn is_won(&self, position: &Position) -> bool {
        ProofTables::is_won(self, position).unwrap_or(false)
    }

    fn passes(&self) -> u32 {
        ProofTables::passes(self)
    }
}

/// All players as `list players` shows them.
pub const SPECS: [PlayerSpec; ENTRIES.len()] = specs();

const fn specs() -> [PlayerSpec; ENTRIES.len()] {
    let empty = PlayerSpec {
        name: "",
        side: "",
        summary: "",
    };
    let mut specs = [empty; ENTRIES.len()];
    let mut index = 0;
    while index < specs.len() {
        let entry = &ENTRIES[index];
        specs[index] = PlayerSpec {
            name: entry.title,
            side: entry.side,
            summary: entry.summary,
        };
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
    Tables(Arc<ProofTables>),
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
                PlayerMaker::Numbers(build, entry.read_arguments(&arguments)?)
            }
            PlayerBuild::WithTables => PlayerMaker::Tables(open(&arguments.join(","))?),
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
            PlayerMaker::Tables(tables) => tables.check_rules(rules).map_err(|other| {
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
    pub fn build(&self) -> Box<dyn Contestant> {
        match &self.maker {
            PlayerMaker::Numbers(build, arguments) => Box::new(BuiltInPlayer(build(arguments))),
            PlayerMaker::Tables(tables) => {
                Box::new(BuiltInPlayer(Box::new(Perfect::new(Arc::clone(tables)))))
            }
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
        .chain(built_in.map(|entry| entry.title))
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

#[cfg(test)]
mod tests {
    use super::*;

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
            ("search(04)", Side::Hens, "the depth is `04`"),
            ("search(+4)", Side::Hens, "the depth is `+4`"),
            ("mcts(9,9)", Side::Hens, "takes 1 arguments"),
            ("perfect(no/such/folder)", Side::Hens, "no/such/folder"),
        ];
        for (name, side, message) in cases {
            let (said, help) = PlayerName::read(name, side).unwrap_err();
            assert!(said.contains(message), "{name}: {said}");
            assert!(!help.is_empty());
        }
    }
}
