//! The cells that a run takes over from one with other cells: their tallies from the journal, and their
//! samples, where they are kept, from the `samples.csv` of that run, which is set aside.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::{self, LONGEST_LINE, Lines, write_atomically_with};
use crate::run::{Block, KnownBlock, KnownCells, Plan};
use crate::tables::SampleTable;
use crate::task::Row;

use super::error::{AtPath, FolderError};
use super::folder::RunFolder;
use super::journal::{Digest, Journal, JournalSchema, StoredCells};
use super::samples::sample_of;

/// The name of the samples that are set aside.
pub(super) const KEPT: &str = "samples-kept.csv";

/// The cells of blocks that sections of other cells hold.
#[derive(Debug)]
pub struct TakenOver {
    journal: Journal,
    schema: Arc<JournalSchema>,
    samples: Option<SamplesAside>,
}

impl TakenOver {
    /// The cells that the journal of a folder holds in sections of other cells; `None` where there are
    /// none. Their samples are read where those of the run are kept.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn of(
        folder: &RunFolder,
        schema: &Arc<JournalSchema>,
        table: Option<&Arc<SampleTable>>,
    ) -> Result<Option<Self>, FolderError> {
        let journal = folder.journal(schema)?;
        if !journal.has_others() {
            return Ok(None);
        }
        let path = folder.file(KEPT);
        let samples = table.map(|table| SamplesAside::open(&path, table, &schema.plan));
        Ok(Some(Self {
            journal,
            schema: Arc::clone(schema),
            samples: samples.and_then(Result::ok),
        }))
    }

    /// The cells that are stored and drawn again all the same.
    pub fn drawn_again(&self, keeps_samples: bool) -> Vec<usize> {
        let compiled = &self.schema.compiled;
        let is_drawn = |cell: &usize| {
            let mut places = self.journal.other_places();
            places.any(|places| {
                let needed = match (&self.samples, keeps_samples) {
                    (Some(_), _) => false,
                    (None, true) => true,
                    (None, false) => places.needed(compiled)[*cell],
                };
                needed && places.cell(*cell).is_some()
            })
        };
        (0..compiled.cells()).filter(is_drawn).collect()
    }
}

impl KnownCells for TakenOver {
    fn of_block(&self, block: &Block) -> io::Result<Option<KnownBlock>> {
        let Some(cells) = self.journal.other_cells(block)? else {
            return Ok(None);
        };
        let samples = self.samples.as_ref();
        let rows = samples.and_then(|samples| samples.rows(block, &cells));
        Ok(Some(KnownBlock {
            tally: cells.tally,
            places: cells.places,
            rows,
        }))
    }
}

/// The samples that are set aside, with the offset of the first line of each planned block.
#[derive(Debug)]
struct SamplesAside {
    path: PathBuf,
    table: Arc<SampleTable>,
    offsets: HashMap<u64, u64>,
}

impl SamplesAside {
    fn open(path: &Path, table: &Arc<SampleTable>, plan: &Plan) -> io::Result<Self> {
        let mut lines = Lines::new(files::open(path)?, 0, LONGEST_LINE);
        let mut offsets = HashMap::new();
        while lines.advance()? {
            let sample = sample_of(&lines.line);
            let block = sample.and_then(|sample| plan.block_at(sample));
            if let Some(block) = block.filter(|block| sample == Some(block.first)) {
                let begin = lines.offset - lines.line.len() as u64;
                offsets.entry(block.first).or_insert(begin);
            }
        }
        Ok(Self {
            path: path.to_owned(),
            table: Arc::clone(table),
            offsets,
        })
    }

    /// The samples of a block by the experiment's cells; `None` where they are not those stored, or
    /// not written in full.
    fn rows(&self, block: &Block, cells: &StoredCells) -> Option<Vec<Vec<Row>>> {
        let mut file = files::open(&self.path).ok()?;
        file.seek(SeekFrom::Start(*self.offsets.get(&block.first)?))
            .ok()?;
        let mut lines = BufReader::new(file);
        let width = cells.places.stored_cells();
        let mut stored = vec![Vec::new(); width];
        for (part, digest) in &cells.parts {
            let text = lines_of(&mut lines, part.samples as usize * width)?;
            if *digest != Some(Digest::of(text.as_bytes())) {
                return None;
            }
            for (position, line) in text.split_inclusive('\n').enumerate() {
                stored[position % width].push(self.table.values(line.as_bytes())?);
            }
        }
        let cell = |cell| {
            let place = cells.places.cell(cell);
            place.map(|place| std::mem::take(&mut stored[place]))
        };
        let rows = (0..self.table.cells()).map(cell);
        Some(rows.map(Option::unwrap_or_default).collect())
    }
}

/// The next lines of a file, so many of them.
fn lines_of(lines: &mut BufReader<File>, count: usize) -> Option<String> {
    let mut text = String::new();
    for _ in 0..count {
        let taken = lines
            .by_ref()
            .take(LONGEST_LINE)
            .read_line(&mut text)
            .ok()?;
        if taken == 0 {
            return None;
        }
    }
    Some(text)
}

/// Sets the samples of a run aside, before one with other cells writes its own: those of `samples.csv`, and
/// of later samples those that are aside already, where a run with others was interrupted. Each metric
/// has both columns, as when its row was stored.
///
/// # Errors
/// If a file cannot be read or written.
pub(super) fn set_aside(folder: &RunFolder, table: &SampleTable) -> Result<(), FolderError> {
    let [written, aside] = ["samples.csv", KEPT].map(|name| folder.file(name));
    if !written.exists() {
        return Ok(());
    }
    let disk = folder.disk().as_ref();
    let both = write_atomically_with(disk, &aside, |file| {
        let mut file = BufWriter::new(file);
        file.write_all(table.header(&table.no_singles()).as_bytes())?;
        let end = copy_from((&written, table), 0, &mut file)?;
        if aside.exists() {
            copy_from((&aside, table), end, &mut file)?;
        }
        file.flush()
    });
    both.at(&aside)?;
    folder.remove("samples.csv")
}

/// Copies the whole lines of samples from `first` on; returns the sample that would follow. A file with
/// other metrics has none.
fn copy_from(
    (path, table): (&Path, &SampleTable),
    first: u64,
    out: &mut dyn Write,
) -> io::Result<u64> {
    let mut lines = Lines::new(files::open(path)?, 0, LONGEST_LINE);
    lines.advance()?;
    let Some(singles) = table.singles_after(&lines.line) else {
        return Ok(first);
    };
    let mut end = first;
    while lines.advance()? {
        let sample = sample_of(&lines.line).filter(|sample| *sample >= first);
        if let Some((sample, row)) = sample.zip(table.parse(&lines.line, &singles)) {
            out.write_all(&table.line(&row, &table.no_singles()))?;
            end = end.max(sample + 1);
        }
    }
    Ok(end)
}
