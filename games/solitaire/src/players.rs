//! Games of solitaire played by those who see what a person sees.
//!
//! The referee keeps the deal. A player is handed what is seen, and a stream of its own for each
//! decision.

use super::casino::Casino;
use super::round::{Play, Round};
use super::table::Move;
use super::unseen::game::{Macros, last_moves, play_until_turned};
use cards::advice::CardPlayer;
use cards::hidden::{HiddenGame, HiddenPlayer, PlayedGame, Scratch};
use kit::rng::{Stream, StreamKey};

/// A game that a player played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    /// The most cards on the foundations at one moment.
    pub score: u8,
    /// The single moves.
    pub line: Vec<Move>,
    /// Decisions with two choices or more.
    pub decisions: u64,
    /// Exact searches that the player asked for.
    pub solves: u64,
}

/// The memory of the searches of players.
#[derive(Default)]
pub struct PlayerMemory {
    moves: Scratch<Casino>,
    macros: Scratch<Macros>,
}

impl PlayerMemory {
    /// The memory of players by macro moves.
    pub(crate) fn macros(&mut self) -> &mut Scratch<Macros> {
        &mut self.macros
    }
}

/// Lets a player play a round to its end. Decision `d` draws from step `d` of sample `index` of
/// `draws`.
pub fn play(
    round: Round,
    player: &CardPlayer,
    memory: &mut PlayerMemory,
    draws: (&StreamKey, u64),
) -> PlayedRound {
    match player {
        CardPlayer::ByMoves(player) => by_moves(round, player, &mut memory.moves, draws),
        CardPlayer::ByMacros(judge) | CardPlayer::TurningFirst(judge) => {
            let player = MacroPlayer {
                order: order(player),
                judge,
            };
            by_macros(round, player, &mut memory.macros, draws)
        }
    }
}

/// The order in which a player makes macro moves.
pub(crate) fn order(player: &CardPlayer) -> Macros {
    match player {
        CardPlayer::TurningFirst(_) => Macros::TurningFirst,
        CardPlayer::ByMacros(_) | CardPlayer::ByMoves(_) => Macros::LookingFirst,
    }
}

/// A player by macro moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MacroPlayer<'a> {
    /// The order of its macro moves.
    pub(crate) order: Macros,
    /// The judge of its choices.
    pub(crate) judge: &'a HiddenPlayer,
}

impl MacroPlayer<'_> {
    /// The moves that it chooses in a round, and whether they were a choice; where no macro move is left, known
    /// cards go on as far as they can.
    pub(crate) fn choose(
        self,
        round: &Round,
        scratch: &mut Scratch<Macros>,
        stream: &mut Stream,
    ) -> MacroStep {
        let order = &self.order;
        let play = self
            .judge
            .decide(order, scratch, &order.observe(round), stream);
        MacroStep {
            moves: play.map_or_else(|| last_moves(round), |play| play.moves(round)),
            is_last: play.is_none(),
        }
    }
}

/// The moves that a player by macro moves makes next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroStep {
    /// The single moves, up to one that shows an unknown card.
    pub moves: Vec<Move>,
    /// True if no macro move was left: the game ends with these moves, unless they turn a card after all.
    pub(crate) is_last: bool,
}

fn by_moves(
    round: Round,
    player: &HiddenPlayer,
    scratch: &mut Scratch<Casino>,
    draws: (&StreamKey, u64),
) -> PlayedRound {
    let game = PlayedGame::play(&Casino, round, player, scratch, draws);
    PlayedRound {
        score: game.end.score(),
        line: single_moves(round, &game.plays),
        decisions: game.decisions(),
        solves: game.solves,
    }
}

fn by_macros(
    round: Round,
    player: MacroPlayer<'_>,
    scratch: &mut Scratch<Macros>,
    draws: (&StreamKey, u64),
) -> PlayedRound {
    let before = scratch.solves;
    let (mut line, mut decisions) = (Vec::new(), 0);
    let mut end = round;
    walk(&mut end, player, scratch, draws, |step| match step {
        WalkStep::Choice(..) => decisions += 1,
        WalkStep::Single(single) => line.push(single),
    });
    PlayedRound {
        score: end.score(),
        line,
        decisions,
        solves: scratch.solves - before,
    }
}

/// The rounds of a game by macro moves in which the player has two choices or more, each with the stream
/// that it decides by.
pub(crate) fn rounds_with_a_choice(
    mut round: Round,
    judge: &HiddenPlayer,
    scratch: &mut Scratch<Macros>,
    draws: (&StreamKey, u64),
) -> Vec<(Round, Stream)> {
    let mut rounds = Vec::new();
    let player = MacroPlayer {
        order: Macros::LookingFirst,
        judge,
    };
    walk(&mut round, player, scratch, draws, |step| {
        if let WalkStep::Choice(round, stream) = step {
            rounds.push((*round, stream.clone()));
        }
    });
    rounds
}

/// A step of a game by macro moves.
enum WalkStep<'a> {
    /// A round with two choices or more, and the stream of the decision.
    Choice(&'a Round, &'a Stream),
    /// A single move.
    Single(Move),
}

/// Plays a round to its end by macro moves, telling each step. Where no macro move is left, known cards
/// go on as far as they can.
fn walk(
    round: &mut Round,
    player: MacroPlayer<'_>,
    scratch: &mut Scratch<Macros>,
    (draws, index): (&StreamKey, u64),
    mut tell: impl FnMut(WalkStep<'_>),
) {
    for step in 0.. {
        let mut stream = draws.step(index, step);
        if player.order.width(round) > 1 {
            tell(WalkStep::Choice(round, &stream));
        }
        let MacroStep { moves, is_last } = player.choose(round, scratch, &mut stream);
        let has_turned = play_until_turned(round, &moves, |single| tell(WalkStep::Single(single)));
        if !has_turned && is_last {
            break;
        }
    }
}

/// The single moves of plays from a round on.
pub fn single_moves(mut round: Round, plays: &[Play]) -> Vec<Move> {
    let mut line = Vec::new();
    for &play in plays {
        round.play_and_tell(play, |single| line.push(single));
    }
    line
}

#[cfg(test)]
mod tests;
