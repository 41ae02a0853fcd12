//! A table of a run folder: columns with types, and rows of text.
//!
//! A missing value is an empty field. A number has a point or an exponent and an integer has
//! neither, so programs that guess a column's type from its first rows guess right.

use std::io::{self, Write};

use super::formula::guarded;
use super::number::{decimal, exact, number};
use super::row::{Column, Keys, TableRow};
use task::TableCell;

/// A table of a run folder, whose rows are made when it is written.
pub struct Table<'run> {
    name: &'static str,
    columns: Vec<Column>,
    keys: Keys,
    // One row at a time: those of a wide sweep would take most of the memory.
    rows: Box<dyn Iterator<Item = Vec<TableCell>> + 'run>,
}

impl<'run> Table<'run> {
    /// The table of these rows.
    pub(crate) fn of<R: TableRow + 'run>(
        rows: impl IntoIterator<Item = R, IntoIter: 'run>,
    ) -> Self {
        Self::with_columns(R::columns(), rows)
    }

    /// The table of those columns of these rows that are kept, by name.
    pub(super) fn of_columns<R: TableRow + 'run>(
        is_kept: impl Fn(&str) -> bool,
        rows: impl Iterator<Item = R> + 'run,
    ) -> Self {
        let mut columns = R::columns();
        let kept: Vec<bool> = columns.iter().map(|column| is_kept(&column.name)).collect();
        columns.retain(|column| is_kept(&column.name));
        let only_kept = move |row| {
            let cells = cells_of(row).into_iter().zip(&kept);
            cells
                .filter_map(|(cell, &kept)| kept.then_some(cell))
                .collect()
        };
        Self::made::<R>(columns, rows.map(only_kept))
    }

    /// The table of rows that have these columns.
    pub(super) fn with_columns<R: TableRow + 'run>(
        columns: Vec<Column>,
        rows: impl IntoIterator<Item = R, IntoIter: 'run>,
    ) -> Self {
        Self::made::<R>(columns, rows.into_iter().map(cells_of))
    }

    fn made<R: TableRow>(
        columns: Vec<Column>,
        rows: impl Iterator<Item = Vec<TableCell>> + 'run,
    ) -> Self {
        Self {
            name: R::TABLE,
            columns,
            keys: R::KEYS,
            rows: Box::new(rows),
        }
    }

    /// The file's name without `.csv`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The columns.
    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the columns that identify a row, and those that refer to another table.
    pub(crate) fn keys(&self) -> Keys {
        self.keys
    }

    /// Writes the file, and with it uses up the rows; the columns remain.
    ///
    /// # Errors
    /// The writer's.
    pub(crate) fn write_to(&mut self, writer: &mut dyn Write) -> io::Result<()> {
        let header = (self.columns.iter()).map(|column| column.name.as_str().into());
        let header = std::iter::once(header.collect());
        write_lines(writer, header.chain(&mut self.rows))
    }

    /// Returns the file's bytes.
    pub fn into_csv(mut self) -> Vec<u8> {
        let mut csv = Vec::new();
        // Writing to memory cannot fail.
        let _ = self.write_to(&mut csv);
        csv
    }

    /// Returns the lines of the rows, without the header above them.
    pub(crate) fn into_lines(self) -> Vec<u8> {
        let mut csv = Vec::new();
        // Writing to memory cannot fail.
        let _ = write_lines(&mut csv, self.rows);
        csv
    }
}

fn cells_of<R: TableRow>(row: R) -> Vec<TableCell> {
    let mut cells = Vec::new();
    row.write(&mut cells);
    cells
}

fn write_lines(
    writer: &mut dyn Write,
    lines: impl IntoIterator<Item = Vec<TableCell>>,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(writer);
    for cells in lines {
        csv.write_record(cells.into_iter().map(field))?;
    }
    csv.flush()
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
    use stats::{Estimate, Interval, Level, Method, Span, Validity, Withheld};

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
        let limits = Span::new(0.5, 0.75);
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
        let written = Table::of(estimates().into_iter().map(difference)).into_csv();
        std::fs::write(&path, &written).unwrap();
        let read: Vec<PairRow> = read_rows(&path).unwrap();
        let restored: Vec<Estimate> = read.iter().map(|row| row.estimate).collect();
        assert_eq!(restored, estimates());
        assert_eq!(read[0].experiment, "=coin");
        assert_eq!(Table::of(read).into_csv(), written);
        let text = String::from_utf8(written).unwrap();
        std::fs::write(&path, text.replace("student-t", "guess")).unwrap();
        let error = read_rows::<PairRow>(&path).unwrap_err().to_string();
        let told = "line 2, column `ci_method`: `guess` is not known to this version";
        assert_eq!(error, told);
    }
}
