//! A second rules engine for foxes and hens, as plain as can be: a board of characters, loops over
//! cells, sets of moves. It shares no code with the crate's engine; tests compare the two, and a
//! bench measures what bitboards gain.

// Each including target uses a part of it.
#![allow(dead_code)]

use std::collections::BTreeSet;

/// Column and row from 0 at the lower left.
pub type Spot = (i8, i8);

pub const STEPS: [Spot; 4] = [(0, 1), (0, -1), (-1, 0), (1, 0)];

/// Landing and hens taken, of the piece at `from`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NaiveMove {
    pub from: Spot,
    pub to: Spot,
    pub taken: BTreeSet<Spot>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveCapture {
    Longest,
    Any,
    Optional,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveRules {
    pub capture: NaiveCapture,
    /// Eaten hens leave as they are jumped, or when the chain is over.
    pub at_once: bool,
    pub pass_when_stuck: bool,
}

pub const ARSAC: NaiveRules = NaiveRules {
    capture: NaiveCapture::Longest,
    at_once: true,
    pass_when_stuck: false,
};

/// Rows from the bottom; `h`, `f`, `.` and blank for no cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Naive {
    pub board: [[u8; 7]; 7],
    pub foxes_move: bool,
    pub eaten: u32,
}

impl Naive {
    /// Reads the rows of the cross in the project's notation.
    pub fn read(text: &str) -> Naive {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut board = [[b' '; 7]; 7];
        for (down, row) in fields[0].split('/').enumerate() {
            let y = 6 - down;
            let mut x = if (2..5).contains(&y) { 0 } else { 2 };
            for mark in row.bytes() {
                let (run, mark) = match mark {
                    b'1'..=b'7' => (mark - b'0', b'.'),
                    _ => (1, mark),
                };
                for _ in 0..run {
                    board[y][x] = mark;
                    x += 1;
                }
            }
        }
        Naive {
            board,
            foxes_move: fields[1] == "f",
            eaten: fields[2].parse().unwrap(),
        }
    }

    pub fn at(&self, (x, y): Spot) -> u8 {
        if (0..7).contains(&x) && (0..7).contains(&y) {
            self.board[y as usize][x as usize]
        } else {
            b' '
        }
    }

    pub fn set(&mut self, (x, y): Spot, mark: u8) {
        self.board[y as usize][x as usize] = mark;
    }

    pub fn pieces(&self, mark: u8) -> Vec<Spot> {
        let all = (0..7).flat_map(|y| (0..7).map(move |x| (x, y)));
        all.filter(|&spot| self.at(spot) == mark).collect()
    }

    pub fn legal(&self, rules: NaiveRules) -> BTreeSet<NaiveMove> {
        self.listed(rules).into_iter().collect()
    }

    /// All legal moves; a chain that can be eaten in two orders once.
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

    pub fn steps(&self, mark: u8, directions: &[Spot]) -> Vec<NaiveMove> {
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

    pub fn chains(&self, rules: NaiveRules) -> Vec<NaiveMove> {
        let mut found = Vec::new();
        for from in self.pieces(b'f') {
            let mut board = self.clone();
            board.set(from, b'.');
            board.extend(rules, from, from, &BTreeSet::new(), &mut found);
        }
        found
    }

    fn extend(
        &self,
        rules: NaiveRules,
        from: Spot,
        to: Spot,
        taken: &BTreeSet<Spot>,
        found: &mut Vec<NaiveMove>,
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
            after.extend(rules, from, landing, &more, found);
        }
        let may_end = ends_here || rules.capture == NaiveCapture::Optional;
        if taken.is_empty() || !may_end {
            return;
        }
        let taken = taken.clone();
        let chain = NaiveMove { from, to, taken };
        if !found.contains(&chain) {
            found.push(chain);
        }
    }

    pub fn after(&self, play: &NaiveMove) -> Naive {
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
        if self.eaten >= 12 {
            return Some(true);
        }
        if (4..7).all(|y| (2..5).all(|x| self.at((x, y)) == b'h')) {
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

/// Draws an index below its argument.
pub type Pick<'a> = &'a mut dyn FnMut(usize) -> usize;

/// Chooses a move.
pub type Player = fn(&Naive, Pick<'_>) -> NaiveMove;

/// Plays from the start to a win, or a draw at the third occurrence or after 200 quiet plies;
/// returns the winner (`true` for the foxes) and the plies.
pub fn naive_match(fox: Player, hens: Player, pick: Pick<'_>) -> (Option<bool>, u32) {
    let mut game = Naive::read("3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0");
    let mut seen = vec![game.clone()];
    for plies in 0.. {
        if let Some(foxes_won) = game.won_by_foxes(ARSAC) {
            return (Some(foxes_won), plies);
        }
        let repeated = seen.iter().filter(|old| **old == game).count() >= 3;
        if repeated || seen.len() > 200 {
            return (None, plies);
        }
        let player = if game.foxes_move { fox } else { hens };
        let play = player(&game, pick);
        let hen_steps_up = !game.foxes_move && play.to.1 > play.from.1;
        game = game.after(&play);
        if hen_steps_up || !play.taken.is_empty() {
            seen.clear();
        }
        seen.push(game.clone());
    }
    unreachable!("every match ends")
}

pub fn naive_random(game: &Naive, pick: Pick<'_>) -> NaiveMove {
    let moves = game.listed(ARSAC);
    moves[pick(moves.len())].clone()
}

/// Hens that give the foxes least to eat.
pub fn naive_safe(game: &Naive, pick: Pick<'_>) -> NaiveMove {
    let danger = |play: &NaiveMove| {
        let chains = game.after(play).chains(ARSAC);
        chains
            .iter()
            .map(|chain| chain.taken.len())
            .max()
            .unwrap_or(0)
    };
    choose_least(game.listed(ARSAC), danger, pick)
}

/// The source's fox.
pub fn naive_arsac(game: &Naive, pick: Pick<'_>) -> NaiveMove {
    let dullness = |play: &NaiveMove| {
        let mut after = game.after(play);
        let other: Vec<Spot> = after
            .pieces(b'f')
            .into_iter()
            .filter(|&fox| fox != play.to)
            .collect();
        // Only the fox that moved is asked; the other stands in the way like any piece.
        other.iter().for_each(|&fox| after.set(fox, b'o'));
        usize::from(play.taken.is_empty() && after.chains(ARSAC).is_empty())
    };
    choose_least(game.listed(ARSAC), dullness, pick)
}

fn choose_least(
    moves: Vec<NaiveMove>,
    score: impl Fn(&NaiveMove) -> usize,
    pick: Pick<'_>,
) -> NaiveMove {
    let scores: Vec<usize> = moves.iter().map(score).collect();
    let least = scores.iter().min();
    let best: Vec<&NaiveMove> = moves
        .iter()
        .zip(&scores)
        .filter(|(_, score)| Some(*score) == least)
        .map(|(play, _)| play)
        .collect();
    best[pick(best.len())].clone()
}
