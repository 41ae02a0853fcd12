//! `etude merge`: combines the shards of an experiment into the folder that one machine would have
//! written.

use std::path::{Path, PathBuf};

use base::counted;
use clap::Args;
use lab::job::{MergeJob, WaveDecision};
use lab::store::Manifest;

use super::Application;
use super::failure::Failure;
use super::progress::Display;
use super::report;

/// Merge the shards of an experiment
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude merge results/klondike-casino shards/1 shards/2 shards/3
  etude merge --out results/klondike-casino shards/*
  etude merge --decide shards/*                         may the run stop? 0: yes, 3: go on

The folders may come in any order, and blocks that are in several of them count once. merge refuses different \
configurations, blocks that differ, and missing blocks. Except for the manifest and the timings, the result has the \
bytes of a run on one machine, which stops where its rule says.")]
pub(crate) struct MergeArguments {
    /// The folder to write, unless --out names it, and the folders that the shards wrote
    #[arg(required = true, value_name = "[OUT] SHARD_DIR")]
    folders: Vec<PathBuf>,
    /// The folder to write; all others are then shards
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Merge the blocks that are there, where any are missing; of a run that may stop early, those before the first
    /// missing one
    #[arg(long)]
    allow_partial: bool,
    /// Look at the shards as the stop rule of the experiment does: 0 if the run may end, which is then written if a
    /// folder for it is given, and 3 if it must go on
    #[arg(long, conflicts_with = "allow_partial")]
    decide: bool,
    /// No summary
    #[arg(long, short)]
    quiet: bool,
}

impl MergeArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        let (out, shards) = self.folders()?;
        let mut display = Display::default();
        let job = MergeJob::open(app, shards, &mut display)?;
        if self.decide {
            let WaveDecision { reason, samples } = job.decide(&mut display)?;
            let samples = counted(samples, "sample");
            let Some(reason) = reason else {
                return Err(Failure::capped(format!(
                    "go on: after {samples} of each cell the experiment does not say to stop"
                )));
            };
            note!(
                "the run ends after {samples} of each cell: {}",
                reason.as_ref()
            );
        }
        let Some(out) = out else {
            return Ok(());
        };
        let merged = job.write(out, self.allow_partial, &mut display)?;
        if !self.quiet {
            report::print(app, out, false)?;
            report::tell_next(app, out);
        }
        if self.decide || !merged.is_complete() {
            return merged.check_truths();
        }
        if let Some(remark) = merged.verdict()? {
            note!("{remark}");
        }
        Ok(())
    }

    /// The folder to write and the shards: the first of all folders is written unless `--out` names
    /// another. A shard there was hardly meant, unless nothing is to be written.
    fn folders(&self) -> Result<(Option<&Path>, &[PathBuf]), Failure> {
        let (out, shards) = match (&self.out, self.folders.as_slice()) {
            (Some(out), shards) => return Ok((Some(out), shards)),
            (None, [out, shards @ ..]) => (out, shards),
            (None, []) => return Err(Failure::usage("there is nothing to merge")),
        };
        let manifest = Manifest::read(&out.join("manifest.json")).ok();
        if let Some(shard) = manifest.map(|manifest| manifest.shard)
            && !(shard.is_whole() || shard.is_partial())
        {
            if self.decide {
                return Ok((None, &self.folders));
            }
            let path = out.display();
            return Err(Failure::usage(format!(
                "which folder shall the merged run be written to? {path} holds shard {shard}"
            ))
            .with_help("name it first, or with --out"));
        }
        if shards.is_empty() && self.decide {
            return Ok((None, &self.folders));
        }
        if shards.is_empty() {
            return Err(Failure::usage("there are no shards to merge")
                .with_help("name the folder to write first, then the folders of the shards"));
        }
        Ok((Some(out), shards))
    }
}
