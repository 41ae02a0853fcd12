//! `etude cluster slurm`: the scripts that run an experiment as a Slurm job array and merge it.
//!
//! Names are quoted in scripts and passed to `sbatch` as arguments, so no shell interprets user
//! text. Directives contain only numbers. The array, signal and requeue options are those of
//! sbatch(1).

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::experiment::{Experiment, PROGRAMS_FILE};
use crate::files;
use crate::files::{SystemDisk, write_atomically};
use crate::job::programs;
use crate::run::Plan;
use crate::task::{counted, parse_integer};
use clap::{Args, Subcommand};
use minijinja::{Environment, UndefinedBehavior, Value, context};

use super::Program;
use super::experiment::{Consent, ExperimentArguments};
use super::failure::Failure;
use crate::job::shell::{command_line, quoted};

/// Run an experiment on a cluster
#[derive(Debug, Args)]
pub struct ClusterArguments {
    #[command(subcommand)]
    scheduler: Scheduler,
}

#[derive(Debug, Subcommand)]
enum Scheduler {
    Slurm(SlurmArguments),
}

/// Write the scripts of a Slurm job array and its merge
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude cluster slurm my.toml --shards 16 --cpus 8 --time 4:00:00
  etude cluster slurm my.toml --shards 16 --submit -- --partition=long --account=games

The folder gets the experiment, shards.sbatch, merge.sbatch and submit.sh, later the shards in
shards/ and the result in merged/. Shards finish their blocks before the time limit and are
requeued. Run submit.sh again to submit only what is missing.

A run that may stop early goes in waves: after each wave of all shards, the merge checks the stop
rule as a run on one machine would, and then submits the next wave or stops.")]
struct SlurmArguments {
    #[command(flatten)]
    experiment: ExperimentArguments,
    #[command(flatten)]
    consent: Consent,
    /// Number of shards
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    shards: u32,
    /// The folder to write [default: results/NAME-slurm]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Time limit of a shard, in sbatch's format
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<String>,
    /// Cores for each shard
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    cpus: u16,
    /// Seconds before the time limit at which a shard stops starting blocks
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = clap::value_parser!(u16).range(1..))]
    grace: u16,
    /// For a run that may stop early: samples of the first wave; each further wave doubles
    /// them [default: a 64th of the cap]
    #[arg(long, value_name = "N", value_parser = parse_integer)]
    wave: Option<u64>,
    /// Submit the jobs with sbatch
    #[arg(long)]
    submit: bool,
    /// Options for sbatch, after `--`
    #[arg(last = true, value_name = "SBATCH OPTIONS")]
    options: Vec<String>,
}

impl ClusterArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        match self.scheduler {
            Scheduler::Slurm(slurm) => slurm.run(program),
        }
    }
}

impl SlurmArguments {
    fn run(self, program: &Program) -> Result<(), Failure> {
        let experiment = self.experiment.load(program)?;
        self.consent.check(&experiment)?;
        let blocks = Plan::of(&experiment).total_blocks();
        if u64::from(self.shards) > blocks {
            let shards = counted(self.shards.into(), "shard");
            let [given, most] = ["block", "shard"].map(|what| counted(blocks, what));
            let message = format!("{shards} of {given} would leave some with nothing to do");
            return Err(Failure::usage(message).with_help(format!("use at most {most}")));
        }
        let folder = self.create_folder(&experiment)?;
        let wave = self.first_wave(&experiment)?;
        self.write_scripts(&experiment, &folder, wave)?;
        if self.submit {
            return self.submit_to(&folder, wave);
        }
        note!("wrote {}", folder.display());
        let submit = folder.join("submit.sh");
        note!("submit with: {}", command_line(["sh", text(&submit)?]));
        Ok(())
    }

    /// The samples of the first wave; `None` where all samples are wanted.
    fn first_wave(&self, experiment: &Experiment) -> Result<Option<u64>, Failure> {
        if experiment.stop.looks() {
            let usual = experiment.stop.max_samples() / 64;
            return Ok(Some(self.wave.unwrap_or(usual).max(1)));
        }
        let message = "this experiment never stops early, so it has no waves";
        match self.wave {
            Some(_) => Err(Failure::input("--wave", message, "leave --wave out")),
            None => Ok(None),
        }
    }

    /// The folder's absolute path: jobs may start anywhere.
    fn create_folder(&self, experiment: &Experiment) -> Result<PathBuf, Failure> {
        let default = || Path::new("results").join(format!("{}-slurm", experiment.file.name));
        let folder = self.out.clone().unwrap_or_else(default);
        if folder.join("manifest.json").exists() {
            let message = format!("{}: the folder holds a run", folder.display());
            return Err(Failure::usage(message).with_help("choose another folder with --out"));
        }
        std::fs::create_dir_all(folder.join("shards"))
            .and_then(|()| folder.canonicalize())
            .map_err(|error| Failure::of_file(&folder, error))
    }

    /// Writes the experiment as it stands now, so that later edits do not reach waiting jobs.
    fn write_scripts(
        &self,
        experiment: &Experiment,
        folder: &Path,
        wave: Option<u64>,
    ) -> Result<(), Failure> {
        let name = format!("{}.toml", experiment.file.name);
        let config = experiment.resolved_toml();
        let known = folder.join(&name);
        if files::read_text(&known).is_ok_and(|stored| stored != config) {
            let path = folder.display();
            let message = format!("{path}: the folder holds another version of this experiment");
            return Err(Failure::usage(message).with_help("choose another folder with --out"));
        }
        write(&known, &config)?;
        write_program_folders(experiment, folder)?;
        let mut scripts = Environment::new();
        scripts.set_undefined_behavior(UndefinedBehavior::Strict);
        scripts.add_filter("sh", |word: &str| quoted(word));
        let has_programs = !programs::commands(experiment).is_empty();
        let values = self.values((&name, has_programs), folder, wave)?;
        for (script, template) in SCRIPTS {
            let text = scripts.render_named_str(script, template, &values);
            write(
                &folder.join(script),
                &(text.map_err(Failure::failed)? + "\n"),
            )?;
        }
        Ok(())
    }

    fn values(
        &self,
        (experiment, has_programs): (&str, bool),
        folder: &Path,
        wave: Option<u64>,
    ) -> Result<Value, Failure> {
        let etude = std::env::current_exe().map_err(Failure::failed)?;
        Ok(context! {
            experiment,
            folder => text(folder)?,
            etude => text(&etude)?,
            shards => self.shards,
            cpus => self.cpus,
            grace => self.grace,
            time => self.time.as_deref(),
            wave,
            // A requeued shard may find itself where nobody is known to have made its folder.
            consent => if has_programs { " --run-programs" } else { "" },
            argument => wave.map_or("", |_| " \"$wave\""),
            sbatch => command_line(self.sbatch()),
        })
    }

    /// The words before a script's name; those after it would be the script's own.
    fn sbatch(&self) -> Vec<&str> {
        let words = ["sbatch", "--parsable"].into_iter();
        words
            .chain(self.options.iter().map(String::as_str))
            .collect()
    }

    fn submit_to(&self, folder: &Path, wave: Option<u64>) -> Result<(), Failure> {
        let wave = wave.map(|samples| samples.to_string());
        let script = |name| std::iter::once(name).chain(wave.as_deref());
        let array = self.submit_job(folder, None, script("shards.sbatch"))?;
        let merge = self.submit_job(folder, Some(&array), script("merge.sbatch"))?;
        note!(
            "submitted {} as job {array} and the merge as job {merge}; the results will be in {}",
            counted(self.shards.into(), "shard"),
            folder.join("merged").display()
        );
        Ok(())
    }

    /// Submits a script, given with its arguments, to run after `after`; returns the job's number.
    fn submit_job<'word>(
        &self,
        folder: &Path,
        after: Option<&str>,
        script: impl Iterator<Item = &'word str>,
    ) -> Result<String, Failure> {
        let output = Command::new("sbatch")
            .args(&self.sbatch()[1..])
            .args(after.map(|job| format!("--dependency=afterok:{job}")))
            .args(script)
            .current_dir(folder)
            .output()
            .map_err(|error| {
                Failure::failed(format!("cannot run sbatch: {error}"))
                    .with_help("run this where Slurm is installed, or leave out --submit")
            })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let message = format!("sbatch refused the job: {}", said.trim());
            return Err(Failure::failed(message));
        }
        let said = String::from_utf8_lossy(&output.stdout);
        let job = said.trim().split(';').next().unwrap_or_default();
        let is_number = !job.is_empty() && job.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| job.to_owned()).ok_or_else(|| {
            let said = said.trim().escape_debug();
            Failure::failed(format!("sbatch gave no job number but \"{said}\"")).with_help(
                "check with squeue whether the job was accepted; the merge was not submitted",
            )
        })
    }
}

/// Tells the jobs where other people's programs are: they run in the folder of the experiment that
/// was given, not in that of the jobs.
fn write_program_folders(experiment: &Experiment, folder: &Path) -> Result<(), Failure> {
    let folders = programs::folders(experiment);
    if folders.is_empty() {
        return Ok(());
    }
    let places = serde_json::json!({ "program_folders": folders });
    write(&folder.join(PROGRAMS_FILE), &format!("{places:#}\n"))
}

/// The scripts: file names and templates.
const SCRIPTS: [(&str, &str); 3] = [
    ("shards.sbatch", include_str!("templates/shards.sbatch")),
    ("merge.sbatch", include_str!("templates/merge.sbatch")),
    ("submit.sh", include_str!("templates/submit.sh")),
];

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let written = write_atomically(&SystemDisk, path, text.as_bytes());
    written.map_err(|error| Failure::of_file(path, error))
}

/// A script is text, so its names must be.
fn text(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| {
        Failure::usage(format!("{}: the name is not UTF-8 text", path.display()))
            .with_help("choose a folder with a plain name")
    })
}

/// Minutes, `M:S`, `H:M:S`, `D-H`, `D-H:M` or `D-H:M:S`: digits with these separators.
fn parse_time(text: &str) -> Result<String, String> {
    let fits = text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || ":-".contains(c));
    let time = fits.then(|| text.to_owned());
    time.ok_or_else(|| "expected minutes, H:M:S or D-H:M:S".into())
}
