//! `samples.csv`: every sample of every cell, on request.
//!
//! A value that is only bounded keeps both ends, so each metric has a `_lo` and a `_hi` column
//! (ratios a numerator and a denominator, weights their decimal logarithm). Rows stand in the
//! order of samples, then cells, so a block's rows are consecutive lines.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use crate::harness::{Block, FinishedBlock};
use crate::task::{Metric, MetricKind, Row, Value};

use super::atomic::write_atomically;
use super::number::number;

/// Appends samples in the order of blocks, cells, samples.
#[derive(Debug)]
pub struct SampleWriter {
    file: File,
    cells: Vec<String>,
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
        Ok(Some(Self { file, cells }))
    }

    /// Appends the samples of a block in a single write.
    pub fn append(&mut self, finished: &FinishedBlock) -> io::Result<()> {
        let text = rows(
            &self.cells,
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
    let columns: Vec<String> = ["sample".to_owned(), "cell".to_owned()]
        .into_iter()
        .chain(metrics.iter().flat_map(columns))
        .collect();
    columns.join(",") + "\n"
}

/// The rows of a block, given the samples of every cell.
pub fn rows(cells: &[String], block: &Block, samples: &[Vec<Row>]) -> String {
    let mut text = String::new();
    for (offset, sample) in block.range().enumerate() {
        for (cell, rows) in cells.iter().zip(samples) {
            text.push_str(&format!("{sample},{}", quoted(cell)));
            for value in rows[offset].values() {
                text.push(',');
                text.push_str(&field(*value));
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

fn columns(metric: &Metric) -> Vec<String> {
    let suffixes: &[&str] = match metric.kind {
        MetricKind::Ratio => &["_numerator", "_denominator"],
        MetricKind::Weight => &["_log10"],
        _ => &["_lo", "_hi"],
    };
    suffixes
        .iter()
        .map(|suffix| format!("{}{suffix}", metric.name))
        .collect()
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

fn field(value: Value) -> String {
    match value {
        Value::Exact(value) => format!("{value},{value}"),
        Value::Bounds { lower, upper } => format!("{lower},{upper}"),
        Value::Ratio {
            numerator,
            denominator,
        } => format!("{numerator},{denominator}"),
        Value::Weight(weight) => number(Some(weight.log10())),
        Value::Missing => ",".to_owned(),
    }
}
