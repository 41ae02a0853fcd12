//! Runs by the library and by the program: the same bytes, and the numbers that theory asks for.

mod determinism;
mod exact;
mod variance;

#[path = "../../lab/tests/support/coin.rs"]
mod coin;
#[path = "../support/in_memory.rs"]
mod in_memory;
#[path = "../support/program.rs"]
mod program;
