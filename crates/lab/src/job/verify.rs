//! Checks that the numbers in a run folder are what the experiment gives.
//!
//! Random stored blocks are run again and compared, kept samples row by row. Every table is
//! rebuilt from the journal and compared byte by byte. Every file is compared with its hash in the
//! manifest.

use std::collections::BTreeSet;
use std::io;

use crate::run::{Block, BlockTally, Ended, Observer, Outcome, Progress};
use crate::store::{Exhibit, Journal, STREAM_SCHEME, digest_in, fingerprint_files, is_large};
use crate::tables::{RunFacts, optional_tables, outcome_tables};
use task::counted;
use task::files::Fill;

use super::choice::{BlockNumbers, ChosenBlocks, probability_missed};
use super::final_tables::FinalTables;
use super::race::MACHINE;
use super::rerun::Rerun;
use super::{Job, programs};
use task::Failure;

/// The result of the checks of a run folder.
#[derive(Clone, Debug)]
pub struct Verification {
    /// Samples of each cell that were run again.
    pub samples: u64,
    /// The blocks that were run again, or were too late to be compared.
    pub blocks: BlockNumbers,
    /// The number of these blocks, and of all that are stored.
    pub counts: BlockCounts,
    /// True if the tables were only compared with their hashes.
    pub is_partial: bool,
    /// The faults that were found.
    pub faults: Vec<String>,
}

/// Numbers of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockCounts {
    /// Those that were chosen.
    pub chosen: u64,
    /// All that are stored.
    pub stored: u64,
}

impl BlockCounts {
    /// The probability that so many forged blocks are all missed, had the blocks been drawn at random.
    pub fn missed(self, forged: u64) -> f64 {
        probability_missed(self.stored, self.chosen, forged)
    }
}

impl Verification {
    /// A description of the checks that were made and of those that were skipped.
    pub fn checks(&self) -> &'static str {
        if self.is_partial {
            "each block matches its hash; skipped: blocks.csv holds only hashes, so the tables were only \
             compared with their hashes, not rebuilt"
        } else {
            "all tables remade"
        }
    }
}

impl Job {
    /// Checks that the numbers in the run folder are what the experiment gives: runs some of its
    /// blocks again, rebuilds every table, and compares them exactly.
    ///
    /// # Errors
    /// If the run has not ended, a program may not be started, a block is not there, or a file cannot be
    /// read.
    pub fn verify(
        &mut self,
        wanted: &ChosenBlocks,
        observer: &mut dyn Observer,
    ) -> Result<Verification, Failure> {
        self.check_ended()?;
        self.ask(None, observer)?;
        programs::handshake(&self.experiment, &self.manifest.programs).map_err(|failure| {
            failure.with_help(
                "nothing was checked: `etude verify` runs samples again by the experiment's own \
                 programs; `etude report` starts none",
            )
        })?;
        programs::warn_of_outs(&self.experiment, observer);
        self.check_folder(wanted, observer)
    }

    /// Refuses a folder whose tables do not follow from its journal yet.
    fn check_ended(&self) -> Result<(), Failure> {
        let verb = if self.experiment.is_race() {
            "bench"
        } else {
            "run"
        };
        let state = match self.manifest.exit_reason {
            Ended::Running => {
                "the run is still going, or was killed; its tables are not written yet"
            }
            Ended::Aborted(_) => {
                "the run was stopped immediately, so its tables count samples in progress as \
                 unresolved"
            }
            _ => return Ok(()),
        };
        Err(
            Failure::usage(format!("{}: {state}", self.folder.display())).with_help(format!(
                "finish it with `etude {verb} ... --resume`, then verify"
            )),
        )
    }

    /// Compares the folder with what its journal and the experiment give.
    fn check_folder(
        &self,
        wanted: &ChosenBlocks,
        observer: &mut dyn Observer,
    ) -> Result<Verification, Failure> {
        if !self.is_there("blocks.csv") {
            let path = self.folder.display();
            let message =
                format!("{path}: blocks.csv is missing, the journal that tables are made of");
            return Err(
                Failure::failed(message).with_help("restore it from a copy, or repeat the run")
            );
        }
        let journal = self.journal_in(&self.folder).map_err(Failure::failed)?;
        let mut faults = self.changed_files();
        faults.extend(self.unlisted_files());
        faults.extend(damage(&journal));
        let all: u64 = journal.hashed_blocks().map(|block| block.samples).sum();
        faults.extend(self.manifest_fault(all));
        faults.extend(self.machine_fault(all)?);
        let chosen = wanted.among(&journal)?;
        let blocks = BlockNumbers::of(&chosen);
        let counts = BlockCounts {
            chosen: chosen.len() as u64,
            stored: journal.hashed_blocks().count() as u64,
        };
        let (rerun, differences) = self.rerun(chosen, &journal, observer)?;
        faults.extend(differences);
        let again = rerun.samples;
        let is_partial = journal.is_archived() && again < all;
        faults.extend(if is_partial {
            self.foreign_tables(rerun.total)
        } else if journal.is_archived() {
            self.remake(&rerun.remade.into_journal().map_err(Failure::failed)?)?
        } else {
            self.remake(&journal)?
        });
        Ok(Verification {
            samples: again,
            blocks,
            counts,
            is_partial,
            faults,
        })
    }

    /// Runs blocks again, and says where the stored ones differ.
    pub(super) fn rerun(
        &self,
        chosen: BTreeSet<Block>,
        journal: &Journal,
        observer: &mut dyn Observer,
    ) -> Result<(Rerun<'_>, Vec<String>), Failure> {
        let mut rerun = Rerun::of(self, journal.is_archived())?;
        let mut faults = Vec::new();
        let (mut done, planned) = (0, chosen.iter().map(|block| block.samples).sum());
        for block in chosen {
            let tally = &rerun.total;
            let resumed = 0;
            observer.progress(Progress {
                done,
                resumed,
                planned,
                tally,
                watch: None,
            });
            faults.extend(rerun.compare(block, journal));
            done += block.samples;
        }
        observer.ended();
        faults.extend(rerun.surplus(journal));
        if rerun.late > 0 {
            let blocks = counted(rerun.late, "block");
            observer.warning(&format!(
                "{blocks} not compared: other samples than before took too long, which the clock \
                 decides; verify on a machine as fast as the one that drew them"
            ));
        }
        Ok((rerun, faults))
    }

    /// The failure of a journal, or of the samples beside it, that cannot be read.
    pub(super) fn unreadable(&self, error: &io::Error) -> Failure {
        Failure::of_file(&self.folder.join("blocks.csv"), error)
    }

    /// Rebuilds every table from the journal and compares.
    fn remake(&self, journal: &Journal) -> Result<Vec<String>, Failure> {
        let tables = FinalTables::of(self);
        let total = journal.total();
        let total = total.map_err(|error| self.unreadable(&error))?;
        let (mut given, mut faults) = (Vec::new(), Vec::new());
        let mut compare = |name: &str, fill: &mut Fill<'_>| {
            if !self.holds(name, fill) {
                faults.push(format!(
                    "{name} differs from the table rebuilt from the journal"
                ));
            }
            given.push(name.to_owned());
            Ok(())
        };
        tables.files(journal, total, &mut compare)?;
        let config = self.experiment.resolved_toml();
        compare("config.toml", &mut |file| file.write_all(config.as_bytes()))?;
        faults.extend(self.not_given(&given));
        Ok(faults)
    }

    /// Returns whether a file holds what `fill` writes; an exhibit may hold it as an archive packs it.
    fn holds(&self, name: &str, fill: &mut Fill<'_>) -> bool {
        let stored = digest_in(&self.folder, name).unwrap_or_default();
        let is_stored = |fill: &mut Fill<'_>| {
            let mut hasher = blake3::Hasher::new();
            fill(&mut hasher).is_ok() && stored == hasher.finalize().to_hex().as_str()
        };
        let mut packed = || {
            let mut exhibit = Vec::new();
            fill(&mut exhibit).ok()?;
            let packed = Exhibit::parse(&exhibit).ok()?.into_packed().to_json();
            Some(is_stored(&mut |file| file.write_all(&packed)))
        };
        (name == Exhibit::FILE && packed() == Some(true)) || is_stored(fill)
    }

    /// The tables in the folder that are not among those that the experiment gives.
    fn not_given(&self, given: &[String]) -> Vec<String> {
        let foreign = self.present_tables().filter(|name| !given.contains(name));
        foreign
            .map(|name| format!("{name} is there, but the experiment gives no such table"))
            .collect()
    }

    /// The files in the folder that some runs have and others have not.
    fn present_tables(&self) -> impl Iterator<Item = String> {
        let names = optional_tables().map(|table| format!("{table}.csv"));
        names.filter(|name| self.is_there(name))
    }

    fn is_there(&self, name: &str) -> bool {
        self.folder.join(name).symlink_metadata().is_ok()
    }

    /// Names the tables that the experiment does not give, as far as the samples that were run again tell.
    fn foreign_tables(&self, again: BlockTally) -> Vec<String> {
        let (experiment, compiled) = (&self.experiment, &self.compiled);
        let outcome = Outcome::of(compiled, again, experiment.confidence());
        let facts = RunFacts::of(experiment, compiled, &outcome, (&[], ""));
        let given = outcome_tables(&facts).map(|table| format!("{}.csv", table.name()));
        self.not_given(&given.collect::<Vec<_>>())
    }

    /// The first fact of the manifest that the experiment or the samples in the journal contradict.
    fn manifest_fault(&self, stored: u64) -> Option<String> {
        let (manifest, experiment) = (&self.manifest, &self.experiment);
        let number = |key: &str, found: u64, expected: u64| {
            let told = || format!("`{key}` is {found}, and {expected} was expected");
            (found != expected).then(told)
        };
        let own = |key: &str, found: &str, own: &str| {
            (found != own).then(|| format!("`{key}` is not that of the experiment"))
        };
        let planned = self.plan.shard_samples();
        let fault = (manifest.contradiction(&experiment.file))
            .or_else(|| number("samples_planned", manifest.samples_planned, planned))
            .or_else(|| number("samples_done", manifest.samples_done, stored))
            .or_else(|| {
                own(
                    "fingerprint",
                    &manifest.fingerprint,
                    &experiment.fingerprint(),
                )
            })
            .or_else(|| own("config_hash", &manifest.config_hash, &experiment.digest()))
            .or_else(|| own("stream_scheme", &manifest.stream_scheme, STREAM_SCHEME));
        fault.map(|fault| format!("manifest.json: {fault}"))
    }

    /// A fact on the machine of a race that contradicts its instances. A race that has none began on no machine.
    fn machine_fault(&self, stored: u64) -> Result<Option<String>, Failure> {
        if !self.experiment.is_race() || stored == 0 {
            return Ok(None);
        }
        let fault = self.machine()?.contradiction(stored);
        Ok(fault.map(|fault| format!("{MACHINE}: {fault}")))
    }

    /// Tables of another run.
    fn unlisted_files(&self) -> Vec<String> {
        let exhibit = Some(Exhibit::FILE.to_owned()).filter(|name| self.is_there(name));
        let names = self.present_tables().chain(exhibit);
        names
            .filter(|name| !self.manifest.files.contains_key(name))
            .map(|name| format!("{name} is not listed in manifest.json: the run did not write it"))
            .collect()
    }

    /// Refuses a folder with a file that is not the one that was written, one whose run wrote no tables, and one whose
    /// manifest contradicts the experiment.
    pub(super) fn check_files(&self) -> Result<(), Failure> {
        let has_tables = self.manifest.files.contains_key("summary.csv");
        let without = || (!has_tables).then(|| "the run has no tables yet".to_owned());
        let contradiction = || self.manifest.contradiction(&self.experiment.file);
        let changed = self.changed_files().into_iter().next();
        let fault = changed.or_else(without).or_else(contradiction);
        let folder = || self.folder.display().to_string();
        fault.map_or(Ok(()), |fault| Err(Failure::input(folder(), fault, "")))
    }

    /// Refuses a race with a file that is not the one that was written, or a manifest that contradicts the
    /// experiment.
    ///
    /// # Errors
    /// If it has one.
    pub fn check_race(&self) -> Result<(), Failure> {
        self.check_unedited(|_| true)?;
        let is_open = self.manifest.exit_reason == Ended::Running;
        let fault = self.manifest.contradiction(&self.experiment.file);
        let fault = fault.filter(|_| !is_open);
        fault.map_or(Ok(()), |fault| Err(self.edited(&fault)))
    }

    /// Refuses a race if one of its files that are `asked` for is not the one that was written; while it goes on, or
    /// after it was killed, those that grow are not known.
    pub(super) fn check_unedited(&self, asked: impl Fn(&str) -> bool) -> Result<(), Failure> {
        let is_open = self.manifest.exit_reason == Ended::Running;
        let grows = |name: &str| is_open && (is_large(name) || name == MACHINE);
        let mut edited = self.changed_names();
        let edited = edited.find(|name| asked(name) && !grows(name));
        edited.map_or(Ok(()), |name| Err(self.edited(&changed(name))))
    }

    fn edited(&self, fault: &str) -> Failure {
        let help = "restore the folder from a copy, or race again; `etude verify` says all that was changed";
        Failure::input(self.folder.display().to_string(), fault, help)
    }

    /// Files that are not those that were written.
    fn changed_files(&self) -> Vec<String> {
        self.changed_names().map(changed).collect()
    }

    /// The names of the files that are not those that were written.
    fn changed_names(&self) -> impl Iterator<Item = &String> {
        let hashes = fingerprint_files(&self.folder).unwrap_or_default();
        let files = self.manifest.files.iter();
        let changed = files.filter(move |(name, hash)| hashes.get(*name) != Some(hash));
        changed.map(|(name, _)| name)
    }
}

/// The fault of a file that is not the one that was written.
fn changed(name: &String) -> String {
    format!("{name} is not the file that was written (its hash differs)")
}

/// Returns the defects of the journal: its first damaged lines, the number of further ones, and rows that
/// are left over or out of order.
fn damage(journal: &Journal) -> Vec<String> {
    let mut damage = journal.damage.told();
    if damage.is_empty() && !journal.is_sealed() {
        damage.push("blocks.csv: there are extra rows, or they are out of order".into());
    }
    damage
}
