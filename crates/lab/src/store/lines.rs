//! The lines of a file, one at a time, with their places.

use std::io::{self, BufRead, BufReader, Read};

/// Lines from some place of a file on. A line that is longer than the limit is cut: it lacks its
/// end, as a torn one does.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    /// Bytes of a line at most.
    pub(crate) limit: u64,
    /// The present line, with its end.
    pub(crate) line: Vec<u8>,
    /// The line's number, from 1 for the first one read.
    pub(crate) number: u64,
    /// Bytes from the start of the file to its end.
    pub(crate) offset: u64,
}

impl<R: Read> Lines<R> {
    /// The lines of `source`, which stands at byte `offset` of its file, of `limit` bytes at most.
    pub(crate) fn new(source: R, offset: u64, limit: u64) -> Self {
        Self {
            reader: BufReader::new(source),
            limit,
            line: Vec::new(),
            number: 0,
            offset,
        }
    }

    /// Reads the next line; whether there is one.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn advance(&mut self) -> io::Result<bool> {
        self.line.clear();
        let mut limited = self.reader.by_ref().take(self.limit);
        let taken = limited.read_until(b'\n', &mut self.line)? as u64;
        self.number += 1;
        self.offset += taken;
        if taken == self.limit && !self.is_whole() {
            self.offset += self.reader.skip_until(b'\n')? as u64;
        }
        Ok(taken > 0)
    }

    /// Returns whether the present line has its end.
    fn is_whole(&self) -> bool {
        self.line.ends_with(b"\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_beyond_the_limit_is_cut_and_the_next_is_in_its_place() {
        let text = b"abc\nabcdefgh\n\nabcd\nab";
        let mut lines = Lines::new(&text[..], 0, 5);
        let mut seen = Vec::new();
        while lines.advance().unwrap() {
            let line = String::from_utf8(lines.line.clone()).unwrap();
            seen.push((line, lines.number, lines.offset, lines.is_whole()));
        }
        let expected = [
            ("abc\n", 1, 4, true),
            ("abcde", 2, 13, false),
            ("\n", 3, 14, true),
            ("abcd\n", 4, 19, true),
            ("ab", 5, 21, false),
        ];
        assert_eq!(seen, expected.map(|(line, n, o, w)| (line.into(), n, o, w)));
    }
}
