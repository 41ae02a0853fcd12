//! The last lines of a stream, in bounded memory.

use std::fmt;

/// Lines shown.
const LINES: usize = 20;

/// Bytes shown of a line.
const WIDTH: usize = 400;

/// Bytes kept: enough for lines much longer than what is shown of them.
const KEPT: usize = 1 << 16;

/// The end of a stream, shown as its last twenty lines, each cut to a bounded length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LastLines(Vec<u8>);

impl LastLines {
    /// Takes in more of the stream.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
        if self.0.len() > 2 * KEPT {
            self.0.drain(..self.0.len() - KEPT);
        }
    }
}

impl fmt::Display for LastLines {
    /// The lines, each indented; nothing of an empty stream. Control characters are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.strip_suffix(b"\n").unwrap_or(&self.0);
        let lines = end.split(|&byte| byte == b'\n').rev();
        let mut last: Vec<&[u8]> = lines.take(LINES).filter(|_| !self.0.is_empty()).collect();
        last.reverse();
        last.into_iter().try_for_each(|line| {
            let text: String = String::from_utf8_lossy(&line[..line.len().min(WIDTH)])
                .chars()
                .filter(|c| !c.is_control() || *c == '\t')
                .collect();
            write!(f, "\n    {}", text.trim_end())
        })
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
