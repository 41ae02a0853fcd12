//! The manifest of a run: who made it, where, when, how far it came.

use std::time::{Duration, SystemTime};

use crate::experiment::Experiment;
use crate::run::{Ended, StopReason};
use crate::store::{Exit, Manifest, RunFolder, STREAM_SCHEME, fingerprint_files, host};

use super::program::Program;
use super::{Job, programs};
use crate::failure::Failure;

impl Job {
    /// Writes the manifest of the run in `folder`, whose other files are written already, with what
    /// earlier sessions recorded.
    pub(super) fn write_manifest(
        &self,
        folder: &RunFolder,
        samples_done: u64,
        exit: Exit,
    ) -> Result<Manifest, Failure> {
        let now = SystemTime::now();
        let wall = now.duration_since(self.began).unwrap_or_default();
        let (experiment, earlier) = (&self.experiment, &self.manifest);
        let manifest = Manifest {
            experiment: experiment.file.name.clone(),
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
            shard: self.plan.shard(),
            samples_done,
            samples_planned: self.plan.shard_samples(),
            started_unix: match earlier.sessions {
                0 => unix(self.began),
                _ => earlier.started_unix,
            },
            finished_unix: unix(now),
            wall_seconds: rounded(earlier.wall_seconds + wall.as_secs_f64()),
            sessions: earlier.sessions + 1,
            exit_reason: exit,
            programs: programs::records(experiment, &earlier.programs),
            program_folders: programs::folders(experiment),
            command: std::env::args().collect(),
            files: fingerprint_files(folder.path()).unwrap_or_default(),
        };
        folder.write("manifest.json", &manifest.to_json())?;
        Ok(manifest)
    }
}

/// Converts the end of a run to the exit that its manifest records.
pub(super) fn exit(ended: &Ended, experiment: &Experiment, program: &Program) -> Exit {
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

#[cfg(test)]
mod tests {
    use crate::experiment::{Overrides, coin};
    use crate::run::{Cause, Fault};

    use super::*;

    const PROGRAM: Program = Program {
        name: "coins",
        games: coin::GAMES,
        ..Program::LIBRARY
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
