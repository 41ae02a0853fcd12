//! `etude run`: runs an experiment and writes its folder.

mod admission;
mod finished;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use crate::config::Experiment;
use crate::harness::{
    BlockTally, Ended, Interrupt, Laboratory, Plan, Run, Shard, StopReason, settled,
};
use crate::output::{
    Exit, FolderState, JournalSchema, Manifest, Opened, RunFolder, RunRecord, Sealed,
};
use clap::Args;

use super::closing::{self, Circumstances, Closing};
use super::experiment::{ExperimentArguments, laboratory};
use super::failure::Failure;
use super::game_verbs::parse_integer;
use super::program::Program;
use super::programs::{self, Consent};
use super::shard::{ShardChoice, shard_folder};
use super::signals::listen_for_signals;
use super::{made_here, memory, progress};
use admission::{
    Admission, Applicant, Wish, check_waves, go_on_from, tell_complete, tell_extended,
};
use finished::Finished;

/// Run an experiment on all cores and write its results
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude run experiments/curated/klondike-casino.toml
  etude run my.toml --samples 10_000 --out /tmp/try     a quick try elsewhere
  etude run my.toml --resume                            continue after an interruption
  etude run my.toml --resume --samples 1_000_000        draw more samples
  etude run my.toml --shard 2/8 --out shards/2          one of eight shards, see etude merge

The first Ctrl-C finishes the current blocks and stores everything; a second one stops immediately.
The results are the same, byte for byte, for any number of threads and any interruptions.

To resume a folder of an experiment with programs starts them, so it prints their commands first. A
folder that you did not make here needs --run-programs.")]
pub struct RunArguments {
    #[command(flatten)]
    experiment: ExperimentArguments,
    /// The folder to write [default: results/NAME, for a shard results/NAME-shards/I-of-K]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Worker threads [default: one per core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Run only shard I of K of the samples, counted from 1; auto reads the variables of Slurm,
    /// PBS, Grid Engine, LSF, HyperQueue, Kubernetes, AWS Batch and MPI, and writes DIR/I-of-K
    #[arg(long, value_name = "I/K|auto[/K]", value_parser = ShardChoice::parse)]
    shard: Option<ShardChoice>,
    /// Run only the shard's samples before N for now: one wave of a run that may stop early, after
    /// which `etude merge` checks the stop rule
    #[arg(long, value_name = "N", requires = "shard", value_parser = parse_integer)]
    until: Option<u64>,
    /// Continue the run in the folder: draw the missing samples and rebuild the tables
    #[arg(long)]
    resume: bool,
    /// A folder for transcripts of the faults of programs and players
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// Start over if the folder already holds this run; its stored samples are lost
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Show neither progress nor summary
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    consent: Consent,
}

impl RunArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let interrupt = Interrupt::new();
        let drawing = listen_for_signals(&interrupt)?;
        let session = match PreparedRun::open(program, &self)? {
            Start::Drawing(session) => session,
            Start::Complete(finished) => return finished.conclude(self.quiet),
        };
        session.announce()?;
        drawing.store(true, Ordering::SeqCst);
        silence_worker_panics();
        let finished = session.make(&interrupt)?;
        programs::warn(&finished.experiment);
        if let Some(folder) = &self.log {
            programs::write_transcripts(&finished.experiment, folder)?;
        }
        finished.conclude(self.quiet)
    }
}

impl RunArguments {
    fn wish(&self) -> Wish {
        match (self.resume, self.force) {
            (true, _) => Wish::Resume,
            (_, true) => Wish::Force,
            _ => Wish::Unsaid,
        }
    }

    /// Asks for leave to start the programs of `folder`, if the run goes on with it, and of the run
    /// folder that the experiment is read from.
    fn check_consent(&self, folder: &RunFolder, experiment: &Experiment) -> Result<(), Failure> {
        let goes_on = self.resume && *folder.state() != FolderState::Empty;
        let resumed = goes_on.then(|| folder.path().to_owned());
        let mut named = resumed.into_iter().chain(self.experiment.run_folder());
        named.try_for_each(|folder| self.consent.check(&folder, experiment))
    }

    /// Meets the programs that draw samples or play, and has them draw some twice.
    fn prepare(
        &self,
        program: &Program,
        experiment: &Experiment,
        laboratory: &Laboratory,
    ) -> Result<(), Failure> {
        let met = programs::meet(experiment);
        let rehearsed =
            met.and_then(|()| programs::rehearse(program, experiment, laboratory, self.quiet));
        if let (Err(_), Some(folder)) = (&rehearsed, &self.log) {
            programs::write_transcripts(experiment, folder)?;
        }
        rehearsed
    }

    fn shard(&self) -> Result<Shard, Failure> {
        let environment = |name: &str| std::env::var(name).ok();
        let choice = self.shard.unwrap_or(ShardChoice::Fixed(Shard::WHOLE));
        choice.resolve(&environment).map_err(|message| {
            Failure::usage(message).with_help("--shard I/K runs shard I of K, counted from 1")
        })
    }

    /// Reads the experiment; to resume a run, with the metrics of its journal.
    fn load(&self, program: &Program, shard: Shard) -> Result<Experiment, Failure> {
        let experiment = self.experiment.load(program)?;
        let journal = self.folder(&experiment, shard).join("blocks.csv");
        match JournalSchema::metrics_of(&journal).filter(|_| self.resume) {
            Some(stored) if stored.len() < experiment.task.metrics.len() => {
                self.experiment.load_with(program, Some(stored))
            }
            _ => Ok(experiment),
        }
    }

    /// Returns the folder of the run. Tasks of an array have one command line, so each has its own
    /// folder.
    fn folder(&self, experiment: &Experiment, shard: Shard) -> PathBuf {
        let results = Path::new("results");
        match (&self.out, self.shard) {
            (Some(out), Some(ShardChoice::Scheduled(_))) => out.join(shard_folder(shard)),
            (Some(out), _) => out.clone(),
            (None, None) => results.join(&experiment.name),
            (None, Some(_)) => results
                .join(format!("{}-shards", experiment.name))
                .join(shard_folder(shard)),
        }
    }
}

/// The start of a run: drawing, or nothing to draw.
enum Start {
    Drawing(Box<PreparedRun>),
    Complete(Box<Finished>),
}

/// A run about to be made.
struct PreparedRun {
    setting: RunSetting,
    opened: Opened,
}

/// The parts of a run that do not depend on the contents of its folder.
struct RunSetting {
    program: Program,
    experiment: Experiment,
    laboratory: Arc<Laboratory>,
    plan: Plan,
    until: Option<u64>,
    threads: usize,
    earlier: Option<Manifest>,
    quiet: bool,
    began: SystemTime,
}

/// Samples drawn and stored.
struct Drawn {
    sealed: Sealed,
    ended: Ended,
    done: u64,
    tally: BlockTally,
}

impl PreparedRun {
    fn open(program: &Program, arguments: &RunArguments) -> Result<Start, Failure> {
        let mut setting = RunSetting::of(program, arguments)?;
        let path = arguments.folder(&setting.experiment, setting.plan.shard());
        let folder = RunFolder::open(&path)?;
        setting.earlier = Manifest::read(&folder.file("manifest.json")).ok();
        let extended = go_on_from(program, &folder, &mut setting.experiment);
        let wish = arguments.wish();
        if let Admission::AlreadyComplete(reason) = setting.apply(wish, &folder)? {
            return Ok(Start::Complete(Box::new(setting.complete(&folder, reason))));
        }
        arguments.check_consent(&folder, &setting.experiment)?;
        arguments.prepare(program, &setting.experiment, &setting.laboratory)?;
        if extended {
            tell_extended();
        }
        setting.earlier = setting.earlier.filter(|_| arguments.resume);
        let opened = setting.open(folder, arguments.resume)?;
        tell_damage(&opened);
        Ok(Start::Drawing(Box::new(Self { setting, opened })))
    }

    /// Says in the folder which shard it holds before the first block is stored there: of a run
    /// that is killed there is no other witness.
    fn announce(&self) -> Result<(), Failure> {
        let done = self.opened.stored.samples(&self.setting.plan);
        let folder = self.opened.record.folder();
        made_here::note(
            folder.path(),
            &programs::identities(&self.setting.experiment),
        );
        self.setting.write_manifest(folder, done, Exit::Running)
    }

    fn make(self, interrupt: &Interrupt) -> Result<Finished, Failure> {
        let drawn = self.setting.draw(self.opened, interrupt)?;
        self.setting.close(drawn)
    }
}

impl RunSetting {
    /// Reads the setting from the command line, and checks that this machine can hold it.
    fn of(program: &Program, arguments: &RunArguments) -> Result<Self, Failure> {
        let began = SystemTime::now();
        let shard = arguments.shard()?;
        let experiment = arguments.load(program, shard)?;
        let laboratory = laboratory(&experiment)?;
        let threads = threads(arguments.threads);
        memory::check_fit(&laboratory, threads)?;
        check_waves(&experiment, shard, arguments.until)?;
        Ok(Self {
            program: *program,
            until: arguments.until,
            threads,
            earlier: None,
            quiet: arguments.quiet,
            plan: Plan::of(&experiment).with_shard(shard),
            experiment,
            laboratory,
            began,
        })
    }

    /// Returns whether the folder may take the run.
    fn apply(&self, wish: Wish, folder: &RunFolder) -> Result<Admission, Failure> {
        let applicant = Applicant {
            program: &self.program,
            experiment: &self.experiment,
            laboratory: &self.laboratory,
            plan: &self.plan,
            wish,
        };
        applicant.check(folder, self.earlier.as_ref())
    }

    /// The run that the folder holds to its end already.
    fn complete(self, folder: &RunFolder, reason: StopReason) -> Finished {
        let program = &self.program;
        let done = self.earlier.map_or(0, |manifest| manifest.samples_done);
        tell_complete(program, folder, done);
        let ended = (closing::ended(reason), done);
        Finished::of((program, folder), self.experiment, &self.plan, ended)
    }

    fn open(&self, folder: RunFolder, resume: bool) -> Result<Opened, Failure> {
        let Self {
            experiment,
            laboratory,
            plan,
            ..
        } = self;
        let session = self
            .earlier
            .as_ref()
            .map_or(1, |earlier| earlier.sessions + 1);
        let resume = (resume, session);
        Ok(RunRecord::open(
            folder, experiment, laboratory, plan, resume,
        )?)
    }

    /// Draws the samples and brings the journal to disk.
    fn draw(&self, opened: Opened, interrupt: &Interrupt) -> Result<Drawn, Failure> {
        let Self {
            experiment,
            laboratory,
            plan,
            ..
        } = self;
        let mut record = opened.record;
        let mut display = progress::display(self.quiet, experiment);
        let question = |tally: &BlockTally| settled(experiment, laboratory, tally);
        let run = Run {
            laboratory: Arc::clone(laboratory),
            plan: *plan,
            until: self.until,
            threads: self.threads,
            keep_samples: experiment.keep_samples,
            stored: opened.stored,
            settled: (experiment.stop.looks() && plan.shard().is_whole()).then_some(&question),
            interrupt,
        };
        let (ended, done, tally) = run
            .execute(&mut record, display.as_mut())
            .map_err(|error| Failure::failed(format!("the threads cannot be started: {error}")))?;
        Ok(Drawn {
            sealed: record.seal(laboratory, plan)?,
            ended,
            done,
            tally,
        })
    }

    /// Writes the tables and the manifest.
    fn close(self, drawn: Drawn) -> Result<Finished, Failure> {
        let mut tally = drawn.tally;
        if let Ended::Aborted(blocks) = &drawn.ended {
            let samples = blocks.iter().map(|block| block.samples).sum();
            tally.push_unresolved(&self.laboratory, samples);
        }
        let exit = closing::exit(&drawn.ended, &self.experiment, &self.program);
        let folder = &drawn.sealed.folder;
        let closing = Closing {
            experiment: &self.experiment,
            laboratory: &self.laboratory,
            plan: &self.plan,
            exit: &exit,
            exhibit: None,
            samples: closing::kept_samples(folder.path(), &self.experiment, &self.laboratory)?,
        };
        closing.write(folder, &drawn.sealed.journal, tally)?;
        programs::close(&self.experiment);
        self.write_manifest(folder, drawn.done, exit)?;
        let run = (&self.program, folder);
        let end = (drawn.ended, drawn.done);
        Ok(Finished::of(run, self.experiment, &self.plan, end))
    }

    fn write_manifest(
        &self,
        folder: &RunFolder,
        samples_done: u64,
        exit: Exit,
    ) -> Result<(), Failure> {
        let circumstances = Circumstances {
            program: self.program,
            earlier: self.earlier.clone(),
            began: self.began,
            threads: self.threads,
            shard: self.plan.shard(),
            samples_done,
            samples_planned: self.plan.shard_samples(),
            exit,
        };
        let manifest = circumstances.manifest(&self.experiment, folder.path());
        Ok(folder.write("manifest.json", &manifest.to_json())?)
    }
}

/// A worker's panic is caught, recorded and reported once, with the sample it happened in.
fn silence_worker_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let worker = std::thread::current()
            .name()
            .is_some_and(|name| name.starts_with("worker-"));
        if !worker {
            usual(info);
        }
    }));
}

fn tell_damage(opened: &Opened) {
    for damage in opened.damage.told() {
        warning!("{damage}; its block is run again, all other blocks are kept");
    }
    if opened.redrawn > 0 {
        let samples = opened.redrawn;
        warning!(
            "{samples} stored samples of each cell are run again: their lines of \
             samples.csv are lost, or the new number of samples divides their block differently"
        );
    }
}

fn threads(asked: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(cores, usize::from)
}
