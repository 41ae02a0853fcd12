//! The cells that a run keeps of one with other cells: their tallies from the journal, and their samples,
//! where they are kept, from `samples-kept.csv`.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::run::{Block, KnownBlock, KnownCells, Plan};
use crate::tables::SampleTable;
use base::Failure;
use base::files::write_atomically_with;
use task::Row;

use super::error::AtPath;
use super::folder::RunFolder;
use super::journal::{Digest, Journal, JournalSchema};
use super::sample_file::{lines_at, sample_of};

/// The name of the samples of kept cells.
pub(super) const ASIDE: &str = "samples-kept.csv";

/// The blocks of a journal that lack cells, or were not counted by this run.
#[derive(Debug)]
pub(crate) struct KeptCells {
    journal: Journal,
    samples: Option<KeptSamples>,
}

impl KeptCells {
    /// The kept cells of a folder. Their samples are read where those of the run are kept.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(crate) fn of(
        folder: &RunFolder,
        schema: &Arc<JournalSchema>,
        table: Option<&Arc<SampleTable>>,
    ) -> Result<Self, Failure> {
        let journal = folder.journal(schema)?;
        let samples = table.map(|table| KeptSamples::open(&[folder.file(ASIDE)], table, &journal));
        Ok(Self {
            samples: samples.transpose().at(&folder.file(ASIDE))?,
            journal,
        })
    }
}

impl KnownCells for KeptCells {
    fn of_block(&self, block: &Block) -> io::Result<Option<KnownBlock>> {
        if !self.journal.kept().contains(&block.index) {
            return Ok(None);
        }
        let samples = self.samples.as_ref();
        Ok(Some(KnownBlock {
            tally: self.journal.block(block.index)?.tally,
            rows: samples.and_then(|samples| samples.rows(block, &self.journal)),
        }))
    }
}

/// The samples of kept cells, in one file or several.
#[derive(Debug)]
struct KeptSamples {
    files: Vec<SampleFile>,
    table: Arc<SampleTable>,
}

/// A file with samples of some cells.
#[derive(Debug)]
struct SampleFile {
    path: PathBuf,
    /// The metrics that have a single column.
    singles: Vec<bool>,
    /// The offset of the first line of each row of the journal.
    offsets: HashMap<u64, u64>,
}

impl KeptSamples {
    /// Opens those of the files that are there and have the experiment's metrics.
    fn open(paths: &[PathBuf], table: &Arc<SampleTable>, journal: &Journal) -> io::Result<Self> {
        let paths = paths.iter().filter(|path| path.exists());
        let files = paths.map(|path| SampleFile::open(path, table, journal));
        let files: io::Result<Vec<_>> = files.collect();
        Ok(Self {
            files: files?.into_iter().flatten().collect(),
            table: Arc::clone(table),
        })
    }

    /// The samples of a block by the experiment's cells; `None` where they are not those stored, or
    /// not written in full.
    fn rows(&self, block: &Block, journal: &Journal) -> Option<Vec<Vec<Row>>> {
        let cells = self.lines(block, journal)?;
        let values =
            |lines: &Vec<Vec<u8>>| lines.iter().map(|line| self.table.values(line)).collect();
        cells.iter().map(values).collect()
    }

    /// The lines of a block by the experiment's cells, none of a cell that is not in every part of it;
    /// `None` where they are not those stored.
    fn lines(&self, block: &Block, journal: &Journal) -> Option<Vec<Vec<Vec<u8>>>> {
        let mut cells = vec![Vec::new(); self.table.cells()];
        for (part, digest) in journal.parts(block.index) {
            let (digest, layout) = (digest?, journal.layout(part.first).ok()?);
            let mut files = self.files.iter();
            let lines =
                files.find_map(|file| file.part(&part, (layout.len(), digest), &self.table))?;
            for (line, cell) in lines.into_iter().zip(layout.iter().cycle()) {
                if let Some(cell) = *cell {
                    cells[cell].push(line);
                }
            }
        }
        let is_whole = |lines: &Vec<_>| lines.len() as u64 == block.samples;
        (cells.iter_mut().filter(|lines| !is_whole(lines))).for_each(Vec::clear);
        Some(cells)
    }
}

impl SampleFile {
    /// Opens a file; `None` of one with other metrics.
    fn open(path: &Path, table: &SampleTable, journal: &Journal) -> io::Result<Option<Self>> {
        let mut lines = lines_at(path, 0)?;
        lines.advance()?;
        let Some(singles) = table.singles_after(&lines.line) else {
            return Ok(None);
        };
        let mut offsets = HashMap::new();
        while lines.advance()? {
            let first = sample_of(&lines.line).filter(|sample| journal.has_row_from(*sample));
            if let Some(first) = first {
                let begin = lines.offset - lines.line.len() as u64;
                offsets.entry(first).or_insert(begin);
            }
        }
        Ok(Some(Self {
            path: path.to_owned(),
            singles,
            offsets,
        }))
    }

    /// The lines of a part of a block, of so many cells, with both columns of every metric; `None` where
    /// they are not those stored with this hash.
    fn part(
        &self,
        part: &Block,
        (cells, digest): (usize, Digest),
        table: &SampleTable,
    ) -> Option<Vec<Vec<u8>>> {
        let offset = *self.offsets.get(&part.first)?;
        let mut file = lines_at(&self.path, offset).ok()?;
        let mut lines = Vec::new();
        for _ in 0..part.samples.checked_mul(cells as u64)? {
            file.advance().ok()?;
            let row = table.parse(&file.line, &self.singles)?;
            lines.push(table.line(&row, &table.no_singles()));
        }
        (Digest::of(&lines.concat()) == digest).then_some(lines)
    }
}

/// Sets the samples of the cells that are kept aside, from `samples.csv` or where they are aside already;
/// returns the hashes of the lines of each block of which some are there.
///
/// # Errors
/// If a file cannot be read or written.
pub(super) fn set_aside(
    folder: &RunFolder,
    journal: &Journal,
    plan: &Plan,
    table: &Arc<SampleTable>,
) -> Result<BTreeMap<u64, Digest>, Failure> {
    let paths = ["samples.csv", ASIDE].map(|name| folder.file(name));
    let samples = KeptSamples::open(&paths, table, journal).at(&paths[0])?;
    let mut digests = BTreeMap::new();
    let written = write_atomically_with(folder.disk().as_ref(), &paths[1], |file| {
        file.write_all(table.header(&table.no_singles()).as_bytes())?;
        for &index in journal.kept() {
            let block = plan.block(index);
            let cells = samples.lines(&block, journal).unwrap_or_default();
            let lines = (0..block.samples as usize)
                .flat_map(|sample| cells.iter().filter_map(move |lines| lines.get(sample)));
            let text: Vec<u8> = lines.flatten().copied().collect();
            if !text.is_empty() {
                file.write_all(&text)?;
                digests.insert(index, Digest::of(&text));
            }
        }
        Ok(())
    });
    written.at(&paths[1])?;
    Ok(digests)
}
