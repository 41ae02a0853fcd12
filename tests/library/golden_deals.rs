//! The golden deals of games as files of deals: what `etude solve` says of them.

use base::Failure;
use etude::GAMES;
use klondike::engine::ExactEngine;
use strum::VariantNames;
use task::{Script, TableCell};

const KLONDIKE: &str = include_str!("../../games/klondike/tests/data/deals.csv");
const SOLITAIRE: &str = include_str!("../../games/solitaire/tests/data/vegas_draw1_pass1.csv");

/// Solves a file of deals.
fn solve(game: &str, deals: &str, options: &[&str]) -> Result<Script, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deals.csv");
    std::fs::write(&path, deals).unwrap();
    let game = GAMES.iter().find(|known| known.name == game).unwrap();
    let verb = game.verbs.iter().find(|verb| verb.name == "solve").unwrap();
    Script::default().run(
        verb,
        &[&["--deals", path.to_str().unwrap()], options].concat(),
    )
}

/// `games/klondike/tests/data/deals.csv`: the third deal is won.
#[test]
fn a_file_of_deals_gives_a_row_each_whatever_the_algorithm() {
    let golden = KLONDIKE;
    let text: String = golden
        .lines()
        .take(4)
        .map(|line| format!("{line}\n"))
        .collect();
    for algorithm in ExactEngine::VARIANTS {
        let console = solve("klondike", &text, &["--algorithm", algorithm]).unwrap();
        assert_eq!(
            console.columns[..3],
            ["index", "optimal_score", "upper_bound"]
        );
        let scores: Vec<&TableCell> = console.rows.iter().map(|row| &row[1]).collect();
        assert_eq!(
            scores,
            [
                &TableCell::Integer(0),
                &TableCell::Integer(1),
                &TableCell::Integer(52)
            ]
        );
        assert_eq!(console.rows[2][3], TableCell::Flag(true));
        assert!(console.drawings.is_empty());
    }
}

#[test]
fn a_budget_bounds_what_it_does_not_solve() {
    let console = solve("klondike", KLONDIKE, &["--budget-nodes=1"]).unwrap();
    assert_eq!(console.rows.len(), 200);
    assert!(
        console
            .rows
            .iter()
            .any(|row| row[3] == TableCell::Flag(false))
    );
}

/// `games/solitaire/tests/data/vegas_draw1_pass1.csv`: a loss, then a win.
#[test]
fn a_file_of_solitaire_deals_gives_a_row_each() {
    let golden = SOLITAIRE;
    let text: String = golden
        .lines()
        .take(3)
        .map(|line| format!("{line}\n"))
        .collect();
    let console = solve("solitaire", &text, &["--rules=vegas-1"]).unwrap();
    let head = "index result foundation upper_bound money proved nodes positions moves";
    assert_eq!(console.columns.join(" "), head);
    assert_eq!(console.column(1), ["lose", "win"]);
    assert_eq!(console.column(2), ["6", "52"]);
    assert_eq!(console.column(4), ["-22", "208"]);
    assert_eq!(console.column(5), ["true", "true"]);
    assert!(console.drawings.is_empty());
}

/// `games/solitaire/tests/data/vegas_draw1_pass1.csv`, the first deals: what is won without sight is won with it.
#[test]
fn perfect_sight_stands_beside_a_player() {
    let golden = SOLITAIRE;
    let text: String = golden
        .lines()
        .take(9)
        .map(|line| format!("{line}\n"))
        .collect();
    let expected: Vec<bool> = golden
        .lines()
        .skip(1)
        .take(8)
        .map(|line| line.ends_with(",52"))
        .collect();
    let console = solve(
        "solitaire",
        &text,
        &["--rules=vegas-1", "--hidden", "--play=greedy"],
    )
    .unwrap();
    let sight: Vec<bool> = console
        .column(4)
        .iter()
        .map(|sight| sight == "win")
        .collect();
    assert_eq!(sight, expected);
    let winnable = expected.iter().filter(|&&win| win).count();
    let told = format!("{winnable} can be won");
    assert!(
        console.heard(&told) && console.heard("decided: 8 of 8"),
        "{:?}",
        console.notes
    );
    let text = text + "KS\n";
    let fault = solve(
        "solitaire",
        &text,
        &["--rules=vegas-1", "--hidden", "--play=greedy"],
    );
    assert!(fault.err().unwrap().place.ends_with("deals.csv:10"));
}
