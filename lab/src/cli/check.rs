//! `etude check`: is an experiment file sound?

use crate::config::Overrides;
use clap::Args;

use super::experiment::load;
use super::failure::Failure;
use super::program::Program;

/// Validate experiment files without running them
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude check experiments/curated/*.toml")]
pub struct Check {
    /// The experiment files (TOML)
    #[arg(required = true, value_name = "EXPERIMENT")]
    files: Vec<String>,
}

impl Check {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let mut wrong = 0;
        for file in &self.files {
            match load(program, file, &Overrides::default()) {
                Ok(experiment) => eprintln!(
                    "{file}: sound ({}, {})",
                    experiment.task.name,
                    cells(experiment.cells.len())
                ),
                Err(failure) => {
                    failure.tell();
                    wrong += 1;
                }
            }
        }
        if wrong == 0 {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "{wrong} of {} experiment files cannot be run",
            self.files.len()
        )))
    }
}

fn cells(count: usize) -> String {
    if count == 1 {
        "1 cell".into()
    } else {
        format!("{count} cells")
    }
}
