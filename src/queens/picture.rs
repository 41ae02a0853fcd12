//! A placement as a stand-alone SVG picture.

use super::placement::Columns;

/// The side of a field, in pixels.
const SIDE: usize = 32;

/// The board with its queens, row 1 on top.
pub fn svg(columns: &Columns) -> String {
    let n = columns.len();
    let size = n * SIDE;
    let fields = (0..n * n).map(|field| (field / n, field % n));
    let dark: String = fields
        .filter(|(row, column)| (row + column) % 2 == 1)
        .map(|(row, column)| square(row, column))
        .collect();
    let queens: String = columns
        .iter()
        .enumerate()
        .map(|(row, &column)| queen(row, usize::from(column)))
        .collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" \
         font-family=\"sans-serif\" font-size=\"24\" text-anchor=\"middle\">\n\
         <rect width=\"{size}\" height=\"{size}\" fill=\"#fff8e8\"/>\n{dark}{queens}</svg>\n"
    )
}

fn square(row: usize, column: usize) -> String {
    let (x, y) = (column * SIDE, row * SIDE);
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#d9c49a\"/>\n")
}

fn queen(row: usize, column: usize) -> String {
    let (x, y) = (column * SIDE + SIDE / 2, row * SIDE + SIDE / 2 + 9);
    format!("<text x=\"{x}\" y=\"{y}\" fill=\"#222\">♛</text>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_a_queen_in_every_row() {
        let picture = svg(&[0, 4, 7, 5, 2, 6, 1, 3]);
        assert_eq!(picture.matches("♛").count(), 8);
        assert_eq!(picture.matches("#d9c49a").count(), 32);
    }
}
