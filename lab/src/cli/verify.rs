//! `etude verify`: checks that the numbers in a run folder are what the experiment gives.

use std::path::PathBuf;

use crate::bench::BenchFolder;
use crate::job::Job;
use crate::task::{counted, parse_integer};
use clap::Args;

use super::Program;
use super::bench;
use super::experiment::Consent;
use super::failure::Failure;
use super::progress::Display;

/// Samples run again unless more or fewer are asked for.
pub const SAMPLES: u64 = 1000;

/// Rerun random samples, rebuild all tables, and check that they match exactly
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude verify results/klondike-casino --samples 5000

If the experiment uses programs, verify prints their commands and starts them. A \
folder that you did not make here needs --run-programs.")]
pub struct VerifyArguments {
    /// The run folder
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Run at least this many samples again (whole blocks)
    #[arg(long, value_name = "K", allow_negative_numbers = true, default_value_t = SAMPLES, value_parser = parse_integer)]
    pub samples: u64,
    #[command(flatten)]
    pub consent: Consent,
}

impl VerifyArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let benchmark = BenchFolder::at(&self.folder);
        if benchmark.is_one() {
            return bench::verify(program, &benchmark, self.samples, self.consent.run_programs);
        }
        self.verify(program).map(|_| ())
    }

    /// Checks the folder; returns its job if it is sound.
    pub fn verify(&self, program: &Program) -> Result<Job, Failure> {
        let folder = self.folder.display();
        let mut display = Display::of_rerun(&self.folder);
        let mut job = Job::of_folder(program, &self.folder, &mut display)?;
        job.starts_programs = self.consent.run_programs;
        let verified = job.verify(self.samples, &mut display)?;
        for fault in &verified.faults {
            note!("{folder}: {fault}");
        }
        let count = match verified.faults.len() {
            0 => {
                let again = counted(verified.samples, "sample");
                note!(
                    "{folder}: sound; {again} of each cell run again, {}",
                    verified.checks
                );
                if verified.is_partial {
                    let all = job.manifest.samples_done;
                    note!("  to run all again and rebuild the tables: --samples {all}");
                }
                return Ok(job);
            }
            1 => "one fault".to_owned(),
            more => format!("{more} faults"),
        };
        Err(Failure::failed(format!("{folder}: {count}"))
            .with_help("restore the folder from a copy, or repeat the run"))
    }
}
