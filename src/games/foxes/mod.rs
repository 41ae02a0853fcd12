//! Two foxes and twenty hens, after J. Arsac, game 13: a match game without chance, played by
//! engines of very different care.

pub mod board;
pub mod chain;
pub mod game;
pub mod moves;
pub mod notation;
pub mod perft;
pub mod position;
pub mod rules;
