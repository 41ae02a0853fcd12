//! The fast totals against the plain ones and the known ones.

use super::super::layout::Layout;
use super::*;

fn layout(deck: &str, layout: &str) -> Layout {
    Layout::parse(layout, deck.parse().unwrap()).unwrap()
}

/// Decks whose totals are known from an independent program: `games/klondike-hidden.md`.
#[test]
fn totals_of_three_decks_are_the_known_ones() {
    for (deck, columns, known) in [
        (
            "2x4",
            "0:1,2:1,3:1",
            [40_320, 226_496, 223_016, 223_016, 222_872],
        ),
        (
            "3x3",
            "0:1,2:2,2:2",
            [362_880, 2_838_060, 2_791_224, 2_790_924, 2_764_020],
        ),
        (
            "2x4",
            "1:1,2:1,2:1",
            [40_320, 247_184, 246_512, 246_512, 246_512],
        ),
    ] {
        let found = totals(&layout(deck, columns)).unwrap();
        let [deals, perfect, hidden, hindsight, greedy] = known;
        let known = Totals {
            deals,
            perfect,
            hidden,
            hindsight,
            greedy,
        };
        assert_eq!(found, known, "{deck} {columns}");
    }
}

/// Empty columns, columns alike, suits from one to four, one card unseen, none unseen.
const SMALL: &[(&str, &str)] = &[
    ("2x3", "0:1,2:1,1:1"),
    ("2x3", "3:1,1:1"),
    ("2x3", "0:0,2:1,2:1"),
    ("2x3", "0:2,0:2,0:2"),
    ("3x2", "1:1,1:1,1:1"),
    ("4x1", "2:1,0:1"),
    ("1x6", "2:1,1:1,0:1"),
    ("1x7", "3:2,1:1"),
    ("1x7", "2:1,1:1,0:1,0:1"),
    ("2x4", "2:2,2:2"),
    ("2x4", "3:1,2:1,0:1"),
    ("2x4", "0:0,3:2,2:1"),
    ("2x4", "1:3,0:4"),
    ("4x2", "0:1,3:1,2:1"),
    ("1x8", "2:1,1:1,1:1,0:1"),
];

/// Checks that both ways agree, and that no player beats the best of those who see as much.
fn agree(deck: &str, columns: &str) -> Totals {
    let layout = layout(deck, columns);
    let found = totals(&layout).unwrap();
    assert_eq!(
        found,
        plain::totals(&plain::deals(&layout)),
        "{deck} {columns}"
    );
    assert!(found.perfect >= found.hidden, "{deck} {columns}");
    assert!(
        found.hidden >= found.hindsight.max(found.greedy),
        "{deck} {columns}"
    );
    found
}

#[test]
fn totals_are_those_of_explicit_lists_of_deals() {
    let totals: Vec<Totals> = SMALL
        .iter()
        .map(|(deck, columns)| agree(deck, columns))
        .collect();
    let differ = |differs: fn(&Totals) -> bool| totals.iter().filter(|&all| differs(all)).count();
    assert!(differ(|all| all.perfect > all.hidden) >= 5);
    assert!(differ(|all| all.hidden > all.greedy) >= 3);
}

/// Decks of nine and ten cards, one of each kind: some minutes.
#[test]
#[ignore = "long: run with --release and --ignored"]
fn totals_of_ten_cards_are_those_of_explicit_lists_of_deals() {
    for (deck, columns) in [
        ("3x3", "0:1,2:2,2:2"),
        ("3x3", "3:1,2:1,1:1"),
        ("1x9", "3:1,2:1,1:1"),
        ("2x5", "0:1,2:2,3:2"),
        ("2x5", "2:1,2:1,2:1,0:1"),
        ("2x5", "0:0,2:2,2:2,1:1"),
        ("1x10", "2:2,2:2,1:1"),
    ] {
        agree(deck, columns);
    }
}
