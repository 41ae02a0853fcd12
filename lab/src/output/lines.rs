//! The lines of a file, one at a time, with their places.

use std::io::{self, BufRead, BufReader, Read};

/// Lines from some place of a file on.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    /// The present line, with its end.
    pub line: Vec<u8>,
    /// Its number, from 1 for the first one read.
    pub number: u64,
    /// Bytes from the start of the file to its end.
    pub offset: u64,
}

impl<R: Read> Lines<R> {
    /// The lines of `source`, which stands at byte `offset` of its file.
    pub fn new(source: R, offset: u64) -> Self {
        Self {
            reader: BufReader::new(source),
            line: Vec::new(),
            number: 0,
            offset,
        }
    }

    /// Reads the next line; whether there is one.
    pub fn advance(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.reader.read_until(b'\n', &mut self.line)?;
        self.number += 1;
        self.offset += self.line.len() as u64;
        Ok(!self.line.is_empty())
    }
}
