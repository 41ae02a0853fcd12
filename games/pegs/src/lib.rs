#![doc = include_str!("../README.md")]

pub mod answer;
pub mod board;
pub mod census;
pub mod completions;
pub mod engine;
pub mod graph;
pub mod jump_model;
pub mod law;
pub mod picture;
pub mod play;
pub mod problem;
pub mod solve;
pub mod symmetry;
pub mod table;
pub mod tree;
