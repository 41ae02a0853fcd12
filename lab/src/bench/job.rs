//! A benchmark as a whole: it opens or goes on with a folder, races, and writes the tables.
//!
//! It prints nothing and ends no process: what a person may want to see is told to a
//! [`RaceObserver`](super::session::RaceObserver).

use std::path::Path;

use super::drive::{RaceCourse, drive};
use super::folder::{BenchFolder, BenchManifest, BenchProgram};
use super::race::Raced;
use super::setting::{BenchContender, Setting};
use crate::experiment::ContenderTable;
use crate::files;
use crate::job::{Failure, Program, ResumeMode};
use crate::store::STREAM_SCHEME;

/// A benchmark that is ready to be raced, and the folder that it goes to.
pub struct BenchJob {
    /// The program that the manifest names.
    pub program: Program,
    /// The contenders, and how they are measured.
    pub setting: Setting,
    /// The folder.
    pub folder: BenchFolder,
    /// Threads that measure side by side; one unless set.
    pub threads: u16,
    /// The wish for a benchmark that is in the folder already.
    pub mode: ResumeMode,
}

impl BenchJob {
    /// The benchmark of a setting, in `results/NAME-bench`.
    pub fn of(program: &Program, setting: Setting) -> Self {
        let name = format!("{}-bench", setting.experiment.file.name);
        Self {
            program: *program,
            folder: BenchFolder::at(&Path::new("results").join(name)),
            setting,
            threads: 1,
            mode: ResumeMode::default(),
        }
    }

    /// Has all contenders answer one instance, and writes nothing.
    ///
    /// # Errors
    /// If a contender does not answer.
    pub fn answer(&self, instance: u64) -> Result<Raced, Failure> {
        let mut seen = Raced::default();
        let course = RaceCourse {
            first: instance,
            end: instance + 1,
            rounds: Some(1),
            threads: 1,
        };
        drive(&self.setting, course, |_, measured| {
            seen = measured;
            true
        })?;
        Ok(seen)
    }

    pub(super) fn manifest(&self) -> BenchManifest {
        let experiment = &self.setting.experiment;
        let contenders = self.setting.contenders.iter();
        let programs = contenders.filter_map(|one| self.program_of(one, one.program.as_ref()?));
        let programs: Vec<BenchProgram> = programs.collect();
        let folders = self.setting.program_folders().into_iter();
        let folders = folders.filter_map(|folder| Path::new(".").join(folder).canonicalize().ok());
        let folders = folders.filter(|_| !programs.is_empty());
        let program_folders = folders.map(|folder| folder.to_string_lossy().into_owned());
        BenchManifest {
            benchmark: experiment.file.name.clone(),
            etude_version: Program::LABORATORY.to_owned(),
            git_revision: self.program.revision.map(str::to_owned),
            config_hash: experiment.digest(),
            fingerprint: experiment.fingerprint(),
            stream_scheme: STREAM_SCHEME.to_owned(),
            program_folders: program_folders.collect(),
            programs,
            exit_reason: "running".to_owned(),
            ..BenchManifest::default()
        }
    }

    fn program_of(
        &self,
        contender: &BenchContender,
        table: &ContenderTable,
    ) -> Option<BenchProgram> {
        let folders = self.setting.program_folders();
        let hash = |name: &String| {
            let mut folders = folders.iter();
            let found = folders.find_map(|folder| files::digest(&folder.join(name)).ok());
            (name.clone(), found.unwrap_or_default())
        };
        Some(BenchProgram {
            contender: contender.name.clone(),
            argv: table.argv()?.clone(),
            hash: self.setting.program_hash(table),
            files: table.files.iter().map(hash).collect(),
        })
    }
}
