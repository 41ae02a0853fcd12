//! The tables of a benchmark that can be reproduced.

use lab::experiment::Setting;
use lab::tables::csv_lines;
use lab::task::{AnswerValues, Metric, TableCell, Value};

lab::table_row! {
    /// A row of `answers.csv`.
    pub struct AnswerRow in "answers", keys ["instance", "contender", "metric"] {
        /// The instance, from 0.
        instance: u64,
        /// The contender.
        contender: String,
        /// The metric on which all must agree.
        metric: String,
        /// Its value.
        value: String,
    }
}

/// The answers of an instance, in the order of contenders and metrics. What was not answered has no
/// row.
pub fn answer_rows(setting: &Setting, instance: u64, values: &[AnswerValues]) -> Vec<AnswerRow> {
    let mut rows = Vec::new();
    for (name, values) in setting.names().zip(values) {
        for &at in &setting.answers {
            let metric = &setting.metrics()[at];
            rows.extend(values[at].map(|value| AnswerRow {
                instance,
                contender: name.to_owned(),
                metric: metric.name.to_string(),
                value: text(metric, value),
            }));
        }
    }
    rows
}

/// The line of the columns of `work.csv`.
pub fn work_header(setting: &Setting) -> String {
    let work = setting.work.iter();
    let names = work.map(|&at| format!(",{}", setting.metrics()[at].name));
    format!("instance,contender{}\n", names.collect::<String>())
}

/// The lines of an instance in `work.csv`.
pub fn work_lines(setting: &Setting, instance: u64, values: &[AnswerValues]) -> Vec<u8> {
    let cells = |(name, values): (&str, &AnswerValues)| {
        let shown = |&at: &usize| {
            let value = values[at].map(|value| text(&setting.metrics()[at], value));
            TableCell::from(value.unwrap_or_default())
        };
        let own = [instance.into(), name.into()].into_iter();
        own.chain(setting.work.iter().map(shown)).collect()
    };
    csv_lines(setting.names().zip(values).map(cells))
}

/// A value as the tables have it: flags as words, bounds with both ends.
pub fn text(metric: &Metric, value: Value) -> String {
    match value {
        Value::Bounds { lower, upper } => {
            format!("{}..{}", metric.write(lower), metric.write(upper))
        }
        Value::Missing => String::new(),
        _ => metric.show(value),
    }
}
