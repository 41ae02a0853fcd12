//! The one door to a folder that other sessions wrote: its manifest, and its files, each held against its hash.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::exhibit::Exhibit;
use super::machine::MACHINE;
use super::manifest::{Manifest, digest_in, is_large};
use super::tallies::TALLIES;
use crate::run::Ended;
use crate::tables::{TableRow, read_rows, standard_columns};
use base::{Failure, files, visible};
use experiment::ExperimentFile;
use task::{Application, Origin};

/// The folder of a run as its manifest describes it.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The folder.
    pub folder: PathBuf,
    /// Provenance, and the hashes of the files as they were written.
    pub manifest: Manifest,
}

/// The fault of a file that was edited.
const EDITED: &str = "it is not the file that was written (its hash differs)";
/// The fault of a file that was taken away.
const MISSING: &str = "the run wrote it, and it is missing";
const UNLISTED: &str = "manifest.json does not list it: the run has not ended, or did not write it";
/// The advice for a table that a run has yet to write.
const UNWRITTEN: &str =
    "wait for the run's end or, if it was killed, repeat its command with --resume, which goes on";
const RESTORE: &str =
    "restore the folder from a copy, or repeat the run; `etude verify` says all that was changed";

impl Stored {
    /// Reads the manifest of a folder.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let manifest = Manifest::read(&folder.join("manifest.json")).map_err(|error| {
            Failure::failed(format!("{}: manifest.json: {error}", folder.display()))
                .with_help("restore it from a copy, or repeat the run")
        })?;
        let folder = folder.to_owned();
        Ok(Self { folder, manifest })
    }

    /// Reads the manifest of a folder whose tables this version wrote.
    ///
    /// # Errors
    /// If the folder holds no run or another version's, or its manifest cannot be read.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        if !folder.join("config.toml").is_file() {
            return Err(no_run(folder));
        }
        check_version(folder)?;
        Self::open(folder).map_err(|failure| Failure::usage(&failure).with_help(failure.help))
    }

    /// The path of a file as the run wrote it; `None` if the run wrote none of this name.
    ///
    /// # Errors
    /// If the file is another one, or cannot be read.
    pub(crate) fn file(&self, name: &str) -> Result<Option<PathBuf>, Failure> {
        let Some(hash) = self.manifest.files.get(name) else {
            return Ok(None);
        };
        match digest_in(&self.folder, name) {
            Ok(digest) if digest == *hash => Ok(Some(self.folder.join(name))),
            Ok(_) => Err(self.fault(name, EDITED)),
            Err(error) => Err(self.fault(name, error)),
        }
    }

    /// The path of a file that every run writes.
    ///
    /// # Errors
    /// If the file is another one, or cannot be read, or if the run wrote none.
    pub fn required(&self, name: &str) -> Result<PathBuf, Failure> {
        self.file(name)?.ok_or_else(|| self.fault(name, UNLISTED))
    }

    /// The rows of a table; none if the run wrote none.
    ///
    /// # Errors
    /// If the file is another one, or cannot be read, or if they are no rows of the table.
    pub fn rows<R: TableRow>(&self) -> Result<Vec<R>, Failure> {
        self.rows_by(read_rows)
    }

    /// The rows of a table as `read` takes them from its file; none if the run wrote none.
    ///
    /// # Errors
    /// As [`rows`](Self::rows).
    pub fn rows_by<R: TableRow>(
        &self,
        read: fn(&Path) -> io::Result<Vec<R>>,
    ) -> Result<Vec<R>, Failure> {
        let name = format!("{}.csv", R::TABLE);
        let path = self.file(&name)?;
        let rows = path.map_or(Ok(Vec::new()), |path| read(&path));
        rows.map_err(|error| self.fault(&name, error))
    }

    /// The sample that reports show; `None` if the run wrote none.
    ///
    /// # Errors
    /// If the file is another one, or cannot be read, or if it is no exhibit.
    pub fn exhibit(&self) -> Result<Option<Exhibit>, Failure> {
        let path = self.file(Exhibit::FILE)?;
        let exhibit = path.map_or(Ok(None), |path| Exhibit::read(&path));
        exhibit.map_err(|error| self.fault(Exhibit::FILE, error))
    }

    /// The names of the files among those that are `asked` for that are not those that were written. While a run goes
    /// on, or after it was killed, those that grow are not known.
    pub(crate) fn edited(&self, asked: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
        let files = self.manifest.files.iter();
        let known = files.filter(move |(name, _)| asked(name) && !self.grows(name));
        let is_own = |name: &str, hash: &String| {
            digest_in(&self.folder, name).is_ok_and(|digest| digest == *hash)
        };
        let edited = known.filter(move |(name, hash)| !is_own(name, hash));
        edited.map(|(name, _)| name.as_str())
    }

    /// The names of tables and of an exhibit that are there, and that the run did not write; while it goes on, of those
    /// that do not grow.
    pub fn foreign(&self) -> Vec<String> {
        let names = self.present_tables().chain([Exhibit::FILE.to_owned()]);
        let is_listed = |name: &String| self.manifest.files.contains_key(name);
        names
            .filter(|name| self.is_there(name) && !is_listed(name) && !self.grows(name))
            .collect()
    }

    /// Returns whether a file still grows, as some do while a session goes on.
    fn grows(&self, name: &str) -> bool {
        self.is_open() && (is_large(name) || name == MACHINE)
    }

    /// The files in the folder that are named like tables.
    pub(crate) fn present_tables(&self) -> impl Iterator<Item = String> {
        let names = standard_columns().map(|(table, _)| format!("{table}.csv"));
        names.filter(|name| self.is_there(name))
    }

    pub(crate) fn is_there(&self, name: &str) -> bool {
        self.folder.join(name).symlink_metadata().is_ok()
    }

    /// Returns whether a session goes on, or was killed.
    pub(crate) fn is_open(&self) -> bool {
        self.manifest.exit_reason == Ended::Running
    }

    /// Refuses a folder if one of the files that are `asked` for is not the one that was written.
    ///
    /// # Errors
    /// If one is not.
    pub fn check(&self, asked: impl Fn(&str) -> bool) -> Result<(), Failure> {
        let edited = self.edited(asked).next();
        edited.map_or(Ok(()), |name| Err(self.fault(name, self.damage(name))))
    }

    /// The way in which a file is not the one that was written.
    pub(crate) fn damage(&self, name: &str) -> &'static str {
        if self.is_there(name) { EDITED } else { MISSING }
    }

    /// Refuses a folder with any file that is not the one that was written, or whose manifest the experiment
    /// contradicts.
    ///
    /// # Errors
    /// If it is one.
    pub(crate) fn check_whole(&self, experiment: &ExperimentFile) -> Result<(), Failure> {
        self.check(|_| true)?;
        if self.is_open() {
            return Ok(());
        }
        self.check_manifest(experiment)
    }

    /// Refuses a manifest that the experiment contradicts.
    ///
    /// # Errors
    /// If it does.
    pub fn check_manifest(&self, experiment: &ExperimentFile) -> Result<(), Failure> {
        let fault = self.manifest.contradiction(experiment);
        fault.map_or(Ok(()), |fault| Err(self.fault("manifest.json", fault)))
    }

    /// The failure of one of its files.
    pub fn fault(&self, name: &str, fault: impl Display) -> Failure {
        let path = self.folder.join(name);
        let is_unwritten = self.is_open() && !self.is_there(name);
        let help = if is_unwritten { UNWRITTEN } else { RESTORE };
        Failure::input(path.display().to_string(), fault, help)
    }
}

/// Returns whether a folder has the journal of a run, or a manifest of this or another version.
pub fn holds_run(folder: &Path) -> bool {
    folder.join("blocks.csv").symlink_metadata().is_ok() || version_of(folder).is_some()
}

/// Refuses a folder whose tables another version of etude wrote: no other format is read.
fn check_version(folder: &Path) -> Result<(), Failure> {
    match version_of(folder) {
        Some(version) if version != Application::LABORATORY => {
            let (path, theirs) = (folder.display(), visible(&version));
            let message = format!(
                "{path}: etude {theirs} wrote this folder, and this version does not read its format"
            );
            let help = if is_kept(folder) {
                format!(
                    "etude run {path}/config.toml --resume makes its tables anew; no sample is drawn"
                )
            } else {
                "run its experiment anew, in another folder, or read it with that version"
                    .to_owned()
            };
            Err(Failure::usage(message).with_help(help))
        }
        _ => Ok(()),
    }
}

/// Refuses a folder of which another version of etude wrote the tables, unless they can be made anew.
pub(crate) fn check_readable(folder: &Path) -> Result<(), Failure> {
    if is_kept(folder) {
        return Ok(());
    }
    check_version(folder)
}

/// Returns whether a folder has the sums that tables are made of.
fn is_kept(folder: &Path) -> bool {
    folder.join(TALLIES).is_file()
}

/// The version of etude that wrote the tables in a folder; `None` where no manifest names one.
fn version_of(folder: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Version {
        etude_version: String,
        #[serde(default)]
        tables_by: Option<Origin>,
    }
    let manifest = files::read_text(&folder.join("manifest.json")).ok()?;
    let version: Version = serde_json::from_str(&manifest).ok()?;
    let laboratory = |made: Origin| Some(made.program.rsplit_once(' ')?.1.replace(')', ""));
    let tables = version.tables_by.map(laboratory);
    tables.unwrap_or(Some(version.etude_version))
}

/// Returns the failure of a folder that holds no run, with advice what to type instead.
pub(crate) fn no_run(folder: &Path) -> Failure {
    let path = folder.display();
    let entries = || std::fs::read_dir(folder).into_iter().flatten().flatten();
    let within = entries().map(|entry| entry.path());
    let run = within
        .filter(|path| path.join("config.toml").is_file())
        .min();
    let is_table = |path: &Path| path.extension().is_some_and(|e| e == "csv");
    let (what, help) = match run {
        None if folder.join("blocks.csv").exists() || folder.join("manifest.json").exists() => (
            "config.toml is missing from this run folder",
            "put it back: it says what the numbers in the other files mean".to_owned(),
        ),
        _ if !folder.exists() => (
            "not a run folder: it does not exist",
            "give the folder that `etude run` wrote, such as results/NAME".to_owned(),
        ),
        Some(run) => (
            "not a run folder, but it contains run folders",
            format!("give one of them, such as {}", run.display()),
        ),
        None if entries().any(|entry| is_table(&entry.path())) => (
            "tables that were not made by `etude run`",
            "read the CSV files directly; results/README.md names the command that makes them"
                .to_owned(),
        ),
        None => (
            "not a run folder",
            "a run folder contains the files that `etude run` wrote, such as config.toml"
                .to_owned(),
        ),
    };
    Failure::usage(format!("{path}: {what}")).with_help(help)
}
