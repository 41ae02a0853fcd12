//! Depth-first walks that take turns.
//!
//! Wins are found long after a wrong step early in a line, so many walks that branched off early
//! find one sooner than one walk alone. While one walk waits for the memory to tell which of its
//! children are new, another goes on. Only the order of positions depends on it.

use std::collections::VecDeque;

use super::open_position::OpenPosition;
use super::step::SearchStep;

/// Walks in the order of their turns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lanes {
    lanes: Vec<Lane>,
    /// The lanes in use; others keep their memory.
    count: usize,
    /// The lane whose turn it is.
    turn: usize,
    /// The lane that waits for the children of the position entered last.
    expecting: Option<usize>,
}

impl Lanes {
    /// Begins at a root, to which `path` and then its step lead, with all lanes but one idle.
    pub(crate) fn begin(&mut self, count: usize, root: OpenPosition, path: Vec<SearchStep>) {
        if self.lanes.len() < count {
            self.lanes.resize_with(count, Lane::default);
        }
        for lane in &mut self.lanes {
            lane.open.clear();
        }
        self.count = count;
        self.turn = 0;
        self.expecting = None;
        self.lanes[0].begin(root, path);
    }

    /// Takes the latest position of the next lane in turn that has one; a lane without takes the
    /// oldest of the fullest before. A lane that waits for children has no turn.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<OpenPosition> {
        for _ in 0..self.count {
            self.turn = self.next_turn();
            if self.expecting == Some(self.turn) {
                continue;
            }
            if self.lanes[self.turn].open.is_empty() {
                self.share();
            }
            if let Some(node) = self.lanes[self.turn].pop() {
                return Some(node);
            }
        }
        None
    }

    /// The position that is likely to be taken next.
    #[inline]
    pub(crate) fn next(&self) -> Option<&OpenPosition> {
        self.lanes[self.next_turn()].open.back()
    }

    #[inline]
    fn next_turn(&self) -> usize {
        if self.turn + 1 < self.count {
            self.turn + 1
        } else {
            0
        }
    }

    /// Gives the lane in turn the oldest position of the fullest, if that keeps another.
    #[cold]
    fn share(&mut self) {
        let mut fullest = 0;
        for (i, lane) in self.lanes[..self.count].iter().enumerate() {
            if lane.open.len() > self.lanes[fullest].open.len() {
                fullest = i;
            }
        }
        if self.lanes[fullest].open.len() > 1
            && let Some((node, path)) = self.lanes[fullest].take_oldest()
        {
            self.lanes[self.turn].begin(node, path);
        }
    }

    /// Makes the position that was taken last the end of its lane's path.
    #[inline]
    pub(crate) fn enter(&mut self, step: Option<SearchStep>) {
        let lane = &mut self.lanes[self.turn];
        lane.path.extend(step);
        lane.frames.push(lane.end());
    }

    /// Lets the lane in turn wait for the children of the position entered last.
    #[inline]
    pub(crate) fn expect(&mut self) {
        self.expecting = Some(self.turn);
    }

    /// Ends the wait of a lane, and returns where the children go; `None` if no lane waits.
    #[inline]
    pub(crate) fn expecting(&mut self) -> Option<&mut VecDeque<OpenPosition>> {
        let lane = self.expecting.take()?;
        Some(&mut self.lanes[lane].open)
    }

    /// The steps to the position entered last.
    pub(crate) fn path(&self) -> &Vec<SearchStep> {
        &self.lanes[self.turn].path
    }
}

/// A depth-first walk.
#[derive(Clone, Debug, Default)]
struct Lane {
    /// Positions to be looked at, the oldest first.
    open: VecDeque<OpenPosition>,
    /// The positions that other lanes took.
    taken: usize,
    /// The number of the first child of each position on the path, and of the one before them, among
    /// all positions, those taken included.
    frames: Vec<usize>,
    path: Vec<SearchStep>,
}

impl Lane {
    fn begin(&mut self, root: OpenPosition, path: Vec<SearchStep>) {
        self.open.push_back(root);
        self.taken = 0;
        self.frames.clear();
        self.frames.push(0);
        self.path = path;
    }

    /// The number that the next position gets.
    fn end(&self) -> usize {
        self.taken + self.open.len()
    }

    #[inline]
    fn pop(&mut self) -> Option<OpenPosition> {
        while self.frames.last() == Some(&self.end()) {
            self.frames.pop();
            self.path.pop();
        }
        self.open.pop_back()
    }

    /// Takes the oldest position, with the steps to its parent.
    fn take_oldest(&mut self) -> Option<(OpenPosition, Vec<SearchStep>)> {
        let older = self.frames.partition_point(|&first| first <= self.taken);
        let below = self.frames.len() - older;
        let path = self.path[..self.path.len().saturating_sub(below)].to_vec();
        let node = self.open.pop_front()?;
        self.taken += 1;
        Some((node, path))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::card::Card;
    use super::super::super::deal::Deal;
    use super::super::super::rules::{DeckShape, Rules};
    use super::super::super::table::CardTable;
    use super::super::seen::Seen;
    use super::super::step::StepKind;
    use super::super::world::SearchConstants;
    use super::*;

    fn node(number: u8) -> OpenPosition {
        let deck = DeckShape::new(1, 1, 4).unwrap();
        let table = CardTable::new(&Deal::read(deck, "AH 2H 3H 4H").unwrap(), Rules::DRAW_3);
        let mut seen = Seen::default();
        seen.clear(Default::default(), 1 << 20);
        let mut node = OpenPosition::root(&SearchConstants::new(&table), &seen, &table);
        node.step = Card::from_number(number).map(|card| SearchStep {
            kind: StepKind::Free,
            card,
            emptied: None,
        });
        node
    }

    /// A tree in which the step to the child `i` of a position is `i`: every position of depth
    /// four and less is met once, at the end of its own line.
    fn walk(count: usize) -> Vec<Vec<u8>> {
        let mut lanes = Lanes::default();
        let mut root = node(0);
        root.step = None;
        lanes.begin(count, root, Vec::new());
        let (mut met, mut children) = (Vec::new(), Vec::new());
        loop {
            let Some(next) = lanes.pop() else {
                match lanes.expecting() {
                    Some(open) => open.extend(std::mem::take(&mut children)),
                    None => return met,
                }
                continue;
            };
            lanes.enter(next.step);
            let path: Vec<u8> = lanes.path().iter().map(|step| step.card.number()).collect();
            assert_eq!(
                path.last().copied(),
                next.step.map(|step| step.card.number())
            );
            if let Some(open) = lanes.expecting() {
                open.extend(std::mem::take(&mut children));
            }
            if path.len() < 4 {
                children = (0..3).map(node).collect();
            }
            lanes.expect();
            met.push(path);
        }
    }

    #[test]
    fn walks_share_all_positions_and_know_their_lines() {
        let alone = walk(1);
        for count in [2, 3, 16] {
            let mut met = walk(count);
            assert_ne!(met, alone);
            met.sort();
            assert!(met.is_sorted_by(|one, next| one < next));
            assert_eq!(met.len(), 1 + 3 + 9 + 27 + 81);
        }
    }
}
