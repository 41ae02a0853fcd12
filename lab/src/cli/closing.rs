//! The end of a run: writes the tables and their provenance once all samples are drawn.

use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::config::Experiment;
use crate::harness::{
    BlockTally, Checkpoint, Convergence, Ended, Laboratory, Outcome, Plan, Shard, StopReason,
    decide_claims,
};
use crate::output::{
    Exhibit, Exit, FolderError, Journal, Manifest, OPTIONAL_TABLES, RunFolder, STREAM_SCHEME, Work,
    convergence_table, datapackage, fingerprint_files, outcome_tables,
};
use crate::stats::Confidence;

use super::failure::Failure;
use super::program::Program;
use super::programs;

/// The tables of an experiment, to be made of a tally.
pub struct Closing<'run> {
    pub experiment: &'run Experiment,
    pub laboratory: &'run Laboratory,
    pub plan: &'run Plan,
    pub exit: &'run Exit,
    /// The exhibit of a run whose samples other programs draw, where none is to be started.
    pub exhibit: Option<Vec<u8>>,
    pub samples: SampleSource,
}

/// The samples of a run one by one, as far as tables are made of them.
pub enum SampleSource {
    /// The experiment does not keep them.
    NotKept,
    /// The samples are in the folder.
    Kept(Work),
    /// The samples were in the folder, and are no longer.
    Dropped(Work),
}

impl SampleSource {
    /// Reads the samples in `folder`.
    pub fn read(
        folder: &Path,
        experiment: &Experiment,
        laboratory: &Laboratory,
    ) -> io::Result<Self> {
        if !experiment.keep_samples {
            return Ok(Self::NotKept);
        }
        Work::read(&folder.join("samples.csv"), laboratory).map(Self::Kept)
    }

    fn work(&self) -> Option<&Work> {
        match self {
            Self::NotKept => None,
            Self::Kept(work) | Self::Dropped(work) => Some(work),
        }
    }
}

impl Closing<'_> {
    /// Writes what [`files`](Self::files) makes, and removes the tables that an earlier run of other
    /// claims or another version made and this one does not.
    pub fn write(
        &self,
        folder: &RunFolder,
        journal: &Journal,
        tally: BlockTally,
    ) -> Result<(), FolderError> {
        let files = self.files(journal, tally);
        let files = files.map_err(|source| FolderError::Io {
            path: folder.file("blocks.csv"),
            source,
        })?;
        for name in OPTIONAL_TABLES.map(|table| format!("{table}.csv")) {
            if !files.iter().any(|(made, _)| *made == name) {
                folder.remove(&name)?;
            }
        }
        let mut files = files.into_iter();
        files.try_for_each(|(name, bytes)| folder.write(&name, &bytes))
    }

    /// Name and bytes of every file that is a function of the stored blocks and of `tally`, which
    /// is their sum and what else counts.
    pub fn files(
        &self,
        journal: &Journal,
        tally: BlockTally,
    ) -> io::Result<Vec<(String, Vec<u8>)>> {
        let confidence = self.confidence();
        let checkpoints = self.convergence(journal, confidence)?;
        let claims = decide_claims(self.experiment, self.laboratory, &tally, confidence);
        let outcome = Outcome::of(self.laboratory, tally, confidence);
        let mut tables = outcome_tables(
            self.experiment,
            self.laboratory,
            &outcome,
            &claims,
            self.reason(),
        );
        tables.push(convergence_table(self.experiment, &checkpoints));
        if let Some(work) = self.samples.work() {
            tables.extend(work.tables(self.experiment, confidence));
        }
        let has_samples = matches!(self.samples, SampleSource::Kept(_));
        let package = datapackage(self.experiment, &tables, has_samples);
        let files = tables
            .into_iter()
            .map(|table| (format!("{}.csv", table.name()), table.into_csv()));
        Ok(files
            .chain([("datapackage.json".to_owned(), package)])
            .chain(self.exhibit())
            .collect())
    }

    /// Returns the estimates of the first cell after growing numbers of blocks.
    fn convergence(
        &self,
        journal: &Journal,
        confidence: Confidence,
    ) -> io::Result<Vec<Checkpoint>> {
        let both = (confidence, self.experiment.watched());
        let blocks = journal.indices().len() as u64;
        let mut convergence = Convergence::new(self.laboratory, blocks, both);
        let mut sum = BlockTally::new(self.laboratory);
        for block in journal.blocks(self.laboratory) {
            let (index, block) = block?;
            sum.merge(&block.tally);
            convergence.push(self.plan.block(index).samples, &sum);
        }
        Ok(convergence.into_checkpoints())
    }

    /// Returns the confidence of the results: that of repeated looks if the run was cut short,
    /// because whoever cut it short may have seen its numbers.
    fn confidence(&self) -> Confidence {
        if self.exit.completed().is_some() {
            self.experiment.confidence()
        } else {
            self.experiment.watched()
        }
    }

    /// Returns why sampling stopped, in the words of the tables.
    fn reason(&self) -> &'static str {
        let extended = !self.experiment.extended_from.is_empty();
        match self.exit {
            Exit::Complete(StopReason::Samples) if extended => EXTENDED,
            exit => exit.stop_reason(),
        }
    }

    /// The sample of the first cell that the experiment names, as a story. A run that was cut short
    /// or found a fault has none: playing it again might take long, or meet the fault.
    fn exhibit(&self) -> Option<(String, Vec<u8>)> {
        if matches!(self.exit, Exit::Aborted | Exit::Fault(_)) {
            return None;
        }
        if let Some(exhibit) = &self.exhibit {
            let stored = Some(exhibit.clone()).filter(|bytes| !bytes.is_empty());
            return stored.map(|bytes| (Exhibit::FILE.to_owned(), bytes));
        }
        let cell = self.experiment.cells.first()?;
        let sample = self.experiment.exhibit;
        let replay = self.laboratory.replay(0, sample).ok()?;
        let exhibit = Exhibit::of(&cell.name, sample, replay);
        Some((Exhibit::FILE.to_owned(), exhibit.to_json()))
    }
}

/// The samples in a folder that was just written.
pub fn kept_samples(
    folder: &Path,
    experiment: &Experiment,
    laboratory: &Laboratory,
) -> Result<SampleSource, Failure> {
    SampleSource::read(folder, experiment, laboratory).map_err(|error| {
        let path = folder.join("samples.csv");
        Failure::failed(format!("{}: {error}", path.display()))
    })
}

/// The tables' `stop_reason` of a run that was given more samples after its numbers could be seen.
const EXTENDED: &str = "extended";

/// Returns the end of a run that has stopped for this reason.
pub fn ended(reason: StopReason) -> Ended {
    match reason {
        StopReason::Samples | StopReason::MaxSamples => Ended::Complete,
        reason => Ended::Settled(reason),
    }
}

/// Converts the end of a run to the exit that its manifest records.
pub fn exit(ended: &Ended, experiment: &Experiment, program: &Program) -> Exit {
    match ended {
        Ended::WaveEnd => Exit::Wave,
        Ended::Complete if experiment.stop.looks() => Exit::Complete(StopReason::MaxSamples),
        Ended::Complete => Exit::Complete(StopReason::Samples),
        Ended::Settled(reason) => Exit::Complete(*reason),
        Ended::Interrupted => Exit::Interrupted,
        Ended::Aborted(_) => Exit::Aborted,
        Ended::Fault(fault) => {
            let cell = &experiment.cells[fault.cell].name;
            let replay = program.replay_line("config.toml", cell, fault.sample);
            let fault = fault.in_cell(cell);
            Exit::Fault(format!("{fault}; to see it alone: {replay}"))
        }
        Ended::Unstored(error) => Exit::Unstored(error.to_string()),
    }
}

/// A run that looks came to its cap of `samples` undecided.
pub fn inconclusive(samples: u64) -> Failure {
    Failure::capped(format!(
        "inconclusive: stopped at the cap of {samples} samples of each cell (max-samples)"
    ))
    .with_help("the intervals are valid; to continue, raise max-samples and use --resume")
}

/// The circumstances of a session: who made it, where, when, how far it came.
pub struct Circumstances {
    pub program: Program,
    pub earlier: Option<Manifest>,
    pub began: SystemTime,
    pub threads: usize,
    pub shard: Shard,
    pub samples_done: u64,
    pub samples_planned: u64,
    pub exit: Exit,
}

impl Circumstances {
    /// The manifest of the run in `folder`, whose other files are written already.
    pub fn manifest(self, experiment: &Experiment, folder: &Path) -> Manifest {
        let now = SystemTime::now();
        let wall = now.duration_since(self.began).unwrap_or_default();
        let earlier = self.earlier.unwrap_or_else(|| Manifest {
            started_unix: unix(self.began),
            ..Manifest::default()
        });
        Manifest {
            experiment: experiment.name.clone(),
            program: self.program.own(),
            etude_version: Program::LABORATORY.into(),
            build: build(&self.program),
            git_revision: self.program.revision.map(Into::into),
            config_hash: experiment.digest(),
            fingerprint: experiment.fingerprint(),
            stream_scheme: STREAM_SCHEME.into(),
            host: host(),
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            threads: self.threads,
            shard: self.shard,
            samples_done: self.samples_done,
            samples_planned: self.samples_planned,
            started_unix: earlier.started_unix,
            finished_unix: unix(now),
            wall_seconds: rounded(earlier.wall_seconds + wall.as_secs_f64()),
            sessions: earlier.sessions + 1,
            exit_reason: self.exit,
            programs: programs::records(experiment, &earlier.programs),
            program_folders: programs::folders(experiment),
            command: std::env::args().collect(),
            files: fingerprint_files(folder).unwrap_or_default(),
        }
    }
}

/// The hash of the program's file, where its revision is not known.
fn build(program: &Program) -> Option<String> {
    if program.revision.is_some() {
        return None;
    }
    let bytes = std::fs::read(std::env::current_exe().ok()?).ok()?;
    Some(blake3::hash(&bytes).to_hex()[..16].to_owned())
}

fn unix(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or(Duration::ZERO)
        .as_secs()
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

fn host() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use crate::config::{Overrides, coin};
    use crate::harness::{Cause, Fault};

    use super::*;

    const PROGRAM: Program = Program {
        name: "coins",
        about: "Coins",
        version: "1.0.0",
        revision: None,
        games: coin::GAMES,
        experiments: &[],
        examples: "",
    };

    #[test]
    fn a_fault_is_recorded_with_the_line_that_replays_it() {
        let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 9\n\
                    [sweep]\np = [0.25, 0.5]\n";
        let experiment = Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default());
        let fault = Fault {
            cell: 1,
            sample: 7,
            cause: Cause::Panic("the table broke".into()),
        };
        assert_eq!(
            exit(&Ended::Fault(fault), &experiment.unwrap(), &PROGRAM).to_string(),
            "fault: cell 0.5, sample 7: the task panicked: the table broke; to see it alone: \
             coins replay config.toml --cell 0.5 --sample 7"
        );
    }
}
