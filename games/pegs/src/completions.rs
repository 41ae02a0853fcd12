//! Fewest moves and exact counts, by backward dynamic programming over the solution graph.
//!
//! The cost of the rest of a solution depends on the position and on the hole in which the last
//! jump landed, because continuing with that peg is not a new move. It is either `least`, the
//! smallest number of further moves over all jumps, or one more. One number and one bit for each
//! hole therefore suffice. Bellman 1957.

use super::board::{Jump, Position};
use super::engine::{Child, JumpEngine};
use super::table::{PositionMap, Positions};

/// The ends of a problem's solutions, from every position on one.
pub(crate) struct Completions<'a, const G: usize> {
    engine: &'a JumpEngine<G>,
    /// Tables from level 0, the start, to the end.
    levels: Vec<PositionMap<CompletionTail>>,
    /// The number of all jump sequences that solve it.
    pub(crate) solutions: u128,
    /// The completions with the fewest moves.
    pub(crate) fewest: u128,
}

/// The completions of one position.
#[derive(Clone, Copy, Default)]
struct CompletionTail {
    /// Moves after a first jump that begins no new move, at best.
    least: u8,
    /// The index of its counts.
    index: u32,
    /// The holes from which such a best jump starts.
    best: Position,
}

/// The numbers of completions of one position.
#[derive(Clone, Copy)]
struct CompletionCounts {
    /// The number of solutions of all lengths.
    all: u128,
    /// The number with the fewest moves, the last landing being in none of the holes listed apart.
    elsewhere: u128,
    /// The first of its entries in `at_holes`, and how many there are.
    first: u32,
    entries: u8,
}

/// The counts of one level.
#[derive(Default)]
struct LevelCounts {
    by_start: Vec<CompletionCounts>,
    /// Completions with the fewest moves, the last landing being in this hole.
    at_holes: Vec<(u8, u128)>,
}

/// A jump along a solution, seen from the position it leaves.
struct Edge {
    from: u8,
    moves: u8,
    all: u128,
    fewest: u128,
}

impl CompletionTail {
    /// The fewest further moves when the last jump landed in `hole`.
    fn moves(&self, hole: u8) -> u8 {
        self.least + u8::from(self.best >> hole & 1 == 0)
    }
}

impl LevelCounts {
    fn fewest(&self, tail: &CompletionTail, hole: u8) -> u128 {
        let counts = &self.by_start[tail.index as usize];
        let first = counts.first as usize;
        let entries = &self.at_holes[first..first + usize::from(counts.entries)];
        let apart = entries.iter().find(|&&(at, _)| at == hole);
        apart.map_or(counts.elsewhere, |&(_, count)| count)
    }
}

impl<'a, const G: usize> Completions<'a, G> {
    /// Works back from the last level, which holds the end alone.
    pub(crate) fn new(engine: &'a JumpEngine<G>, mut graph: Vec<Positions>) -> Self {
        let mut levels = Vec::with_capacity(graph.len());
        let mut counts = LevelCounts::default();
        if let Some(last) = graph.pop() {
            levels.push(end_level(&last, &mut counts));
        }
        let mut edges = Vec::new();
        while let (Some(positions), Some(next)) = (graph.pop(), levels.last()) {
            let mut level = PositionMap::sized(positions.len());
            let mut level_counts = LevelCounts::default();
            for position in positions.positions() {
                edges.clear();
                engine.children(position, |child| edges.extend(edge(child, next, &counts)));
                *level.entry(position) = level_counts.add(&edges);
            }
            levels.push(level);
            counts = level_counts;
        }
        levels.reverse();
        let start = counts.by_start.first();
        Self {
            engine,
            levels,
            solutions: start.map_or(0, |counts| counts.all),
            fewest: start.map_or(0, |counts| counts.elsewhere),
        }
    }

    /// A solution with the fewest moves: of the best jumps, always the first.
    pub(crate) fn example(&self, start: Position) -> Vec<Jump> {
        let mut jumps: Vec<Jump> = Vec::new();
        let mut position = start;
        for next in self.levels.iter().skip(1) {
            let last = jumps.last().map(|jump| jump.to);
            let best = self.engine.board().jumps(position).filter_map(|jump| {
                let after = position ^ jump.mask();
                let (after, hole) = self.engine.canonical_with_hole(after, jump.to);
                let further = next.get(after)?.moves(hole);
                Some((further + u8::from(last != Some(jump.from)), jump))
            });
            let Some((_, jump)) = best.min_by_key(|&(moves, _)| moves) else {
                break;
            };
            position ^= jump.mask();
            jumps.push(jump);
        }
        jumps
    }
}

fn end_level(end: &Positions, counts: &mut LevelCounts) -> PositionMap<CompletionTail> {
    let mut level = PositionMap::new();
    for position in end.positions() {
        *level.entry(position) = CompletionTail {
            least: 0,
            index: counts.by_start.len() as u32,
            best: Position::MAX,
        };
        counts.by_start.push(CompletionCounts {
            all: 1,
            elsewhere: 1,
            first: 0,
            entries: 0,
        });
    }
    level
}

fn edge(child: Child, next: &PositionMap<CompletionTail>, counts: &LevelCounts) -> Option<Edge> {
    let tail = next.get(child.position)?;
    Some(Edge {
        from: child.from,
        moves: tail.moves(child.landing),
        all: counts.by_start[tail.index as usize].all,
        fewest: counts.fewest(tail, child.landing),
    })
}

impl LevelCounts {
    /// Adds a position by the jumps that leave it along solutions; there is at least one.
    fn add(&mut self, edges: &[Edge]) -> CompletionTail {
        let least = edges.iter().map(|edge| edge.moves).min().unwrap_or(0);
        let best_jumps = || edges.iter().filter(|edge| edge.moves == least);
        let best = best_jumps().fold(0, |holes, edge| holes | 1 << edge.from);
        let elsewhere = best_jumps().map(|edge| edge.fewest).sum();
        let first = self.at_holes.len();
        for (i, edge) in edges.iter().enumerate() {
            if edges[..i].iter().all(|before| before.from != edge.from) {
                self.add_hole(edges, edge.from, (least, best, elsewhere));
            }
        }
        self.by_start.push(CompletionCounts {
            all: edges.iter().map(|edge| edge.all).sum(),
            elsewhere,
            first: first as u32,
            entries: (self.at_holes.len() - first) as u8,
        });
        CompletionTail {
            least,
            index: self.by_start.len() as u32 - 1,
            best,
        }
    }

    /// The tails after landing in `hole`: going on with its peg costs no move, so if it has a
    /// best jump only such count; otherwise its jumps one move longer count with all best jumps.
    fn add_hole(&mut self, edges: &[Edge], hole: u8, found: (u8, Position, u128)) {
        let (least, best, elsewhere) = found;
        let of_hole = |moves: u8| -> u128 {
            let jumps = edges.iter().filter(|e| e.from == hole && e.moves == moves);
            jumps.map(|edge| edge.fewest).sum()
        };
        let count = if best >> hole & 1 == 1 {
            of_hole(least)
        } else {
            elsewhere + of_hole(least + 1)
        };
        self.at_holes.push((hole, count));
    }
}
