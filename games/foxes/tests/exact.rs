//! Plain search beside the exact engine, in every position of a small board.

use etude_foxes::alphabeta::{Searcher, WIN};
use etude_foxes::board::{Board, Cells, STRIP, each};
use etude_foxes::position::{Position, Side};
use etude_foxes::rules::Rules;
use etude_foxes::solved::retrograde::{Tablebase, Worth};
use kit::search::Budget;

/// Plies that the search looks ahead.
const DEPTH: u32 = 7;

/// Calls `visit` with every position of a side to move that has not ended, with enough hens to win.
fn each_open_position(rules: &Rules, side: Side, mut visit: impl FnMut(&Position)) {
    let board: &'static Board = rules.board;
    let cells: Vec<Cells> = each(board.cells).collect();
    for set in 0u64..1 << cells.len() {
        let hens: Cells = each(set)
            .map(|bit| cells[bit.trailing_zeros() as usize])
            .sum();
        if !(board.square.count_ones()..=board.flock()).contains(&hens.count_ones()) {
            continue;
        }
        let free: Vec<Cells> = each(board.cells & !hens).collect();
        for (high, &fox) in free.iter().enumerate() {
            for &other in &free[..high] {
                let position = Position {
                    hens,
                    foxes: fox | other,
                    eaten: board.flock() - hens.count_ones(),
                    side,
                };
                if rules.ending(&position).is_none() {
                    visit(&position);
                }
            }
        }
    }
}

#[test]
fn plain_search_agrees_with_the_exact_engine_wherever_the_hens_move_on_the_strip() {
    plain_search_agrees(Side::Hens, 37_330);
}

#[test]
fn plain_search_agrees_with_the_exact_engine_wherever_the_foxes_move_on_the_strip() {
    plain_search_agrees(Side::Foxes, 37_362);
}

fn plain_search_agrees(side: Side, open: u64) {
    let rules = Rules::on(&STRIP);
    let tablebase = Tablebase::solved(rules);
    let mut searcher = Searcher::new(12);
    let (mut positions, mut decided) = (0u64, 0u64);
    each_open_position(&rules, side, |position| {
        searcher.forget();
        let answer = searcher.search(&rules, position, (DEPTH, Budget::UNLIMITED), &|_| false);
        positions += 1;
        match tablebase.worth(position) {
            Worth::Won { winner, plies } if u32::from(plies) <= DEPTH => {
                decided += 1;
                assert_eq!(
                    answer.plies_to_end(),
                    Some(i32::from(plies)),
                    "{position:?}"
                );
                assert_eq!(answer.value >= WIN / 2, winner == position.side);
            }
            _ => assert!(
                answer
                    .plies_to_end()
                    .is_none_or(|plies| plies > DEPTH as i32)
            ),
        }
    });
    assert!(decided > 0 && decided < positions);
    assert_eq!(positions, open);
}
