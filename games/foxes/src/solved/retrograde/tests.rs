//! The exact engine against plain induction, in every position.

use std::collections::HashMap;

use super::*;
use crate::board::{Board, Cells, SMALL_SQUARE, STRIP, each};
use crate::rules::{Capture, Stuck};

/// All positions with `hens` hens on a board, both sides to move.
fn positions(board: &'static Board, hens: u32) -> Vec<Position> {
    let cells: Vec<Cells> = each(board.cells).collect();
    let sets = (0u64..1 << cells.len())
        .filter(|set| set.count_ones() == hens)
        .map(|set| {
            each(set)
                .map(|bit| cells[bit.trailing_zeros() as usize])
                .sum()
        });
    let mut all = Vec::new();
    for set in sets {
        let set: Cells = set;
        let free: Vec<Cells> = each(board.cells & !set).collect();
        for (high, &fox) in free.iter().enumerate() {
            for &other in &free[..high] {
                for side in [Side::Hens, Side::Foxes] {
                    all.push(Position {
                        hens: set,
                        foxes: fox | other,
                        eaten: board.flock() - hens,
                        side,
                    });
                }
            }
        }
    }
    all
}

fn all_positions(board: &'static Board) -> Vec<Position> {
    (board.square.count_ones()..=board.flock())
        .flat_map(|hens| positions(board, hens))
        .collect()
}

/// Returns the winner of each position within `n` plies, for n = 0, 1, 2, ... until nothing changes: forward
/// moves only, every position judged again each time.
fn by_plain_induction(rules: &Rules, all: &[Position]) -> HashMap<Position, Worth> {
    let mut known: HashMap<Position, Worth> = all
        .iter()
        .filter_map(|position| {
            let winner = rules.ending(position)?.winner()?;
            Some((*position, Worth::Won { winner, plies: 0 }))
        })
        .collect();
    for plies in 1.. {
        let layer: Vec<(Position, Worth)> = all
            .iter()
            .filter(|position| !known.contains_key(position))
            .filter_map(|position| Some((*position, judged(rules, position, &known, plies)?)))
            .collect();
        // What is won in n + 1 plies leads to something won in exactly n.
        if layer.is_empty() {
            return known;
        }
        known.extend(layer);
    }
    known
}

fn judged(
    rules: &Rules,
    position: &Position,
    known: &HashMap<Position, Worth>,
    plies: u16,
) -> Option<Worth> {
    let mut moves = Vec::new();
    rules.moves(position, &mut moves);
    let winners: Vec<Option<Side>> = moves
        .iter()
        .map(|&play| {
            let after = rules.after(position, play);
            let ended = rules.ending(&after).and_then(|ending| ending.winner());
            match known.get(&after) {
                _ if ended.is_some() => ended,
                Some(Worth::Won { winner, .. }) => Some(*winner),
                _ => None,
            }
        })
        .collect();
    let (own, other) = (Some(position.side), Some(position.side.other()));
    let winner = if winners.contains(&own) {
        position.side
    } else if winners.iter().all(|&winner| winner == other) {
        position.side.other()
    } else {
        return None;
    };
    Some(Worth::Won { winner, plies })
}

fn assert_solved_as_by_plain_induction(rules: Rules) {
    let tablebase = Tablebase::solved(rules);
    let all = all_positions(rules.board);
    let known = by_plain_induction(&rules, &all);
    for position in &all {
        let plain = known.get(position).copied().unwrap_or(Worth::Draw);
        assert_eq!(tablebase.worth(position), plain, "{position:?}");
    }
}

#[test]
fn a_square_is_solved_as_by_plain_induction_under_every_variant() {
    for capture in [Capture::Longest, Capture::Any, Capture::Optional] {
        for stuck in [Stuck::FoxesWin, Stuck::Pass] {
            assert_solved_as_by_plain_induction(Rules {
                capture,
                stuck,
                ..Rules::on(&SMALL_SQUARE)
            });
        }
    }
}

/// `tests/exact.rs` holds plain search beside it.
#[test]
fn a_strip_is_solved_as_by_plain_induction() {
    assert_solved_as_by_plain_induction(Rules::on(&STRIP));
}
