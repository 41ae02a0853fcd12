//! `etude report`: run folders as tables on the terminal.

use std::path::{Path, PathBuf};

use clap::Args;
use etude::report::{Results, to_text};

use super::failure::Failure;
use super::table::write_stdout;

/// Show the results in run folders
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude report results/klondike-casino")]
pub struct Report {
    /// The run folders
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
}

impl Report {
    pub fn run(self) -> Result<(), Failure> {
        for (number, folder) in self.folders.iter().enumerate() {
            if number > 0 {
                write_stdout(b"\n")?;
            }
            print(folder)?;
        }
        Ok(())
    }
}

/// Prints the results in one folder.
pub fn print(folder: &Path) -> Result<(), Failure> {
    let results = Results::read(folder).map_err(|error| {
        Failure::usage(error).with_help("a run folder holds the files that `etude run` wrote")
    })?;
    write_stdout(to_text(&results).as_bytes())
}
