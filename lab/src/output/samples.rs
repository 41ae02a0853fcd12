//! `samples.csv`: every sample of every cell, on request.
//!
//! A value that is only bounded keeps both ends, so each metric has a `_lo` and a `_hi` column
//! (ratios a numerator and a denominator, weights their decimal logarithm), in the metric's unit.
//! Rows stand in the order of samples, then cells, so a block's rows are consecutive lines.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use crate::harness::{Block, FinishedBlock};
use crate::task::{Metric, MetricKind, Row, Value};

use super::atomic::write_atomically;
use super::number::{decimal, number};
use super::table::{Column, ColumnKind};

/// Appends samples in the order of blocks, cells, samples.
#[derive(Debug)]
pub struct SampleWriter {
    file: File,
    cells: Vec<String>,
    metrics: Vec<Metric>,
}

impl SampleWriter {
    /// Opens the file, keeping the rows of the first `kept` samples of every cell and nothing
    /// after them. `None` if fewer are there: what is stored is then of no use to a run that has
    /// `kept` samples in its journal.
    pub fn open(
        path: &Path,
        cells: Vec<String>,
        metrics: &[Metric],
        kept: u64,
    ) -> io::Result<Option<Self>> {
        let lines = 1 + kept * cells.len() as u64;
        if kept > 0 {
            let Some(length) = length_of_lines(path, lines)? else {
                return Ok(None);
            };
            if path.is_symlink() {
                let message = "it is a link, and what is written there could land anywhere";
                return Err(io::Error::other(message));
            }
            let file = OpenOptions::new().write(true).open(path)?;
            file.set_len(length)?;
        } else {
            write_atomically(path, header(metrics).as_bytes())?;
        }
        let file = OpenOptions::new().append(true).open(path)?;
        Ok(Some(Self {
            file,
            cells,
            metrics: metrics.to_vec(),
        }))
    }

    /// Appends the samples of a block in a single write.
    pub fn append(&mut self, finished: &FinishedBlock) -> io::Result<()> {
        let text = rows(
            (&self.cells, &self.metrics),
            &finished.block,
            finished.samples.as_deref().unwrap_or_default(),
        );
        self.file.write_all(text.as_bytes())
    }
}

/// Reads the rows of blocks, in block order.
#[derive(Debug)]
pub struct SampleReader {
    lines: BufReader<File>,
    cells: usize,
    line: Vec<u8>,
}

impl SampleReader {
    /// Opens the file of an experiment of so many cells.
    pub fn open(path: &Path, cells: usize, metrics: &[Metric]) -> io::Result<Self> {
        let mut reader = Self {
            lines: BufReader::new(File::open(path)?),
            cells,
            line: Vec::new(),
        };
        reader.advance()?;
        if reader.line != header(metrics).as_bytes() {
            return Err(io::Error::other("its columns are not the experiment's"));
        }
        Ok(reader)
    }

    /// The rows of `block`, those of earlier samples skipped.
    pub fn block(&mut self, block: &Block) -> io::Result<Vec<u8>> {
        let mut rows = Vec::new();
        for sample in block.range() {
            for _ in 0..self.cells {
                while self.advance()? < sample {}
                if self.sample() != Some(sample) {
                    let message = format!("sample {sample} is not in its place");
                    return Err(io::Error::other(message));
                }
                rows.extend_from_slice(&self.line);
            }
        }
        Ok(rows)
    }

    /// Reads the next line; returns its sample, or the largest number where there is none.
    fn advance(&mut self) -> io::Result<u64> {
        self.line.clear();
        self.lines.read_until(b'\n', &mut self.line)?;
        Ok(self.sample().unwrap_or(u64::MAX))
    }

    fn sample(&self) -> Option<u64> {
        let line = self.line.strip_suffix(b"\n")?;
        let first = line.split(|&byte| byte == b',').next()?;
        std::str::from_utf8(first).ok()?.parse().ok()
    }
}

/// The first line of the file.
pub fn header(metrics: &[Metric]) -> String {
    let columns = sample_columns(metrics).into_iter();
    let names: Vec<String> = columns.map(|column| column.name).collect();
    names.join(",") + "\n"
}

/// The columns of the file.
pub(super) fn sample_columns(metrics: &[Metric]) -> Vec<Column> {
    let head = [("sample", ColumnKind::Integer), ("cell", ColumnKind::Text)];
    let head = head.map(|(name, kind)| Column {
        name: name.to_owned(),
        kind,
    });
    head.into_iter()
        .chain(metrics.iter().flat_map(columns))
        .collect()
}

/// The rows of a block: of cells with these names and metrics, given the samples of every cell.
pub fn rows(
    (cells, metrics): (&[String], &[Metric]),
    block: &Block,
    samples: &[Vec<Row>],
) -> String {
    let mut text = String::new();
    for (offset, sample) in block.range().enumerate() {
        for (cell, rows) in cells.iter().zip(samples) {
            text.push_str(&format!("{sample},{}", quoted(cell)));
            for (metric, value) in metrics.iter().zip(rows[offset].values()) {
                text.push(',');
                text.push_str(&field(metric, *value));
            }
            text.push('\n');
        }
    }
    text
}

/// The bytes that the first `lines` whole lines take, if there are so many.
fn length_of_lines(path: &Path, lines: u64) -> io::Result<Option<u64>> {
    let mut reader = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => BufReader::new(file?),
    };
    let mut length = 0;
    let mut line = Vec::new();
    for _ in 0..lines {
        line.clear();
        let bytes = reader.read_until(b'\n', &mut line)? as u64;
        if !line.ends_with(b"\n") {
            return Ok(None);
        }
        length += bytes;
    }
    Ok(Some(length))
}

fn columns(metric: &Metric) -> Vec<Column> {
    let whole = match metric.per {
        1 => ColumnKind::Integer,
        _ => ColumnKind::Number,
    };
    let ends: &[(&str, ColumnKind)] = match metric.kind {
        MetricKind::Ratio => &[("_numerator", whole), ("_denominator", ColumnKind::Integer)],
        MetricKind::Weight => &[("_log10", ColumnKind::Number)],
        _ => &[("_lo", whole), ("_hi", whole)],
    };
    ends.iter()
        .map(|&(end, kind)| Column {
            name: format!("{}{end}", metric.name),
            kind,
        })
        .collect()
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

fn field(metric: &Metric, value: Value) -> String {
    let in_unit = |value: i64| match metric.per {
        1 => value.to_string(),
        per => decimal(&number(Some(value as f64 / f64::from(per)))),
    };
    match value {
        Value::Exact(value) => format!("{0},{0}", in_unit(value)),
        Value::Bounds { lower, upper } => format!("{},{}", in_unit(lower), in_unit(upper)),
        Value::Ratio {
            numerator,
            denominator,
        } => format!("{},{denominator}", in_unit(numerator)),
        Value::Weight(weight) => decimal(&number(Some(weight.log10()))),
        Value::Missing if metric.kind == MetricKind::Weight => String::new(),
        Value::Missing => ",".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_in_the_unit_of_the_metric() {
        let whole = Metric::integer("moves", "moves", (0, 9), "");
        let half = whole.per(2);
        let bounds = Value::Bounds { lower: 3, upper: 4 };
        assert_eq!(field(&whole, bounds), "3,4");
        assert_eq!(field(&half, bounds), "1.5,2.0");
        assert_eq!(field(&half, Value::Exact(5)), "2.5,2.5");
        assert_eq!(field(&whole, Value::Missing), ",");
        let kinds: Vec<ColumnKind> = columns(&half).iter().map(|column| column.kind).collect();
        assert_eq!(kinds, [ColumnKind::Number; 2]);
    }
}
