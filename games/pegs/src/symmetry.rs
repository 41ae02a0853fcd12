//! The symmetries of a board, and positions that differ only by them.
//!
//! A symmetry maps positions by exchanging bits, so the images of a position after a jump are its
//! images before, XORed with the images of the jump: that is how [`super::engine`] names children
//! canonically without transforming them. Knows nothing of search.

use super::board::{PegBoard, Position};

/// A symmetry of a rectangle's grid: bit 0 swaps columns and rows, bit 1 mirrors
/// the columns, bit 2 mirrors the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry {
    code: u8,
    /// Columns between the mirrored grid and the board, if columns are mirrored.
    column_gap: u32,
    /// Bits between the mirrored grid and the board, if rows are mirrored.
    row_gap: u32,
}

impl Symmetry {
    /// The symmetry that moves nothing.
    const IDENTITY: Symmetry = Symmetry {
        code: 0,
        column_gap: 0,
        row_gap: 0,
    };

    /// The image of a position.
    pub(crate) fn image(self, position: Position) -> Position {
        let [image] = images(&[self], position);
        image
    }

    /// The image of a hole.
    pub(crate) fn hole(self, hole: u8) -> u8 {
        self.image(1 << hole).trailing_zeros() as u8 & 63
    }
}

/// The images of a position under some symmetries, which share the dear steps.
#[inline(always)]
pub(crate) fn images<const G: usize>(
    symmetries: &[Symmetry; G],
    position: Position,
) -> [Position; G] {
    let exchanged = transposed(position);
    let mirrored = |position: Position| position.swap_bytes().reverse_bits();
    // By the two lower bits of a code.
    let turned = [position, exchanged, mirrored(position), mirrored(exchanged)];
    // A loop is compiled into its caller; `map` over eight symmetries is not.
    let mut images = [position; G];
    for (image, symmetry) in images.iter_mut().zip(symmetries) {
        let Symmetry {
            code,
            column_gap,
            row_gap,
        } = *symmetry;
        let upright = turned[usize::from(code & 3)] >> column_gap;
        let upturned = upright.swap_bytes() >> row_gap;
        *image = if code & 4 != 0 { upturned } else { upright };
    }
    images
}

/// The symmetries that keep some positions, the identity first, in the four sizes there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymmetryGroup {
    /// The identity alone.
    One([Symmetry; 1]),
    /// The first symmetry with one more.
    Two([Symmetry; 2]),
    /// Half of those of a square.
    Four([Symmetry; 4]),
    /// The eight symmetries of a square.
    Eight([Symmetry; 8]),
}

impl SymmetryGroup {
    /// The symmetries of a board that keep each of the given positions.
    pub(crate) fn keeping(board: &PegBoard, kept: &[Position]) -> Self {
        let all = keeping(board, kept);
        if let Ok(group) = all.as_slice().try_into() {
            SymmetryGroup::Eight(group)
        } else if let Ok(group) = all.as_slice().try_into() {
            SymmetryGroup::Four(group)
        } else if let Ok(group) = all.as_slice().try_into() {
            SymmetryGroup::Two(group)
        } else {
            SymmetryGroup::One([Symmetry::IDENTITY])
        }
    }

    /// The symmetries themselves.
    pub(crate) fn symmetries(&self) -> &[Symmetry] {
        match self {
            SymmetryGroup::One(group) => group,
            SymmetryGroup::Two(group) => group,
            SymmetryGroup::Four(group) => group,
            SymmetryGroup::Eight(group) => group,
        }
    }
}

/// The symmetries of a board that keep each of the given positions, the identity first: 1, 2, 4
/// or 8 of them.
fn keeping(board: &PegBoard, kept: &[Position]) -> Vec<Symmetry> {
    let (width, height) = board.size();
    let symmetry = |code| Symmetry {
        code,
        column_gap: if code & 2 == 0 { 0 } else { 8 - width as u32 },
        row_gap: 8 * (8 - height as u32),
    };
    (0..8)
        .filter(|code| code & 1 == 0 || width == height)
        .map(symmetry)
        .filter(|s| s.image(board.holes()) == board.holes())
        .filter(|s| kept.iter().all(|&position| s.image(position) == position))
        .collect()
}

/// Columns and rows exchanged: three rounds of swapping blocks across the diagonal
/// (Warren, "Hacker's delight", 7-3).
#[inline(always)]
fn transposed(position: Position) -> Position {
    let swap = |x: u64, mask: u64, distance: u32| {
        let moved = (x ^ (x >> distance)) & mask;
        x ^ moved ^ (moved << distance)
    };
    let x = swap(position, 0x00AA_00AA_00AA_00AA, 7);
    let x = swap(x, 0x0000_CCCC_0000_CCCC, 14);
    swap(x, 0x0000_0000_F0F0_F0F0, 28)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_english_board_has_eight_symmetries_and_its_corner_two() {
        let board = PegBoard::english();
        assert_eq!(keeping(&board, &[]).len(), 8);
        let corner = board.parse_holes("37").unwrap();
        assert_eq!(keeping(&board, &[corner]).len(), 1);
        let side = board.parse_holes("47").unwrap();
        assert_eq!(keeping(&board, &[side]).len(), 2);
        assert_eq!(keeping(&PegBoard::parse("ooo/ooo").unwrap(), &[]).len(), 4);
    }

    #[test]
    fn symmetries_form_a_group_of_different_maps() {
        let board = PegBoard::french();
        let all = keeping(&board, &[]);
        let odd = board.parse_holes("37 36 15").unwrap();
        let mut images: Vec<Position> = all.iter().map(|s| s.image(odd)).collect();
        for (s, &image) in all.iter().zip(&images) {
            assert!(all.iter().any(|t| t.image(image) == odd), "{s:?}");
            assert_eq!(image & !board.holes(), 0);
        }
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 8);
    }

    #[test]
    fn images_of_holes_agree_with_images_of_positions() {
        let board = PegBoard::english();
        for symmetry in keeping(&board, &[]) {
            for hole in super::super::board::bits(board.holes()) {
                assert_eq!(1 << symmetry.hole(hole as u8), symmetry.image(1 << hole));
            }
        }
    }
}
