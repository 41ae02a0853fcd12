//! The file `samples.csv`, which grows with the run: its writer and its reader.
//!
//! While it grows, every metric has both its columns. Once the run is complete, [`finish_samples`]
//! leaves one to each metric that was always known; readers give both all the same.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::run::{Block, FinishedBlock};
use crate::tables::SampleTable;
use base::Failure;
use base::files::{
    self, Disk, LONGEST_LINE, WriteFile, refuse_link, write_atomically, write_atomically_with,
};
use task::Row;

use super::error::AtPath;
use super::folder::RunFolder;
use super::journal::{Digest, Journal};
use super::lines::Lines;

/// Leaves one column to each metric whose ends are equal in every row of the folder's samples.
///
/// # Errors
/// If the file cannot be read or written; it is then what it was.
pub(crate) fn finish_samples(folder: &RunFolder, table: &SampleTable) -> Result<(), Failure> {
    let path = folder.file("samples.csv");
    let rewritten = always_known(&path, table)
        .and_then(|singles| rewrite((folder.disk().as_ref(), &path), table, &singles));
    rewritten.at(&path)
}

/// Gives every metric of a file its two columns back.
///
/// # Errors
/// If the file cannot be read or written; it is then what it was.
pub(super) fn reopen(place: (&dyn Disk, &Path), table: &SampleTable) -> io::Result<()> {
    if place.1.exists() {
        rewrite(place, table, &table.no_singles())
    } else {
        Ok(())
    }
}

/// The metrics that may have a single column and whose ends are equal in every row of a file.
fn always_known(path: &Path, table: &SampleTable) -> io::Result<Vec<bool>> {
    let mut lines = lines_at(path, 0)?;
    let stored = singles_of(&mut lines, table)?;
    let mut singles = table.singles();
    while singles.contains(&true) && lines.advance()? {
        let row = table.parse(&lines.line, &stored);
        row.inspect(|row| row.keep_equal(&mut singles));
    }
    Ok(singles)
}

/// Writes a file again with these metrics in a single column. Lines that are no rows stay what they are.
fn rewrite(
    (disk, path): (&dyn Disk, &Path),
    table: &SampleTable,
    singles: &[bool],
) -> io::Result<()> {
    let mut lines = lines_at(path, 0)?;
    let Some(stored) = singles_of(&mut lines, table)
        .ok()
        .filter(|stored| stored != singles)
    else {
        return Ok(());
    };
    refuse_link(path)?;
    // The reader ends with what it fills: Windows replaces no file that is open.
    write_atomically_with(disk, path, move |file| {
        file.write_all(table.header(singles).as_bytes())?;
        while lines.advance()? {
            match table.parse(&lines.line, &stored) {
                Some(row) => file.write_all(&table.line(&row, singles))?,
                None => file.write_all(&lines.line)?,
            }
        }
        Ok(())
    })
}

/// Appends samples in the order of blocks, cells, samples.
#[derive(Debug)]
pub(crate) struct SampleWriter {
    file: Box<dyn WriteFile>,
    table: Arc<SampleTable>,
}

impl SampleWriter {
    /// Opens the file, keeping its first `kept` bytes and nothing after them; none for a new file.
    pub(crate) fn open(
        (disk, path): (&dyn Disk, &Path),
        table: &Arc<SampleTable>,
        kept: Option<u64>,
    ) -> io::Result<Self> {
        if let Some(kept) = kept {
            refuse_link(path)?;
            disk.truncate(path, kept)?;
        } else {
            let header = table.header(&table.no_singles());
            write_atomically(disk, path, header.as_bytes())?;
        }
        Ok(Self {
            file: disk.append(path)?,
            table: Arc::clone(table),
        })
    }

    /// Appends the samples of a block in a single write; returns the hash of its lines.
    pub(crate) fn append(&mut self, finished: &FinishedBlock) -> io::Result<Digest> {
        let samples = finished.samples.as_deref().unwrap_or_default();
        let text = self.table.rows(&finished.block, samples);
        self.file.write_all(text.as_bytes())?;
        Ok(Digest::of(text.as_bytes()))
    }

    /// Waits until everything appended has reached the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }
}

/// Reads the rows of blocks, in block order. The file is open only while a block is read, so that
/// thousands of them can be read side by side.
#[derive(Debug)]
pub(crate) struct SampleReader {
    path: PathBuf,
    offset: u64,
    /// Lines from the start of the file to the end of the last one read.
    lines: u64,
    table: Arc<SampleTable>,
    /// The metrics that have a single column in the file.
    singles: Vec<bool>,
}

impl SampleReader {
    /// Opens the file of an experiment.
    ///
    /// # Errors
    /// If it cannot be read, or has other columns.
    pub(crate) fn open(path: &Path, table: &Arc<SampleTable>) -> io::Result<Self> {
        let mut lines = lines_at(path, 0)?;
        Ok(Self {
            path: path.to_owned(),
            singles: singles_of(&mut lines, table)?,
            offset: lines.offset,
            lines: lines.number,
            table: Arc::clone(table),
        })
    }

    /// Bytes from the start of the file to the end of the last block read.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The metrics that have a single column in the file.
    pub(crate) fn singles(&self) -> &[bool] {
        &self.singles
    }

    /// The rows of `block`, which must be the next in the file, with both columns of every metric.
    ///
    /// # Errors
    /// If the file cannot be read, or the first line that is of another sample.
    pub(crate) fn block(&mut self, block: &Block) -> io::Result<Vec<u8>> {
        let mut lines = lines_at(&self.path, self.offset)?;
        let mut rows = Vec::new();
        for sample in block.range() {
            for _ in 0..self.table.cells() {
                let is_there = lines.advance()?;
                if sample_of(&lines.line) != Some(sample) {
                    let line = self.lines + lines.number;
                    return Err(io::Error::other(if is_there {
                        format!("line {line} should be of sample {sample}")
                    } else {
                        format!("it ends before sample {sample}")
                    }));
                }
                rows.extend_from_slice(&self.with_both(&lines.line));
            }
        }
        self.offset = lines.offset;
        self.lines += lines.number;
        Ok(rows)
    }

    /// The samples of these blocks, by cell, which must be the next in the file; of one that is not written in full, as
    /// weights are not, nothing is known.
    ///
    /// # Errors
    /// The errors of [`block`](Self::block).
    pub(crate) fn rows(
        &mut self,
        blocks: impl Iterator<Item = Block>,
    ) -> io::Result<Vec<Vec<Row>>> {
        let table = Arc::clone(&self.table);
        let mut cells = vec![Vec::new(); table.cells()];
        for block in blocks {
            let lines = self.block(&block)?;
            let lines = lines.split_inclusive(|byte| *byte == b'\n');
            for (line, cell) in lines.zip((0..table.cells()).cycle()) {
                cells[cell].push(table.values(line).unwrap_or_else(|| table.unknown()));
            }
        }
        Ok(cells)
    }

    /// A row with both columns of every metric. A line that is no row stays what it is: its hash is
    /// not the one that was stored.
    fn with_both<'line>(&self, line: &'line [u8]) -> Cow<'line, [u8]> {
        if !self.singles.contains(&true) {
            return Cow::Borrowed(line);
        }
        match self.table.parse(line, &self.singles) {
            Some(row) => Cow::Owned(self.table.line(&row, &self.table.no_singles())),
            None => Cow::Borrowed(line),
        }
    }

    /// The rows of `block` as `journal` has their hashes; the block must be the next in the file.
    ///
    /// # Errors
    /// The errors of [`block`](Self::block), or if the rows are not those that were stored.
    pub(crate) fn stored_block(&mut self, block: &Block, journal: &Journal) -> io::Result<Vec<u8>> {
        self.stored_parts(block, &journal.parts(block.index))
    }

    /// The rows of `block` as its `parts` have their hashes; the block must be the next in the file.
    ///
    /// # Errors
    /// As [`stored_block`](Self::stored_block).
    pub(crate) fn stored_parts(
        &mut self,
        block: &Block,
        parts: &[(Block, Option<Digest>)],
    ) -> io::Result<Vec<u8>> {
        let first = self.lines + 1;
        let rows = self.block(block)?;
        if are_as_stored(&rows, self.table.cells(), parts) {
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
    pub(crate) fn pass_to(&mut self, sample: u64) -> io::Result<()> {
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
    pub(crate) fn is_at_end(&self) -> io::Result<bool> {
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
pub(super) fn lines_at(path: &Path, offset: u64) -> io::Result<Lines<File>> {
    let mut file = files::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    Ok(Lines::new(file, offset, LONGEST_LINE))
}

/// The metrics that have a single column in a file, by its first line, which is read.
fn singles_of(lines: &mut Lines<File>, table: &SampleTable) -> io::Result<Vec<bool>> {
    lines.advance()?;
    let singles = table.singles_in(&lines.line);
    singles.ok_or_else(|| io::Error::other("its columns are not the experiment's"))
}

/// The sample that a line is of.
pub(super) fn sample_of(line: &[u8]) -> Option<u64> {
    let line = line.strip_suffix(b"\n")?;
    let first = line.split(|&byte| byte == b',').next()?;
    std::str::from_utf8(first).ok()?.parse().ok()
}
