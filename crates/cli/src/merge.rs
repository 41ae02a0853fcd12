//! `etude merge`: combines the shards of an experiment into the folder that one machine would have
//! written.

use std::path::{Path, PathBuf};

use clap::Args;
use lab::job::MergeJob;
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

The folders may come in any order. merge refuses different configurations, a shard given twice, and \
missing blocks. Except for the manifest and the timings, the result has the bytes of a run on one \
machine.")]
pub struct MergeArguments {
    /// The folder to write, unless --out names it, and the folders that the shards wrote
    #[arg(required = true, value_name = "[OUT] SHARD_DIR")]
    folders: Vec<PathBuf>,
    /// The folder to write; all others are then shards
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Merge the blocks before the first missing one, where any are missing
    #[arg(long)]
    allow_partial: bool,
    /// No summary
    #[arg(long, short)]
    quiet: bool,
}

impl MergeArguments {
    pub fn run(self, app: &Application) -> Result<(), Failure> {
        let (out, shards) = self.folders()?;
        let job = MergeJob::open(app, shards, &mut Display::default())?;
        let merged = job.write(out, self.allow_partial, &mut Display::default())?;
        if !self.quiet {
            report::print(app, out, false)?;
            report::tell_next(app, out);
        }
        merged.check_truths()
    }

    /// The folder to write and the shards: the first of all folders is written unless `--out` names
    /// another. A shard there was hardly meant.
    fn folders(&self) -> Result<(&Path, &[PathBuf]), Failure> {
        let (out, shards) = match (&self.out, self.folders.as_slice()) {
            (Some(out), shards) => return Ok((out, shards)),
            (None, [out, shards @ ..]) => (out, shards),
            (None, []) => return Err(Failure::usage("there is nothing to merge")),
        };
        let manifest = Manifest::read(&out.join("manifest.json")).ok();
        if let Some(shard) = manifest.map(|manifest| manifest.shard)
            && !shard.is_whole()
        {
            let path = out.display();
            return Err(Failure::usage(format!(
                "which folder shall the merged run be written to? {path} holds shard {shard}"
            ))
            .with_help("name it first, or with --out"));
        }
        if shards.is_empty() {
            return Err(Failure::usage("there are no shards to merge")
                .with_help("name the folder to write first, then the folders of the shards"));
        }
        Ok((out, shards))
    }
}
