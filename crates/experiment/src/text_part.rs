//! Parts of a string with their places, for the faults of a relation.

use std::ops::Range;

use super::error::Problem;

/// A part of a string and where it starts.
#[derive(Clone, Copy)]
pub(super) struct TextPart<'a> {
    pub text: &'a str,
    start: usize,
}

impl<'a> TextPart<'a> {
    /// A whole string, trimmed.
    pub(crate) fn whole(text: &'a str) -> Self {
        Self { text, start: 0 }.trim()
    }

    /// The bytes of the string that the part takes.
    pub(crate) fn span(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// The trimmed part before the byte at `at`, a boundary of characters, and the rest.
    pub(crate) fn split_at(self, at: usize) -> (Self, Self) {
        let (text, rest) = self.text.split_at(at);
        let start = self.start + at;
        (Self { text, ..self }.trim(), Self { text: rest, start })
    }

    /// The trimmed parts before and after the one-byte character at `at`.
    pub(crate) fn around(self, at: usize) -> (Self, Self) {
        let (before, after) = self.split_at(at);
        (before, after.after(1))
    }

    /// The trimmed rest after the first `bytes`.
    pub(crate) fn after(self, bytes: usize) -> Self {
        let text = self.text.get(bytes..).unwrap_or_default();
        let start = self.start + bytes.min(self.text.len());
        Self { text, start }.trim()
    }

    /// The trimmed rest after a prefix, if it has it.
    pub(crate) fn strip_prefix(self, prefix: &str) -> Option<Self> {
        self.text
            .starts_with(prefix)
            .then(|| self.after(prefix.len()))
    }

    fn trim(self) -> Self {
        let text = self.text.trim_start();
        let start = self.start + self.text.len() - text.len();
        let text = text.trim_end();
        Self { text, start }
    }

    /// A fault of this part.
    pub(crate) fn fault(self, message: impl Into<String>) -> Problem {
        Problem::at(self.span(), message)
    }
}

/// The parts before and after the first place where a word stands alone.
pub(super) fn around_word<'a>(
    part: TextPart<'a>,
    word: &str,
) -> Option<(TextPart<'a>, TextPart<'a>)> {
    let is_blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let bytes = part.text.as_bytes();
    let mut starts = part.text.match_indices(word).map(|(at, _)| at);
    let at = starts.find(|&at| {
        at > 0 && is_blank(bytes.get(at - 1)) && is_blank(bytes.get(at + word.len()))
    })?;
    let (before, rest) = part.split_at(at);
    Some((before, rest.after(word.len())))
}
