//! `timings.csv`: the time of each cell. Only this file and the manifest contain clock times.

use std::collections::HashMap;

use super::row::table_row;
use super::table::Table;

table_row! {
    /// A row of `timings.csv`: the time of a cell, over all the sessions of a run.
    pub(crate) struct TimingRow in "timings", keys ["cell"] {
        /// One combination of the swept parameters.
        cell: String,
        /// Samples that were drawn.
        samples: u64,
        /// Seconds of one thread that they took.
        seconds: f64,
        /// Samples a second of one thread.
        samples_per_second: Option<u64>,
    }
}

/// Seconds and samples of each cell, over all the sessions of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timings {
    cells: Vec<TimingRow>,
}

impl Timings {
    /// Returns timings of no samples yet, for cells of these names.
    pub(crate) fn new<'name>(cells: impl IntoIterator<Item = &'name str>) -> Self {
        let timed = |cell: &str| TimingRow {
            cell: cell.to_owned(),
            samples: 0,
            seconds: 0.0,
            samples_per_second: None,
        };
        Self {
            cells: cells.into_iter().map(timed).collect(),
        }
    }

    /// Adds the rows that an earlier session of the same run, or a shard of it, wrote.
    pub(crate) fn add_earlier(&mut self, rows: Vec<TimingRow>) {
        let rows = rows.into_iter();
        let earlier: HashMap<String, TimingRow> = rows.map(|row| (row.cell.clone(), row)).collect();
        for cell in &mut self.cells {
            if let Some(row) = earlier.get(&cell.cell) {
                cell.samples += row.samples;
                cell.seconds += row.seconds;
            }
        }
    }

    /// Adds the seconds each cell spent on `samples` samples; `None` for a cell that was not drawn.
    pub(crate) fn add(&mut self, samples: u64, seconds: &[Option<f64>]) {
        let cells = self.cells.iter_mut().zip(seconds);
        for (cell, seconds) in cells.filter_map(|(cell, seconds)| Some((cell, (*seconds)?))) {
            cell.samples += samples;
            cell.seconds += seconds;
        }
    }

    /// The file's bytes.
    pub(crate) fn to_csv(&self) -> Vec<u8> {
        let rate = |row: &TimingRow| (row.samples as f64 / row.seconds).round() as u64;
        let written = |row: &TimingRow| TimingRow {
            seconds: (row.seconds * 1e3).round() / 1e3,
            samples_per_second: (row.seconds > 0.0).then(|| rate(row)),
            ..row.clone()
        };
        Table::of(self.cells.iter().map(written)).into_csv()
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_rows;
    use super::*;

    #[test]
    fn sessions_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("timings.csv");
        let mut first = Timings::new(["a", "b"]);
        first.add(10, &[Some(0.5), Some(1.0)]);
        std::fs::write(&path, first.to_csv()).unwrap();
        let mut second = Timings::new(["b", "c"]);
        second.add_earlier(read_rows(&path).unwrap());
        second.add(10, &[None, Some(1.0)]);
        let text = String::from_utf8(second.to_csv()).unwrap();
        assert!(text.contains("b,10,1.0,10\nc,10,1.0,10"), "{text}");
    }
}
