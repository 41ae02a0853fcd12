//! `etude archive`: makes the folder of a finished run small enough to be kept with the source.

use std::path::{Path, PathBuf};

use clap::Args;
use lab::Job;
use lab::store::RunFolder;

use super::Application;
use super::experiment_arguments::Leave;
use super::failure::Failure;
use super::progress::Display;
use super::verify::{self, VerifyArguments};

/// Make a finished run's folder small: merge the tallies of its blocks and compress pictures
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude archive results/klondike-casino

The folder is verified first, and one that is not sound is left as it is. The tables stay as they \
are. Beside the hashes of blocks, tallies.csv keeps the sums that all tables are made of: etude run FILE \
--resume, or etude bench FILE --resume for a race, makes them anew with the program as it is now, \
and with the texts in FILE, and draws nothing. `etude verify` runs blocks again from the seed, compares their hashes, \
and makes every table anew. An archived run cannot be extended, because that needs the tally of each block.")]
pub(crate) struct ArchiveArguments {
    /// The run folders
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Drop samples.csv as well
    #[arg(long)]
    drop_samples: bool,
    /// Run at least this many samples again before anything is changed (whole blocks)
    #[arg(long, value_name = "K", allow_negative_numbers = true, default_value_t = verify::SAMPLES, value_parser = verify::positive)]
    samples: u64,
    #[command(flatten)]
    leave: Leave,
}

impl ArchiveArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        let mut folders = self.folders.iter();
        folders.try_for_each(|path| self.archive(app, path))
    }

    /// Refuses a folder that is not sound, because only its tallies could repair it.
    fn archive(&self, app: &Application, path: &Path) -> Result<(), Failure> {
        let folder = RunFolder::open(path)?;
        Job::of_folder(app, path, &mut Display::default())?.finish_archive(&folder)?;
        let verify = VerifyArguments {
            folder: path.to_owned(),
            samples: self.samples,
            blocks: None,
            leave: self.leave,
        };
        let verified = verify.verify(app);
        let refused = |_: &Failure| note!("{}: nothing was archived", path.display());
        let mut job = verified.inspect_err(refused)?;
        job.archive(&folder, self.drop_samples)?;
        note!("{}: archived", path.display());
        Ok(())
    }
}
