//! The proof against the plain engine in every position, and its folder against kills and damage.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use super::*;
use crate::foxes::matches::{MatchSeat, play_out};
use crate::foxes::players::PlayerName;
use foxes::board::{Board, LOW_CROSS, SMALL_SQUARE, STRIP, each};
use foxes::game::Game;
use foxes::moves::Move;
use foxes::position::{Position, Side};
use foxes::rules::Rules;
use foxes::solved::retrograde::{Tablebase, Worth};
use kit::rng::Streams;

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
        let proof = prove(folder.path(), board, board.enough_eaten - 1);
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

/// Positions won with at most so many hens lost, by definition: forward moves only, every position
/// judged again until nothing changes.
fn by_plain_induction(board: &'static Board, sacrifices: u32) -> HashSet<Position> {
    let rules = Rules::on(board);
    let all: Vec<Position> = (board.flock() - sacrifices..=board.flock())
        .flat_map(|hens| positions(board, hens))
        .collect();
    let mut won = HashSet::new();
    loop {
        let before = won.len();
        for position in &all {
            if !won.contains(position) && is_won_next(&rules, position, &won) {
                won.insert(*position);
            }
        }
        if won.len() == before {
            return won;
        }
    }
}

fn is_won_next(rules: &Rules, position: &Position, won: &HashSet<Position>) -> bool {
    if let Some(ending) = rules.ending(position) {
        return ending.winner() == Some(Side::Hens);
    }
    let moves = |position: &Position| {
        let mut moves = Vec::new();
        rules.moves(position, &mut moves);
        moves
    };
    moves(position).into_iter().any(|step| {
        let after = rules.after(position, step);
        match rules.ending(&after) {
            Some(ending) => ending.winner() == Some(Side::Hens),
            None => {
                let answers = moves(&after).into_iter();
                answers
                    .map(|answer| rules.after(&after, answer))
                    .all(|next| won.contains(&next))
            }
        }
    })
}

/// The tables of so many sacrifices hold what follows from their definition.
fn assert_proved_as_defined(board: &'static Board, sacrifices: u32) {
    let folder = tempfile::tempdir().unwrap();
    let proof = prove(folder.path(), board, sacrifices);
    let won = by_plain_induction(board, sacrifices);
    for hens in board.flock() - sacrifices..=board.flock() {
        for position in positions(board, hens) {
            let found = proof.tables.is_won(&position).unwrap();
            assert_eq!(found, won.contains(&position), "{sacrifices} {position:?}");
        }
    }
}

#[test]
fn fewer_sacrifices_are_proved_as_defined() {
    assert_proved_as_defined(&STRIP, 0);
    assert_proved_as_defined(&STRIP, 1);
}

#[test]
#[ignore = "every position of a larger board by plain induction"]
fn no_sacrifice_on_the_low_cross_is_proved_as_defined() {
    assert_proved_as_defined(&LOW_CROSS, 0);
}

/// Seed 33: the check agrees with sound tables, and finds every flipped bit it comes across.
#[test]
fn the_check_agrees_with_sound_tables_and_not_with_others() {
    let folder = tempfile::tempdir().unwrap();
    drop(prove(folder.path(), &LOW_CROSS, 3));
    let tables = ProofTables::open(folder.path()).unwrap();
    let sound = check(&tables, 33, 0..3_000).unwrap();
    assert_eq!((sound.positions, sound.wrong.len()), (3_000, 0));
    assert!(sound.won > 100 && sound.won < 2_900);
    let largest = tables
        .plan
        .iter()
        .max_by_key(|layout| layout.configurations());
    let path = tables.folder.layer(largest.unwrap().shape);
    let flipped: Vec<u8> = std::fs::read(&path)
        .unwrap()
        .iter()
        .map(|byte| !byte)
        .collect();
    std::fs::write(&path, flipped).unwrap();
    let tables = ProofTables::open(folder.path()).unwrap();
    assert!(!check(&tables, 33, 0..3_000).unwrap().wrong.is_empty());
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .map(|path| {
            (
                path.file_name().unwrap().into(),
                std::fs::read(path).unwrap(),
            )
        })
        .collect()
}

#[test]
fn a_proof_ended_after_any_layer_goes_on_to_the_same_bytes() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    drop(prove(whole.path(), &LOW_CROSS, 2));
    let terms = Terms::new(&LOW_CROSS, 2).unwrap();
    let mut layers = 0;
    while Proof::open(parts.path(), terms)
        .unwrap()
        .solve_next()
        .unwrap()
        .is_some()
    {
        layers += 1;
        // What a kill leaves behind while the next layer is written.
        std::fs::write(parts.path().join("layers.csv.part"), "hens,hei").unwrap();
    }
    assert_eq!(Proof::open(parts.path(), terms).unwrap().layers(), layers);
    std::fs::remove_file(parts.path().join("layers.csv.part")).unwrap();
    assert_eq!(files(parts.path()), files(whole.path()));
}

#[test]
fn torn_changed_and_missing_layers_are_proved_again() {
    let folder = tempfile::tempdir().unwrap();
    let terms = Terms::new(&LOW_CROSS, 1).unwrap();
    drop(prove(folder.path(), &LOW_CROSS, 1));
    let sound = files(folder.path());
    let middle = ProofTables::open(folder.path()).unwrap().plan[9].shape;
    let path = ProofTables::open(folder.path())
        .unwrap()
        .folder
        .layer(middle);
    let bytes = std::fs::read(&path).unwrap();
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    for damage in [Some(&bytes[..bytes.len() / 2]), Some(&changed[..]), None] {
        match damage {
            Some(damage) => std::fs::write(&path, damage).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        let mut proof = Proof::open(folder.path(), terms).unwrap();
        assert_eq!((proof.damaged(), proof.done().len()), (Some(middle), 9));
        while proof.solve_next().unwrap().is_some() {}
        drop(proof);
        assert_eq!(files(folder.path()), sound);
    }
    let journal = folder.path().join("layers.csv");
    std::fs::write(&journal, "hens,height\n19,x\n").unwrap();
    let error = Proof::open(folder.path(), terms).unwrap_err();
    assert!(matches!(error, ProofFolderError::Damaged { .. }), "{error}");
}

#[test]
fn a_folder_serves_one_proof_and_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let terms = |sacrifices| Terms::new(&LOW_CROSS, sacrifices).unwrap();
    let busy = Proof::open(folder.path(), terms(1)).unwrap();
    let second = Proof::open(folder.path(), terms(1)).unwrap_err();
    assert!(matches!(second, ProofFolderError::Busy(_)), "{second}");
    drop(busy);
    let other = Proof::open(folder.path(), terms(0)).unwrap_err();
    assert!(matches!(other, ProofFolderError::Other { .. }), "{other}");
    let unfinished = ProofTables::open(folder.path()).unwrap_err();
    assert!(unfinished.to_string().contains("0 of"), "{unfinished}");
    assert_eq!(
        Terms::new(&LOW_CROSS, 4),
        None,
        "the foxes have won by then"
    );
}

/// The plain engine knows the true distances.
#[test]
fn the_bound_on_the_moves_is_one() {
    for board in [&SMALL_SQUARE, &STRIP, &LOW_CROSS] {
        let folder = tempfile::tempdir().unwrap();
        let proof = prove(folder.path(), board, board.enough_eaten - 1);
        let plain = Tablebase::solved(Rules::on(board));
        let top = board.rows as u32 - 1;
        for position in positions(board, board.flock()).into_iter().step_by(5) {
            if let Worth::Won {
                winner: Side::Hens,
                plies,
            } = plain.worth(&position)
            {
                let bound = most_moves(proof.done(), Shape::of(position.hens), top);
                assert!(u32::from(plies).div_ceil(2) <= bound, "{position:?}");
            }
        }
    }
}

/// The game with its limit on quiet play, solved by definition.
struct WithQuiet {
    rules: Rules,
    sacrifices: u32,
    known: HashMap<(Position, u32), bool>,
}

impl WithQuiet {
    /// Returns whether the hens, to move after so many quiet plies, can force a win before quiet play is a draw.
    fn is_won(&mut self, position: &Position, plies: u32) -> bool {
        if let Some(&known) = self.known.get(&(*position, plies)) {
            return known;
        }
        let mut steps = Vec::new();
        self.rules.moves(position, &mut steps);
        let is_won = steps.iter().any(|&step| self.wins(position, step, plies));
        self.known.insert((*position, plies), is_won);
        is_won
    }

    fn wins(&mut self, position: &Position, step: Move, plies: u32) -> bool {
        let after = self.rules.after(position, step);
        let plies = self.quiet_after(Side::Hens, step, plies);
        if let Some(ending) = self.rules.ending(&after) {
            return ending.winner() == Some(Side::Hens);
        }
        let mut answers = Vec::new();
        self.rules.moves(&after, &mut answers);
        plies < self.rules.quiet
            && answers.iter().all(|&answer| {
                let next = self.rules.after(&after, answer);
                let plies = self.quiet_after(Side::Foxes, answer, plies);
                match self.rules.ending(&next) {
                    Some(ending) => ending.winner() == Some(Side::Hens),
                    None => {
                        next.eaten <= self.sacrifices
                            && plies < self.rules.quiet
                            && self.is_won(&next, plies)
                    }
                }
            })
    }

    fn quiet_after(&self, side: Side, play: Move, plies: u32) -> u32 {
        if Rules::is_irreversible(side, play) {
            0
        } else {
            plies + 1
        }
    }
}

/// A shorter limit loses wins, a longer one never does; and from the proof's limit on, every proved position is won.
#[test]
fn proved_wins_are_wins_from_the_limit_on_quiet_play_on() {
    for (board, sacrifices) in [(&SMALL_SQUARE, 1), (&STRIP, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let proof = prove(folder.path(), board, sacrifices);
        let least = proof.draws().quiet();
        let proved: Vec<Position> = (board.flock() - sacrifices..=board.flock())
            .flat_map(|hens| positions(board, hens))
            .filter(|position| Rules::on(board).ending(position).is_none())
            .filter(|position| proof.tables.is_won(position).unwrap())
            .collect();
        let mut won_before = 0;
        for quiet in BTreeSet::from([1, 2, 3, 4, 6, 8, least - 1, least, least + 1]) {
            let rules = Rules {
                quiet,
                ..Rules::on(board)
            };
            let known = HashMap::new();
            let mut game = WithQuiet {
                rules,
                sacrifices,
                known,
            };
            let is_won = |position: &&Position| game.is_won(position, 0);
            let won = proved.iter().filter(is_won).count();
            assert!(won >= won_before, "{} {quiet}", board.name);
            assert_eq!(proof.draws().check(&rules).is_ok(), quiet >= least);
            if quiet >= least {
                assert_eq!(won, proved.len(), "{} {quiet}", board.name);
            }
            if quiet <= 2 {
                assert!(won < proved.len(), "{} {quiet}", board.name);
            }
            won_before = won;
        }
    }
}

/// Seed 34: from every won position drawn, against every kind of fox, with the shortest limits for draws that the proof
/// admits.
#[test]
fn perfect_hens_win_from_every_won_position_and_lose_no_more_than_they_may() {
    let folder = tempfile::tempdir().unwrap();
    drop(prove(folder.path(), &STRIP, 1));
    let tables = ProofTables::open(folder.path()).unwrap();
    let rules = Rules {
        quiet: tables.draws().quiet(),
        repetition: 2,
        ..Rules::on(&STRIP)
    };
    let name = format!("perfect({})", folder.path().display());
    let streams = Streams::new(34);
    let mut matches = 0;
    for fox in ["random", "arsac", "search(4)", "mcts(20)"] {
        let mut foxes = PlayerName::read(fox, Side::Foxes).unwrap().build();
        let mut hens = PlayerName::read(&name, Side::Hens).unwrap().build();
        let won = (4..=5).flat_map(|hens| positions(&STRIP, hens));
        let won = won.filter(|start| tables.is_won(start).unwrap());
        let open = won.filter(|start| rules.ending(start).is_none());
        for (index, start) in open.step_by(41).enumerate() {
            let keys = [streams.key("hens"), streams.key("fox")];
            let index = index as u64;
            let mut game = Game::from(rules, start);
            let mut hens = MatchSeat::new(&mut *hens, &keys[0], index);
            let mut foxes = MatchSeat::new(&mut *foxes, &keys[1], index);
            let report = play_out(&mut game, &mut hens, &mut foxes, |_, _| {}).unwrap();
            assert_eq!(report.ending.winner(), Some(Side::Hens), "{fox}: {start:?}");
            assert!(report.eaten <= 1);
            matches += 1;
        }
    }
    assert!(matches > 100, "{matches}");
}
