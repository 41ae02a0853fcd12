//! A benchmark as a whole: what its folder holds already, the loop, the rule that looks, the tables.
//!
//! It prints nothing and ends no process: what a person may want to see is told to a
//! [`RaceObserver`].

use std::path::Path;
use std::time::Instant;

use super::drive::{RaceCourse, drive};
use super::folder::{
    BenchFolder, BenchJournal, BenchManifest, BenchProgram, CONFIG, MACHINE, MANIFEST, RaceEnd,
};
use super::race::{Contradiction, Raced};
use lab::experiment::{BenchContender, RatioTable, Setting, program_folders};
use lab::files;
use lab::job::{Failure, Program, ResumeMode, first_difference};
use lab::run::{Interrupt, RaceCosts, Silent, Urgency};
use lab::store::{BenchSession, MachineFacts, RunFolder, STREAM_SCHEME, load};
use lab::tables::Comparison;
use lab::task::Spent;
use stats::speed::{Speed, median};

/// A benchmark that is ready to be raced, and the folder that it goes to.
pub struct BenchJob {
    /// The program that the manifest names.
    pub program: Program,
    /// The contenders, and how they are measured.
    pub setting: Setting,
    /// The folder.
    pub folder: BenchFolder,
    /// Threads that measure side by side; one unless set.
    pub threads: u16,
    /// The wish for a benchmark that is in the folder already.
    pub mode: ResumeMode,
}

/// Watches a race. Every method may be left empty.
pub trait RaceObserver: Send {
    /// All is ready for the first answer.
    fn started(&mut self, _race: &OpenRace<'_>) {}

    /// An instance was raced.
    fn progress(&mut self, _race: &OpenRace<'_>) {}

    /// A contender gave no answer.
    fn trouble(&mut self, _trouble: &str) {}

    /// The race has ended, however it did.
    fn ended(&mut self) {}
}

impl RaceObserver for Silent {}

/// A benchmark under way, or at its end.
pub struct OpenRace<'a> {
    /// The job.
    pub job: &'a BenchJob,
    /// The times so far.
    pub costs: RaceCosts,
    /// The end; `None` while it goes on.
    pub end: Option<RaceEnd>,
    /// Two answers that differ.
    pub difference: Option<Contradiction>,
    manifest: BenchManifest,
    machine: MachineFacts,
    /// The number of instances at which the rule looks next.
    look: u64,
    /// The start of this session; `None` of a benchmark that was complete.
    pub began: Option<Instant>,
}

impl BenchJob {
    /// The benchmark of a setting, in `results/NAME-bench`.
    pub fn of(program: &Program, setting: Setting) -> Self {
        let name = format!("{}-bench", setting.experiment.file.name);
        Self {
            program: *program,
            folder: BenchFolder::at(&Path::new("results").join(name)),
            setting,
            threads: 1,
            mode: ResumeMode::default(),
        }
    }

    /// Has all contenders answer one instance, and writes nothing.
    ///
    /// # Errors
    /// If a contender does not answer.
    pub fn answer(&self, instance: u64) -> Result<Raced, Failure> {
        let mut seen = Raced::default();
        let course = RaceCourse {
            first: instance,
            end: instance + 1,
            per_start: 1,
            start: 1,
            repeats: Some(1),
            threads: 1,
        };
        drive(&self.setting, course, &mut |_, measured| {
            seen = measured;
            true
        })?;
        Ok(seen)
    }

    /// Races until the end, the rule's or a person's; a benchmark that is complete is left as it is.
    ///
    /// # Errors
    /// If the folder holds something else, or a contender does not answer at all.
    pub fn run(
        &self,
        interrupt: &Interrupt,
        observer: &mut dyn RaceObserver,
    ) -> Result<OpenRace<'_>, Failure> {
        // Owned until its tables are written, so that no second process adds rows.
        let owned = RunFolder::open(&self.folder.path)?;
        let mut race = OpenRace::open(self, owned.config())?;
        if race.end.is_none() {
            let (mut journal, course) = race.begin(&owned)?;
            observer.started(&race);
            let driven = race.drive(course, &mut journal, interrupt, observer);
            observer.ended();
            driven?;
            race.store()?;
        }
        Ok(race)
    }

    fn manifest(&self) -> BenchManifest {
        let experiment = &self.setting.experiment;
        let programs = self.setting.contenders.iter();
        let programs: Vec<BenchProgram> = programs.filter_map(|one| self.program_of(one)).collect();
        let folders = program_folders(&experiment.source.0).into_iter();
        let folders = folders.filter(|_| !programs.is_empty());
        let folders =
            folders.filter_map(|folder| files::canonicalize(Path::new(".").join(folder)).ok());
        let program_folders = folders.map(|folder| folder.to_string_lossy().into_owned());
        BenchManifest {
            benchmark: experiment.file.name.clone(),
            etude_version: Program::LABORATORY.to_owned(),
            git_revision: self.program.revision.map(str::to_owned),
            config_hash: experiment.digest(),
            fingerprint: experiment.fingerprint(),
            stream_scheme: STREAM_SCHEME.to_owned(),
            program_folders: program_folders.collect(),
            programs,
            exit_reason: "running".to_owned(),
            ..BenchManifest::default()
        }
    }

    fn program_of(&self, contender: &BenchContender) -> Option<BenchProgram> {
        let (experiment, program) = (
            &self.setting.experiment,
            &contender.program.as_ref()?.program,
        );
        let folders = program_folders(&experiment.source.0);
        let hash = |name: &String| {
            let mut folders = folders.iter();
            let found = folders.find_map(|folder| files::digest(&folder.join(name)).ok());
            (name.clone(), found.unwrap_or_default())
        };
        let table = self.setting.table(contender);
        let files = table.into_iter().flat_map(|table| &table.files);
        let executable = program.locate().ok();
        let own = executable.and_then(|executable| files::digest(&executable.path).ok());
        Some(BenchProgram {
            contender: contender.name.clone(),
            argv: program.argv.clone(),
            hash: own.unwrap_or_default(),
            files: files.map(hash).collect(),
        })
    }
}

impl<'a> OpenRace<'a> {
    /// The race of a job, with what its folder holds already.
    fn open(job: &'a BenchJob, config: Option<&str>) -> Result<Self, Failure> {
        let folder = &job.folder;
        let mut race = Self {
            job,
            costs: RaceCosts::default(),
            end: None,
            difference: None,
            manifest: job.manifest(),
            machine: MachineFacts {
                threads: job.threads,
                grain: Spent::grain(),
                ..MachineFacts::here()
            },
            look: 10,
            began: None,
        };
        let Some(config) = config else {
            return Ok(race);
        };
        let path = folder.path.display();
        if !folder.is_one() {
            let message = format!("{path}: the folder holds something else than a benchmark");
            return Err(Failure::usage(message).with_help("choose another folder with --out"));
        }
        match job.mode {
            ResumeMode::StartOver => folder.clear()?,
            _ => race.go_on_from(config, folder.manifest().unwrap_or_default())?,
        }
        Ok(race)
    }

    /// Goes on with what an earlier session measured of the same benchmark.
    fn go_on_from(&mut self, config: &str, earlier: BenchManifest) -> Result<(), Failure> {
        let (folder, setting) = (&self.job.folder, &self.job.setting);
        let path = folder.path.display();
        self.check_same(config)?;
        let end = earlier.end();
        let is_complete = matches!(end, Some(RaceEnd::Complete | RaceEnd::Capped));
        let is_content = end == Some(RaceEnd::Complete) && self.rule().is_some();
        if let Ok(machine) = folder.json(MACHINE) {
            self.machine = machine;
        }
        if is_complete && (is_content || setting.instances <= earlier.instances) {
            self.costs = RaceCosts::of(setting, &folder.timings(setting)?.0);
            self.manifest = earlier;
            self.end = end;
            return Ok(());
        }
        if self.job.mode != ResumeMode::Resume {
            let message = format!("{path} holds a part of this benchmark");
            return Err(Failure::usage(message)
                .with_help("continue it with --resume, or start over with --force"));
        }
        self.manifest.extended_from = earlier.extended_from;
        // Who changes the number of instances may have looked at those that there are.
        let is_changed = config != setting.experiment.resolved_toml();
        if is_complete || is_changed {
            let (_, instances) = folder.timings(setting)?;
            self.manifest.extended_from.push(instances);
        }
        Ok(())
    }

    /// Refuses a folder of a benchmark that differs in more than the number of instances.
    fn check_same(&self, config: &str) -> Result<(), Failure> {
        let is_fact =
            |line: &&str| !line.starts_with("samples = ") && !line.starts_with("max-samples = ");
        let facts = |text: &str| text.lines().filter(is_fact).collect::<Vec<_>>().join("\n");
        let own = facts(&self.job.setting.experiment.resolved_toml());
        let stored = facts(config);
        if stored == own {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "{}: the folder holds another benchmark: {}",
            self.job.folder.path.display(),
            first_difference(&stored, &own)
        ))
        .with_help("choose another folder with --out, or start over with --force"))
    }

    /// The rule that looks.
    fn rule(&self) -> Option<&'a RatioTable> {
        self.job.setting.experiment.file.stop.ratio.as_ref()
    }

    /// The estimates so far.
    pub fn comparison(&self) -> Comparison<'_> {
        Comparison {
            setting: &self.job.setting,
            costs: &self.costs,
            confidence: self.manifest.confidence(&self.job.setting),
            grain: self.machine.grain,
        }
    }

    /// The ratio so far with its names, for someone who looks at it again and again.
    pub fn headline(&self) -> Option<([&'a str; 2], Speed)> {
        let setting = &self.job.setting;
        let first = || setting.pairs().into_iter().find(|pair| pair.1 == 0);
        let pair = setting.asked().or_else(first)?;
        let names = [pair.0, pair.1].map(|at| setting.name(at));
        let ratio = median(&self.costs.pairs(pair), self.manifest.watched(setting));
        Some((names, ratio))
    }

    /// Writes what is known before the first answer; returns the journal, and what is to be raced.
    fn begin<'f>(&mut self, owned: &'f RunFolder) -> Result<(BenchJournal<'f>, RaceCourse), Failure>
    where
        'a: 'f,
    {
        let BenchJob {
            folder, setting, ..
        } = self.job;
        folder.write(CONFIG, setting.experiment.resolved_toml().as_bytes())?;
        let (timings, first) = folder.timings(setting)?;
        self.machine.end_session(&timings, first);
        self.machine.sessions.push(BenchSession::from(first));
        folder.write_json(MACHINE, &self.machine)?;
        folder.write_json(MANIFEST, &self.manifest)?;
        let journal = BenchJournal::open(folder, setting, owned, first)?;
        self.costs = RaceCosts::of(setting, &timings);
        (self.look, self.began) = (first.max(10), Some(Instant::now()));
        let known = Some(self.machine.repeats).filter(|&repeats| repeats > 0);
        let course = RaceCourse {
            first,
            end: setting.instances,
            per_start: setting.per_start(),
            start: self.costs.last_start() + 1,
            repeats: known.or(setting.experiment.file.bench.repeats),
            threads: self.job.threads,
        };
        Ok((journal, course))
    }

    /// Has the contenders answer until the end.
    fn drive(
        &mut self,
        course: RaceCourse,
        journal: &mut BenchJournal<'_>,
        interrupt: &Interrupt,
        observer: &mut dyn RaceObserver,
    ) -> Result<(), Failure> {
        let mut stored = Ok(());
        let repeats = drive(&self.job.setting, course, &mut |instance, measured| {
            stored = self.take(instance, measured, journal, observer);
            if self.end.is_none() && interrupt.urgency() != Urgency::None {
                self.end = Some(RaceEnd::Interrupted);
            }
            stored.is_ok() && self.end.is_none()
        })?;
        let error = |error| Failure::failed(format!("the tables cannot be written: {error}"));
        stored.map_err(error)?;
        self.machine.repeats = repeats;
        let is_settled = self.rule().is_none_or(|rule| self.is_narrow(rule));
        let last = if is_settled {
            RaceEnd::Complete
        } else {
            RaceEnd::Capped
        };
        self.end.get_or_insert(last);
        Ok(())
    }

    /// Stores what was measured, and sets the end if that ends the race.
    fn take(
        &mut self,
        instance: Option<u64>,
        measured: Raced,
        journal: &mut BenchJournal<'_>,
        observer: &mut dyn RaceObserver,
    ) -> std::io::Result<()> {
        self.difference.clone_from(&measured.difference);
        self.end = self.difference.as_ref().map(|_| RaceEnd::Differing);
        let setting = &self.job.setting;
        journal.push(instance, &measured)?;
        let Some(instance) = instance.filter(|_| self.difference.is_none()) else {
            return Ok(());
        };
        self.costs.push(setting, &measured.timings);
        if let Some((contender, trouble)) = measured.troubles.first() {
            let name = setting.name(*contender);
            let first_line = trouble.lines().next().unwrap_or_default();
            observer.trouble(&format!("instance {instance}: {name}: {first_line}"));
        }
        observer.progress(self);
        self.look();
        Ok(())
    }

    /// Ends the race if the rule, which looks ever more seldom, is content.
    fn look(&mut self) {
        let raced = self.costs.instances();
        if let Some(rule) = self.rule()
            && raced >= self.look
            && self.end.is_none()
        {
            self.look = raced + raced / 20 + 1;
            self.end = self.is_narrow(rule).then_some(RaceEnd::Complete);
        }
    }

    /// Returns whether the interval of the rule's ratio is as narrow as it asks for.
    fn is_narrow(&self, rule: &RatioTable) -> bool {
        let Some(sides) = self.job.setting.rule_sides() else {
            return false;
        };
        let found = median(&self.costs.pairs(sides), self.comparison().confidence);
        let ends = found.value.zip(found.lo.zip(found.hi));
        ends.is_some_and(|(value, (lo, hi))| hi <= value * rule.within && lo >= value / rule.within)
    }

    /// Writes the tables that follow from the runs, and seals the folder.
    fn store(&mut self) -> Result<(), Failure> {
        let folder = &self.job.folder;
        let end = self.end.unwrap_or(RaceEnd::Interrupted);
        self.manifest.exit_reason = end.as_ref().to_owned();
        self.manifest.instances = self.costs.instances();
        self.machine.starts = self.costs.last_start();
        if let Some(session) = self.machine.sessions.last_mut() {
            (session.end, session.load_after) = (self.manifest.instances, load());
        }
        if self.costs.instances() > 0 {
            let comparison = self.comparison();
            folder.write_rows(comparison.rows())?;
            folder.write_rows(comparison.growth())?;
            folder.write_rows(comparison.claims())?;
        }
        folder.write_json(MACHINE, &self.machine)?;
        folder.seal(&mut self.manifest)
    }
}
