//! A table of a run folder: columns with types, and rows of text.
//!
//! A missing value is an empty field. A number has a point or an exponent and an integer has
//! neither, so programs that guess a column's type from its first rows guess right.

use super::formula::guarded;
use super::number::{decimal, exact, number};
use super::row::{Column, Keys, TableRow};
use crate::task::TableCell;

/// A table of a run folder.
#[derive(Clone, Debug)]
pub struct Table {
    name: &'static str,
    columns: Vec<Column>,
    keys: Keys,
    // Rows are encoded as they come: as texts they would take ten times the memory.
    csv: Vec<u8>,
}

impl Table {
    /// The table of these rows.
    pub fn of<R: TableRow>(rows: impl IntoIterator<Item = R>) -> Self {
        Self::with_columns(R::columns(), rows)
    }

    /// The table of those columns of these rows that are kept, by name.
    pub(super) fn of_columns<R: TableRow>(
        is_kept: impl Fn(&str) -> bool,
        rows: impl IntoIterator<Item = R>,
    ) -> Self {
        let mut columns = R::columns();
        let kept: Vec<bool> = columns.iter().map(|column| is_kept(&column.name)).collect();
        columns.retain(|column| is_kept(&column.name));
        let only_kept = |row| {
            let cells = cells_of(row).into_iter().zip(&kept);
            cells
                .filter_map(|(cell, &kept)| kept.then_some(cell))
                .collect()
        };
        Self::encoded::<R>(columns, rows.into_iter().map(only_kept))
    }

    /// The table of rows that have these columns.
    pub(super) fn with_columns<R: TableRow>(
        columns: Vec<Column>,
        rows: impl IntoIterator<Item = R>,
    ) -> Self {
        Self::encoded::<R>(columns, rows.into_iter().map(cells_of))
    }

    fn encoded<R: TableRow>(
        columns: Vec<Column>,
        rows: impl Iterator<Item = Vec<TableCell>>,
    ) -> Self {
        let header = columns.iter().map(|column| column.name.as_str().into());
        let lines = std::iter::once(header.collect()).chain(rows);
        let csv = csv_lines(lines);
        Self {
            name: R::TABLE,
            columns,
            keys: R::KEYS,
            csv,
        }
    }

    /// The file's name without `.csv`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the columns that identify a row, and those that refer to another table.
    pub fn keys(&self) -> Keys {
        self.keys
    }

    /// The file's bytes.
    pub fn to_csv(&self) -> &[u8] {
        &self.csv
    }

    /// Takes the file's bytes out; the columns remain.
    pub fn take_csv(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.csv)
    }
}

/// The lines of rows, without the header above them.
pub fn row_lines<R: TableRow>(rows: impl IntoIterator<Item = R>) -> Vec<u8> {
    csv_lines(rows.into_iter().map(cells_of))
}

fn cells_of<R: TableRow>(row: R) -> Vec<TableCell> {
    let mut cells = Vec::new();
    row.write(&mut cells);
    cells
}

/// Lines of cells.
pub fn csv_lines(lines: impl IntoIterator<Item = Vec<TableCell>>) -> Vec<u8> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    for cells in lines {
        // Writing to memory cannot fail.
        let _ = csv.write_record(cells.into_iter().map(field));
    }
    csv.into_inner().unwrap_or_default()
}

/// A cell as a field of a table.
fn field(cell: TableCell) -> String {
    match cell {
        TableCell::Text(text) => guarded(&text),
        TableCell::Integer(integer) => integer.to_string(),
        TableCell::Number(value) => decimal(&number(Some(value))),
        TableCell::Exact(value) => decimal(&exact(value)),
        TableCell::Flag(flag) => flag.to_string(),
        TableCell::Empty => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{PairRow, read_rows};
    use stats::{Estimate, Interval, Level, Method, Validity, Withheld};

    fn difference(estimate: Estimate) -> PairRow {
        PairRow {
            experiment: "=coin".into(),
            first: "a, b".into(),
            second: "c".into(),
            metric: "heads".into(),
            unit: String::new(),
            estimate,
            correlation: Some(0.25),
            variance_reduction: None,
            mcnemar_p: None,
        }
    }

    fn estimates() -> [Estimate; 4] {
        let limits = (0.5, 0.75);
        let interval = Interval::new(limits, Level::DEFAULT, Method::StudentT, Validity::FixedN);
        let known = Estimate {
            value: Some(0.5),
            n: 8,
            mcse: Some(0.125),
            interval,
            ..Estimate::default()
        };
        let open = Estimate {
            value: None,
            lower: Some(0.0),
            upper: Some(1.0),
            unresolved: 3,
            ..known
        };
        [
            known,
            open.exact(),
            known.without_interval(Withheld::Untrusted),
            known.without_interval(Withheld::OneSample),
        ]
    }

    #[test]
    fn rows_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.csv");
        let table = Table::of(estimates().into_iter().map(difference));
        std::fs::write(&path, table.to_csv()).unwrap();
        let read: Vec<PairRow> = read_rows(&path).unwrap();
        let restored: Vec<Estimate> = read.iter().map(|row| row.estimate).collect();
        assert_eq!(restored, estimates());
        assert_eq!(read[0].experiment, "=coin");
        assert_eq!(Table::of(read).to_csv(), table.to_csv());
        let text = String::from_utf8(table.to_csv().to_vec()).unwrap();
        std::fs::write(&path, text.replace("student-t", "guess")).unwrap();
        let error = read_rows::<PairRow>(&path).unwrap_err().to_string();
        let told = "line 2, column `ci_method`: `guess` is not known to this version";
        assert_eq!(error, told);
    }
}
