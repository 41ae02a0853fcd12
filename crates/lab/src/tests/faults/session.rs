//! Sessions of a run in a folder, without the command line: on any disk, for some of the blocks.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use base::Failure;
use base::files::Disk;
use experiment::{Experiment, Overrides};
use task::coin;

use crate::run::{
    CompiledExperiment, Interrupt, Observer, Outcome, Plan, Progress, Run, StopReason, Stopped,
    Urgency, decide_claims,
};
use crate::store::{JournalSchema, RunFolder, RunRecord};
use crate::tables::{RunFacts, outcome_tables};

/// Asks a run to stop once so many samples are done.
struct Stopper<'run>(&'run Interrupt, u64);

impl Observer for Stopper<'_> {
    fn progress(&mut self, progress: Progress<'_>) {
        if progress.done >= self.1 && self.0.urgency() == Urgency::None {
            self.0.request();
        }
    }
}

/// The end of a session.
#[derive(Debug)]
pub(super) enum Went {
    /// The session ended, with so many samples of each cell stored.
    Ended(u64),
    /// The folder or its record could not be opened, or not be closed.
    Refused(Failure),
}

pub(super) fn experiment(text: &str) -> Experiment {
    Experiment::parse(text, "session.toml", coin::GAMES, &Overrides::default())
        .unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// Goes on with the run in `folder`, stopped once `until` samples are there, and writes its tables.
pub(super) fn session(
    disk: Arc<dyn Disk>,
    folder: &Path,
    experiment: &Experiment,
    until: Option<u64>,
) -> Went {
    try_session(disk, folder, experiment, until).map_or_else(Went::Refused, Went::Ended)
}

fn try_session(
    disk: Arc<dyn Disk>,
    folder: &Path,
    experiment: &Experiment,
    until: Option<u64>,
) -> Result<u64, Failure> {
    let compiled = Arc::new(CompiledExperiment::of_experiment(experiment).unwrap());
    let plan = Plan::new(experiment.stop.max_samples);
    let schema = JournalSchema::of(experiment, &compiled, &plan);
    let folder = RunFolder::open_on(disk, folder)?;
    let opened = RunRecord::open(folder, experiment, &schema, true)?;
    let mut record = opened.record;
    let interrupt = Interrupt::new();
    let mut stopper = Stopper(&interrupt, until.unwrap_or(u64::MAX));
    let run = Run {
        compiled: Arc::clone(&compiled),
        plan,
        to: u64::MAX,
        threads: 1,
        keep_samples: experiment.keeps_samples(),
        stored: opened.stored,
        known: opened.known,
        looks: None,
        race: None,
        interrupt: &interrupt,
    };
    let (ended, done, tally) = run.execute(&mut record, &mut stopper).unwrap();
    let Ok((folder, _)) = record.close(ended.completed().is_some()) else {
        return Ok(done);
    };
    let confidence = experiment.confidence();
    let claims = decide_claims(experiment, &compiled, &tally, confidence);
    let outcome = Outcome::of(&compiled, tally, confidence);
    let facts = RunFacts::of(
        experiment,
        &compiled,
        &outcome,
        (&claims, Stopped::Complete(StopReason::Samples)),
    );
    for mut table in outcome_tables(&facts) {
        let name = format!("{}.csv", table.name());
        if folder
            .write_with(&name, &mut |file| table.write_to(file))
            .is_err()
        {
            break;
        }
    }
    Ok(done)
}

/// The files of a run folder that say nothing of the session, by their names.
pub(super) fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = entries.map(|entry| {
        let name = entry.file_name().into_string().unwrap();
        (name, std::fs::read(entry.path()).unwrap())
    });
    files
        .filter(|(name, _)| !["manifest.json", "timings.csv"].contains(&name.as_str()))
        .filter(|(name, _)| !name.starts_with(".etude-"))
        .collect()
}
