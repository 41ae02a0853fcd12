//! `manifest.json`: the provenance of a run's numbers.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{CLOCK, TALLIES};
use crate::run::{Ended, Shard, StopReason};
use base::files::{self, digest};
use base::{count, visible_line};
use experiment::ExperimentFile;
use task::Origin;
use task::outside::ProgramRecord;

/// Provenance of a run: everything that is not in the configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The experiment's name.
    pub experiment: String,
    /// The program and its version, where it is another than etude itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The version of etude.
    pub etude_version: String,
    /// The revision it was built from, where known; with `+` if the tree had changes.
    pub git_revision: Option<String>,
    /// The BLAKE3 of the program's file, where the revision is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The program that wrote the tables anew, and when; `None` where it is the one that drew the samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables_by: Option<Origin>,
    /// The hash of the resolved configuration.
    pub config_hash: String,
    /// The hash of what determines the samples.
    pub fingerprint: String,
    /// The derivation of streams.
    pub stream_scheme: String,
    /// The machine's name.
    pub host: Option<String>,
    /// Operating system and processor family.
    pub platform: String,
    /// Worker threads.
    pub threads: usize,
    /// The share of the blocks that this folder holds: `1/1` is all.
    #[serde(with = "as_text")]
    pub shard: Shard,
    /// The noun for a sample, in the singular; `sample` where there is none.
    #[serde(default = "sample")]
    pub noun: String,
    /// Samples finished, of each cell that goes on.
    pub samples_done: u64,
    /// Samples of the cells that drew fewer, by name: each was settled by itself.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settled: BTreeMap<String, u64>,
    /// Samples planned in this folder, of each cell.
    pub samples_planned: u64,
    /// Seconds since 1970-01-01 UTC at which the first session began.
    pub started_unix: u64,
    /// Seconds since 1970-01-01 UTC at which the last session ended.
    pub finished_unix: u64,
    /// Wall seconds over all sessions.
    pub wall_seconds: f64,
    /// Sessions the run took: 1 if it was never resumed.
    pub sessions: u32,
    /// `complete`, `interrupted`, `aborted`, `fault: ...` or `unstored: ...`; `running`
    /// while the run goes on, and after it was killed.
    #[serde(with = "as_text")]
    pub exit_reason: Ended,
    /// The programs that drew samples or played, in file order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramRecord>,
    /// The folders that these programs may be in: where they ran, and that as it was given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub program_folders: Vec<String>,
    /// The command line.
    pub command: Vec<String>,
    /// BLAKE3 of every other file of the folder.
    pub files: BTreeMap<String, String>,
}

fn sample() -> String {
    "sample".to_owned()
}

/// Writes a value as its text, and reads it from that.
mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(
        value: &impl Display,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        out.collect_str(value)
    }

    pub(crate) fn deserialize<'de, T, D>(text: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(text)?.parse().map_err(D::Error::custom)
    }
}

/// The derivation of sample streams; part of every manifest.
pub(crate) const STREAM_SCHEME: &str =
    "blake3 derive_key(seed, purpose), keyed_hash(sample) -> pcg64-dxsm, v1";

impl Manifest {
    /// The name of the program that made the run, as people type it.
    pub fn program_name(&self) -> &str {
        let own = self
            .program
            .as_deref()
            .and_then(|own| own.split(' ').next());
        own.unwrap_or("etude")
    }

    /// The program with its version, and etude's where that is another program's.
    pub fn versions(&self) -> String {
        match &self.program {
            Some(program) => format!("{program} (etude {})", self.etude_version),
            None => format!("etude {}", self.etude_version),
        }
    }

    /// The program that wrote the tables, and the revision that it was built from.
    pub fn tables_by(&self) -> String {
        let made = self.tables_by.as_ref();
        let (program, revision) = made.map_or_else(
            || (self.versions(), &self.git_revision),
            |made| (made.program.clone(), &made.revision),
        );
        let revision = revision.as_deref().unwrap_or("not known");
        visible_line(&format!("{program}, revision {revision}"))
    }

    /// The number of samples of a cell; the fewest and the most where some were settled by themselves.
    pub fn drawn(&self) -> String {
        let most = count(self.samples_done);
        let fewest = self.settled.values().min();
        fewest.map_or(most.clone(), |&fewest| {
            format!("{} to {most}", count(fewest))
        })
    }

    /// Returns the reasons for which another run may give other numbers, a sentence each.
    pub fn program_notes(&self) -> Vec<String> {
        let notes = self.programs.iter().flat_map(ProgramRecord::notes);
        notes.map(|note| visible_line(&note)).collect()
    }

    /// Returns the first of the numbers and names that the experiment, or another of them, contradicts.
    /// Machine, threads, versions and times are what the machine said of itself: nothing tells whether
    /// they are so.
    pub(crate) fn contradiction(&self, experiment: &ExperimentFile) -> Option<String> {
        let (done, planned) = (self.samples_done, self.samples_planned);
        let asked = experiment.max_samples();
        // What has no chance is drawn once, though a race by the same file repeats it.
        let is_once = planned == 1 && experiment.is_benchmark();
        let asked = asked.filter(|_| self.shard.is_whole() && !is_once);
        let is_full = matches!(
            self.exit_reason.completed(),
            Some(StopReason::Samples | StopReason::MaxSamples)
        );
        let of = |key: &str, found: &dyn Display, expected: &dyn Display| {
            Some(format!("`{key}` is {found}, and {expected} was expected"))
        };
        if self.experiment != experiment.name {
            return of("experiment", &self.experiment, &experiment.name);
        }
        if let Some(hash) = self.files.get("config.toml")
            && *hash != self.config_hash
        {
            return of("config_hash", &self.config_hash, hash);
        }
        if let Some(asked) = asked.filter(|&asked| asked != planned) {
            return of("samples_planned", &planned, &asked);
        }
        if done > planned || (is_full && done < planned) {
            let most = if is_full { "" } else { "at most " };
            return of("samples_done", &done, &format!("{most}{planned}"));
        }
        None
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// If the file cannot be read or is no manifest.
    pub fn read(path: &Path) -> io::Result<Self> {
        let text = files::read_text(path)?;
        serde_json::from_str(&text).map_err(io::Error::other)
    }

    /// The file's bytes.
    pub fn to_json(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

/// The folder of what follows from the times of a race.
const CLOCK_FOLDER: &str = "clock";

/// The hashes of the files of a run folder, the manifest itself left out, and of those that follow from
/// the times of a race.
///
/// # Errors
/// If the folder or one of its files cannot be read.
pub fn fingerprint_files(folder: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut hashes = BTreeMap::new();
    let clock = folder.join(CLOCK_FOLDER);
    // A link to a folder elsewhere is none of this one.
    let is_own = clock.symlink_metadata().is_ok_and(|there| there.is_dir());
    let folders = [("", Some(folder)), ("clock/", is_own.then_some(&*clock))];
    for (prefix, folder) in folders {
        let Some(folder) = folder else { continue };
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // Who keeps large files elsewhere has links to them.
            let file = std::fs::metadata(entry.path()).ok();
            let file = file.filter(std::fs::Metadata::is_file);
            let is_own = name != "manifest.json" && !name.starts_with('.');
            // One that is too large is no file of a run.
            let fits = |file: &std::fs::Metadata| is_large(&name) || file.len() <= files::LARGEST;
            if is_own && file.is_some_and(|file| fits(&file)) {
                let at = |error: io::Error| {
                    io::Error::new(error.kind(), format!("{prefix}{name}: {error}"))
                };
                hashes.insert(
                    format!("{prefix}{name}"),
                    digest(&entry.path()).map_err(at)?,
                );
            }
        }
    }
    Ok(hashes)
}

/// Returns whether a file of a run folder grows with the samples; all others are read whole.
pub(crate) fn is_large(name: &str) -> bool {
    ["blocks.csv", TALLIES, "samples.csv", CLOCK].contains(&name)
}

/// The BLAKE3 hash of a file of a run folder in hex.
///
/// # Errors
/// If it cannot be read, or is too large for a run to have written it.
pub(crate) fn digest_in(folder: &Path, name: &str) -> io::Result<String> {
    let path = folder.join(name);
    if path.parent() != Some(folder) && path.parent().is_some_and(Path::is_symlink) {
        return Err(io::Error::other("its folder is a link to another one"));
    }
    if is_large(name) {
        return digest(&path);
    }
    files::small_digest(&path)
}
