//! Tables read from their files.

use std::io;
use std::path::Path;

use csv::StringRecord;

use super::record_fields::RecordFields;
use super::row::TableRow;
use base::files::Records;

/// The rows of a table's file.
///
/// # Errors
/// If the file cannot be read, or the first field that is not what its column holds.
pub(crate) fn read_rows<R: TableRow>(path: &Path) -> io::Result<Vec<R>> {
    each_row(path)?.collect()
}

/// The rows of a table's file but for half a row at its end, which a process leaves that is killed
/// while it writes.
///
/// # Errors
/// The errors of [`read_rows`].
pub(crate) fn read_whole_rows<R: TableRow>(path: &Path) -> io::Result<Vec<R>> {
    rows(Records::open_whole(path)?)?.collect()
}

/// The rows of a table's file one by one, each or the reason why it cannot be read.
///
/// # Errors
/// If the file cannot be read.
pub fn each_row<R: TableRow>(path: &Path) -> io::Result<impl Iterator<Item = io::Result<R>>> {
    rows(Records::open(path)?)
}

fn rows<R: TableRow>(mut records: Records) -> io::Result<impl Iterator<Item = io::Result<R>>> {
    let header = records.header()?;
    let row = move |record: csv::Result<StringRecord>| {
        let record = record?;
        let fields = RecordFields::new(&header, &record);
        let row = R::read(&fields);
        match fields.fault() {
            Some(fault) => Err(io::Error::new(io::ErrorKind::InvalidData, fault)),
            None => Ok(row),
        }
    };
    Ok(records.map(row))
}
