//! The whole program: what it prints, writes and leaves behind, and how it ends.

mod book;
mod calculator;
mod cli;
mod crash_resume;
mod external;
mod external_players;
mod hostile;
mod newcomer;
mod shards;
mod slurm;
mod strange;
mod verify;

#[path = "../support/program.rs"]
mod program;
