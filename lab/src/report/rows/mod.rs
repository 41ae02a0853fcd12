//! The rows of a run folder's tables as people read them.

mod checks;
mod estimates;
mod matches;
mod precision;
mod purses;
