//! The moves of the search, and which of them are worth trying.
//!
//! A step is one card's way: to a foundation, into the columns, back from a foundation. The moves
//! of stock and waste before it, and those that bare a card, are implied.

use super::super::card::Card;
use super::state::{Slots, State};
use super::world::{SearchConstants, bit, cards};

/// Where a card comes from and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// From a column to its foundation.
    Found,
    /// From the stock to its foundation.
    FoundStock,
    /// A base, and the run on it, to another column.
    Free,
    /// From the stock to a column.
    LandStock,
    /// From its foundation to a column.
    Back,
}

/// A card's way; where `emptied` is given, that base goes to another column first and its own,
/// empty now, receives the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// From where to where.
    pub kind: StepKind,
    /// The card.
    pub card: Card,
    /// The base that makes room for a king.
    pub emptied: Option<Card>,
}

impl Step {
    const fn new(kind: StepKind, card: Card) -> Step {
        Step {
            kind,
            card,
            emptied: None,
        }
    }
}

impl State {
    /// The position after a step, which must be one of [`push_steps`](Self::push_steps); safe moves
    /// to the foundations are not made yet.
    #[inline]
    pub fn after(&self, world: &SearchConstants, step: Step) -> State {
        let mut state = *self;
        if let Some(base) = step.emptied {
            state.free_base(world, base);
        }
        state.make(world, step.kind, step.card);
        state
    }

    #[inline]
    fn make(&mut self, world: &SearchConstants, kind: StepKind, card: Card) {
        if matches!(kind, StepKind::FoundStock | StepKind::LandStock) {
            let size = self.waste_size(world, card);
            let pass = self.pass_for(world, size).unwrap_or(self.pass);
            self.draw(world, card, pass);
        }
        match kind {
            StepKind::Found => self.lift(world, card),
            StepKind::Free => self.free_base(world, card),
            StepKind::Back => self.take_back(world, card),
            StepKind::FoundStock | StepKind::LandStock => (),
        }
        match kind {
            StepKind::Found | StepKind::FoundStock => self.found(world, card),
            StepKind::LandStock | StepKind::Back => self.land(world, card),
            StepKind::Free => (),
        }
    }

    /// Makes safe moves to the foundations until there is none, telling each; returns what can be
    /// bared and placed then.
    #[inline]
    pub fn settle(&mut self, world: &SearchConstants, mut tell: impl FnMut(Step)) -> Slots {
        loop {
            let slots = self.slots(world);
            let Some(step) = self.safe_step(world, slots) else {
                return slots;
            };
            self.make(world, step.kind, step.card);
            tell(step);
        }
    }

    /// A move to a foundation that nothing speaks against.
    #[inline]
    fn safe_step(&self, world: &SearchConstants, slots: Slots) -> Option<Step> {
        let next = self.next();
        let from_columns = cards(next & self.visible & slots.bare);
        let mut found = from_columns.filter(|&card| self.is_safe(card));
        if let Some(card) = found.next() {
            return Some(Step::new(StepKind::Found, card));
        }
        let from_stock = cards(next & self.in_stock);
        let mut found =
            from_stock.filter(|&card| self.is_safe(card) && self.costs_nothing(world, card));
        found
            .next()
            .map(|card| Step::new(StepKind::FoundStock, card))
    }

    /// Whether taking a card from the stock keeps every other card of it as near as it was.
    fn costs_nothing(&self, world: &SearchConstants, card: Card) -> bool {
        let size = self.waste_size(world, card);
        let is_limited = world.rules.passes.is_some();
        match (world.rules.draw, is_limited) {
            (1, false) => true,
            (1, true) => size == self.waste || size == self.waste + 1,
            // Without limit a waste of whole packets counts as none.
            (_, false) => self.waste == 0 && size == self.stock_len(),
            (_, true) => self.waste == self.stock_len() && size == self.waste,
        }
    }

    /// Tells all steps worth trying, the most urgent kind of `order` last.
    #[inline]
    pub fn push_steps(
        &self,
        world: &SearchConstants,
        slots: Slots,
        order: &[StepKind; 5],
        mut push: impl FnMut(Step),
    ) {
        if self.empty == 0 {
            self.push_emptying(world, slots, order, &mut push);
        }
        for &kind in order.iter().rev() {
            for card in cards(self.candidates(world, slots, kind)) {
                push(Step::new(kind, card));
            }
        }
    }

    /// Steps of kings that need a column emptied for them.
    fn push_emptying(
        &self,
        world: &SearchConstants,
        slots: Slots,
        order: &[StepKind; 5],
        push: &mut impl FnMut(Step),
    ) {
        let last =
            |base: &Card| self.locked[usize::from(world.column[usize::from(base.number())])] == 1;
        for base in cards(self.bases & slots.landing).filter(last) {
            let mut emptied = *self;
            emptied.free_base(world, base);
            let kings = Slots {
                landing: world.kings,
                bare: 0,
            };
            for &kind in order.iter().rev() {
                for card in cards(emptied.candidates(world, kings, kind) & world.kings) {
                    let emptied = Some(base);
                    if !matches!(kind, StepKind::Found | StepKind::FoundStock) {
                        push(Step {
                            kind,
                            card,
                            emptied,
                        });
                    }
                }
            }
        }
    }

    /// The cards that may go a way.
    #[inline]
    fn candidates(&self, world: &SearchConstants, slots: Slots, kind: StepKind) -> u64 {
        match kind {
            StepKind::Found => self.next() & self.visible & slots.bare,
            StepKind::FoundStock => self.reachable(world, self.next() & self.in_stock),
            StepKind::Free => self.movable_bases(world) & slots.landing,
            StepKind::LandStock => {
                let wanted = slots.landing & self.in_stock;
                self.reachable(world, wanted & !self.safe(self.next() & wanted))
            }
            StepKind::Back if !world.rules.worrying_back => 0,
            StepKind::Back => {
                let tops = self.next() >> 4 & slots.landing;
                tops & !self.safe(tops)
            }
        }
    }

    /// Bases with a card under them: moving another one alone gains nothing.
    #[inline]
    fn movable_bases(&self, world: &SearchConstants) -> u64 {
        let mut movable = 0;
        for (locked, &count) in world.locked.iter().zip(&self.locked) {
            if count >= 2 {
                movable |= bit(locked[usize::from(count) - 1]);
            }
        }
        movable
    }

    /// The safe ones among cards that are, or were, next on their foundations.
    #[inline]
    fn safe(&self, set: u64) -> u64 {
        let safe = cards(set).filter(|&card| self.is_safe(card));
        safe.fold(0, |safe, card| safe | bit(card))
    }

    /// Those of some cards of the stock that can be reached.
    #[inline]
    fn reachable(&self, world: &SearchConstants, wanted: u64) -> u64 {
        let can = |&card: &Card| self.pass_for(world, self.waste_size(world, card)).is_some();
        cards(wanted)
            .filter(can)
            .fold(0, |set, card| set | bit(card))
    }
}
