//! The files that a run leaves once all samples are drawn.

use std::collections::BTreeSet;
use std::io;

use crate::run::{Ended, Observer, Outcome, RunTallies, control_caution, decide_claims};
use crate::store::{
    Exhibit, Journal, RunFolder, SampleReader, datapackage, finish_samples, holds_race,
};
use crate::tables::{
    Column, ColumnNames, RunFacts, Table, convergence, optional_tables, outcome_tables,
};
use base::Failure;
use base::files::Fill;

use super::Job;

/// The tables of a run, to be made of its stored blocks.
pub(super) struct FinalTables<'run> {
    /// The job, whose manifest says how the run ended.
    pub job: &'run Job,
    /// The exhibit of a run whose samples other programs draw, where none is to be started.
    pub(crate) exhibit: Option<Vec<u8>>,
}

impl<'run> FinalTables<'run> {
    /// The tables of a run.
    pub(crate) fn of(job: &'run Job) -> Self {
        Self { job, exhibit: None }
    }

    /// Leaves one column in `samples.csv` to each metric that was always known, where the run is
    /// complete. Writes what [`files`](Self::files) makes, and removes the tables that an earlier run of other
    /// claims or another version made and this one does not. Warns of a control whose mean is not that
    /// of the samples.
    pub(crate) fn write(
        &self,
        folder: &RunFolder,
        journal: &Journal,
        tallies: RunTallies,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        if let Some(caution) = control_caution(&self.job.compiled, &tallies.total) {
            observer.warning(&caution);
        }
        let compiled = &self.job.compiled;
        let mut cells = 0..compiled.cells();
        if let Some(values) = cells.find_map(|cell| compiled.task(cell).awaited_truth()) {
            observer.awaiting_truth(values);
        }
        let is_complete = self.job.manifest.exit_reason.completed().is_some();
        if self.job.experiment.keeps_samples() && is_complete {
            finish_samples(folder, &self.job.sample_table())?;
        }
        let mut left: BTreeSet<String> = optional_tables().map(file_name).collect();
        self.files(journal, tallies, |name, _, fill| {
            left.remove(name);
            folder.write_with(name, fill)
        })?;
        left.iter().try_for_each(|name| folder.remove(name))
    }

    /// Gives the name of every file that is a function of the stored blocks, of which `tallies` are the sums with
    /// what else counts, the columns that identify a row, and what fills it: of a wide sweep they are too large to be
    /// held.
    ///
    /// # Errors
    /// If the journal or the samples cannot be read, or with the first error of `take`.
    pub(crate) fn files(
        &self,
        journal: &Journal,
        tallies: RunTallies,
        mut take: impl FnMut(&str, ColumnNames, &mut Fill<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (experiment, compiled) = (&self.job.experiment, &self.job.compiled);
        let unreadable = |error| self.job.unreadable(&error);
        let raced = self.raced(journal).map_err(unreadable)?;
        let sample_columns = self.sample_columns().map_err(unreadable)?;
        let confidence = self.job.confidence();
        let both = (confidence, experiment.watched());
        let convergence = convergence(compiled, &tallies.looks, both);
        let claims = decide_claims(experiment, compiled, &tallies.total, confidence);
        let outcome = Outcome::of(compiled, tallies.total, confidence);
        let exit = &self.job.manifest.exit_reason;
        let stopped = exit.stopped(experiment.is_extended());
        let facts = RunFacts::of(experiment, compiled, &outcome, (&claims, stopped));
        let mut tables: Vec<Table<'_>> = outcome_tables(&facts).collect();
        tables.push(convergence);
        tables.extend(raced);
        for table in &mut tables {
            let (name, key) = (file_name(table.name()), table.keys().primary);
            take(&name, key, &mut |file| table.write_to(file))?;
        }
        let package = datapackage(experiment, &tables, sample_columns.as_deref());
        take("datapackage.json", &[], &mut |file| {
            file.write_all(&package)
        })?;
        let exhibit = self.exhibit();
        exhibit.map_or(Ok(()), |bytes| {
            take(Exhibit::FILE, &[], &mut |file| file.write_all(&bytes))
        })
    }

    /// The tables that follow from the times of a race.
    fn raced(&self, journal: &Journal) -> io::Result<Vec<Table<'run>>> {
        if !holds_race(&self.job.folder) {
            return Ok(Vec::new());
        }
        let timings = self.job.timings(journal).map_err(io::Error::other)?;
        let machine = self.job.machine().map_err(io::Error::other)?;
        Ok(self.job.race_tables(timings, &machine))
    }

    /// The columns of `samples.csv`, where it is kept.
    fn sample_columns(&self) -> io::Result<Option<Vec<Column>>> {
        let path = self.job.folder.join("samples.csv");
        if !self.job.experiment.keeps_samples() || !path.exists() {
            return Ok(None);
        }
        let table = self.job.sample_table();
        let reader = SampleReader::open(&path, &table)?;
        Ok(Some(table.columns(reader.singles())))
    }

    /// The sample that the experiment names, as a story. A run that was cut short or found a fault
    /// has none: playing it again might take long, or meet the fault.
    fn exhibit(&self) -> Option<Vec<u8>> {
        match (&self.job.manifest.exit_reason, &self.exhibit) {
            (Ended::Aborted(_) | Ended::Failed(_), _) => None,
            (_, Some(exhibit)) => Some(exhibit.clone()).filter(|bytes| !bytes.is_empty()),
            _ => Some(self.job.exhibit()?.to_json()),
        }
    }
}

/// The name of a table's file.
fn file_name(table: &str) -> String {
    format!("{table}.csv")
}

impl Job {
    /// The sample that reports show step by step; none if it cannot be drawn, and none of a race.
    pub(super) fn exhibit(&self) -> Option<Exhibit> {
        let cell = self.experiment.exhibited_cell();
        if self.experiment.cells[cell].contender.is_some() {
            return None;
        }
        let sample = self.experiment.exhibited_sample();
        Exhibit::draw(&self.experiment, &self.compiled, (cell, sample)).ok()
    }
}
