//! Refusals to end a run whose files were changed in its folder while it went on.

use std::fmt::Display;
use std::path::Path;

use super::Job;
use crate::store::{Journal, Manifest, RunFolder, SampleReader};
use base::{Failure, count, files};

impl Job {
    /// Refuses to end a run whose experiment or manifest, which was `noted` as it began, was damaged in its folder
    /// while it went on: what it stored would mean something else.
    pub(super) fn check_written(
        &self,
        folder: &RunFolder,
        noted: &Manifest,
    ) -> Result<(), Failure> {
        let noted = blake3::hash(&noted.to_json()).to_hex().to_string();
        let own = [
            ("config.toml", self.experiment.digest()),
            ("manifest.json", noted),
        ];
        for (name, written) in own {
            let path = folder.file(name);
            let found =
                files::small_digest(&path).map_err(|error| changed(&path, error, RESTORE))?;
            if found != written {
                return Err(changed(&path, "it is not what the run wrote", RESTORE));
            }
        }
        Ok(())
    }

    /// Refuses to end a complete run whose journal or samples were damaged in its folder while it went on.
    pub(super) fn check_stored(
        &self,
        folder: &RunFolder,
        (journal, done): (&Journal, u64),
    ) -> Result<(), Failure> {
        let path = folder.file("blocks.csv");
        if let Some(damage) = journal.damage.told().first() {
            return Err(changed(folder.path(), damage, DRAW_AGAIN));
        }
        let blocks = || {
            journal
                .indices()
                .iter()
                .map(|&index| self.plan.block(index))
        };
        let stored: u64 = blocks().map(|block| block.samples).sum();
        if stored != done {
            let [stored, done] = [stored, done].map(count);
            let lost = format!("it has {stored} of {done} samples");
            return Err(changed(&path, lost, DRAW_AGAIN));
        }
        if !self.experiment.keeps_samples() {
            return Ok(());
        }
        let path = folder.file("samples.csv");
        let read = SampleReader::open(&path, &self.sample_table()).and_then(|mut reader| {
            blocks().try_for_each(|block| reader.stored_block(&block, journal).map(drop))
        });
        read.map_err(|error| changed(&path, error, DRAW_AGAIN))
    }
}

/// The failure of a run a file of which was changed in its folder while it went on.
fn changed(place: &Path, what: impl Display, help: &str) -> Failure {
    let what = format!("{what}: it was changed while the run went on");
    Failure::of_file(place, what).with_help(help)
}

/// The advice on a file that only the run's end writes again.
const RESTORE: &str =
    "restore it, and go on with --resume: all samples are stored; or start over with --force";

/// The advice on files whose lines have hashes.
const DRAW_AGAIN: &str =
    "go on with --resume: what is damaged or lost is drawn again, all else is kept";
