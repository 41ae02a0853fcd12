//! Makes the tables of a complete run anew, without drawing: those of an archived run from its kept sums, those of a
//! race from its times too.

use std::collections::BTreeMap;

use super::Job;
use super::changes::{FileChange, told};
use super::final_tables::FinalTables;
use super::finished::FinishedRun;
use super::step::Sources;
use crate::run::{Ended, Observer, RunTallies, StopReason};
use crate::store::{
    CLOCK, Exhibit, Journal, MACHINE, Manifest, RunFolder, TALLIES, holds_race, read_tallies,
};
use base::{Failure, files};
use task::Origin;

/// The files of which all others are made, and those that only drawing makes.
const SOURCES: [&str; 6] = [
    "blocks.csv",
    TALLIES,
    "samples.csv",
    "timings.csv",
    CLOCK,
    MACHINE,
];

impl Job {
    /// The sums of the run in the folder: those that an archive has kept, or those of the blocks in `journal`.
    ///
    /// # Errors
    /// If they are not there, or cannot be those of the run.
    pub(super) fn tallies(&self, journal: &Journal) -> Result<RunTallies, Failure> {
        if !journal.is_archived() {
            return journal.tallies().map_err(|error| self.unreadable(&error));
        }
        let path = self.folder.join(TALLIES);
        if !path.exists() {
            let path = self.folder.display();
            let message = format!(
                "{path}: {TALLIES} is missing, the sums that the tables of an archived run are made of"
            );
            return Err(Failure::failed(message)
                .with_help("restore it from a copy, or draw the samples again with --force"));
        }
        let samples = journal.hashed_blocks().map(|block| block.samples).sum();
        read_tallies(&path, &self.schema(), samples)
    }

    /// The files in the folder of a complete run of which its tables can be made anew without drawing.
    pub(super) fn sources(&self) -> Sources {
        if self.manifest.exit_reason.completed().is_none() {
            return Sources::None;
        }
        let journal = self.journal_in(&self.folder).ok();
        let has_times = holds_race(&self.folder);
        let is_kept = |journal: &Journal| has_times || journal.is_archived();
        let Some(journal) = journal.filter(is_kept) else {
            return Sources::None;
        };
        // What a journal lacks can be drawn, but not the times that lie beside it.
        let is_lost = |name: &str| name != "blocks.csv" && SOURCES.contains(&name);
        match self.check_sources(&journal) {
            Ok(()) => Sources::Intact,
            Err(edited) if journal.is_archived() || self.stored().check(is_lost).is_err() => {
                Sources::Edited(edited)
            }
            Err(_) => Sources::None,
        }
    }

    /// Makes every table in the `folder` of a run anew that is complete for a reason, and says what changed.
    ///
    /// # Errors
    /// If a file cannot be read or written. The manifest comes last: whoever repeats the command writes what is
    /// missing.
    pub(super) fn remake(
        mut self,
        folder: &RunFolder,
        (reason, earlier): (StopReason, Option<Manifest>),
        observer: &mut dyn Observer,
    ) -> Result<FinishedRun, Failure> {
        let earlier = earlier.unwrap_or_default();
        self.manifest = earlier.clone();
        let journal = self.journal_in(folder.path())?;
        let changes = self.write_anew(folder, &journal)?;
        self.note_made_anew(folder, &earlier)?;
        let path = folder.path().display();
        observer.note(&match changes.as_slice() {
            [] => format!(
                "{path}: already complete; its tables are those that this program makes, so nothing was changed"
            ),
            changes => format!("{path}: made anew, no sample was drawn: {}", told(changes)),
        });
        let ended = Ended::Complete(reason);
        Ok(FinishedRun { job: self, ended })
    }

    /// Refuses a folder in which a file that cannot be made anew is not the one that was written.
    fn check_sources(&self, journal: &Journal) -> Result<(), Failure> {
        if journal.is_archived() {
            self.check_archive()?;
        }
        self.stored().check(|name| SOURCES.contains(&name))
    }

    /// Refuses a folder whose archive was killed: its manifest does not list the journal.
    pub(super) fn check_archive(&self) -> Result<(), Failure> {
        let is_complete = self.manifest.exit_reason.completed().is_some();
        if !is_complete || self.manifest.files.contains_key("blocks.csv") {
            return Ok(());
        }
        let path = self.folder.display();
        Err(
            Failure::usage(format!("{path}: its archive was interrupted"))
                .with_help(format!("etude archive {path} finishes it")),
        )
    }

    /// Writes every file in the `folder` that differs from the one that is made of the sums.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub(super) fn write_anew(
        &self,
        folder: &RunFolder,
        journal: &Journal,
    ) -> Result<Vec<FileChange>, Failure> {
        let tallies = self.tallies(journal)?;
        let exhibit = files::read(&folder.file(Exhibit::FILE)).unwrap_or_default();
        let tables = FinalTables {
            exhibit: self.compiled.is_external().then_some(exhibit),
            ..FinalTables::of(self)
        };
        let changes = self.changes(&tables, journal, &tallies)?;
        for change in &changes {
            match &change.made {
                Some(bytes) => folder.write(&change.name, bytes)?,
                None => folder.remove(&change.name)?,
            }
        }
        Ok(changes)
    }

    /// Writes the manifest of a run whose tables were made anew: who made them beside who drew the samples.
    fn note_made_anew(&mut self, folder: &RunFolder, earlier: &Manifest) -> Result<(), Failure> {
        let tables = |files: &BTreeMap<String, String>| {
            let tables = files.iter().filter(|(name, _)| name.ends_with(".csv"));
            tables
                .map(|(name, hash)| (name.clone(), hash.clone()))
                .collect::<Vec<_>>()
        };
        let files = self.own_files(folder)?;
        let manifest = &mut self.manifest;
        manifest.config_hash = self.experiment.digest();
        manifest.noun = self.experiment.noun().to_owned();
        manifest.files = files;
        if tables(&manifest.files) != tables(&earlier.files) {
            let own = Origin::now(&self.app);
            let drawn = (manifest.versions(), &manifest.git_revision);
            let is_other = (own.program.clone(), &own.revision) != drawn;
            manifest.tables_by = Some(own).filter(|_| is_other);
        }
        if manifest == earlier {
            return Ok(());
        }
        folder.write("manifest.json", &manifest.to_json())
    }
}
