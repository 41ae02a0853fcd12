//! The rules, with everything that the book leaves open as a named variant.
//!
//! J. Arsac, *Jeux et casse-tete a programmer* (Dunod 1985), game 13: hens step up or sideways and
//! want to fill the square; foxes step anywhere, must eat, and must take the longest chain. Knows
//! no players and no history: repetition and quiet play belong to [`super::game::Game`].

use super::board::{Board, CROSS, Cells};
use super::chain::{self, Extent};
use super::moves::{Move, Steps};
use super::position::{Position, Side};
use kit::rng::{Stream, below};

/// The duty of foxes that can eat.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Capture {
    /// Eat, along a longest chain of either fox: the source's rule.
    Longest,
    /// Eat, along any chain that cannot be continued.
    Any,
    /// The foxes are free to step, or to eat and stop after any jump.
    Optional,
}

/// The rule for hens that cannot move.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Stuck {
    /// The foxes win.
    FoxesWin,
    /// The hens pass.
    Pass,
}

/// A complete set of rules on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The board.
    pub board: &'static Board,
    /// The duty of foxes that can eat.
    pub capture: Capture,
    /// The rule for hens that cannot move.
    pub stuck: Stuck,
    /// Plies without a hen stepping up or being eaten that make a draw; 0 for no such rule.
    pub quiet: u32,
    /// Occurrences of a position that make a draw; 0 for no such rule.
    pub repetition: u32,
}

/// The ending of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// Hens fill the square.
    Square,
    /// The foxes cannot move.
    Block,
    /// Enough hens are eaten.
    Eaten,
    /// The hens cannot move, and that loses.
    Stuck,
    /// A position occurred too often.
    Repetition,
    /// Too many plies passed without an irreversible move.
    Quiet,
    /// The foxes' player lost by a fault of its own.
    FoxesForfeit,
    /// The hens' player lost by a fault of its own.
    HensForfeit,
}

impl Ending {
    /// Returns the winner; nobody for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Ending::Square | Ending::Block | Ending::FoxesForfeit => Some(Side::Hens),
            Ending::Eaten | Ending::Stuck | Ending::HensForfeit => Some(Side::Foxes),
            Ending::Repetition | Ending::Quiet => None,
        }
    }

    /// Returns the ending in a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Ending::Square => "the hens win: they fill the square",
            Ending::Block => "the hens win: the foxes cannot move",
            Ending::Eaten => "the foxes win: too few hens are left",
            Ending::Stuck => "the foxes win: the hens cannot move",
            Ending::Repetition => "a draw: the position occurred too often",
            Ending::Quiet => "a draw: nothing happened for too long",
            Ending::FoxesForfeit => "the hens win: the foxes' player forfeits",
            Ending::HensForfeit => "the foxes win: the hens' player forfeits",
        }
    }
}

impl Rules {
    /// The source's rules, with the documented defaults where it is silent.
    pub const ARSAC: Rules = Rules::on(&CROSS);

    /// The largest value of [`quiet`](Self::quiet).
    pub const MOST_QUIET: u32 = 10_000;

    /// The largest value of [`repetition`](Self::repetition).
    pub const MOST_REPETITION: u32 = 100;

    /// Returns these rules on another board.
    pub const fn on(board: &'static Board) -> Rules {
        Rules {
            board,
            capture: Capture::Longest,
            stuck: Stuck::FoxesWin,
            quiet: 200,
            repetition: 3,
        }
    }

    /// The rules in three lines, without the rare endings.
    pub fn in_words(&self) -> String {
        let jump = "jump over a hen onto the free cell behind it";
        let chain = match self.capture {
            Capture::Longest => {
                "Foxes {jump}, and on as long as they can; they must eat when they can, and take the \
                 longest chain that either fox has."
            }
            Capture::Any => {
                "Foxes {jump}, and on as long as they can; they must eat when they can."
            }
            Capture::Optional => "Foxes may {jump}, and on; they need not eat.",
        };
        let Board {
            square,
            enough_eaten,
            ..
        } = self.board;
        let repeated = match self.repetition {
            0 => String::new(),
            times => format!(" A position that occurs {times} times is a draw."),
        };
        format!(
            "A hen steps up, left or right; a fox also down.\n{}\nThe hens win when {} of them fill the \
             square at the top, the foxes when they have eaten {enough_eaten}.{repeated}",
            chain.replace("{jump}", jump),
            square.count_ones()
        )
    }

    /// The position the game starts from.
    pub const fn start(&self) -> Position {
        Position::start(self.board)
    }

    /// Returns the ending of the game in this position, if it is decided.
    #[inline]
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        if position.eaten >= self.board.enough_eaten {
            return Some(Ending::Eaten);
        }
        if self.board.square & !position.hens == 0 {
            return Some(Ending::Square);
        }
        if self.can_move(position) {
            return None;
        }
        match (position.side, self.stuck) {
            (Side::Foxes, _) => Some(Ending::Block),
            (Side::Hens, Stuck::FoxesWin) => Some(Ending::Stuck),
            (Side::Hens, Stuck::Pass) => None,
        }
    }

    /// Returns whether a piece of the side to move can move; a pass does not count.
    #[inline]
    pub fn can_move(&self, position: &Position) -> bool {
        !self.steps(position).is_empty() || position.side == Side::Foxes && self.can_eat(position)
    }

    /// Returns whether a fox could eat, whichever side is to move.
    #[inline]
    pub fn can_eat(&self, position: &Position) -> bool {
        let free = position.free(self.board);
        chain::jumps(position.foxes, position.hens, free) != 0
    }

    /// Returns whether the side to move must eat.
    #[inline]
    pub fn must_eat(&self, position: &Position) -> bool {
        position.side == Side::Foxes && self.capture != Capture::Optional && self.can_eat(position)
    }

    /// Returns whether passing is the only move.
    pub fn must_pass(&self, position: &Position) -> bool {
        self.passes(position, self.steps(position))
    }

    /// The most hens a fox could eat in one move, whichever side is to move.
    pub fn longest_chain(&self, position: &Position) -> u32 {
        chain::longest(position, position.free(self.board))
    }

    /// The one-step moves of the side to move, as if nobody had to eat.
    #[inline]
    pub fn steps(&self, position: &Position) -> Steps {
        let free = position.free(self.board);
        match position.side {
            Side::Hens => Steps::of_hens(position.hens, free),
            Side::Foxes => Steps::of_foxes(position.foxes, free),
        }
    }

    /// Appends all legal moves in a fixed order; a pass where that is all there is. Whether the
    /// game has ended is for [`Rules::ending`] to say.
    pub fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if position.side == Side::Foxes && self.can_eat(position) {
            chain::chains(position, position.free(self.board), self.extent(), moves);
            if self.capture != Capture::Optional {
                return;
            }
        }
        let steps = self.steps(position);
        moves.extend(steps.iter());
        if self.passes(position, steps) {
            moves.push(Move::PASS);
        }
    }

    /// Returns the number of legal moves; steps are counted in bulk.
    pub fn count_moves(&self, position: &Position, scratch: &mut Vec<Move>) -> u64 {
        scratch.clear();
        if position.side == Side::Foxes && self.can_eat(position) {
            self.moves(position, scratch);
            return scratch.len() as u64;
        }
        let steps = self.steps(position);
        u64::from(steps.len()) + u64::from(self.passes(position, steps))
    }

    /// A uniformly random legal move (a pass where there is none) and how many there were.
    // Always inlined: a move handed on through memory costs a fifth of a ply.
    #[inline(always)]
    pub fn random_move(
        &self,
        position: &Position,
        rng: &mut Stream,
        scratch: &mut Vec<Move>,
    ) -> (Move, usize) {
        if position.side == Side::Foxes && self.can_eat(position) {
            scratch.clear();
            self.moves(position, scratch);
            return pick(scratch, rng);
        }
        let steps = self.steps(position);
        let count = steps.len();
        let chosen = if count > 1 {
            below(rng, u64::from(count)) as u32
        } else {
            0
        };
        (steps.nth(chosen), count as usize)
    }

    /// The position after a legal move.
    #[inline]
    pub const fn after(&self, position: &Position, play: Move) -> Position {
        let (mut hens, mut foxes) = (position.hens, position.foxes);
        match position.side {
            Side::Hens => hens ^= play.piece ^ play.landing,
            Side::Foxes => foxes ^= play.piece ^ play.landing,
        }
        hens &= !play.taken;
        Position {
            hens,
            foxes,
            eaten: position.eaten + play.length(),
            side: position.side.other(),
        }
    }

    /// Returns whether a move can never be undone: a hen stepped up or was eaten.
    #[inline]
    pub const fn is_irreversible(side: Side, play: Move) -> bool {
        play.taken != 0 || matches!(side, Side::Hens) && upwards(play)
    }

    fn passes(&self, position: &Position, steps: Steps) -> bool {
        position.side == Side::Hens && self.stuck == Stuck::Pass && steps.is_empty()
    }

    const fn extent(&self) -> Extent {
        match self.capture {
            Capture::Longest => Extent::Longest,
            Capture::Any => Extent::Complete,
            Capture::Optional => Extent::Any,
        }
    }
}

#[inline]
const fn upwards(play: Move) -> bool {
    const fn row(cell: Cells) -> u32 {
        cell.trailing_zeros() / 8
    }
    row(play.landing) > row(play.piece)
}

fn pick(moves: &[Move], rng: &mut Stream) -> (Move, usize) {
    let chosen = kit::rng::choose(rng, moves).copied();
    (chosen.unwrap_or(Move::PASS), moves.len())
}
