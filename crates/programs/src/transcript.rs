//! The transcript of a conversation with a program, for whoever looks into a fault.

/// Bytes of a line; of a longer one the beginning is kept.
const LONGEST: usize = 10_000;

/// Bytes of a transcript; of a longer one the end is kept.
const TRANSCRIPT: usize = 1 << 18;

/// The lines of a conversation; of a long one the end.
#[derive(Debug, Default)]
pub(crate) struct Transcript(String);

impl Transcript {
    /// The text so far.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Begins again.
    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }

    /// Adds a line, after `> ` or `< ` for the side that said it, or `# `.
    pub(crate) fn note(&mut self, arrow: &str, line: &str) {
        let Self(text) = self;
        if text.len() + line.len() > TRANSCRIPT {
            let half = text.len() / 2;
            // Sought in bytes: a character may lie across the middle.
            let end = memchr::memchr(b'\n', &text.as_bytes()[half..]);
            text.drain(..end.map_or(text.len(), |at| half + at + 1));
        }
        text.push_str(arrow);
        text.push_str(&line[..line.floor_char_boundary(LONGEST)]);
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_transcript_keeps_its_end_in_whole_lines() {
        let mut transcript = Transcript::default();
        let line = "\u{1f98a}".repeat(999);
        for number in 0..300 {
            transcript.note("< ", &format!("{number}{line}"));
        }
        let Transcript(text) = transcript;
        assert!(text.len() <= TRANSCRIPT + 4010 && text.starts_with("< "));
        assert!(text.ends_with(&format!("< 299{line}\n")));
    }
}
