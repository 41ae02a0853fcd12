//! The folder of a benchmark: what can be reproduced, and beside it, in `clock/`, what cannot.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::race::{Raced, RunRow};
use super::setting::Setting;
use super::table::{AnswerRow, answer_rows, of_csv, to_csv, whole, work_header, work_lines};
use crate::files::{self, SystemDisk, write_atomically};

/// The tables that can be reproduced.
pub const REPRODUCIBLE: [&str; 3] = ["answers.csv", "config.toml", "work.csv"];
/// The table of single times.
pub const RUNS: &str = "clock/runs.csv";
/// The table of estimates.
pub const SPEED: &str = "clock/speed.csv";
/// The table of growth.
pub const GROWTH: &str = "clock/growth.csv";
/// The table of claims.
pub const CLAIMS: &str = "clock/claims.csv";
/// The machine and the programs.
pub const MACHINE: &str = "clock/machine.json";
/// The provenance of the reproducible part.
pub const MANIFEST: &str = "manifest.json";

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
    /// BLAKE3 of the other reproducible files.
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
}

/// The machine that took the time, and how it was taken.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct MachineFacts {
    /// The processor's model.
    pub model: String,
    /// Its cores.
    pub cores: usize,
    /// Operating system and processor family.
    pub platform: String,
    /// The governor of its frequency, where it can be read.
    pub governor: Option<String>,
    /// Threads that measured side by side.
    pub threads: u16,
    /// Rounds of every instance.
    pub rounds: u32,
    /// The grain of the clock in seconds.
    pub grain: f64,
    /// The sessions: what was measured before and after an interruption is kept apart here.
    pub sessions: Vec<BenchSession>,
}

/// One session of a benchmark.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct BenchSession {
    /// Its first instance.
    pub first: u64,
    /// The instance after its last one.
    pub end: u64,
    /// Seconds since 1970 at its start.
    pub started_unix: u64,
    /// The load of the machine at its start: processes that run or wait, over a minute.
    pub load_before: Option<f64>,
    /// The load at its end.
    pub load_after: Option<f64>,
}

impl MachineFacts {
    /// This machine.
    pub fn here() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let cpus = read("/proc/cpuinfo");
        let model = cpus
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        Self {
            model: model.map_or_else(String::new, |(_, model)| model.trim().to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            governor: Some(governor.trim().to_owned()).filter(|text| !text.is_empty()),
            ..Self::default()
        }
    }
}

/// The load of the machine over a minute, where the system tells.
pub fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

impl BenchFolder {
    /// The folder at a path.
    pub fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Returns whether a benchmark wrote it.
    pub fn is_one(&self) -> bool {
        self.path.join(RUNS).is_file()
    }

    /// Returns whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        std::fs::read_dir(&self.path).map_or(true, |mut entries| entries.next().is_none())
    }

    /// The rows of one of its tables; none of a table that is not there.
    ///
    /// # Errors
    /// A sentence with the file.
    pub fn rows<R: DeserializeOwned>(&self, name: &str) -> Result<Vec<R>, String> {
        let path = self.path.join(name);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let bytes = files::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        of_csv(&bytes).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The value of one of its JSON files.
    ///
    /// # Errors
    /// A sentence with the file.
    pub fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T, String> {
        let path = self.path.join(name);
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let bytes = files::read(&path).map_err(|error| named(&error))?;
        serde_json::from_slice(&bytes).map_err(|error| named(&error))
    }

    /// Writes one of its files, all at once.
    ///
    /// # Errors
    /// A sentence with the file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.path.join(name);
        let folder = path.parent().unwrap_or(&self.path);
        std::fs::create_dir_all(folder)
            .and_then(|()| write_atomically(&SystemDisk, &path, bytes))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes one of its JSON files.
    ///
    /// # Errors
    /// A sentence with the file.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), String> {
        let text = serde_json::to_string_pretty(value).map_err(|error| error.to_string())?;
        self.write(name, (text + "\n").as_bytes())
    }

    /// Writes the manifest with the hashes of the reproducible files.
    ///
    /// # Errors
    /// A sentence with the file.
    pub fn seal(&self, manifest: &mut BenchManifest) -> Result<(), String> {
        for name in REPRODUCIBLE {
            let path = self.path.join(name);
            let hash =
                files::digest(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            manifest.files.insert(name.to_owned(), hash);
        }
        self.write_json(MANIFEST, manifest)
    }

    /// Removes what a benchmark wrote.
    ///
    /// # Errors
    /// A sentence with the file.
    pub fn clear(&self) -> Result<(), String> {
        let names = REPRODUCIBLE
            .into_iter()
            .chain([RUNS, SPEED, GROWTH, CLAIMS, MACHINE, MANIFEST]);
        for name in names {
            let path = self.path.join(name);
            if path.exists() {
                std::fs::remove_file(&path)
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        Ok(())
    }
}

/// The tables that grow by every instance.
pub struct BenchJournal {
    runs: File,
    answers: File,
    work: File,
}

impl BenchJournal {
    /// Opens the tables, cut after the last instance that is whole; returns the runs so far and the
    /// next instance.
    ///
    /// # Errors
    /// A sentence with the file.
    pub fn open(
        folder: &BenchFolder,
        setting: &Setting,
    ) -> Result<(Self, Vec<RunRow>, u64), String> {
        let runs: Vec<RunRow> = folder.rows(RUNS)?;
        let (next, runs) = whole(&runs, setting.contenders.len() + 1);
        let answers: Vec<AnswerRow> = folder.rows("answers.csv")?;
        let kept: Vec<AnswerRow> = answers
            .into_iter()
            .filter(|row| row.instance < next)
            .collect();
        let work = std::fs::read_to_string(folder.path.join("work.csv")).unwrap_or_default();
        let is_kept = |line: &&str| {
            let instance = line
                .split(',')
                .next()
                .and_then(|field| field.parse::<u64>().ok());
            instance.is_some_and(|instance| instance < next)
        };
        let lines = work.lines().filter(is_kept).map(|line| format!("{line}\n"));
        let work: String = std::iter::once(work_header(setting)).chain(lines).collect();
        folder.write(RUNS, &headed::<RunRow>(&runs, RUN_HEADER))?;
        folder.write("answers.csv", &headed::<AnswerRow>(&kept, ANSWER_HEADER))?;
        folder.write("work.csv", work.as_bytes())?;
        let open = |name: &str| {
            let path = folder.path.join(name);
            let file = OpenOptions::new().append(true).open(&path);
            file.map_err(|error| format!("{}: {error}", path.display()))
        };
        let journal = Self {
            runs: open(RUNS)?,
            answers: open("answers.csv")?,
            work: open("work.csv")?,
        };
        Ok((journal, runs, next))
    }

    /// Adds an instance; the runs come last, as they say that it is whole.
    ///
    /// # Errors
    /// The system's.
    pub fn push(
        &mut self,
        setting: &Setting,
        instance: u64,
        measured: &Raced,
    ) -> std::io::Result<()> {
        self.answers
            .write_all(&to_csv(&answer_rows(setting, instance, measured), false))?;
        self.work
            .write_all(work_lines(setting, instance, measured).as_bytes())?;
        self.push_runs(measured)
    }

    /// Adds runs that count for nothing.
    ///
    /// # Errors
    /// The system's.
    pub fn push_runs(&mut self, measured: &Raced) -> std::io::Result<()> {
        self.runs.write_all(&to_csv(&measured.runs, false))
    }
}

const RUN_HEADER: &str = "instance,contender,round,position,state,user,system,wall,peak_bytes\n";
const ANSWER_HEADER: &str = "instance,contender,metric,value\n";

/// Rows below their header, which is there also without rows.
fn headed<R: Serialize>(rows: &[R], header: &str) -> Vec<u8> {
    [header.as_bytes().to_vec(), to_csv(rows, false)].concat()
}
