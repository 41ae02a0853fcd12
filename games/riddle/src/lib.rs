#![doc = include_str!("../README.md")]

pub mod army;
mod batched;
pub mod board;
pub mod census;
pub mod clues;
pub mod maker;
pub mod maps;
pub mod picture;
pub mod review;
pub mod rules;
pub mod sampler;
pub mod solver;
pub mod threats;
pub mod variants;
pub mod walk;

#[cfg(test)]
mod mailbox;
