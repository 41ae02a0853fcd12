//! The fast search against the plain one, and its lines on a real table.

use super::super::deal::Deal;
use super::super::plain;
use super::super::rules::{DeckShape, Rules};
use super::super::table::CardTable;
use super::{Solver, TableSolution};
use cards::tabletop::Dealer;
use kit::rng::{Streams, choose};
use kit::search::{Budget, Verdict};

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

fn deal(seed: u64, deck: DeckShape, index: u64) -> Deal {
    Deal::draw(deck, &mut Streams::new(seed).key("deal").stream(index))
}

fn solve(solver: &mut Solver, table: &CardTable) -> TableSolution {
    let solved = solver.solve(table, Budget::UNLIMITED);
    check_line(table, &solved);
    solved
}

/// The line is legal, move by move, and its best moment is the lower bound.
fn check_line(table: &CardTable, solved: &TableSolution) {
    let mut table = *table;
    let mut most = table.founded();
    for play in solved.line(&table) {
        assert!(table.allows(play), "{play} is not legal");
        table.play(play);
        most = most.max(table.founded());
    }
    assert_eq!(most, solved.foundation.lower());
}

/// Seed 5: a guide changes no verdict, and along a win it is found in no more nodes than it has
/// steps and a few.
#[test]
fn a_guide_changes_no_verdict_and_shortens_wins() {
    let (mut solver, budget) = (Solver::with_memory(64 << 20), Budget::nodes(20_000));
    let (mut guided, mut alone) = (0, 0);
    for index in 0..20 {
        let deck = DeckShape::FULL;
        let table = CardTable::new(&deal(5, deck, index), Rules::DRAW_3);
        let guide = solver.solve(&table, budget);
        for next in table.moves().into_iter().map(|play| table.after(play)) {
            let (free, along) = (
                solver.solve(&next, budget),
                solver.solve_along(&guide, &next, budget),
            );
            check_line(&next, &along);
            if let (Some(free_win), Some(win)) = (free.is_win(), along.is_win()) {
                assert_eq!(free_win, win);
                guided += along.nodes * u64::from(win);
                alone += free.nodes * u64::from(win);
            }
        }
    }
    assert!(2 * guided < alone, "{guided} {alone}");
}

/// Compares `decks` deals of each small deck under all rules; plain searches beyond 200,000
/// positions are left out, and their number is returned.
fn compare(seed: u64, decks: std::ops::Range<u64>) -> (u64, u64) {
    let mut solver = Solver::with_memory(64 << 20);
    let (mut compared, mut left_out) = (0, 0);
    for index in decks {
        // Small decks end before the last part begins, unless it begins earlier.
        solver.quick = [None, Some(0), Some(30)][index as usize % 3];
        solver.alone = [None, Some(0), Some(30)][index as usize % 3];
        for (columns, suits, ranks) in SMALL {
            let deck = DeckShape::new(columns, suits, ranks).unwrap();
            let deal = deal(seed, deck, index);
            for rules in all_rules() {
                let table = CardTable::new(&deal, rules);
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
    let (compared, left_out) = compare(19, 0..3);
    assert!(
        compared > 500 && left_out * 10 < compared,
        "{compared} {left_out}"
    );
}

/// A deal of seed 23 that is lost if the last card of the stock is taken to its foundation at once
/// although the waste ends within a packet.
#[test]
fn the_last_card_of_the_stock_waits_for_whole_packets() {
    let deck = DeckShape::new(3, 3, 5).unwrap();
    let text = "5D 3C 5C 4H 2D 3D 4C 2H AH AC 5H 2C 4D 3H AD";
    let deal = Deal::read(deck, text).unwrap();
    let table = CardTable::new(&deal, Rules::new(2, None));
    let solved = solve(&mut Solver::default(), &table);
    assert_eq!(solved.foundation, Verdict::Proved(15));
}

/// Deals of seed 29, drawing two without limit: a safe card inside the stock is not always at hand, and not
/// always free to take.
#[test]
fn a_safe_card_of_the_stock_waits_for_its_packet() {
    let deck = DeckShape::new(2, 2, 6).unwrap();
    let rules = Rules::new(2, None).with_worrying_back(false);
    for (text, count) in [
        ("2C AC 2H 4C 6C AH 3C 6H 5H 5C 4H 3H", 0),
        ("3H 2C 3C 6C AC AH 4C 5H 4H 2H 6H 5C", 12),
    ] {
        let table = CardTable::new(&Deal::read(deck, text).unwrap(), rules);
        let solved = Solver::default().solve(&table, Budget::UNLIMITED);
        assert_eq!(solved.foundation, Verdict::Proved(count));
        assert_eq!(
            plain::solve(&table, Budget::UNLIMITED).foundation,
            solved.foundation
        );
        check_line(&table, &solved);
    }
}

/// Two deals, found among random ones, in which a card must wait on its column although only its
/// twin's foundation is one rank too low.
#[test]
fn a_card_waits_for_its_twin() {
    let deck = DeckShape::new(4, 4, 4).unwrap();
    let with = Rules::new(3, Some(3));
    let without = Rules::new(1, Some(1)).with_worrying_back(false);
    for (rules, text) in [
        (with, "4H AD 3S AH AS 4D AC 4C 2C 3D 4S 3C 3H 2D 2H 2S"),
        (without, "AC 4D 3C 2D 2C 3S AS 4S 3D 2S AD 3H 2H AH 4H 4C"),
    ] {
        let table = CardTable::new(&Deal::read(deck, text).unwrap(), rules);
        let plain = plain::solve(&table, Budget::UNLIMITED).foundation;
        assert_eq!(plain, Verdict::Proved(16));
        assert_eq!(solve(&mut Solver::default(), &table).foundation, plain);
    }
}

/// Deals, found among random ones, that are undervalued if a waste one card larger counts as good.
#[test]
fn a_smaller_waste_is_searched_again() {
    for (deck, text, count) in [
        (
            (3, 3, 5),
            "4H AD 4D AC 5H 2C 3H 5D 3C AH 3D 5C 2H 4C 2D",
            15,
        ),
        (
            (4, 2, 8),
            "8C 6H 2H 3C 6C 7C 7H 8H AC 2C 5H 3H 4C AH 5C 4H",
            5,
        ),
    ] {
        let (columns, suits, ranks) = deck;
        let deck = DeckShape::new(columns, suits, ranks).unwrap();
        let table = CardTable::new(&Deal::read(deck, text).unwrap(), Rules::new(1, Some(2)));
        let mut depth_first = Solver::default();
        depth_first.quick = Some(0);
        let solved = solve(&mut depth_first, &table).foundation;
        assert_eq!(solved, Verdict::Proved(count));
        assert_eq!(plain::solve(&table, Budget::UNLIMITED).foundation, solved);
    }
}

/// Deals of seed 31, without limit of passes, that are undervalued if a waste one packet larger
/// counts as good, or one with another remainder.
#[test]
fn wastes_of_fewer_packets_and_of_other_remainders_are_searched_again() {
    for (draw, ranks, text, count) in [
        (2, 6, "5C AC 6C 2H 5H 3H 6H 3C 4H 2C AH 4C", 4),
        (3, 7, "AC 6H 3C AH 5H 4C 2H 7H 7C 2C 4H 5C 6C 3H", 14),
        (3, 6, "6C AC 2C 3C 4H AH 4C 6H 3H 5H 2H 5C", 12),
        (3, 6, "5C AH 6C 2C 3C 4H 5H AC 3H 4C 2H 6H", 4),
    ] {
        let deck = DeckShape::new(2, 2, ranks).unwrap();
        let rules = Rules::new(draw, None).with_worrying_back(false);
        let table = CardTable::new(&Deal::read(deck, text).unwrap(), rules);
        let solved = solve(&mut Solver::default(), &table).foundation;
        assert_eq!(solved, Verdict::Proved(count));
        assert_eq!(plain::solve(&table, Budget::UNLIMITED).foundation, solved);
    }
}

/// Deals of seed 9001, found among random ones, that are undervalued if a base goes to its
/// foundation before all else, or a free card that cannot come back; or if the twin of such a card
/// must wait, or returns from foundations: all, or those of cards that neither fit on it nor lie
/// under it there.
#[test]
fn only_a_free_card_that_may_come_back_is_founded_first() {
    for (deck, draw, back, text, count) in [
        (
            (3, 2, 7),
            3,
            true,
            "AC 2C 3C 5H AH 6H 4H 3H 2H 7C 7H 4C 5C 6C",
            14,
        ),
        (
            (4, 2, 8),
            2,
            false,
            "2H 4H 6H 6C 8H 4C AC 2C 7H 3H 5C 8C 3C AH 5H 7C",
            16,
        ),
        (
            (5, 3, 8),
            1,
            true,
            "4D 7C 3D 2H 2D 7D AD 3H 8C 4C 6H 6C 8H 2C 5H 7H 6D AH 8D 5C 5D 3C AC 4H",
            9,
        ),
        (
            (5, 2, 10),
            1,
            true,
            "8H AC AH 9C 6H TC 6C 4H 3C 2C 4C TH 5C 9H 7H 5H 8C 2H 7C 3H",
            20,
        ),
        (
            (4, 4, 5),
            2,
            true,
            "4D 5S AD 4S 5C 5H 4C AC 3D 2C 4H 3S 5D AH 2H 3C 2S 3H 2D AS",
            20,
        ),
    ] {
        let (columns, suits, ranks) = deck;
        let deck = DeckShape::new(columns, suits, ranks).unwrap();
        for passes in [Some(3), None] {
            let rules = Rules::new(draw, passes).with_worrying_back(back);
            let table = CardTable::new(&Deal::read(deck, text).unwrap(), rules);
            let plain = plain::solve(&table, Budget::UNLIMITED).foundation;
            assert_eq!(plain, Verdict::Proved(count));
            let mut thorough = Solver::default();
            thorough.quick = Some(0);
            assert_eq!(solve(&mut thorough, &table).foundation, plain, "{text}");
        }
    }
}

/// Deals of seeds 9001 and 9002, found among random ones, that are undervalued if a card does not
/// come back from its foundation to give a place to a base, or to a card of the stock, or to bare
/// its twin, or to lay open the card under it there, or to give a place to one that comes back next.
#[test]
fn a_card_comes_back_from_its_foundation_where_it_is_of_use() {
    for (deck, draw, passes, text, count) in [
        (
            (3, 3, 6),
            1,
            Some(1),
            "AH 4D 5D 2C 6C 3C 3D 3H AD 2H AC 2D 4H 4C 6D 6H 5H 5C",
            18,
        ),
        ((2, 2, 6), 2, None, "2C 3H 6H AH 2H 5C 5H 4H AC 6C 3C 4C", 6),
        (
            (5, 3, 8),
            2,
            Some(2),
            "2C 5C 6C AD 7C 3H 4H 3D 7H 2H 6D 2D 4D 5H 3C 4C 7D 8C 8H 8D 6H AH 5D AC",
            24,
        ),
        (
            (4, 2, 9),
            1,
            Some(1),
            "9C 9H 5C 3H 8H AH 6C AC 5H 8C 2C 7H 2H 7C 4C 6H 3C 4H",
            18,
        ),
        (
            (3, 3, 6),
            2,
            Some(1),
            "AD 6C 6D AH 5D 4C 5C 3D 4H 2D 5H 2H 2C 4D 3H 6H AC 3C",
            18,
        ),
    ] {
        let (columns, suits, ranks) = deck;
        let deck = DeckShape::new(columns, suits, ranks).unwrap();
        let table = CardTable::new(&Deal::read(deck, text).unwrap(), Rules::new(draw, passes));
        let plain = plain::solve(&table, Budget::UNLIMITED).foundation;
        assert_eq!(plain, Verdict::Proved(count));
        let mut thorough = Solver::default();
        thorough.quick = Some(0);
        assert_eq!(solve(&mut thorough, &table).foundation, plain, "{text}");
    }
}

/// A game in progress of a small deck, without limit of passes, after up to 16 random moves.
fn game_in_progress(seed: u64, deck: DeckShape, index: u64) -> CardTable {
    let mut stream = Streams::new(seed).key("play").stream(index);
    let rules =
        Rules::new(1 + (index % 3) as u8, None).with_worrying_back(!index.is_multiple_of(4));
    let mut table = CardTable::new(&deal(seed, deck, index), rules);
    for _ in 0..index % 17 {
        if let Some(&play) = choose(&mut stream, &table.moves()) {
            table.play(play);
        }
    }
    table
}

/// Compares games in progress in which the game that draws one is asked at once; returns the number of
/// positions left out as hopeless, and of losses.
fn compare_relaxed(seed: u64, games: std::ops::Range<u64>) -> (u64, u64) {
    let mut solver = Solver::with_memory(64 << 20);
    (solver.quick, solver.alone) = (Some(0), Some(0));
    let (mut hopeless, mut lost) = (0, 0);
    for index in games {
        for (columns, suits, ranks) in [(3, 3, 5), (5, 4, 5), (4, 2, 9), (5, 3, 7)] {
            let deck = DeckShape::new(columns, suits, ranks).unwrap();
            let table = game_in_progress(seed, deck, index);
            let plain = plain::solve(&table, Budget::nodes(10_000)).foundation;
            let Verdict::Proved(count) = plain else {
                continue;
            };
            let solved = solve(&mut solver, &table);
            let decided = solver.decide(&table, Budget::UNLIMITED);
            check_line(&table, &decided);
            let game = format!("game {index} of {deck:?}: {table:?}");
            assert_eq!(solved.foundation, plain, "{game}");
            assert_eq!(decided.is_win(), Some(count == table.cards()), "{game}");
            assert!(decided.foundation.upper() >= count, "{game}");
            hopeless += solved.hopeless + decided.hopeless;
            lost += u64::from(count < table.cards());
        }
    }
    (hopeless, lost)
}

/// Seed 62: a seven of the stock lands to hold a six that can only return after the seven above it. Drawing one,
/// cards that landed may not be taken for cards of the stock in between.
#[test]
fn a_card_that_landed_stays_until_what_it_landed_for_is_done() {
    let deck = DeckShape::new(4, 2, 9).unwrap();
    let mut stream = Streams::new(62).key("play").stream(1544);
    let mut table = CardTable::new(&deal(62, deck, 1544), Rules::new(2, None));
    for _ in 0..1544 % 17 {
        if let Some(&play) = choose(&mut stream, &table.moves()) {
            table.play(play);
        }
    }
    let mut solver = Solver::default();
    (solver.quick, solver.alone) = (Some(0), Some(0));
    let decided = solver.decide(&table, Budget::UNLIMITED);
    assert_eq!(decided.is_win(), Some(true));
    check_line(&table, &decided);
}

/// Seed 61.
#[test]
fn what_is_hopeless_drawing_one_is_left_out_without_a_loss_of_counts() {
    let (hopeless, lost) = compare_relaxed(61, 0..30);
    assert!(hopeless > 10 && lost > 30, "{hopeless} {lost}");
}

/// Seed 62, 8,000 games.
#[test]
#[ignore = "minutes; the short form runs always"]
fn what_is_hopeless_drawing_one_is_left_out_in_thousands_of_games() {
    let (hopeless, lost) = compare_relaxed(62, 0..2_000);
    println!("{hopeless} positions left out, {lost} games lost");
    assert!(hopeless > 1_000);
}

/// Seed 63: drawing three, a win is also one of the game that draws one; what is decided agrees with
/// the count.
#[test]
fn a_game_that_draws_three_is_no_better_than_one_that_draws_one() {
    let mut solver = Solver::default();
    for index in 0..40 {
        let deal = deal(63, DeckShape::FULL, index);
        let [one, three] = [Rules::DRAW_1, Rules::DRAW_3].map(|rules| CardTable::new(&deal, rules));
        let budget = Budget::nodes(60_000);
        let (one, decided) = (solver.solve(&one, budget), solver.decide(&three, budget));
        let three = solver.solve(&three, budget);
        assert!(three.foundation.lower() <= one.foundation.upper());
        assert!(
            decided.is_win() == three.is_win()
                || decided.is_win().is_none()
                || three.is_win().is_none()
        );
    }
}

/// A game in progress, found among random ones. A three returns to bare its twin, and only a four that
/// returns before it gives it a place.
#[test]
fn a_card_that_returns_to_bare_its_twin_is_given_a_place_by_another() {
    let text = "foundations: 4H 5D 6C 2S | 7D | -- | -- | -- | Kh Kc Ks Kd 6S 5H 4S | -- | 7c 7s 5s 6d 7h 3s 6H | \
                stock: 8H 8D 8C 8S 9H 9D 9C 9S TH TD TC TS JH JD JC JS QH QD QC QS";
    for draw in [1, 3] {
        for passes in [Some(3), None] {
            let rules = Rules::new(draw, passes);
            let written = rules
                .read(text)
                .and_then(|table| rules.lay_out(&table))
                .unwrap();
            let solved = solve(&mut Solver::default(), written.round.table());
            assert_eq!(solved.foundation, Verdict::Proved(52), "{rules:?}");
        }
    }
}

/// Seed 23, 834 deals of eight small decks under 24 rules: 160,000 comparisons.
#[test]
#[ignore = "enumerates for half an hour; the short form runs always"]
fn many_small_decks_have_the_counts_of_all_single_moves() {
    let mut compared = 0;
    for first in (0..834).step_by(10) {
        let (more, left_out) = compare(23, first..(first + 10).min(834));
        compared += more;
        println!("from deal {first}: {more} compared, {left_out} left out; {compared} in all");
    }
    assert!(compared > 20_000);
}

/// Seed 20: random games of up to 40 moves are broken off and solved from there.
#[test]
fn games_in_progress_have_the_counts_of_all_single_moves() {
    let mut solver = Solver::default();
    for index in 0..40 {
        for (columns, suits, ranks) in SMALL {
            let deck = DeckShape::new(columns, suits, ranks).unwrap();
            let mut stream = Streams::new(20).key("play").stream(index);
            let rules = *choose(&mut stream, &all_rules()).unwrap();
            let mut table = CardTable::new(&deal(20, deck, index), rules);
            for _ in 0..index {
                if let Some(&play) = choose(&mut stream, &table.moves()) {
                    table.play(play);
                }
            }
            let plain = plain::solve(&table, Budget::nodes(100_000)).foundation;
            let solved = solve(&mut solver, &table).foundation;
            assert!(!plain.is_proved() || plain == solved, "{table:?}");
        }
    }
}

/// The deals and answers of `tests/data/*.csv`.
const GOLDEN: [(Rules, &str); 6] = [
    (
        Rules::VEGAS_1,
        include_str!("../../tests/data/vegas_draw1_pass1.csv"),
    ),
    (
        Rules::VEGAS_1.with_worrying_back(false),
        include_str!("../../tests/data/vegas_draw1_pass1_noworry.csv"),
    ),
    (
        Rules::VEGAS_3,
        include_str!("../../tests/data/vegas_draw3_pass3.csv"),
    ),
    (
        Rules::VEGAS_3.with_worrying_back(false),
        include_str!("../../tests/data/vegas_draw3_pass3_noworry.csv"),
    ),
    (
        Rules::DRAW_1,
        include_str!("../../tests/data/draw1_unlimited.csv"),
    ),
    (
        Rules::DRAW_3,
        include_str!("../../tests/data/draw3_unlimited.csv"),
    ),
];

/// Compares every golden deal that the budget proves, and returns how many those were.
fn compare_golden(budget: Budget) -> usize {
    let mut solver = Solver::default();
    let mut proved = 0;
    for (rules, text) in GOLDEN {
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let table = CardTable::new(&fields[0].parse().unwrap(), rules);
            let solved = solver.solve(&table, budget);
            check_line(&table, &solved);
            let count: u8 = fields[2].parse().unwrap();
            assert!(
                solved.foundation.lower() <= count && count <= solved.foundation.upper(),
                "{line} {rules:?}"
            );
            proved += usize::from(solved.foundation == Verdict::Proved(count));
        }
    }
    proved
}

#[test]
fn easy_golden_deals_have_their_counts() {
    assert!(compare_golden(Budget::nodes(10_000)) > 300);
}

#[test]
#[ignore = "83 million positions; the short form runs always"]
fn all_golden_deals_have_their_counts() {
    assert_eq!(compare_golden(Budget::UNLIMITED), 720);
}

const PRESETS: [Rules; 4] = [Rules::VEGAS_1, Rules::VEGAS_3, Rules::DRAW_1, Rules::DRAW_3];

/// Best lines of full deals on a real table, each move legal.
fn replay_lines(seed: u64, deals: u64, budget: Budget) {
    let mut solver = Solver::default();
    for index in 0..deals {
        for rules in PRESETS {
            let rules = rules.with_worrying_back(index % 2 == 0);
            let table = CardTable::new(&deal(seed, DeckShape::FULL, index), rules);
            check_line(&table, &solver.solve(&table, budget));
        }
    }
}

/// Seed 21.
#[test]
fn lines_of_full_deals_are_legal_move_by_move() {
    replay_lines(21, 30, Budget::nodes(3_000));
}

/// Seed 21: 2,000 lines.
#[test]
#[ignore = "minutes; the short form runs always"]
fn two_thousand_lines_of_full_deals_are_legal_move_by_move() {
    replay_lines(21, 500, Budget::nodes(200_000));
}

/// The plain solver ends with a win, or without one, on easy full deals; returns how many.
fn compare_full_deals(seed: u64, deals: u64, positions: u64) -> u32 {
    let mut solver = Solver::default();
    let mut compared = 0;
    for index in 0..deals {
        for rules in PRESETS {
            let table = CardTable::new(&deal(seed, DeckShape::FULL, index), rules);
            let plain = plain::solve(&table, Budget::nodes(positions)).foundation;
            let solved = solver.solve(&table, Budget::nodes(100_000)).foundation;
            assert!(plain.lower() <= solved.upper(), "{table:?}");
            if plain.is_proved() && solved.is_proved() {
                assert_eq!(plain, solved, "{table:?}");
                compared += 1;
            }
        }
    }
    compared
}

/// Seed 22.
#[test]
fn easy_full_deals_have_the_counts_of_the_plain_solver() {
    assert!(compare_full_deals(22, 6, 5_000) > 0);
}

/// Seed 22.
#[test]
#[ignore = "minutes; the short form runs always"]
fn many_full_deals_have_the_counts_of_the_plain_solver() {
    let compared = compare_full_deals(22, 300, 200_000);
    println!("{compared} compared");
    assert!(compared > 100);
}

/// Seed 24: more passes, and worrying back, never found fewer cards.
#[test]
fn counts_do_not_fall_with_passes_or_worrying_back() {
    let mut solver = Solver::default();
    for index in 0..25 {
        let deal = deal(24, DeckShape::FULL, index);
        for draw in [1, 3] {
            let mut before = [0, 0];
            for passes in [Some(1), Some(2), Some(3), None] {
                let rules = Rules::new(draw, passes);
                let mut bounds = |back| {
                    let table = CardTable::new(&deal, rules.with_worrying_back(back));
                    solver.solve(&table, Budget::nodes(5_000)).foundation
                };
                let (without, with) = (bounds(false), bounds(true));
                assert!(without.lower() <= with.upper());
                assert!(before[0] <= without.upper() && before[1] <= with.upper());
                before = [without.lower().max(before[0]), with.lower().max(before[1])];
            }
        }
    }
}
