//! The proof against the plain engine, in every position; and its folder against kills and damage.

use super::super::board::{SMALL_SQUARE, STRIP, each};
use super::super::position::{Position, Side};
use super::super::retrograde::{Tablebase, Worth};
use super::super::rules::Rules;
use super::*;

/// A cross with arms of width 3 and length 1, low enough for all its hens to be eaten in the proof.
static LOW_CROSS: Board = Board::drawn("low-cross", &[" *** ", "f...f", ".hhh.", " hhh "]);

/// All positions with `hens` hens, the hens to move.
fn positions(board: &'static Board, hens: u32) -> Vec<Position> {
    let cells: Vec<u64> = each(board.cells).collect();
    let mut all = Vec::new();
    for set in (0u64..1 << cells.len()).filter(|set| set.count_ones() == hens) {
        let hens = each(set).fold(0, |hens, bit| hens | cells[bit.trailing_zeros() as usize]);
        let free = board.cells & !hens;
        for high in each(free) {
            all.extend(each(free & (high - 1)).map(|low| Position {
                hens,
                foxes: high | low,
                eaten: board.flock() - hens.count_ones(),
                side: Side::Hens,
            }));
        }
    }
    all
}

fn prove(path: &Path, board: &'static Board, sacrifices: u32) -> Proof {
    let terms = Terms::new(board, sacrifices).unwrap();
    let mut proof = Proof::open(path, terms).unwrap();
    while proof.solve_next().unwrap().is_some() {}
    proof
}

/// With as many sacrifices as the rules allow the question is the game itself.
#[test]
fn the_hens_win_exactly_where_the_plain_engine_says_so() {
    for board in [&SMALL_SQUARE, &STRIP, &LOW_CROSS] {
        let folder = tempfile::tempdir().unwrap();
        let proof = prove(folder.path(), board, board.enough_eaten() - 1);
        let plain = Tablebase::solved(Rules::on(board));
        let mut won = 0;
        for hens in board.square.count_ones()..=board.flock() {
            for position in positions(board, hens) {
                let worth = plain.worth(&position);
                let expected = matches!(
                    worth,
                    Worth::Won {
                        winner: Side::Hens,
                        ..
                    }
                );
                assert_eq!(
                    proof.tables.is_won(&position).unwrap(),
                    expected,
                    "{position:?}"
                );
                won += u64::from(expected);
            }
        }
        let counted: u64 = proof.done().iter().map(|record| record.won).sum();
        assert_eq!(counted, won, "{}", board.name);
        assert!(won > 0);
    }
}
