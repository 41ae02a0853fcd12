//! The fast search against the plain one, and its lines on a real table.

use super::super::deal::Deal;
use super::super::plain;
use super::super::rules::{Deck, Rules};
use super::super::table::Table;
use super::{Solved, Solver};
use lab::rng::Streams;
use lab::search::{Budget, Verdict};

/// Decks small enough to be enumerated: columns, suits, ranks.
const SMALL: [(u8, u8, u8); 8] = [
    (3, 2, 5),
    (4, 2, 8),
    (3, 4, 3),
    (4, 4, 4),
    (2, 3, 4),
    (3, 3, 5),
    (5, 4, 5),
    (2, 2, 6),
];

fn all_rules() -> Vec<Rules> {
    let mut all = Vec::new();
    for draw in [1, 2, 3] {
        for passes in [Some(1), Some(2), Some(3), None] {
            for back in [true, false] {
                all.push(Rules::new(draw, passes).with_worrying_back(back));
            }
        }
    }
    all
}

fn deal(seed: u64, deck: Deck, index: u64) -> Deal {
    Deal::draw(deck, &mut Streams::new(seed).key("deal").stream(index))
}

fn solve(solver: &mut Solver, table: &Table) -> Solved {
    let solved = solver.solve(table, Budget::UNLIMITED);
    check_line(table, &solved);
    solved
}

/// The line is legal, move by move, and its best moment is the lower bound.
fn check_line(table: &Table, solved: &Solved) {
    let mut table = *table;
    let mut most = table.founded();
    for play in solved.line(&table) {
        assert!(table.allows(play), "{play} is not legal");
        table.play(play);
        most = most.max(table.founded());
    }
    assert_eq!(most, solved.foundation.lower());
}

/// Compares `decks` deals of each small deck under all rules; plain searches beyond 200,000
/// positions are left out, and their number is returned.
fn compare(seed: u64, decks: std::ops::Range<u64>) -> (u64, u64) {
    let mut solver = Solver::with_memory(64 << 20);
    let (mut compared, mut left_out) = (0, 0);
    for index in decks {
        for (columns, suits, ranks) in SMALL {
            let deck = Deck::new(columns, suits, ranks).unwrap();
            let deal = deal(seed, deck, index);
            for rules in all_rules() {
                let table = Table::new(&deal, rules);
                let plain = plain::solve(&table, Budget::nodes(200_000));
                let Verdict::Proved(count) = plain.foundation else {
                    left_out += 1;
                    continue;
                };
                let solved = solve(&mut solver, &table);
                assert_eq!(
                    solved.foundation,
                    Verdict::Proved(count),
                    "{deal} {rules:?}"
                );
                compared += 1;
            }
        }
    }
    (compared, left_out)
}

/// Seed 19.
#[test]
fn small_decks_have_the_counts_of_all_single_moves() {
    let (compared, left_out) = compare(19, 0..6);
    assert!(
        compared > 1_000 && left_out * 10 < compared,
        "{compared} {left_out}"
    );
}
