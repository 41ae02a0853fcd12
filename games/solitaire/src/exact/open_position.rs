//! A position in the search, with what is known of it while it waits to be looked at.

use super::super::table::CardTable;
use super::seen::Seen;
use super::state::{Slots, State};
use super::step::{SearchStep, StepKind, Tried};
use super::world::SearchConstants;

/// A position to be looked at, and the step that leads to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenPosition {
    /// The position, after all safe moves to the foundations.
    pub(crate) state: State,
    slots: Slots,
    /// The step before those moves; none at the root.
    pub step: Option<SearchStep>,
    /// The position's hash in the table of positions.
    pub(crate) hash: u64,
    /// True if the step, or a safe move after it, turned a card.
    pub(crate) has_turned: bool,
}

impl OpenPosition {
    /// The position of a table.
    pub(crate) fn root(world: &SearchConstants, seen: &Seen, table: &CardTable) -> OpenPosition {
        let mut state = State::new(world, table);
        let slots = state.settle(world, |_| ());
        OpenPosition {
            state,
            slots,
            step: None,
            hash: seen.hash(state.entry()),
            has_turned: false,
        }
    }

    /// Returns whether the position was not met before.
    #[inline]
    pub(crate) fn is_new(&self, seen: &Seen) -> bool {
        !seen.has(self.hash, self.state.entry())
    }

    /// Puts the positions one step on into `children`, the most urgent kind of `order` last. Given
    /// sizes, the stock offers only the top cards of wastes of such sizes, and steps that can wait
    /// are left out.
    #[inline]
    pub(crate) fn make_children(
        &mut self,
        world: &SearchConstants,
        seen: &Seen,
        order: &[StepKind; 5],
        sizes: Option<u32>,
        children: &mut Vec<OpenPosition>,
    ) {
        self.state.look_through_stock(world);
        children.clear();
        let mut offering = self.state;
        let mut tried = Tried::ALL;
        if let Some(sizes) = sizes {
            tried = offering.tried(world, self.slots);
            offering.offer_only(world, sizes);
        }
        offering.push_steps(world, self.slots, order, tried, |step| {
            // A child is made where it will lie: to copy it at once after changing it is slow.
            children.push(*self);
            if let Some(child) = children.last_mut() {
                child.step = Some(step);
                child.state.take(world, step);
                child.slots = child.state.settle(world, |_| ());
                child.has_turned = child.state.locked < offering.locked;
                child.hash = seen.hash(child.state.entry());
                seen.ask_for(child.hash);
            }
        });
    }
}
