//! Makes the folder of a finished run small enough to be kept with the source.

use crate::files::{self, SystemDisk};
use crate::store::{Exhibit, RunFolder, archive, fingerprint_files, without_samples};

use super::Job;
use crate::failure::Failure;

impl Job {
    /// Replaces the tallies in the run's `folder` by their hashes and compresses its pictures; the
    /// samples are dropped if asked for. Only a folder that is sound can be archived. The exhibit is
    /// drawn again, so that its pictures are those of this version.
    ///
    /// # Errors
    /// If the run is not complete, the journal is damaged, or a file cannot be written.
    pub fn archive(&mut self, folder: &RunFolder, drop_samples: bool) -> Result<(), Failure> {
        let path = folder.path().display();
        if self.manifest.exit_reason.completed().is_none() {
            return Err(Failure::usage(format!("{path}: the run is not complete"))
                .with_help("finish it with `etude run ... --resume`"));
        }
        let journal = self.journal_in(folder.path())?;
        let file = folder.file("blocks.csv");
        let failed = |error| Failure::of_file(&file, error);
        if !journal.is_sealed() {
            return Err(Failure::failed(format!("{path}: the journal is damaged"))
                .with_help("`etude verify` says where"));
        }
        // It may refuse, so nothing is changed before it.
        archive((&SystemDisk, &file), &journal).map_err(failed)?;
        let stored = Exhibit::read(&folder.file(Exhibit::FILE)).map_err(failed)?;
        if let Some(exhibit) = self.exhibit().or(stored) {
            folder.write(Exhibit::FILE, &exhibit.into_packed().to_json())?;
        }
        if drop_samples {
            let package = files::read(&folder.file("datapackage.json")).unwrap_or_default();
            if let Some(package) = without_samples(&package) {
                folder.write("datapackage.json", &package)?;
            }
            folder.remove("samples.csv")?;
        }
        self.manifest.files = fingerprint_files(folder.path()).unwrap_or_default();
        Ok(folder.write("manifest.json", &self.manifest.to_json())?)
    }
}
