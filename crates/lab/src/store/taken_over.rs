//! The cells that a run takes over from one with other cells: their tallies from the journal, and their
//! samples, where they are kept, from the `samples.csv` of that run, which is set aside.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::write_atomically_with;
use crate::run::{Block, KnownBlock, KnownCells, Plan};
use crate::tables::SampleTable;
use crate::task::Row;

use super::error::{AtPath, FolderError};
use super::folder::RunFolder;
use super::journal::{Digest, Journal, JournalSchema, StoredCells};
use super::samples::{lines_at, sample_of};

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
        if self.samples.is_some() {
            return Vec::new();
        }
        let again = self.journal.other_places().flat_map(|places| {
            let needed = places.needed(&self.schema.compiled, keeps_samples);
            let cells = (0..).zip(needed);
            cells.filter_map(move |(cell, needed)| {
                (needed && places.cell(cell).is_some()).then_some(cell)
            })
        });
        again.collect::<BTreeSet<usize>>().into_iter().collect()
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
        let mut lines = lines_at(path, 0)?;
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
        let offset = *self.offsets.get(&block.first)?;
        let mut lines = lines_at(&self.path, offset).ok()?;
        let mut stored = vec![Vec::new(); cells.places.stored_cells()];
        for (part, digest) in &cells.parts {
            let mut text = Vec::new();
            for _ in part.range() {
                for rows in &mut stored {
                    lines.advance().ok()?;
                    rows.push(self.table.values(&lines.line)?);
                    text.extend_from_slice(&lines.line);
                }
            }
            if *digest != Some(Digest::of(&text)) {
                return None;
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
    let mut lines = lines_at(path, 0)?;
    lines.advance()?;
    let Some(singles) = table.singles_after(&lines.line) else {
        return Ok(first);
    };
    let both = table.no_singles();
    let mut end = first;
    while lines.advance()? {
        let sample = sample_of(&lines.line).filter(|sample| *sample >= first);
        if let Some((sample, row)) = sample.zip(table.parse(&lines.line, &singles)) {
            out.write_all(&table.line(&row, &both))?;
            end = end.max(sample + 1);
        }
    }
    Ok(end)
}
