//! A step of exact search: all positions one jump before or after a set of positions.
//!
//! Positions are stored up to the `G` symmetries that keep the start and the end, each class by
//! its smallest member. Every count stays exact because those symmetries map solutions to
//! solutions. Knows nothing of the goal of the search.

use super::board::{Jump, JumpDirection, PegBoard, Position, bits};
use super::symmetry::{Symmetry, images};
use super::table::{Gather, Positions};

/// The growth from one level to the next, about.
const GROWTH: usize = 3;

/// A board's jumps with their images under a group of `G` symmetries.
pub(crate) struct JumpEngine<const G: usize> {
    board: PegBoard,
    symmetries: [Symmetry; G],
    ways: Vec<Way<G>>,
}

struct Way<const G: usize> {
    direction: JumpDirection,
    jumps: Vec<JumpImages<G>>,
}

/// A jump's images: the bits it changes and the hole it lands in.
#[derive(Clone, Copy)]
struct JumpImages<const G: usize> {
    masks: [Position; G],
    landings: [u8; G],
}

/// A position after a jump, held canonically.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    /// The smallest image of the position.
    pub(crate) position: Position,
    /// The hole the peg left, in the parent's frame.
    pub(crate) from: u8,
    /// The hole it landed in, in the child's frame.
    pub(crate) landing: u8,
}

/// The direction of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepDirection {
    /// The step to positions one jump later.
    Jump,
    /// The step to positions one jump earlier.
    Unjump,
}

impl<const G: usize> JumpEngine<G> {
    /// The engine of a board under a group that keeps it; the group has the identity first.
    pub(crate) fn new(board: &PegBoard, symmetries: [Symmetry; G]) -> Self {
        let way = |&direction: &JumpDirection| Way {
            direction,
            jumps: (0..64)
                .map(|from| JumpImages::new(direction.jump(from), &symmetries))
                .collect(),
        };
        Self {
            board: board.clone(),
            symmetries,
            ways: board.directions().iter().map(way).collect(),
        }
    }

    /// The board.
    pub(crate) fn board(&self) -> &PegBoard {
        &self.board
    }

    /// The smallest image of a position.
    pub(crate) fn canonical(&self, position: Position) -> Position {
        smallest(self.images(position)).0
    }

    /// The smallest image of a position and, in that image, of a hole.
    pub(crate) fn canonical_with_hole(&self, position: Position, hole: u8) -> (Position, u8) {
        let (smallest, which) = smallest(self.images(position));
        (smallest, self.symmetries[which].hole(hole))
    }

    /// Returns the number of positions in the class of a position.
    pub(crate) fn class_size(&self, position: Position) -> u64 {
        let images = self.images(position);
        let same = images.iter().filter(|&&image| image == position).count();
        (G / same.max(1)) as u64
    }

    /// Calls `visit` with every position a jump after `position`.
    #[inline(always)]
    pub(crate) fn children(&self, position: Position, mut visit: impl FnMut(Child)) {
        let images = self.images(position);
        for way in &self.ways {
            for from in bits(way.direction.movable(position)) {
                let jump = &way.jumps[from as usize & 63];
                let (position, which) = smallest(jump.applied(images));
                visit(Child {
                    position,
                    from: from as u8,
                    landing: jump.landings[which],
                });
            }
        }
    }

    /// All positions one step from those of `positions`, of which only those in `within` are
    /// kept, if given.
    pub(crate) fn step(
        &self,
        positions: &Positions,
        step: StepDirection,
        within: Option<&Positions>,
    ) -> Positions {
        let expected = within.map_or(GROWTH * positions.len(), Positions::len);
        let mut reached = Positions::sized(expected);
        let mut sink = |batch: &[(Position, ())]| match within {
            None => reached.add_all(batch),
            Some(within) => {
                for &(key, ()) in batch.iter().filter(|(key, ())| within.contains(*key)) {
                    reached.entry(key);
                }
            }
        };
        let mut gather = Gather::sized(expected);
        for position in positions.positions() {
            let images = self.images(position);
            for way in &self.ways {
                let starts = match step {
                    StepDirection::Jump => way.direction.movable(position),
                    StepDirection::Unjump => way.direction.unmovable(position),
                };
                for from in bits(starts) {
                    let next = way.jumps[from as usize & 63].applied(images);
                    gather.push(smallest_of(next), (), &mut sink);
                }
            }
        }
        gather.finish(&mut sink);
        reached
    }

    #[inline(always)]
    fn images(&self, position: Position) -> [Position; G] {
        images(&self.symmetries, position)
    }
}

impl<const G: usize> JumpImages<G> {
    fn new(jump: Jump, symmetries: &[Symmetry; G]) -> Self {
        Self {
            masks: symmetries.map(|symmetry| symmetry.image(jump.mask())),
            landings: symmetries.map(|symmetry| symmetry.hole(jump.to)),
        }
    }

    #[inline(always)]
    fn applied(&self, mut images: [Position; G]) -> [Position; G] {
        for (image, mask) in images.iter_mut().zip(self.masks) {
            *image ^= mask;
        }
        images
    }
}

#[inline(always)]
fn smallest_of<const G: usize>(images: [Position; G]) -> Position {
    images.into_iter().fold(Position::MAX, Position::min)
}

/// The smallest image and which it is.
#[inline(always)]
fn smallest<const G: usize>(images: [Position; G]) -> (Position, usize) {
    let smallest = smallest_of(images);
    let which = images.iter().position(|&image| image == smallest);
    (smallest, which.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::super::symmetry::SymmetryGroup;
    use super::*;

    fn engine() -> JumpEngine<8> {
        let board = PegBoard::english();
        let SymmetryGroup::Eight(group) = SymmetryGroup::keeping(&board, &[]) else {
            panic!("the English board is a square's");
        };
        JumpEngine::new(&board, group)
    }

    /// 1, 2, 8, 39, 171, 719: the central game's first levels up to symmetry.
    #[test]
    fn the_first_levels_of_the_central_game_have_their_known_sizes() {
        let engine = engine();
        let start = engine.board().holes() & !(1 << 27);
        let mut level = Positions::single(engine.canonical(start));
        let mut sizes = Vec::new();
        for _ in 0..6 {
            level = engine.step(&level, StepDirection::Jump, None);
            sizes.push(level.len());
        }
        assert_eq!(sizes, [1, 2, 8, 39, 171, 719]);
    }

    #[test]
    fn children_carry_their_landing_into_their_own_frame() {
        let engine = engine();
        let position = engine.board().parse_holes("45 44 35 36 57 56").unwrap();
        let position = engine.canonical(position);
        engine.children(position, |child| {
            assert_eq!(engine.canonical(child.position), child.position);
            assert_eq!(child.position >> child.landing & 1, 1);
        });
    }

    #[test]
    fn stepping_back_reaches_where_one_came_from() {
        let engine = engine();
        let start = Positions::single(engine.canonical(engine.board().holes() & !(1 << 27)));
        let third = (0..3).fold(start.clone(), |l, _| {
            engine.step(&l, StepDirection::Jump, None)
        });
        let back = (0..3).fold(third, |l, _| engine.step(&l, StepDirection::Unjump, None));
        assert!(back.contains(start.positions().next().unwrap()));
    }
}
