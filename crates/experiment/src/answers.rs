//! The signs by which the program of a contender tells its answer: words, lines and exit statuses.
//!
//! A sign that no program can give is a fault of the file. Starts no program.

use super::Experiment;
use super::document::Document;
use super::error::Checked;
use super::program_tables::{AnswerTable, ContenderTable};
use task::outside::{AnswerSign, KnownAnswer};
use task::{Metric, MetricKind, ParamValue, Value};

/// The exit statuses by which SAT solvers say that there is a solution, or none.
const OF_SOLVERS: [i32; 2] = [10, 20];

/// A key of `answers`.
#[derive(Clone, Copy, Debug)]
enum AnswerKey<'a> {
    /// A word or a line.
    Text(&'a str),
    /// An exit status.
    Status(&'a str),
}

/// A key of `answers` by which no answer can be known.
#[derive(Debug)]
pub(super) struct AnswerFault {
    /// The keys below `answers`.
    keys: Vec<String>,
    /// The fault, as a sentence without its final stop.
    pub(crate) message: String,
    help: &'static str,
}

impl AnswerKey<'_> {
    /// The sign; `None` of a key that no program can give.
    fn sign(self) -> Option<AnswerSign> {
        match self {
            AnswerKey::Text(text) => AnswerSign::of_text(text),
            AnswerKey::Status(text) => exit_status(text).map(AnswerSign::Status),
        }
    }

    fn fault(self, message: String, help: &'static str) -> AnswerFault {
        let keys = match self {
            AnswerKey::Text(text) => vec![text.to_owned()],
            AnswerKey::Status(text) => vec!["status".to_owned(), text.to_owned()],
        };
        AnswerFault {
            keys,
            message,
            help,
        }
    }

    /// The fault of a key that is no sign.
    fn no_sign(self) -> AnswerFault {
        match self {
            AnswerKey::Text(text) => self.fault(
                format!(
                    "`{}` is no word and no line: no output has it",
                    text.escape_debug()
                ),
                "write a word of the output, or a whole line",
            ),
            AnswerKey::Status(text) => self.fault(
                format!("`{text}` is no exit status: no program ends with it"),
                "write a number from 0 to 255",
            ),
        }
    }
}

/// The exit status of a text, if every system has it.
fn exit_status(text: &str) -> Option<i32> {
    text.parse::<u8>().ok().map(i32::from)
}

impl AnswerTable {
    fn keys(&self) -> impl Iterator<Item = (AnswerKey<'_>, &ParamValue)> {
        let statuses = self.status.iter();
        let statuses = statuses.map(|(key, answer)| (AnswerKey::Status(key), answer));
        let texts = self.texts.iter();
        statuses.chain(texts.map(|(key, answer)| (AnswerKey::Text(key), answer)))
    }

    /// Every sign with the value of a metric that it means.
    ///
    /// # Errors
    /// The first key that is no sign, or that repeats another's, or whose answer is no value.
    fn known(&self, metric: &Metric) -> Result<Vec<KnownAnswer>, AnswerFault> {
        let mut known: Vec<KnownAnswer> = Vec::new();
        for (key, answer) in self.keys() {
            let sign = key.sign().ok_or_else(|| key.no_sign())?;
            if known.iter().any(|earlier| earlier.sign == sign) {
                let message = format!("{sign} stands under `answers` already");
                return Err(key.fault(message, "remove one of both"));
            }
            let value = value_of(metric, answer).ok_or_else(|| {
                let message = format!("`{answer}` is no value of `{}`", metric.name);
                key.fault(
                    message,
                    "write a value of the first metric on which all must agree",
                )
            })?;
            known.push(KnownAnswer { sign, value });
        }
        Ok(known)
    }
}

/// The value of a metric that an answer is.
fn value_of(metric: &Metric, answer: &ParamValue) -> Option<Value> {
    let value = match (metric.kind, answer) {
        (MetricKind::Flag, ParamValue::Flag(flag)) => Some(Value::flag(*flag)),
        (_, answer) => metric.read(&answer.to_string()).ok(),
    };
    value.filter(|&value| metric.admits(value))
}

impl ContenderTable {
    /// The exit statuses with which its program ends well.
    pub(super) fn good_statuses(&self) -> Vec<i32> {
        let told = self
            .answers
            .status
            .keys()
            .filter_map(|key| exit_status(key));
        let others = match &self.exit {
            Some(given) => given
                .iter()
                .filter_map(|&status| i32::try_from(status).ok())
                .collect(),
            None if self.answers.is_empty() => vec![0],
            None => [&[0][..], &OF_SOLVERS].concat(),
        };
        told.chain(others).collect()
    }
}

impl Experiment {
    /// The position of the metric whose values the signs of answers mean: the first on which all must agree or, where
    /// none is compared, the only one of a simulation.
    pub(super) fn meant(&self) -> Option<usize> {
        let is_only = self.command.is_some() && self.task.metrics.len() == 1;
        let agreed = self.agreed();
        agreed.first().copied().or(is_only.then_some(0))
    }

    /// The signs of a contender's answers with the values that they mean.
    ///
    /// # Errors
    /// The first key by which no answer can be known.
    pub(super) fn known_answers(&self, contender: usize) -> Result<Vec<KnownAnswer>, AnswerFault> {
        let meant = self.meant().map(|at| &self.task.metrics[at]);
        match self.table(contender).zip(meant) {
            Some((table, metric)) => table.answers.known(metric),
            None => Ok(Vec::new()),
        }
    }

    /// Refuses signs of answers that no program can give, or that mean no answer.
    pub(super) fn check_answers(&self, document: &Document) -> Checked {
        for (at, cell) in self.cells.iter().enumerate() {
            let Some(name) = cell.table() else { continue };
            self.known_answers(at).map_err(|fault| {
                let path = document.at("contenders").at(name).at("answers");
                let path = fault.keys.iter().fold(path, |path, key| path.at(key));
                path.fault_of_key(fault.message).help(fault.help)
            })?;
        }
        Ok(())
    }
}
