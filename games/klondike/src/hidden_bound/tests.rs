//! The bound against the exact values of small decks.

use super::super::card::Card;
use super::super::deal::Deal;
use super::super::hidden_value;
use super::super::layout::Layout;
use super::super::pruned::{PrunedEngine, World};
use super::price::{PARTS, orders};
use super::*;
use kit::rng::Streams;
use kit::search::Budget;

const SMALL: &[(&str, &str)] = &[
    ("2x3", "0:1,2:1,1:1"),
    ("2x3", "0:0,2:1,2:1"),
    ("1x7", "2:1,1:1,0:1,0:1"),
    ("2x4", "0:0,3:2,2:1"),
    ("2x4", "0:1,2:1,3:1"),
];

/// All orders of the unseen cards: more than any of the small decks has.
const ALL: usize = 1_000;

/// Every way the cards of a layout may look after the deal, as all worlds that look so.
fn looks(layout: &Layout) -> Vec<Vec<World>> {
    let mut looks: Vec<(_, Vec<World>)> = Vec::new();
    let mut places = rustc_hash::FxHashMap::default();
    for deal in hidden_value::plain::deals(layout) {
        let world = World::new(&deal);
        let seen = world.observe();
        let index = *places.entry(seen.clone()).or_insert(looks.len());
        if index == looks.len() {
            looks.push((seen, Vec::new()));
        }
        looks[index].1.push(world);
    }
    looks.into_iter().map(|(_, worlds)| worlds).collect()
}

/// The mean bound over all deals, in cards, if the player is among `split` of them at a time.
fn bound(layout: &Layout, pricing: Pricing, alone: bool) -> f64 {
    let key = Streams::new(1).key("prices");
    let mut engine = PrunedEngine::new();
    let (mut lost, mut perfect, mut deals) = (0, 0, 0);
    for worlds in looks(layout) {
        for world in &worlds {
            perfect += u64::from(engine.value(world, Budget::UNLIMITED).lower());
        }
        deals += worlds.len();
        let size = if alone { 1 } else { worlds.len() };
        for part in worlds.chunks(size) {
            let search = WorldSearch::new(pricing, &mut engine, (&key, 0), Budget::UNLIMITED);
            let least = search.least(part);
            assert!(least.is_complete);
            lost += least.parts;
        }
    }
    (perfect as f64 - lost as f64 / PARTS as f64) / deals as f64
}

fn exact(layout: &Layout) -> f64 {
    let totals = hidden_value::totals(layout).unwrap();
    totals.hidden as f64 / totals.deals as f64
}

fn small() -> impl Iterator<Item = Layout> {
    let read = |(deck, columns): &(&str, &str)| Layout::parse(columns, deck.parse().unwrap());
    SMALL.iter().map(move |deck| read(deck).unwrap())
}

/// Among all worlds that look like its deal, the player knows no more than it may.
#[test]
fn among_all_worlds_the_bound_is_the_exact_value() {
    for layout in small() {
        for pricing in [Pricing::Own, Pricing::Drawn(ALL)] {
            let (bound, exact) = (bound(&layout, pricing, false), exact(&layout));
            // Prices are rounded down by less than a part a move.
            assert!(
                (bound - exact).abs() < 0.001,
                "{layout}: {bound} for {exact}"
            );
            assert!(bound >= exact - 1e-12, "{layout}: {bound} for {exact}");
        }
    }
}

/// A player that knows its world and pays exact prices does not do worse than the best without
/// sight, and on some decks worse than with perfect sight.
#[test]
fn alone_with_prices_the_bound_is_no_less_than_the_exact_value() {
    let mut tighter = 0;
    for layout in small() {
        let priced = bound(&layout, Pricing::Drawn(ALL), true);
        let free = bound(&layout, Pricing::Own, true);
        let exact = exact(&layout);
        assert!(priced >= exact - 1e-12, "{layout}: {priced} for {exact}");
        assert!(free >= priced, "{layout}: {free} and {priced}");
        tighter += u32::from(priced < free - 1e-6);
    }
    assert!(tighter >= 2, "{tighter}");
}

/// Seed 5: prices from a few drawn worlds, and groups of a few drawn worlds, over 3,000 deals of a
/// deck: the mean bound is above the exact value, or within 4 standard errors of it.
#[test]
fn with_drawn_worlds_the_bound_holds_in_the_mean() {
    let layout = Layout::parse("0:1,2:1,3:1", "2x4".parse().unwrap()).unwrap();
    let streams = Streams::new(5);
    let mut engine = PrunedEngine::new();
    for (worlds, pricing) in [
        (1, Pricing::Drawn(2)),
        (3, Pricing::Drawn(5)),
        (4, Pricing::Own),
    ] {
        let (mut sum, mut squares, count) = (0.0, 0.0, 3_000_u32);
        for index in 0..u64::from(count) {
            let deal = Deal::draw(&layout, &mut streams.key("deal").stream(index));
            let world = World::new(&deal);
            let cards: Vec<Card> = world.hidden().collect();
            let mut stream = streams.key("worlds").stream(index);
            let drawn: Vec<World> = orders(cards, worlds, &mut stream)
                .iter()
                .map(|order| {
                    let mut other = world.clone();
                    other.redeal(order);
                    other
                })
                .collect();
            let perfect = |world| u64::from(engine.value(world, Budget::UNLIMITED).lower());
            let perfect: u64 = drawn.iter().map(perfect).sum();
            let prices = streams.key("prices");
            let search =
                WorldSearch::new(pricing, &mut engine, (&prices, index), Budget::UNLIMITED);
            let parts = perfect * PARTS - search.least(&drawn).parts;
            let bound = parts as f64 / (PARTS * drawn.len() as u64) as f64;
            sum += bound;
            squares += bound * bound;
        }
        let mean = sum / f64::from(count);
        let error = ((squares / f64::from(count) - mean * mean) / f64::from(count)).sqrt();
        let exact = exact(&layout);
        assert!(mean > exact - 4.0 * error, "{worlds}: {mean} for {exact}");
    }
}

/// Seed 6: with a small budget `d` is a bound from below, and grows to what it is.
#[test]
fn a_cut_search_gives_less() {
    let key = Streams::new(6).key("prices");
    let mut engine = PrunedEngine::new();
    let mut cut = 0;
    for layout in small() {
        for worlds in looks(&layout).iter().step_by(7) {
            let mut least = |nodes| {
                let budget = Budget::nodes(nodes);
                WorldSearch::new(Pricing::Drawn(20), &mut engine, (&key, 0), budget).least(worlds)
            };
            let all = least(u64::MAX);
            let mut before = 0;
            for nodes in [0, 1, 2, 4, 8, 16] {
                let found = least(nodes);
                assert!((before..=all.parts).contains(&found.parts));
                before = found.parts;
                cut += u32::from(!found.is_complete);
            }
        }
    }
    assert!(cut > 10, "{cut}");
}
