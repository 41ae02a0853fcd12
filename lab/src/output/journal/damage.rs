//! Rows of a journal that could not be used.

/// Rows that could not be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// The number of arguments found.
    pub rows: u64,
    /// The first of them.
    pub first: Vec<JournalDamage>,
}

/// A row that could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalDamage {
    /// Its line in the file, from 1.
    pub line: u64,
    /// The defect.
    pub reason: &'static str,
}

/// Damaged rows that are reported one by one.
const TOLD: usize = 5;

impl Damage {
    /// Describes the damage: a line for each of the first damaged rows, and one for all others.
    pub fn told(&self) -> Vec<String> {
        let row = |row: &JournalDamage| format!("blocks.csv, line {}: {}", row.line, row.reason);
        let mut told: Vec<String> = self.first.iter().map(row).collect();
        let more = self.rows - self.first.len() as u64;
        if more > 0 {
            told.push(format!("blocks.csv: {more} more lines are damaged"));
        }
        told
    }

    pub(super) fn add(&mut self, line: u64, reason: &'static str) {
        self.rows += 1;
        if self.first.len() < TOLD {
            self.first.push(JournalDamage { line, reason });
        }
    }
}
