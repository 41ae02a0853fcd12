//! The library: the games as the registry has them and their engines against plain ones, the
//! parsers, and the layers of the sources.

mod corpus;
mod exhibits;
mod foxes_exact;
mod foxes_oracle;
mod ignored;
mod klondike_bound;
mod outside;
mod pegs_tables;
mod players;
mod registry;
mod rules;
mod task_laws;
mod walls;
mod way;

#[path = "../support/experiments.rs"]
mod experiments;
#[path = "../support/foxes_naive.rs"]
mod foxes_naive;
#[path = "../support/parsers.rs"]
mod parsers;
