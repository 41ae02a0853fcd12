//! `samples.csv`: every sample of every cell, on request.
//!
//! A bounded value keeps both ends, so each metric has a `_lo` and a `_hi` column (ratios a
//! numerator and a denominator, weights their decimal logarithm), in the metric's unit. Rows are
//! ordered by sample, then by cell, so the rows of a block are consecutive lines.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::files::{self, LONGEST_LINE, Lines};
use crate::harness::{Block, FinishedBlock};
use crate::task::{self, Metric, MetricKind, Row, Value};

use super::atomic::{refuse_link, write_atomically};
use super::disk::{Disk, WriteFile};
use super::fields::CELL;
use super::formula::guarded;
use super::journal::Digest;
use super::number::{decimal, number};
use super::table::{Column, ColumnKind};

/// Appends samples in the order of blocks, cells, samples.
#[derive(Debug)]
pub struct SampleWriter {
    file: Box<dyn WriteFile>,
    cells: Vec<String>,
    metrics: Vec<Metric>,
}

impl SampleWriter {
    /// Opens the file, keeping its first `kept` bytes and nothing after them; none for a new file.
    pub fn open(
        (disk, path): (&dyn Disk, &Path),
        cells: Vec<String>,
        metrics: &[Metric],
        kept: Option<u64>,
    ) -> io::Result<Self> {
        if let Some(kept) = kept {
            refuse_link(path)?;
            disk.append(path)?.truncate(kept)?;
        } else {
            write_atomically(disk, path, header(metrics).as_bytes())?;
        }
        Ok(Self {
            file: disk.append(path)?,
            cells,
            metrics: metrics.to_vec(),
        })
    }

    /// Appends the samples of a block in a single write; returns the hash of its lines.
    pub fn append(&mut self, finished: &FinishedBlock) -> io::Result<Digest> {
        let text = rows(
            (&self.cells, &self.metrics),
            &finished.block,
            finished.samples.as_deref().unwrap_or_default(),
        );
        self.file.write_all(text.as_bytes())?;
        Ok(Digest::of(text.as_bytes()))
    }

    /// Waits until everything appended has reached the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }
}

/// Reads the rows of blocks, in block order. The file is open only while a block is read, so that
/// thousands of them can be read side by side.
#[derive(Debug)]
pub struct SampleReader {
    path: PathBuf,
    offset: u64,
    cells: usize,
}

impl SampleReader {
    /// Opens the file of an experiment of so many cells.
    ///
    /// # Errors
    /// If it cannot be read, or has other columns.
    pub fn open(path: &Path, cells: usize, metrics: &[Metric]) -> io::Result<Self> {
        let mut lines = lines_at(path, 0)?;
        if !lines.advance()? || lines.line != header(metrics).as_bytes() {
            return Err(io::Error::other("its columns are not the experiment's"));
        }
        Ok(Self {
            path: path.to_owned(),
            offset: lines.offset,
            cells,
        })
    }

    /// Bytes from the start of the file to the end of the last block read.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The rows of `block`, those of earlier samples skipped.
    ///
    /// # Errors
    /// If the file cannot be read, or a sample is not in its place.
    pub fn block(&mut self, block: &Block) -> io::Result<Vec<u8>> {
        let mut lines = lines_at(&self.path, self.offset)?;
        let mut rows = Vec::new();
        for sample in block.range() {
            for _ in 0..self.cells {
                while lines.advance()? && sample_of(&lines.line).is_some_and(|found| found < sample)
                {
                }
                if sample_of(&lines.line) != Some(sample) {
                    let message = format!("sample {sample} is not in its place");
                    return Err(io::Error::other(message));
                }
                rows.extend_from_slice(&lines.line);
            }
        }
        self.offset = lines.offset;
        Ok(rows)
    }

    /// Returns whether nothing comes after the last block read.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn is_at_end(&self) -> io::Result<bool> {
        Ok(!lines_at(&self.path, self.offset)?.advance()?)
    }
}

/// Returns whether `rows`, those of a block stored in `parts` with their hashes, are as they were written.
pub fn are_as_stored(rows: &[u8], cells: usize, parts: &[(Block, Option<Digest>)]) -> bool {
    let mut rest = rows;
    parts.iter().all(|(part, digest)| {
        let lines = usize::try_from(part.samples).unwrap_or(usize::MAX);
        let (own, others) = split_lines(rest, lines.saturating_mul(cells));
        rest = others;
        *digest == Some(Digest::of(own))
    })
}

/// The first `count` lines and the rest.
fn split_lines(bytes: &[u8], count: usize) -> (&[u8], &[u8]) {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    bytes.split_at(lines.take(count).map(<[u8]>::len).sum())
}

/// The lines of a file from some place on.
fn lines_at(path: &Path, offset: u64) -> io::Result<Lines<File>> {
    let mut file = files::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    Ok(Lines::new(file, offset, LONGEST_LINE))
}

/// The sample that a line is of.
fn sample_of(line: &[u8]) -> Option<u64> {
    let line = line.strip_suffix(b"\n")?;
    let first = line.split(|&byte| byte == b',').next()?;
    std::str::from_utf8(first).ok()?.parse().ok()
}

/// The first line of the file.
pub fn header(metrics: &[Metric]) -> String {
    let columns = sample_columns(metrics).into_iter();
    let names: Vec<String> = columns.map(|column| column.name).collect();
    names.join(",") + "\n"
}

/// The columns of the file.
pub(super) fn sample_columns(metrics: &[Metric]) -> Vec<Column> {
    let column = |name: &str, kind, meaning: &str| Column {
        name: name.to_owned(),
        kind,
        meaning: meaning.to_owned(),
    };
    [
        column(
            "sample",
            ColumnKind::Integer,
            "Index of the sample, from 0.",
        ),
        column("cell", ColumnKind::Text, CELL),
    ]
    .into_iter()
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

fn columns(metric: &Metric) -> Vec<Column> {
    let whole = match metric.per {
        1 => ColumnKind::Integer,
        _ => ColumnKind::Number,
    };
    let ends: &[(&str, &str, ColumnKind)] = match metric.kind {
        MetricKind::Ratio => &[
            ("numerator", "numerator", whole),
            ("denominator", "denominator", ColumnKind::Integer),
        ],
        MetricKind::Weight => &[("log10", "Decimal logarithm", ColumnKind::Number)],
        _ => &[("lo", "At least", whole), ("hi", "At most", whole)],
    };
    let column = |&(end, words, kind): &(&str, &str, _)| Column {
        name: format!("{}_{end}", metric.name),
        kind,
        meaning: format!("{} ({words})", metric.summary),
    };
    ends.iter().map(column).collect()
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
    let in_unit = |value: i64| match (metric.kind, metric.per) {
        (MetricKind::Number { decimals, .. }, _) => task::decimal::text(value, decimals),
        (_, 1) => value.to_string(),
        (_, per) => decimal(&number(Some(value as f64 / per as f64))),
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
        let half = whole.clone().per(2);
        let bounds = Value::Bounds { lower: 3, upper: 4 };
        assert_eq!(field(&whole, bounds), "3,4");
        assert_eq!(field(&half, bounds), "1.5,2.0");
        assert_eq!(field(&half, Value::Exact(5)), "2.5,2.5");
        assert_eq!(field(&whole, Value::Missing), ",");
        let kinds: Vec<ColumnKind> = columns(&half).iter().map(|column| column.kind).collect();
        assert_eq!(kinds, [ColumnKind::Number; 2]);
    }
}
