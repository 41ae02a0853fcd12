//! The search of all positions.
//!
//! Where passes are limited it begins best first, which finds most wins, and goes on depth first
//! from every position left over. Without limit short attempts in several orders come first, then
//! many depth-first walks in turn.

use super::super::card::{Card, DECK};
use super::super::rules::Rules;
use super::super::table::{CardTable, Move};
use super::frontier::Frontier;
use super::lane::Lanes;
use super::line::single_moves;
use super::open_position::OpenPosition;
use super::relaxation::Relaxation;
use super::seen::{ANY, Met, Seen, StockOrder};
use super::step::{SearchStep, StepKind};
use super::world::SearchConstants;
use kit::search::{Budget, Meter, Verdict};

/// The memory of the table where passes are limited, in bytes.
const LIMITED_MEMORY: u64 = 128 << 20;
/// The memory of the tables where passes are not limited, in bytes.
const UNLIMITED_MEMORY: u64 = 512 << 20;

/// The positions that are looked at best first where passes are limited.
const BEST_FIRST: u64 = 16_000;
/// The walks that take turns where passes are limited: enough for one to wait for the memory.
const LIMITED_LANES: usize = 2;
/// The order in which steps are tried.
pub(super) const ORDER: [StepKind; 5] = [
    StepKind::Free,
    StepKind::Found,
    StepKind::FoundStock,
    StepKind::LandStock,
    StepKind::Back,
];

/// A short search without limit of passes.
struct Attempt {
    /// The order in which steps are tried.
    order: [StepKind; 5],
    /// The positions that it may look at.
    nodes: u64,
}

/// The short attempts without limit of passes: many wins come early in one order or another.
const SHORT: [Attempt; 3] = [
    Attempt {
        order: ORDER,
        nodes: 400,
    },
    Attempt {
        order: [
            StepKind::LandStock,
            StepKind::Free,
            StepKind::FoundStock,
            StepKind::Found,
            StepKind::Back,
        ],
        nodes: 400,
    },
    Attempt {
        order: [
            StepKind::Found,
            StepKind::FoundStock,
            StepKind::Free,
            StepKind::LandStock,
            StepKind::Back,
        ],
        nodes: 400,
    },
];

/// The attempt along a known line.
const GUIDED: Attempt = Attempt {
    order: ORDER,
    nodes: 200,
};

/// The walks that take turns in the attempt that goes to the end, where passes are not limited.
const LANES: usize = 16;

/// The positions of the last attempt that are looked at before the game that draws one is asked: most wins
/// need no more.
const ALONE: u64 = 8_000;

/// The result of a search of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSolution {
    /// The largest number of cards on the foundations at one moment, from this table on.
    pub foundation: Verdict<u8>,
    /// The number of cards in play: a foundation of so many is a win.
    pub(crate) cards: u8,
    /// Positions looked at, all attempts together.
    pub nodes: u64,
    /// Distinct positions of the last attempt.
    pub positions: u64,
    /// Positions left out because drawing one card at a time leads from them to nothing better.
    pub(crate) hopeless: u64,
    /// The steps that reach the lower bound.
    steps: Vec<SearchStep>,
}

impl TableSolution {
    /// Returns whether the table can be won; `None` if the budget did not suffice to tell.
    pub fn is_win(&self) -> Option<bool> {
        match self.foundation {
            Verdict::Proved(count) => Some(count == self.cards),
            Verdict::Bounds { upper, .. } if upper < self.cards => Some(false),
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
    /// The positions looked at before the search that goes to the end, best first or in each short
    /// attempt, where not as many as usual.
    pub(super) quick: Option<u64>,
    seen: Seen,
    frontier: Frontier,
    /// Positions to be looked at depth first.
    lanes: Lanes,
    /// The children of the position looked at.
    children: Vec<OpenPosition>,
    /// The children of the one before it, of which the table is asked which are new.
    asked: Vec<OpenPosition>,
    /// The steps that are tried first.
    guide: Option<Guide>,
    /// The positions of the last attempt before the game that draws one is asked, where not as many as usual.
    pub(super) alone: Option<u64>,
    /// The search of the same table drawing one.
    relaxed: Option<Box<Solver>>,
}

/// The places of cards in a known line.
#[derive(Clone, Debug)]
struct Guide {
    /// The latest place of each card for each kind of step, counted from the end, modulo 256: few lines
    /// are so long, and the results of players rest on this order.
    urgencies: [[u8; DECK]; 5],
}

impl Guide {
    fn new(steps: &[SearchStep]) -> Guide {
        let mut urgencies = [[0; DECK]; 5];
        let places = (0..=u8::MAX).cycle().skip(1);
        for (step, urgency) in steps.iter().rev().zip(places) {
            urgencies[step.kind as usize][usize::from(step.card.number())] = urgency;
        }
        Guide { urgencies }
    }

    /// The larger, the sooner the step is tried; 0 for a step that the line has not.
    fn urgency(&self, step: Option<SearchStep>) -> u8 {
        step.map_or(0, |step| {
            self.urgencies[step.kind as usize][usize::from(step.card.number())]
        })
    }
}

/// The best found so far and what it cost.
struct BestFound {
    founded: u8,
    /// The number of cards on the foundations that are not surpassed.
    most: u8,
    /// The number of cards on the foundations up to which counts need not be told apart.
    floor: u8,
    /// The positions left out as hopeless.
    hopeless: u64,
    /// The number of cards on the foundations that none of them leads beyond.
    hopeless_most: u8,
    steps: Vec<SearchStep>,
    meter: Meter,
    /// The upper bound of the meter in the present attempt.
    end: u64,
    /// The reading of the meter at which a walk pauses.
    pause: u64,
}

impl BestFound {
    /// Returns whether a position has more cards on its foundations than the record, and updates
    /// the record.
    #[inline]
    fn is_beaten_by(&mut self, node: &OpenPosition) -> bool {
        let is_beaten = node.state.count > self.founded;
        self.founded = self.founded.max(node.state.count);
        is_beaten
    }

    /// The number of cards on the foundations that a position must lead beyond to be of interest.
    #[inline]
    fn to_surpass(&self) -> u8 {
        self.founded.max(self.floor)
    }

    /// Returns whether nothing of interest is left to be found.
    #[inline]
    fn is_answered(&self) -> bool {
        self.to_surpass() >= self.most
    }

    /// The number of cards on the foundations that are not surpassed, given how the search ended.
    fn upper(&self, end: &End) -> u8 {
        match end {
            End::Answered | End::Stopped | End::Paused => self.most.max(self.founded),
            End::Walked => self.founded.max(self.hopeless_most).min(self.most),
        }
    }

    /// Returns whether the present attempt goes to the end.
    #[inline]
    fn is_last(&self) -> bool {
        self.end == u64::MAX
    }
}

/// The end of an attempt.
#[derive(PartialEq, Eq)]
enum End {
    /// Nothing of interest is left to be found.
    Answered,
    /// All reachable positions were looked at but hopeless ones.
    Walked,
    /// The nodes or the memory ran out.
    Stopped,
    /// The positions to be looked at before a pause were looked at.
    Paused,
}

impl Solver {
    /// The bytes that the tables of positions may take under some rules.
    pub(crate) fn memory(rules: Rules) -> u64 {
        match rules.passes {
            Some(_) => LIMITED_MEMORY,
            None => UNLIMITED_MEMORY,
        }
    }

    /// A search whose tables of positions take at most `memory` bytes, instead of
    /// `memory`; tables that need more stay unresolved.
    pub fn with_memory(memory: u64) -> Solver {
        Solver {
            memory: Some(memory),
            ..Solver::default()
        }
    }

    /// Solves a table at any moment of a game, looking at no more than `budget` positions.
    pub fn solve(&mut self, table: &CardTable, budget: Budget) -> TableSolution {
        self.search(&SearchConstants::new(table), table, 0, budget)
    }

    /// Like [`solve`](Self::solve), but asks only whether the table can be won: of a lost one the
    /// count is bounded.
    pub fn decide(&mut self, table: &CardTable, budget: Budget) -> TableSolution {
        let world = SearchConstants::new(table);
        self.search(&world, table, world.cards - 1, budget)
    }

    /// Like [`solve`](Self::solve), but the first face-down card to be turned must be the one
    /// under `base`, unless a safe move turns another before it.
    pub(crate) fn solve_beginning_under(
        &mut self,
        base: Card,
        table: &CardTable,
        budget: Budget,
    ) -> TableSolution {
        let mut world = SearchConstants::new(table);
        world.begin_under(base);
        self.search(&world, table, 0, budget)
    }

    /// Like [`solve`](Self::solve), but where passes are not limited the steps of a solution of a
    /// table much like this one are tried first.
    pub(crate) fn solve_along(
        &mut self,
        guide: &TableSolution,
        table: &CardTable,
        budget: Budget,
    ) -> TableSolution {
        self.guide = Some(Guide::new(&guide.steps));
        let solution = self.solve(table, budget);
        self.guide = None;
        solution
    }

    fn search(
        &mut self,
        world: &SearchConstants,
        table: &CardTable,
        floor: u8,
        budget: Budget,
    ) -> TableSolution {
        self.forget(world);
        let root = OpenPosition::root(world, &self.seen, table);
        let mut record = BestFound {
            founded: 0,
            most: world.cards,
            floor,
            hopeless: 0,
            hopeless_most: 0,
            steps: Vec::new(),
            meter: budget.meter(),
            end: u64::MAX,
            pause: u64::MAX,
        };
        let end = match world.rules.passes {
            Some(_) => self.best_first(world, root, &mut record),
            None => self.attempts(world, table, root, &mut record),
        };
        TableSolution {
            foundation: Verdict::from_bounds(record.founded, record.upper(&end)),
            cards: world.cards,
            nodes: record.meter.spent(),
            positions: self.seen.len() as u64,
            hopeless: record.hopeless,
            steps: record.steps,
        }
    }

    fn attempts(
        &mut self,
        world: &SearchConstants,
        table: &CardTable,
        root: OpenPosition,
        record: &mut BestFound,
    ) -> End {
        let guided = self.guide.is_some().then_some(&GUIDED);
        for attempt in guided.into_iter().chain(&SHORT) {
            self.forget(world);
            self.begin(1, root, Vec::new());
            let nodes = self.quick.unwrap_or(attempt.nodes);
            record.end = record.meter.spent().saturating_add(nodes);
            match self.depth_first(world, &attempt.order, record, &mut None) {
                End::Stopped => self.guide = None,
                end => return end,
            }
        }
        self.forget(world);
        self.begin(LANES, root, Vec::new());
        record.end = u64::MAX;
        if world.rules.draw == 1 {
            return self.depth_first(world, &ORDER, record, &mut None);
        }
        let alone = self.alone.unwrap_or(ALONE);
        record.pause = record.meter.spent().saturating_add(alone);
        match self.depth_first(world, &ORDER, record, &mut None) {
            End::Paused => (),
            end => return end,
        }
        record.pause = u64::MAX;
        self.bound_drawing_one(world, table, record);
        let memory = self.all_memory(world.rules) / 32;
        let mut relaxation = Some(Relaxation::new(world, memory));
        self.depth_first(world, &ORDER, record, &mut relaxation)
    }

    /// Bounds the count by that of the game that draws one card at a time.
    fn bound_drawing_one(
        &mut self,
        world: &SearchConstants,
        table: &CardTable,
        record: &mut BestFound,
    ) {
        let memory = self.all_memory(world.rules) / 32;
        let mut solver = self.relaxed.take().unwrap_or_default();
        solver.memory = Some(memory);
        let budget = record.meter.rest();
        let solved = solver.search(&world.drawing_one(), table, record.floor, budget);
        record.meter.spend_many(solved.nodes);
        record.most = solved.foundation.upper();
        self.relaxed = Some(solver);
    }

    /// Begins to walk from a root, to which `path` and then its step lead.
    fn begin(&mut self, lanes: usize, root: OpenPosition, path: Vec<SearchStep>) {
        self.asked.clear();
        self.lanes.begin(lanes, root, path);
    }

    fn forget(&mut self, world: &SearchConstants) {
        let order = match (world.rules.draw, world.rules.passes) {
            (1, _) => StockOrder::PassesAndWaste,
            (draw @ 2..=3, None) => StockOrder::Remainders(draw),
            _ => StockOrder::Passes,
        };
        let all = self.all_memory(world.rules);
        let is_relaxed = world.rules.draw > 1 && world.rules.passes.is_none();
        self.seen
            .clear(order, if is_relaxed { all / 16 * 15 } else { all });
    }

    /// The bytes that all tables may take. Where the game that draws one is asked, a 32nd is for its
    /// search and another for its answers.
    fn all_memory(&self, rules: Rules) -> u64 {
        self.memory.unwrap_or_else(|| Solver::memory(rules))
    }

    /// Looks at the most promising positions first, and after some thousands of them at all that
    /// each of the others leads to.
    fn best_first(
        &mut self,
        world: &SearchConstants,
        root: OpenPosition,
        record: &mut BestFound,
    ) -> End {
        let most = self.quick.unwrap_or(BEST_FIRST);
        self.frontier.begin(root);
        while let Some((mut node, parent)) = self.frontier.pop() {
            if record.meter.spent() >= most {
                match self.all_below(world, node, parent, record) {
                    End::Walked => continue,
                    end => return end,
                }
            }
            match self.look_at(&node, record) {
                Met::Before => continue,
                Met::Full => return End::Stopped,
                Met::New | Met::Again { .. } => (),
            }
            let index = self.frontier.enter(&node, parent);
            if record.is_beaten_by(&node) {
                record.steps = self.frontier.steps(index);
            }
            if record.is_answered() {
                return End::Answered;
            }
            node.make_children(world, &self.seen, &ORDER, None, &mut self.children);
            for child in &self.children {
                if child.is_new(&self.seen) {
                    self.frontier.push(*child, index);
                }
            }
        }
        End::Walked
    }

    /// Looks at all positions that one of the frontier leads to, unless it was met meanwhile.
    fn all_below(
        &mut self,
        world: &SearchConstants,
        node: OpenPosition,
        parent: usize,
        record: &mut BestFound,
    ) -> End {
        if !node.is_new(&self.seen) {
            return End::Walked;
        }
        let path = self.frontier.steps(parent);
        self.begin(LIMITED_LANES, node, path);
        self.depth_first(world, &ORDER, record, &mut None)
    }

    /// Looks at all positions that those in the lanes lead to, but for those that a relaxation calls
    /// hopeless.
    fn depth_first(
        &mut self,
        world: &SearchConstants,
        order: &[StepKind; 5],
        record: &mut BestFound,
        relaxation: &mut Option<Relaxation>,
    ) -> End {
        while record.meter.spent() < record.pause {
            let Some(mut node) = self.next_in_turn() else {
                return End::Walked;
            };
            if let Some(relaxation) = relaxation.as_mut().filter(|_| node.has_turned) {
                let most = record.to_surpass();
                if relaxation.is_hopeless(&node.state, most, &mut record.meter) {
                    record.hopeless += 1;
                    record.hopeless_most = most;
                    continue;
                }
            }
            let sizes = match self.look_at(&node, record) {
                Met::Before => continue,
                Met::Full => return End::Stopped,
                Met::New => ANY,
                Met::Again { sizes } => sizes,
            };
            let sizes = Some(sizes).filter(|_| record.is_last());
            self.lanes.enter(node.step);
            if record.is_beaten_by(&node) {
                record.steps.clone_from(self.lanes.path());
            }
            if record.is_answered() {
                return End::Answered;
            }
            node.make_children(world, &self.seen, order, sizes, &mut self.children);
            if let Some(guide) = &self.guide {
                self.children.sort_by_key(|child| guide.urgency(child.step));
            }
            self.admit();
            std::mem::swap(&mut self.children, &mut self.asked);
            self.lanes.expect();
        }
        End::Paused
    }

    /// Takes the next position to be looked at, and asks for the entry of the one after it.
    #[inline]
    fn next_in_turn(&mut self) -> Option<OpenPosition> {
        let node = match self.lanes.pop() {
            Some(node) => node,
            None => self.admit().then(|| self.lanes.pop())??,
        };
        if let Some(next) = self.lanes.next() {
            self.seen.ask_for(next.hash);
        }
        Some(node)
    }

    /// Gives the lane that waits those of its children that are new; false if no lane waits.
    ///
    /// The table was asked for them when they were made, another position was looked at since, and
    /// the memory has answered.
    #[inline]
    fn admit(&mut self) -> bool {
        let Some(open) = self.lanes.expecting() else {
            return false;
        };
        for child in &self.asked {
            if child.is_new(&self.seen) {
                open.push_back(*child);
            }
        }
        true
    }

    /// Counts and remembers a position that is new.
    #[inline]
    fn look_at(&mut self, node: &OpenPosition, record: &mut BestFound) -> Met {
        match self.seen.insert(node.hash, node.state.entry()) {
            Met::Before => Met::Before,
            Met::Full => Met::Full,
            met if record.meter.spent() < record.end && record.meter.spend() => met,
            _ => Met::Full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line moves cards to and fro as long as positions are new.
    #[test]
    fn a_line_of_more_than_255_steps_is_a_guide_too() {
        let step = |number: u8| SearchStep {
            kind: StepKind::Free,
            card: Card::from_number(number).unwrap(),
            emptied: None,
        };
        let steps: Vec<SearchStep> = (0..=255).chain(0..100).map(|n| step(n % 50)).collect();
        let guide = Guide::new(&steps);
        assert_eq!(guide.urgency(Some(step(0))), 100);
        assert_eq!(guide.urgency(Some(step(49))), 51);
        assert_eq!(guide.urgency(Some(step(50))), 0);
        assert_eq!(guide.urgency(None), 0);
    }
}
