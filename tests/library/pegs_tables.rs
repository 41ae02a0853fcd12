//! The committed tables of peg problems, checked on a plain board that knows nothing of the
//! engine: every solution replays, and every pair of a vacancy and a last peg is either among the
//! problems, up to symmetry, or proved impossible.

use std::collections::{BTreeMap, BTreeSet};

use kit::search::Budget;
use pegs::problem::parse;
use pegs::solve::{ExactAnswer, Reason};

const ENGLISH: &str = include_str!("../../results/pegs-single-vacancy/problems.csv");
const ENGLISH_SOLVED: &str = include_str!("../../results/pegs-single-vacancy/solutions.csv");
const FRENCH: &str = include_str!("../../games/pegs/tests/data/french.csv");

/// Column and row, from 1.
type Hole = (i32, i32);
type Pegs = BTreeSet<Hole>;
/// A vacancy and a last peg.
type Pair = (Hole, Hole);
type Record = BTreeMap<String, String>;

fn records(csv: &str) -> Vec<Record> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().unwrap()
}

fn hole(name: &str) -> Hole {
    let digit = |byte: u8| i32::from(byte - b'0');
    let &[column, row] = name.as_bytes() else {
        panic!("`{name}` is no hole");
    };
    (digit(column), digit(row))
}

fn name((column, row): Hole) -> String {
    format!("{column}{row}")
}

fn pegs(names: &str) -> Pegs {
    names.split(' ').map(hole).collect()
}

/// The English board, and the French with its four holes more.
fn holes(board: &str) -> Pegs {
    let reach = if board == "french" { 3 } else { 2 };
    let arm = |x: i32| (3..=5).contains(&x);
    let on_board = |&(c, r): &Hole| {
        arm(c) || arm(r) || reach == 3 && (2..=6).contains(&c) && (2..=6).contains(&r)
    };
    let grid = (1..=7).flat_map(|column| (1..=7).map(move |row| (column, row)));
    grid.filter(on_board).collect()
}

/// Plays `46-24, 31-33-53` and gives the pegs left and the number of moves.
fn replay(board: &Pegs, mut pegs: Pegs, solution: &str) -> (Pegs, usize) {
    let moves: Vec<&str> = solution.split(", ").collect();
    for chain in &moves {
        let stops: Vec<Hole> = chain.split('-').map(hole).collect();
        for jump in stops.windows(2) {
            let ((c, r), (to_c, to_r)) = (jump[0], jump[1]);
            let distance = ((to_c - c).abs(), (to_r - r).abs());
            assert!(distance == (2, 0) || distance == (0, 2), "{chain}");
            let over = ((c + to_c) / 2, (r + to_r) / 2);
            assert!(pegs.remove(&jump[0]), "{chain}: no peg jumps");
            assert!(pegs.remove(&over), "{chain}: no peg is taken");
            assert!(board.contains(&jump[1]) && pegs.insert(jump[1]), "{chain}");
        }
    }
    (pegs, moves.len())
}

/// Returns the differences in parity between the numbers of pegs of neighbouring labels, for either
/// diagonal.
fn parities(pegs: &Pegs) -> [bool; 4] {
    let odd = |label: &dyn Fn(&Hole) -> bool| pegs.iter().filter(|&h| label(h)).count() % 2 == 1;
    let up = |k| odd(&move |&(c, r)| (c + r) % 3 == k);
    let down = |k| odd(&move |&(c, r)| (c - r + 9) % 3 == k);
    [
        up(0) != up(1),
        up(1) != up(2),
        down(0) != down(1),
        down(1) != down(2),
    ]
}

/// The pair that stands for all its images under the symmetries of the square.
fn class((vacancy, last): Pair) -> Pair {
    let images = (0..8).map(|code| {
        let image = |(c, r): Hole| {
            let (c, r) = if code & 1 == 0 { (c, r) } else { (r, c) };
            let c = if code & 2 == 0 { c } else { 8 - c };
            (c, if code & 4 == 0 { r } else { 8 - r })
        };
        (image(vacancy), image(last))
    });
    images.min().unwrap()
}

/// The pair a record is about.
fn pair(record: &Record, board: &Pegs) -> Pair {
    let start = pegs(&record["start"]);
    let vacancies: Vec<&Hole> = board.difference(&start).collect();
    assert!(vacancies.len() == 1 && start.is_subset(board));
    (*vacancies[0], hole(&record["end"]))
}

/// The English problems that have been solved, each with its row.
fn solved() -> Vec<(Record, Record)> {
    let problems = records(ENGLISH);
    let problem = |row: &Record| {
        problems
            .iter()
            .find(|problem| problem["name"] == row["name"])
    };
    let rows = records(ENGLISH_SOLVED).into_iter();
    rows.map(|row| (problem(&row).unwrap().clone(), row))
        .collect()
}

/// Every pair of the board is, up to symmetry, in the table, or the engine proves that no jumps
/// lead from the one to the other.
fn assert_complete(table: &str, board_name: &str, size: usize) {
    let board = holes(board_name);
    let possible: Vec<Pair> = records(table)
        .iter()
        .map(|record| class(pair(record, &board)))
        .collect();
    assert_eq!(possible.len(), size);
    assert_eq!(possible.iter().collect::<BTreeSet<_>>().len(), size);
    for &vacancy in &board {
        let mut start = board.clone();
        start.remove(&vacancy);
        let names: Vec<String> = start.iter().copied().map(name).collect();
        for &last in &board {
            let joined = parities(&start) == parities(&Pegs::from([last]));
            assert_eq!(joined, possible.contains(&class((vacancy, last))));
            let ends = (&names.join(" ")[..], &name(last)[..]);
            let problem = parse("pair", board_name, ends, false).unwrap();
            let excluded = problem.obstacle() == Some(Reason::Class);
            assert_eq!(excluded, !joined, "{vacancy:?} to {last:?}");
        }
    }
}

#[test]
fn ten_pairs_of_the_french_board_are_solved_and_all_others_excluded() {
    assert_complete(FRENCH, "french", 10);
    let board = holes("french");
    for record in records(FRENCH) {
        let (left, _) = replay(&board, pegs(&record["start"]), &record["solution"]);
        assert_eq!(left, pegs(&record["end"]), "{}", record["name"]);
    }
}

#[test]
fn twenty_one_pairs_of_the_english_board_are_possible_and_all_others_excluded() {
    assert_complete(ENGLISH, "english", 21);
    let board = holes("english");
    assert_eq!(solved().len(), 21);
    for (problem, solution) in solved() {
        let (left, moves) = replay(&board, pegs(&problem["start"]), &solution["solution"]);
        assert_eq!(left, pegs(&problem["end"]), "{}", problem["name"]);
        assert_eq!(moves.to_string(), solution["min_moves"]);
    }
}

/// A solution read backwards, pegs and holes exchanged, solves the problem with vacancy and last
/// peg exchanged. So both have as many, though the engine counted them apart.
#[test]
fn problems_and_their_duals_have_as_many_solutions() {
    let board = holes("english");
    let counts: BTreeMap<Pair, String> = solved()
        .into_iter()
        .map(|(problem, row)| (class(pair(&problem, &board)), row["solutions"].clone()))
        .collect();
    for (&(vacancy, last), count) in &counts {
        assert_eq!(&counts[&class((last, vacancy))], count);
    }
    assert_eq!(counts[&((4, 4), (4, 4))], "40861647040079968");
}

/// Run with `cargo test --release -- --ignored`; a minute.
#[test]
#[ignore = "a minute in release"]
fn some_rows_are_solved_again() {
    for (problem, row) in solved() {
        if !["34-34", "44-14", "44-44"].contains(&&problem["name"][..]) {
            continue;
        }
        let ends = (&problem["start"][..], &problem["end"][..]);
        let problem = parse("row", "english", ends, false).unwrap();
        let ExactAnswer::Solved(solution) = problem.solve(&mut Budget::UNLIMITED.meter()) else {
            panic!("{} can be solved", row["name"]);
        };
        assert_eq!(solution.moves.to_string(), row["min_moves"]);
        assert_eq!(solution.solutions.to_string(), row["solutions"]);
        assert_eq!(solution.fewest.to_string(), row["min_solutions"]);
    }
}
