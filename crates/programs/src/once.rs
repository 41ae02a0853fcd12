//! A process for each sample: arguments filled in, the last line of its output read.

use std::path::Path;
use std::time::Instant;

use serde_json::value::RawValue;
use wait4::ResourceUsage;

use super::command::ExternalCommand;
use super::output_lines::BYTE_ORDER_MARK;
use super::process::{AnswerLimits, Process, Surroundings};
use super::usage::own_peak;
use super::wire::{self, Question, with_named_numbers};
use base::files;
use base::threads::lock;
use task::outside::{INSTANCE, INSTANCE_FILE, WorkerError, WorkerErrorKind, metric_names, quote};
use task::{Row, Spent};

/// The exit status of success alone.
pub(super) const SUCCESS: &[i32] = &[0];

/// The answer of a process, and what is known of it.
pub(crate) struct OnceAnswered<T> {
    /// The answer that its output gives, or the error of a program that did not end well in time.
    pub(crate) answer: Result<T, WorkerError>,
    /// The resources that it took; `None` of one that was never started.
    pub(crate) usage: Option<ResourceUsage>,
    /// The seconds of the processor that it had used when it was no longer waited for; 0 of one that had ended.
    pub(crate) running: f64,
    /// True if it left a process behind that kept its standard output open, and was killed.
    pub(crate) is_outlived: bool,
}

impl<T> OnceAnswered<T> {
    /// The time that it took since an instant; what it had started and did not wait for counts, too.
    pub(crate) fn spent(&self, begun: Instant) -> Spent {
        let wall = Spent::on_the_wall(begun);
        let Some(usage) = self.usage else {
            return wall;
        };
        let system = usage.stime.as_secs_f64();
        Spent {
            user: usage.utime.as_secs_f64().max(self.running - system),
            system,
            peak_bytes: own_peak(usage.maxrss),
            ..wall
        }
    }
}

impl Question<'_> {
    /// Has a process of its own answer one sample, within limits; its answer is what `read` makes of its output and
    /// of its exit status, one of those that are `good`. A watchdog that was not needed serves the next.
    pub(super) fn ask_once<T>(
        &self,
        command: &ExternalCommand,
        sample: u64,
        limits: AnswerLimits,
        good: &[i32],
        read: impl FnOnce(Vec<u8>, i32) -> Result<T, String>,
    ) -> OnceAnswered<T> {
        let (mut process, input) = match self.start_once(command, sample) {
            Ok(started) => started,
            Err(error) => {
                return OnceAnswered {
                    answer: Err(error),
                    usage: None,
                    running: 0.0,
                    is_outlived: false,
                };
            }
        };
        process.limits = limits;
        let patience = self.declaration.silence();
        let fed = process.feed(&input, patience);
        let output = fed.and_then(|()| Ok(process.receive_all(patience)?.to_vec()));
        let answer = output.and_then(|output| {
            let status = process.finish(good)?;
            read(output, status).map_err(|problem| process.fault(problem))
        });
        let is_outlived = process.is_outlived();
        let mut running = 0.0;
        if answer.is_err() || is_outlived {
            // The number of one that has ended may be another's by now.
            if process.usage().is_none() {
                running = process.seconds().unwrap_or_default();
            }
            process.kill();
        }
        let usage = process.usage();
        lock(&command.watchdogs).extend(process.release());
        OnceAnswered {
            answer,
            usage,
            running,
            is_outlived,
        }
    }

    /// Starts the process that answers one sample, and returns it with what it is to read.
    fn start_once(
        &self,
        command: &ExternalCommand,
        sample: u64,
    ) -> Result<(Process, Vec<u8>), WorkerError> {
        let consent = command.pool.find()?;
        let path = command.instances.as_ref();
        let path = path
            .map(|instances| instances.path(sample, &self.values.to_vec()))
            .transpose();
        let path = path.map_err(|fault| WorkerError::new(WorkerErrorKind::Environment, fault))?;
        let path = path.as_deref();
        // What the instance's file costs is nobody's time.
        let input = self.input(sample, path)?;
        let program = &self.declaration.program;
        check_seeds(&program.title(), sample)?;
        check_seeds(&self.declaration.stdin, sample)?;
        let place = |name: &str| match path {
            Some(path) if name == INSTANCE => Some(bytes_of(path)),
            _ => self.place(name, sample, path),
        };
        let arguments = program.argv.iter().skip(1);
        let arguments = arguments.map(|argument| {
            let filled = filled(argument, place);
            String::from_utf8_lossy(&filled).into_owned()
        });
        let arguments: Vec<String> = arguments.collect();
        let surroundings = Surroundings {
            watchdog: lock(&command.watchdogs).pop(),
            memory: self.memory,
        };
        let process = Process::start(consent, program, &arguments, surroundings)?;
        Ok((process, input))
    }

    /// The standard input of the process that answers one sample, whose instance may be in a file.
    fn input(&self, sample: u64, path: Option<&Path>) -> Result<Vec<u8>, WorkerError> {
        let text = &self.declaration.stdin;
        let content = match path {
            Some(path) if text.contains("{instance}") => {
                let content = files::read(path).map_err(|error| {
                    let fault = format!("{} cannot be read: {error}", path.display());
                    WorkerError::new(WorkerErrorKind::Environment, fault)
                });
                Some(content?)
            }
            _ => None,
        };
        let place = |name: &str| match &content {
            Some(content) if name == INSTANCE => Some(content.clone()),
            _ => self.place(name, sample, path),
        };
        Ok(filled(text, place))
    }

    /// The text in a place of an argument or of the input, but not the instance itself.
    fn place(&self, name: &str, sample: u64, path: Option<&Path>) -> Option<Vec<u8>> {
        match path {
            Some(path) if name == INSTANCE_FILE => Some(bytes_of(path)),
            _ => self.placeholder(name, sample).map(String::into_bytes),
        }
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
    pub(crate) fn read(&self, output: &[u8], row: &mut Row) -> Result<(), String> {
        let values = self.last_values(output)?;
        let values = values.iter().map(String::as_str);
        wire::read_row(values, &self.declaration.columns, row)
    }

    /// Like `read`, but leaves values beyond those of the metrics unread, and returns how many there are in the line.
    pub(crate) fn read_first(&self, output: &[u8], row: &mut Row) -> Result<usize, String> {
        let columns = &self.declaration.columns;
        let values = self.last_values(output)?;
        let first = values.iter().take(columns.len()).map(String::as_str);
        wire::read_row(first, columns, row)?;
        Ok(values.len())
    }

    /// The values of the last line, each as JSON.
    fn last_values(&self, output: &[u8]) -> Result<Vec<String>, String> {
        let names = metric_names(&self.declaration.columns);
        let output = output.strip_prefix(BYTE_ORDER_MARK).unwrap_or(output);
        let lines = output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let mut lines = lines.filter(|line| !line.is_empty());
        let line = lines.next_back().ok_or_else(|| {
            format!("wrote nothing to standard output: its last line must hold {names}")
        })?;
        let text = std::str::from_utf8(line).ok();
        text.and_then(|text| self.values(text)).ok_or_else(|| {
            let said = quote(line);
            format!(
                "wrote {said} as its last line, not {names} as JSON or as numbers in this order"
            )
        })
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

fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
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
