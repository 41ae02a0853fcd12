//! Reads a journal: its first two lines, then each row for its place and whether it is sound.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::files::Lines;
use crate::files::{Disk, SystemDisk};
use crate::run::{CompiledExperiment, Plan};

use super::{
    HEADER, Journal, JournalError, JournalRow, JournalSchema, Mismatch, OLD_HEADER, RowPlace,
    RowSource,
};

impl Journal {
    /// Reads the journal of `schema`'s experiment, cut as `plan` cuts it; a file that is not there
    /// holds nothing.
    ///
    /// # Errors
    /// If the file cannot be read, or holds rows of something else.
    pub fn read(
        path: &Path,
        compiled: &CompiledExperiment,
        plan: &Plan,
        schema: &JournalSchema,
    ) -> Result<Self, JournalError> {
        let disk: Arc<dyn Disk> = Arc::new(SystemDisk);
        Self::read_on(&disk, path, compiled, plan, schema)
    }

    /// Reads a journal on any disk.
    pub(in crate::store) fn read_on(
        disk: &Arc<dyn Disk>,
        path: &Path,
        compiled: &CompiledExperiment,
        plan: &Plan,
        schema: &JournalSchema,
    ) -> Result<Self, JournalError> {
        let source = if path.try_exists()? {
            RowSource::File(Arc::clone(disk), path.to_owned())
        } else {
            RowSource::Memory(Vec::new())
        };
        Self::of(source, compiled, plan, schema)
    }

    /// The journal in `bytes`, whatever they are.
    ///
    /// # Errors
    /// If they hold rows of something else.
    pub fn parse(
        bytes: &[u8],
        compiled: &CompiledExperiment,
        plan: &Plan,
        schema: &JournalSchema,
    ) -> Result<Self, JournalError> {
        Self::of(RowSource::Memory(bytes.to_owned()), compiled, plan, schema)
    }

    pub(super) fn of(
        source: RowSource,
        compiled: &CompiledExperiment,
        plan: &Plan,
        schema: &JournalSchema,
    ) -> Result<Self, JournalError> {
        let mut journal = Self::empty(compiled, plan, schema);
        let mut lines = Lines::new(source.at(0)?, 0, journal.longest_line);
        journal.take_head(&mut lines, compiled, schema)?;
        let mut session = 0;
        while lines.advance()? {
            match journal.take_row(&lines, compiled, session) {
                Ok(found) => session = found,
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
    fn take_head(
        &mut self,
        lines: &mut Lines<impl Read>,
        compiled: &CompiledExperiment,
        schema: &JournalSchema,
    ) -> Result<(), JournalError> {
        if !lines.advance()? {
            return Ok(());
        }
        if lines.line == OLD_HEADER.as_bytes() {
            let reason = "the journal was written by an earlier version of the program";
            return Err(Mismatch::new(reason).into());
        }
        if lines.line != HEADER.as_bytes() {
            self.damage
                .add(lines.number, "it is not the first line of a journal");
        }
        if !lines.advance()? {
            return Ok(());
        }
        match JournalSchema::parse(&lines.line) {
            Some(stored) => {
                self.pairs = schema.places(&stored, compiled)?;
                self.key = *stored.key();
            }
            None => self
                .damage
                .add(lines.number, "it does not say what the rows hold"),
        }
        Ok(())
    }

    /// Notes the row in the present line; returns its session.
    fn take_row(
        &mut self,
        lines: &Lines<impl Read>,
        compiled: &CompiledExperiment,
        session: u32,
    ) -> Result<u32, &'static str> {
        let row = JournalRow::parse(&lines.line, &self.key)?;
        if row.session < session {
            return Err("the row is of a session that had ended");
        }
        let samples = row.block.samples;
        if samples == 0 || row.block.range().end > self.plan.samples() {
            return Err("the row does not fit the plan");
        }
        if !row.is_hashed() {
            self.decode(&row, compiled)
                .ok_or("the row does not fit the experiment")?;
        }
        let place = RowPlace {
            offset: lines.offset - lines.line.len() as u64,
            length: lines.line.len() as u64,
            samples,
            rows: row.rows,
            hashed: row.is_hashed(),
        };
        self.rows.insert(row.block.first, place);
        Ok(row.session)
    }
}
