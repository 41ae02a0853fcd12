#![doc = include_str!("../README.md")]

pub mod alphabeta;
pub mod arsac;
pub mod board;
pub mod chain;
pub mod decided;
pub mod draw;
pub mod evaluation;
pub mod game;
pub mod mailbox;
pub mod moves;
pub mod notation;
pub mod opening;
pub mod perft;
pub mod players;
pub mod position;
pub mod record;
pub mod review;
pub mod rules;
pub mod solved;
mod transposition;
pub mod typed;
