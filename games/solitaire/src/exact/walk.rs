//! Lines of play from one turned card to the next.
//!
//! Between two turned cards nothing unknown happens. A walk over the positions of the search, by
//! steps that turn nothing, finds which cards can be turned next and in what arrangement. Steps
//! that turn a card without need of those before them are not put after them: they can wait.

use super::super::table::{CardTable, Move};
use super::line::moves_of;
use super::search::ORDER;
use super::state::{Slots, State};
use super::step::{SearchStep, StepKind, Tried};
use super::world::{SearchConstants, bit};
use rustc_hash::{FxBuildHasher, FxHashSet};

/// The most steps of a line; longer ones are left out.
const LONGEST: usize = 48;

/// Steps that belong together: the last turns a card, or cards are drawn after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownLine {
    steps: [Option<SearchStep>; LONGEST],
    /// True if the next cards of the stock are drawn at the end.
    pub(crate) draws: bool,
}

impl KnownLine {
    /// No steps, then a draw.
    pub(crate) const DRAW: KnownLine = KnownLine {
        steps: [None; LONGEST],
        draws: true,
    };

    /// The single moves that carry it out.
    pub fn moves(&self, table: &CardTable) -> Vec<Move> {
        let mut moves = moves_of(table, self.steps.into_iter().flatten());
        moves.extend(self.draws.then_some(Move::Draw));
        moves
    }
}

/// All lines found from a table on by looking at no more than `limit` positions, the shortest
/// first; a single one where a safe move turns a card. Face-down cards are not looked at, nor
/// those of the stock beyond the waste unless they are known.
pub(crate) fn lines(table: &CardTable, is_stock_known: bool, limit: usize) -> Vec<KnownLine> {
    // Room for what most walks meet: growing took a quarter of their time.
    let mut walk = TurnWalk::begin(table, is_stock_known, limit);
    while walk.go_on(limit) {}
    walk.lines
}

/// The first of the [`lines`] that is wanted: the walk ends where it is found.
pub(crate) fn first_line(
    table: &CardTable,
    is_stock_known: bool,
    limit: usize,
    is_wanted: impl Fn(&KnownLine) -> bool,
) -> Option<KnownLine> {
    let mut walk = TurnWalk::begin(table, is_stock_known, 0);
    loop {
        if let Some(line) = walk.lines.drain(..).find(&is_wanted) {
            return Some(line);
        }
        if !walk.go_on(limit) {
            return None;
        }
    }
}

const NO_PARENT: usize = usize::MAX;

/// The bases that can be turned over, by the two ways to do so.
#[derive(Clone, Copy, Default)]
struct Turns {
    founded: u64,
    freed: u64,
}

impl Turns {
    fn of(&mut self, kind: StepKind) -> &mut u64 {
        match kind {
            StepKind::Found => &mut self.founded,
            _ => &mut self.freed,
        }
    }
}

struct TurnWalk {
    world: SearchConstants,
    is_stock_known: bool,
    may_draw: bool,
    /// Each step taken, with the place of the one before it.
    tree: Vec<(SearchStep, usize)>,
    met: FxHashSet<u64>,
    /// Positions, settled, with the place of their last step and what could be turned before it.
    nodes: Vec<WalkNode>,
    /// The number of those that were looked at.
    looked_at: usize,
    /// The steps from the position that is looked at.
    steps: Vec<SearchStep>,
    lines: Vec<KnownLine>,
}

#[derive(Clone, Copy)]
struct WalkNode {
    state: State,
    slots: Slots,
    last: usize,
    before: Turns,
}

impl TurnWalk {
    /// A walk from a table on, with room for what one of so many positions meets.
    fn begin(table: &CardTable, is_stock_known: bool, limit: usize) -> TurnWalk {
        let mut walk = TurnWalk {
            world: SearchConstants::new(table),
            is_stock_known,
            may_draw: !is_stock_known && !table.stock().is_empty(),
            tree: Vec::with_capacity(4 * limit),
            met: FxHashSet::with_capacity_and_hasher(3 * limit, FxBuildHasher),
            nodes: Vec::with_capacity(2 * limit),
            looked_at: 0,
            steps: Vec::new(),
            lines: Vec::new(),
        };
        let root = State::new(&walk.world, table);
        walk.enter(root, NO_PARENT, Turns::default(), true);
        walk
    }

    /// Looks at the next position, if there is one and fewer than `limit` were looked at.
    fn go_on(&mut self, limit: usize) -> bool {
        let goes_on = self.looked_at < self.nodes.len().min(limit);
        if goes_on {
            self.look_at(self.looked_at);
            self.looked_at += 1;
        }
        goes_on
    }

    /// Settles a position and remembers it, if it is new.
    fn enter(&mut self, mut state: State, mut last: usize, before: Turns, drawable: bool) {
        let (world, known, tree) = (&self.world, self.is_stock_known, &mut self.tree);
        let is_last = |state: &State, step| {
            state.turns(world, step) || !known && !state.draws_nothing(world, step)
        };
        let tell = |step| {
            tree.push((step, last));
            last = tree.len() - 1;
        };
        let (slots, stop) = state.settle_before(world, is_last, tell);
        if !self.met.insert(state.entry()) {
            return;
        }
        if self.may_draw && drawable {
            self.tell(last, None);
        }
        match stop.filter(|&step| state.turns(&self.world, step)) {
            Some(step) => self.tell(last, Some(step)),
            None => self.nodes.push(WalkNode {
                state,
                slots,
                last,
                before,
            }),
        }
    }

    fn look_at(&mut self, index: usize) {
        let WalkNode {
            mut state,
            slots,
            last,
            before,
        } = self.nodes[index];
        state.look_through_stock(&self.world);
        let mut steps = std::mem::take(&mut self.steps);
        state.push_steps(&self.world, slots, &ORDER, Tried::ALL, |step| {
            steps.push(step)
        });
        let mut now = before;
        for &step in &steps {
            if state.turns(&self.world, step) {
                let turns = now.of(step.kind);
                let is_new = *turns & bit(step.card) == 0;
                *turns |= bit(step.card);
                if is_new {
                    self.tell(last, Some(step));
                }
            }
        }
        while let Some(step) = steps.pop() {
            let is_known = self.is_stock_known || state.draws_nothing(&self.world, step);
            if is_known && !state.turns(&self.world, step) {
                let mut next = state;
                next.take(&self.world, step);
                self.tree.push((step, last));
                let drawable = matches!(step.kind, StepKind::FoundStock | StepKind::LandStock);
                self.enter(next, self.tree.len() - 1, now, drawable);
            }
        }
        self.steps = steps;
    }

    /// Adds the line of the steps up to a place, with a last one or a draw.
    fn tell(&mut self, mut index: usize, turning: Option<SearchStep>) {
        let mut line = KnownLine {
            draws: turning.is_none(),
            ..KnownLine::DRAW
        };
        let mut steps: Vec<SearchStep> = turning.into_iter().collect();
        while let Some(&(step, before)) = self.tree.get(index) {
            steps.push(step);
            index = before;
        }
        if steps.len() <= LONGEST {
            let in_order = steps.into_iter().rev().map(Some);
            line.steps
                .iter_mut()
                .zip(in_order)
                .for_each(|(slot, step)| *slot = step);
            self.lines.push(line);
        }
    }
}
