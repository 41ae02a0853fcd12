//! The options and verbs that card games share: deals from files, tables to play at, strategies by name.

pub mod advise;
pub mod deals;
pub mod games;
pub mod play;
pub mod review;
pub mod solve;
pub mod strategy;
