#![doc = include_str!("../README.md")]

mod counted;
pub mod decimal;
mod failure;
pub mod files;
mod input;
pub mod real;
pub mod suggest;
pub mod threads;
mod visible;
pub mod words;

pub use counted::{count, counted, grouped};
pub use failure::{Failure, FailureKind};
pub use input::{
    InputFile, has_csv_column, integer_within, list_lines, parse_integer, read_csv_columns,
};
pub use visible::{visible, visible_but_colours, visible_json, visible_line};
