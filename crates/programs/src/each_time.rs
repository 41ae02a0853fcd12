//! The answers of a program that is started anew for every instance of a race.

use std::time::Instant;

use task::outside::{AnswerSign, INSTANCE, INSTANCE_FILE, KnownAnswer, metric_names};
use task::{Entrant, Metric, Row, TimedAnswer, Value};
use tempfile::TempDir;

use super::contender::InstanceWriter;
use super::entrant::{EntrantAnswer, EntrantQuestion};
use super::memory::MemoryCap;
use super::process::AnswerLimits;
use super::wire::Question;

/// The trouble of a program that has answered, and ended before what it started.
const LEFT_BEHIND: &str = "it answered and ended, but left a process behind that kept its standard output open, \
                           and was killed: its time is not counted";

/// The values of an output, and what tells of those that no metric takes.
#[derive(Default)]
struct ReadAnswer {
    row: Row,
    unread: Option<String>,
}

/// A program that is started for every instance.
pub(super) struct EachTime {
    question: EntrantQuestion,
    /// The writer of instances that are no files.
    writer: InstanceWriter,
    /// The places for an instance in the arguments and the input.
    places: Vec<String>,
    /// The folder of instances that a program reads from a file.
    folder: TempDir,
}

/// The form of a place for an instance, and whether it is asked for in a file:
/// `instance.solvitaire.file`; `None` of another place.
fn form(place: &str) -> Option<(Option<&str>, bool)> {
    let rest = place.strip_prefix(INSTANCE)?;
    let in_file = rest.strip_suffix(".file");
    let form = in_file.unwrap_or(rest);
    let is_one = form.is_empty() || form.starts_with('.');
    is_one.then_some((form.strip_prefix('.'), in_file.is_some()))
}

impl EachTime {
    /// A program of a question; its answer is known by signs, where there are any.
    ///
    /// # Errors
    /// If there is no such program, or a place that nothing fills.
    pub(super) fn new(question: EntrantQuestion, writer: InstanceWriter) -> Result<Self, String> {
        let declaration = question.request().declaration;
        let texts = declaration.program.argv.iter().chain([&declaration.stdin]);
        let pieces = texts.flat_map(|text| text.split('{').skip(1));
        let places = pieces.filter_map(|piece| Some(piece.split_once('}')?.0.to_owned()));
        let mut places: Vec<String> = places.filter(|place| form(place).is_some()).collect();
        if declaration.instances.is_some() {
            // Each is a file, which has no other forms.
            places.retain(|place| place != INSTANCE && place != INSTANCE_FILE);
        }
        let is_unknown =
            |place: &&String| form(place).is_some_and(|(form, _)| writer(0, form).is_none());
        if let Some(place) = places.iter().find(is_unknown) {
            return Err(format!("the game writes no instances as `{{{place}}}`"));
        }
        Ok(Self {
            question,
            writer,
            places,
            folder: tempfile::tempdir().map_err(|error| error.to_string())?,
        })
    }

    /// The places in the arguments and the input, filled for an instance, and the parameters.
    fn filled(&self, instance: u64) -> Vec<(String, String)> {
        let fill = |place: &String| {
            let (form, in_file) = form(place)?;
            let text = (self.writer)(instance, form).unwrap_or_default();
            let text = if in_file { self.in_a_file(&text) } else { text };
            Some((place.clone(), text))
        };
        let values = self.question.request().values.iter().cloned();
        self.places.iter().filter_map(fill).chain(values).collect()
    }

    /// The path of a file that holds a text; empty where none can be written.
    fn in_a_file(&self, text: &str) -> String {
        let path = self.folder.path().join(INSTANCE);
        let written = std::fs::write(&path, text).map(|()| path.to_string_lossy().into_owned());
        written.unwrap_or_default()
    }

    /// The values that the output says: by the last sign of an answer in it, by the exit status, or as a row.
    fn read(&self, question: &Question, output: &[u8], status: i32) -> Result<ReadAnswer, String> {
        let mut read = ReadAnswer::default();
        if self.question.contender.positions.is_empty() {
            return Ok(read);
        }
        let known = &self.question.contender.answers;
        if known.is_empty() {
            // Solvers print more than is asked of them.
            let written = question.read_first(output, &mut read.row)?;
            let columns = &question.declaration.columns;
            read.unread = (written > columns.len()).then(|| unread(columns, written));
            return Ok(read);
        }
        let text = String::from_utf8_lossy(output);
        read.row.push(known_answer(known, &text, status)?);
        Ok(read)
    }
}

/// Tells which of the values of a line were read.
fn unread(columns: &[Metric], written: usize) -> String {
    let (names, declared) = (metric_names(columns), columns.len());
    format!(
        "its last line has {written} values where the file declares {declared}: {names} is read from the first, \
         and the rest is ignored"
    )
}

/// The answer that an output and an exit status mean.
///
/// # Errors
/// A sentence without its subject: they mean none, or each another.
fn known_answer(known: &[KnownAnswer], output: &str, status: i32) -> Result<Value, String> {
    let is_status = |answer: &&KnownAnswer| answer.sign == AnswerSign::Status(status);
    match (last_said(known, output), known.iter().find(is_status)) {
        (Some(said), Some(ended)) if said.value != ended.value => Err(format!(
            "wrote {} and ended with {}, which mean different answers",
            said.sign, ended.sign
        )),
        (Some(found), _) | (None, Some(found)) => Ok(found.value),
        (None, None) => {
            let expected: Vec<String> =
                known.iter().map(|answer| answer.sign.to_string()).collect();
            Err(format!(
                "gave no answer that stands under `answers` ({}); it ended with exit status {status}",
                expected.join(", ")
            ))
        }
    }
}

/// The answer whose sign comes last in an output.
fn last_said<'a>(known: &'a [KnownAnswer], output: &str) -> Option<&'a KnownAnswer> {
    let mut signs = output.lines().rev().flat_map(AnswerSign::of_line);
    signs.find_map(|sign| known.iter().find(|answer| answer.sign == sign))
}

impl Entrant for EachTime {
    fn memory_means(&self) -> Option<&'static str> {
        self.question.memory.as_ref().map(MemoryCap::means)
    }

    fn answer(&mut self, instance: u64) -> TimedAnswer {
        let places = self.filled(instance);
        let question = Question {
            values: &places,
            ..self.question.request()
        };
        let (begun, kills) = (Instant::now(), self.question.kills());
        let limits = AnswerLimits {
            deadline: self.question.deadline(),
            allowance: self.question.contender.cpu,
            ends_alone: true,
            whole: None,
        };
        let read = |output: Vec<u8>, status| self.read(&question, &output, status);
        let (command, good) = (
            &self.question.asker.command,
            &self.question.contender.good_statuses,
        );
        let asked = question.ask_once(command, instance, limits, good, read);
        let spent = asked.spent(begun);
        let (answer, unread) = match asked.answer {
            Ok(read) => (Ok(read.row), read.unread),
            Err(trouble) => (Err(trouble), None),
        };
        let mut taken = self.question.taken(EntrantAnswer {
            spent,
            answer,
            kills,
            usage: asked.usage,
        });
        let left_behind = asked.is_outlived.then(|| LEFT_BEHIND.to_owned());
        // One answer speaks for all that the program writes.
        let unread = unread.filter(|_| instance == 0);
        taken.trouble = taken.trouble.or(left_behind).or(unread);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(signs: &[(AnswerSign, bool)]) -> Vec<KnownAnswer> {
        let known = signs.iter().cloned().map(|(sign, value)| KnownAnswer {
            sign,
            value: Value::flag(value),
        });
        known.collect()
    }

    #[test]
    fn an_answer_is_known_by_a_word_a_whole_line_or_the_exit_status() {
        let text = |text: &str| AnswerSign::of_text(text).unwrap();
        let known = known(&[
            (text("s SATISFIABLE"), true),
            (text("s UNSATISFIABLE"), false),
            (text("Impossible"), false),
            (AnswerSign::Status(10), true),
            (AnswerSign::Status(20), false),
        ]);
        let answer = |output: &str, status| known_answer(&known, output, status);
        let [yes, no] = [true, false].map(|value| Ok(Value::flag(value)));
        assert_eq!(answer("c a comment\ns SATISFIABLE\nv 1 -2 0\n", 0), yes);
        assert_eq!(answer("  s   UNSATISFIABLE \r\n", 20), no);
        assert_eq!(answer("s SATISFIABLE\nIt is (Impossible).", 0), no);
        assert_eq!(answer("Impossible\ns SATISFIABLE", 0), yes);
        assert_eq!(answer("", 10), yes);
        let others = [
            "c s SATISFIABLE",
            "s SATISFIABLE?",
            "SATISFIABLE",
            "s\nSATISFIABLE",
            "",
        ];
        for output in others {
            let told = answer(output, 0).unwrap_err();
            assert!(
                told.starts_with("gave no answer") && told.contains("the line `s SATISFIABLE`")
            );
        }
        assert_eq!(
            answer("s SATISFIABLE", 20).unwrap_err(),
            "wrote the line `s SATISFIABLE` and ended with exit status 20, which mean different answers"
        );
    }

    /// Texts of one to three characters: each is no sign, or one that its own line has.
    #[test]
    fn every_sign_of_a_text_is_met_by_the_line_that_is_the_text() {
        let letters = ["a", "0", "-", "_", " ", "\t", "\n", "\r", ".", "é", "\u{1}"];
        let mut met = 0;
        for one in letters {
            for two in letters.iter().chain(&[""]) {
                for three in letters.iter().chain(&[""]) {
                    let text = format!("{one}{two}{three}");
                    let Some(sign) = AnswerSign::of_text(&text) else {
                        assert!(
                            text.trim().is_empty() || text.contains(['\n', '\r']),
                            "{text:?}"
                        );
                        continue;
                    };
                    let known = known(&[(sign, true)]);
                    assert_eq!(
                        known_answer(&known, &format!("x\n{text}\ny"), 0),
                        Ok(Value::flag(true))
                    );
                    met += 1;
                }
            }
        }
        assert!(met > 500, "{met}");
    }
}
