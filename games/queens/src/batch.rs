//! Searches the rows of a board in batches: the next queen of many nodes of one row at once.
//!
//! The number of free fields of a node cannot be predicted, and a depth-first search spends most
//! of its time on mispredicted branches. Here the step of a batch is a loop without branches,
//! which compilers turn into vector instructions; nodes without a future are overwritten, not
//! jumped over. Full batches go down to the last row first, and the rest is swept up from the top,
//! so a level never holds more than two batches. Knows rows and their conditions, nothing of
//! symmetry.

/// The largest board: more queens have more solutions than 64 bits can count.
pub const MAX_N: usize = 28;

/// Nodes that take their next step together.
const BATCH: usize = 128;
const ROOM: usize = 2 * BATCH;
/// Above the columns of a board: where nodes are marked.
const MARKS: u32 = !full(MAX_N);

/// The columns of a board.
pub(crate) const fn full(n: usize) -> u32 {
    ((1u64 << n) - 1) as u32
}

/// The conditions of a row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowConditions {
    /// The columns it may hold.
    pub(crate) allowed: u32,
    /// Columns that must be held once it is filled.
    pub(crate) needed: u32,
    /// Columns whose queen is remarkable.
    pub(crate) remarkable: u32,
    /// The bit of [`RowConditions::MARKS`] by which a remarkable queen is known.
    pub(crate) mark: u32,
}

impl RowConditions {
    /// The marks there are.
    pub(crate) const MARKS: [u32; 3] = [1 << 29, 1 << 30, 1 << 31];

    #[inline(always)]
    fn mark_of(&self, queen: u32) -> u32 {
        if queen & self.remarkable == 0 {
            0
        } else {
            self.mark
        }
    }
}

/// The lines held by the queens above a row, as they meet it, and its fields not tried yet.
#[derive(Clone, Copy, Default)]
#[repr(align(16))]
struct RowNode {
    /// The columns and the marks.
    columns: u32,
    left: u32,
    right: u32,
    free: u32,
}

impl RowNode {
    /// Takes the lowest free field.
    #[inline(always)]
    fn take(&mut self) -> u32 {
        let queen = self.free & self.free.wrapping_neg();
        self.free ^= queen;
        queen
    }

    /// The fields of a row that no line holds, the lines being those that meet it.
    #[inline(always)]
    fn open(&self, allowed: u32) -> u32 {
        allowed & !(self.columns | self.left | self.right)
    }
}

/// The nodes of a row with fields left to try.
struct RowNodes {
    nodes: [RowNode; ROOM],
    len: usize,
}

impl RowNodes {
    /// Adds a node if it has a free field.
    #[inline(always)]
    fn add(&mut self, node: RowNode) {
        self.nodes[self.len % ROOM] = node;
        self.len += usize::from(node.free != 0);
    }

    /// Drops the nodes from `start` on that have no free field left.
    fn compact(&mut self, start: usize) {
        let end = std::mem::replace(&mut self.len, start);
        for at in start..end {
            self.add(self.nodes[at % ROOM]);
        }
    }
}

/// A search of the rows after the first.
pub(crate) struct RowSearch {
    rows: Vec<RowConditions>,
    levels: Vec<RowNodes>,
    /// Placements found, by the number of their marks.
    counts: [u64; 4],
}

impl RowSearch {
    /// The search of boards of `n` rows, 3 at least.
    pub(crate) fn new(n: usize) -> Self {
        let level = || RowNodes {
            nodes: [RowNode::default(); ROOM],
            len: 0,
        };
        Self {
            rows: Vec::new(),
            levels: (0..n).map(|_| level()).collect(),
            counts: [0; 4],
        }
    }

    /// The placements under the conditions of `rows` that have `first` on the first row, by the
    /// number of their marks.
    pub(crate) fn run(&mut self, rows: &[RowConditions], first: u32) -> [u64; 4] {
        self.rows = rows.to_vec();
        self.counts = [0; 4];
        let mut root = RowNode {
            columns: first,
            left: first << 1,
            right: first >> 1,
            free: 0,
        };
        root.free = root.open(rows[1].allowed);
        self.levels[1].add(root);
        for row in 1..rows.len() {
            self.sweep(row, 1);
        }
        self.counts
    }

    /// Steps from a row until fewer than `least` nodes are left there.
    fn sweep(&mut self, row: usize, least: usize) {
        while self.levels[row].len >= least {
            if row + 1 == self.rows.len() {
                self.count();
                return;
            }
            self.step(row);
            if self.levels[row + 1].len >= BATCH {
                self.sweep(row + 1, BATCH);
            }
        }
    }

    /// Places the next queen of the last nodes of a row, a batch at most.
    fn step(&mut self, row: usize) {
        let Ok([from, to]) = self.levels.get_disjoint_mut([row, row + 1]) else {
            return;
        };
        let start = from.len.saturating_sub(BATCH);
        let mut born = [RowNode::default(); BATCH];
        let rows = Conditions::new(&self.rows[row..]);
        if let Some(batch) = from.nodes[start..].first_chunk_mut() {
            rows.place(batch, &mut born);
        }
        for &node in &born[..from.len - start] {
            to.add(node);
        }
        from.compact(start);
    }

    /// Counts the nodes of the last row, each of which has one free field.
    fn count(&mut self) {
        let (Some(level), Some(row)) = (self.levels.last_mut(), self.rows.last()) else {
            return;
        };
        for node in &level.nodes[..level.len] {
            let marks = node.columns & MARKS | row.mark_of(node.free);
            self.counts[marks.count_ones() as usize] += 1;
        }
        level.len = 0;
    }
}

/// The conditions on a queen: those of its row, and of the two after it.
struct Conditions {
    here: RowConditions,
    next: u32,
    after: u32,
    /// A mask that is not 0 where there is no row after the next.
    beyond: u32,
}

impl Conditions {
    fn new(rows: &[RowConditions]) -> Self {
        Self {
            here: rows[0],
            next: rows[1].allowed,
            after: rows.get(2).map_or(0, |row| row.allowed),
            beyond: u32::from(rows.len() == 2),
        }
    }

    /// Places the next queen of each node. A node born without a future has no free field.
    fn place(&self, batch: &mut [RowNode; BATCH], born: &mut [RowNode; BATCH]) {
        for (node, born) in batch.iter_mut().zip(born) {
            let queen = node.take();
            *born = RowNode {
                columns: node.columns | queen | self.here.mark_of(queen),
                left: (node.left | queen) << 1,
                right: (node.right | queen) >> 1,
                free: 0,
            };
            let ahead = RowNode {
                left: born.left << 1,
                right: born.right >> 1,
                ..*born
            };
            let has_future = (ahead.open(self.after) | self.beyond != 0)
                & (self.here.needed & !born.columns == 0);
            born.free = if has_future { born.open(self.next) } else { 0 };
        }
    }
}
