#![doc = include_str!("../README.md")]

pub mod automaton;
mod batch;
pub mod bitmask;
mod half_turn;
pub mod known;
pub mod picture;
pub mod placement;
pub mod tree;
