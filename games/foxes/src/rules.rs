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
use strum::IntoEnumIterator;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::EnumIter)]
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
    /// Nobody played: a player was out from the start.
    Unplayed,
}

impl Ending {
    /// Returns the winner; nobody for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Ending::Square | Ending::Block | Ending::FoxesForfeit => Some(Side::Hens),
            Ending::Eaten | Ending::Stuck | Ending::HensForfeit => Some(Side::Foxes),
            Ending::Repetition | Ending::Quiet | Ending::Unplayed => None,
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
            Ending::Unplayed => "nobody wins: a player is out, so the match is not played",
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

    /// The rules in three lines, with every ending that a game by them can have.
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
        let pass = match self.stuck {
            Stuck::Pass => " Hens that cannot move pass.",
            Stuck::FoxesWin => "",
        };
        format!(
            "A hen steps up, left or right; a fox also down.{pass}\n{}\n{}",
            chain.replace("{jump}", jump),
            self.endings_in_words()
        )
    }

    /// A sentence for each result of a game, with all endings that lead to it.
    fn endings_in_words(&self) -> String {
        let results = [
            ("The hens win when", Some(Side::Hens)),
            ("The foxes win when", Some(Side::Foxes)),
            ("The game is drawn when", None),
        ];
        let sentence = |(begun, winner): (&str, Option<Side>)| {
            let endings = Ending::iter().filter(|ending| ending.winner() == winner);
            let told: Vec<String> = endings.filter_map(|ending| self.told(ending)).collect();
            (!told.is_empty()).then(|| format!("{begun} {}.", told.join(", or when ")))
        };
        let sentences: Vec<String> = results.into_iter().filter_map(sentence).collect();
        sentences.join(" ")
    }

    /// The condition of an ending in words; `None` if a game by these rules cannot end so. Forfeits are faults of
    /// players, not of rules.
    fn told(&self, ending: Ending) -> Option<String> {
        let needed = self.board.square.count_ones();
        match ending {
            Ending::Square => Some(format!("{needed} of them fill the square at the top")),
            Ending::Block => Some("the foxes cannot move".to_owned()),
            Ending::Eaten => Some(format!("they have eaten {}", self.board.enough_eaten)),
            Ending::Stuck => (self.stuck == Stuck::FoxesWin)
                .then(|| "the hens cannot move".to_owned()),
            Ending::Repetition => (self.repetition > 0)
                .then(|| format!("a position occurs {} times", self.repetition)),
            Ending::Quiet => (self.quiet > 0).then(|| {
                let plies = self.quiet;
                format!("no hen has stepped up or been eaten in {plies} moves, those of both sides counted")
            }),
            Ending::FoxesForfeit | Ending::HensForfeit | Ending::Unplayed => None,
        }
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
    fn can_move(&self, position: &Position) -> bool {
        !self.steps(position).is_empty() || position.side == Side::Foxes && self.can_eat(position)
    }

    /// Returns whether a fox could eat, whichever side is to move.
    #[inline]
    pub(crate) fn can_eat(&self, position: &Position) -> bool {
        let free = position.free(self.board);
        chain::jumps(position.foxes, position.hens, free) != 0
    }

    /// Returns whether the side to move must eat.
    #[inline]
    pub(crate) fn must_eat(&self, position: &Position) -> bool {
        position.side == Side::Foxes && self.capture != Capture::Optional && self.can_eat(position)
    }

    /// Returns whether passing is the only move.
    pub(crate) fn must_pass(&self, position: &Position) -> bool {
        self.passes(position, self.steps(position))
    }

    /// The most hens a fox could eat in one move, whichever side is to move.
    pub(crate) fn longest_chain(&self, position: &Position) -> u32 {
        chain::longest(position, position.free(self.board))
    }

    /// The one-step moves of the side to move, as if nobody had to eat.
    #[inline]
    pub(crate) fn steps(&self, position: &Position) -> Steps {
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
    pub(crate) fn random_move(
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::board::BOARDS;
    use super::super::game::Game;
    use super::*;

    /// All rule sets of a board, with quiet play and repetition as rules or not.
    fn rule_sets(board: &'static Board) -> impl Iterator<Item = Rules> {
        let captures = [Capture::Longest, Capture::Any, Capture::Optional];
        captures.into_iter().flat_map(move |capture| {
            let stuck = [Stuck::FoxesWin, Stuck::Pass].into_iter();
            stuck.flat_map(move |stuck| {
                [(0, 0), (0, 3), (17, 0), (200, 3)].map(|(quiet, repetition)| Rules {
                    board,
                    capture,
                    stuck,
                    quiet,
                    repetition,
                })
            })
        })
    }

    /// Seed 21: 40 random games by each rule set, cut off at 400 moves. Each ending is in the words of its rules, and
    /// each of the six comes somewhere.
    #[test]
    fn every_ending_that_comes_is_in_the_words_of_the_rules() {
        let mut come = BTreeSet::new();
        let mut moves = Vec::new();
        let streams = kit::rng::Streams::new(21);
        for (number, rules) in (0..).zip(BOARDS.iter().copied().flat_map(rule_sets)) {
            let words = rules.in_words();
            for index in 0..40 {
                let mut stream = streams.key("games").stream(1_000 * number + index);
                let mut game = Game::from(rules, rules.start());
                for _ in 0..400 {
                    let Some(ending) = game.ending() else {
                        let (play, _) = rules.random_move(game.position(), &mut stream, &mut moves);
                        game.play(play);
                        continue;
                    };
                    let told = rules
                        .told(ending)
                        .unwrap_or_else(|| panic!("{ending:?}: {words}"));
                    assert!(words.contains(&told), "{told}: {words}");
                    come.insert(ending);
                    break;
                }
            }
        }
        assert_eq!(come.len(), 6, "{come:?}");
    }

    #[test]
    fn the_words_name_the_endings_of_their_rules_and_no_others() {
        let arsac = Rules::ARSAC;
        let last = |rules: Rules| rules.in_words().lines().last().unwrap().to_owned();
        assert_eq!(
            last(arsac),
            "The hens win when 9 of them fill the square at the top, or when the foxes cannot move. The foxes win \
             when they have eaten 12, or when the hens cannot move. The game is drawn when a position occurs 3 times, \
             or when no hen has stepped up or been eaten in 200 moves, those of both sides counted."
        );
        let open = Rules {
            stuck: Stuck::Pass,
            quiet: 0,
            repetition: 0,
            ..arsac
        };
        assert_eq!(
            last(open),
            "The hens win when 9 of them fill the square at the top, or when the foxes cannot move. The foxes win \
             when they have eaten 12."
        );
        assert!(open.in_words().contains("Hens that cannot move pass."));
    }
}
