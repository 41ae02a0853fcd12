//! `etude bench`: which contender is faster, and by how much.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime};

use crate::bench::{
    BenchFolder, BenchJournal, BenchManifest, BenchProgram, BenchResults, BenchSession, CLAIMS,
    Comparison, Contradiction, GROWTH, MACHINE, MANIFEST, MachineFacts, RaceCosts, RaceCourse,
    RaceEvent, Raced, RunRow, SPEED, Setting, SpeedRow, Statistic, drive, faults, grain, load,
    to_csv,
};
use crate::experiment::{
    Contender, ContenderKind, ContenderProgram, Experiment, Overrides, RatioRelation, RatioTable,
    program_folders,
};
use crate::job::read_experiment;
use crate::job::shell::command_line;
use crate::programs::declaration::words;
use crate::report::count;
use crate::run::{Interrupt, Urgency};
use crate::stats::{ClaimVerdict, Confidence, Looks};
use crate::store::STREAM_SCHEME;
use crate::task::{TableCell, parse_integer};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::failure::Failure;

use super::Program;
use super::progress::Remarks;
use super::signals::listen_for_signals;
use super::table::{Format, Printed, write_stdout};
use super::terminal;

/// BenchRace contenders on the same instances: which is faster, and by how much
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude bench experiments/curated/klondike-speed.toml
  etude bench my.toml --samples 200 --out /tmp/try
  etude bench my.toml --against ../old/etude            this build and an older one
  etude bench my.toml --against ../old/etude --fail-if 'ratio(new, before).median > 1.03'
  etude bench my.toml --instance 17                     one instance, all answers

All contenders answer the same random instances, one after another in an order drawn from the seed and
then in reverse, the first one twice as a control. Answers that differ end it with exit code 1.")]
pub struct BenchArguments {
    /// The experiment file (TOML), or the name of a built-in experiment
    #[arg(value_name = "EXPERIMENT")]
    file: String,
    /// The folder to write [default: results/NAME-bench]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Instances (overrides the file)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_integer)]
    samples: Option<u64>,
    /// The seed (overrides the file)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_integer)]
    seed: Option<u64>,
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
}

impl BenchArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let mut experiment = self.experiment(program)?;
        leave_out(&mut experiment)?;
        let setting = Setting::of(&experiment).map_err(Failure::usage)?;
        let condition = self.condition(&setting)?;
        if let Some(instance) = self.instance {
            return self.answer(&setting, instance);
        }
        let default = || Path::new("results").join(format!("{}-bench", experiment.file.name));
        let folder = BenchFolder::at(&self.out.clone().unwrap_or_else(default));
        let mut session = BenchRun::open(program, &self, &setting, folder)?;
        let ended = if session.is_complete {
            note!(
                "{}: this benchmark is complete",
                session.folder.path.display()
            );
            RaceEnd::Complete
        } else {
            session.race(&self)?
        };
        session.conclude(&self, ended, condition.as_ref())
    }

    /// The experiment with what the command line adds.
    fn experiment(&self, program: &Program) -> Result<Experiment, Failure> {
        let overrides = Overrides {
            samples: self.samples,
            seed: self.seed,
            metrics: None,
        };
        let mut experiment = read_experiment(program, &self.file, &overrides, &mut Remarks)?;
        let benchmark = &mut experiment.benchmark;
        benchmark.samples = self.samples.or(benchmark.samples);
        // A resolved file of any experiment is one of a benchmark.
        benchmark.bench.equal.get_or_insert(0.03);
        if let (Some(stop), Some(samples)) = (&mut benchmark.stop, self.samples) {
            stop.max_samples = samples;
        }
        if let Some(against) = &self.against {
            self.add_before(&mut experiment, against)?;
        }
        Ok(experiment)
    }

    /// Adds `before`, and for a built-in task `new`: this build over the protocol, so that both pay for it
    /// alike.
    fn add_before(&self, experiment: &mut Experiment, against: &str) -> Result<(), Failure> {
        let before = self.argv(against, experiment.command.is_some())?;
        let mut added = vec![("before", before)];
        if experiment.command.is_none() {
            let own = std::env::current_exe().map_err(Failure::failed)?;
            added.insert(
                0,
                (
                    "new",
                    vec![own.to_string_lossy().into_owned(), "worker".to_owned()],
                ),
            );
        }
        let contenders = &mut experiment.benchmark.contenders;
        contenders.retain(|contender| added.iter().all(|(name, _)| contender.name != *name));
        contenders.extend(added.into_iter().map(|(name, argv)| Contender {
            name: name.to_owned(),
            kind: ContenderKind::Program(ContenderProgram {
                argv,
                ..ContenderProgram::default()
            }),
        }));
        Ok(())
    }

    /// The words of another program, whose path is one from here. A word alone is a build of etude.
    fn argv(&self, against: &str, is_command: bool) -> Result<Vec<String>, Failure> {
        let mut argv = words(against);
        let Some(first) = argv.first_mut() else {
            return Err(Failure::usage("--against names no program"));
        };
        if first.contains('/') {
            let path = std::path::absolute(&*first).map_err(Failure::usage)?;
            *first = path.to_string_lossy().into_owned();
        }
        if argv.len() == 1 && !is_command {
            argv.push("worker".to_owned());
        }
        Ok(argv)
    }

    /// The relation that is a failure if it holds.
    fn condition(&self, setting: &Setting) -> Result<Option<RatioRelation>, Failure> {
        let Some(text) = &self.fail_if else {
            return Ok(None);
        };
        let relation = RatioRelation::read(text).map_err(Failure::usage)?;
        setting.sides(&relation).map_err(Failure::usage)?;
        Ok(Some(relation))
    }

    /// The command that shows one instance again.
    fn again(&self, instance: u64) -> String {
        let (instance, seed) = (instance.to_string(), self.seed.map(|seed| seed.to_string()));
        let mut line = vec!["etude", "bench", self.file.as_str()];
        line.extend(seed.iter().flat_map(|seed| ["--seed", seed]));
        line.extend(
            self.against
                .iter()
                .flat_map(|against| ["--against", against]),
        );
        line.extend(["--instance", &instance]);
        command_line(line)
    }

    fn differing(&self, found: &Contradiction) -> Failure {
        let Contradiction {
            instance,
            metric,
            first,
            second,
        } = found;
        Failure::failed(format!(
            "the answers to instance {instance} differ: `{metric}` is {} by `{}` and {} by `{}`",
            first.1, first.0, second.1, second.0
        ))
        .with_help(format!(
            "to see it again: {}; if they need not agree, name those that must under `[bench] answers`",
            self.again(*instance)
        ))
    }

    /// Answers one instance and shows what every contender says.
    fn answer(&self, setting: &Setting, instance: u64) -> Result<(), Failure> {
        let mut seen = Raced::default();
        let course = RaceCourse {
            first: instance,
            end: instance + 1,
            rounds: Some(1),
            threads: 1,
        };
        let mut keep = |event: RaceEvent| {
            if let RaceEvent::Instance(_, measured) = event {
                seen = measured;
            }
            true
        };
        drive(setting, course, &mut keep).map_err(Failure::failed)?;
        let mut text = String::new();
        for row in crate::bench::answer_rows(setting, instance, &seen) {
            text.push_str(&format!(
                "{}  {}  {}\n",
                row.contender, row.metric, row.value
            ));
        }
        for (contender, trouble) in &seen.troubles {
            text.push_str(&format!(
                "{}  {trouble}\n",
                setting.contenders[*contender].name
            ));
        }
        write_stdout(text.as_bytes())?;
        seen.difference
            .map_or(Ok(()), |found| Err(self.differing(&found)))
    }
}

/// Leaves out the contenders whose programs are not there, with the claims about them.
fn leave_out(experiment: &mut Experiment) -> Result<(), Failure> {
    let setting = Setting::of(experiment).map_err(Failure::usage)?;
    let missing = setting
        .contenders
        .iter()
        .filter(|contender| !setting.has_program(contender));
    let missing: Vec<String> = missing.map(|contender| contender.name.clone()).collect();
    let asked = experiment
        .benchmark
        .stop
        .iter()
        .flat_map(|stop| [&stop.first, &stop.second]);
    if let Some(name) = asked.into_iter().find(|name| missing.contains(name)) {
        return Err(Failure::usage(format!(
            "the program of `{name}`, which [stop.ratio] asks for, is not there"
        )));
    }
    for name in &missing {
        warning!("`{name}` is left out: its program is not there");
    }
    let benchmark = &mut experiment.benchmark;
    benchmark
        .contenders
        .retain(|contender| !missing.contains(&contender.name));
    let is_left = |name: &String| !missing.contains(name);
    benchmark
        .claims
        .retain(|claim| is_left(&claim.relation.first) && is_left(&claim.relation.second));
    Ok(())
}

/// The end of a benchmark.
enum RaceEnd {
    Complete,
    Capped,
    Interrupted,
    Differing(Contradiction),
}

/// A benchmark under way.
struct BenchRun<'a> {
    setting: &'a Setting<'a>,
    folder: BenchFolder,
    manifest: BenchManifest,
    machine: MachineFacts,
    runs: Vec<RunRow>,
    costs: RaceCosts,
    is_complete: bool,
    began: Instant,
}

impl<'a> BenchRun<'a> {
    fn open(
        program: &Program,
        arguments: &BenchArguments,
        setting: &'a Setting<'a>,
        folder: BenchFolder,
    ) -> Result<Self, Failure> {
        let earlier: Option<BenchManifest> = folder.json(MANIFEST).ok().filter(|_| folder.is_one());
        let mut session = Self {
            manifest: manifest(program, setting),
            machine: MachineFacts {
                threads: arguments.threads,
                grain: grain(),
                ..MachineFacts::here()
            },
            runs: Vec::new(),
            costs: RaceCosts::default(),
            is_complete: false,
            began: Instant::now(),
            setting,
            folder,
        };
        match earlier {
            _ if session.folder.is_empty() => Ok(session),
            None => Err(Failure::usage(format!(
                "{}: the folder holds something else than a benchmark",
                session.folder.path.display()
            ))
            .with_help("choose another folder with --out")),
            Some(_) if arguments.force => session
                .folder
                .clear()
                .map(|()| session)
                .map_err(Failure::failed),
            Some(earlier) => session.go_on_from(arguments, &earlier).map(|()| session),
        }
    }

    fn go_on_from(
        &mut self,
        arguments: &BenchArguments,
        earlier: &BenchManifest,
    ) -> Result<(), Failure> {
        let path = self.folder.path.display().to_string();
        let stored =
            std::fs::read_to_string(self.folder.path.join("config.toml")).unwrap_or_default();
        let same = |text: &str| -> Vec<String> {
            let is_number = |line: &&str| {
                !line.starts_with("samples = ") && !line.starts_with("max-samples = ")
            };
            text.lines().filter(is_number).map(str::to_owned).collect()
        };
        if same(&stored) != same(&self.setting.experiment.resolved_toml()) {
            return Err(Failure::usage(format!("{path} holds another benchmark"))
                .with_help("choose another folder with --out, or start over with --force"));
        }
        let is_complete = ["complete", "capped"].contains(&earlier.exit_reason.as_str());
        let has_enough = is_complete
            && (self.setting.instances <= earlier.instances
                || earlier.exit_reason == "complete"
                    && self.setting.experiment.benchmark.stop.is_some());
        self.machine = self.folder.json(MACHINE).unwrap_or(self.machine.clone());
        self.manifest.extended_from = earlier.extended_from.clone();
        if has_enough {
            self.is_complete = true;
            self.manifest = earlier.clone();
            self.runs = self
                .folder
                .rows("clock/runs.csv")
                .map_err(Failure::failed)?;
            self.costs = RaceCosts::of(self.setting, &self.runs);
            return Ok(());
        }
        if !arguments.resume {
            return Err(
                Failure::usage(format!("{path} holds a part of this benchmark"))
                    .with_help("continue it with --resume, or start over with --force"),
            );
        }
        if is_complete {
            self.manifest.extended_from.push(earlier.instances);
        }
        Ok(())
    }

    /// The confidence: of one look, unless a rule looks or somebody may have looked.
    fn confidence(&self) -> Confidence {
        let experiment = self.setting.experiment;
        let first = self.manifest.extended_from.first().copied();
        let looks = experiment.benchmark.stop.is_some()
            || first.is_some()
            || self.manifest.exit_reason == "interrupted";
        let planned = first.unwrap_or((self.setting.instances / 10).max(100));
        Confidence {
            level: experiment.level,
            looks: if looks {
                Looks::Many { planned }
            } else {
                Looks::Once
            },
        }
    }

    fn comparison(&self) -> Comparison<'_> {
        Comparison {
            setting: self.setting,
            costs: &self.costs,
            confidence: self.confidence(),
            grain: self.machine.grain,
        }
    }

    /// Measures until the end, the rule's or the person's.
    fn race(&mut self, arguments: &BenchArguments) -> Result<RaceEnd, Failure> {
        let interrupt = Interrupt::new();
        let drawing = listen_for_signals(&interrupt)?;
        let config = self.setting.experiment.resolved_toml();
        self.folder
            .write("config.toml", config.as_bytes())
            .map_err(Failure::failed)?;
        let (mut journal, runs, first) =
            BenchJournal::open(&self.folder, self.setting).map_err(Failure::failed)?;
        self.costs = RaceCosts::of(self.setting, &runs);
        let known = runs
            .iter()
            .map(|run| run.round)
            .max()
            .filter(|&rounds| rounds > 0);
        self.runs = runs;
        self.machine.sessions.push(BenchSession {
            first,
            started_unix: unix_now(),
            load_before: load(),
            ..BenchSession::default()
        });
        self.manifest.exit_reason = "running".to_owned();
        self.folder
            .write_json(MANIFEST, &self.manifest)
            .map_err(Failure::failed)?;
        let course = RaceCourse {
            first,
            end: self.setting.instances,
            rounds: known.or(self.setting.experiment.benchmark.bench.rounds),
            threads: arguments.threads,
        };
        drawing.store(true, Ordering::SeqCst);
        let mut display = BenchDisplay::new(arguments.quiet, self.setting, first);
        let mut ended = Ok(RaceEnd::Complete);
        let mut look = 10.max(first);
        let driven = drive(self.setting, course, |event| {
            let next = self.take(event, &mut journal, &mut display, &mut look);
            let urgent = interrupt.urgency() != Urgency::None;
            match next {
                Ok(None) if urgent => ended = Ok(RaceEnd::Interrupted),
                Ok(None) => return true,
                Ok(Some(end)) => ended = Ok(end),
                Err(failure) => ended = Err(failure),
            }
            false
        });
        display.end();
        driven.map_err(Failure::failed)?;
        let mut ended = ended?;
        let is_short = self
            .setting
            .experiment
            .benchmark
            .stop
            .as_ref()
            .is_some_and(|stop| !self.is_narrow(stop));
        if matches!(ended, RaceEnd::Complete) && is_short {
            ended = RaceEnd::Capped;
        }
        self.store(&ended).map_err(Failure::failed)?;
        Ok(ended)
    }

    /// Stores an instance, and says how the benchmark ends with it, if it does.
    fn take(
        &mut self,
        event: RaceEvent,
        journal: &mut BenchJournal,
        display: &mut BenchDisplay,
        look: &mut u64,
    ) -> Result<Option<RaceEnd>, Failure> {
        let stored = |error: std::io::Error| {
            Failure::failed(format!("the tables cannot be written: {error}"))
        };
        let (instance, measured) = match event {
            RaceEvent::Started(measured) => {
                journal.push_runs(&measured).map_err(stored)?;
                self.runs.extend(measured.runs);
                return Ok(measured.difference.map(RaceEnd::Differing));
            }
            RaceEvent::Instance(instance, measured) => (instance, measured),
        };
        journal
            .push(self.setting, instance, &measured)
            .map_err(stored)?;
        self.costs.push(self.setting, measured.runs.iter());
        self.machine.rounds = measured.runs.iter().map(|run| run.round).max().unwrap_or(1);
        self.runs.extend(measured.runs);
        for (contender, trouble) in measured.troubles.iter().take(1) {
            display.say(&format!(
                "instance {instance}: {}: {}",
                self.setting.contenders[*contender].name,
                first_line(trouble)
            ));
        }
        if let Some(difference) = measured.difference {
            return Ok(Some(RaceEnd::Differing(difference)));
        }
        display.show(self.costs.len() as u64, || self.headline());
        let Some(stop) = self
            .setting
            .experiment
            .benchmark
            .stop
            .as_ref()
            .filter(|_| instance + 1 >= *look)
        else {
            return Ok(None);
        };
        *look = (instance + 1) + (instance + 1) / 20 + 1;
        Ok(self.is_narrow(stop).then_some(RaceEnd::Complete))
    }

    /// Returns whether the interval of the rule's ratio is as narrow as it asks for.
    fn is_narrow(&self, stop: &RatioTable) -> bool {
        let (Ok(first), Ok(second)) = (
            self.setting.find(&stop.first),
            self.setting.find(&stop.second),
        ) else {
            return false;
        };
        let comparison = self.comparison();
        let found = comparison.speed(
            (first, second),
            Statistic::Median,
            comparison.confidence.level,
        );
        let ends = (found.value, found.lo, found.hi);
        let (Some(value), Some(lo), Some(hi)) = ends else {
            return false;
        };
        hi <= value * stop.within && lo >= value / stop.within
    }

    /// The ratio so far, for the progress display.
    fn headline(&self) -> String {
        let pair = match &self.setting.experiment.benchmark.stop {
            Some(stop) => self
                .setting
                .find(&stop.first)
                .ok()
                .zip(self.setting.find(&stop.second).ok()),
            None => self.setting.pairs(&[]).into_iter().find(|pair| pair.1 == 0),
        };
        let Some(pair) = pair else {
            return String::new();
        };
        let looking = Confidence {
            looks: Looks::Many {
                planned: (self.setting.instances / 10).max(100),
            },
            ..self.confidence()
        };
        let comparison = Comparison {
            confidence: looking,
            ..self.comparison()
        };
        let found = comparison.speed(pair, Statistic::Median, looking.level);
        let names: Vec<&str> = self.setting.names().collect();
        let show = |number: Option<f64>| {
            number.map_or_else(|| "?".to_owned(), |number| format!("{number:.3}"))
        };
        format!(
            "{} / {}: {} ({} to {})",
            names[pair.0],
            names[pair.1],
            show(found.value),
            show(found.lo),
            show(found.hi)
        )
    }

    /// Writes the tables that follow from the runs, and seals the folder.
    fn store(&mut self, ended: &RaceEnd) -> Result<(), String> {
        self.manifest.exit_reason = match ended {
            RaceEnd::Complete => "complete",
            RaceEnd::Capped => "capped",
            RaceEnd::Interrupted => "interrupted",
            RaceEnd::Differing(_) => "differing",
        }
        .to_owned();
        self.manifest.instances = self.costs.len() as u64;
        if let Some(session) = self.machine.sessions.last_mut() {
            session.end = self.manifest.instances;
            session.load_after = load();
        }
        if !self.costs.is_empty() {
            let claims = &self.setting.experiment.benchmark.claims;
            let relations: Vec<RatioRelation> =
                claims.iter().map(|claim| claim.relation.clone()).collect();
            let comparison = self.comparison();
            let tables = [
                (SPEED, to_csv(&comparison.rows(&relations), true)),
                (GROWTH, to_csv(&comparison.growth(), true)),
                (CLAIMS, to_csv(&comparison.claims(), true)),
            ];
            tables
                .iter()
                .try_for_each(|(name, bytes)| self.folder.write(name, bytes))?;
        }
        self.folder.write_json(MACHINE, &self.machine)?;
        self.folder.seal(&mut self.manifest)
    }

    /// Shows what was found, and ends as it deserves.
    fn conclude(
        &self,
        arguments: &BenchArguments,
        ended: RaceEnd,
        condition: Option<&RatioRelation>,
    ) -> Result<(), Failure> {
        let path = self.folder.path.display();
        if let RaceEnd::Differing(found) = &ended {
            return Err(arguments.differing(found));
        }
        if !arguments.quiet && !self.costs.is_empty() {
            let results =
                BenchResults::read(&self.folder, self.setting).map_err(Failure::failed)?;
            write_stdout(results.to_text().as_bytes())?;
            note!(
                "{path}: {} in {:.0} s",
                crate::report::counted(self.costs.len() as u64, "instance"),
                self.began.elapsed().as_secs_f64()
            );
        }
        match (ended, condition) {
            (RaceEnd::Interrupted, _) => Err(Failure::interrupted(format!(
                "interrupted after {} instances: to go on, type the same command with --resume",
                count(self.costs.len() as u64)
            ))),
            (RaceEnd::Complete, Some(relation)) => self.check(arguments, relation),
            (RaceEnd::Capped, relation) => {
                relation.map_or(Ok(()), |relation| self.check(arguments, relation))?;
                Err(Failure::capped(format!(
                    "{path}: the interval is wider than [stop.ratio] asks for after all {} instances",
                    count(self.costs.len() as u64)
                )))
            }
            _ => Ok(()),
        }
    }

    /// Fails if the relation is found to hold.
    fn check(&self, arguments: &BenchArguments, relation: &RatioRelation) -> Result<(), Failure> {
        let text = arguments.fail_if.as_deref().unwrap_or_default();
        let decided = self.comparison().decide(std::slice::from_ref(relation));
        let Some((verdict, level, speed)) = decided.into_iter().next() else {
            return Ok(());
        };
        let show = |number: Option<f64>| {
            number.map_or_else(|| "open".to_owned(), |number| format!("{number:.4}"))
        };
        let figures = format!(
            "{} ({} to {}, level {level})",
            show(speed.value),
            show(speed.lo),
            show(speed.hi)
        );
        match verdict {
            ClaimVerdict::Supported => {
                Err(Failure::failed(format!("it holds that {text}: {figures}")))
            }
            ClaimVerdict::Refuted => {
                note!("it does not hold that {text}: {figures}");
                Ok(())
            }
            ClaimVerdict::Undecided | ClaimVerdict::Agrees => {
                note!("it is not found that {text}: {figures}");
                Ok(())
            }
        }
    }
}

/// Checks the folder of a benchmark, for `etude verify`.
pub fn verify(
    program: &Program,
    folder: &BenchFolder,
    samples: u64,
    with_programs: bool,
) -> Result<(), Failure> {
    let experiment = of_folder(program, folder)?;
    let setting = Setting::of(&experiment).map_err(Failure::usage)?;
    let found = faults(folder, &setting, samples, with_programs).map_err(Failure::failed)?;
    let path = folder.path.display();
    if found.is_empty() {
        note!(
            "{path}: the answers are as they were written, and come out again; the clock's tables are no results"
        );
        return Ok(());
    }
    Err(Failure::failed(format!("{path}: {}", found.join("\n"))))
}

/// The experiment of a benchmark's folder.
pub fn of_folder(program: &Program, folder: &BenchFolder) -> Result<Experiment, Failure> {
    let path = folder.path.join("config.toml");
    read_experiment(
        program,
        &path.to_string_lossy(),
        &Overrides::default(),
        &mut Remarks,
    )
}

/// What a benchmark's folder says: its text, or its page.
pub fn report(program: &Program, folder: &BenchFolder, as_page: bool) -> Result<String, Failure> {
    let experiment = of_folder(program, folder)?;
    let setting = Setting::of(&experiment).map_err(Failure::usage)?;
    let results = BenchResults::read(folder, &setting).map_err(Failure::usage)?;
    if as_page {
        return results.to_html(folder, &setting).map_err(Failure::usage);
    }
    Ok(results.to_text())
}

/// The ratios of two benchmarks side by side. Times of different sessions cannot be compared, ratios
/// can: each has both of its contenders in one session.
pub fn compare(first: &BenchFolder, second: &BenchFolder, format: Format) -> Result<(), Failure> {
    let rows = |folder: &BenchFolder| folder.rows::<SpeedRow>(SPEED).map_err(Failure::usage);
    let (ones, others) = (rows(first)?, rows(second)?);
    let mut table = Printed::new(&[
        "first",
        "second",
        "statistic",
        "ratio",
        "ci_lo",
        "ci_hi",
        "other_ratio",
        "other_ci_lo",
        "other_ci_hi",
        "conclusion",
    ]);
    for one in &ones {
        let is_same = |row: &&SpeedRow| {
            (&row.first, &row.second, &row.statistic) == (&one.first, &one.second, &one.statistic)
        };
        let Some(other) = others.iter().find(is_same) else {
            continue;
        };
        let apart =
            |a: &SpeedRow, b: &SpeedRow| a.ci_hi.zip(b.ci_lo).is_some_and(|(hi, lo)| hi < lo);
        let conclusion = if apart(one, other) || apart(other, one) {
            "the intervals lie apart"
        } else {
            "no difference found"
        };
        let names =
            [&one.first, &one.second, &one.statistic].map(|name| TableCell::from(name.as_str()));
        let numbers = [
            one.estimate,
            one.ci_lo,
            one.ci_hi,
            other.estimate,
            other.ci_lo,
            other.ci_hi,
        ];
        table.push(
            names
                .into_iter()
                .chain(numbers.map(TableCell::from))
                .chain([conclusion.into()]),
        );
    }
    note!(
        "times of different sessions cannot be compared: `etude bench FILE --against PROGRAM` races two builds in one"
    );
    table.print(format)
}

/// Shows who would race, and starts nothing.
pub fn plan(experiment: &Experiment, format: Format) -> Result<(), Failure> {
    let setting = Setting::of(experiment).map_err(Failure::usage)?;
    let mut table = Printed::new(&["contender", "instances", "answers_by"]);
    for contender in &setting.contenders {
        let program = contender.program(experiment).map(|program| program.argv);
        let by = program.map_or_else(
            || experiment.task.name.to_string(),
            |argv| command_line(argv.iter().map(String::as_str)),
        );
        table.push([
            contender.name.as_str().into(),
            setting.instances.into(),
            by.into(),
        ]);
    }
    table.print(format)?;
    let agreed: Vec<&str> = setting
        .answers
        .iter()
        .map(|&metric| &*setting.metrics()[metric].name)
        .collect();
    note!(
        "a benchmark: `etude bench` runs it; all must agree on {}",
        agreed.join(", ")
    );
    Ok(())
}

fn manifest(program: &Program, setting: &Setting) -> BenchManifest {
    let experiment = setting.experiment;
    let programs = setting.contenders.iter().filter_map(|contender| {
        let found = contender.program(experiment)?;
        Some(BenchProgram {
            contender: contender.name.clone(),
            hash: setting.program_hash(contender).unwrap_or_default(),
            argv: found.argv,
        })
    });
    let programs: Vec<BenchProgram> = programs.collect();
    let folders = program_folders(&experiment.source.0).into_iter();
    let folders = folders.map(|folder| {
        let folder = if folder.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            folder
        };
        folder
            .canonicalize()
            .unwrap_or(folder)
            .to_string_lossy()
            .into_owned()
    });
    BenchManifest {
        benchmark: experiment.file.name.clone(),
        etude_version: Program::LABORATORY.to_owned(),
        git_revision: program.revision.map(str::to_owned),
        config_hash: experiment.digest(),
        fingerprint: experiment.fingerprint(),
        stream_scheme: STREAM_SCHEME.to_owned(),
        program_folders: if programs.is_empty() {
            Vec::new()
        } else {
            folders.collect()
        },
        programs,
        ..BenchManifest::default()
    }
}

fn unix_now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// A bar with the ratio so far, or nothing.
struct BenchDisplay {
    bar: ProgressBar,
    shown: Instant,
    told: u32,
}

/// Troubles that are told one by one.
const MOST_TOLD: u32 = 3;

impl BenchDisplay {
    fn new(quiet: bool, setting: &Setting, first: u64) -> Self {
        let style = ProgressStyle::with_template(
            "{prefix} {wide_bar} {percent:>3} % {human_pos}/{human_len}\n  {msg}",
        );
        let bar = if quiet || !terminal::is_watched() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(setting.instances)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
                .with_prefix(setting.experiment.file.name.clone())
        };
        bar.set_position(first);
        Self {
            bar,
            shown: Instant::now(),
            told: 0,
        }
    }

    fn show(&mut self, done: u64, headline: impl FnOnce() -> String) {
        self.bar.set_position(done);
        // The ratio is computed seldom, so that it takes nothing from what is measured.
        if !self.bar.is_hidden() && self.shown.elapsed().as_millis() >= 500 {
            self.bar.set_message(headline());
            self.shown = Instant::now();
        }
    }

    fn say(&mut self, trouble: &str) {
        self.told += 1;
        if self.told <= MOST_TOLD {
            self.bar.suspend(|| warning!("{trouble}"));
        }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
        if self.told > MOST_TOLD {
            warning!(
                "{} more such instances; clock/runs.csv lists them",
                self.told - MOST_TOLD
            );
        }
    }
}
