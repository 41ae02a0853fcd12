//! Reads a journal: the first line, then section by section each row for its place and whether it is
//! sound.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::files::{Disk, Lines, SystemDisk};

use super::super::error::{AtPath, FolderError};
use super::schema::BEGIN;
use super::{HEADER, Journal, JournalRow, JournalSchema, JournalSection, RowSource, RowSpan};

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
        let mut lines = Lines::new(source.at(0).at(path)?, 0, schema.own.longest_line);
        if lines.advance().at(path)? && lines.line != HEADER.as_bytes() {
            let reason = "it is not the first line of a journal";
            journal.damage.add(lines.number, reason);
        }
        let (mut session, mut section) = (0, None);
        while lines.advance().at(path)? {
            if lines.number == 2 || lines.line.starts_with(BEGIN.as_bytes()) {
                journal.others.extend(section.take());
                let head = journal.take_head(&mut lines);
                section = head.map_err(|reason| FolderError::mismatch(path, reason))?;
                continue;
            }
            match journal.take_row(&lines, (session, &mut section)) {
                Ok(number) => session = number,
                Err(reason) => journal.damage.add(lines.number, reason),
            }
        }
        drop(lines);
        journal.others.extend(section);
        journal.others.retain(|section| !section.rows.is_empty());
        journal.source = source;
        journal.blocks = journal.assembled();
        Ok(journal)
    }

    /// Reads the first line of a section; returns the section if it is one of other cells. Where the line
    /// is damaged, the rows are held to be those of the experiment, and their checksums show whether
    /// they are.
    ///
    /// # Errors
    /// The reason why the rows below it cannot be used for this experiment.
    fn take_head(
        &mut self,
        lines: &mut Lines<impl Read>,
    ) -> Result<Option<JournalSection>, String> {
        let head = self.schema.read_as(&lines.line).transpose()?;
        if head.is_none() {
            let reason = "it does not say what the rows hold";
            self.damage.add(lines.number, reason);
        }
        let other = head.filter(|head| !head.is_own);
        lines.limit = other.as_ref().unwrap_or(&self.schema.own).longest_line;
        Ok(other.map(JournalSection::of))
    }

    /// Notes the row in the present line, of a section of other cells or of none; returns its session.
    fn take_row(
        &mut self,
        lines: &Lines<impl Read>,
        (session, section): (u32, &mut Option<JournalSection>),
    ) -> Result<u32, &'static str> {
        let own = &self.schema.own;
        let head = section.as_ref().map_or(own, |section| &section.head);
        let row = JournalRow::parse(&lines.line, &head.key)?;
        if row.session < session {
            return Err("the row is of a session that had ended");
        }
        let samples = row.block.samples;
        if samples == 0 || row.block.range().end > self.schema.plan.samples() {
            return Err("the row does not fit the plan");
        }
        if !row.is_hashed() {
            self.decode(&row, head)
                .ok_or("the row does not fit the experiment")?;
        }
        let span = RowSpan {
            offset: lines.offset - lines.line.len() as u64,
            length: lines.line.len() as u64,
            samples,
            rows: row.rows,
            hashed: row.is_hashed(),
        };
        let rows = section
            .as_mut()
            .map_or(&mut self.rows, |section| &mut section.rows);
        rows.insert(row.block.first, span);
        Ok(row.session)
    }
}
