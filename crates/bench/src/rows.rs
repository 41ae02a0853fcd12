//! The tables of a benchmark: one declaration of a row writes it and reads it back.

use super::setting::Setting;
use super::speed::Speed;
use lab::tables::{Column, ColumnKind, RecordFields, RowValue, csv_lines};
use lab::task::{Metric, TableCell, Value};
use stats::{Interval, Level};

lab::table_row! {
    /// A row of `clock.csv`: one timing.
    pub struct RunRow in "clock", keys ["instance", "entrant", "start", "position"] {
        /// The instance, from 0.
        instance: u64,
        /// The contender, or `control`.
        entrant: String,
        /// The number of times that all had been started, this one included.
        start: u64,
        /// The position in the order of the instance, from 1; 0 of what counts for nothing: a program's
        /// start, and its first answer.
        position: u64,
        /// `started`, `done`, `capped` or `failed`.
        state: String,
        /// Seconds of the processor in the program.
        user: f64,
        /// Seconds of the processor in the system.
        system: f64,
        /// Seconds on the wall.
        wall: f64,
        /// The most memory of a program, in bytes.
        peak: Option<u64>,
    }
}

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

lab::table_row! {
    /// A row of `clock/speed.csv`.
    pub struct SpeedRow in "clock/speed", keys ["first", "second", "statistic"] {
        /// The contender whose time is divided.
        first: String,
        /// The contender that it is divided by; the same one for the control, none for a share decided.
        second: String,
        /// `median`, `total`, `faster` or `decided`.
        statistic: String,
        /// The estimate.
        speed: Speed,
        /// `different`, `different within the margin`, `equal` or `open`.
        verdict: String,
    }
}

lab::table_row! {
    /// A row of `clock/growth.csv`.
    pub struct GrowthRow in "clock/growth", keys ["parameter", "contender", "statistic"] {
        /// The swept parameter.
        parameter: String,
        /// The other swept values.
        contender: String,
        /// `factor`, for each step of 1 of the parameter, or `exponent`.
        statistic: String,
        /// The estimate.
        estimate: f64,
        /// The lower end of its interval.
        ci_lo: f64,
        /// The upper end.
        ci_hi: f64,
        /// The level of the interval.
        ci_level: f64,
        /// Its method.
        ci_method: String,
        /// Values of the parameter.
        values: u64,
        /// Instances of each.
        n: u64,
        /// True if the medians lie on a straight line, as far as they are known.
        straight: Option<bool>,
    }
}

lab::table_row! {
    /// A row of `clock/claims.csv`.
    pub struct BenchClaimRow in "clock/claims", keys ["holds"] {
        /// The person or text that makes the claim.
        source: String,
        /// The sentence.
        text: String,
        /// The relation.
        holds: String,
        /// The ratio, at the level of the decision.
        speed: Speed,
        /// `supported`, `refuted` or `undecided`.
        verdict: String,
        /// True if it was written after seeing results.
        post_hoc: Option<bool>,
    }
}

impl RowValue for Speed {
    fn columns(name: &str, meaning: &str) -> Vec<Column> {
        let open = "The estimate; empty where stopped answers leave it open.";
        let cut = "Those among them with a time that was cut off.";
        let mut columns = vec![Column::new("estimate", ColumnKind::Number, open)];
        // Either end is empty where it is open.
        columns.extend(Option::<Interval>::columns(name, meaning));
        columns.extend(u64::columns("n", "Instances that count."));
        columns.extend(u64::columns("n_censored", cut));
        columns
    }

    fn write(&self, cells: &mut Vec<TableCell>) {
        let (level, method, validity) = self.interval.map_or((None, "", ""), |found| {
            (Some(found.0.get()), found.1.into(), found.2.into())
        });
        cells.extend([self.value, self.lo, self.hi, level].map(TableCell::from));
        cells.extend([method, validity].map(TableCell::from));
        cells.extend([self.n, self.censored].map(TableCell::from));
    }

    fn read(fields: &RecordFields<'_>, _: &str) -> Self {
        let interval = fields.number("ci_level").and_then(|level| {
            let method = fields.known("ci_method", |name| name.parse().ok());
            let validity = fields.known("valid_under", |name| name.parse().ok());
            Some((Level::stated(level)?, method?, validity?))
        });
        Self {
            value: fields.number("estimate"),
            lo: fields.number("ci_lo"),
            hi: fields.number("ci_hi"),
            interval,
            ..Self::none(fields.count("n"), fields.count("n_censored"))
        }
    }
}

/// The values of a contender's answer, in the order of the metrics; `None` of what it did not say.
pub type AnswerValues = Vec<Option<Value>>;

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
