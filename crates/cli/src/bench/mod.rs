//! `etude bench`: which contender is faster, and by how much.

mod folders;
mod typed;

pub(crate) use folders::{plan, read};

use std::iter;
use std::path::{Path, PathBuf};

use ::report::speed_text;
use base::words::join;
use base::words::split;
use base::{counted, parse_integer};
use clap::Args;
use experiment::{BEFORE, ContenderTable, Experiment, NEW, Overrides, RatioRelation, Source};
use figures::duration;
use lab::job::{FinishedRun, Job, ResumeMode};
use lab::run::{Answered, Cause, ContenderAnswer, Ended, Interrupt};
use stats::ClaimVerdict;
use task::TimingState;
use task::outside::in_short;
use typed::TypedRace;

use super::Application;
use super::experiment_arguments::{ExperimentArguments, Leave};
use super::failure::Failure;
use super::progress::Display;
use super::signals::listen_for_signals;
use super::table::{Format, Printed, write_stdout};
use super::terminal;

/// Race contenders on the same instances: which is faster, and by how much
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude bench experiments/bench/klondike-speed.toml
  etude bench my.toml --samples 200 --out /tmp/try
  etude bench my.toml --against ../old/etude            this build and an older one
  etude bench my.toml --against ../old/etude --fail-if 'ratio(new, before).median > 1.03'
  etude bench my.toml --instance 17                     one instance, all answers
  etude bench './a {k}' './b {k}' --sweep k=10,20,40    programs, without a file

All contenders answer the same random instances, one after another in an order drawn from the
seed and then in reverse, and with them a second copy of the first one as a control. All are
started anew ten times. Contenders are the cells of a sweep and the tables [contenders.NAME]; a
program that is not there is left out.

The exit code is 1 where answers differ or --fail-if holds, 3 where [stop.ratio] is not met
after all instances, and 75 after Ctrl-C, which stores what was measured: --resume goes on.")]
pub(crate) struct BenchArguments {
    #[command(flatten)]
    experiment: ExperimentArguments,
    #[command(flatten)]
    typed: TypedRace,
    /// The folder to write [default: results/NAME-bench]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Another program to race against, such as an older build: the contender `before`
    #[arg(long, value_name = "PROGRAM")]
    against: Option<String>,
    /// Exit with 1 if this is found to hold, such as 'ratio(new, before).median > 1.03'
    #[arg(long, value_name = "CLAIM")]
    fail_if: Option<String>,
    /// Instances measured side by side; more than one disturb each other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Continue the benchmark in the folder
    #[arg(long)]
    resume: bool,
    /// Start over if the folder already holds a benchmark
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Answer this instance alone, show all answers, and write nothing
    #[arg(long, value_name = "I", value_parser = parse_integer)]
    instance: Option<u64>,
    /// Show neither progress nor summary
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    leave: Leave,
}

impl BenchArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        if self.typed.is_typed() {
            let typed = self.typed.experiment(&self.experiment.file)?;
            if self.typed.write(&typed.text)? {
                return Ok(());
            }
        }
        let mut job = self.job(app)?;
        let condition = self.condition(&job.experiment)?;
        if let Some(instance) = self.instance {
            return self.answer(&mut job, instance);
        }
        let interrupt = Interrupt::new();
        let drawing = listen_for_signals(&interrupt)?;
        let finished = job.run(&interrupt, &mut Display::of_run(self.quiet, drawing))?;
        self.show(app, &finished, condition.as_ref())?;
        self.conclude(&finished, condition.as_ref())
    }

    fn job(&self, app: &Application) -> Result<Job, Failure> {
        let overrides = Overrides {
            is_raced: true,
            is_against: self.against.is_some(),
            ..Overrides::default()
        };
        let mut experiment = self.read(app, overrides)?;
        if let Some(against) = &self.against {
            add_before(&mut experiment, against)?;
        }
        let mut race = experiment.into_race()?;
        if let Some(against) = &self.against {
            check_before(&race, against)?;
        }
        for name in race.leave_out_missing()? {
            warning!("`{name}` is left out: its program is not there");
        }
        let mut job = Job::of_app(app, race)?;
        let stored = job.experiment.source.folder().filter(|_| self.resume);
        job.folder = match (&self.out, stored) {
            (Some(out), _) => out.clone(),
            (None, Some(stored)) => stored.to_owned(),
            (None, None) => Path::new("results").join(format!("{}-bench", job.experiment.name())),
        };
        job.threads = self.threads.into();
        job.mode = ResumeMode::of(self.resume, self.force);
        job.starts_programs = self.leave.run_programs;
        Ok(job)
    }

    /// The experiment of the file, or of the programs that stand in its place.
    fn read(&self, app: &Application, overrides: Overrides) -> Result<Experiment, Failure> {
        if !self.typed.is_typed() {
            TypedRace::check_file(&self.experiment.file)?;
            return self.experiment.load(app, overrides);
        }
        let typed = self.typed.experiment(&self.experiment.file)?;
        let source = Source::from(&*format!("{}.toml", typed.name));
        let overrides = self.experiment.overrides(overrides);
        let experiment = Experiment::parse(&typed.text, source, app.games, &overrides);
        // There is no file to show the place of a fault in.
        experiment.map_err(|error| {
            let fault = error.problem();
            Failure::usage(&fault.message).with_help(fault.help.clone().unwrap_or_default())
        })
    }

    /// The relation that is a failure if it holds.
    fn condition(&self, race: &Experiment) -> Result<Option<RatioRelation>, Failure> {
        let Some(text) = &self.fail_if else {
            return Ok(None);
        };
        let relation = RatioRelation::read(text)
            .map_err(|error| Failure::usage(error).with_help(RatioRelation::FORM))?;
        race.sides(&relation)?;
        Ok(Some(relation))
    }

    /// The failure of answers to an instance that differ.
    fn differing(&self, told: &str, instance: u64) -> Failure {
        let again = self.again(instance);
        Failure::failed(told).with_help(format!(
            "{again}; if they need not agree, name those that must under `[bench] answers`"
        ))
    }

    /// The advice to look at an instance alone.
    fn again(&self, instance: u64) -> String {
        let instance = instance.to_string();
        let seed = self.experiment.seed.map(|seed| seed.to_string());
        let typed = self.typed.words();
        let seed = seed.iter().flat_map(|seed| ["--seed", seed]);
        let against = self.against.iter();
        let against = against.flat_map(|against| ["--against", against]);
        let line = ["etude", "bench", &self.experiment.file].into_iter();
        let line = line.chain(typed.iter().map(String::as_str));
        let line = line.chain(seed).chain(against);
        let line = line.chain(["--instance", &instance]);
        let again = format!("to see it again: {}", join(line));
        if self.typed.asks_for_numbers() {
            return again
                + "; where the last line is no number, --answer status compares exit statuses alone; for \
                   numbers beyond nine trillion, --init FILE writes a file to set `decimals = 0` in";
        }
        again
    }

    /// Answers one instance and shows the answers of all contenders.
    ///
    /// # Errors
    /// If two answers differ, or a contender failed.
    fn answer(&self, job: &mut Job, instance: u64) -> Result<(), Failure> {
        let Answered {
            metrics,
            answers,
            difference,
        } = job.answer(instance, &mut Display::default())?;
        answer_table(&metrics, &answers).print_lines(Format::Text)?;
        if let Some(told) = difference {
            return Err(self.differing(&told, instance));
        }
        let failed = answers
            .iter()
            .filter(|one| one.state == TimingState::Failed);
        match failed.count() {
            0 => Ok(()),
            failed => Err(Failure::failed(format!(
                "{failed} of {} contenders failed",
                answers.len()
            ))),
        }
    }

    /// Shows what was found, about the pair that was asked for.
    fn show(
        &self,
        app: &Application,
        finished: &FinishedRun,
        condition: Option<&RatioRelation>,
    ) -> Result<(), Failure> {
        let (folder, raced) = (&finished.job.folder, finished.job.manifest.samples_done);
        if self.quiet || raced == 0 || matches!(finished.ended, Ended::Fault(_)) {
            return Ok(());
        }
        let mut results = read(app, folder)?;
        let condition = condition.map(|relation| [&*relation.first, &*relation.second]);
        let builds = self.against.as_ref().map(|_| [NEW, BEFORE]);
        if let Some(pair) = condition.or(builds) {
            results.ask(pair);
        }
        write_stdout(results.to_text(terminal::width()).as_bytes())?;
        let (path, raced) = (folder.display(), counted(raced, "instance"));
        note!("{path}: {raced}");
        Ok(())
    }

    /// Ends as the race did.
    fn conclude(
        &self,
        finished: &FinishedRun,
        condition: Option<&RatioRelation>,
    ) -> Result<(), Failure> {
        if let Ended::Fault(fault) = &finished.ended {
            let told = fault.in_cell(&finished.job.experiment.cells[fault.cell].name);
            return Err(match fault.cause {
                Cause::Race(_) => self.differing(&told, fault.sample),
                _ => Failure::failed(told).with_help(self.again(fault.sample)),
            });
        }
        if let (Some(relation), true) = (condition, finished.is_complete()) {
            self.check(&finished.job, relation)?;
        }
        finished.verdict().map(drop)
    }

    /// Fails if the relation is found to hold.
    fn check(&self, job: &Job, relation: &RatioRelation) -> Result<(), Failure> {
        let text = self.fail_if.as_deref().unwrap_or_default();
        let costs = job.costs()?;
        let decided = job.comparison(&costs, &job.machine()?).decide(&[relation]);
        let Some((verdict, level, ratio)) = decided.into_iter().next() else {
            return Ok(());
        };
        let figures = format!("{} (level {level})", speed_text(&ratio));
        match verdict {
            ClaimVerdict::Supported => {
                return Err(Failure::failed(format!("it holds that {text}: {figures}")));
            }
            ClaimVerdict::Refuted => note!("it does not hold that {text}: {figures}"),
            _ => note!("it is not found that {text}: {figures}"),
        }
        Ok(())
    }
}

/// The answers to one instance, with their times, a row for each contender.
fn answer_table(metrics: &[String], answers: &[ContenderAnswer]) -> Printed {
    let mut table = Printed::default();
    for answer in answers {
        let times = [
            ("processor", answer.spent.user + answer.spent.system),
            ("wall", answer.spent.wall),
        ];
        let times = times.map(|(clock, seconds)| (clock, duration(seconds).into()));
        let values = metrics.iter().zip(&answer.values);
        let values = values.map(|(name, value)| (name.as_str(), value.as_str().into()));
        let remark = answer.trouble.as_deref().map_or_else(String::new, in_short);
        let ends = [
            ("state", answer.state.as_ref().into()),
            ("remark", remark.into()),
        ];
        let name = ("contender", answer.contender.as_str().into());
        let all = iter::once(name).chain(values).chain(times).chain(ends);
        table.push_named(all);
    }
    table
}

/// Adds `before`, and for a built-in task `new`: this build over the protocol, so that both pay for it
/// alike.
fn add_before(experiment: &mut Experiment, against: &str) -> Result<(), Failure> {
    let is_command = experiment.command.is_some();
    let before = argv(against, is_command)?;
    let contenders = &mut experiment.file.contenders;
    for name in [NEW, BEFORE] {
        contenders.shift_remove(name);
    }
    if !is_command {
        let own = std::env::current_exe().map_err(Failure::failed)?;
        let own = vec![own.to_string_lossy().into_owned(), "worker".to_owned()];
        contenders.insert(NEW.to_owned(), ContenderTable::running(own));
    }
    contenders.insert(BEFORE.to_owned(), ContenderTable::running(before));
    Ok(())
}

/// Refuses `--against` a program that is not there: others are left out, but this one is asked for.
fn check_before(race: &Experiment, against: &str) -> Result<(), Failure> {
    let before = race.find_contender(BEFORE).ok();
    let program = before.and_then(|at| race.cells[at].program());
    let located = program.map_or(Ok(()), |declared| declared.program.locate().map(drop));
    located.map_err(|_| {
        Failure::usage(format!("there is no program `{against}`"))
            .with_help("give the path of another build: --against ../old/etude")
    })
}

/// The words of another program, whose path is one from here. A word alone is a build of etude.
fn argv(against: &str, is_command: bool) -> Result<Vec<String>, Failure> {
    // A path may have spaces; other words follow a program.
    let is_path = Path::new(against).is_file();
    let mut argv = if is_path {
        vec![against.to_owned()]
    } else {
        split(against)
    };
    let Some(first) = argv.first_mut() else {
        return Err(Failure::usage("--against names no program")
            .with_help("give the path of another build: --against ../old/etude"));
    };
    if is_path && first.contains(' ') || first.contains('/') {
        let path = std::path::absolute(&*first).map_err(Failure::usage)?;
        *first = path.to_string_lossy().into_owned();
    }
    if argv.len() == 1 && !is_command {
        argv.push("worker".to_owned());
    }
    Ok(argv)
}
