//! Runs of coins in folders, which are forged and merged.

mod compared;
mod each_cell;
mod forged;
mod merged;
mod resumed;

use std::path::PathBuf;

use super::*;
use crate::coin;
use crate::run::{Interrupt, Progress, Shard, Silent};
use crate::store::{RunFolder, Union, fingerprint_files};

const PROGRAM: Application = Application {
    name: "coins",
    games: coin::GAMES,
    ..Application::LIBRARY
};

/// The number of blocks, of one sample each.
const BLOCKS: u64 = 12;
const ALL: &str = "0-11";
const KEPT: &str = "[output]\nsamples = true\n";
const CLAIM: &str =
    "[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"diff(0.75, 0.25).run > 0\"\n";

/// Twelve flips of two coins, by one thread.
fn flips(seed: u64, more: &str) -> Job {
    job_of(&flips_text(seed, more))
}

fn flips_text(seed: u64, more: &str) -> String {
    format!(
        "question = \"?\"\ntask = \"coin/flip\"\nseed = {seed}\n[stop]\nsamples = {BLOCKS}\n\
         [sweep]\np = [0.25, 0.75]\n{more}"
    )
}

fn job_of(text: &str) -> Job {
    let experiment = Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default());
    let mut job = Job::of_app(&PROGRAM, experiment.unwrap()).unwrap();
    job.threads = 1;
    job
}

type Forge = fn(&mut Manifest);

/// What is said while a folder is checked or merged.
#[derive(Default)]
struct Heard {
    notes: Vec<String>,
    warnings: Vec<String>,
    done: Vec<(u64, u64)>,
}

impl Observer for Heard {
    fn note(&mut self, remark: &str) {
        self.notes.push(remark.to_owned());
    }

    fn warning(&mut self, remark: &str) {
        self.warnings.push(remark.to_owned());
    }

    fn progress(&mut self, progress: Progress<'_>) {
        self.done.push((progress.done, progress.planned));
    }
}

/// The folder of a run.
struct Run {
    parent: tempfile::TempDir,
}

impl Run {
    fn of(job: Job) -> Self {
        let parent = tempfile::tempdir().unwrap();
        let run = Self { parent };
        run.go_on(job).unwrap();
        run
    }

    fn finished(seed: u64, more: &str) -> Self {
        Self::of(flips(seed, more))
    }

    /// Draws into the folder, or goes on there.
    fn go_on(&self, job: Job) -> Result<FinishedRun, Failure> {
        job.in_folder(self.path())
            .run(&Interrupt::new(), &mut Silent)
    }

    fn path(&self) -> PathBuf {
        self.parent.path().join("run")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap()
    }

    fn job(&self) -> Job {
        Job::of_folder(&PROGRAM, &self.path(), &mut Silent).unwrap()
    }

    fn archived(self) -> Self {
        self.archive().unwrap();
        self
    }

    fn archive(&self) -> Result<(), Failure> {
        let folder = RunFolder::open(&self.path()).unwrap();
        self.job().archive(&folder, false)
    }

    /// Writes another text into a file.
    fn forge(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.file(name), text).unwrap();
    }

    fn forge_manifest(&self, forge: impl FnOnce(&mut Manifest)) {
        let path = self.file("manifest.json");
        let mut manifest = Manifest::read(&path).unwrap();
        forge(&mut manifest);
        std::fs::write(path, manifest.to_json()).unwrap();
    }

    /// Gives the manifest the hashes of all files as they are.
    fn list(&self) {
        let files = fingerprint_files(&self.path()).unwrap();
        self.forge_manifest(|manifest| manifest.files = files);
    }

    /// Makes all tables of what the journal, or an archive, holds.
    fn remake(&self) {
        let (job, folder) = (self.job(), RunFolder::open(&self.path()).unwrap());
        let journal = job.journal_in(&self.path()).unwrap();
        job.write_anew(&folder, &journal).unwrap();
    }

    /// The blocks of the run.
    fn union(&self) -> Union {
        let job = self.job();
        let journal = job.journal_in(&self.path()).unwrap();
        Union::of(vec![(self.path(), journal)], &job.plan).unwrap()
    }

    /// The faults that a check finds which runs these blocks again.
    fn faults(&self, blocks: &str) -> Vec<String> {
        let chosen = ChosenBlocks::Named(blocks.parse().unwrap());
        let verified = self.job().verify(&chosen, &mut Silent);
        verified.unwrap().faults
    }

    /// Checks that just one fault is found.
    #[track_caller]
    fn has_fault(&self, blocks: &str, told: &str) {
        let faults = self.faults(blocks);
        let is_told = matches!(faults.as_slice(), [one] if one.contains(told));
        assert!(is_told, "{told}: {faults:?}");
    }
}
