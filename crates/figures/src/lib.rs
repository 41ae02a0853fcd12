#![doc = include_str!("../README.md")]

mod figure;
mod fit;
mod format;

pub use figure::{Figure, column_decimals};
pub use fit::{cut, fitted, folded};
pub use format::{
    EXPONENT_FROM, MOST_DECIMALS, POINTS, axis_labels, capitalized, count, counted, duration,
    exactly, least_above, level_text, of_difference, paragraphs, quantity, said, scale, sentence,
    share_digits, step, tick, typeset, with_unit,
};
