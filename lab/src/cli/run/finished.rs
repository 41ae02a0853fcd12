//! The messages at the end of a run, and its exit code.

use std::path::PathBuf;

use crate::config::Experiment;
use crate::harness::{Ended, Plan};
use crate::output::RunFolder;
use crate::report::{count, counted};

use crate::cli::failure::Failure;
use crate::cli::program::Program;
use crate::cli::{closing, report};

/// A run that has ended, one way or another.
pub struct Finished {
    pub program: Program,
    pub experiment: Experiment,
    pub folder: PathBuf,
    /// True if it was no shard.
    pub whole: bool,
    pub ended: Ended,
    /// Samples of each cell that are stored.
    pub done: u64,
    pub planned: u64,
}

impl Finished {
    /// The run of a program in a folder, how it ended, and the samples of each cell stored there.
    pub fn of(
        (program, folder): (&Program, &RunFolder),
        experiment: Experiment,
        plan: &Plan,
        (ended, done): (Ended, u64),
    ) -> Self {
        Self {
            program: *program,
            experiment,
            folder: folder.path().to_owned(),
            whole: plan.shard().is_whole(),
            ended,
            done,
            planned: plan.shard_samples(),
        }
    }

    /// Shows the tables of a run that is complete, and says how to go on with any other.
    pub fn conclude(self, quiet: bool) -> Result<(), Failure> {
        let folder = self.folder.display();
        let resume = format!("to continue: the same command with --resume; the folder is {folder}");
        let so_far = format!(
            "{} of {} are stored",
            count(self.done),
            counted(self.planned, "sample")
        );
        match self.ended {
            Ended::Complete | Ended::Settled(_) => self.conclude_complete(quiet),
            Ended::WaveEnd => {
                let name = self.program.name;
                note!("this shard's wave is done: {so_far}; {name} merge checks all shards");
                Ok(())
            }
            Ended::Interrupted => {
                Err(Failure::interrupted(format!("interrupted: {so_far}")).with_help(resume))
            }
            Ended::Aborted(blocks) => Err(Failure::interrupted(format!(
                "stopped immediately: {so_far}; {} in progress count as unresolved in the tables",
                blocks.iter().map(|block| block.samples).sum::<u64>()
            ))
            .with_help(resume)),
            Ended::Fault(fault) => {
                let config = format!("{folder}/config.toml");
                let cell = &self.experiment.cells[fault.cell].name;
                let replay = self.program.replay_line(&config, cell, fault.sample);
                let fault = fault.in_cell(cell);
                // What a program wrote to its standard error may follow the first line.
                let (what, rest) = fault.split_once('\n').unwrap_or((&fault, ""));
                let message = format!("{what} ({so_far})\n{rest}");
                Err(Failure::failed(message.trim_end())
                    .with_help(format!("to see it alone: {replay}")))
            }
            Ended::Unstored(error) => {
                Err(Failure::failed(format!("{error} ({so_far})")).with_help(resume))
            }
        }
    }

    /// Shows what was found and, where the run was to stop early, why it stopped.
    fn conclude_complete(&self, quiet: bool) -> Result<(), Failure> {
        if !quiet {
            report::print(&self.folder)?
        } else {
            report::warn(&report::read(&self.folder)?)
        }
        let done = self.done;
        match self.ended {
            Ended::Settled(reason) => {
                note!(
                    "stopped after {done} samples of each cell: {}",
                    reason.name()
                );
                Ok(())
            }
            _ if self.experiment.stop.looks() && self.whole => Err(closing::inconclusive(done)),
            _ => Ok(()),
        }
    }
}
