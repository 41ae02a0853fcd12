//! The library: the games as the registry has them and their engines against plain ones, the
//! parsers, and laws of the sources.

mod corpus;
mod exhibits;
mod golden_deals;
mod ignored;
mod klondike_bound;
mod outside;
mod pegs_tables;
mod players;
mod registry;
mod rules;
mod sources;
mod task_laws;
mod way;

#[path = "../support/experiments.rs"]
mod experiments;
#[path = "../support/parsers.rs"]
mod parsers;
