//! The cost of a move: the score it gives away against the best move of each world.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::super::card::Card;
use super::super::pruned::{Observation, PrunedEngine, World};
use kit::rng::{Stream, StreamKey, shuffle};
use kit::search::{Budget, Verdict};

/// Costs are integers in this many parts of a card, rounded down: a bound on `d` from below.
pub const PARTS: u64 = 1 << 16;
/// The nodes of one exact search. Past it a score is bounded, and costs are what is certain.
const SOLVE: Budget = Budget::nodes(1_000_000);

/// The worlds from which prices are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pricing {
    /// The player's own worlds.
    Own,
    /// A number of worlds drawn for the cards seen, at least one.
    Drawn(usize),
}

/// The legal moves of what is seen and what each costs, cheapest first: in parts of a card, over
/// all worlds of the player together.
pub(super) type Costs = Rc<[(u64, Card)]>;

/// Works out costs, and remembers perfect scores.
pub(super) struct Prices<'a> {
    pricing: Pricing,
    engine: &'a mut PrunedEngine,
    draws: &'a StreamKey,
    sample: u64,
    /// Perfect scores of the worlds drawn, by what is seen; positions with the same cards unseen
    /// share their worlds.
    scores: FxHashMap<Observation, Rc<[Verdict<u8>]>>,
    /// Exact searches so far.
    pub(crate) solves: u64,
}

impl<'a> Prices<'a> {
    /// Prices whose worlds are drawn by steps of `sample` of `draws`.
    pub(crate) fn new(
        pricing: Pricing,
        engine: &'a mut PrunedEngine,
        (draws, sample): (&'a StreamKey, u64),
    ) -> Self {
        Prices {
            pricing,
            engine,
            draws,
            sample,
            scores: FxHashMap::default(),
            solves: 0,
        }
    }

    /// Returns whether prices come from the player's own worlds, so that one world alone costs
    /// nothing.
    pub(crate) fn are_own(&self) -> bool {
        self.pricing == Pricing::Own
    }

    /// The costs of the moves of worlds that look alike.
    pub(crate) fn costs(&mut self, worlds: &[World]) -> Costs {
        let Some(world) = worlds.first() else {
            return Rc::new([]);
        };
        let moves: Vec<Card> = world.moves().collect();
        if moves.len() == 1 {
            return moves.iter().map(|&card| (0, card)).collect();
        }
        let (regrets, count) = match self.pricing {
            Pricing::Own => (self.regrets(worlds, &moves), 1),
            Pricing::Drawn(count) => self.drawn_regrets(world, &moves, count),
        };
        let factor = match self.pricing {
            Pricing::Own => PARTS,
            Pricing::Drawn(_) => PARTS * worlds.len() as u64,
        };
        let cost = |(regret, &card): (u64, &Card)| (regret * factor / count, card);
        let mut costs: Vec<(u64, Card)> = regrets.into_iter().zip(&moves).map(cost).collect();
        costs.sort_unstable();
        costs.into()
    }

    /// Returns the score that each move gives away in all these worlds together.
    fn regrets(&mut self, worlds: &[World], moves: &[Card]) -> Vec<u64> {
        let columns: Vec<Vec<Verdict<u8>>> = moves
            .iter()
            .map(|&card| worlds.iter().map(|world| self.after(world, card)).collect())
            .collect();
        regrets(&columns)
    }

    /// Returns the score that each move gives away in `count` worlds drawn for the cards seen of
    /// `world`, and the number of these worlds.
    fn drawn_regrets(&mut self, world: &World, moves: &[Card], count: usize) -> (Vec<u64>, u64) {
        let hidden = world.hidden();
        let mut stream = self.draws.step(self.sample, hidden.bits());
        let orders = orders(hidden.collect(), count, &mut stream);
        let mut columns = Vec::new();
        for &card in moves {
            let mut next = world.clone();
            next.play(card);
            let stays = next.hidden() == hidden;
            let seen = next.observe();
            let known = self.scores.get(&seen).filter(|_| stays).cloned();
            let column = known.unwrap_or_else(|| self.column(world, card, &orders));
            if stays {
                self.scores.insert(seen, Rc::clone(&column));
            }
            columns.push(column);
        }
        (regrets(&columns), orders.len() as u64)
    }

    fn column(&mut self, world: &World, card: Card, orders: &[Vec<Card>]) -> Rc<[Verdict<u8>]> {
        let mut drawn = world.clone();
        let value = |order: &Vec<Card>| {
            drawn.redeal(order);
            self.after(&drawn, card)
        };
        orders.iter().map(value).collect()
    }

    /// The perfect score after a move.
    fn after(&mut self, world: &World, card: Card) -> Verdict<u8> {
        let mut next = world.clone();
        next.play(card);
        self.solves += 1;
        self.engine.value(&next, SOLVE)
    }
}

/// Computes the score that each move gives away from the scores of each move in each world.
fn regrets<C: AsRef<[Verdict<u8>]>>(columns: &[C]) -> Vec<u64> {
    let worlds = columns.first().map_or(0, |column| column.as_ref().len());
    let best = |world: usize| {
        let scores = columns.iter().map(|column| column.as_ref()[world].lower());
        scores.max().unwrap_or(0)
    };
    let best: Vec<u8> = (0..worlds).map(best).collect();
    let regret = |column: &C| {
        let pairs = best.iter().zip(column.as_ref());
        pairs
            .map(|(&best, score)| u64::from(best.saturating_sub(score.upper())))
            .sum()
    };
    columns.iter().map(regret).collect()
}

/// Orders of the cards: all of them if there are no more than `count`, else `count` drawn. Of
/// orders drawn as many follow one another by rotation as there are cards, so that each card comes
/// once to each place; every order alone is uniform.
pub fn orders(mut cards: Vec<Card>, count: usize, stream: &mut Stream) -> Vec<Vec<Card>> {
    let all = (1..=cards.len()).try_fold(1_usize, |product, n| product.checked_mul(n));
    if all.is_some_and(|all| all <= count) {
        return every_order(cards);
    }
    let turn = |draw: usize| {
        if draw.is_multiple_of(cards.len()) {
            shuffle(stream, &mut cards);
        } else {
            cards.rotate_left(1);
        }
        cards.clone()
    };
    (0..count).map(turn).collect()
}

/// Every order of the cards.
fn every_order(cards: Vec<Card>) -> Vec<Vec<Card>> {
    let mut orders = vec![Vec::new()];
    for card in cards {
        let placed = |order: &Vec<Card>| {
            let at = |position| {
                let mut longer = order.clone();
                longer.insert(position, card);
                longer
            };
            (0..=order.len()).map(at).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(placed).collect();
    }
    orders
}
