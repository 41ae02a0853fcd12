//! A placement as a stand-alone SVG picture.

use super::placement::Columns;

/// The side of a field, in pixels.
const SIDE: usize = 32;

/// The board of `n` rows with the queens of the first, row 1 on top.
pub fn svg(columns: &Columns, n: usize) -> String {
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
         <rect width=\"{size}\" height=\"{size}\" fill=\"#fff8e8\"/>\n\
         <path d=\"{dark}\" fill=\"#d9c49a\"/>\n{queens}</svg>\n"
    )
}

fn square(row: usize, column: usize) -> String {
    let (x, y) = (column * SIDE, row * SIDE);
    format!("M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z")
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
        let picture = svg(&[0, 4, 7, 5, 2, 6, 1, 3], 8);
        assert_eq!(picture.matches("♛").count(), 8);
        assert_eq!(picture.matches('M').count(), 32);
        let begun = svg(&[0, 4], 8);
        assert_eq!(begun.matches("♛").count(), 2);
        assert_eq!(begun.lines().next(), picture.lines().next());
    }
}
