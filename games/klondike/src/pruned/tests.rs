//! The fast engine against the plain one, against a naive reading of the rules, and against itself
//! on deals that must have the same score.

use super::super::etude;
use super::super::layout::Layout;
use super::naive::NaiveTableau;
use super::*;
use kit::rng::{Stream, Streams, shuffle};

const LAYOUTS: &[&str] = &[
    "yukon",
    "4:4,4:4,4:4,4:3,4:3,4:3,4:3",
    "8:5,8:5,8:5,8:5",
    "0:10,0:10,0:10,5:5,10:2",
    "0:6,0:6,0:5,0:5,0:5,0:5,0:5,0:5,0:5,0:5",
    "3:6,3:6,3:6,3:6,3:5,3:5,0:0",
    "0:26,0:26",
    "20:6,20:6",
    "0:52",
    "1:7,2:6,0:0,3:10,1:12,0:0,0:10",
];

/// The nodes that a deal may cost the plain engine where every deal counts.
const PLAIN_BUDGET: Budget = Budget::nodes(100_000);

/// Solves deals of each layout with both engines; returns how many both proved.
fn compare(seed: u64, samples: std::ops::Range<u64>) -> u64 {
    let key = Streams::new(seed).key("deal");
    let mut engine = PrunedEngine::new();
    let mut compared = 0;
    for layout in LAYOUTS {
        let layout: Layout = layout.parse().unwrap();
        for index in samples.clone() {
            let deal = Deal::draw(&layout, &mut key.stream(index));
            compared += u64::from(agree(&mut engine, &deal));
        }
    }
    compared
}

/// Checks one deal; says whether both engines proved its score.
fn agree(engine: &mut PrunedEngine, deal: &Deal) -> bool {
    let plain = etude::solve(deal, PLAIN_BUDGET);
    // A deal that the plain engine gives up says little, and may cost the fast one much.
    let budget = if plain.score.is_proved() {
        1_000_000
    } else {
        10_000
    };
    let fast = engine.solve(deal, Budget::nodes(budget));
    assert_eq!(fast.first_moves, plain.first_moves, "{deal}");
    assert!(fast.score.lower() <= plain.score.upper(), "{deal}");
    assert!(fast.score.upper() >= plain.score.lower(), "{deal}");
    if !(plain.score.is_proved() && fast.score.is_proved()) {
        return false;
    }
    assert_eq!(fast.score, plain.score, "{deal}");
    // A plain search that wins may end at its budget with positions left unseen.
    let saw_all = plain.nodes < PLAIN_BUDGET.limit();
    assert!(!saw_all || fast.positions <= plain.positions, "{deal}");
    assert!(!saw_all || fast.widest <= plain.widest, "{deal}");
    true
}

/// Seed 1: 120 deals of each of ten layouts.
#[test]
fn both_engines_find_the_same_score_on_a_thousand_deals() {
    let compared = compare(1, 0..120);
    assert!(compared > 1_000, "{compared}");
}

/// Seed 2: 12,000 deals of each of ten layouts, some ten minutes. Run with
/// `cargo test --release --lib hundred_thousand -- --ignored`.
#[test]
#[ignore = "long: run with --release and --ignored"]
fn both_engines_find_the_same_score_on_a_hundred_thousand_deals() {
    let compared = compare(2, 0..12_000);
    assert!(compared > 100_000, "{compared}");
}

/// Seed 12: 300 deals of each of five small decks, whose other cards are on the foundations from
/// the start.
#[test]
fn both_engines_find_the_same_score_with_small_decks() {
    let key = Streams::new(12).key("deal");
    let mut engine = PrunedEngine::new();
    let mut scores = 0;
    for (deck, layout) in [
        ("2x5", "0:1,2:2,3:2"),
        ("3x3", "0:1,2:2,2:2"),
        ("1x13", "0:0,3:3,3:4"),
        ("4x6", "0:1,1:4,2:4,3:4,1:4"),
        ("3x9", "0:2,1:6,2:6,3:7"),
    ] {
        let layout = Layout::parse(layout, deck.parse().unwrap()).unwrap();
        for index in 0..300 {
            let deal = Deal::draw(&layout, &mut key.stream(index));
            let plain = etude::solve(&deal, Budget::UNLIMITED);
            let fast = engine.solve(&deal, Budget::UNLIMITED);
            assert_eq!(fast.score, plain.score, "{deal}");
            assert!(usize::from(fast.score.lower()) <= layout.deck().size());
            scores += u32::from(fast.score.lower());
        }
    }
    assert!(scores > 3_000, "{scores}");
}

/// `tests/data/deals.csv`: the optimum of 200 deals, from an independent brute force.
#[test]
fn the_score_of_200_deals_is_the_known_one() {
    let mut engine = PrunedEngine::new();
    for line in include_str!("../../tests/data/deals.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let outcome = engine.solve(&fields[0].parse().unwrap(), Budget::UNLIMITED);
        assert_eq!(
            outcome.score,
            Verdict::Proved(fields[1].parse().unwrap()),
            "{line}"
        );
    }
}

/// Seed 4: what was solved before, and in which table, must not matter.
#[test]
fn an_engine_used_before_answers_as_a_new_one() {
    let key = Streams::new(4).key("deal");
    let layout: Layout = "3:6,3:6,3:6,3:6,3:5,3:5,0:0".parse().unwrap();
    let mut used = PrunedEngine::new();
    for index in 0..600 {
        let deal = Deal::draw(&layout, &mut key.stream(index));
        let budget = Budget::nodes(300);
        assert_eq!(
            used.solve(&deal, budget),
            PrunedEngine::new().solve(&deal, budget),
            "{deal}"
        );
    }
}

/// Seed 7, 20,000 yukon deals: scores, nodes, positions, the widest positions, and the lengths of
/// solutions, summed, as committed results have them. A change means
/// that those results have to be made anew.
#[test]
fn the_work_on_twenty_thousand_deals_stays_what_it_was() {
    let key = Streams::new(7).key("deal");
    let layout: Layout = "yukon".parse().unwrap();
    let mut engine = PrunedEngine::new();
    let mut sums = [0; 5];
    for index in 0..20_000 {
        let deal = Deal::draw(&layout, &mut key.stream(index));
        let outcome = engine.solve(&deal, Budget::nodes(1_000_000));
        let score = u64::from(outcome.score.lower());
        let widest = u64::from(outcome.widest);
        let moves = outcome.moves.len() as u64;
        let found = [score, outcome.nodes, outcome.positions, widest, moves];
        sums.iter_mut()
            .zip(found)
            .for_each(|(sum, found)| *sum += found);
    }
    assert_eq!(sums, [131_520, 176_947, 379_926, 81_920, 189_019]);
}

/// Seed 6: bounds from small budgets contain the score, and tighten to it.
#[test]
fn bounds_contain_the_score_at_every_budget() {
    let key = Streams::new(6).key("deal");
    let mut engine = PrunedEngine::new();
    let mut unresolved = 0;
    for layout in ["yukon", "3:6,3:6,3:6,3:6,3:5,3:5,0:0"] {
        let layout: Layout = layout.parse().unwrap();
        for index in 0..100 {
            let deal = Deal::draw(&layout, &mut key.stream(index));
            let score = engine.solve(&deal, Budget::UNLIMITED).score.lower();
            for nodes in [0, 1, 2, 5, 10, 30, 100, 300] {
                let outcome = engine.solve(&deal, Budget::nodes(nodes));
                assert!(outcome.nodes <= nodes);
                assert!(
                    (outcome.score.lower()..=outcome.score.upper()).contains(&score),
                    "{deal}"
                );
                unresolved += u32::from(!outcome.score.is_proved());
            }
        }
    }
    assert!(unresolved > 200, "{unresolved}");
}

/// Seed 7: with a table of 128 positions hard deals are bounded, never wrong.
#[test]
fn a_full_table_bounds_the_score() {
    let key = Streams::new(7).key("deal");
    let layout: Layout = "3:6,3:6,3:6,3:6,3:5,3:5,0:0".parse().unwrap();
    let mut small = PrunedEngine {
        table: KeySet::new(1 << 8),
    };
    let mut unresolved = 0;
    for index in 0..300 {
        let deal = Deal::draw(&layout, &mut key.stream(index));
        let score = PrunedEngine::new()
            .solve(&deal, Budget::UNLIMITED)
            .score
            .lower();
        let bounded = small.solve(&deal, Budget::UNLIMITED).score;
        assert!(
            (bounded.lower()..=bounded.upper()).contains(&score),
            "{deal}"
        );
        unresolved += u32::from(!bounded.is_proved());
    }
    assert!(unresolved > 10, "{unresolved}");
}

/// Seed 8: relabelling suits and moving whole columns, in each layout.
#[test]
fn the_names_of_suits_and_the_order_of_columns_do_not_matter() {
    let streams = Streams::new(8);
    let mut engine = PrunedEngine::new();
    for layout in LAYOUTS {
        let layout: Layout = layout.parse().unwrap();
        for index in 0..40 {
            let deal = Deal::draw(&layout, &mut streams.key("deal").stream(index));
            let mut stream = streams.key("shuffle").stream(index);
            let same =
                columns_shuffled(&suits_shuffled(&deal.to_string(), &mut stream), &mut stream);
            let budget = Budget::nodes(100_000);
            let (one, other) = (
                engine.solve(&deal, budget),
                engine.solve(&same.parse().unwrap(), budget),
            );
            if one.score.is_proved() && other.score.is_proved() {
                assert_eq!(one.score, other.score, "{deal} and {same}");
            }
            assert_eq!(one.first_moves, other.first_moves, "{deal} and {same}");
        }
    }
}

/// The positions of one random game from each of 400 deals over all layouts.
fn random_games(seed: u64) -> impl Iterator<Item = (Deal, DealtCards, Vec<PrunedPosition>)> {
    let streams = Streams::new(seed);
    let deals = (0..40).flat_map(|index| LAYOUTS.iter().map(move |layout| (index, layout)));
    deals.map(move |(index, layout)| {
        let layout = layout.parse().unwrap();
        let deal = Deal::draw(&layout, &mut streams.key("deal").stream(index));
        let mut stream = streams.key("play").stream(index);
        let (board, mut state) = DealtCards::new(&deal);
        board.settle(&mut state);
        let mut states = vec![state];
        let legal = |state: &PrunedPosition| board.legal_moves(state).collect::<Vec<Card>>();
        while let Some(&card) = kit::rng::choose(&mut stream, &legal(&state)) {
            board.play(&mut state, card);
            states.push(state);
        }
        (deal, board, states)
    })
}

/// Seed 10: random play never does what the dreams along its way left out.
#[test]
fn the_dream_foresees_everything_that_can_be_reached() {
    for (deal, board, states) in random_games(10) {
        let end = states[states.len() - 1];
        for before in states {
            let dream = Future::of(&board, &before, CardSet::EMPTY);
            assert!((end.founded - dream.founded).is_empty(), "{deal}");
            assert!(
                (end.moved - before.moved - dream.movable).is_empty(),
                "{deal}"
            );
        }
    }
}

/// Seed 13: where a relaxation is taken over after a move, with random legal moves deferred, it is
/// what computing it anew gives.
#[test]
fn a_relaxation_taken_over_is_the_one_computed_anew() {
    let mut stream = Streams::new(13).key("deferred").stream(0);
    let (mut taken, mut with_deferred) = (0, 0);
    for (deal, board, states) in random_games(13) {
        for state in states {
            let legal = board.legal_moves(&state);
            let is_chosen = |_: &Card| kit::rng::below(&mut stream, 4) == 0;
            let deferred = (legal - CardSet::KINGS).filter(is_chosen).collect();
            let before = Future::of(&board, &state, deferred);
            for card in legal - deferred {
                let mut node = SearchNode {
                    state,
                    deferred,
                    trapped: CardSet::EMPTY,
                };
                node.play(&board, card);
                node.deferred = node.deferred - node.state.founded;
                let anew = node.future(&board);
                assert!((anew.founded - before.founded).is_empty(), "{deal} {card}");
                assert!((anew.movable - before.movable).is_empty(), "{deal} {card}");
                let Some(same) = node.same_future(&before) else {
                    continue;
                };
                assert_eq!(same.founded, anew.founded, "{deal} {card}");
                assert_eq!(same.movable, anew.movable, "{deal} {card}");
                assert_eq!(same.bound, anew.bound, "{deal} {card}");
                taken += 1;
                with_deferred += u32::from(!deferred.is_empty());
            }
        }
    }
    assert!(
        taken > 500 && with_deferred > 100,
        "{taken} {with_deferred}"
    );
}

/// Seed 11: along random play, piles and blocked cards are what walking from card to card says,
/// and so is what could come to lie on a card.
#[test]
fn piles_are_what_walking_down_from_card_to_card_says() {
    let (mut blocked, mut arrived) = (0, 0);
    for (deal, board, states) in random_games(11) {
        for state in states.into_iter().step_by(10) {
            let checked = check_piles(&deal, &board, &state);
            blocked += checked.0;
            arrived += checked.1;
        }
    }
    assert!(blocked > 300 && arrived > 300, "{blocked} {arrived}");
}

/// Checks every card in play; returns the number of blocked ones, and of those onto which several
/// cards could come with their targets.
fn check_piles(deal: &Deal, board: &DealtCards, state: &PrunedPosition) -> (u32, u32) {
    let movable = Future::of(board, state, CardSet::EMPTY).movable;
    let in_play = CardSet::DECK - state.founded;
    let lies_upon = |card, other, movable| lies_upon((deal, state), card, other, movable);
    let (mut blocked, mut arrived) = (0, 0);
    for card in in_play {
        let pile = in_play.filter(|&other| lies_upon(other, card, CardSet::EMPTY));
        assert!(
            pile.eq(board.pile(card, state) - state.founded),
            "{deal} {card}"
        );
        let Some(target) = card.higher().filter(|_| !state.moved.contains(card)) else {
            continue;
        };
        let is_blocked = lies_upon(target, card, CardSet::EMPTY);
        assert_eq!(state.blocked.contains(card), is_blocked, "{deal} {card}");
        if !is_blocked {
            let comes = lies_upon(target, card, movable);
            let others = (in_play & movable) - CardSet::of(card);
            let arrivals = others.filter(|&other| comes && lies_upon(other, card, movable));
            let arrivals = arrivals.count() as u32;
            assert_eq!(board.may_be_blocked(card, state, movable), comes);
            assert_eq!(
                board.arrivals(card, state, movable, 52),
                arrivals,
                "{deal} {card}"
            );
            for enough in 1..4 {
                let counted = board.arrivals(card, state, movable, enough);
                assert_eq!(counted.min(enough), arrivals.min(enough), "{deal} {card}");
            }
            arrived += u32::from(arrivals > 1);
        }
        if is_blocked {
            let lies_between = |&other: &Card| {
                other != card
                    && lies_upon(other, card, CardSet::EMPTY)
                    && lies_upon(target, other, CardSet::EMPTY)
            };
            let between: CardSet = in_play.filter(lies_between).collect();
            assert_eq!(
                board.between(card, state) - state.founded,
                between,
                "{deal} {card}"
            );
            blocked += 1;
        }
    }
    (blocked, arrived)
}

/// Returns whether a card lies upon another one, directly or on what lies there, wherever the movable cards go.
fn lies_upon(
    (deal, state): (&Deal, &PrunedPosition),
    card: Card,
    other: Card,
    movable: CardSet,
) -> bool {
    let mut seen = CardSet::EMPTY;
    let mut open = vec![card];
    while let Some(card) = open.pop().filter(|&card| card != other) {
        if !seen.contains(card) {
            seen.insert(card);
            open.extend(ways_down(deal, state, card, movable));
        }
        if open.is_empty() {
            return false;
        }
    }
    true
}

/// Returns the card that a card lies on, and its target too if it is movable.
fn ways_down(deal: &Deal, state: &PrunedPosition, card: Card, movable: CardSet) -> Vec<Card> {
    let dealt_on = deal.columns().find_map(|(_, cards)| {
        let index = cards.iter().position(|&other| other == card)?;
        index.checked_sub(1).map(|below| cards[below])
    });
    let lies_on = if state.moved.contains(card) {
        card.higher()
    } else {
        dealt_on
    };
    let target = card.higher().filter(|_| movable.contains(card));
    lies_on.into_iter().chain(target).collect()
}

fn suits_shuffled(text: &str, stream: &mut Stream) -> String {
    let mut suits = ['C', 'D', 'H', 'S'];
    shuffle(stream, &mut suits);
    let mut deal = String::new();
    let mut rank_is_next = true;
    for letter in text.chars() {
        let is_suit = letter.is_alphanumeric() && !rank_is_next;
        let index = "CDHS".find(letter.to_ascii_uppercase()).filter(|_| is_suit);
        deal.push(match index {
            Some(index) if letter.is_lowercase() => suits[index].to_ascii_lowercase(),
            Some(index) => suits[index],
            None => letter,
        });
        rank_is_next = !letter.is_alphanumeric() || is_suit;
    }
    deal
}

fn columns_shuffled(text: &str, stream: &mut Stream) -> String {
    let mut columns: Vec<&str> = text.split('|').collect();
    shuffle(stream, &mut columns);
    columns.join("|")
}

/// Seed 9: a solution, played card by card under a naive reading of the rules, scores as many
/// cards as claimed.
#[test]
fn solutions_stand_up_to_a_naive_reading_of_the_rules() {
    let key = Streams::new(9).key("deal");
    let mut engine = PrunedEngine::new();
    for layout in LAYOUTS {
        let layout: Layout = layout.parse().unwrap();
        for index in 0..60 {
            let deal = Deal::draw(&layout, &mut key.stream(index));
            let outcome = engine.solve(&deal, Budget::nodes(50_000));
            let mut table = NaiveTableau::deal(&deal.to_string());
            outcome
                .moves
                .iter()
                .for_each(|card| table.play(&card.to_string()));
            assert_eq!(
                table.founded(),
                usize::from(outcome.score.lower()),
                "{deal}"
            );
        }
    }
}
