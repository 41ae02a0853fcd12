//! Depth-first search of all positions, after short attempts in several orders.

use super::super::rules::Rules;
use super::super::table::{CardTable, Move};
use super::line::single_moves;
use super::seen::{Met, Seen};
use super::state::{Slots, State};
use super::step::{Step, StepKind};
use super::world::SearchConstants;
use lab::search::{Budget, Meter, Verdict};

/// The memory of the table where passes are limited, in bytes.
const LIMITED_MEMORY: u64 = 128 << 20;
/// The same where they are not.
const UNLIMITED_MEMORY: u64 = 512 << 20;

/// The orders in which steps are tried, each with the nodes it may take: many wins come early in
/// one order or another. The last goes to the end.
const ATTEMPTS: [([StepKind; 5], u64); 4] = [
    (
        [
            StepKind::Free,
            StepKind::Found,
            StepKind::FoundStock,
            StepKind::LandStock,
            StepKind::Back,
        ],
        400,
    ),
    (
        [
            StepKind::LandStock,
            StepKind::Free,
            StepKind::FoundStock,
            StepKind::Found,
            StepKind::Back,
        ],
        400,
    ),
    (
        [
            StepKind::Found,
            StepKind::FoundStock,
            StepKind::Free,
            StepKind::LandStock,
            StepKind::Back,
        ],
        400,
    ),
    (
        [
            StepKind::Free,
            StepKind::Found,
            StepKind::FoundStock,
            StepKind::LandStock,
            StepKind::Back,
        ],
        u64::MAX,
    ),
];

/// What the search found out about a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSolution {
    /// The largest number of cards on the foundations at one moment, from this table on.
    pub foundation: Verdict<u8>,
    /// The number of cards in play: a foundation of so many is a win.
    pub cards: u8,
    /// Positions looked at, all attempts together.
    pub nodes: u64,
    /// Distinct positions of the last attempt.
    pub positions: u64,
    /// The steps that reach the lower bound.
    steps: Vec<Step>,
}

impl TableSolution {
    /// Whether the table can be won; `None` where the budget did not suffice to tell.
    pub fn is_win(&self) -> Option<bool> {
        match self.foundation {
            Verdict::Proved(count) => Some(count == self.cards),
            Verdict::Bounds { .. } => None,
        }
    }

    /// The single moves, from the table that was solved, that reach the lower bound.
    pub fn line(&self, table: &CardTable) -> Vec<Move> {
        single_moves(table, &self.steps)
    }
}

/// A search with its memory, to be used for many tables.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    memory: Option<u64>,
    seen: Seen,
    open: Vec<OpenPosition>,
    /// The children of the position looked at.
    children: Vec<OpenPosition>,
    /// For each position on the path, where its children begin in `open`.
    frames: Vec<usize>,
    path: Vec<Step>,
}

/// A position to be looked at, and the step that leads to it.
#[derive(Clone, Copy, Debug)]
struct OpenPosition {
    state: State,
    slots: Slots,
    step: Option<Step>,
    /// Its hash in the table of positions.
    hash: u64,
    /// What the table held where the search for the hash begins.
    first: u64,
}

impl OpenPosition {
    fn root(world: &SearchConstants, table: &CardTable) -> OpenPosition {
        let mut state = State::new(world, table);
        let slots = state.settle(world, |_| ());
        OpenPosition {
            state,
            slots,
            step: None,
            hash: 0,
            first: 0,
        }
    }
}

/// The best found so far and what it cost.
struct BestFound {
    founded: u8,
    steps: Vec<Step>,
    meter: Meter,
}

/// How an attempt ended.
#[derive(PartialEq, Eq)]
enum End {
    Won,
    /// Everything reachable was looked at.
    Walked,
    /// The nodes or the memory ran out.
    Stopped,
}

impl Solver {
    /// The bytes that the table of positions may take under some rules.
    pub fn memory(rules: Rules) -> u64 {
        match rules.passes {
            Some(_) => LIMITED_MEMORY,
            None => UNLIMITED_MEMORY,
        }
    }

    /// A search whose table of positions takes at most `memory` bytes, instead of
    /// [`memory`](Self::memory); tables that need more stay unresolved.
    pub fn with_memory(memory: u64) -> Solver {
        Solver {
            memory: Some(memory),
            ..Solver::default()
        }
    }

    /// Solves a table at any moment of a game, looking at no more than `budget` positions.
    pub fn solve(&mut self, table: &CardTable, budget: Budget) -> TableSolution {
        let world = SearchConstants::new(table);
        let root = OpenPosition::root(&world, table);
        let mut record = BestFound {
            founded: 0,
            steps: Vec::new(),
            meter: budget.meter(),
        };
        let mut end = End::Stopped;
        for (order, nodes) in &ATTEMPTS {
            end = self.attempt(&world, root, order, *nodes, &mut record);
            if end != End::Stopped {
                break;
            }
        }
        let upper = match end {
            End::Stopped => world.cards,
            _ => record.founded,
        };
        TableSolution {
            foundation: Verdict::from_bounds(record.founded, upper),
            cards: world.cards,
            nodes: record.meter.spent(),
            positions: self.seen.len() as u64,
            steps: record.steps,
        }
    }

    fn attempt(
        &mut self,
        world: &SearchConstants,
        root: OpenPosition,
        order: &[StepKind; 5],
        nodes: u64,
        record: &mut BestFound,
    ) -> End {
        // With one card drawn at a time an earlier waste reaches every later one.
        let key_bits = if world.rules.draw == 1 { 55 } else { 60 };
        let memory = self.memory.unwrap_or_else(|| Solver::memory(world.rules));
        self.seen.clear(key_bits, memory);
        self.open.clear();
        self.frames.clear();
        self.path.clear();
        self.open.push(OpenPosition {
            hash: self.seen.hash(root.state.entry()),
            ..root
        });
        self.frames.push(0);
        let end = record.meter.spent().saturating_add(nodes);
        while let Some(&first) = self.frames.last() {
            if self.open.len() == first {
                self.frames.pop();
                self.path.pop();
                continue;
            }
            let Some(mut node) = self.open.pop() else {
                break;
            };
            match self.seen.insert(node.hash, node.state.entry()) {
                Met::Before => continue,
                Met::New if record.meter.spent() < end && record.meter.spend() => (),
                _ => return End::Stopped,
            }
            self.path.extend(node.step);
            self.note(&node, record);
            if record.founded == world.cards {
                return End::Won;
            }
            self.expand(world, &mut node, order);
        }
        End::Walked
    }

    fn note(&self, node: &OpenPosition, record: &mut BestFound) {
        if node.state.count > record.founded {
            record.founded = node.state.count;
            record.steps.clone_from(&self.path);
        }
    }

    /// Opens the children of a position that are new. All of them are made before the table is
    /// asked for any, so that the memory is asked for all at the same time.
    #[inline]
    fn expand(&mut self, world: &SearchConstants, node: &mut OpenPosition, order: &[StepKind; 5]) {
        self.frames.push(self.open.len());
        self.make_children(world, node, order);
        for child in &mut self.children {
            child.first = self.seen.first(child.hash);
        }
        for child in &self.children {
            let entry = child.state.entry();
            if !self.seen.has(child.first, child.hash, entry) {
                self.open.push(*child);
            }
        }
    }

    #[inline]
    fn make_children(
        &mut self,
        world: &SearchConstants,
        node: &mut OpenPosition,
        order: &[StepKind; 5],
    ) {
        node.state.look_through_stock(world);
        let (seen, children) = (&self.seen, &mut self.children);
        children.clear();
        node.state.push_steps(world, node.slots, order, |step| {
            // A child is made where it will lie: to copy it at once after changing it is slow.
            children.push(*node);
            if let Some(child) = children.last_mut() {
                child.step = Some(step);
                child.state.take(world, step);
                child.slots = child.state.settle(world, |_| ());
                child.hash = seen.hash(child.state.entry());
            }
        });
    }
}
