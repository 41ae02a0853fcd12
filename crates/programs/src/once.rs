//! A process for each sample: arguments filled in, the last line of its output read.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use serde_json::value::RawValue;
use wait4::ResourceUsage;

use super::Watchdog;
use super::output_lines::BYTE_ORDER_MARK;
use super::process::Process;
use super::wire::{self, Question, with_named_numbers};
use task::Row;
use task::outside::{
    Executable, INSTANCE, INSTANCE_FILE, WorkerError, WorkerErrorKind, metric_names, quote,
};
use task::threads::lock;

/// The answer of a process, and what is known of it.
pub struct OnceAnswered<T> {
    /// What its output says, or the error of a program that did not end well in time.
    pub answer: Result<T, WorkerError>,
    /// What it took; `None` of one that was never started.
    pub usage: Option<ResourceUsage>,
    /// True if it left a process behind that kept its standard output open, and was killed.
    pub is_outlived: bool,
}

impl Question<'_> {
    /// Draws one sample by a process of its own. A watchdog that was not needed serves the next.
    pub(super) fn draw_once(
        &self,
        executable: &Executable,
        watchdogs: &Mutex<Vec<Watchdog>>,
        sample: u64,
        row: &mut Row,
    ) -> Result<(), WorkerError> {
        let read = |output: &[u8]| self.read(output, row);
        let process = self.start_asked((executable, watchdogs), sample)?;
        self.hear_once(process, watchdogs, read, |_| ()).answer
    }

    /// Has a process of its own answer one sample, no longer than until `deadline` and with no more
    /// than the `allowance` of seconds of the processor; its answer is what `read` makes of its output. It has
    /// answered once it has ended, even if what it started keeps its output open. One that is not waited for any
    /// longer is shown to `stopping` before it is killed.
    pub fn ask_once<T>(
        &self,
        (executable, watchdogs): (&Executable, &Mutex<Vec<Watchdog>>),
        sample: u64,
        (deadline, allowance): (Option<Instant>, Option<f64>),
        read: impl FnOnce(&[u8]) -> Result<T, String>,
        stopping: impl FnOnce(&Process),
    ) -> OnceAnswered<T> {
        let (mut process, input) = match self.start_asked((executable, watchdogs), sample) {
            Ok(started) => started,
            Err(error) => {
                return OnceAnswered {
                    answer: Err(error),
                    usage: None,
                    is_outlived: false,
                };
            }
        };
        (process.deadline, process.allowance) = (deadline, allowance);
        process.ends_alone = true;
        self.hear_once((process, input), watchdogs, read, stopping)
    }

    /// Starts the process that answers one sample, and returns it with what it is to read.
    fn start_asked(
        &self,
        (executable, watchdogs): (&Executable, &Mutex<Vec<Watchdog>>),
        sample: u64,
    ) -> Result<(Process, Vec<u8>), WorkerError> {
        // What the instance's file costs is nobody's time.
        let input = self.input(sample)?;
        let process = self.start_once(executable, lock(watchdogs).pop(), sample)?;
        Ok((process, input))
    }

    /// Has a process read its input and answer.
    fn hear_once<T>(
        &self,
        (mut process, input): (Process, Vec<u8>),
        watchdogs: &Mutex<Vec<Watchdog>>,
        read: impl FnOnce(&[u8]) -> Result<T, String>,
        stopping: impl FnOnce(&Process),
    ) -> OnceAnswered<T> {
        let patience = self.declaration.silence();
        let fed = process.feed(&input, patience);
        let output = fed.and_then(|()| Ok(process.receive_all(patience)?.to_vec()));
        let answer = output.and_then(|output| {
            process.finish()?;
            read(&output).map_err(|problem| process.fault(problem))
        });
        let is_outlived = process.is_outlived();
        if answer.is_err() || is_outlived {
            // The number of one that has ended may be another's by now.
            if process.usage().is_none() {
                stopping(&process);
            }
            process.kill();
        }
        let usage = process.usage();
        lock(watchdogs).extend(process.release());
        OnceAnswered {
            answer,
            usage,
            is_outlived,
        }
    }

    /// Starts the process that answers one sample.
    pub(super) fn start_once(
        &self,
        executable: &Executable,
        watchdog: Option<Watchdog>,
        sample: u64,
    ) -> Result<Process, WorkerError> {
        let name = self.declaration.program.title();
        check_seeds(&name, sample)?;
        check_seeds(&self.declaration.stdin, sample)?;
        let path = self.instance(sample)?;
        let path = path.map(|path| path.to_string_lossy().into_owned());
        let place = |name: &str| {
            let is_path = [INSTANCE, INSTANCE_FILE].contains(&name);
            let path = path.clone().filter(|_| is_path);
            path.or_else(|| self.placeholder(name, sample))
                .map(String::into_bytes)
        };
        let arguments = executable.arguments.iter();
        let arguments = arguments.map(|argument| {
            let filled = filled(argument, place);
            String::from_utf8_lossy(&filled).into_owned()
        });
        let executable = Executable {
            arguments: arguments.collect(),
            ..executable.clone()
        };
        Process::start(watchdog, &executable, &name)
    }

    /// The standard input of the process that answers one sample.
    fn input(&self, sample: u64) -> Result<Vec<u8>, WorkerError> {
        let (text, path) = (&self.declaration.stdin, self.instance(sample)?);
        let content = match &path {
            Some(path) if text.contains("{instance}") => std::fs::read(path).map(Some),
            _ => Ok(None),
        };
        let content = content.map_err(|error| {
            let path = path.as_deref().unwrap_or(Path::new("")).display();
            WorkerError::new(
                WorkerErrorKind::Environment,
                format!("{path} cannot be read: {error}"),
            )
        })?;
        let place = |name: &str| match (name, &path) {
            (INSTANCE, Some(_)) => content.clone(),
            (INSTANCE_FILE, Some(path)) => Some(path.to_string_lossy().into_owned().into_bytes()),
            _ => self.placeholder(name, sample).map(String::into_bytes),
        };
        Ok(filled(text, place))
    }

    /// The path of the sample's instance, where the file names any.
    fn instance(&self, sample: u64) -> Result<Option<PathBuf>, WorkerError> {
        let path = self.declaration.instances.as_ref();
        let path = path.map(|instances| instances.path(sample)).transpose();
        path.map_err(|fault| WorkerError::new(WorkerErrorKind::Environment, fault))
    }

    fn placeholder(&self, placeholder: &str, sample: u64) -> Option<String> {
        let (name, stream) = placeholder.split_once(':').unwrap_or((placeholder, ""));
        let key = || {
            let mut streams = self.streams.iter();
            let found = streams.find(|(name, _)| stream.is_empty() || name == stream);
            found.map(|(_, key)| key)
        };
        Some(match name {
            "sample" => sample.to_string(),
            "seed" => blake3::Hash::from_bytes(key()?.seed(sample))
                .to_hex()
                .to_string(),
            "seed31" => key()?.seed31(sample as u32).to_string(),
            "seed32" => key()?.seed32(sample as u32).to_string(),
            "seed64" => {
                let seed = key()?.seed(sample);
                u64::from_le_bytes(*seed.first_chunk::<8>()?).to_string()
            }
            "nodes" => self.nodes.unwrap_or(u64::MAX).to_string(),
            _ => self
                .values
                .iter()
                .find(|(known, _)| known == name)?
                .1
                .clone(),
        })
    }

    /// Reads the last line: a JSON list, a JSON object by metric, or numbers in order.
    ///
    /// # Errors
    /// A sentence without its subject: it holds anything else.
    pub fn read(&self, output: &[u8], row: &mut Row) -> Result<(), String> {
        let names = metric_names(&self.declaration.columns);
        let output = output.strip_prefix(BYTE_ORDER_MARK).unwrap_or(output);
        let lines = output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let mut lines = lines.filter(|line| !line.is_empty());
        let line = lines.next_back().ok_or_else(|| {
            format!("wrote nothing to standard output: its last line must hold {names}")
        })?;
        let text = std::str::from_utf8(line).ok();
        let Some(values) = text.and_then(|text| self.values(text)) else {
            let said = quote(line);
            return Err(format!(
                "wrote {said} as its last line, not {names} as JSON or as numbers in this order"
            ));
        };
        let values = values.iter().map(String::as_str);
        wire::read_row(values, &self.declaration.columns, row)
    }

    /// The values of a line, each as JSON.
    fn values(&self, line: &str) -> Option<Vec<String>> {
        match line.as_bytes().first()? {
            b'[' => list(line).or_else(|| list(&with_named_numbers(line))),
            b'{' => self.by_name(line),
            _ => {
                let words = line.split(|c: char| c.is_whitespace() || c == ',' || c == ';');
                let words = words.filter(|word| !word.is_empty());
                words.map(json_value).collect()
            }
        }
    }

    /// The values of an object in the order of the metrics; one that is a row already as it is.
    fn by_name(&self, line: &str) -> Option<Vec<String>> {
        let wire::Members(raw) = serde_json::from_str(line).ok()?;
        let columns = self.declaration.columns.iter();
        let names = columns.map(|column| column.name.as_ref());
        match raw.get("row") {
            Some(row) if !names.clone().any(|name| name == "row") => list(row.get()),
            _ => names
                .map(|name| Some(raw.get(name)?.get().to_owned()))
                .collect(),
        }
    }
}

/// A text with its places filled in: `{seed32}`, `{seed:arrivals}`, `{beta}`.
fn filled(text: &str, place: impl Fn(&str) -> Option<Vec<u8>>) -> Vec<u8> {
    let mut pieces = text.split('{');
    let mut filled = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let closed = piece.split_once('}');
        let value = closed.and_then(|(name, _)| place(name));
        match value.zip(closed) {
            Some((value, (_, after))) => {
                filled.extend(value);
                filled.extend(after.as_bytes());
            }
            // Braces of the text's own.
            None => {
                filled.push(b'{');
                filled.extend(piece.as_bytes());
            }
        }
    }
    filled
}

/// Refuses samples beyond those for which short seeds, which `command` may take, differ.
fn check_seeds(command: &str, sample: u64) -> Result<(), WorkerError> {
    for (placeholder, bits) in [("{seed31", 31), ("{seed32", 32)] {
        if sample >> bits > 0 && command.contains(placeholder) {
            return Err(WorkerError::fault(format!(
                "{command}: there are 2^{bits} short seeds, and no more samples"
            )));
        }
    }
    Ok(())
}

/// The values of a JSON list.
fn list(text: &str) -> Option<Vec<String>> {
    let values: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    Some(values.iter().map(|value| value.get().to_owned()).collect())
}

/// A value as programs print it, a number as a text that is read exactly: `.5`, `1.` and `+2` are
/// none of JSON's numbers. `None` of any other word.
fn json_value(word: &str) -> Option<String> {
    if ["true", "false", "null"].contains(&word) {
        return Some(word.to_owned());
    }
    let start = word.trim_start_matches(['-', '+', '.']);
    let is_number = start.starts_with(|c: char| c.is_ascii_digit())
        || ["nan", "inf", "infinity"].contains(&start.to_lowercase().as_str());
    is_number.then(|| format!("\"{word}\""))
}
