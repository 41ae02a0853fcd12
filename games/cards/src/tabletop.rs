//! A person's seat at a game whose face-down cards nobody sees.

use super::advice::{CardPlayer, JudgedMove, Unit, estimates};
use super::text::{DealError, WrittenTable};
use crate::hidden::{HiddenGame, HiddenPlayer, PlayedGame, Scratch};
use kit::rng::{Stream, StreamKey, Streams};
use kit::search::Verdict;

/// The worlds of a table's game.
pub type WorldOf<T> = <<T as Tabletop>::Game as HiddenGame>::World;
/// The moves of a table's game.
pub type MoveOf<T> = <<T as Tabletop>::Game as HiddenGame>::Move;

/// A game at its start, and how a person reads and plays it.
pub trait Tabletop: Sized {
    /// The rules.
    type Game: HiddenGame;
    /// The moves that can be typed, for a person.
    const HELP: &'static str;
    /// Characters that stand between moves in a list of them.
    const BETWEEN_MOVES: &'static [char];
    /// True if the game has macro moves.
    const HAS_MACROS: bool = false;

    /// The rules.
    fn game(&self) -> &Self::Game;

    /// The world in which the game begins.
    fn start(&self) -> &WorldOf<Self>;

    /// A world as a player sees it, after the moves played since the start.
    fn board(&self, world: &WorldOf<Self>, played: &[MoveOf<Self>]) -> String;

    /// Returns all legal moves, as a person may type them.
    fn legal(&self, world: &WorldOf<Self>) -> Vec<String>;

    /// The legal move that is `index`th in that list, from 0.
    fn nth(&self, world: &WorldOf<Self>, index: usize) -> Option<MoveOf<Self>>;

    /// The legal move that a line means.
    fn read(&self, world: &WorldOf<Self>, line: &str) -> Option<MoveOf<Self>>;

    /// A move as it is typed.
    fn name(&self, world: &WorldOf<Self>, play: MoveOf<Self>) -> String;

    /// A move in words.
    fn told(&self, world: &WorldOf<Self>, play: MoveOf<Self>) -> String;

    /// A score, with the money that it is worth in a casino, as a sentence.
    fn result(&self, score: u32) -> String;

    /// The player that advises where none is named.
    fn adviser(&self) -> CardPlayer;

    /// The player whose game a person's is compared with.
    fn rival(&self) -> CardPlayer;

    /// The choices in a world, as a player judges them who draws from a stream, the best one first.
    fn advice(
        &self,
        world: &WorldOf<Self>,
        player: &CardPlayer,
        stream: Stream,
    ) -> Vec<JudgedMove> {
        by_moves(self, world, player.judge(), stream)
    }

    /// A game that a player plays from the start to its end, drawing from a sample of `draws`.
    fn play_out(&self, player: &CardPlayer, draws: (&StreamKey, u64)) -> PlayedOut {
        let (game, mut world) = (self.game(), self.start().clone());
        let mut scratch = Scratch::default();
        let played = PlayedGame::play(game, world.clone(), player.judge(), &mut scratch, draws);
        let name = |play| {
            let name = self.name(&world, play);
            game.play(&mut world, play);
            name
        };
        let moves: Vec<String> = played.plays.into_iter().map(name).collect();
        PlayedOut {
            score: game.score(&played.end),
            length: moves.len(),
            moves: moves.join(" "),
        }
    }

    /// Was it the player or the cards: a review of the moves of a game that is over, which draws from a seed, in
    /// sentences; none where the game has no review.
    fn review(&self, played: &[MoveOf<Self>], seed: u64) -> Vec<String> {
        let _ = (played, seed);
        Vec::new()
    }

    /// The score of perfect sight from a world on.
    fn perfect(&self, world: &WorldOf<Self>) -> Verdict<u8>;
}

/// A move of a list that cannot be made where it stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}, `{line}`, cannot be played there")]
pub struct UnplayableMove {
    /// The place in the list, from 1.
    pub number: usize,
    /// The move as it was written.
    pub line: String,
}

/// Reads a list of moves, made one after the other from the start on.
///
/// # Errors
/// Names the first move that cannot be made.
pub fn read_moves<T: Tabletop>(seat: &T, moves: &str) -> Result<Vec<MoveOf<T>>, UnplayableMove> {
    let (mut world, mut plays) = (seat.start().clone(), Vec::new());
    let lines = moves.split(T::BETWEEN_MOVES).map(str::trim);
    for line in lines.filter(|line| !line.is_empty()) {
        let play = seat.read(&world, &line.to_ascii_lowercase());
        let unplayable = || UnplayableMove {
            number: plays.len() + 1,
            line: line.to_owned(),
        };
        let play = play.ok_or_else(unplayable)?;
        seat.game().play(&mut world, play);
        plays.push(play);
    }
    Ok(plays)
}

/// A game that a player played to its end.
pub struct PlayedOut {
    /// The score.
    pub score: u32,
    /// The moves as they are typed.
    pub moves: String,
    /// The number of moves.
    pub length: usize,
}

/// The legal moves of a table, as a player judges them, the best one first.
pub fn by_moves<T: Tabletop>(
    seat: &T,
    world: &WorldOf<T>,
    player: &HiddenPlayer,
    stream: Stream,
) -> Vec<JudgedMove> {
    let estimates = estimates(seat.game(), world, player, stream, Unit::Cards);
    let choice = |(play, estimate)| JudgedMove {
        written: seat.name(world, play),
        told: seat.told(world, play),
        estimate,
    };
    estimates.into_iter().map(choice).collect()
}

/// The rules by which cards are dealt, or by which a written table is read.
pub trait Dealer {
    /// A deal, or a game in progress.
    type Dealt;
    /// A person's seat at it.
    type Seat: Tabletop;

    /// Reads a table of the deck's cards.
    ///
    /// # Errors
    /// Says which part or which card is at fault.
    fn read(&self, text: &str) -> Result<WrittenTable, DealError>;

    /// Lays out a table that was written.
    ///
    /// # Errors
    /// Says which part or which card does not belong where it is.
    fn lay_out(&self, table: &WrittenTable) -> Result<Self::Dealt, DealError>;

    /// Deals at random.
    fn deal(&self, stream: &mut Stream) -> Self::Dealt;

    /// Seats a person.
    fn seat(dealt: Self::Dealt) -> Self::Seat;
}

/// The draws of the deal that an experiment with this seed draws as its sample of this index.
pub fn deal_stream((seed, index): (u64, u64)) -> Stream {
    Streams::new(seed).key("deal").stream(index)
}

/// The draws of a player, as in an experiment with this seed.
pub fn draws(seed: u64, player: &CardPlayer) -> StreamKey {
    Streams::new(seed).key(&player.purpose())
}
