//! The rows of a CSV file, one at a time, none longer than a limit.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Take};
use std::path::Path;

use csv::StringRecord;

use super::{LONGEST_LINE, open};

/// The rows of a CSV file under its header. A quoted field may go over many lines, so the limit is
/// on what a row takes in all.
pub struct Records {
    reader: csv::Reader<Metered<Take<File>>>,
}

impl Records {
    /// Opens the file.
    ///
    /// # Errors
    /// If it is not regular, or cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self::of(open(path)?, u64::MAX))
    }

    /// Opens the file but for what follows the last end of a line.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn open_whole(path: &Path) -> io::Result<Self> {
        let file = open(path)?;
        let length = whole_lines(&file)?;
        Ok(Self::of(file, length))
    }

    fn of(file: File, length: u64) -> Self {
        let file = Metered {
            source: file.take(length),
            left: LONGEST_LINE,
        };
        Self {
            reader: csv::Reader::from_reader(file),
        }
    }

    /// The names of the columns.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn header(&mut self) -> csv::Result<StringRecord> {
        self.reader.headers().cloned()
    }
}

impl Iterator for Records {
    type Item = csv::Result<StringRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        self.reader.get_mut().left = LONGEST_LINE;
        let mut record = StringRecord::new();
        match self.reader.read_record(&mut record) {
            Ok(true) => Some(Ok(record)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// The bytes of a file up to the last end of a line.
fn whole_lines(mut file: &File) -> io::Result<u64> {
    let start = file.metadata()?.len().saturating_sub(LONGEST_LINE);
    file.seek(SeekFrom::Start(start))?;
    let mut last = Vec::new();
    file.take(LONGEST_LINE).read_to_end(&mut last)?;
    file.rewind()?;
    let end = last.iter().rposition(|&byte| byte == b'\n');
    Ok(end.map_or(0, |at| start + at as u64 + 1))
}

/// A source that gives so many bytes until it is allowed more.
struct Metered<R> {
    source: R,
    left: u64,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other("a row has no end"));
        }
        let read = self.source.read(buffer)?;
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_end_is_refused_and_long_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        std::fs::write(&path, "a,b\n".to_owned() + &"1,2\n".repeat(5 << 20)).unwrap();
        assert_eq!(Records::open(&path).unwrap().count(), 5 << 20);
        std::fs::write(&path, "a,b\n1,\"".to_owned() + &"x\n".repeat(10 << 20)).unwrap();
        let last = Records::open(&path).unwrap().next().unwrap();
        assert!(last.unwrap_err().to_string().contains("no end"));
    }

    #[test]
    fn half_a_row_at_the_end_is_left_out_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        let rows = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Records::open_whole(&path)
                .unwrap()
                .map(Result::unwrap)
                .count()
        };
        let texts = [
            "a,b\n1,2\n3,4\n",
            "a,b\n1,2\n3,4",
            "a,b\n1,2\n\"3",
            "a,",
            "",
        ];
        assert_eq!(texts.map(rows), [2, 1, 1, 0, 0]);
    }
}
