//! Tables read from their files.

use std::io;
use std::path::Path;

use super::record::RecordFields;
use super::row::TableRow;
use crate::files::Records;

/// The rows of a table's file.
///
/// # Errors
/// If the file cannot be read, or the first field that is not what its column holds.
pub fn read_rows<R: TableRow>(path: &Path) -> io::Result<Vec<R>> {
    collected(Records::open(path)?)
}

/// The rows of a table's file but for half a row at its end, which a process leaves that is killed
/// while it writes.
///
/// # Errors
/// The errors of [`read_rows`].
pub fn read_whole_rows<R: TableRow>(path: &Path) -> io::Result<Vec<R>> {
    collected(Records::open_whole(path)?)
}

fn collected<R: TableRow>(records: Records) -> io::Result<Vec<R>> {
    let mut rows = Vec::new();
    for_each_record(records, |row| {
        rows.push(row);
        true
    })?;
    Ok(rows)
}

/// Reads row by row until `take` wants no more.
///
/// # Errors
/// The errors of [`read_rows`].
pub fn for_each_row<R: TableRow>(path: &Path, take: impl FnMut(R) -> bool) -> io::Result<()> {
    for_each_record(Records::open(path)?, take)
}

fn for_each_record<R: TableRow>(
    mut records: Records,
    mut take: impl FnMut(R) -> bool,
) -> io::Result<()> {
    let header = records.header()?;
    for record in records {
        let record = record?;
        let fields = RecordFields::new(&header, &record);
        let row = R::read(&fields);
        if let Some(fault) = fields.fault() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
        }
        if !take(row) {
            break;
        }
    }
    Ok(())
}
