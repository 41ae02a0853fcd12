//! The end of a run, and what to tell a person about it.

use crate::run::{Ended, Fault, StopReason};
use crate::tables::TruthRow;
use base::{count, counted};

use super::Job;
use base::Failure;

/// A run that has ended, one way or another.
pub struct FinishedRun {
    /// The job; its manifest counts the samples that are stored.
    pub job: Job,
    /// The end.
    pub ended: Ended,
}

/// The advice after a run whose program changed, or denied an answer.
const DENIED: &str = "what is stored was drawn by the program as the run began with it: with that \
program, --resume goes on; with another one, start over with --force or choose another folder with \
--out";

impl FinishedRun {
    /// Returns whether the run need not go on.
    pub fn is_complete(&self) -> bool {
        self.ended.completed().is_some()
    }

    /// Refuses to call a run done whose samples contradict an exact value that is declared.
    ///
    /// # Errors
    /// The first contradiction, or `truths.csv` cannot be read.
    pub fn check_truths(&self) -> Result<(), Failure> {
        let rows: Vec<TruthRow> = self.job.stored().rows()?;
        let told = rows.iter().find_map(TruthRow::contradiction);
        told.map_or(Ok(()), |told| {
            Err(Failure::failed(told).with_help(
                "the samples decide: mend what is declared, or the program that draws them",
            ))
        })
    }

    /// Returns a remark on how the run ended, if there is one.
    ///
    /// # Errors
    /// If the run was cut short, found a fault, contradicts what is declared, or came to its cap undecided; the
    /// [`Failure`] says how to go on.
    pub fn verdict(&self) -> Result<Option<String>, Failure> {
        if self.is_complete() {
            self.check_truths()?;
        }
        let so_far = self.so_far();
        let cut_short = match &self.ended {
            Ended::Complete(StopReason::Samples) => return Ok(None),
            Ended::Complete(StopReason::MaxSamples) => return Err(self.capped()),
            Ended::Complete(reason) => {
                let remark = format!("stopped after {}: {}", self.drawn(), reason.as_ref());
                return Ok(Some(remark + &self.not_waited_for()));
            }
            Ended::Waiting => {
                return Ok(Some(format!("{so_far}; the others wait for a larger --to")));
            }
            Ended::Fault(fault) => return Err(self.at_fault(fault)),
            Ended::Failed(denial) => {
                let (what, rest) = denial.split_once('\n').unwrap_or((denial, ""));
                let message = format!("{what} ({so_far})\n{rest}");
                return Err(Failure::failed(message.trim_end()).with_help(DENIED));
            }
            Ended::Running | Ended::Interrupted => {
                Failure::interrupted(format!("interrupted: {so_far}"))
            }
            Ended::Aborted(open) => Failure::interrupted(format!(
                "stopped immediately: {so_far}; {open} in progress count as unresolved in the tables"
            )),
            Ended::Unstored(error) => Failure::failed(format!("{error} ({so_far})")),
        };
        let folder = self.job.folder.display();
        Err(cut_short.with_help(format!(
            "to continue: the same command with --resume; the folder is {folder}"
        )))
    }

    /// The failure of a run that looks and came to its cap.
    fn capped(&self) -> Failure {
        if self.job.experiment.ratio_rule().is_some() {
            return Failure::capped(format!(
                "{}: the interval is wider than [stop.ratio] asks for after all {} instances",
                self.job.folder.display(),
                count(self.done())
            ))
            .with_help("allow more with --samples N --resume, or ask for less with `within`");
        }
        let cap = format!("the cap of {} samples", count(self.done()));
        let (cells, settled) = (
            self.job.experiment.cells.len(),
            self.job.manifest.settled.len(),
        );
        let told = match settled {
            0 => format!("stopped at {cap} of each cell"),
            _ => format!("{} of {cells} cells came to {cap}", cells - settled),
        };
        Failure::capped(format!("inconclusive: {told} (max-samples)"))
            .with_help("the results so far stand; to continue, raise max-samples and use --resume")
    }

    /// Tells of the players that are out: a rule that looks does not wait for their cells.
    fn not_waited_for(&self) -> String {
        let players = self.job.compiled.programs().players().iter();
        let out = players.filter(|player| player.out().is_some());
        let names: Vec<&str> = out.map(|player| &*player.declaration().name).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!(
                "; no cell of {}, who cannot play, was waited for",
                names.join(" or ")
            ),
        }
    }

    fn at_fault(&self, fault: &Fault) -> Failure {
        let config = format!("{}/config.toml", self.job.folder.display());
        let (fault, replay) = self.job.told(fault, &config);
        // What a program wrote to its standard error may follow the first line.
        let (what, rest) = fault.split_once('\n').unwrap_or((&fault, ""));
        let message = format!("{what} ({})\n{rest}", self.so_far());
        Failure::failed(message.trim_end()).with_help(replay)
    }

    /// Samples of each cell that are stored.
    fn done(&self) -> u64 {
        self.job.manifest.samples_done
    }

    /// The samples of cells that drew equally many, or the fewest and the most.
    pub(super) fn drawn(&self) -> String {
        let manifest = &self.job.manifest;
        let which = if manifest.settled.is_empty() {
            "each"
        } else {
            "a"
        };
        format!("{} samples of {which} cell", manifest.drawn())
    }

    fn so_far(&self) -> String {
        let planned = counted(self.job.plan.shard_samples(), "sample");
        format!("{} of {planned} are stored", count(self.done()))
    }
}
