//! The lines that a program writes, in bounded memory.

use std::io::{ErrorKind, Read};
use std::ops::Range;

/// The longest line a program may write, in bytes.
pub(crate) const LONGEST_LINE: usize = 1 << 20;

/// The byte order mark that some systems write before the first line of a text in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The output of a program that has been read, but not asked for yet.
#[derive(Debug, Default)]
pub(super) struct OutputLines {
    /// Read bytes, then room for more.
    pub(super) buffer: Vec<u8>,
    /// The number of bytes that were read.
    filled: usize,
    /// The offset of the next line.
    start: usize,
    /// The line that was found last.
    last: Range<usize>,
    /// Up to where there is no line's end.
    searched: usize,
    /// True if a line was found before.
    begun: bool,
}

impl OutputLines {
    /// The line that was found last, as long as nothing was read since.
    pub(super) fn last(&self) -> &[u8] {
        &self.buffer[self.last.clone()]
    }

    pub(super) fn forget_last(&mut self) {
        self.last = 0..0;
    }

    /// Returns the bytes that have been read and belong to no line that was asked for.
    pub(super) fn rest(&self) -> &[u8] {
        &self.buffer[self.start..self.filled]
    }

    /// The next whole line's place.
    pub(super) fn next_line(&mut self) -> Option<Range<usize>> {
        let end = memchr::memchr(b'\n', &self.buffer[self.searched..self.filled]);
        let Some(end) = end.map(|end| self.searched + end) else {
            self.searched = self.filled;
            return None;
        };
        if !std::mem::replace(&mut self.begun, true) && self.rest().starts_with(BYTE_ORDER_MARK) {
            self.start += BYTE_ORDER_MARK.len();
        }
        let line = &self.buffer[self.start..end];
        let line = self.start..end - usize::from(line.ends_with(b"\r"));
        self.start = end + 1;
        self.searched = self.start;
        self.last = line.clone();
        Some(line)
    }

    pub(super) fn is_endless(&self) -> bool {
        self.rest().len() > LONGEST_LINE
    }

    /// Reads a pipe once, which is known to have something or to be closed; closes it at its end.
    pub(super) fn read(&mut self, pipe: &mut Option<impl Read>) {
        const ROOM: usize = 1 << 16;
        self.forget_last();
        self.drop_front(self.start);
        if self.buffer.len() < self.filled + ROOM {
            self.buffer.resize(2 * (self.filled + ROOM), 0);
        }
        let room = &mut self.buffer[self.filled..];
        match pipe.as_mut().map(|pipe| pipe.read(room)) {
            Some(Ok(count)) if count > 0 => self.filled += count,
            Some(Err(error)) if error.kind() == ErrorKind::Interrupted => {}
            _ => *pipe = None,
        }
    }

    /// Forgets all but so many bytes at the end of what was read.
    pub(super) fn keep_end(&mut self, kept: usize) {
        self.drop_front(self.filled.saturating_sub(kept));
        self.searched = self.start;
    }

    fn drop_front(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        self.buffer.copy_within(count..self.filled, 0);
        self.filled -= count;
        self.start = self.start.saturating_sub(count);
        self.searched = self.searched.saturating_sub(count);
    }
}
