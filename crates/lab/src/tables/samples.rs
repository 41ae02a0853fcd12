//! `samples.csv`: every sample of every cell, on request.
//!
//! After the sample, the name of its instance where that is a file, and its cell come the values of the
//! swept parameters, then those of the metrics, each in its unit. A bounded value keeps both ends, so a
//! metric has a `_lo` and a `_hi` column (ratios a numerator and a denominator, weights their decimal
//! logarithm). Once the run is complete, a metric whose ends are equal in every row has one column, of its own name. Rows are ordered by
//! sample, then by cell, so the rows of a block are consecutive lines.

use std::sync::Arc;

use crate::run::Block;
use crate::run::CompiledExperiment;
use base::decimal;
use experiment::Experiment;
use programs::Instances;
use task::outside::Values;
use task::{Metric, MetricKind, ParamSpec, Row, Value};

use super::formula::guarded;
use super::number::{self, Exact, exact, number};
use super::row::{Column, ColumnKind};
use super::summary::param_columns;

/// The columns of a run's `samples.csv`, and the beginnings of its rows.
///
/// Which metrics have a single column instead of two is a list of flags, one for each metric.
#[derive(Debug)]
pub(crate) struct SampleTable {
    /// The columns before those of the metrics.
    keys: Vec<Column>,
    /// The fields of each cell in these columns, but for the sample.
    cells: Vec<String>,
    metrics: Vec<Metric>,
    /// The instances of samples, where they have names.
    instances: Option<Arc<Instances>>,
    /// The parameters of each cell, which instances may depend on.
    values: Vec<Values>,
}

/// The fields of a row.
#[derive(Debug)]
pub(crate) struct SampleRow<'line> {
    /// The fields before those of the metrics.
    keys: &'line [u8],
    /// Both ends of each metric; the same field twice where there is one column.
    ends: Vec<[&'line [u8]; 2]>,
}

impl SampleTable {
    /// The file's name without `.csv`.
    pub(crate) const NAME: &'static str = "samples";

    /// The table of an experiment.
    pub(crate) fn of(experiment: &Experiment, compiled: &CompiledExperiment) -> Self {
        let metrics = experiment.task.metrics.to_vec();
        let swept = |param: &&ParamSpec| experiment.axes().contains_key(&*param.name);
        let swept: Vec<&ParamSpec> = experiment.task.params.iter().filter(swept).collect();
        let cells = experiment.cells.iter().map(|cell| {
            let value = |param: &&ParamSpec| cell.params.get(&param.name).map(ToString::to_string);
            let values = swept.iter().filter_map(value);
            let fields = [cell.name.clone()].into_iter().chain(values);
            fields
                .map(|field| quoted(&field))
                .collect::<Vec<_>>()
                .join(",")
        });
        let instances = compiled.programs().instances.clone();
        let own_columns = own_columns(instances.is_some());
        let mut taken = own_columns.clone();
        for is_single in [false, true] {
            taken.extend(
                metrics
                    .iter()
                    .flat_map(|metric| metric_columns(metric, is_single)),
            );
        }
        let params = param_columns(&taken, swept.iter().copied());
        Self {
            keys: own_columns.into_iter().chain(params).collect(),
            cells: cells.collect(),
            metrics,
            instances,
            values: experiment.values_of_cells(),
        }
    }

    /// Number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.cells.len()
    }

    /// The metrics that may have a single column: those with two ends, whose name is no other column's.
    pub(crate) fn singles(&self) -> Vec<bool> {
        let taken = self.columns(&self.no_singles());
        let is_free = |name: &str| taken.iter().all(|column| column.name != name);
        let metrics = self.metrics.iter();
        metrics
            .map(|metric| has_ends(metric) && is_free(&metric.name))
            .collect()
    }

    /// The flags of a table with both columns of every metric.
    pub(crate) fn no_singles(&self) -> Vec<bool> {
        vec![false; self.metrics.len()]
    }

    /// The columns.
    pub(crate) fn columns(&self, singles: &[bool]) -> Vec<Column> {
        let metrics = self.metrics.iter().zip(singles);
        let metrics = metrics.flat_map(|(metric, &is_single)| metric_columns(metric, is_single));
        self.keys.iter().cloned().chain(metrics).collect()
    }

    /// The first line.
    pub(crate) fn header(&self, singles: &[bool]) -> String {
        let columns = self.columns(singles).into_iter();
        let names: Vec<String> = columns.map(|column| column.name).collect();
        names.join(",") + "\n"
    }

    /// The metrics with a single column in a file with this first line; `None` if it is not the
    /// experiment's.
    pub(crate) fn singles_in(&self, header: &[u8]) -> Option<Vec<bool>> {
        let singles = self.singles_after(header);
        singles.filter(|singles| self.header(singles).as_bytes() == header)
    }

    /// Like [`singles_in`](Self::singles_in), of a file with other parameters before the metrics.
    pub(crate) fn singles_after(&self, header: &[u8]) -> Option<Vec<bool>> {
        let text = std::str::from_utf8(header).ok()?;
        let mut names: Vec<&str> = text.trim_end().split(',').collect();
        let mut singles = self.no_singles();
        for (metric, is_single) in self.metrics.iter().zip(&mut singles).rev() {
            let is_next = |is_single: &bool| {
                let columns = metric_columns(metric, *is_single);
                let own: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
                names.ends_with(&own)
            };
            *is_single = [false, true].into_iter().find(is_next)?;
            names.truncate(names.len() - width(metric, *is_single));
        }
        Some(singles)
    }

    /// The values in a line with both columns of every metric; `None` where they are not written in
    /// full, as weights are not.
    pub(crate) fn values(&self, line: &[u8]) -> Option<Row> {
        let fields = self.parse(line, &self.no_singles())?;
        let mut row = Row::new();
        for (metric, ends) in self.metrics.iter().zip(&fields.ends) {
            let [lower, upper] = ends.map(std::str::from_utf8);
            let ends = [lower.ok()?, upper.ok()?];
            let value = read_value(metric, ends)?;
            if field(metric, value) != ends[..width(metric, false)].join(",") {
                return None;
            }
            row.push(value);
        }
        Some(row)
    }

    /// The row of a sample of which nothing is known.
    pub(crate) fn unknown(&self) -> Row {
        let mut row = Row::new();
        self.metrics.iter().for_each(|_| row.push(Value::Missing));
        row
    }

    /// The rows of a block with both columns of every metric, given the samples of every cell.
    pub(crate) fn rows(&self, block: &Block, samples: &[Vec<Row>]) -> String {
        let mut text = String::new();
        for (offset, sample) in block.range().enumerate() {
            for (at, (cell, rows)) in self.cells.iter().zip(samples).enumerate() {
                let instances = self.instances.as_ref();
                let name =
                    instances.map(|all| all.name(sample, &self.values[at]).unwrap_or_default());
                let name = name.map_or_else(String::new, |name| format!(",{}", quoted(&name)));
                text.push_str(&format!("{sample}{name},{cell}"));
                for (metric, value) in self.metrics.iter().zip(rows[offset].values()) {
                    text.push(',');
                    text.push_str(&field(metric, *value));
                }
                text.push('\n');
            }
        }
        text
    }

    /// The row in a line; `None` of any other line.
    pub(crate) fn parse<'line>(
        &self,
        line: &'line [u8],
        singles: &[bool],
    ) -> Option<SampleRow<'line>> {
        let line = line.strip_suffix(b"\n")?;
        let widths = self.metrics.iter().zip(singles);
        let widths = widths.map(|(metric, &is_single)| width(metric, is_single));
        let fields: usize = widths.clone().sum();
        // Fields of metrics are numbers: they hold no comma.
        let mut fields = line
            .rsplitn(fields + 1, |&byte| byte == b',')
            .collect::<Vec<_>>();
        let keys = fields.pop()?;
        let mut ends = Vec::with_capacity(self.metrics.len());
        for width in widths {
            let first = fields.pop()?;
            let second = if width == 2 { fields.pop()? } else { first };
            ends.push([first, second]);
        }
        Some(SampleRow { keys, ends })
    }

    /// The line of a row.
    pub(crate) fn line(&self, row: &SampleRow<'_>, singles: &[bool]) -> Vec<u8> {
        let mut line = row.keys.to_vec();
        for ((metric, ends), &is_single) in self.metrics.iter().zip(&row.ends).zip(singles) {
            for end in &ends[..width(metric, is_single)] {
                line.push(b',');
                line.extend_from_slice(end);
            }
        }
        line.push(b'\n');
        line
    }
}

impl SampleRow<'_> {
    /// Clears the flag of each metric whose ends differ.
    pub(crate) fn keep_equal(&self, singles: &mut [bool]) {
        let both = singles.iter_mut().zip(&self.ends);
        both.for_each(|(single, [first, second])| *single &= first == second);
    }
}

/// The columns before those of the parameters.
pub(super) fn own_columns(has_instances: bool) -> Vec<Column> {
    let mut own = Column::list(&[
        (
            "sample",
            ColumnKind::Integer,
            "Index of the sample, from 0.",
        ),
        (
            "instance",
            ColumnKind::Text,
            "The name of the sample's instance.",
        ),
        (
            "cell",
            ColumnKind::Text,
            "One combination of the swept parameters.",
        ),
    ]);
    own.retain(|column| has_instances || column.name != "instance");
    own
}

/// Returns whether a metric's values are bounded from both sides.
fn has_ends(metric: &Metric) -> bool {
    !matches!(metric.kind, MetricKind::Ratio | MetricKind::Weight)
}

/// Columns of a metric.
fn width(metric: &Metric, is_single: bool) -> usize {
    match metric.kind {
        MetricKind::Weight => 1,
        _ => 2 - usize::from(is_single),
    }
}

fn metric_columns(metric: &Metric, is_single: bool) -> Vec<Column> {
    let whole = match (metric.kind, metric.denominator) {
        (MetricKind::Flag, _) => ColumnKind::Flag,
        (_, 1) => ColumnKind::Integer,
        _ => ColumnKind::Number,
    };
    if is_single && has_ends(metric) {
        return vec![Column::of_task(&metric.name, whole, &metric.summary)];
    }
    let columns: &[(&str, &str, ColumnKind)] = match metric.kind {
        MetricKind::Ratio => &[
            ("numerator", "numerator", whole),
            ("denominator", "denominator", ColumnKind::Integer),
        ],
        MetricKind::Weight => &[("log10", "Decimal logarithm", ColumnKind::Number)],
        _ => &[("lo", "At least", whole), ("hi", "At most", whole)],
    };
    let column = |&(end, words, kind): &(&str, &str, _)| {
        let meaning = format!("{} ({words})", metric.summary);
        Column::of_task(&format!("{}_{end}", metric.name), kind, &meaning)
    };
    columns.iter().map(column).collect()
}

/// The value in both columns of a metric.
fn read_value(metric: &Metric, [first, second]: [&str; 2]) -> Option<Value> {
    let steps = |text: &str| match (metric.kind, metric.denominator) {
        (MetricKind::Number, _) => decimal::scaled(text, metric.decimals).ok(),
        (_, 1) => text.parse().ok(),
        (_, denominator) => Some((text.parse::<f64>().ok()? * denominator as f64).round() as i64),
    };
    Some(match metric.kind {
        _ if first.is_empty() => Value::Missing,
        MetricKind::Weight => return None,
        MetricKind::Ratio => Value::Ratio {
            numerator: steps(first)?,
            denominator: second.parse().ok()?,
        },
        _ if first == second => Value::Exact(steps(first)?),
        _ => Value::Bounds {
            lower: steps(first)?,
            upper: steps(second)?,
        },
    })
}

fn quoted(cell: &str) -> String {
    let cell = guarded(cell);
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

fn field(metric: &Metric, value: Value) -> String {
    let in_unit = |value: i64| match (metric.kind, metric.denominator) {
        (MetricKind::Number, _) => metric.write(value),
        (_, 1) => value.to_string(),
        (_, denominator) => number::decimal(&exact(Exact::of_steps(value, denominator).0)),
    };
    match value {
        Value::Exact(value) => format!("{0},{0}", in_unit(value)),
        Value::Bounds { lower, upper } => format!("{},{}", in_unit(lower), in_unit(upper)),
        Value::Ratio {
            numerator,
            denominator,
        } => format!("{},{denominator}", in_unit(numerator)),
        Value::Weight(weight) => number::decimal(&number(Some(weight.log10()))),
        Value::Missing if metric.kind == MetricKind::Weight => String::new(),
        Value::Missing => ",".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_described_as_booleans() {
        let kinds = |metric: &Metric, is_single| {
            let columns = metric_columns(metric, is_single).into_iter();
            columns
                .map(|column| column.kind.frictionless())
                .collect::<Vec<_>>()
        };
        let (flag, count) = (Metric::flag("hit", ""), Metric::total("n", "", ""));
        assert_eq!(kinds(&flag, true), ["boolean"]);
        assert_eq!(kinds(&flag, false), ["boolean"; 2]);
        assert_eq!(kinds(&count, true), ["integer"]);
    }

    #[test]
    fn samples_are_in_the_unit_of_the_metric() {
        let whole = Metric::integer("moves", "moves", (0, 9), "");
        let half = whole.clone().with_denominator(2);
        let bounds = Value::Bounds { lower: 3, upper: 4 };
        assert_eq!(field(&whole, bounds), "3,4");
        assert_eq!(field(&half, bounds), "1.5,2.0");
        assert_eq!(field(&half, Value::Exact(5)), "2.5,2.5");
        assert_eq!(field(&whole, Value::Missing), ",");
        let columns = metric_columns(&half, false);
        let kinds: Vec<ColumnKind> = columns.iter().map(|column| column.kind).collect();
        assert_eq!(kinds, [ColumnKind::Number; 2]);
    }

    /// A missing value, both ends of others, and texts that the program does not write.
    #[test]
    fn values_are_read_as_they_were_written_or_not_at_all() {
        let whole = Metric::integer("moves", "moves", (0, 9), "");
        let half = Metric::integer("half", "moves", (0, 9), "").with_denominator(2);
        let metrics = vec![whole, half, Metric::ratio("r", "", "")];
        let table = SampleTable {
            keys: own_columns(false),
            cells: vec!["all".to_owned()],
            metrics,
            instances: None,
            values: Vec::new(),
        };
        let row = table.values(b"7,all,3,4,1.5,1.5,5,6\n").unwrap();
        let bounds = Value::Bounds { lower: 3, upper: 4 };
        let ratio = Value::Ratio {
            numerator: 5,
            denominator: 6,
        };
        assert_eq!(row.values(), [bounds, Value::Exact(3), ratio]);
        let missing = table.values(b"7,all,,,1.5,1.5,,\n").unwrap();
        assert_eq!(
            missing.values(),
            [Value::Missing, Value::Exact(3), Value::Missing]
        );
        for odd in ["1.4,1.4", "x,x", "01.5,01.5", "1.5,"] {
            let line = format!("7,all,3,4,{odd},5,6\n");
            assert!(table.values(line.as_bytes()).is_none(), "{odd}");
        }
        let header = b"sample,cell,q,moves,half_lo,half_hi,r_numerator,r_denominator\n";
        assert_eq!(table.singles_after(header), Some(vec![true, false, false]));
        assert_eq!(table.singles_after(b"sample,cell,moves\n"), None);
    }

    /// A parameter and a metric named `p`, a metric named as a column of every table, one named as
    /// the end of another, and a ratio.
    #[test]
    fn every_column_has_a_name_of_its_own_and_rows_come_back_in_either_form() {
        let names = ["p", "cell", "x", "x_lo"];
        let integers = names.map(|name| Metric::integer(name, "", (0, 9), ""));
        let metrics: Vec<Metric> = integers
            .into_iter()
            .chain([Metric::ratio("share", "", "")])
            .collect();
        let own = own_columns(false);
        let table = SampleTable {
            keys: own
                .into_iter()
                .chain([Column::new("param_p", ColumnKind::Text, "")])
                .collect(),
            cells: vec!["\"a,b\",\"a,b\"".to_owned()],
            metrics,
            instances: None,
            values: Vec::new(),
        };
        assert_eq!(table.singles(), [true, false, true, false, false]);
        let both = table.no_singles();
        for singles in [
            table.singles(),
            both.clone(),
            vec![false, false, true, false, false],
        ] {
            let header = table.header(&singles);
            let mut columns: Vec<&str> = header.trim_end().split(',').collect();
            assert_eq!(table.singles_in(header.as_bytes()), Some(singles.clone()));
            columns.sort_unstable();
            assert!(
                columns.windows(2).all(|pair| pair[0] != pair[1]),
                "{header}"
            );
            let line = b"7,\"a,b\",\"a,b\",1,1,2,2,,,4,5,6,7\n";
            let row = table.parse(line, &both).unwrap();
            let mut equal = table.singles();
            row.keep_equal(&mut equal);
            assert_eq!(equal, table.singles());
            let short = table.line(&row, &singles);
            let back = table.parse(&short, &singles).unwrap();
            assert_eq!(table.line(&back, &both), line);
        }
        assert_eq!(table.singles_in(b"sample,cell,p\n"), None);
    }
}
