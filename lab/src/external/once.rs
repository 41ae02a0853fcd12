//! A process for each sample: arguments filled in, the last line of its output read.

use std::io::Write;

use super::declaration::Declaration;
use super::executable::Executable;
use super::guard::ProcessGuard;
use super::output_lines::BYTE_ORDER_MARK;
use super::process::Process;
use super::trouble::{Trouble, crash, ending, of_lapse, quote};
use super::wire;
use crate::rng::StreamKey;
use crate::task::Row;

/// The setting of a process that draws one sample.
pub struct ProcessSetting<'a> {
    /// The declaration in the file.
    pub declaration: &'a Declaration,
    /// The program.
    pub executable: &'a Executable,
    /// The parameters, as text.
    pub params: &'a [(String, String)],
    /// The streams, by name.
    pub streams: &'a [(String, StreamKey)],
    /// The nodes a sample may cost.
    pub nodes: Option<u64>,
}

/// The names in braces that every program has, beside its parameters.
pub const PLACES: [&str; 6] = ["sample", "seed", "seed31", "seed32", "seed64", "nodes"];

impl ProcessSetting<'_> {
    /// Draws one sample. The guard, if it was not needed, serves the next.
    pub fn draw(
        &self,
        guard: Option<ProcessGuard>,
        sample: u64,
        row: &mut Row,
    ) -> (Option<ProcessGuard>, Result<(), Trouble>) {
        let name = self.declaration.program.title();
        if let Err(trouble) = self.check_seeds(sample) {
            return (guard, Err(trouble));
        }
        let executable = Executable {
            arguments: (self.executable.arguments.iter())
                .map(|argument| self.filled(argument, sample))
                .collect(),
            ..self.executable.clone()
        };
        let mut process = match Process::start_under(guard, &executable) {
            Ok(process) => process,
            Err(lapse) => return (None, Err(of_lapse(lapse, &name, "answer", ""))),
        };
        process.close_input();
        let said = process.receive_all(self.declaration.silence());
        let said = said.map(<[u8]>::to_vec);
        let output = match said {
            Ok(output) => output,
            Err(lapse) => {
                let trouble = of_lapse(lapse, &name, "answer", "");
                return (None, Err(trouble.with_last_words(&process.last_words())));
            }
        };
        let status = process.await_status();
        let words = process.last_words();
        let read = match status {
            Some(status) if status.success() => self.read(&output, sample, row),
            Some(status) => Err(crash(
                status,
                format!("{name} ended with {}", ending(status)),
            )),
            None => Err(Trouble::fault(format!(
                "{name} closed its standard output and goes on running"
            ))),
        };
        let read = read.map_err(|trouble| trouble.with_last_words(&words));
        (process.release(), read)
    }

    /// Short seeds differ for as many samples as there are.
    fn check_seeds(&self, sample: u64) -> Result<(), Trouble> {
        let name = self.declaration.program.title();
        let short = [("{seed31", 31), ("{seed32", 32)];
        let used_up = short
            .iter()
            .find(|(place, bits)| sample >> bits > 0 && name.contains(place));
        match used_up {
            Some((_, bits)) => Err(Trouble::fault(format!(
                "{name}: there are 2^{bits} short seeds, and no more samples"
            ))),
            None => Ok(()),
        }
    }

    /// An argument with its places filled in: `{seed32}`, `{seed:arrivals}`, `{beta}`.
    fn filled(&self, argument: &str, sample: u64) -> String {
        let mut pieces = argument.split('{');
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let found = piece.split_once('}');
            match found.and_then(|(place, after)| Some((self.place(place, sample)?, after))) {
                Some((value, after)) => text.extend([value.as_str(), after]),
                // Braces of the argument's own.
                None => text.extend(["{", piece]),
            }
        }
        text
    }

    fn place(&self, place: &str, sample: u64) -> Option<String> {
        let (name, stream) = place.split_once(':').unwrap_or((place, ""));
        let key = || {
            let mut streams = self.streams.iter();
            let found = streams.find(|(name, _)| stream.is_empty() || name == stream);
            found.map(|(_, key)| key)
        };
        match name {
            "sample" => Some(sample.to_string()),
            "seed" => Some(
                blake3::Hash::from_bytes(key()?.seed(sample))
                    .to_hex()
                    .to_string(),
            ),
            "seed31" => Some(key()?.seed31(sample as u32).to_string()),
            "seed32" => Some(key()?.seed32(sample as u32).to_string()),
            "seed64" => {
                let seed = key()?.seed(sample);
                let (first, _) = seed.split_first_chunk::<8>()?;
                Some(u64::from_le_bytes(*first).to_string())
            }
            "nodes" => Some(self.nodes.unwrap_or(u64::MAX).to_string()),
            _ => {
                let param = self.params.iter().find(|(known, _)| known == name);
                param.map(|(_, value)| value.clone())
            }
        }
    }

    /// Reads the last line: a JSON list, a JSON object by metric, or numbers in order.
    fn read(&self, output: &[u8], sample: u64, row: &mut Row) -> Result<(), Trouble> {
        let name = self.declaration.program.title();
        let output = output.strip_prefix(BYTE_ORDER_MARK).unwrap_or(output);
        let lines = output.split(|&byte| byte == b'\n');
        let mut lines = lines
            .map(<[u8]>::trim_ascii)
            .filter(|line| !line.is_empty());
        let Some(line) = lines.next_back() else {
            return Err(Trouble::fault(format!(
                "{name} wrote nothing to standard output: its last line must hold {}",
                self.declaration.metric_names()
            )));
        };
        let noise = || {
            Trouble::fault(format!(
                "the last line of {name} is {}, not {} as JSON or as numbers in this order",
                quote(line),
                self.declaration.metric_names()
            ))
        };
        let answer = self.as_answer(line).ok_or_else(noise)?;
        let rows = std::slice::from_mut(row);
        let unfit = match wire::read(&answer, &self.declaration.columns, rows) {
            Ok(_) => return Ok(()),
            Err(unfit) => unfit,
        };
        Err(match unfit.of_row(&name, self.declaration) {
            Some((_, message)) => Trouble::Fault {
                sample: Some(sample),
                message,
            },
            None => noise(),
        })
    }

    /// The last line as an answer of the protocol.
    fn as_answer(&self, line: &[u8]) -> Option<Vec<u8>> {
        let mut answer = b"{\"row\":".to_vec();
        match line.first()? {
            b'[' => answer.extend_from_slice(line),
            b'{' => answer.extend_from_slice(&self.by_name(line)?),
            _ => {
                let text = std::str::from_utf8(line).ok()?;
                let words = text.split(|c: char| c.is_whitespace() || c == ',' || c == ';');
                let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
                let is_value = |word: &&str| {
                    let start = word.trim_start_matches(['-', '+', '.']);
                    start.starts_with(|c: char| c.is_ascii_digit())
                        || ["true", "false", "null"].contains(word)
                        || ["nan", "inf", "infinity"].contains(&start.to_lowercase().as_str())
                };
                if !words.iter().all(is_value) {
                    return None;
                }
                let _ = write!(
                    answer,
                    "[{}]",
                    words
                        .iter()
                        .map(|w| json_number(w))
                        .collect::<Vec<_>>()
                        .join(",")
                );
            }
        }
        answer.push(b'}');
        Some(answer)
    }

    /// The values of an object in the order of the metrics; one that is a row already as it is.
    fn by_name(&self, line: &[u8]) -> Option<Vec<u8>> {
        let wire::Members(raw) = serde_json::from_slice(line).ok()?;
        let columns = &self.declaration.columns;
        let is_metric = columns.iter().any(|column| column.metric.name == "row");
        if let Some(row) = raw.get("row").filter(|_| !is_metric) {
            return Some(row.get().as_bytes().to_vec());
        }
        let values: Option<Vec<&str>> = (columns.iter())
            .map(|column| {
                raw.get(column.metric.name.as_ref())
                    .map(|value| value.get())
            })
            .collect();
        Some(format!("[{}]", values?.join(",")).into_bytes())
    }
}

/// A number as programs print it, as a text that is read exactly: `.5`, `1.` and `+2` are none of
/// JSON's numbers.
fn json_number(word: &str) -> String {
    match word {
        "true" | "false" | "null" => word.to_owned(),
        number => format!("\"{number}\""),
    }
}
