//! Peg solitaire: the fewest moves, exact counts, the census of positions, and random play.
//!
//! `board` and `symmetry` are the rules, `engine`, `graph` and `tails` the exact search, `solve`
//! its answer. Reference: M. Gardner, "Further mathematical diversions", ch. 11; J. D. Beasley,
//! "The ins and outs of peg solitaire" (1985).

pub mod board;
pub mod census;
pub mod engine;
pub mod graph;
pub mod jump_model;
pub mod law;
pub mod play;
pub mod problem;
pub mod solve;
pub mod symmetry;
pub mod table;
pub mod tails;
