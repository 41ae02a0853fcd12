//! Reads a journal: its first two lines, then each row for its place and whether it is sound.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::files::{Disk, Lines, SystemDisk};

use super::super::error::{AtPath, FolderError};
use super::{HEADER, Journal, JournalRow, JournalSchema, OLD_HEADER, RowSource, RowSpan};

impl Journal {
    /// Reads the journal of `schema`'s experiment, cut as its plan cuts it; a file that is not there
    /// holds nothing.
    ///
    /// # Errors
    /// If the file cannot be read, or holds rows of something else.
    pub fn read(path: &Path, schema: &Arc<JournalSchema>) -> Result<Self, FolderError> {
        let disk: Arc<dyn Disk> = Arc::new(SystemDisk);
        Self::read_on(&disk, path, schema)
    }

    /// Reads a journal on any disk.
    pub(in crate::store) fn read_on(
        disk: &Arc<dyn Disk>,
        path: &Path,
        schema: &Arc<JournalSchema>,
    ) -> Result<Self, FolderError> {
        let source = if path.try_exists().at(path)? {
            RowSource::File(Arc::clone(disk), path.to_owned())
        } else {
            RowSource::Memory(Vec::new())
        };
        Self::of(source, schema)
    }

    /// The journal in `bytes`, whatever they are.
    ///
    /// # Errors
    /// If they hold rows of something else.
    pub fn parse(bytes: &[u8], schema: &Arc<JournalSchema>) -> Result<Self, FolderError> {
        Self::of(RowSource::Memory(bytes.to_owned()), schema)
    }

    pub(super) fn of(source: RowSource, schema: &Arc<JournalSchema>) -> Result<Self, FolderError> {
        let mut journal = Self::empty(schema);
        let path = source.path();
        let mut lines = Lines::new(source.at(0).at(path)?, 0, schema.longest_line);
        journal.take_head(&mut lines, path)?;
        let mut session = 0;
        while lines.advance().at(path)? {
            match journal.take_row(&lines, session) {
                Ok(number) => session = number,
                Err(reason) => journal.damage.add(lines.number, reason),
            }
        }
        drop(lines);
        journal.source = source;
        journal.blocks = journal.assembled();
        Ok(journal)
    }

    /// Reads the first two lines. Where they are damaged, the rows are held to be those of the
    /// experiment, and their checksums show whether they are.
    fn take_head(&mut self, lines: &mut Lines<impl Read>, path: &Path) -> Result<(), FolderError> {
        if !lines.advance().at(path)? {
            return Ok(());
        }
        if lines.line == OLD_HEADER.as_bytes() {
            let reason = "the journal was written by an earlier version of the program";
            return Err(FolderError::mismatch(path, reason));
        }
        if lines.line != HEADER.as_bytes() {
            self.damage
                .add(lines.number, "it is not the first line of a journal");
        }
        if !lines.advance().at(path)? {
            return Ok(());
        }
        match self.schema.read_as(&lines.line) {
            Some(stored) => {
                let stored = stored.map_err(|reason| FolderError::mismatch(path, reason))?;
                (self.key, self.pairs) = stored;
            }
            None => self
                .damage
                .add(lines.number, "it does not say what the rows hold"),
        }
        Ok(())
    }

    /// Notes the row in the present line; returns its session.
    fn take_row(&mut self, lines: &Lines<impl Read>, session: u32) -> Result<u32, &'static str> {
        let row = JournalRow::parse(&lines.line, &self.key)?;
        if row.session < session {
            return Err("the row is of a session that had ended");
        }
        let samples = row.block.samples;
        if samples == 0 || row.block.range().end > self.schema.plan.samples() {
            return Err("the row does not fit the plan");
        }
        if !row.is_hashed() {
            self.decode(&row)
                .ok_or("the row does not fit the experiment")?;
        }
        let span = RowSpan {
            offset: lines.offset - lines.line.len() as u64,
            length: lines.line.len() as u64,
            samples,
            rows: row.rows,
            hashed: row.is_hashed(),
        };
        self.rows.insert(row.block.first, span);
        Ok(row.session)
    }
}
