//! Foxes and hens against a second, naive rules engine.

use std::collections::{BTreeSet, HashMap};

mod naive;

use etude_foxes::board::{CROSS, Cells, each};
use etude_foxes::mailbox::{ARSAC, Mailbox, NaiveCapture, NaiveMove, NaiveRules, Spot};
use etude_foxes::moves::Move;
use etude_foxes::notation::{read_position, write_position};
use etude_foxes::perft::Perft;
use etude_foxes::position::{Position, Side};
use etude_foxes::rules::{Capture, Ending, Rules, Stuck};
use kit::rng::{Stream, Streams, below, shuffle};
use naive::read;

/// Every combination of the variants; `removal` exists in the naive engine only.
fn variants() -> Vec<(Rules, NaiveRules)> {
    let captures = [
        (Capture::Longest, NaiveCapture::Longest),
        (Capture::Any, NaiveCapture::Any),
        (Capture::Optional, NaiveCapture::Optional),
    ];
    let mut variants = Vec::new();
    for (capture, naive) in captures {
        for (stuck, pass_when_stuck) in [(Stuck::FoxesWin, false), (Stuck::Pass, true)] {
            for at_once in [true, false] {
                let rules = Rules {
                    capture,
                    stuck,
                    ..Rules::ARSAC
                };
                let naive = NaiveRules {
                    capture: naive,
                    at_once,
                    pass_when_stuck,
                };
                variants.push((rules, naive));
            }
        }
    }
    variants
}

fn spot(cell: Cells) -> Spot {
    let index = cell.trailing_zeros() as i8;
    (index % 8, index / 8)
}

fn naive_move(play: &Move) -> NaiveMove {
    NaiveMove {
        from: spot(play.piece),
        to: spot(play.landing),
        taken: each(play.taken).map(spot).collect(),
    }
}

/// A position with a random number of hens anywhere, foxes anywhere, either side to move.
fn random_position(rng: &mut Stream) -> Position {
    let mut cells: Vec<Cells> = each(CROSS.cells).collect();
    shuffle(rng, &mut cells);
    let count = below(rng, 21) as usize;
    let hens = cells[2..2 + count].iter().fold(0, |set, cell| set | cell);
    Position {
        hens,
        foxes: cells[0] | cells[1],
        eaten: below(rng, 21 - count as u64) as u32,
        side: if below(rng, 4) == 0 {
            Side::Hens
        } else {
            Side::Foxes
        },
    }
}

fn assert_agreement(position: &Position, rules: &Rules, naive_rules: NaiveRules) {
    let text = write_position(position, &CROSS);
    let naive = read(&text);
    let mut moves = Vec::new();
    rules.moves(position, &mut moves);
    assert_eq!(
        rules.count_moves(position, &mut Vec::new()),
        moves.len() as u64
    );
    let ours: BTreeSet<NaiveMove> = moves
        .iter()
        .filter(|play| !play.is_pass())
        .map(naive_move)
        .collect();
    let passes = moves.iter().any(|play| play.is_pass());
    let theirs = naive.legal(naive_rules);
    assert_eq!(
        ours.len() + usize::from(passes),
        moves.len(),
        "repeated: {text}"
    );
    assert_eq!(ours, theirs, "{text} under {rules:?}");
    let passing = theirs.is_empty() && !naive.foxes_move && naive_rules.pass_when_stuck;
    assert_eq!(passes, passing, "{text}");
    let winner = rules.ending(position).and_then(Ending::winner);
    let winner = winner.map(|side| side == Side::Foxes);
    assert_eq!(winner, naive.won_by_foxes(naive_rules), "{text}");
    for play in moves.iter().filter(|play| !play.is_pass()) {
        let after = write_position(&rules.after(position, *play), &CROSS);
        assert_eq!(read(&after), naive.after(&naive_move(play)), "{text}");
    }
}

/// Seed 4. The two ways of removing eaten hens, which differ in the naive engine only, take turns.
#[test]
fn both_engines_find_the_same_moves_in_random_positions_under_every_variant() {
    let mut rng = Streams::new(4).key("oracle").stream(0);
    let variants = variants();
    for index in 0..5_000 {
        let position = random_position(&mut rng);
        for (rules, naive) in variants.iter().skip(index % 2).step_by(2) {
            assert_agreement(&position, rules, *naive);
        }
    }
}

/// Seed 5: legal moves of the mirrored position are the mirrored legal moves.
#[test]
fn rules_do_not_know_left_from_right() {
    let mut rng = Streams::new(5).key("mirror").stream(0);
    for _ in 0..1_000 {
        let position = random_position(&mut rng);
        let mirror = position.mirrored(&CROSS);
        for (rules, _) in variants() {
            let (mut moves, mut mirrored) = (Vec::new(), Vec::new());
            rules.moves(&position, &mut moves);
            rules.moves(&mirror, &mut mirrored);
            let after = |from, play: &Move| write_position(&rules.after(from, *play), &CROSS);
            let ours: BTreeSet<String> = moves
                .iter()
                .map(|play| rules.after(&position, *play).mirrored(&CROSS))
                .map(|position| write_position(&position, &CROSS))
                .collect();
            let theirs = mirrored.iter().map(|play| after(&mirror, play)).collect();
            assert_eq!(ours, theirs);
            assert_eq!(rules.ending(&position), rules.ending(&mirror));
        }
    }
}

/// The naive engine counts paths position by position too, but with its own moves and identity.
fn naive_levels(text: &str, depth: u32) -> Vec<(u128, u64)> {
    let mut frontier = HashMap::from([(read(text), 1u128)]);
    let mut levels = Vec::new();
    for _ in 0..depth {
        let mut next: HashMap<Mailbox, u128> = HashMap::new();
        for (position, paths) in &frontier {
            if position.won_by_foxes(ARSAC).is_none() {
                for play in position.listed(ARSAC) {
                    *next.entry(position.after(&play)).or_default() += paths;
                }
            }
        }
        levels.push((next.values().sum(), next.len() as u64));
        frontier = next;
    }
    levels
}

fn levels(text: &str, depth: u32) -> Vec<(u128, u64)> {
    let root = read_position(text, &CROSS).unwrap();
    Perft::new(&Rules::ARSAC, &root)
        .take(depth as usize)
        .map(|level| (level.moves, level.distinct))
        .collect()
}

#[test]
fn both_engines_count_the_same_tree_to_depth_nine() {
    let start = "3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0";
    assert_eq!(levels(start, 9), naive_levels(start, 9));
    let late = "1h1/hf1/1h2h2/f1h2h1/2h1h2/1h1/h2 f 10";
    assert_eq!(levels(late, 8), naive_levels(late, 8));
}
