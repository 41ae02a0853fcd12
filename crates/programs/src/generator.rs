//! Instances that a program makes of seeds, each kept in a file once it is made.

use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use base::threads::lock;
use kit::rng::Streams;
use kit::search::Budget;
use task::Params;
use task::outside::{Consent, Declaration, Values};
use tempfile::{NamedTempFile, TempDir};

use super::asker::Asker;
use super::command::ExternalCommand;
use super::once::SUCCESS;
use super::process::AnswerLimits;

/// Instances that are made once more before a run and after it.
const CHECKED: u64 = 2;

/// The most bytes of an instance.
const LARGEST: usize = 256 << 20;

/// A program whose standard output is the instance of a sample.
#[derive(Debug)]
pub struct InstanceGenerator {
    asker: Asker,
    /// The folder of the instances that were made.
    folder: OnceLock<Result<TempDir, String>>,
    /// Those that were made, by the sample and the values that the program is told.
    made: Mutex<HashMap<(u64, Values), MadeInstance>>,
}

/// An instance that was made.
#[derive(Clone, Debug)]
pub(crate) struct MadeInstance {
    /// The beginning of its hash.
    pub(crate) name: String,
    /// The file that holds it.
    pub(crate) path: PathBuf,
}

impl InstanceGenerator {
    /// The program of a declaration with these streams; nothing is started yet.
    pub(crate) fn new(declaration: Declaration, streams: &Streams) -> Self {
        let command = Arc::new(ExternalCommand::new(declaration));
        Self {
            asker: Asker::new(&command, &Params::new(), streams),
            folder: OnceLock::new(),
            made: Mutex::default(),
        }
    }

    /// A sample's instance, which is made unless it is there.
    ///
    /// # Errors
    /// A sentence: the program does not make it, or it cannot be kept.
    pub(crate) fn instance(&self, sample: u64, values: &Values) -> Result<MadeInstance, String> {
        let made = (sample, self.told(values));
        let known = lock(&self.made).get(&made).cloned();
        known.map_or_else(|| self.keep(&self.make(sample, &made.1)?, made), Ok)
    }

    /// The values that the program's arguments name: cells that differ in others have the same instances.
    fn told(&self, values: &Values) -> Values {
        let argv = &self.asker.command.declaration.program.argv;
        let is_told = |name: &str| {
            argv.iter()
                .any(|word| word.contains(&format!("{{{name}}}")))
        };
        let told = values.iter().filter(|(name, _)| is_told(name));
        told.cloned().collect()
    }

    /// Keeps an instance in a file.
    fn keep(&self, text: &[u8], made: (u64, Values)) -> Result<MadeInstance, String> {
        let folder = self.folder.get_or_init(|| {
            let made = tempfile::tempdir();
            made.map_err(|error| format!("there is no folder for instances: {error}"))
        });
        let folder = folder.as_ref().map_err(Clone::clone)?.path();
        let name = name_of(text);
        let path = folder.join(format!("{}-{name}", made.0));
        // Threads may make the same one.
        let written = NamedTempFile::new_in(folder).and_then(|mut file| {
            file.write_all(text)?;
            file.persist(&path).map_err(|error| error.error)
        });
        written.map_err(|error| format!("{}: {error}", path.display()))?;
        let kept = MadeInstance { name, path };
        lock(&self.made).insert(made, kept.clone());
        Ok(kept)
    }

    /// Starts the program for a sample, and returns the instance that it wrote.
    fn make(&self, sample: u64, values: &Values) -> Result<Vec<u8>, String> {
        let command = &self.asker.command;
        command.pool.find().map_err(|error| error.message)?;
        let asker = self.asker.clone().with_values(values);
        let question = asker.question(Budget::UNLIMITED);
        let limits = AnswerLimits {
            whole: Some(LARGEST),
            ..AnswerLimits::default()
        };
        let made = question
            .ask_once(command, sample, limits, SUCCESS, |output, _| Ok(output))
            .answer;
        let problem = match made {
            Ok(text) if !text.is_empty() => return Ok(text),
            Ok(_) => format!("{} wrote nothing to standard output", self.title()),
            Err(error) => error.message,
        };
        Err(format!(
            "the instance of sample {sample} was not made: {problem}"
        ))
    }

    fn title(&self) -> String {
        self.asker.command.declaration.program.title()
    }

    /// Makes the first instances of each kind of cell once more.
    ///
    /// # Errors
    /// A sentence: one is another now.
    pub(crate) fn check(&self, cells: &[Values]) -> Result<(), String> {
        let told: BTreeSet<Values> = cells.iter().map(|values| self.told(values)).collect();
        let each = told
            .iter()
            .flat_map(|told| (0..CHECKED).map(move |sample| (sample, told)));
        let mut each = each;
        each.try_for_each(|(sample, told)| {
            let first = self.instance(sample, told)?.name;
            let second = name_of(&self.make(sample, told)?);
            let title = self.title();
            let told = format!(
                "{title} made two instances of sample {sample}, with the hashes {first} and {second}: it must draw \
                 them from its seeds alone"
            );
            (first == second).then_some(()).ok_or(told)
        })
    }

    /// Starts the program by this consent from now on.
    pub(crate) fn allow(&self, consent: &Consent) {
        self.asker.command.pool.allow(consent);
    }
}

fn name_of(text: &[u8]) -> String {
    blake3::hash(text).to_hex()[..16].to_owned()
}
