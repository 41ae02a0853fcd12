//! Texts in the fonts that every reader of PDF has. Widths are those of Adobe's metrics for Helvetica.

use std::collections::BTreeSet;

use pdf_writer::writers::Type1Font;
use pdf_writer::{Content, Name, Str};

/// A font without a file of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Font {
    Helvetica,
    Symbol,
}

impl Font {
    pub(super) const ALL: [Self; 2] = [Self::Helvetica, Self::Symbol];

    /// The name by which pages know it.
    pub(super) fn resource(self) -> Name<'static> {
        match self {
            Font::Helvetica => Name(b"F0"),
            Font::Symbol => Name(b"F1"),
        }
    }

    pub(super) fn declare(self, mut font: Type1Font) {
        match self {
            Font::Helvetica => font
                .base_font(Name(b"Helvetica"))
                .encoding_predefined(Name(b"WinAnsiEncoding")),
            Font::Symbol => font.base_font(Name(b"Symbol")),
        };
    }
}

/// The widths of Helvetica's letters from the blank to the tilde, in thousandths of its size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
/// The width that stands in for that of any other letter: a digit's.
const USUAL_WIDTH: u16 = 556;

/// The letters of Windows-1252 that are no letters of Latin-1, with their codes.
const WINDOWS: &str = "\u{20ac}80 \u{201a}82 \u{192}83 \u{201e}84 \u{2026}85 \u{2020}86 \u{2021}87 \u{2030}89 \u{160}8a \
    \u{2039}8b \u{152}8c \u{17d}8e \u{2018}91 \u{2019}92 \u{201c}93 \u{201d}94 \u{2022}95 \u{2013}96 \u{2014}97 \
    \u{2122}99 \u{161}9a \u{203a}9b \u{153}9c \u{17e}9e \u{178}9f \u{2212}96 \u{202f}20 \u{2009}20";
/// Signs and letters of the font Symbol, with their codes.
const SYMBOLS: &str = "\u{2264}a3 \u{221e}a5 \u{2265}b3 \u{2260}b9 \u{2248}bb \u{221a}d6 \u{2192}ae \
    \u{3b1}61 \u{3b2}62 \u{3b3}67 \u{3b4}64 \u{3b5}65 \u{3b8}71 \u{3bb}6c \u{3bc}6d \u{3bd}6e \u{3c0}70 \u{3c1}72 \
    \u{3c3}73 \u{3c4}74 \u{3c6}66 \u{3c7}63 \u{3c8}79 \u{3c9}77 \u{394}44 \u{3a3}53 \u{3a9}57";
const RAISED: [char; 11] = [
    '\u{2070}', '\u{b9}', '\u{b2}', '\u{b3}', '\u{2074}', '\u{2075}', '\u{2076}', '\u{2077}',
    '\u{2078}', '\u{2079}', '\u{207b}',
];
/// The size of raised letters, and how far they are raised, as shares of the size of the others.
const SMALL: f32 = 0.65;
const RISE: f32 = 0.35;

/// A letter as a font has it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Letter {
    font: Font,
    code: u8,
    is_raised: bool,
}

/// A text in letters of fonts.
pub(super) struct Letters {
    letters: Vec<Letter>,
    /// The letters that no font has; `?` stands in their place.
    pub missing: BTreeSet<char>,
}

impl Letters {
    pub(super) fn of(text: &str) -> Self {
        let mut missing = BTreeSet::new();
        let letters = text.chars().map(|letter| {
            Letter::of(letter).unwrap_or_else(|| {
                missing.insert(letter);
                Letter::plain(b'?')
            })
        });
        Self {
            letters: letters.collect(),
            missing,
        }
    }

    /// The width of the text where its letters have a size.
    pub(super) fn width(&self, size: f32) -> f32 {
        let widths = self.letters.iter().map(|letter| letter.width());
        widths.sum::<f32>() * size
    }

    /// Shows the text where the content stands.
    pub(super) fn show(&self, content: &mut Content, size: f32) {
        let is_run = |a: &Letter, b: &Letter| (a.font, a.is_raised) == (b.font, b.is_raised);
        for run in self.letters.chunk_by(is_run) {
            let (share, rise) = if run[0].is_raised {
                (SMALL, RISE)
            } else {
                (1.0, 0.0)
            };
            let codes: Vec<u8> = run.iter().map(|letter| letter.code).collect();
            content.set_font(run[0].font.resource(), size * share);
            content.set_rise(size * rise).show(Str(&codes));
        }
    }
}

impl Letter {
    fn plain(code: u8) -> Self {
        Self {
            font: Font::Helvetica,
            code,
            is_raised: false,
        }
    }

    fn of(letter: char) -> Option<Self> {
        if let Some(number) = RAISED.iter().position(|raised| *raised == letter) {
            let is_raised = true;
            let code = b"0123456789-"[number];
            return Some(Self {
                is_raised,
                ..Self::plain(code)
            });
        }
        match letter {
            ' '..='~' | '\u{a1}'..='\u{ff}' => Some(Self::plain(letter as u8)),
            '\u{a0}' => Some(Self::plain(b' ')),
            _ => code_in(WINDOWS, letter).map(Self::plain).or_else(|| {
                let font = Font::Symbol;
                let code = code_in(SYMBOLS, letter)?;
                Some(Self {
                    font,
                    ..Self::plain(code)
                })
            }),
        }
    }

    fn width(self) -> f32 {
        let known = self.code.checked_sub(b' ').map(usize::from);
        let known = known.filter(|_| self.font == Font::Helvetica);
        let width = known
            .and_then(|place| WIDTHS.get(place))
            .unwrap_or(&USUAL_WIDTH);
        let share = if self.is_raised { SMALL } else { 1.0 };
        f32::from(*width) / 1000.0 * share
    }
}

/// The code of a letter in a list of letters with theirs.
fn code_in(list: &str, letter: char) -> Option<u8> {
    let mut words = list.split(' ');
    let code = words.find_map(|word| word.strip_prefix(letter))?;
    u8::from_str_radix(code, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_outside_of_the_fonts_are_named() {
        let shown = |text: &str| {
            let mut content = Content::new();
            let letters = Letters::of(text);
            letters.show(&mut content, 10.0);
            let bytes = content.finish().to_vec();
            (
                bytes
                    .iter()
                    .map(|&byte| char::from(byte))
                    .collect::<String>(),
                letters.missing,
            )
        };
        let (page, missing) = shown("a\u{4e2d}\u{4e2d}b");
        assert!(page.contains("(a??b) Tj"), "{page}");
        assert_eq!(missing, BTreeSet::from(['\u{4e2d}']));
        let (page, missing) = shown("10\u{207b}\u{2076}");
        let raised = "(10) Tj\n/F0 6.5 Tf\n3.5 Ts\n(-6) Tj";
        assert!(page.contains(raised) && missing.is_empty(), "{page}");
        for (letter, code) in [
            ('\u{2212}', b'\x96'),
            ('\u{e9}', b'\xe9'),
            ('\u{20ac}', b'\x80'),
        ] {
            assert_eq!(
                Letters::of(&letter.to_string()).letters[0],
                Letter::plain(code)
            );
        }
        assert_eq!(Letters::of("\u{2265}").letters[0].font, Font::Symbol);
    }
}
