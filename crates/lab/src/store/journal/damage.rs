//! Rows of a journal that could not be used.

/// Rows that could not be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Damage {
    /// The number of damaged rows.
    pub(crate) rows: u64,
    /// The first of them, a line each.
    first: Vec<String>,
}

/// Damaged rows that are reported one by one.
const TOLD: usize = 5;

impl Damage {
    /// Describes the damage: a line for each of the first damaged rows, and one for all others.
    pub(crate) fn told(&self) -> Vec<String> {
        let mut told = self.first.clone();
        let more = self.rows - told.len() as u64;
        if more > 0 {
            told.push(format!("blocks.csv: {more} more lines are damaged"));
        }
        told
    }

    pub(super) fn add(&mut self, line: u64, reason: &str) {
        self.rows += 1;
        if self.first.len() < TOLD {
            self.first
                .push(format!("blocks.csv, line {line}: {reason}"));
        }
    }
}
