//! Makes the folder of a finished run small enough to be kept with the source, with the sums of its blocks in it.

use crate::store::{Exhibit, RunFolder, Stored, TALLIES, archive, tallies_csv};

use super::Job;
use base::Failure;

impl Job {
    /// Replaces the tallies in the run's `folder` by their hashes, beside their sums, of which all tables can be made
    /// anew, and compresses its pictures; the samples are dropped if asked for. Only a folder that is sound can be
    /// archived.
    ///
    /// The manifest says first that the journal may change, and last what it has become: where this was
    /// killed between, [`finish_archive`](Self::finish_archive) ends it.
    ///
    /// # Errors
    /// If the run is not complete, the journal is damaged, or a file cannot be written.
    pub fn archive(&mut self, folder: &RunFolder, drop_samples: bool) -> Result<(), Failure> {
        let path = folder.path().display();
        if self.manifest.exit_reason.completed().is_none() {
            return Err(Failure::usage(format!("{path}: the run is not complete"))
                .with_help("finish it with `etude run ... --resume`"));
        }
        let shard = self.manifest.shard;
        if !shard.is_whole() {
            let message =
                format!("{path}: shard {shard} of a run, which could not be merged any more");
            return Err(
                Failure::usage(message).with_help("merge all shards, and archive what that makes")
            );
        }
        let journal = self.journal_in(folder.path())?;
        let file = folder.file("blocks.csv");
        let failed = |error| Failure::of_file(&file, error);
        if !journal.is_sealed() {
            return Err(Failure::failed(format!("{path}: the journal is damaged"))
                .with_help("`etude verify` says where"));
        }
        // It may refuse, so nothing is changed before it.
        let hashed = archive(&journal).map_err(failed)?;
        let tallies = tallies_csv(&self.tallies(&journal)?, &self.schema());
        folder.write(TALLIES, tallies.as_bytes())?;
        for name in ["blocks.csv", "samples.csv", Exhibit::FILE] {
            self.manifest.files.remove(name);
        }
        folder.write("manifest.json", &self.manifest.to_json())?;
        folder.write("blocks.csv", hashed.as_bytes())?;
        if drop_samples {
            folder.remove("samples.csv")?;
        }
        self.end_archive(folder)
    }

    /// Ends what an [`archive`](Self::archive) that was killed has begun, if the folder is one of these.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn finish_archive(&mut self, folder: &RunFolder) -> Result<(), Failure> {
        self.manifest = Stored::open(folder.path())?.manifest;
        if self.check_archive().is_ok() {
            return Ok(());
        }
        self.end_archive(folder)
    }

    /// Writes the pictures and all that follows from the sums, and the manifest last.
    fn end_archive(&mut self, folder: &RunFolder) -> Result<(), Failure> {
        self.write_anew(folder, &self.journal_in(folder.path())?)?;
        let exhibit = Exhibit::read(&folder.file(Exhibit::FILE));
        let exhibit =
            exhibit.map_err(|error| Failure::of_file(&folder.file(Exhibit::FILE), error))?;
        if let Some(exhibit) = exhibit {
            folder.write(Exhibit::FILE, &exhibit.into_packed().to_json())?;
        }
        self.manifest.files = self.own_files(folder)?;
        folder.write("manifest.json", &self.manifest.to_json())
    }
}
