#![doc = include_str!("../README.md")]

mod figure;
mod fit;
mod format;

pub use figure::{Figure, column_decimals};
pub use fit::{cut, fitted, folded};
pub use format::{
    EXPONENT_FROM, MOST_DECIMALS, POINTS, capitalized, duration, level_text, of_difference,
    quantity, scale, sentence, share_digits, step, with_unit,
};
