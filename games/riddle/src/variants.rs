//! The four piece sets of the "Divine generator", as data.
//!
//! Only pieces whose moves depend neither on a colour nor on another piece to jump over: chess
//! K Q B N R, makruk K Met N R, xiangqi General Advisor Elephant Horse Chariot, shogi K B R +B +R
//! (<https://sourceforge.net/projects/divgen/>). The board's size is data too.

use super::army::{Army, Leap, Piece};
use super::board::{CellSet, Chessboard, Offset, set_of};

/// A piece set on its board.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    strum::EnumString,
    strum::AsRefStr,
    strum::EnumIter,
    strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Variant {
    /// 8x8: king, queen, bishop, knight, rook.
    Chess,
    /// 8x8: king, met, knight, rook.
    Makruk,
    /// 9 wide, 10 high: general, advisor, elephant, horse, chariot.
    Xiangqi,
    /// 9x9: king, bishop, rook, horse (promoted bishop), dragon (promoted rook).
    Shogi,
}

impl Variant {
    /// The variant's pieces on its board.
    pub fn army(self) -> Army {
        match self {
            Variant::Chess => chess(8),
            Variant::Makruk => makruk(),
            Variant::Xiangqi => xiangqi(),
            Variant::Shogi => shogi(),
        }
    }
}

const ORTHOGONAL: &[Offset] = &[(-1, 0), (0, -1), (0, 1), (1, 0)];
const DIAGONAL: &[Offset] = &[(-1, -1), (-1, 1), (1, -1), (1, 1)];
const ALL_ROUND: &[Offset] = &[
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];
const KNIGHT: &[Offset] = &[
    (-2, -1),
    (-2, 1),
    (-1, -2),
    (-1, 2),
    (1, -2),
    (1, 2),
    (2, -1),
    (2, 1),
];

/// Chess pieces on a board of `side` x `side` cells, `side` at most 11.
pub(crate) fn chess(side: usize) -> Army {
    let board = Chessboard::new(side, side);
    let pieces = vec![
        mover(board, "king", "K", '♚', &[], ALL_ROUND),
        mover(board, "queen", "Q", '♛', ALL_ROUND, &[]),
        mover(board, "bishop", "B", '♝', DIAGONAL, &[]),
        mover(board, "knight", "N", '♞', &[], KNIGHT),
        mover(board, "rook", "R", '♜', ORTHOGONAL, &[]),
    ];
    Army::new("chess", board, pieces)
}

fn makruk() -> Army {
    let board = Chessboard::new(8, 8);
    let pieces = vec![
        mover(board, "king", "K", '♚', &[], ALL_ROUND),
        mover(board, "met", "M", '♛', &[], DIAGONAL),
        mover(board, "knight", "N", '♞', &[], KNIGHT),
        mover(board, "rook", "R", '♜', ORTHOGONAL, &[]),
    ];
    Army::new("makruk", board, pieces)
}

fn shogi() -> Army {
    let board = Chessboard::new(9, 9);
    let pieces = vec![
        mover(board, "king", "K", '玉', &[], ALL_ROUND),
        mover(board, "bishop", "B", '角', DIAGONAL, &[]),
        mover(board, "rook", "R", '飛', ORTHOGONAL, &[]),
        mover(board, "horse", "+B", '馬', DIAGONAL, ORTHOGONAL),
        mover(board, "dragon", "+R", '龍', ORTHOGONAL, DIAGONAL),
    ];
    let mut army = Army::new("shogi", board, pieces);
    army.published_lines = true;
    army
}

fn xiangqi() -> Army {
    let board = Chessboard::new(9, 10);
    let halves = vec![board.rows(0..5), board.rows(5..10)];
    let palaces: Vec<CellSet> = [0, 7].map(|top| palace(board, top)).to_vec();
    let pieces = vec![
        Piece {
            domain: palaces[0] | palaces[1],
            regions: palaces.clone(),
            ..mover(board, "general", "G", '帥', &[], ORTHOGONAL)
        },
        Piece {
            domain: points(board, &[(0, 3), (0, 5), (1, 4), (2, 3), (2, 5)]),
            regions: palaces,
            opposite: true,
            ..mover(board, "advisor", "A", '仕', &[], DIAGONAL)
        },
        Piece {
            domain: points(
                board,
                &[(0, 2), (0, 6), (2, 0), (2, 4), (2, 8), (4, 2), (4, 6)],
            ),
            leaps: legged(DIAGONAL, |(down, right)| vec![(2 * down, 2 * right)]),
            regions: halves,
            ..mover(board, "elephant", "E", '相', &[], &[])
        },
        Piece {
            leaps: legged(ORTHOGONAL, forks),
            ..mover(board, "horse", "H", '傌', &[], &[])
        },
        mover(board, "chariot", "R", '俥', ORTHOGONAL, &[]),
    ];
    let mut army = Army::new("xiangqi", board, pieces);
    army.kept = 0;
    army.published_lines = true;
    army
}

/// A piece that may stand anywhere, its leaps free of legs.
fn mover(
    board: Chessboard,
    name: &'static str,
    short: &'static str,
    symbol: char,
    rays: &'static [Offset],
    leaps: &[Offset],
) -> Piece {
    Piece {
        name,
        short,
        symbol,
        domain: board.all(),
        rays,
        leaps: leaps.iter().map(|&step| Leap { step, leg: None }).collect(),
        regions: Vec::new(),
        opposite: false,
    }
}

/// The 3x3 palace whose upper row is `top`.
fn palace(board: Chessboard, top: usize) -> CellSet {
    set_of((0..9).map(|i| board.cell(top + i / 3, 3 + i % 3)))
}

/// The given points (row, column) of the upper half and their mirror images in the lower.
fn points(board: Chessboard, upper: &[(usize, usize)]) -> CellSet {
    set_of(upper.iter().flat_map(|&(row, column)| {
        [
            board.cell(row, column),
            board.cell(board.height() - 1 - row, column),
        ]
    }))
}

/// The leaps behind each leg.
fn legged(legs: &[Offset], targets: fn(Offset) -> Vec<Offset>) -> Vec<Leap> {
    legs.iter()
        .flat_map(|&leg| {
            targets(leg).into_iter().map(move |step| Leap {
                step,
                leg: Some(leg),
            })
        })
        .collect()
}

/// A horse's two targets behind one leg: a step ahead, then diagonally outwards.
fn forks((down, right): Offset) -> Vec<Offset> {
    [-1, 1]
        .map(|side| (2 * down + side * right.abs(), 2 * right + side * down.abs()))
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::members;

    fn named(army: &Army, set: CellSet) -> Vec<String> {
        members(set).map(|cell| army.board().name(cell)).collect()
    }

    #[test]
    fn xiangqi_domains_have_the_published_sizes() {
        let sizes: Vec<u32> = xiangqi()
            .pieces()
            .iter()
            .map(|piece| piece.domain.count_ones())
            .collect();
        assert_eq!(sizes, [18, 10, 14, 90, 90]);
        assert_eq!(xiangqi().tuples(), 18 * 5 * 14 * 90 * 90);
    }

    #[test]
    fn a_horse_needs_its_leg_and_an_elephant_its_eye() {
        let army = xiangqi();
        let cell = |name| army.board().parse(name).unwrap();
        let horse = |blocked| named(&army, army.attacks(3, cell("b1"), 1 << cell(blocked)));
        assert_eq!(horse("i9"), ["a3", "c3", "d2"]);
        assert_eq!(horse("b2"), ["d2"]);
        assert_eq!(horse("c1"), ["a3", "c3"]);
        let elephant = |blocked| named(&army, army.attacks(2, cell("c5"), 1 << cell(blocked)));
        assert_eq!(elephant("i9"), ["a3", "e3"]);
        assert_eq!(elephant("d4"), ["a3"]);
    }

    #[test]
    fn generals_and_advisors_stay_in_their_palace() {
        let army = xiangqi();
        let cell = |name| army.board().parse(name).unwrap();
        assert_eq!(named(&army, army.reach(0, cell("d3"))), ["e3", "d2"]);
        assert_eq!(named(&army, army.reach(1, cell("d3"))), ["e2"]);
        assert_eq!(army.reach(1, cell("e9")).count_ones(), 4);
    }
}
