//! Writes journals: row by row during a run, and as a whole at its end.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use crate::run::{Block, BlockTally};
use base::Failure;

use super::digest::Digest;
use super::journal_row::{ChecksumKey, JournalRow};
use super::journal_schema::JournalSchema;
use super::{HEADER, Journal, RowSource, StoredBlock, changed};
use base::files::{Disk, WriteFile, write_atomically_with};

/// Appends rows to a journal.
#[derive(Debug)]
pub(crate) struct JournalWriter {
    file: Box<dyn WriteFile>,
    key: ChecksumKey,
}

impl JournalWriter {
    /// Opens the journal at `path`, whose second line is that of `schema`.
    pub(crate) fn append_to(
        disk: &dyn Disk,
        path: &Path,
        schema: &JournalSchema,
    ) -> io::Result<Self> {
        Ok(Self {
            file: disk.append(path)?,
            key: schema.own.key,
        })
    }

    /// Appends one block in a single write; `rows` is the hash of its lines of `samples.csv`.
    pub(crate) fn append(
        &mut self,
        block: Block,
        tally: &BlockTally,
        rows: Option<Digest>,
    ) -> io::Result<()> {
        let row = JournalRow::new(block, rows, &tally.encode());
        self.file.write_all(row.to_line(&self.key).as_bytes())
    }

    /// Waits until everything appended has reached the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }
}

/// A journal in memory, of blocks that were run again.
#[derive(Debug)]
pub(crate) struct Remade {
    pub(super) text: String,
    schema: Arc<JournalSchema>,
}

impl Remade {
    /// Without blocks.
    pub(crate) fn new(schema: &Arc<JournalSchema>) -> Self {
        Self {
            text: format!("{HEADER}{}", schema.to_line()),
            schema: Arc::clone(schema),
        }
    }

    /// Adds a block.
    pub(crate) fn push(&mut self, block: Block, tally: &BlockTally) {
        self.push_encoded(block, &tally.encode());
    }

    /// Adds a block whose tally is encoded, soundly or not.
    pub(crate) fn push_encoded(&mut self, block: Block, encoded: &[u8]) {
        let row = JournalRow::new(block, None, encoded);
        self.text.push_str(&row.to_line(&self.schema.own.key));
    }

    /// The journal.
    ///
    /// # Errors
    /// The errors of [`Journal::parse`].
    pub(crate) fn into_journal(self) -> Result<Journal, Failure> {
        Journal::of(RowSource::Memory(self.text.into_bytes()), &self.schema)
    }
}

/// Writes the stored and the kept blocks of `journal` to `path`, in block order. `visit` sees each of them
/// and says the hash of its lines of `samples.csv`.
///
/// # Errors
/// If the journal cannot be read, or the new file not be written.
pub(crate) fn rewrite(
    place: (&dyn Disk, &Path),
    journal: &Journal,
    visit: &mut dyn FnMut(u64, &StoredBlock) -> io::Result<Option<Digest>>,
) -> io::Result<()> {
    write_whole(place, &journal.schema, |file| {
        for &index in journal.blocks.union(&journal.kept) {
            let stored = journal.block(index)?;
            let rows = visit(index, &stored)?;
            let row = journal.whole_row(index, &stored)?;
            let row = JournalRow {
                kept: journal.kept.contains(&index).into(),
                rows,
                ..row
            };
            file.write_all(row.to_line(&journal.schema.own.key).as_bytes())?;
        }
        Ok(())
    })
}

/// The text of `journal`, which must be complete, with the hash of every tally in its place.
///
/// # Errors
/// If the journal cannot be read, or samples took longer than they may: only their tallies say which, and
/// without that no run can be compared with this one.
pub(crate) fn archive(journal: &Journal) -> io::Result<String> {
    let largest = journal.head.longest_line;
    let mut text = format!("{HEADER}{}", journal.schema.to_line());
    for block in journal.hashed_blocks() {
        let span = journal.rows.get(&block.first).ok_or_else(changed)?;
        let row = journal.row(span)?;
        if !journal.timeouts(&block).is_empty() {
            let message = "samples timed out, and only the journal says which: keep it";
            return Err(io::Error::other(message));
        }
        let row = row.into_hashed(largest).ok_or_else(changed)?;
        text.push_str(&row.to_line(&journal.schema.own.key));
    }
    Ok(text)
}

/// Writes a journal with these rows.
pub(in crate::store) fn write_whole(
    (disk, path): (&dyn Disk, &Path),
    schema: &JournalSchema,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    write_atomically_with(disk, path, |file| {
        file.write_all(HEADER.as_bytes())?;
        file.write_all(schema.to_line().as_bytes())?;
        rows(file)
    })
}

impl Journal {
    /// The row of block `index`, its tally not packed again where one row of the experiment's own cells
    /// holds it.
    fn whole_row(&self, index: u64, stored: &StoredBlock) -> io::Result<JournalRow> {
        let block = self.planned(index);
        let is_whole = |span: &&super::RowSpan| self.head.is_own && span.samples == block.samples;
        match self.rows.get(&block.first).filter(is_whole) {
            Some(span) => Ok(JournalRow {
                block,
                ..self.row(span)?
            }),
            None => Ok(JournalRow::new(block, stored.rows, &stored.tally.encode())),
        }
    }
}
