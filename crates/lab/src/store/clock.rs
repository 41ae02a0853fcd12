//! `clock.csv`: the times of a race, which grow with its instances.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::folder::RunFolder;
use super::journal::Journal;
use super::manifest::Manifest;
use crate::run::Timing;
use crate::tables::{ClockRow, clock_table, read_whole_rows};
use base::files::{WriteFile, write_atomically_with};
use experiment::Experiment;

/// The file of times.
pub(crate) const CLOCK: &str = "clock.csv";

/// Returns whether a folder is that of a race: what its manifest lists says so, whatever else lies there. Where that
/// lists nothing, or cannot be read, the times themselves do.
pub fn holds_race(folder: &Path) -> bool {
    let manifest = Manifest::read(&folder.join("manifest.json")).ok();
    match manifest.filter(|manifest| !manifest.files.is_empty()) {
        Some(manifest) => manifest.files.contains_key(CLOCK),
        None => folder.join(CLOCK).is_file(),
    }
}

/// Appends the times of instances.
#[derive(Debug)]
pub(crate) struct ClockWriter {
    file: Box<dyn WriteFile>,
    experiment: Arc<Experiment>,
}

impl ClockWriter {
    /// Opens the file in a folder, with the times of the first instances that are whole both there and in
    /// the journal, which loses all others.
    pub(crate) fn open(
        folder: &RunFolder,
        experiment: &Experiment,
        journal: &mut Journal,
    ) -> io::Result<(Self, Vec<Timing>)> {
        let path = folder.file(CLOCK);
        let timings = if journal.indices().is_empty() {
            Vec::new()
        } else {
            stored_timings(&path, experiment, journal)?
        };
        let next = timings.last().map_or(0, |last| last.instance + 1);
        journal.retain(|&index| index < next, |_| false);
        let disk = folder.disk().as_ref();
        write_atomically_with(disk, &path, |file| {
            clock_table(experiment, timings.iter().copied()).write_to(file)
        })?;
        let writer = Self {
            file: disk.append(&path)?,
            experiment: Arc::new(experiment.clone()),
        };
        Ok((writer, timings))
    }

    /// Appends the times of an instance.
    pub(crate) fn append(&mut self, timings: &[Timing]) -> io::Result<()> {
        let table = clock_table(&self.experiment, timings.iter().copied());
        self.file.write_all(&table.into_lines())
    }

    /// Waits until everything appended has reached the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }
}

/// The times in a file of the first instances that are whole, there and in the journal.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn stored_timings(
    path: &Path,
    experiment: &Experiment,
    journal: &Journal,
) -> io::Result<Vec<Timing>> {
    let rows: Vec<ClockRow> = read_whole_rows(path)?;
    let timings = rows.iter().filter_map(|row| row.timing(experiment));
    let mut timings: Vec<Timing> = timings.collect();
    let answers = 2 * experiment.entrants().count();
    // A block of a race is one instance, and so is a row of an archived journal.
    let is_stored = |instance: u64| {
        let is_hashed = journal.is_archived() && journal.has_row_from(instance);
        is_hashed || journal.indices().contains(&instance)
    };
    let mut next = 0;
    for instance in timings.chunk_by(|a, b| a.instance == b.instance) {
        let counted = instance.iter().filter(|timing| timing.position > 0).count();
        if instance[0].instance != next || counted != answers || !is_stored(next) {
            break;
        }
        next += 1;
    }
    timings.retain(|timing| timing.instance < next);
    Ok(timings)
}
