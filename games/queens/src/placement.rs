//! A full placement of queens and its eight images on the board.
//!
//! Knows nothing of how placements are found. Two placements are the same fundamental solution
//! when a rotation or reflection of the board turns one into the other (Ball, "Mathematical
//! recreations and essays", ch. VI).

/// The column of the queen of each row, both counted from 0.
pub(crate) type Columns = [u8];

/// The number of different images of a placement among the eight, if it is the
/// lexicographically smallest of them; `None` for the others.
///
/// Summed over all placements of a closed set, the classes number the `Some`s and the placements
/// number the sum of their values.
pub fn class_size(columns: &Columns) -> Option<u64> {
    let mut image = columns.to_vec();
    let mut same = 0;
    for symmetry in 0..8 {
        write_image(columns, symmetry, &mut image);
        if image.as_slice() < columns {
            return None;
        }
        same += u64::from(image.as_slice() == columns);
    }
    Some(8 / same)
}

/// Writes the image under symmetry 0 ... 7: bit 0 swaps rows and columns, bit 1 mirrors the
/// columns, bit 2 mirrors the rows.
fn write_image(columns: &Columns, symmetry: u8, image: &mut [u8]) {
    let last = columns.len().saturating_sub(1);
    for (row, &column) in columns.iter().enumerate() {
        let (mut to_row, mut to_column) = (row, usize::from(column));
        if symmetry & 1 != 0 {
            std::mem::swap(&mut to_row, &mut to_column);
        }
        if symmetry & 2 != 0 {
            to_column = last - to_column;
        }
        if symmetry & 4 != 0 {
            to_row = last - to_row;
        }
        image[to_row] = to_column as u8;
    }
}

/// The lexicographically smallest placement of `n` queens, by plain backtracking; `None` where there
/// is none.
pub fn first(n: usize) -> Option<Vec<u8>> {
    fn extend(columns: &mut Vec<u8>, n: usize) -> bool {
        let row = columns.len();
        if row == n {
            return true;
        }
        for column in 0..n as u8 {
            let attacks = |(above, &other): (usize, &u8)| {
                other == column || usize::from(other.abs_diff(column)) == row - above
            };
            if columns.iter().enumerate().any(attacks) {
                continue;
            }
            columns.push(column);
            if extend(columns, n) {
                return true;
            }
            columns.pop();
        }
        false
    }
    let mut columns = Vec::with_capacity(n);
    extend(&mut columns, n).then_some(columns)
}

/// A placement as the columns of its rows, counted from 1: `1 5 8 6 3 7 2 4`.
pub fn format(columns: &Columns) -> String {
    let names: Vec<String> = columns.iter().map(|c| (c + 1).to_string()).collect();
    names.join(" ")
}

/// The queens of the first rows drawn on a board of `n` rows, row 1 on top.
pub fn draw(columns: &Columns, n: usize) -> String {
    let queen = |row: usize| columns.get(row).map(|&column| usize::from(column));
    let row = |row: usize| {
        let fields = (0..n).map(|c| if queen(row) == Some(c) { "Q" } else { "." });
        fields.collect::<Vec<_>>().join(" ")
    };
    (0..n).map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_eight_four_or_two_members() {
        assert_eq!(class_size(&[0, 4, 7, 5, 2, 6, 1, 3]), Some(8));
        assert_eq!(class_size(&[1, 3, 0, 2]), Some(2));
        assert_eq!(class_size(&[2, 0, 3, 1]), None);
        assert_eq!(class_size(&[0]), Some(1));
    }

    #[test]
    fn placements_are_written_from_column_one() {
        assert_eq!(format(&[1, 3, 0, 2]), "2 4 1 3");
        assert_eq!(draw(&[1, 0], 2), ". Q\nQ .");
        assert_eq!(draw(&[1], 2), ". Q\n. .");
    }

    #[test]
    fn the_first_placement_is_the_smallest() {
        assert_eq!(first(8), Some(vec![0, 4, 7, 5, 2, 6, 1, 3]));
        assert_eq!(
            [1, 2, 3, 4].map(|n| first(n).map(|columns| columns[0])),
            [Some(0), None, None, Some(1)]
        );
    }
}
