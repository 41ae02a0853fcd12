//! The whole program: what it prints, writes and leaves behind, and how it ends.

mod book;
mod by_hand;
mod calculator;
mod cells;
mod cli;
#[cfg(unix)]
mod consent;
mod crash_resume;
mod determinism;
mod divisions;
mod doors;
mod exact;
mod external;
mod external_players;
mod faults;
mod hand_ins;
mod hostile;
mod kept;
mod mistakes;
mod newcomer;
mod proofs;
#[cfg(target_os = "linux")]
mod scarce;
mod shards;
mod strange;
mod strangers;
mod variance;
mod verify;

use task::coin;
#[path = "../support/examples.rs"]
mod examples;
#[path = "../support/in_memory.rs"]
mod in_memory;
#[path = "../support/program.rs"]
mod program;
