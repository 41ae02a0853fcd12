//! The totals of each player, summed over all orders of the unseen cards.
//!
//! Expectimax: the best move of the best sum over what may be turned. The sum of perfect scores
//! bounds what any player reaches, so a move whose sum is no better than one already had is left,
//! and so is one that what it turned first has shown to be no better (`book/src/soundness.md`).

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::super::card::Card;
use super::super::pruned::{PrunedEngine, View};
use super::Totals;
use super::key::{self, SightKey};
use kit::search::Budget;

/// Sums that are already known, by observation.
#[derive(Default)]
pub(crate) struct Beliefs {
    engine: PrunedEngine,
    known: FxHashMap<SightKey, [Option<u64>; 4]>,
}

/// The owner of a sum.
#[derive(Clone, Copy)]
enum Of {
    Perfect,
    Hidden,
    Hindsight,
    Greedy,
}

/// A move, and the observations that may follow.
struct BelievedMove {
    card: Card,
    /// Cards on the foundations before anything is turned.
    founded: u8,
    turns: bool,
    /// The views that may follow; each stands for as many orders of the unseen cards.
    outcomes: Vec<View>,
    /// The sum of the perfect scores after the move.
    perfect: u64,
}

impl Beliefs {
    /// The totals over all orders of the cards not seen.
    pub(crate) fn totals(&mut self, view: &View) -> Totals {
        let mut totals = Totals::default();
        for view in &outcomes(view) {
            let perfect = self.sum(Of::Perfect, view);
            let (hidden, hindsight) = if is_known(view) {
                (perfect, perfect)
            } else {
                (self.sum(Of::Hidden, view), self.sum(Of::Hindsight, view))
            };
            totals += Totals {
                deals: orders(view),
                perfect,
                hidden,
                hindsight,
                greedy: self.sum(Of::Greedy, view),
            };
        }
        totals
    }

    fn sum(&mut self, of: Of, view: &View) -> u64 {
        if view.moves().is_empty() {
            return orders(view) * u64::from(view.score());
        }
        if is_known(view) {
            return self.sum_of_one(of, view);
        }
        let key = match of {
            Of::Perfect | Of::Hidden => key::up_to_suits(view),
            Of::Hindsight | Of::Greedy => key::exact(view),
        };
        let known = self.known.get(&key).and_then(|sums| sums[of as usize]);
        known.unwrap_or_else(|| {
            let sum = self.work_out(of, view);
            self.known.entry(key).or_default()[of as usize] = Some(sum);
            sum
        })
    }

    /// The score in the one world there is. Too many positions are met once to remember them.
    fn sum_of_one(&mut self, of: Of, view: &View) -> u64 {
        if matches!(of, Of::Greedy) {
            return self.work_out(of, view);
        }
        let value = self.engine.value(view.world(), Budget::UNLIMITED);
        u64::from(value.lower())
    }

    fn work_out(&mut self, of: Of, view: &View) -> u64 {
        match of {
            Of::Perfect => self.perfect(view),
            Of::Hidden => self.hidden(view),
            Of::Hindsight => {
                let choices = self.choices(view);
                self.over(Of::Hindsight, choices.first())
            }
            Of::Greedy => {
                let choices = moves(view).into_iter();
                let greedy = choices.min_by_key(|choice| choice.taste());
                self.over(Of::Greedy, greedy.as_ref())
            }
        }
    }

    /// Returns the sum over the observations that may follow a move.
    fn over(&mut self, of: Of, choice: Option<&BelievedMove>) -> u64 {
        let outcomes = choice.iter().flat_map(|choice| &choice.outcomes);
        outcomes.map(|view| self.sum(of, view)).sum()
    }

    fn perfect(&mut self, view: &View) -> u64 {
        if view.moves().len() == 1 {
            let only = moves(view);
            return self.over(Of::Perfect, only.first());
        }
        let mut world = view.world().clone();
        let mut cards: Vec<Card> = world.hidden_in_order().collect();
        let mut sum = 0;
        each_order(&mut cards, &mut |cards| {
            world.redeal(cards);
            let value = self.engine.value(&world, Budget::UNLIMITED);
            sum += u64::from(value.lower());
        });
        sum
    }

    fn hidden(&mut self, view: &View) -> u64 {
        let mut best = 0;
        for choice in self.choices(view) {
            if choice.perfect <= best {
                break;
            }
            best = best.max(self.hidden_after(&choice, best));
        }
        best
    }

    /// The best sum after a move, or a bound on it that is no more than `floor`.
    fn hidden_after(&mut self, choice: &BelievedMove, floor: u64) -> u64 {
        let mut bound = choice.perfect;
        for view in &choice.outcomes {
            bound -= self.sum(Of::Perfect, view) - self.sum(Of::Hidden, view);
            if bound <= floor {
                break;
            }
        }
        bound
    }

    /// The moves, those with the greatest sum of perfect scores first.
    fn choices(&mut self, view: &View) -> Vec<BelievedMove> {
        let mut choices = moves(view);
        for choice in &mut choices {
            choice.perfect = self.over(Of::Perfect, Some(choice));
        }
        choices.sort_by_key(|choice| (Reverse(choice.perfect), choice.taste()));
        choices
    }
}

impl BelievedMove {
    /// Returns the key that orders moves that are otherwise as good: cards founded without the
    /// turned ones, then turning a card, then suit and rank.
    fn taste(&self) -> impl Ord + use<> {
        (Reverse(self.founded), !self.turns, self.card)
    }
}

/// The moves in order of suit and rank, their sums not worked out.
fn moves(view: &View) -> Vec<BelievedMove> {
    let choice = |card| {
        let mut next = view.clone();
        next.play(card);
        BelievedMove {
            card,
            founded: next.score(),
            turns: next.waits(),
            outcomes: outcomes(&next),
            perfect: 0,
        }
    };
    view.moves().map(choice).collect()
}

/// Returns the views that may follow once all waiting cards are turned.
fn outcomes(view: &View) -> Vec<View> {
    if !view.waits() {
        return vec![view.clone()];
    }
    let turned = |card| {
        let mut next = view.clone();
        next.turn(card);
        outcomes(&next)
    };
    view.unseen().flat_map(turned).collect()
}

/// Returns whether the player knows every card: a single unseen card is known.
fn is_known(view: &View) -> bool {
    view.unseen().len() <= 1
}

/// The orders in which the unseen cards may lie.
fn orders(view: &View) -> u64 {
    (1..=u64::from(view.unseen().len())).product()
}

/// Calls `each` with every order of `cards` (Heap 1963, "Permutations by interchanges").
fn each_order(cards: &mut [Card], each: &mut impl FnMut(&[Card])) {
    fn exchange(upto: usize, cards: &mut [Card], each: &mut impl FnMut(&[Card])) {
        if upto <= 1 {
            return each(cards);
        }
        for i in 0..upto {
            exchange(upto - 1, cards, each);
            if i + 1 < upto {
                let other = if upto.is_multiple_of(2) { i } else { 0 };
                cards.swap(other, upto - 1);
            }
        }
    }
    exchange(cards.len(), cards, each);
}
