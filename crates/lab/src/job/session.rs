//! A session of a run: opens its folder, draws the samples, writes the tables and the manifest.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use crate::run::{
    BlockTally, Ended, Fault, Interrupt, KnownCells, Observer, Run, RunTallies, StopReason,
    StoredBlocks, TimedRace,
};
use crate::store::{
    CLOCK, Manifest, ResumedRun, RunFolder, RunRecord, STREAM_SCHEME, check_readable,
    fingerprint_files, host, platform, unix,
};
use base::count;
use base::words::join;

use super::difference::listed;
use super::final_tables::FinalTables;
use super::finished::FinishedRun;
use super::step::{Step, next_step};
use super::{Job, programs};
use base::Failure;
use task::Application;

impl Job {
    /// Makes the run or goes on with it, as the [`mode`](Self::mode) says, and writes its tables.
    ///
    /// # Errors
    /// If the folder holds another run, a program misbehaves, or a file cannot be written. How the run itself
    /// ended is no error here: see [`FinishedRun::verdict`].
    pub fn run(
        mut self,
        interrupt: &Interrupt,
        observer: &mut dyn Observer,
    ) -> Result<FinishedRun, Failure> {
        self.check_undivided()?;
        let folder = RunFolder::open(&self.folder)?;
        check_readable(&self.folder)?;
        let mut earlier = Manifest::read(&folder.file("manifest.json")).ok();
        let (mut held, mut joining) = (self.held(&folder, earlier.as_ref())?, Vec::new());
        if let (Some(held), Some(earlier)) = (&mut held, &mut earlier) {
            joining = programs::forget_outs((&mut held.experiment, &self.experiment), earlier);
        }
        let changed = match held.as_ref().filter(|_| !self.experiment.is_race()) {
            Some(held) => self.begin_as(&held.experiment)?,
            None => None,
        };
        let (step, experiment) = next_step(held.as_ref(), &self.asked(), self.mode)?;
        if held.is_some() {
            self.take(experiment)?;
        }
        match step {
            Step::Remake(reason) => self.remake(&folder, (reason, earlier), observer),
            Step::Complete(reason) => {
                self.manifest = earlier.unwrap_or_default();
                Ok(self.complete_already(reason, observer))
            }
            Step::Begin => {
                self.start_programs(&folder, earlier.as_ref(), observer)?;
                self.draw_into(folder, earlier, interrupt, observer)
            }
            Step::Continue { is_extended, added } => {
                self.start_programs(&folder, earlier.as_ref(), observer)?;
                changed.map_or(Ok(()), |changed| self.prove(changed, observer))?;
                let extended = is_extended.then_some(EXTENDED);
                let told = extended.into_iter().map(str::to_owned).chain(joining);
                told.chain(added).for_each(|told| observer.note(&told));
                self.draw_into(folder, earlier, interrupt, observer)
            }
        }
    }

    /// Refuses a shard of a run whose cells stop each by itself: it sees its own samples alone.
    fn check_undivided(&self) -> Result<(), Failure> {
        let shard = self.plan.shard();
        if shard.is_whole() || !self.experiment.stop.stops_each_cell() {
            return Ok(());
        }
        let message = format!(
            "shard {shard} sees only its own samples, so that no cell can stop by itself (`each-cell` in \
             [stop.half-width])"
        );
        Err(Failure::usage(message).with_help(
            "run it without --shard, or leave `each-cell` out: the run then stops as a whole",
        ))
    }

    /// Opens the journal, and draws what is missing.
    fn draw_into(
        mut self,
        folder: RunFolder,
        earlier: Option<Manifest>,
        interrupt: &Interrupt,
        observer: &mut dyn Observer,
    ) -> Result<FinishedRun, Failure> {
        let (resumed, noted) = self.open(folder, earlier, observer)?;
        observer.started(&self.experiment);
        self.finish(resumed, &noted, interrupt, observer)
    }

    /// The run that the folder holds to its end.
    fn complete_already(self, reason: StopReason, observer: &mut dyn Observer) -> FinishedRun {
        let ended = Ended::Complete(reason);
        let run = FinishedRun { job: self, ended };
        let (path, name) = (run.job.folder.display(), run.job.app.name);
        observer.note(&format!(
            "{path}: already complete, with {}; nothing was changed",
            run.drawn()
        ));
        observer.note(&format!(
            "  report it: {name} report {path}; draw more: --resume --samples N; start over: --force"
        ));
        run
    }

    /// Opens the journal, and says in the folder which shard it holds before the first block is
    /// stored there: of a run that is killed there is no other witness. Returns with it the manifest that says so.
    fn open(
        &mut self,
        folder: RunFolder,
        earlier: Option<Manifest>,
        observer: &mut dyn Observer,
    ) -> Result<(ResumedRun, Manifest), Failure> {
        let resumes = self.mode == super::ResumeMode::Resume;
        self.manifest = earlier.filter(|_| resumes).unwrap_or_default();
        self.manifest.exit_reason = Ended::Running;
        let resumed = RunRecord::open(folder, &self.experiment, &self.schema(), resumes)?;
        tell_damage(&resumed, observer);
        self.tell_drawn_again(&resumed, observer);
        let folder = resumed.record.folder();
        self.consent.note(folder.path());
        let noted = self.write_manifest(folder, resumed.stored.samples(&self.plan))?;
        Ok((resumed, noted))
    }

    /// Says which of the cells that are stored are drawn again, and why.
    fn tell_drawn_again(&self, resumed: &ResumedRun, observer: &mut dyn Observer) {
        let names = resumed.drawn_again.iter();
        let names: Vec<String> = names
            .map(|&cell| self.experiment.cells[cell].name.clone())
            .collect();
        if names.is_empty() {
            return;
        }
        let (cells, are) = match names.len() as u64 {
            1 => ("1 kept cell".to_owned(), "is"),
            more => (format!("{more} kept cells"), "are"),
        };
        let names = listed(&names);
        observer.note(&format!(
            "{cells} ({names}) {are} drawn again: new differences need these samples, and no samples.csv \
             keeps them"
        ));
    }

    /// Draws the samples, brings them to disk, and writes the tables and the manifest.
    fn finish(
        mut self,
        resumed: ResumedRun,
        noted: &Manifest,
        interrupt: &Interrupt,
        observer: &mut dyn Observer,
    ) -> Result<FinishedRun, Failure> {
        let mut record = resumed.record;
        let race = self.begin_race(record.folder(), resumed.raced, interrupt, observer)?;
        let timed = race.as_ref().map(|race| Arc::clone(&race.0));
        let stored = (resumed.stored, resumed.known);
        let drawn = self.draw(&mut record, stored, timed, interrupt, observer);
        let (ended, done, mut tally) = drawn?;
        let exhibit = self.played_exhibit(&ended);
        let ended = self.end_programs(ended);
        let is_complete = ended.completed().is_some();
        let (folder, journal) = record.close(is_complete)?;
        if let Some((race, machine)) = race {
            self.end_session(&folder, (machine, &race))?;
        }
        self.manifest.exit_reason = self.recorded(&ended);
        let limits = self.limits(&journal)?;
        self.manifest.settled = self.settled(&limits, done);
        if let Ended::Aborted(samples) = ended {
            // Samples that were under way count as unresolved.
            tally.push_unresolved(&self.compiled, &limits, samples);
        }
        self.check_written(&folder, noted)?;
        if is_complete {
            self.check_stored(&folder, (&journal, done))?;
        }
        let tables = FinalTables {
            exhibit,
            ..FinalTables::of(&self)
        };
        let looks = journal.looks().map_err(|error| self.unreadable(&error))?;
        let total = tally;
        tables.write(&folder, &journal, RunTallies { total, looks }, observer)?;
        self.manifest = self.write_manifest(&folder, done)?;
        programs::warn(&self.compiled, observer);
        programs::write_transcripts(&self.compiled, self.transcripts.as_deref())?;
        Ok(FinishedRun { job: self, ended })
    }

    /// The exhibit of a run whose samples other programs draw, which end before the tables are made.
    fn played_exhibit(&self, ended: &Ended) -> Option<Vec<u8>> {
        let is_played = !matches!(ended, Ended::Aborted(_) | Ended::Fault(_));
        let exhibit = || {
            self.exhibit()
                .map_or_else(Vec::new, |exhibit| exhibit.to_json())
        };
        (self.compiled.is_external() && is_played).then(exhibit)
    }

    /// Ends the programs. A run whose programs deny at the end what they drew did not end well.
    fn end_programs(&self, ended: Ended) -> Ended {
        match (programs::close(&self.compiled, &self.consent), ended) {
            (_, ended @ (Ended::Aborted(_) | Ended::Unstored(_))) => ended,
            (Err(denial), _) => Ended::Failed(denial),
            (Ok(()), ended) => ended,
        }
    }

    /// Draws what neither the stored blocks nor the stored cells of others hold.
    fn draw(
        &self,
        record: &mut RunRecord,
        (stored, known): (StoredBlocks, Option<Arc<dyn KnownCells>>),
        race: Option<Arc<TimedRace>>,
        interrupt: &Interrupt,
        observer: &mut dyn Observer,
    ) -> Result<(Ended, u64, BlockTally), Failure> {
        let (experiment, compiled) = (&self.experiment, &self.compiled);
        let looks = experiment.stop.looks() && self.plan.shard().is_whole();
        let run = Run {
            compiled: Arc::clone(compiled),
            plan: self.plan,
            to: self.to,
            threads: self.threads,
            keep_samples: experiment.keeps_samples(),
            stored,
            known,
            looks: looks.then_some(experiment),
            race,
            interrupt,
        };
        run.execute(record, observer)
            .map_err(|error| Failure::failed(format!("the threads cannot be started: {error}")))
    }

    /// Writes the manifest of the run in `folder`, whose other files are written already, with what
    /// earlier sessions recorded and how this one ended.
    pub(super) fn write_manifest(
        &self,
        folder: &RunFolder,
        samples_done: u64,
    ) -> Result<Manifest, Failure> {
        let now = SystemTime::now();
        let wall = now.duration_since(self.began).unwrap_or_default();
        let (experiment, earlier) = (&self.experiment, &self.manifest);
        let manifest = Manifest {
            experiment: experiment.name().to_owned(),
            program: self.app.own(),
            etude_version: Application::LABORATORY.into(),
            build: build(&self.app),
            git_revision: self.app.revision.map(Into::into),
            tables_by: None,
            config_hash: experiment.digest(),
            fingerprint: experiment.fingerprint(),
            stream_scheme: STREAM_SCHEME.into(),
            host: host(),
            platform: platform(),
            threads: self.threads,
            shard: self.plan.shard(),
            noun: experiment.noun().to_owned(),
            samples_done,
            settled: earlier.settled.clone(),
            samples_planned: self.plan.shard_samples(),
            started_unix: match earlier.sessions {
                0 => unix(self.began),
                _ => earlier.started_unix,
            },
            finished_unix: unix(now),
            wall_seconds: ((earlier.wall_seconds + wall.as_secs_f64()) * 1e3).round() / 1e3,
            sessions: earlier.sessions + 1,
            exit_reason: earlier.exit_reason.clone(),
            programs: programs::records(
                (experiment, &self.compiled),
                &self.consent,
                &earlier.programs,
            ),
            program_folders: programs::folders(experiment),
            command: std::env::args().collect(),
            files: self.own_files(folder)?,
        };
        folder.write("manifest.json", &manifest.to_json())?;
        Ok(manifest)
    }

    /// The hashes of the files of the run's folder, for its manifest. Times that lie in the folder of a run are not its
    /// own, and listed they would make it one of a race.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub(super) fn own_files(
        &self,
        folder: &RunFolder,
    ) -> Result<BTreeMap<String, String>, Failure> {
        let files = fingerprint_files(folder.path());
        let mut files = files.map_err(|error| Failure::of_file(folder.path(), error))?;
        files.retain(|name, _| name != CLOCK || self.experiment.is_race());
        Ok(files)
    }

    /// The end of a run as its manifest records it: a fault with the line that replays it.
    fn recorded(&self, ended: &Ended) -> Ended {
        match ended {
            Ended::Fault(fault) => {
                let (fault, replay) = self.told(fault, "config.toml");
                Ended::Failed(format!("{fault}; {replay}"))
            }
            other => other.clone(),
        }
    }

    /// Describes a fault, and says how to see it alone with the experiment in the file `config`.
    pub(super) fn told(&self, fault: &Fault, config: &str) -> (String, String) {
        let cell = &self.experiment.cells[fault.cell].name;
        let replay = if self.experiment.is_race() {
            let sample = fault.sample.to_string();
            join([self.app.name, "bench", config, "--instance", &sample])
        } else {
            self.app.replay_line(config, cell, fault.sample)
        };
        (fault.in_cell(cell), format!("to see it alone: {replay}"))
    }
}

/// A remark on a run of a fixed number of samples that is extended.
const EXTENDED: &str = "note: you may have seen the numbers of this run, so extending it widens \
its intervals to allow for repeated looks, and metrics without limits have none; to stop as soon \
as a question is settled, use [stop.half-width] or [stop.claims]";

fn tell_damage(resumed: &ResumedRun, observer: &mut dyn Observer) {
    for damage in resumed.damage.told() {
        observer.warning(&format!(
            "{damage}; its block is run again, all other blocks are kept"
        ));
    }
    let redrawn = count(resumed.redrawn);
    if let Some(fault) = &resumed.sample_fault {
        observer.warning(&format!(
            "samples.csv: {fault}; the {redrawn} stored samples of each cell from its block on are \
             run again"
        ));
    } else if resumed.redrawn > 0 {
        observer.warning(&format!(
            "{redrawn} stored samples of each cell are run again: their lines of samples.csv are \
             lost, or their blocks are not whole: the number of samples divides them differently, or shards \
             are missing"
        ));
    }
}

/// The hash of the program's file, where its revision is not known.
fn build(app: &Application) -> Option<String> {
    if app.revision.is_some() {
        return None;
    }
    let mut hash = base::files::digest(&std::env::current_exe().ok()?).ok()?;
    hash.truncate(16);
    Some(hash)
}

#[cfg(test)]
mod tests {
    use crate::coin;
    use crate::run::Cause;
    use experiment::{Experiment, Overrides};

    use super::*;

    const PROGRAM: Application = Application {
        name: "coins",
        games: coin::GAMES,
        ..Application::LIBRARY
    };

    #[test]
    fn a_fault_is_recorded_with_the_line_that_replays_it() {
        let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 9\n\
                    [sweep]\np = [0.25, 0.5]\n";
        let experiment = Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default());
        let job = Job::of_app(&PROGRAM, experiment.unwrap()).unwrap();
        let fault = Fault {
            cell: 1,
            sample: 7,
            cause: Cause::Panic("the table broke".into()),
        };
        assert_eq!(
            job.recorded(&Ended::Fault(fault)).to_string(),
            "fault: cell 0.5, sample 7: the task panicked: the table broke; to see it alone: \
             coins replay config.toml --cell 0.5 --sample 7"
        );
    }
}
