//! The placements of queens that a half turn of the board maps to themselves.
//!
//! Queens are placed in pairs, from the outer rows to the middle, so there are few to try: 8 rows
//! of the 16 by 16 board.

use super::placement::Columns;

/// Visits every solution of the `n` by `n` board that a half turn leaves as it is, `n` at most 31.
pub(crate) fn for_each(n: usize, visit: &mut impl FnMut(&Columns)) {
    let mut columns = vec![0; n];
    let mut held = HalfTurnLines::default();
    if n % 2 == 1 {
        // The queen of the middle row stays in its row, hence in the middle.
        columns[n / 2] = (n / 2) as u8;
        held = held.with(n, n / 2, n / 2);
    }
    place(0, held, &mut columns, visit);
}

fn place(row: usize, held: HalfTurnLines, columns: &mut [u8], visit: &mut impl FnMut(&Columns)) {
    let n = columns.len();
    if row == n / 2 {
        return visit(columns);
    }
    let opposite = n - 1 - row;
    for column in 0..n {
        if !held.frees(n, row, column) {
            continue;
        }
        let one = held.with(n, row, column);
        if one.frees(n, opposite, n - 1 - column) {
            columns[row] = column as u8;
            columns[opposite] = (n - 1 - column) as u8;
            let both = one.with(n, opposite, n - 1 - column);
            place(row + 1, both, columns, visit);
        }
    }
}

/// The lines that queens hold, numbered over the whole board.
#[derive(Clone, Copy, Default)]
struct HalfTurnLines {
    columns: u64,
    rising: u64,
    falling: u64,
}

impl HalfTurnLines {
    fn frees(self, n: usize, row: usize, column: usize) -> bool {
        let falling = self.falling >> (row + n - 1 - column);
        (self.columns >> column | self.rising >> (row + column) | falling) & 1 == 0
    }

    fn with(mut self, n: usize, row: usize, column: usize) -> Self {
        self.columns |= 1 << column;
        self.rising |= 1 << (row + column);
        self.falling |= 1 << (row + n - 1 - column);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::automaton::{Version, run};
    use super::*;

    #[test]
    fn they_are_the_solutions_of_the_automaton_equal_to_their_half_turn() {
        for n in 1..=10 {
            let mut expected = Vec::new();
            run(Version::Four, n, &mut |columns| {
                let turned = columns.iter().rev().map(|&c| n as u8 - 1 - c);
                if turned.eq(columns.iter().copied()) {
                    expected.push(columns.to_vec());
                }
            });
            let mut placements = Vec::new();
            for_each(n, &mut |columns| placements.push(columns.to_vec()));
            expected.sort();
            placements.sort();
            assert_eq!(placements, expected, "n={n}");
        }
    }
}
