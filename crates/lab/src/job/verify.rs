//! Checks that the numbers in a run folder are what the experiment gives.
//!
//! Random stored blocks are run again and compared, kept samples row by row. Every table is
//! made anew from the tallies of the blocks, or from their sums in an archived folder, and compared byte by byte.
//! Every file is compared with its hash in the manifest.

use std::collections::BTreeSet;
use std::io;

use crate::run::{Block, CellLimits, Ended, Observer, Progress, RunTallies};
use crate::store::{Exhibit, Journal, MACHINE, STREAM_SCHEME, Stored, TALLIES, digest_in};
use base::files::Fill;

use super::changes::FileChange;
use super::choice::{BlockNumbers, ChosenBlocks, probability_missed};
use super::final_tables::FinalTables;
use super::rerun::Rerun;
use super::{Job, programs};
use base::{Failure, counted};
use task::Origin;

/// The result of the checks of a run folder.
#[derive(Clone, Debug)]
pub struct Verification {
    /// Samples of each cell that were run again.
    pub samples: u64,
    /// The blocks that were run again, or were too late to be compared.
    pub blocks: BlockNumbers,
    /// The number of these blocks, and of all that are stored.
    pub counts: BlockCounts,
    /// The faults that were found.
    pub faults: Vec<String>,
    /// The advice where all faults are those of tables that this program would write in another way.
    pub advice: Option<String>,
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
        programs::handshake(&self.compiled, &self.experiment, &self.manifest.programs).map_err(
            |failure| {
                failure.with_help(
                "nothing was checked: `etude verify` runs samples again by the experiment's own \
                 programs; `etude report` starts none",
            )
            },
        )?;
        programs::warn_of_outs(&self.compiled, observer);
        self.check_folder(wanted, observer)
    }

    /// Refuses a folder whose tables do not follow from its journal yet.
    fn check_ended(&self) -> Result<(), Failure> {
        let state = match self.manifest.exit_reason {
            Ended::Running => {
                "the run is still going, or was killed; its tables are not written yet"
            }
            Ended::Aborted(_) => {
                "the run was stopped immediately, so its tables count samples in progress as \
                 unresolved"
            }
            _ => return self.check_archive(),
        };
        Err(
            Failure::usage(format!("{}: {state}", self.folder.display())).with_help(format!(
                "finish it with `etude {} ... --resume`, then verify",
                self.experiment.verb()
            )),
        )
    }

    /// Compares the folder with what its journal and the experiment give.
    fn check_folder(
        &self,
        wanted: &ChosenBlocks,
        observer: &mut dyn Observer,
    ) -> Result<Verification, Failure> {
        let stored = self.stored();
        if !stored.is_there("blocks.csv") {
            let path = self.folder.display();
            let message =
                format!("{path}: blocks.csv is missing, the journal that tables are made of");
            return Err(
                Failure::failed(message).with_help("restore it from a copy, or repeat the run")
            );
        }
        let journal = self.journal_in(&self.folder).map_err(Failure::failed)?;
        let mut faults = file_faults(&stored);
        faults.extend(damage(&journal));
        let all: u64 = journal.hashed_blocks().map(|block| block.samples).sum();
        let limits = self.limits(&journal)?;
        faults.extend(self.manifest_fault(all, &limits));
        faults.extend(self.machine_fault(all)?);
        let mut chosen = wanted.among(&journal)?;
        let counts = BlockCounts {
            chosen: chosen.len() as u64,
            stored: journal.hashed_blocks().count() as u64,
        };
        let doubtful = self.doubtful(&journal, &limits);
        chosen.extend(doubtful.map_err(|error| self.unreadable(&error))?);
        let blocks = BlockNumbers::of(&chosen);
        let (rerun, differences) = self.rerun(chosen, &journal, observer)?;
        faults.extend(differences);
        let samples = rerun.samples;
        let tallies = self.tallies(&journal);
        let tallies = tallies.inspect_err(|failure| faults.push(failure.to_string()));
        let mut advice = None;
        if let Ok(tallies) = tallies {
            if journal.is_archived() {
                faults.extend(forged(&tallies, rerun, all)?);
            }
            let is_sound = faults.is_empty();
            let changed = self.changes(&FinalTables::of(self), &journal, &tallies)?;
            advice = (is_sound && !changed.is_empty()).then(|| self.advice());
            faults.extend(table_faults(&changed));
        }
        Ok(Verification {
            samples,
            blocks,
            counts,
            faults,
            advice,
        })
    }

    /// The advice where tables differ from those that this program makes, and nothing else is wrong.
    fn advice(&self) -> String {
        let own = Origin::now(&self.app);
        let revision = own.revision.as_deref().unwrap_or("not known");
        let own = format!("{}, revision {revision}", own.program);
        let by = self.manifest.tables_by();
        let cause = if by == own {
            "somebody edited its tables, or another build wrote them".to_owned()
        } else {
            format!(
                "its tables were written by {by}, and this is {own}, unless somebody edited them"
            )
        };
        let config = self.folder.join("config.toml");
        format!(
            "{cause}: `etude {} {} --resume` makes them anew",
            self.experiment.verb(),
            config.display()
        )
    }

    /// Runs blocks again, and says where the stored ones differ.
    pub(super) fn rerun(
        &self,
        chosen: BTreeSet<Block>,
        journal: &Journal,
        observer: &mut dyn Observer,
    ) -> Result<(Rerun<'_>, Vec<String>), Failure> {
        let mut rerun = Rerun::of(self, journal)?;
        let mut faults = Vec::new();
        let (mut done, planned) = (0, chosen.iter().map(|block| block.samples).sum());
        for block in chosen {
            let (tally, limits) = (&rerun.total, &rerun.limits);
            let resumed = 0;
            observer.progress(Progress {
                done,
                resumed,
                planned,
                tally,
                limits,
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

    /// Returns whether a file holds what `fill` writes; an exhibit may hold it as an archive packs it.
    pub(super) fn holds(&self, name: &str, fill: &mut Fill<'_>) -> bool {
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

    /// The first and the last block with samples of a cell that the looks before had settled, or without those of one
    /// that they had not: a forger may have cut the cell later, or earlier.
    fn doubtful(&self, journal: &Journal, limits: &CellLimits) -> io::Result<Vec<Block>> {
        let mut doubtful = Vec::new();
        let looks = self.experiment.stop.stops_each_cell();
        for block in looks.then(|| journal.blocks()).into_iter().flatten() {
            let (index, stored) = block?;
            let block = self.plan.block(index);
            let differs =
                |cell| limits.is_settled(cell, block.first) == stored.tally.is_drawn(cell);
            if (0..self.compiled.cells()).any(differs) {
                doubtful.truncate(1);
                doubtful.push(block);
            }
        }
        Ok(doubtful)
    }

    /// The first fact of the manifest that the experiment or the samples in the journal contradict.
    fn manifest_fault(&self, stored: u64, limits: &CellLimits) -> Option<String> {
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
                let is_other = manifest.settled != self.settled(limits, stored);
                is_other.then(|| "`settled` is not what the looks at the samples say".to_owned())
            })
            .or_else(|| {
                own(
                    "fingerprint",
                    &manifest.fingerprint,
                    &experiment.fingerprint(),
                )
            })
            .or_else(|| own("noun", &manifest.noun, experiment.noun()))
            .or_else(|| own("config_hash", &manifest.config_hash, &experiment.digest()))
            .or_else(|| own("stream_scheme", &manifest.stream_scheme, STREAM_SCHEME));
        fault.map(|fault| format!("manifest.json: {fault}"))
    }

    /// A fact on the machine of a race that contradicts its instances. A race that has none began on no machine.
    fn machine_fault(&self, stored: u64) -> Result<Option<String>, Failure> {
        if stored == 0 || !self.stored().is_there(MACHINE) {
            return Ok(None);
        }
        let fault = self.machine()?.contradiction(stored);
        Ok(fault.map(|fault| format!("{MACHINE}: {fault}")))
    }
}

/// The faults of files that are not those that the run wrote.
fn file_faults(stored: &Stored) -> Vec<String> {
    let edited = stored.edited(|_| true);
    let edited = edited.map(|name| format!("{name}: {}", stored.damage(name)));
    let foreign = stored
        .foreign()
        .into_iter()
        .map(|name| format!("{name} is not listed in manifest.json: the run did not write it"));
    edited.chain(foreign).collect()
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

/// Returns why sums cannot be those of the blocks that were run again; where these are all blocks with so many
/// samples, theirs are the same.
fn forged(tallies: &RunTallies, rerun: Rerun<'_>, all: u64) -> Result<Option<String>, Failure> {
    let is_possible = if rerun.samples == all {
        let journal = rerun.remade.into_journal()?;
        journal.tallies().map_err(Failure::failed)? == *tallies
    } else {
        tallies.total.can_hold(&rerun.total)
    };
    let told = || format!("{TALLIES} does not hold the sums of the blocks that were run again");
    Ok((!is_possible).then(told))
}

/// Values of tables that are told one by one.
const TOLD: usize = 10;

/// The faults of tables that this program would write in another way, with the first values that differ.
fn table_faults(changes: &[FileChange]) -> Vec<String> {
    let mut left = TOLD;
    let mut fault = |change: &FileChange| {
        let name = &change.name;
        if change.made.is_none() {
            return format!("{name} is there, but the experiment gives no such table");
        }
        let mut told = format!("{name} differs from the one that this program makes");
        for value in change.values().take(left) {
            told.push_str(&format!("\n  {value}"));
            left -= 1;
        }
        told
    };
    let mut faults: Vec<String> = changes.iter().map(&mut fault).collect();
    let values: usize = changes.iter().map(|change| change.values().count()).sum();
    if let Some(last) = faults.last_mut()
        && values > TOLD
    {
        last.push_str(&format!(
            "\n  and {}",
            counted((values - TOLD) as u64, "more value")
        ));
    }
    faults
}
