//! `timings.csv`: the time of each cell. Only this file and the manifest contain clock times.

use std::collections::HashMap;
use std::path::Path;

use super::formula::unguarded;
use super::table::csv_lines;
use task::TableCell;
use task::files::Records;

/// Seconds and samples of each cell, over all the sessions of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timings {
    cells: Vec<CellTime>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct CellTime {
    cell: String,
    samples: u64,
    seconds: f64,
}

const HEADER: [&str; 4] = ["cell", "samples", "seconds", "samples_per_second"];

impl Timings {
    /// Returns timings of no samples yet, for cells of these names.
    pub fn new<'name>(cells: impl IntoIterator<Item = &'name str>) -> Self {
        let timed = |cell: &str| CellTime {
            cell: cell.to_owned(),
            ..CellTime::default()
        };
        Self {
            cells: cells.into_iter().map(timed).collect(),
        }
    }

    /// Adds what an earlier session of the same run wrote; a file that does not fit is ignored,
    /// for nothing depends on it.
    pub fn add_earlier(&mut self, path: &Path) {
        let Ok(records) = Records::open(path) else {
            return;
        };
        let earlier = records.flatten().filter_map(|record| {
            let cell = unguarded(record.get(0)?).to_owned();
            Some((cell, (parsed(&record, 1)?, parsed(&record, 2)?)))
        });
        let earlier: HashMap<String, (f64, f64)> = earlier.collect();
        for cell in &mut self.cells {
            let (samples, seconds) = earlier.get(&cell.cell).copied().unwrap_or_default();
            cell.samples += samples as u64;
            cell.seconds += seconds;
        }
    }

    /// Adds the seconds each cell spent on `samples` samples; `None` for a cell that was not drawn.
    pub fn add(&mut self, samples: u64, seconds: &[Option<f64>]) {
        let cells = self.cells.iter_mut().zip(seconds);
        for (cell, seconds) in cells.filter_map(|(cell, seconds)| Some((cell, (*seconds)?))) {
            cell.samples += samples;
            cell.seconds += seconds;
        }
    }

    /// The file's bytes.
    pub fn to_csv(&self) -> Vec<u8> {
        let header = HEADER.map(TableCell::from).to_vec();
        let rows = self.cells.iter().map(|cell| {
            let rate = rate(cell).map_or(String::new(), |rate| format!("{rate:.0}"));
            let seconds = format!("{:.3}", cell.seconds);
            vec![
                cell.cell.as_str().into(),
                cell.samples.into(),
                seconds.into(),
                rate.into(),
            ]
        });
        csv_lines(std::iter::once(header).chain(rows))
    }
}

fn parsed(record: &csv::StringRecord, column: usize) -> Option<f64> {
    record.get(column)?.parse().ok()
}

/// Samples a second of one thread.
fn rate(cell: &CellTime) -> Option<f64> {
    (cell.seconds > 0.0).then(|| cell.samples as f64 / cell.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("timings.csv");
        let mut first = Timings::new(["a", "b"]);
        first.add(10, &[Some(0.5), Some(1.0)]);
        std::fs::write(&path, first.to_csv()).unwrap();
        let mut second = Timings::new(["b", "c"]);
        second.add_earlier(&path);
        second.add(10, &[None, Some(1.0)]);
        let text = String::from_utf8(second.to_csv()).unwrap();
        assert!(text.contains("b,10,1.000,10\nc,10,1.000,10"), "{text}");
    }
}
