//! Reads a journal: the first two lines, then each row for its place and whether it is sound.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::store::Lines;
use base::Failure;
use base::files::{Disk, SystemDisk};

use super::super::error::{AtPath, mismatch};
use super::{Digest, HEADER, Journal, JournalRow, JournalSchema, RowSource, RowSpan};

impl Journal {
    /// Reads the journal of `schema`'s experiment, cut as its plan cuts it; a file that is not there
    /// holds nothing.
    ///
    /// # Errors
    /// If the file cannot be read, or holds rows of something else.
    pub fn read(path: &Path, schema: &Arc<JournalSchema>) -> Result<Self, Failure> {
        let disk: Arc<dyn Disk> = Arc::new(SystemDisk);
        Self::read_on(&disk, path, schema)
    }

    /// Reads a journal on any disk.
    pub(in crate::store) fn read_on(
        disk: &Arc<dyn Disk>,
        path: &Path,
        schema: &Arc<JournalSchema>,
    ) -> Result<Self, Failure> {
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
    pub(crate) fn parse(bytes: &[u8], schema: &Arc<JournalSchema>) -> Result<Self, Failure> {
        Self::of(RowSource::Memory(bytes.to_owned()), schema)
    }

    pub(super) fn of(source: RowSource, schema: &Arc<JournalSchema>) -> Result<Self, Failure> {
        let mut journal = Self::empty(schema);
        let path = source.path();
        let mut lines = Lines::new(source.at(0).at(path)?, 0, schema.own.longest_line);
        if lines.advance().at(path)? && lines.line != HEADER.as_bytes() {
            let reason = "it is not the first line of a journal";
            journal.damage.add(lines.number, reason);
        }
        if lines.advance().at(path)? {
            let taken = journal.take_head(&mut lines);
            taken.map_err(|reason| mismatch(path, reason))?;
        }
        while lines.advance().at(path)? {
            if let Err(reason) = journal.take_row(&lines) {
                journal.damage.add(lines.number, reason);
            }
        }
        drop(lines);
        journal.source = source;
        journal.assemble();
        Ok(journal)
    }

    /// Reads the line that says what rows hold. Where it is damaged, they are held to be those of the
    /// experiment, and their checksums show whether they are.
    ///
    /// # Errors
    /// The reason why the rows below it cannot be used for this experiment.
    fn take_head(&mut self, lines: &mut Lines<impl Read>) -> Result<(), String> {
        match self.schema.read_as(&lines.line).transpose()? {
            Some(head) => self.head = Arc::new(head),
            None => {
                let reason = "it does not say what the rows hold";
                self.damage.add(lines.number, reason);
            }
        }
        self.is_sealed = self.head.is_own;
        lines.limit = self.head.longest_line;
        Ok(())
    }

    /// Notes the row in the present line.
    fn take_row(&mut self, lines: &Lines<impl Read>) -> Result<(), &'static str> {
        let row = JournalRow::parse(&lines.line, &self.head.key)?;
        let (block, plan) = (row.block, &self.schema.plan);
        if block.samples == 0 || block.range().end > plan.samples() {
            return Err("the row does not fit the plan");
        }
        if !row.is_hashed() {
            self.decode(&row)
                .ok_or("the row does not fit the experiment")?;
        }
        let last = self.rows.last_key_value().map(|(first, _)| *first);
        let is_planned = plan.block_at(block.first) == Some(block) && plan.runs(&block);
        self.is_sealed &= is_planned && last.is_none_or(|last| last < block.first);
        let span = RowSpan {
            offset: lines.offset - lines.line.len() as u64,
            length: lines.line.len() as u64,
            line: Digest::of(&lines.line),
            samples: block.samples,
            is_kept: row.kept == 1 || !self.head.is_own,
            rows: row.rows,
            hashed: row.is_hashed(),
        };
        self.rows.insert(block.first, span);
        Ok(())
    }
}
