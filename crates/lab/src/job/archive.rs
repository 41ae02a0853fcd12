//! Makes the folder of a finished run small enough to be kept with the source, and keeps its texts up to date.

use std::io;

use crate::run::StopReason;
use crate::store::{
    Exhibit, Manifest, RunFolder, archive, fingerprint_files, with_title, without_samples,
};
use experiment::Experiment;
use task::files::{self, SystemDisk};

use super::{Job, ResumeMode};
use task::Failure;

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
        folder.write("manifest.json", &self.manifest.to_json())
    }

    /// Writes the texts of the experiment into the `folder` of an archived run or of a race, where nothing else
    /// of the `stored` experiment differs. The tallies are gone, or the times cannot be taken again, but no
    /// number changes. Returns the reason for which that run is complete; `None`, and nothing is written, for
    /// any other folder.
    ///
    /// # Errors
    /// If a file cannot be read or written, or the sample to be shown cannot be drawn. The manifest comes last:
    /// whoever repeats the command writes what is missing.
    pub(super) fn reword(
        &mut self,
        folder: &RunFolder,
        stored: &Experiment,
        earlier: &Manifest,
    ) -> Result<Option<StopReason>, Failure> {
        if self.experiment.is_race() {
            // A look is remembered whatever the texts are.
            let looks = &stored.file.extended_from;
            self.experiment.file.extended_from.clone_from(looks);
        }
        let reason = earlier.exit_reason.completed();
        if reason.is_none() || !self.is_reworded(folder, stored, earlier)? {
            return Ok(None);
        }
        let mut files = Vec::new();
        files.extend(self.shown_sample(folder)?);
        let package = files::read(&folder.file("datapackage.json")).unwrap_or_default();
        let package = with_title(&package, &self.experiment.file.question);
        files.extend(package.map(|package| ("datapackage.json", package)));
        let config = self.experiment.resolved_toml();
        files.push(("config.toml", config.into_bytes()));
        self.manifest = earlier.clone();
        self.manifest.config_hash = self.experiment.digest();
        self.manifest.noun = self.experiment.noun().to_owned();
        for (name, bytes) in files {
            folder.write(name, &bytes)?;
            let hash = blake3::hash(&bytes).to_string();
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
        let is_same_cell = stored.exhibited_cell() == self.experiment.exhibited_cell();
        let is_shown = !self.compiled.is_external() || is_same_cell;
        if !(is_asked && is_shown && self.experiment.differs_in_texts_alone(stored)) {
            return Ok(false);
        }
        if self.experiment.is_race() {
            return Ok(earlier.config_hash != self.experiment.digest());
        }
        Ok(self.journal_in(folder.path())?.is_archived())
    }

    /// The sample that reports show, of the cell that the headline names, with the name of its file; `None`
    /// where the folder has no such sample, or other programs draw it.
    fn shown_sample(&self, folder: &RunFolder) -> Result<Option<(&'static str, Vec<u8>)>, Failure> {
        let path = folder.file(Exhibit::FILE);
        if !path.exists() || self.compiled.is_external() {
            return Ok(None);
        }
        let undrawn = || Failure::of_file(&path, io::Error::other("the sample cannot be drawn"));
        let exhibit = self.exhibit().ok_or_else(undrawn)?;
        Ok(Some((Exhibit::FILE, exhibit.into_packed().to_json())))
    }
}
