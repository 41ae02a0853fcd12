//! `etude run`: runs an experiment and writes its folder.

use std::path::{Path, PathBuf};

use ::report::Results;
use base::parse_integer;
use clap::Args;
use experiment::{Experiment, Overrides};
use lab::job::{FinishedRun, Job, ResumeMode};
use lab::run::{Interrupt, Shard};

use super::Application;
use super::experiment_arguments::{ExperimentArguments, Leave};
use super::failure::Failure;
use super::progress::Display;
use super::report;
use super::shard::ShardChoice;
use super::signals::listen_for_signals;

/// Run an experiment on all cores and write its results
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude run experiments/curated/klondike-casino.toml
  etude run my.toml --samples 10_000 --out /tmp/try     a quick try elsewhere
  etude run my.toml --resume                            continue, also with other swept values or players
  etude run my.toml --resume --samples 1_000_000        draw more samples
  etude run my.toml --set params.strategy=greedy        with another value of a key
  etude run my.toml --shard 2/8 --out shards/2          one of eight shards, see etude merge

The first Ctrl-C finishes the current blocks and stores everything; a second one stops immediately. \
The results are the same, byte for byte, for any number of threads and any interruptions.

If the experiment uses programs, resuming prints their commands and starts them. A \
folder that you did not make here needs --run-programs.")]
pub(crate) struct RunArguments {
    #[command(flatten)]
    experiment: ExperimentArguments,
    /// The folder to write [default: results/NAME, for a shard results/NAME-shards/I-of-K]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Worker threads [default: one per core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Run only shard I of K of the samples, counted from 1, such as 2/8; `auto` takes it from a scheduler's
    /// variables, where `auto/8` or `auto/0-7` says what they leave open
    #[arg(long, value_name = "I/K")]
    shard: Option<ShardChoice>,
    /// Of the shard, only the samples from number N on: others hold those before
    #[arg(long, value_name = "N", requires = "shard", value_parser = parse_integer)]
    from: Option<u64>,
    /// Of the shard, for now only the samples before number N
    #[arg(long, value_name = "N", requires = "shard", value_parser = parse_integer)]
    to: Option<u64>,
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
    /// Show all tables and metrics at the end, not only those that answer the question
    #[arg(long, conflicts_with = "quiet")]
    all: bool,
    #[command(flatten)]
    leave: Leave,
}

impl RunArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        let interrupt = Interrupt::new();
        let drawing = listen_for_signals(&interrupt)?;
        let job = self.job(app)?;
        silence_worker_panics();
        let finished = job.run(&interrupt, &mut Display::of_run(self.quiet, drawing))?;
        self.conclude(app, &finished)
    }

    fn job(&self, app: &Application) -> Result<Job, Failure> {
        let shard = self.shard()?;
        let experiment = self.load(app)?;
        let folder = self.folder(&experiment, shard);
        let mut job = Job::of_app(app, experiment)?.in_folder(folder);
        job.plan = job.plan.with_shard(shard);
        job.to = self.to.unwrap_or(job.to);
        job.threads = self.threads.map_or(job.threads, usize::from);
        job.mode = ResumeMode::of(self.resume, self.force);
        job.starts_programs = self.leave.run_programs;
        job.transcripts.clone_from(&self.log);
        Ok(job)
    }

    /// The shard; says where it comes from unless it was given.
    fn shard(&self) -> Result<Shard, Failure> {
        let Some(choice) = &self.shard else {
            return Ok(Shard::WHOLE);
        };
        let (shard, told) = choice.shard(&|name| std::env::var(name).ok())?;
        if let Some(told) = told {
            note!("{told}");
        }
        Ok(shard.with_first(self.from.unwrap_or_default()))
    }

    /// Shows the tables of a run that is complete, and says how to go on with any other.
    fn conclude(&self, app: &Application, finished: &FinishedRun) -> Result<(), Failure> {
        let folder = &finished.job.folder;
        match (finished.is_complete(), self.quiet) {
            (true, false) => {
                report::print(app, folder, self.all)?;
                report::tell_next(app, folder);
            }
            (true, true) => {
                let results = Results::read(folder)?;
                report::warn(results.warnings());
                report::warn_of_cautions(&results);
            }
            (false, _) => {}
        }
        if let Some(remark) = finished.verdict()? {
            note!("{remark}");
        }
        Ok(())
    }

    /// Reads the experiment.
    fn load(&self, app: &Application) -> Result<Experiment, Failure> {
        let experiment = self.experiment.load(app, Overrides::default())?;
        if experiment.file.is_only_benchmark() {
            let message = "this file describes a benchmark: its contenders race";
            let help = "type `etude bench` instead of `etude run`";
            return Err(Failure::usage(message).with_help(help));
        }
        Ok(experiment)
    }

    /// Returns the folder of the run: that of `--out`, that in which a run to go on with is stored, or one below
    /// `results`.
    fn folder(&self, experiment: &Experiment, shard: Shard) -> PathBuf {
        let (results, name) = (Path::new("results"), experiment.name());
        let stored = experiment.source.folder().filter(|_| self.resume);
        match (&self.out, stored, &self.shard) {
            (Some(out), ..) => out.clone(),
            (None, Some(stored), _) => stored.to_owned(),
            (None, None, None) => results.join(name),
            (None, None, Some(_)) => {
                let own = format!("{}-of-{}", shard.index() + 1, shard.count());
                results.join(format!("{name}-shards")).join(own)
            }
        }
    }
}

/// A worker's panic is caught, recorded and reported once, with the sample it happened in.
fn silence_worker_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let thread = std::thread::current();
        if !thread
            .name()
            .is_some_and(|name| name.starts_with("worker-"))
        {
            usual(info);
        }
    }));
}
