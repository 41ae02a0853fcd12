//! Instances that a program makes of seeds, each kept in a file once it is made.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

use kit::rng::{StreamKey, Streams};
use task::outside::{
    Declaration, DeclaredProgram, Executable, Instances, WorkerError, WorkerErrorKind,
};
use task::threads::lock;
use tempfile::{NamedTempFile, TempDir};

use super::Watchdog;
use super::wire::Question;

/// Instances that are made once more before a run and after it.
const CHECKED: u64 = 2;

/// The most bytes of an instance.
const LARGEST: usize = 256 << 20;

/// A program whose standard output is the instance of a sample.
#[derive(Debug)]
pub struct InstanceGenerator {
    declaration: Declaration,
    streams: Vec<(String, StreamKey)>,
    /// The program's file.
    executable: OnceLock<Result<Executable, String>>,
    /// The folder of the instances that were made.
    folder: OnceLock<Result<TempDir, String>>,
    /// The name and the path of each of them.
    made: Mutex<HashMap<u64, (String, PathBuf)>>,
    watchdogs: Mutex<Vec<Watchdog>>,
}

impl InstanceGenerator {
    /// The program of a declaration with the streams of a seed; nothing is started yet.
    pub fn new(declaration: Declaration, seed: u64) -> Self {
        let streams = Streams::new(seed);
        let key = |name: &String| (name.clone(), streams.key(name));
        Self {
            streams: declaration.streams.iter().map(key).collect(),
            declaration,
            executable: OnceLock::new(),
            folder: OnceLock::new(),
            made: Mutex::default(),
            watchdogs: Mutex::default(),
        }
    }

    /// The name and the path of a sample's instance, which is made unless it is there.
    fn instance(&self, sample: u64) -> Result<(String, PathBuf), String> {
        let known = lock(&self.made).get(&sample).cloned();
        known.map_or_else(|| self.keep(sample, &self.make(sample)?), Ok)
    }

    /// Keeps an instance in a file.
    fn keep(&self, sample: u64, text: &[u8]) -> Result<(String, PathBuf), String> {
        let folder = self.folder.get_or_init(|| {
            let made = tempfile::tempdir();
            made.map_err(|error| format!("there is no folder for instances: {error}"))
        });
        let folder = folder.as_ref().map_err(Clone::clone)?.path();
        let path = folder.join(sample.to_string());
        // Threads may make the same one.
        let written = NamedTempFile::new_in(folder).and_then(|mut file| {
            file.write_all(text)?;
            file.persist(&path).map_err(|error| error.error)
        });
        written.map_err(|error| format!("{}: {error}", path.display()))?;
        let kept = (name_of(text), path);
        lock(&self.made).insert(sample, kept.clone());
        Ok(kept)
    }

    /// Starts the program for a sample, and returns the instance that it wrote.
    fn make(&self, sample: u64) -> Result<Vec<u8>, String> {
        let executable = self.executable.get_or_init(|| self.program().locate());
        let executable = executable.as_ref().map_err(Clone::clone)?;
        let made = self.output(executable, sample).and_then(|text| {
            let nothing = || self.wrote("nothing");
            (!text.is_empty()).then_some(text).ok_or_else(nothing)
        });
        made.map_err(|error| format!("the instance of sample {sample} was not made: {error}"))
    }

    fn output(&self, executable: &Executable, sample: u64) -> Result<Vec<u8>, WorkerError> {
        let question = Question {
            declaration: &self.declaration,
            params: "{}",
            values: &[],
            streams: &self.streams,
            nodes: None,
        };
        let watchdog = lock(&self.watchdogs).pop();
        let mut process = question.start_once(executable, watchdog, sample)?;
        let patience = self.declaration.silence();
        process.close_input();
        let output = process
            .receive_at_most(LARGEST, patience)
            .map(<[u8]>::to_vec);
        let output = output.and_then(|output| match output.len() {
            size if size > LARGEST => Err(self.wrote("more than 256 MiB")),
            _ => process.finish().map(|()| output),
        });
        if output.is_err() {
            process.kill();
        }
        lock(&self.watchdogs).extend(process.release());
        output
    }

    /// The fault of a program that wrote this to standard output, where an instance was expected.
    fn wrote(&self, what: &str) -> WorkerError {
        let told = format!("{} wrote {what} to standard output", self.program().title());
        WorkerError::new(WorkerErrorKind::Fault, told)
    }

    fn program(&self) -> &DeclaredProgram {
        &self.declaration.program
    }
}

impl Instances for InstanceGenerator {
    fn count(&self) -> Option<u64> {
        None
    }

    /// The beginning of the hash of the instance.
    fn name(&self, sample: u64) -> Result<String, String> {
        self.instance(sample).map(|(name, _)| name)
    }

    fn path(&self, sample: u64) -> Result<PathBuf, String> {
        self.instance(sample).map(|(_, path)| path)
    }

    /// Makes the first instances once more.
    fn check(&self) -> Result<(), String> {
        (0..CHECKED).try_for_each(|sample| {
            let (first, second) = (self.name(sample)?, name_of(&self.make(sample)?));
            let title = self.program().title();
            let told = format!(
                "{title} made two instances of sample {sample}, with the hashes {first} and {second}: it must draw \
                 them from its seeds alone"
            );
            (first == second).then_some(()).ok_or(told)
        })
    }

    fn program(&self) -> Option<&DeclaredProgram> {
        Some(&self.declaration.program)
    }
}

fn name_of(text: &[u8]) -> String {
    blake3::hash(text).to_hex()[..16].to_owned()
}
