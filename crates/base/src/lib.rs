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
pub use input::parse_integer;
pub use visible::{visible, visible_but_colours, visible_json, visible_line};
