//! Makes the folder of a finished run small enough to be kept with the source.

use crate::experiment::Experiment;
use crate::files::{self, SystemDisk, digest};
use crate::run::StopReason;
use crate::store::{
    Exhibit, Manifest, RunFolder, archive, fingerprint_files, with_title, without_samples,
};

use super::{Job, ResumeMode};
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
        if let Some(stored) = stored {
            let exhibit = self.exhibit().unwrap_or(stored);
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
    /// Writes the texts of the experiment into the `folder` of an archived run or of a race, where nothing else
    /// of the `stored` experiment differs: what the tables were made of is gone or was another moment's, but no
    /// number is another. Returns the reason for which that run is complete; `None`, and nothing is written, for
    /// any other folder.
    ///
    /// # Errors
    /// If a file cannot be read or written. Going on writes what is missing.
    pub(super) fn reword(
        &mut self,
        folder: &RunFolder,
        stored: &Experiment,
        earlier: &Manifest,
    ) -> Result<Option<StopReason>, Failure> {
        let shows_other = shows_other_cell(stored, &self.experiment);
        let reason = earlier.exit_reason.completed();
        if reason.is_none() || !self.is_reworded(folder, stored, earlier)? {
            return Ok(None);
        }
        let config = self.experiment.resolved_toml();
        let mut files = vec![("config.toml", config.into_bytes())];
        let package = files::read(&folder.file("datapackage.json")).unwrap_or_default();
        let package = with_title(&package, &self.experiment.file.question);
        files.extend(package.map(|package| ("datapackage.json", package)));
        if shows_other && folder.file(Exhibit::FILE).exists() {
            let exhibit = self.exhibit();
            files.extend(exhibit.map(|one| (Exhibit::FILE, one.into_packed().to_json())));
        }
        self.manifest = earlier.clone();
        self.manifest.config_hash = self.experiment.digest();
        for (name, bytes) in files {
            folder.write(name, &bytes)?;
            let path = folder.file(name);
            let hash = digest(&path).map_err(|error| Failure::of_file(&path, error))?;
            self.manifest.files.insert(name.to_owned(), hash);
        }
        folder.write("manifest.json", &self.manifest.to_json())?;
        Ok(reason)
    }

    /// Returns whether the folder holds the numbers of this experiment with other texts, and they can be changed
    /// without the tallies. No program is started to show another sample.
    fn is_reworded(
        &self,
        folder: &RunFolder,
        stored: &Experiment,
        earlier: &Manifest,
    ) -> Result<bool, Failure> {
        let is_asked = self.mode == ResumeMode::Resume && earlier.shard == self.plan.shard();
        let is_shown = !self.compiled.is_external() || !shows_other_cell(stored, &self.experiment);
        if !(is_asked && is_shown && self.experiment.differs_in_texts_alone(stored)) {
            return Ok(false);
        }
        if self.experiment.is_race() {
            return Ok(earlier.config_hash != self.experiment.digest());
        }
        Ok(self.journal_in(folder.path())?.is_archived())
    }
}

/// Returns whether the sample that reports show is one of another cell: it is of the cell that the headline names.
fn shows_other_cell(stored: &Experiment, asked: &Experiment) -> bool {
    stored.exhibited_cell() != asked.exhibited_cell()
}
