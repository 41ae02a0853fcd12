//! Positions that are lost even if cards are drawn one at a time.
//!
//! Every line of a game that draws several cards is also one of the game that draws one, where the
//! whole stock is always at hand. So a position that is hopeless there is hopeless here, and that
//! is often found in a few hundred positions instead of millions. `book/src/soundness.md` has the
//! arguments.

use super::lost_stocks::LostStocks;
use super::search::ORDER;
use super::state::{Slots, State};
use super::world::SearchConstants;
use kit::search::Meter;
use rustc_hash::FxHashSet;

/// The positions that one question may look at.
const LONGEST: u64 = 3_000;

/// The questions asked about the positions of one table, and what their answers say of others.
#[derive(Clone, Debug)]
pub(crate) struct Relaxation {
    world: SearchConstants,
    lost: LostStocks,
    /// The codes, of locked cards and heights, of positions that were asked about in vain. Others with the
    /// same code are likely to be asked in vain too.
    vain: FxHashSet<u64>,
    /// The positions met since the present question was asked.
    met: FxHashSet<u64>,
    open: Vec<RelaxedPosition>,
}

/// A position of the game that draws one, after all safe moves to the foundations.
#[derive(Clone, Copy, Debug)]
struct RelaxedPosition {
    state: State,
    slots: Slots,
}

impl Relaxation {
    /// Asks nothing yet; `world` is that of the game that draws several cards. Answers are remembered as long as
    /// they take no more than `memory` bytes.
    pub(crate) fn new(world: &SearchConstants, memory: u64) -> Relaxation {
        Relaxation {
            world: world.drawing_one(),
            lost: LostStocks::new(memory),
            vain: FxHashSet::default(),
            met: FxHashSet::default(),
            open: Vec::new(),
        }
    }

    /// Returns true if no more than `most` cards can come to the foundations from a position of the
    /// game that draws several, and this is known already or found by a short search.
    /// `most` never falls from one call to the next.
    pub(crate) fn is_hopeless(&mut self, state: &State, most: u8, meter: &mut Meter) -> bool {
        let root = RelaxedPosition::settled(&self.world, state.drawing_one());
        let code = u64::from(root.state.code());
        if self.lost.has_superset(root.state.entry()) {
            return true;
        }
        if self.vain.contains(&code) {
            return false;
        }
        let is_hopeless = self.ask(root, most, meter);
        if !is_hopeless {
            self.vain.insert(code);
        }
        is_hopeless
    }

    /// Looks at all positions that one leads to, and remembers them as lost if none has more than
    /// `most` cards on the foundations.
    fn ask(&mut self, root: RelaxedPosition, most: u8, meter: &mut Meter) -> bool {
        self.met.clear();
        self.open.clear();
        self.met.insert(root.state.entry());
        self.open.push(root);
        let mut nodes = 0;
        while let Some(node) = self.open.pop() {
            if node.is_hopeful(&self.world, most) || nodes == LONGEST || !meter.spend() {
                return false;
            }
            nodes += 1;
            self.open_children(node);
        }
        for &entry in &self.met {
            self.lost.insert(entry);
        }
        true
    }

    fn open_children(&mut self, mut node: RelaxedPosition) {
        let world = &self.world;
        node.state.look_through_stock(world);
        let tried = node.state.tried(world, node.slots);
        let (first, open, lost) = (self.open.len(), &mut self.open, &self.lost);
        node.state
            .push_steps(world, node.slots, &ORDER, tried, |step| {
                // As in `make_children`.
                open.push(node);
                if let Some(child) = open.last_mut() {
                    child.state.take(world, step);
                    child.slots = child.state.settle(world, |_| ());
                    lost.ask_for(child.state.entry());
                }
            });
        self.keep_new(first);
    }

    /// Leaves of the open positions from the `first` on those that are new and not known to be lost.
    fn keep_new(&mut self, first: usize) {
        let mut kept = first;
        for place in first..self.open.len() {
            let entry = self.open[place].state.entry();
            if !self.lost.has_superset(entry) && self.met.insert(entry) {
                self.open[kept] = self.open[place];
                kept += 1;
            }
        }
        self.open.truncate(kept);
    }
}

impl RelaxedPosition {
    fn settled(world: &SearchConstants, mut state: State) -> RelaxedPosition {
        let slots = state.settle(world, |_| ());
        RelaxedPosition { state, slots }
    }

    /// Returns whether the position has more than `most` cards on the foundations, or no card of the
    /// columns face down: then all can go there.
    fn is_hopeful(&self, world: &SearchConstants, most: u8) -> bool {
        self.state.count > most || self.state.bases & !world.lowest == 0
    }
}
