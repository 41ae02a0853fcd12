//! Writes journals: row by row during a run, and as a whole at its end.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use crate::files::{self, Lines};
use crate::run::{Block, BlockTally};

use super::super::error::FolderError;
use super::digest::Digest;
use super::row::{ChecksumKey, JournalRow};
use super::schema::JournalSchema;
use super::{HEADER, Journal, RowSource, changed};
use crate::files::{Disk, WriteFile, write_atomically_with};

/// Appends rows to a journal.
#[derive(Debug)]
pub struct JournalWriter {
    file: Box<dyn WriteFile>,
    key: ChecksumKey,
    session: u32,
}

impl JournalWriter {
    /// Opens the journal at `path`, whose head is that of `schema`, for the rows of a session.
    pub fn append_to(
        disk: &dyn Disk,
        path: &Path,
        schema: &JournalSchema,
        session: u32,
    ) -> io::Result<Self> {
        Ok(Self {
            file: disk.append(path)?,
            key: schema.own.key,
            session,
        })
    }

    /// Appends one block in a single write; `rows` is the hash of its lines of `samples.csv`.
    pub fn append(
        &mut self,
        block: Block,
        tally: &BlockTally,
        rows: Option<Digest>,
    ) -> io::Result<()> {
        let row = JournalRow::new(block, self.session, rows, &tally.encode());
        self.file.write_all(row.to_line(&self.key).as_bytes())
    }

    /// Waits until everything appended has reached the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }
}

/// A journal in memory, of blocks that were run again.
#[derive(Debug)]
pub struct Remade {
    text: String,
    schema: Arc<JournalSchema>,
}

impl Remade {
    /// Without blocks.
    pub fn new(schema: &Arc<JournalSchema>) -> Self {
        Self {
            text: format!("{HEADER}{}", schema.to_line()),
            schema: Arc::clone(schema),
        }
    }

    /// Adds a block.
    pub fn push(&mut self, block: Block, tally: &BlockTally) {
        self.push_encoded(block, &tally.encode());
    }

    /// Adds a block whose tally is encoded, soundly or not.
    pub fn push_encoded(&mut self, block: Block, encoded: &[u8]) {
        let row = JournalRow::new(block, 0, None, encoded);
        self.text.push_str(&row.to_line(&self.schema.own.key));
    }

    /// The journal.
    ///
    /// # Errors
    /// Those of [`Journal::parse`].
    pub fn into_journal(self) -> Result<Journal, FolderError> {
        Journal::of(RowSource::Memory(self.text.into_bytes()), &self.schema)
    }
}

/// Writes the stored blocks of `journal` to `path`, in block order, as those of a run that has
/// ended. `visit` sees each of them and says the hash of its lines of `samples.csv`.
///
/// # Errors
/// If the journal cannot be read, or the new file not be written.
pub fn rewrite(
    (disk, path): (&dyn Disk, &Path),
    journal: &Journal,
    visit: &mut dyn FnMut(u64, &super::StoredBlock) -> io::Result<Option<Digest>>,
) -> io::Result<()> {
    write_sections((disk, path), journal, |file| {
        for &index in journal.indices() {
            let stored = journal.block(index)?;
            let rows = visit(index, &stored)?;
            let line = journal.own_row(index, rows)?.unwrap_or_else(|| {
                let block = journal.planned(index);
                let row = JournalRow::new(block, 0, rows, &stored.tally.encode());
                row.to_line(&journal.schema.own.key)
            });
            file.write_all(line.as_bytes())?;
        }
        Ok(())
    })
}

/// Writes `journal`, which must be complete, to `path` with the hash of every tally in its place.
///
/// # Errors
/// If the journal cannot be read, or `path` not be written, or samples took longer than they may:
/// only their tallies say which, and without that no run can be compared with this one.
pub fn archive((disk, path): (&dyn Disk, &Path), journal: &Journal) -> io::Result<()> {
    let largest = journal.schema.own.longest_line;
    write_whole((disk, path), &journal.schema, |file| {
        for block in journal.hashed_blocks() {
            let span = journal.rows.get(&block.first).ok_or_else(changed)?;
            let row = journal.own(span)?;
            if !journal.timeouts(&block).is_empty() {
                let message = "samples timed out, and only the journal says which: keep it";
                return Err(io::Error::other(message));
            }
            let row = row.into_hashed(largest).ok_or_else(changed)?;
            file.write_all(row.to_line(&journal.schema.own.key).as_bytes())?;
        }
        Ok(())
    })
}

/// Writes a journal of one section.
pub(in crate::store) fn write_whole(
    place: (&dyn Disk, &Path),
    schema: &Arc<JournalSchema>,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    write_sections(place, &Journal::empty(schema), rows)
}

/// Writes the sections of other cells of a journal, and then that of the experiment's own.
fn write_sections(
    (disk, path): (&dyn Disk, &Path),
    journal: &Journal,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    write_atomically_with(disk, path, |file| {
        let mut file = BufWriter::new(file);
        file.write_all(HEADER.as_bytes())?;
        journal.each_other_line(&mut |line| file.write_all(line.as_bytes()))?;
        file.write_all(journal.schema.to_line().as_bytes())?;
        rows(&mut file)?;
        file.flush()
    })
}

impl Journal {
    /// Returns whether the file at `path` is this journal as [`rewrite`] writes it: every row stands for a
    /// block of the plan, in order, and none is left over.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_sealed(&self, path: &Path) -> io::Result<bool> {
        let longest = self
            .others
            .iter()
            .map(|section| section.head.longest_line)
            .max();
        let longest = longest
            .unwrap_or_default()
            .max(self.schema.own.longest_line);
        let mut lines = Lines::new(files::open(path)?, 0, longest);
        let mut is_next =
            |line: &str| io::Result::Ok(lines.advance()? && lines.line == line.as_bytes());
        let mut are_next = is_next(HEADER)?;
        self.each_other_line(&mut |line| {
            are_next = are_next && is_next(line)?;
            Ok(())
        })?;
        if !are_next || !is_next(&self.schema.to_line())? {
            return Ok(false);
        }
        for block in self.begun_blocks() {
            let rows = self.rows.get(&block.first).and_then(|span| span.rows);
            match self.own_row(block.index, rows)? {
                Some(line) if is_next(&line)? => {}
                _ => return Ok(false),
            }
        }
        Ok(!lines.advance()?)
    }

    /// The row of block `index` as it is stored, its tally not packed again; `None` where it is in
    /// parts.
    fn own_row(&self, index: u64, rows: Option<Digest>) -> io::Result<Option<String>> {
        let block = self.planned(index);
        let is_whole = |span: &&super::RowSpan| span.samples == block.samples;
        let Some(span) = self.rows.get(&block.first).filter(is_whole) else {
            return Ok(None);
        };
        let sealed = JournalRow {
            block,
            session: 0,
            rows,
            ..self.own(span)?
        };
        Ok(Some(sealed.to_line(&self.schema.own.key)))
    }
}
