//! Random texts for the tests of parsers.

use std::ops::Range;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Texts of any characters.
#[allow(dead_code, reason = "not every crate's tests read them")]
pub fn texts(length: Range<usize>) -> impl Strategy<Value = String> {
    vec(any::<char>(), length).prop_map(String::from_iter)
}

/// Texts of some characters.
#[allow(dead_code, reason = "not every crate's tests read them")]
pub fn texts_of(characters: &str, length: Range<usize>) -> impl Strategy<Value = String> {
    let characters: Vec<char> = characters.chars().collect();
    vec(select(characters), length).prop_map(String::from_iter)
}
