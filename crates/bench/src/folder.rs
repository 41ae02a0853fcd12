//! The folder of a benchmark: what can be reproduced, and beside it, in `clock/`, what cannot.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::race::Raced;
use super::rows::{AnswerRow, answer_rows, work_header, work_lines};
use lab::experiment::{Overrides, Setting};
use lab::files::{self, SystemDisk, write_atomically};
use lab::job::{Failure, Program, read_experiment};
use lab::run::{Observer, Timing};
use lab::store::RunFolder;
use lab::tables::{ClockRow, Table, TableRow, read_whole_rows, row_lines};
use stats::{Confidence, Looks};

/// What a clock said, and what follows from it.
pub const CLOCK: [&str; 4] = [
    "clock.csv",
    "clock/claims.csv",
    "clock/growth.csv",
    "clock/speed.csv",
];
/// The files that can be reproduced.
pub const REPRODUCIBLE: [&str; 3] = ["answers.csv", "config.toml", "work.csv"];
/// The configuration.
pub const CONFIG: &str = "config.toml";
/// The metrics that describe work.
pub const WORK: &str = "work.csv";
/// The machine and its sessions.
pub const MACHINE: &str = "clock/machine.json";
/// The provenance of the reproducible part.
pub const MANIFEST: &str = "manifest.json";

/// The end of a benchmark, as its manifest names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr)]
#[strum(serialize_all = "kebab-case")]
pub enum RaceEnd {
    /// All instances were raced, or the rule is content.
    Complete,
    /// All instances were raced, and the rule is not content.
    Capped,
    /// A person stopped it.
    Interrupted,
    /// Two contenders gave different answers.
    Differing,
}

/// The advice for a benchmark that was cut short.
pub const GO_ON: &str = "`etude bench` with the same arguments and --resume goes on";

/// A folder that a benchmark wrote, or is going to.
#[derive(Clone, Debug)]
pub struct BenchFolder {
    /// Its path.
    pub path: PathBuf,
}

/// The provenance of the answers: all that does not depend on a clock.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct BenchManifest {
    /// The experiment's name.
    pub benchmark: String,
    /// The version of etude.
    pub etude_version: String,
    /// The revision it was built from, where known.
    pub git_revision: Option<String>,
    /// The hash of the resolved configuration.
    pub config_hash: String,
    /// The hash of what determines the instances.
    pub fingerprint: String,
    /// The derivation of streams.
    pub stream_scheme: String,
    /// Instances that all contenders answered.
    pub instances: u64,
    /// Numbers of instances at which its results could be seen before it was extended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extended_from: Vec<u64>,
    /// `complete`, `capped`, `interrupted`, `differing`; `running` while it goes on.
    pub exit_reason: String,
    /// The programs of contenders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<BenchProgram>,
    /// The folders that these programs may be in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub program_folders: Vec<String>,
    /// BLAKE3 of the other files.
    pub files: BTreeMap<String, String>,
}

/// A program of a contender.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct BenchProgram {
    /// The contender.
    pub contender: String,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// BLAKE3 of the program's file.
    pub hash: String,
    /// BLAKE3 of the files that it is made of.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

impl BenchManifest {
    /// The end that it tells of; `None` of a benchmark that goes on, or was killed.
    pub fn end(&self) -> Option<RaceEnd> {
        self.exit_reason.parse().ok()
    }

    /// The confidence of its intervals: of one look, unless a rule looks or somebody may have looked.
    pub fn confidence(&self, setting: &Setting) -> Confidence {
        let is_looked_at = setting.experiment.file.stop.ratio.is_some()
            || matches!(self.end(), None | Some(RaceEnd::Interrupted))
            || !self.extended_from.is_empty();
        if is_looked_at {
            self.watched(setting)
        } else {
            setting.experiment.level.into()
        }
    }

    /// The confidence of someone who looks while it goes on.
    pub fn watched(&self, setting: &Setting) -> Confidence {
        let first = self.extended_from.first().copied();
        let most = setting.instances.max(1);
        let planned = first.unwrap_or((most / 10).max(100).min(most));
        Confidence {
            level: setting.experiment.level,
            looks: Looks::Many { planned },
        }
    }
}

impl BenchFolder {
    /// The folder at a path.
    pub fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// The folder at a path, if a benchmark wrote it.
    pub fn find(path: &Path) -> Option<Self> {
        Some(Self::at(path)).filter(Self::is_one)
    }

    /// Returns whether a benchmark wrote it.
    pub fn is_one(&self) -> bool {
        self.file_of::<ClockRow>().is_file() || self.path.join(MACHINE).is_file()
    }

    /// The setting of the benchmark that wrote it.
    ///
    /// # Errors
    /// If its `config.toml` cannot be read.
    pub fn setting(
        &self,
        program: &Program,
        observer: &mut dyn Observer,
    ) -> Result<Setting, Failure> {
        let path = self.path.join(CONFIG);
        let (path, overrides) = (path.to_string_lossy(), Overrides::default());
        Setting::of(read_experiment(program, &path, &overrides, observer)?)
    }

    /// The file of a table.
    fn file_of<R: TableRow>(&self) -> PathBuf {
        self.path.join(format!("{}.csv", R::TABLE))
    }

    /// The rows of one of its tables; none of a table that is not there. The half of a row at the end,
    /// which a process left that was killed while it wrote, is none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn rows<R: TableRow>(&self) -> Result<Vec<R>, Failure> {
        let path = self.file_of::<R>();
        if !path.exists() {
            return Ok(Vec::new());
        }
        read_whole_rows(&path).map_err(|error| Failure::of_file(&path, error))
    }

    /// The timings up to the last instance that is whole, and the instance after it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn timings(&self, setting: &Setting) -> Result<(Vec<Timing>, u64), Failure> {
        let rows = self.rows::<ClockRow>()?.into_iter();
        let timings = rows.filter_map(|row| row.timing(setting)).collect();
        Ok(whole(timings, setting.entrants().count()))
    }

    /// The value of one of its JSON files.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T, Failure> {
        let path = self.path.join(name);
        let bytes = files::read(&path).map_err(|error| Failure::of_file(&path, error))?;
        serde_json::from_slice(&bytes).map_err(|error| Failure::of_file(&path, error))
    }

    /// Its manifest; an empty one of a benchmark that was killed before it wrote it.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    pub fn manifest(&self) -> Result<BenchManifest, Failure> {
        if self.path.join(MANIFEST).exists() {
            return self.json(MANIFEST);
        }
        Ok(BenchManifest::default())
    }

    /// Writes one of its files, all at once.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.path.join(name);
        let folder = path.parent().unwrap_or(&self.path);
        std::fs::create_dir_all(folder)
            .and_then(|()| write_atomically(&SystemDisk, &path, bytes))
            .map_err(|error| Failure::of_file(&path, error))
    }

    /// Writes one of its tables.
    ///
    /// # Errors
    /// As [`BenchFolder::write`].
    pub fn write_rows<R: TableRow>(&self, rows: Vec<R>) -> Result<(), Failure> {
        self.write(&format!("{}.csv", R::TABLE), Table::of(rows).to_csv())
    }

    /// Writes one of its JSON files.
    ///
    /// # Errors
    /// As [`BenchFolder::write`].
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value).map_err(Failure::failed)?;
        self.write(name, (text + "\n").as_bytes())
    }

    /// Writes the manifest with the hashes of all files.
    ///
    /// # Errors
    /// As [`BenchFolder::write`].
    pub fn seal(&self, manifest: &mut BenchManifest) -> Result<(), Failure> {
        let is_there = |name: &&str| self.path.join(name).exists();
        for name in REPRODUCIBLE.into_iter().chain(CLOCK).filter(is_there) {
            let path = self.path.join(name);
            let hash = files::digest(&path).map_err(|error| Failure::of_file(&path, error))?;
            manifest.files.insert(name.to_owned(), hash);
        }
        self.write_json(MANIFEST, manifest)
    }

    /// Removes what a benchmark wrote.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn clear(&self) -> Result<(), Failure> {
        let names = [MACHINE, MANIFEST].into_iter().chain(REPRODUCIBLE);
        let paths = names.chain(CLOCK).map(|name| self.path.join(name));
        for path in paths.filter(|path| path.exists()) {
            std::fs::remove_file(&path).map_err(|error| Failure::of_file(&path, error))?;
        }
        Ok(())
    }

    /// Cuts a table that grows by every instance before this one; returns its file, to be added to.
    fn cut(&self, name: &str, header: &[u8], next: u64) -> Result<File, Failure> {
        let path = self.path.join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let instance = |line: &str| line.split(',').next()?.parse::<u64>().ok();
        let is_kept = |line: &&str| {
            line.ends_with('\n') && instance(line).is_some_and(|instance| instance < next)
        };
        let kept = text.split_inclusive('\n').filter(is_kept);
        self.write(
            name,
            &[header, kept.collect::<String>().as_bytes()].concat(),
        )?;
        let file = OpenOptions::new().append(true).open(&path);
        file.map_err(|error| Failure::of_file(&path, error))
    }
}

/// The tables that grow by every instance.
pub struct BenchJournal<'a> {
    setting: &'a Setting,
    owned: &'a RunFolder,
    clock: File,
    answers: File,
    work: File,
}

impl<'a> BenchJournal<'a> {
    /// Opens the tables of a folder that this process owns, cut before an instance.
    ///
    /// # Errors
    /// If a table cannot be read or written.
    pub fn open(
        folder: &BenchFolder,
        setting: &'a Setting,
        owned: &'a RunFolder,
        next: u64,
    ) -> Result<Self, Failure> {
        let [no_runs, no_answers] = [Table::of::<ClockRow>([]), Table::of::<AnswerRow>([])];
        Ok(Self {
            setting,
            owned,
            clock: folder.cut("clock.csv", no_runs.to_csv(), next)?,
            answers: folder.cut("answers.csv", no_answers.to_csv(), next)?,
            work: folder.cut(WORK, work_header(setting).as_bytes(), next)?,
        })
    }

    /// Adds an instance, or runs that count for nothing. The runs come last, as they say that it is
    /// whole; those of answers that differ are left out, so that the instance is answered again.
    ///
    /// # Errors
    /// The system's, or if the folder is another's now.
    pub fn push(&mut self, instance: Option<u64>, measured: &Raced) -> std::io::Result<()> {
        self.owned.check_owned()?;
        if let Some(instance) = instance {
            let answers = answer_rows(self.setting, instance, &measured.values);
            self.answers.write_all(&row_lines(answers))?;
            let work = work_lines(self.setting, instance, &measured.values);
            self.work.write_all(&work)?;
        }
        if measured.difference.is_some() {
            return Ok(());
        }
        let rows = measured.timings.iter();
        let rows = rows.map(|timing| ClockRow::of(self.setting, timing));
        self.clock.write_all(&row_lines(rows))
    }
}

/// The timings up to the last instance that is whole, of all entrants, and the instance after
/// it. They stand in the order of instances, so the last one alone can be cut short.
fn whole(mut timings: Vec<Timing>, entrants: usize) -> (Vec<Timing>, u64) {
    let counted = || timings.iter().filter(|timing| timing.position > 0);
    let last = counted().map(|timing| timing.instance).max();
    let next = last.map_or(0, |last| {
        let of_last = counted().filter(|timing| timing.instance == last);
        last + u64::from(of_last.count() == 2 * entrants)
    });
    timings.retain(|timing| timing.instance < next);
    (timings, next)
}
