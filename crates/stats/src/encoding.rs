//! The text form of exact tallies in journals; a tally declares its fields once, for both ways.
//!
//! A journal may have been cut short or edited, so reading checks everything and never panics. Only
//! the very text that is written is read: the hash of a block stands for its text.

use std::collections::BTreeMap;
use std::str::FromStr;

/// A tally with a text form: without commas, quotes or blanks.
pub trait Encode: Sized {
    /// Returns the text form.
    fn encode(&self) -> String;

    /// Reads the text that [`encode`](Self::encode) writes; `None` of any other.
    fn decode(text: &str) -> Option<Self>;
}

/// A part of a text form, as one or several of the words between its separators.
pub(super) trait EncodeWords: Sized {
    fn write(&self, words: &mut Vec<String>);
    fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Self>;
}

/// The most samples a decoded tally may hold: sums of merged ones stay in range.
pub(super) const MAX_COUNT: u64 = 1 << 44;

/// A number in its plain form: no plus sign, no leading zeros.
pub(super) fn number<T: FromStr + ToString>(text: &str) -> Option<T> {
    let value: T = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}

/// Implements [`Encode`] for a struct: its fields in this order between separators, checked as a
/// whole once they are read; an `empty` one has the empty text.
macro_rules! encode_fields {
    (
        $kind:ident $(<$part:ident: $bound:ident>)?, $separator:literal, [$($field:ident),+],
        $check:expr $(, empty: $empty:expr)?
    ) => {
        impl$(<$part: $bound>)? $crate::encoding::Encode for $kind$(<$part>)? {
            fn encode(&self) -> String {
                $(if *self == $empty {
                    return String::new();
                })?
                let mut words = Vec::new();
                $($crate::encoding::EncodeWords::write(&self.$field, &mut words);)+
                words.join($separator)
            }

            fn decode(text: &str) -> Option<Self> {
                $(if text.is_empty() {
                    return Some($empty);
                })?
                let words = &mut text.split($separator);
                let tally = Self {
                    $($field: $crate::encoding::EncodeWords::read(words)?,)+
                };
                let check: fn(&Self) -> bool = $check;
                (words.next().is_none() && check(&tally)).then_some(tally)
            }
        }
    };
}
pub(super) use encode_fields;

macro_rules! encode_integers {
    ($($integer:ty),+) => {
        $(impl EncodeWords for $integer {
            fn write(&self, words: &mut Vec<String>) {
                words.push(self.to_string());
            }

            fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Self> {
                number(words.next()?)
            }
        })+
    };
}
encode_integers!(u64, i64, u128, i128);

impl<T: Encode> EncodeWords for T {
    fn write(&self, words: &mut Vec<String>) {
        words.push(self.encode());
    }

    fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Self> {
        Self::decode(words.next()?)
    }
}

impl<T: EncodeWords, const N: usize> EncodeWords for [T; N] {
    fn write(&self, words: &mut Vec<String>) {
        self.iter().for_each(|part| part.write(words));
    }

    fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Self> {
        let parts: Option<Vec<T>> = (0..N).map(|_| T::read(words)).collect();
        parts?.try_into().ok()
    }
}

/// All words that are left, one `key:value` each, keys ascending.
impl<T: EncodeWords> EncodeWords for BTreeMap<i64, T> {
    fn write(&self, words: &mut Vec<String>) {
        words.extend(self.iter().map(|(key, value)| {
            let mut parts = vec![key.to_string()];
            value.write(&mut parts);
            parts.join(":")
        }));
    }

    fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut map = Self::new();
        for word in words {
            let parts = &mut word.split(':');
            let (key, value) = (i64::read(parts)?, T::read(parts)?);
            let is_next = map.last_key_value().is_none_or(|(&last, _)| last < key);
            (is_next && parts.next().is_none()).then(|| map.insert(key, value))?;
        }
        Some(map)
    }
}
