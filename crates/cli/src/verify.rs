//! `etude verify`: checks that the numbers in a run folder are what the experiment gives.

use std::path::{Path, PathBuf};

use ::report::StatedProof;
use base::{count, counted, parse_integer};
use clap::Args;
use lab::job::{BlockNumbers, ChosenBlocks, Job, Verification};

use super::Application;
use super::experiment_arguments::Leave;
use super::failure::Failure;
use super::progress::Display;

/// Samples run again unless more or fewer are asked for.
pub(crate) const SAMPLES: u64 = 1000;

/// Rerun random samples, rebuild all tables, and check that they match exactly
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude verify results/klondike-casino --samples 5000
  etude verify results/klondike-casino --blocks 3,17,40-42    the blocks that an earlier check drew

The blocks are drawn from the system's randomness, so nobody who forges a folder knows them.

If the experiment uses programs, verify prints their commands and starts them. A \
folder that you did not make here needs --run-programs.")]
pub(crate) struct VerifyArguments {
    /// The run folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Run at least this many samples again (whole blocks)
    #[arg(long, value_name = "K", allow_negative_numbers = true, default_value_t = SAMPLES, value_parser = positive)]
    pub(crate) samples: u64,
    /// Run these blocks again instead, counted from 0, such as 3,17,40-42: those that an earlier check drew
    #[arg(long, value_name = "LIST", conflicts_with = "samples")]
    pub(crate) blocks: Option<BlockNumbers>,
    #[command(flatten)]
    pub(crate) leave: Leave,
}

/// Reads a number of samples that makes a check.
pub(crate) fn positive(text: &str) -> Result<u64, String> {
    let samples = parse_integer(text)?;
    let is_some = (samples > 0).then_some(samples);
    is_some.ok_or_else(|| "expected a number of samples from 1".to_owned())
}

impl VerifyArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        if StatedProof::is_in(&self.folder) {
            return verify_proof(&self.folder);
        }
        self.verify(app).map(|_| ())
    }

    /// Checks the folder; returns its job if it is sound.
    pub(crate) fn verify(&self, app: &Application) -> Result<Job, Failure> {
        let folder = self.folder.display();
        let mut display = Display::of_rerun(&self.folder);
        let mut job = Job::of_folder(app, &self.folder, &mut display)?;
        job.starts_programs = self.leave.run_programs;
        let samples = self.samples;
        let named = self.blocks.clone().map(ChosenBlocks::Named);
        let wanted = named.unwrap_or(ChosenBlocks::AtRandom { samples });
        let verified = job.verify(&wanted, &mut display)?;
        self.tell_choice(&verified);
        let usual = "restore the folder from a copy, or repeat the run";
        let help = verified.advice.as_deref().unwrap_or(usual);
        check_sound(&self.folder, &verified.faults, help)?;
        let again = counted(verified.samples, "sample");
        note!("{folder}: sound; {again} of each cell run again, all tables remade");
        Ok(job)
    }
}

/// The numbers of forged blocks of which it is said how likely they are missed.
const FORGED: [u64; 3] = [1, 10, 100];

impl VerifyArguments {
    /// Says which blocks were drawn, so that the check can be repeated, and how much it can have missed.
    fn tell_choice(&self, verified: &Verification) {
        let (folder, counts) = (self.folder.display(), verified.counts);
        if self.blocks.is_some() || counts.chosen == counts.stored {
            return;
        }
        let stored = counted(counts.stored, "block");
        note!(
            "{folder}: drawn from the system's randomness: {} of {stored}; to run the same again: --blocks {}",
            count(counts.chosen),
            verified.blocks
        );
        let told = FORGED
            .into_iter()
            .take_while(|&forged| forged < counts.stored);
        let told = told.map(|forged| format!("{forged}: {}", share(counts.missed(forged))));
        let told: Vec<String> = told.collect();
        note!(
            "  how likely so many forged blocks are all missed: {}",
            told.join(", ")
        );
    }
}

/// A probability for people, which is neither 0 nor 1.
fn share(probability: f64) -> String {
    match probability {
        low if low < 0.005 => "less than 1 %".to_owned(),
        high if high > 0.995 => "more than 99 %".to_owned(),
        usual => format!("{:.0} %", 100.0 * usual),
    }
}

/// Checks that a proof does not contradict itself, and the files of its layers that are there.
fn verify_proof(path: &Path) -> Result<(), Failure> {
    let proof =
        StatedProof::read(path).map_err(|error| Failure::failed(&error).with_help(error.help))?;
    let audit = proof.audit()?;
    let folder = path.display();
    let help = "restore the folder from a copy, or prove it again";
    check_sound(path, &audit.faults, help)?;
    let (size, sound) = (proof.size(), counted(audit.sound, "layer"));
    note!("{folder}: the tables agree with each other and with the statement: {size}");
    note!(
        "  {sound} held against their hashes, {} without a file here",
        audit.absent
    );
    note!("  `etude report {folder}` shows the commands that make it and check it again");
    Ok(())
}

/// Tells the faults of a folder; the failure that they are, if there are any.
fn check_sound(folder: &Path, faults: &[String], help: &str) -> Result<(), Failure> {
    let folder = folder.display();
    for fault in faults {
        note!("{folder}: {fault}");
    }
    let count = match faults.len() {
        0 => return Ok(()),
        1 => "one fault".to_owned(),
        more => format!("{more} faults"),
    };
    Err(Failure::failed(format!("{folder}: {count}")).with_help(help))
}
