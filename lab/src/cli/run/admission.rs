//! What a run refuses before a sample is drawn: a share that could not know when to stop, a folder
//! whose run would be lost.

use crate::config::Experiment;
use crate::harness::{Plan, Shard};
use crate::output::{FolderState, Manifest, RunFolder};

use crate::cli::closing::COMPLETE;
use crate::cli::experiment::load_from_folder;
use crate::cli::failure::Failure;
use crate::cli::program::Program;
use crate::cli::shard::shard_text;

/// Refuses to run all that a share could ever need of a run that may stop long before.
pub fn check_waves(
    experiment: &Experiment,
    shard: Shard,
    until: Option<u64>,
) -> Result<(), Failure> {
    if !experiment.stop.looks() || shard.is_whole() || until.is_some() {
        return Ok(());
    }
    Err(Failure::usage(
        "a share does not see the others' samples, so it cannot know when to stop",
    )
    .with_help(
        "run the shares in waves: --until N and --resume, with N growing until etude merge has \
         enough; etude cluster slurm does it",
    ))
}

/// Refuses folders that hold another experiment, or an unfinished run that would be lost.
pub fn check_folder(
    program: &Program,
    folder: &RunFolder,
    experiment: &Experiment,
    plan: &Plan,
    earlier: Option<&Manifest>,
    resume: bool,
) -> Result<(), Failure> {
    let path = folder.path().display();
    let FolderState::Run { .. } = folder.state() else {
        return Ok(());
    };
    let stored = load_from_folder(program, folder.path())
        .map_err(|_| Failure::usage(format!("{path}: config.toml there cannot be read")))?;
    let shard = shard_text(plan.shard());
    let same_shard = earlier.is_none_or(|manifest| manifest.shard == shard);
    if stored.fingerprint() != experiment.fingerprint() || !same_shard {
        return Err(Failure::usage(format!(
            "{path}: the folder holds another run (`{}`, seed {})",
            stored.name, stored.seed
        ))
        .with_help("choose another folder with --out"));
    }
    let complete = earlier.is_some_and(|manifest| manifest.exit_reason.starts_with(COMPLETE));
    let samples = Plan::of(&stored).samples();
    let fewer = samples > plan.samples();
    if fewer || (!resume && !complete) {
        let state = match complete {
            true => "a larger",
            false => "an unfinished",
        };
        return Err(Failure::usage(format!(
            "{path}: the folder holds {state} run of this experiment ({samples} samples planned)"
        ))
        .with_help(
            "go on with --resume and no fewer samples, or choose another folder with --out",
        ));
    }
    Ok(())
}
