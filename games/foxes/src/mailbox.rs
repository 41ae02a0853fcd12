//! The baseline engine: the rules as the book describes them, written for reading rather than
//! speed.
//!
//! A board of characters, loops over cells, sets of moves. It shares no code with the engine of
//! [`super::rules`]. Tests compare the two, a proof's tables are checked with it, and a benchmark
//! measures what bitboards gain.

use std::collections::BTreeSet;

use super::board::{Board, Cells, MAX_SIDE, cell};
use super::position::{Position, Side};

/// Column and row from 0 at the lower left.
pub type Spot = (i8, i8);

/// Up, down, left, right.
const STEPS: [Spot; 4] = [(0, 1), (0, -1), (-1, 0), (1, 0)];

/// A move: the piece, where it lands, the hens it takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NaiveMove {
    /// The spot on which the piece stands.
    pub from: Spot,
    /// The spot on which it lands.
    pub to: Spot,
    /// The hens taken.
    pub taken: BTreeSet<Spot>,
}

/// The duty of foxes that can eat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveCapture {
    /// Eat along a longest chain of either fox.
    Longest,
    /// Eat along a chain that cannot be continued.
    Any,
    /// The foxes step, or eat and stop after any jump.
    Optional,
}

/// The rules that the source leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveRules {
    /// The duty of foxes that can eat.
    pub capture: NaiveCapture,
    /// Eaten hens leave as they are jumped, or when the chain is over.
    pub at_once: bool,
    /// Hens that cannot move pass; else they have lost.
    pub pass_when_stuck: bool,
}

/// The source's rules with the documented defaults.
pub const ARSAC: NaiveRules = NaiveRules {
    capture: NaiveCapture::Longest,
    at_once: true,
    pass_when_stuck: false,
};

/// A position, rows from the bottom: `h`, `f`, `.` and blank for no cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mailbox {
    board: &'static Board,
    marks: [[u8; MAX_SIDE]; MAX_SIDE],
    /// True if the foxes are to move.
    pub foxes_move: bool,
    /// Hens eaten so far.
    pub eaten: u32,
}

impl Mailbox {
    /// A position on a board.
    pub fn new(position: &Position, board: &'static Board) -> Mailbox {
        let mut mailbox = Mailbox {
            board,
            marks: [[b' '; MAX_SIDE]; MAX_SIDE],
            foxes_move: position.side == Side::Foxes,
            eaten: position.eaten,
        };
        for (set, mark) in [
            (board.cells, b'.'),
            (position.hens, b'h'),
            (position.foxes, b'f'),
        ] {
            for spot in spots().filter(|&spot| holds(set, spot)) {
                mailbox.set(spot, mark);
            }
        }
        mailbox
    }

    /// Returns the mark on a spot; a blank outside the board.
    pub fn at(&self, (x, y): Spot) -> u8 {
        let mark = |x: usize, y: usize| self.marks.get(y)?.get(x).copied();
        let spot = usize::try_from(x).ok().zip(usize::try_from(y).ok());
        spot.and_then(|(x, y)| mark(x, y)).unwrap_or(b' ')
    }

    /// Changes a spot of the board.
    pub fn set(&mut self, (x, y): Spot, mark: u8) {
        self.marks[y as usize][x as usize] = mark;
    }

    /// Returns the spots of the pieces of a kind, row by row from the bottom.
    pub fn pieces(&self, mark: u8) -> Vec<Spot> {
        spots().filter(|&spot| self.at(spot) == mark).collect()
    }

    /// Returns all legal moves as a set.
    pub fn legal(&self, rules: NaiveRules) -> BTreeSet<NaiveMove> {
        self.listed(rules).into_iter().collect()
    }

    /// Returns all legal moves; a chain that can be eaten in two orders is listed once.
    pub fn listed(&self, rules: NaiveRules) -> Vec<NaiveMove> {
        if !self.foxes_move {
            let steps = self.steps(b'h', &[STEPS[0], STEPS[2], STEPS[3]]);
            return steps;
        }
        let chains = self.chains(rules);
        let mut moves = match rules.capture {
            NaiveCapture::Longest => {
                let most = chains.iter().map(|chain| chain.taken.len()).max();
                let is_longest = |chain: &NaiveMove| Some(chain.taken.len()) == most;
                chains.into_iter().filter(is_longest).collect()
            }
            _ => chains,
        };
        if moves.is_empty() || rules.capture == NaiveCapture::Optional {
            moves.extend(self.steps(b'f', &STEPS));
        }
        moves
    }

    fn steps(&self, mark: u8, directions: &[Spot]) -> Vec<NaiveMove> {
        let mut moves = Vec::new();
        for from in self.pieces(mark) {
            for &(dx, dy) in directions {
                let to = (from.0 + dx, from.1 + dy);
                if self.at(to) == b'.' {
                    let taken = BTreeSet::new();
                    moves.push(NaiveMove { from, to, taken });
                }
            }
        }
        moves
    }

    /// The chains of both foxes, whether they must be eaten or not.
    pub fn chains(&self, rules: NaiveRules) -> Vec<NaiveMove> {
        let mut moves = Vec::new();
        for from in self.pieces(b'f') {
            let mut board = self.clone();
            board.set(from, b'.');
            board.extend(rules, from, from, &BTreeSet::new(), &mut moves);
        }
        moves
    }

    fn extend(
        &self,
        rules: NaiveRules,
        from: Spot,
        to: Spot,
        taken: &BTreeSet<Spot>,
        moves: &mut Vec<NaiveMove>,
    ) {
        let mut ends_here = true;
        for (dx, dy) in STEPS {
            let hen = (to.0 + dx, to.1 + dy);
            let landing = (to.0 + 2 * dx, to.1 + 2 * dy);
            if self.at(hen) != b'h' || taken.contains(&hen) || self.at(landing) != b'.' {
                continue;
            }
            ends_here = false;
            let mut more = taken.clone();
            more.insert(hen);
            let mut after = self.clone();
            if rules.at_once {
                after.set(hen, b'.');
            }
            after.extend(rules, from, landing, &more, moves);
        }
        let may_end = ends_here || rules.capture == NaiveCapture::Optional;
        if taken.is_empty() || !may_end {
            return;
        }
        let taken = taken.clone();
        let chain = NaiveMove { from, to, taken };
        if !moves.contains(&chain) {
            moves.push(chain);
        }
    }

    /// The position after a move.
    pub fn after(&self, play: &NaiveMove) -> Mailbox {
        let mut next = self.clone();
        let mark = self.at(play.from);
        next.set(play.from, b'.');
        next.set(play.to, mark);
        for &hen in &play.taken {
            next.set(hen, b'.');
        }
        next.eaten += play.taken.len() as u32;
        next.foxes_move = !self.foxes_move;
        next
    }

    /// `Some(true)` where the foxes have won, `Some(false)` where the hens have.
    pub fn won_by_foxes(&self, rules: NaiveRules) -> Option<bool> {
        if self.eaten >= self.board.enough_eaten {
            return Some(true);
        }
        let mut square = spots().filter(|&spot| holds(self.board.square, spot));
        if square.all(|spot| self.at(spot) == b'h') {
            return Some(false);
        }
        if self.listed(rules).is_empty() {
            return if self.foxes_move {
                Some(false)
            } else {
                (!rules.pass_when_stuck).then_some(true)
            };
        }
        None
    }
}

fn spots() -> impl Iterator<Item = Spot> {
    let side = MAX_SIDE as i8;
    (0..side).flat_map(move |y| (0..side).map(move |x| (x, y)))
}

fn holds(set: Cells, (x, y): Spot) -> bool {
    set & cell(x as usize, y as usize) != 0
}
