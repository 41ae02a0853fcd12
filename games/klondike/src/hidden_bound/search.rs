//! The least that a player loses who must treat alike the worlds that look alike.
//!
//! Branch and bound over what is seen: a move costs what its price is, then what is lost in each
//! group of worlds that it tells apart. Nothing ever costs less than nothing, so a way that has
//! cost the limit is left. The limit doubles until the least cost is below it; out of nodes, the
//! last limit is a bound from below.

use rustc_hash::FxHashMap;

use super::super::card::Card;
use super::super::pruned::{Observation, PrunedEngine, World};
use super::price::{Costs, PARTS, Prices, Pricing};
use kit::rng::StreamKey;
use kit::search::{Budget, Meter};

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    /// The least loss in all worlds together, in 65,536 parts of a card.
    pub parts: u64,
    /// True if the budget covered the search; otherwise `parts` is a bound from below.
    pub is_complete: bool,
    /// The observations that were met and priced.
    pub nodes: u64,
    /// Exact searches with perfect sight.
    pub solves: u64,
}

/// A search among the worlds of one deal.
pub struct WorldSearch<'a> {
    prices: Prices<'a>,
    meter: Meter,
    costs: FxHashMap<Observation, Costs>,
    /// The loss from each observation on: exact, or a lower bound.
    known: FxHashMap<Observation, Loss>,
    is_cut: bool,
}

#[derive(Clone, Copy)]
struct Loss {
    parts: u64,
    is_exact: bool,
}

impl<'a> WorldSearch<'a> {
    /// A search whose prices draw their worlds by steps of sample `draws.1` of a key.
    pub fn new(
        pricing: Pricing,
        engine: &'a mut PrunedEngine,
        draws: (&'a StreamKey, u64),
        budget: Budget,
    ) -> Self {
        WorldSearch {
            prices: Prices::new(pricing, engine, draws),
            meter: budget.meter(),
            costs: FxHashMap::default(),
            known: FxHashMap::default(),
            is_cut: false,
        }
    }

    /// The least loss in all these worlds, which look alike.
    pub fn least(mut self, worlds: &[World]) -> Least {
        let (mut proved, mut limit) = (0, PARTS / 8 * worlds.len() as u64);
        loop {
            let lost = self.lost(worlds, limit.max(1));
            if !self.is_cut {
                proved = lost.min(limit);
            }
            if self.is_cut || lost < limit || limit == 0 {
                return Least {
                    parts: proved,
                    is_complete: !self.is_cut,
                    nodes: self.meter.spent(),
                    solves: self.prices.solves,
                };
            }
            limit *= 2;
        }
    }

    /// Returns the loss in these worlds if it is less than `limit`; otherwise a lower bound that is
    /// at least `limit`.
    fn lost(&mut self, worlds: &[World], limit: u64) -> u64 {
        let Some(world) = worlds.first().filter(|world| !world.moves().is_empty()) else {
            return 0;
        };
        if worlds.len() == 1 && self.prices.are_own() {
            return 0;
        }
        let seen = world.observe();
        let known = self.known.get(&seen);
        if let Some(loss) = known.filter(|loss| loss.is_exact || loss.parts >= limit) {
            return loss.parts;
        }
        let Some(costs) = self.costs(&seen, worlds) else {
            return 0;
        };
        let parts = self.cheapest(worlds, &costs, limit);
        let is_exact = parts < limit;
        self.known.insert(seen, Loss { parts, is_exact });
        parts
    }

    /// The costs of the moves; `None` past the budget.
    fn costs(&mut self, seen: &Observation, worlds: &[World]) -> Option<Costs> {
        if let Some(costs) = self.costs.get(seen) {
            return Some(Costs::clone(costs));
        }
        if !self.meter.spend() {
            self.is_cut = true;
            return None;
        }
        let costs = self.prices.costs(worlds);
        self.costs.insert(seen.clone(), Costs::clone(&costs));
        Some(costs)
    }

    fn cheapest(&mut self, worlds: &[World], costs: &Costs, limit: u64) -> u64 {
        let mut best = limit;
        for &(cost, card) in costs.iter() {
            if cost >= best {
                break;
            }
            let mut sum = cost;
            for group in told_apart(worlds, card) {
                sum += self.lost(&group, best - sum);
                if sum >= best || self.is_cut {
                    break;
                }
            }
            best = best.min(sum);
        }
        best
    }
}

/// The worlds after a move, those that look alike together, in order of the first of each.
fn told_apart(worlds: &[World], card: Card) -> Vec<Vec<World>> {
    let mut groups: Vec<Vec<World>> = Vec::new();
    let mut places: FxHashMap<Observation, usize> = FxHashMap::default();
    for world in worlds {
        let mut next = world.clone();
        next.play(card);
        let index = *places.entry(next.observe()).or_insert(groups.len());
        if index == groups.len() {
            groups.push(Vec::new());
        }
        groups[index].push(next);
    }
    groups
}
