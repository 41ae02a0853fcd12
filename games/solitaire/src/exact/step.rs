//! The moves of the search, and which of them are worth trying.
//!
//! A step is one card's way: to a foundation, into the columns, back from a foundation. The moves
//! of stock and waste before it, and those that bare a card, are implied.

use super::super::card::Card;
use super::state::{Slots, State, twins_and_children};
use super::world::{SearchConstants, bit, cards};

/// The kind of a step: the origin of a card and its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// A card goes from a column to its foundation.
    Found,
    /// A card goes from the stock to its foundation.
    FoundStock,
    /// A base, and the run on it, to another column.
    Free,
    /// A card goes from the stock to a column.
    LandStock,
    /// A card goes from its foundation to a column.
    Back,
}

/// A card's way; where `emptied` is given, that base goes to another column first and its own,
/// empty now, receives the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchStep {
    /// The kind: the origin of the card and its destination.
    pub(crate) kind: StepKind,
    /// The card.
    pub(crate) card: Card,
    /// The base that makes room for a king.
    pub(crate) emptied: Option<Card>,
}

impl SearchStep {
    const fn new(kind: StepKind, card: Card) -> SearchStep {
        SearchStep {
            kind,
            card,
            emptied: None,
        }
    }
}

/// The cards that are tried, as sets, for each kind of step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tried([u64; 5]);

impl Tried {
    /// Every card.
    pub(crate) const ALL: Tried = Tried([u64::MAX; 5]);

    #[inline]
    fn of(self, kind: StepKind) -> u64 {
        self.0[kind as usize]
    }
}

impl State {
    /// The cards that cannot wait. A card comes back from its foundation only where that is of use.
    /// If a free card may go to its foundation and come back, it goes there before all that can be
    /// done without it.
    #[inline]
    pub(crate) fn tried(&self, world: &SearchConstants, slots: Slots) -> Tried {
        let mut tried = Tried::ALL;
        if world.is_all_at_hand() {
            let useful = self.useful_arrivals(world, slots);
            tried.0[StepKind::LandStock as usize] = useful;
            tried.0[StepKind::Back as usize] = useful;
        } else if world.rules.worrying_back {
            let back = self.candidates(world, slots, StepKind::Back);
            tried.0[StepKind::Back as usize] = self.useful_returns(slots, back);
        }
        if !world.rules.worrying_back {
            return tried;
        }
        let free = self.visible & !self.bases & !world.kings;
        let founded = self.candidates(world, slots, StepKind::Found) & free;
        if founded != 0 {
            let (twins, children) = twins_and_children(founded & founded.wrapping_neg());
            tried.0[StepKind::Found as usize] = twins;
            tried.0[StepKind::FoundStock as usize] = 0;
            tried.0[StepKind::Free as usize] = children;
            tried.0[StepKind::LandStock as usize] &= children;
        }
        tried
    }

    /// The position after a step, which must be one of [`push_steps`](Self::push_steps); safe moves
    /// to the foundations are not made yet.
    #[inline]
    pub(crate) fn take(&mut self, world: &SearchConstants, step: SearchStep) {
        if let Some(base) = step.emptied {
            self.free_base(world, base);
        }
        self.make(world, step.kind, step.card);
    }

    #[inline]
    fn make(&mut self, world: &SearchConstants, kind: StepKind, card: Card) {
        match kind {
            StepKind::FoundStock | StepKind::LandStock => self.draw(world, card),
            StepKind::Found => self.lift(world, card),
            StepKind::Free => self.free_base(world, card),
            StepKind::Back => self.take_back(world, card),
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
    pub(crate) fn settle(
        &mut self,
        world: &SearchConstants,
        tell: impl FnMut(SearchStep),
    ) -> Slots {
        self.settle_before(world, |_, _| false, tell).0
    }

    /// Like [`settle`](Self::settle), but stops before the first step that `is_last` picks and
    /// returns it too.
    #[inline]
    pub(crate) fn settle_before(
        &mut self,
        world: &SearchConstants,
        is_last: impl Fn(&State, SearchStep) -> bool,
        mut tell: impl FnMut(SearchStep),
    ) -> (Slots, Option<SearchStep>) {
        loop {
            let slots = self.slots(world);
            match self.safe_step(world, slots) {
                Some(step) if !is_last(self, step) => {
                    self.make(world, step.kind, step.card);
                    tell(step);
                }
                last => return (slots, last),
            }
        }
    }

    /// Returns whether a step turns a face-down card.
    #[inline]
    pub(crate) fn turns(&self, world: &SearchConstants, step: SearchStep) -> bool {
        let is_base = self.bases & !world.lowest & bit(step.card) != 0;
        is_base && matches!(step.kind, StepKind::Found | StepKind::Free)
    }

    /// Returns whether a step takes no card from the stock, or the one that lies on top of the waste.
    #[inline]
    pub(crate) fn draws_nothing(&self, world: &SearchConstants, step: SearchStep) -> bool {
        let is_from_stock = matches!(step.kind, StepKind::FoundStock | StepKind::LandStock);
        !is_from_stock || self.waste_size(world, step.card) == self.waste
    }

    /// A move to a foundation that nothing speaks against.
    #[inline]
    fn safe_step(&self, world: &SearchConstants, slots: Slots) -> Option<SearchStep> {
        let safe = self.next() & self.safe();
        if let Some(card) = cards(safe & self.visible & slots.bare).next() {
            return Some(SearchStep::new(StepKind::Found, card));
        }
        let mut from_stock = cards(safe & self.in_stock);
        let card = from_stock.find(|&card| self.costs_nothing(world, card))?;
        Some(SearchStep::new(StepKind::FoundStock, card))
    }

    /// Returns whether taking a card from the stock keeps every other card of the stock as near as
    /// it was.
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

    /// Tells all steps worth trying of those tried, the most urgent kind of `order` last.
    #[inline]
    pub(crate) fn push_steps(
        &self,
        world: &SearchConstants,
        slots: Slots,
        order: &[StepKind; 5],
        tried: Tried,
        mut push: impl FnMut(SearchStep),
    ) {
        let emptied = self.bases & world.lowest & slots.landing & tried.of(StepKind::Free);
        if self.empty == 0 && emptied != 0 {
            self.push_emptying(world, emptied, order, &mut push);
        }
        for &kind in order.iter().rev() {
            for card in cards(self.candidates(world, slots, kind) & tried.of(kind)) {
                push(SearchStep::new(kind, card));
            }
        }
    }

    /// Steps of kings that need a column emptied for them, of some bases.
    fn push_emptying(
        &self,
        world: &SearchConstants,
        bases: u64,
        order: &[StepKind; 5],
        push: &mut impl FnMut(SearchStep),
    ) {
        let kings = Slots {
            landing: world.kings,
            bare: 0,
        };
        for base in cards(bases) {
            let emptied = Some(base);
            for &kind in order.iter().rev() {
                if matches!(kind, StepKind::Found | StepKind::FoundStock) {
                    continue;
                }
                for card in cards(self.candidates(world, kings, kind) & world.kings) {
                    push(SearchStep {
                        kind,
                        card,
                        emptied,
                    });
                }
            }
        }
    }

    /// The bases that may not leave the cards under them yet.
    #[inline]
    fn barred(&self, world: &SearchConstants) -> u64 {
        let is_first = world.covering & !self.bases == 0;
        world.barred & 0_u64.wrapping_sub(u64::from(is_first))
    }

    /// The cards that may go a way.
    #[inline]
    fn candidates(&self, world: &SearchConstants, slots: Slots, kind: StepKind) -> u64 {
        match kind {
            StepKind::Found => self.next() & self.visible & slots.bare & !self.barred(world),
            StepKind::FoundStock => self.next() & self.at_hand(),
            // Moving a base that lies on no card gains nothing by itself.
            StepKind::Free => self.bases & !world.lowest & slots.landing & !self.barred(world),
            StepKind::LandStock => self.at_hand() & slots.landing & !(self.next() & self.safe()),
            StepKind::Back if !world.rules.worrying_back => 0,
            StepKind::Back => self.next() >> 4 & slots.landing & !self.safe(),
        }
    }
}
