//! The last lines of a stream, in bounded memory.

use std::collections::VecDeque;
use std::fmt;

/// Lines kept.
const LINES: usize = 20;

/// Bytes kept of a line.
const WIDTH: usize = 400;

/// The last twenty lines that were pushed, each cut to a bounded length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastLines {
    lines: VecDeque<Vec<u8>>,
    /// The line that has not ended yet.
    open: Vec<u8>,
}

impl LastLines {
    /// Takes in more of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut parts = bytes.split(|&byte| byte == b'\n');
        // There is one part at least, and between two parts a line ends.
        self.extend(parts.next().unwrap_or_default());
        for part in parts {
            self.close();
            self.extend(part);
        }
    }

    fn extend(&mut self, part: &[u8]) {
        let room = WIDTH - self.open.len();
        self.open.extend_from_slice(&part[..part.len().min(room)]);
    }

    fn close(&mut self) {
        if self.lines.len() == LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(std::mem::take(&mut self.open));
    }
}

impl fmt::Display for LastLines {
    /// The lines, each indented; nothing of an empty stream. Control characters are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = Some(&self.open).filter(|open| !open.is_empty());
        let count = self.lines.len() + usize::from(open.is_some());
        let lines = self
            .lines
            .iter()
            .chain(open)
            .skip(count.saturating_sub(LINES));
        for line in lines {
            let text: String = String::from_utf8_lossy(line)
                .chars()
                .filter(|c| !c.is_control() || *c == '\t')
                .collect();
            write!(f, "\n    {}", text.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_twenty_lines_stay_however_they_come() {
        let text: String = (0..50).map(|line| format!("line {line}\n")).collect();
        for step in [1, 7, 1000] {
            let mut tail = LastLines::default();
            text.as_bytes()
                .chunks(step)
                .for_each(|part| tail.push(part));
            let kept: Vec<String> = (30..50).map(|line| format!("\n    line {line}")).collect();
            assert_eq!(tail.to_string(), kept.concat());
        }
    }

    #[test]
    fn a_line_without_end_takes_bounded_memory() {
        let mut tail = LastLines::default();
        (0..1000).for_each(|_| tail.push(&[b'x'; 1000]));
        assert_eq!(tail.to_string().len(), WIDTH + 5);
    }
}
