//! One session of a run: opens its folder, draws the samples, writes the tables.

use std::sync::Arc;

use crate::run::{BlockTally, Ended, Interrupt, Observer, Run, StopReason, StoredBlocks};
use crate::store::{ClosedRun, Exit, Manifest, ResumedRun, RunFolder, RunRecord};
use crate::task::count;

use super::final_tables::FinalTables;
use super::finished::FinishedRun;
use super::session_info::exit;
use super::{Job, made_here, memory, programs};
use crate::failure::Failure;

impl Job {
    /// Makes the run or goes on with it, as the [`mode`](Self::mode) says, and writes its tables.
    ///
    /// # Errors
    /// If the run would not fit into memory, the folder holds another run, a program misbehaves, or
    /// a file cannot be written. How the run itself ended is no error here: see
    /// [`FinishedRun::verdict`].
    pub fn run(
        mut self,
        interrupt: &Interrupt,
        observer: &mut dyn Observer,
    ) -> Result<FinishedRun, Failure> {
        memory::check_fit(&self.compiled, self.threads)?;
        self.check_waves()?;
        let folder = RunFolder::open(&self.folder)?;
        let earlier = Manifest::read(&folder.file("manifest.json")).ok();
        let stored = self.stored_in(&folder);
        let extended = match &stored {
            Some(Ok(stored)) => self.go_on_from(&folder, stored),
            _ => false,
        };
        if let Some(reason) = self.decide(&folder, stored, earlier.as_ref())? {
            self.manifest = earlier.unwrap_or_default();
            return Ok(self.complete_already(reason, observer));
        }
        self.start_programs(&folder, observer)?;
        if extended {
            observer.note(EXTENDED);
        }
        let resumed = self.open(folder, earlier, observer)?;
        observer.started(&self.experiment);
        self.finish(resumed, interrupt, observer)
    }

    /// The run that the folder holds to its end.
    fn complete_already(self, reason: StopReason, observer: &mut dyn Observer) -> FinishedRun {
        let (path, name) = (self.folder.display(), self.program.name);
        let done = self.manifest.samples_done;
        let samples = count(done);
        observer.note(&format!(
            "{path}: already complete, with {samples} samples of each cell; nothing was changed"
        ));
        observer.note(&format!(
            "  report it: {name} report {path}; draw more: --resume --samples N; start over: --force"
        ));
        let ended = match reason {
            StopReason::Samples | StopReason::MaxSamples => Ended::Complete,
            reason => Ended::Settled(reason),
        };
        FinishedRun {
            job: self,
            ended,
            done,
        }
    }

    /// Opens the journal, and says in the folder which shard it holds before the first block is
    /// stored there: of a run that is killed there is no other witness.
    fn open(
        &mut self,
        folder: RunFolder,
        earlier: Option<Manifest>,
        observer: &mut dyn Observer,
    ) -> Result<ResumedRun, Failure> {
        let resumes = self.mode == super::ResumeMode::Resume;
        self.manifest = earlier.filter(|_| resumes).unwrap_or_default();
        let resume = (resumes, self.manifest.sessions + 1);
        let resumed = RunRecord::open(folder, &self.experiment, &self.schema(), resume)?;
        tell_damage(&resumed, observer);
        let folder = resumed.record.folder();
        made_here::note(folder.path(), &programs::identities(&self.experiment));
        self.write_manifest(folder, resumed.stored.samples(&self.plan), Exit::Running)?;
        Ok(resumed)
    }

    /// Draws the samples, brings them to disk, and writes the tables and the manifest.
    fn finish(
        mut self,
        resumed: ResumedRun,
        interrupt: &Interrupt,
        observer: &mut dyn Observer,
    ) -> Result<FinishedRun, Failure> {
        let mut record = resumed.record;
        let (ended, done, tally) = self.draw(&mut record, resumed.stored, interrupt, observer)?;
        let closed = record.close()?;
        let exit = exit(&ended, &self.experiment, &self.program);
        self.write_tables(&closed, &exit, (&ended, tally))?;
        programs::close(&self.experiment);
        self.manifest = self.write_manifest(&closed.folder, done, exit)?;
        programs::warn(&self.experiment, observer);
        self.write_transcripts()?;
        Ok(FinishedRun {
            job: self,
            ended,
            done,
        })
    }

    fn draw(
        &self,
        record: &mut RunRecord,
        stored: StoredBlocks,
        interrupt: &Interrupt,
        observer: &mut dyn Observer,
    ) -> Result<(Ended, u64, BlockTally), Failure> {
        let (experiment, compiled) = (&self.experiment, &self.compiled);
        let looks = experiment.stop.looks() && self.plan.shard().is_whole();
        let run = Run {
            compiled: Arc::clone(compiled),
            plan: self.plan,
            until: self.until,
            threads: self.threads,
            keep_samples: experiment.file.output.samples,
            stored,
            looks: looks.then_some(experiment),
            interrupt,
        };
        run.execute(record, observer)
            .map_err(|error| Failure::failed(format!("the threads cannot be started: {error}")))
    }

    /// Writes the tables of the stored blocks; samples that were under way when the run was stopped
    /// count as unresolved.
    fn write_tables(
        &self,
        closed: &ClosedRun,
        exit: &Exit,
        (ended, mut tally): (&Ended, BlockTally),
    ) -> Result<(), Failure> {
        if let Ended::Aborted(blocks) = ended {
            let samples = blocks.iter().map(|block| block.samples).sum();
            tally.push_unresolved(&self.compiled, samples);
        }
        let tables = FinalTables::of(self, exit)?;
        Ok(tables.write(&closed.folder, &closed.journal, tally)?)
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
    if resumed.redrawn > 0 {
        observer.warning(&format!(
            "{} stored samples of each cell are run again: their lines of samples.csv are lost, or \
             the new number of samples divides their block differently",
            resumed.redrawn
        ));
    }
}
