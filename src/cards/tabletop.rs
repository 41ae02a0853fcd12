//! A person's seat at a game whose face-down cards nobody sees.

use super::text::{DealError, FORMAT, WrittenTable};
use lab::rng::Streams;
use lab::search::Verdict;
use lab::search::hidden::HiddenGame;
use lab::task::{Arguments, VerbError, VerbOption};

/// The worlds of a table's game.
pub type WorldOf<T> = <<T as Tabletop>::Game as HiddenGame>::World;
/// The moves of a table's game.
pub type MoveOf<T> = <<T as Tabletop>::Game as HiddenGame>::Move;

/// A game at its start, and how a person reads and plays it.
pub trait Tabletop {
    /// The rules.
    type Game: HiddenGame;
    /// The player that advises where none is named.
    const ADVISER: &'static str;
    /// The player whose game a person's is compared with.
    const RIVAL: &'static str;
    /// The moves that can be typed, for a person.
    const HELP: &'static str;
    /// Characters that stand between moves in a list of them.
    const BETWEEN_MOVES: &'static [char];

    /// The rules.
    fn game(&self) -> &Self::Game;

    /// The world in which the game begins.
    fn start(&self) -> &WorldOf<Self>;

    /// A world as a player sees it, after the moves played since the start.
    fn board(&self, world: &WorldOf<Self>, played: &[MoveOf<Self>]) -> String;

    /// All legal moves, as a person may type them.
    fn legal(&self, world: &WorldOf<Self>) -> Vec<String>;

    /// The legal move that a line means.
    fn read(&self, world: &WorldOf<Self>, line: &str) -> Option<MoveOf<Self>>;

    /// A move as it is typed.
    fn name(&self, world: &WorldOf<Self>, play: MoveOf<Self>) -> String;

    /// A move in words.
    fn told(&self, world: &WorldOf<Self>, play: MoveOf<Self>) -> String;

    /// A score and the money that it is worth, as a sentence.
    fn result(&self, score: u32) -> String;

    /// The score of perfect sight from a world on.
    fn perfect(&self, world: &WorldOf<Self>) -> Verdict<u8>;
}

/// A deal that is written out.
pub const DEAL: VerbOption = VerbOption::text("deal", "DEAL", FORMAT);
/// A seed to deal from.
pub const SEED: VerbOption = VerbOption::integer(
    "seed",
    "S",
    "deal sample I of this seed, as an experiment would",
);
/// Advice instead of a solution.
pub const HIDDEN: VerbOption = VerbOption::flag(
    "hidden",
    "advise a player who cannot see the face-down cards (`??`), move by move",
);
/// Who advises.
pub const PLAYER: VerbOption = VerbOption::text(
    "player",
    "PLAYER",
    "the adviser, with --hidden: hindsight(N), rollout(N), nested(N, PLAYER)",
);

/// An error in a deal, at its place.
pub fn refuse(place: &str) -> impl Fn(DealError) -> VerbError + '_ {
    move |error| {
        let help = match error {
            DealError::Hidden(_) => "name them, or ask for advice with --hidden".to_owned(),
            _ => format!("write {FORMAT}"),
        };
        VerbError::usage(place, error.to_string(), help)
    }
}

/// The seed and the index of `--seed` and `--index`.
pub fn seat_number(arguments: &Arguments) -> (u64, u64) {
    let seed = arguments.integer("seed").unwrap_or(1);
    (seed, arguments.integer("index").unwrap_or_default())
}

/// The table of `--deal`, its unknown cards dealt by `--seed` and `--index`.
///
/// # Errors
/// If the deal cannot be read, or if nothing is left to deal.
pub fn written(
    arguments: &Arguments,
    read: impl Fn(&str) -> Result<WrittenTable, DealError>,
) -> Result<Option<WrittenTable>, VerbError> {
    let Some(text) = arguments.text("deal") else {
        return Ok(None);
    };
    let mut table = read(text).map_err(refuse("--deal"))?;
    if table.unknown == 0 {
        let reason = "does nothing with --deal but for cards `??`";
        arguments.refuse(&["seed", "index"], reason, "leave it out")?;
    }
    let (seed, index) = seat_number(arguments);
    let key = Streams::new(seed).key("unknown cards");
    table.shuffle_unknown(&mut key.stream(index));
    Ok(Some(table))
}
