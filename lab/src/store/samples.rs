//! The file `samples.csv`, which grows with the run: its writer and its reader.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::{self, Disk, LONGEST_LINE, Lines, WriteFile, refuse_link, write_atomically};
use crate::run::{Block, CompiledExperiment, FinishedBlock};
use crate::tables::{sample_header as header, sample_rows as rows};

use super::journal::{Digest, Journal, JournalSchema};

/// Appends samples in the order of blocks, cells, samples.
#[derive(Debug)]
pub struct SampleWriter {
    file: Box<dyn WriteFile>,
    schema: Arc<JournalSchema>,
}

impl SampleWriter {
    /// Opens the file, keeping its first `kept` bytes and nothing after them; none for a new file.
    pub fn open(
        (disk, path): (&dyn Disk, &Path),
        schema: &Arc<JournalSchema>,
        kept: Option<u64>,
    ) -> io::Result<Self> {
        if let Some(kept) = kept {
            refuse_link(path)?;
            disk.append(path)?.truncate(kept)?;
        } else {
            let header = header(schema.compiled.metrics());
            write_atomically(disk, path, header.as_bytes())?;
        }
        Ok(Self {
            file: disk.append(path)?,
            schema: Arc::clone(schema),
        })
    }

    /// Appends the samples of a block in a single write; returns the hash of its lines.
    pub fn append(&mut self, finished: &FinishedBlock) -> io::Result<Digest> {
        let text = rows(
            (self.schema.cells(), self.schema.compiled.metrics()),
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
    /// Lines from the start of the file to the end of the last one read.
    lines: u64,
    cells: usize,
}

impl SampleReader {
    /// Opens the file of an experiment.
    ///
    /// # Errors
    /// If it cannot be read, or has other columns.
    pub fn open(path: &Path, compiled: &CompiledExperiment) -> io::Result<Self> {
        let mut lines = lines_at(path, 0)?;
        if !lines.advance()? || lines.line != header(compiled.metrics()).as_bytes() {
            return Err(io::Error::other("its columns are not the experiment's"));
        }
        Ok(Self {
            path: path.to_owned(),
            offset: lines.offset,
            lines: lines.number,
            cells: compiled.cells(),
        })
    }

    /// Bytes from the start of the file to the end of the last block read.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The rows of `block`, which must be the next in the file.
    ///
    /// # Errors
    /// If the file cannot be read, or the first line that is of another sample.
    pub fn block(&mut self, block: &Block) -> io::Result<Vec<u8>> {
        let mut lines = lines_at(&self.path, self.offset)?;
        let mut rows = Vec::new();
        for sample in block.range() {
            for _ in 0..self.cells {
                let is_there = lines.advance()?;
                if sample_of(&lines.line) != Some(sample) {
                    let line = self.lines + lines.number;
                    return Err(io::Error::other(if is_there {
                        format!("line {line} should be of sample {sample}")
                    } else {
                        format!("it ends before sample {sample}")
                    }));
                }
                rows.extend_from_slice(&lines.line);
            }
        }
        self.offset = lines.offset;
        self.lines += lines.number;
        Ok(rows)
    }

    /// The rows of `block` as `journal` has their hashes; the block must be the next in the file.
    ///
    /// # Errors
    /// Those of [`block`](Self::block), or if the rows are not those that were stored.
    pub fn stored_block(&mut self, block: &Block, journal: &Journal) -> io::Result<Vec<u8>> {
        let first = self.lines + 1;
        let rows = self.block(block)?;
        if are_as_stored(&rows, self.cells, &journal.parts(block.index)) {
            return Ok(rows);
        }
        let (last, end) = (self.lines, block.range().end - 1);
        Err(io::Error::other(format!(
            "lines {first} to {last}, of samples {} to {end}, are not those stored",
            block.first
        )))
    }

    /// Passes over the rows of samples before `sample`.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn pass_to(&mut self, sample: u64) -> io::Result<()> {
        let mut lines = lines_at(&self.path, self.offset)?;
        while lines.advance()? && sample_of(&lines.line).is_some_and(|stored| stored < sample) {
            self.offset = lines.offset;
            self.lines += 1;
        }
        Ok(())
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
fn are_as_stored(rows: &[u8], cells: usize, parts: &[(Block, Option<Digest>)]) -> bool {
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
