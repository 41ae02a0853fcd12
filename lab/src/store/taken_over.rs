//! The cells that a run takes over from one with other cells: their tallies from the journal, and their
//! samples, where they are kept, from the `samples.csv` of that run, which is set aside.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::{self, LONGEST_LINE, Lines, write_atomically_with};
use crate::run::{Block, KnownBlock, KnownCells, Plan};
use crate::tables::sample_row;
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
        keeps_samples: bool,
    ) -> Result<Option<Self>, FolderError> {
        let journal = folder.journal(schema)?;
        if !journal.has_others() {
            return Ok(None);
        }
        let samples = keeps_samples.then(|| SamplesAside::open(&folder.file(KEPT), &schema.plan));
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
        let rows = samples.and_then(|samples| samples.rows(block, &cells, &self.schema));
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
    offsets: HashMap<u64, u64>,
}

impl SamplesAside {
    fn open(path: &Path, plan: &Plan) -> io::Result<Self> {
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
            offsets,
        })
    }

    /// The samples of a block by the experiment's cells; `None` where they are not those stored, or
    /// not written in full.
    fn rows(
        &self,
        block: &Block,
        cells: &StoredCells,
        schema: &JournalSchema,
    ) -> Option<Vec<Vec<Row>>> {
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
            let mut records = csv::ReaderBuilder::new();
            let mut records = records.has_headers(false).from_reader(text.as_bytes());
            for (line, record) in records.records().enumerate() {
                let row = sample_row(schema.compiled.metrics(), &record.ok()?)?;
                stored[line % width].push(row);
            }
        }
        let cell = |cell| {
            let place = cells.places.cell(cell);
            place.map(|place| std::mem::take(&mut stored[place]))
        };
        let rows = (0..schema.compiled.cells()).map(cell);
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
/// of later samples those that are aside already, where a run with others was interrupted.
///
/// # Errors
/// If a file cannot be read or written.
pub(super) fn set_aside(folder: &RunFolder) -> Result<(), FolderError> {
    let [written, aside] = ["samples.csv", KEPT].map(|name| folder.file(name));
    if !written.exists() {
        return Ok(());
    }
    let disk = folder.disk().as_ref();
    let both = write_atomically_with(disk, &aside, |file| {
        let mut file = BufWriter::new(file);
        let end = copy_from(&written, 0, &mut file)?;
        if aside.exists() {
            copy_from(&aside, end, &mut file)?;
        }
        file.flush()
    });
    both.at(&aside)?;
    folder.remove("samples.csv")
}

/// Copies the whole lines of samples from `first` on; returns the sample that would follow.
fn copy_from(path: &Path, first: u64, out: &mut dyn Write) -> io::Result<u64> {
    let mut lines = Lines::new(files::open(path)?, 0, LONGEST_LINE);
    let mut end = first;
    while lines.advance()? {
        let Some(sample) = sample_of(&lines.line).filter(|sample| *sample >= first) else {
            continue;
        };
        out.write_all(&lines.line)?;
        end = end.max(sample + 1);
    }
    Ok(end)
}
