//! Experiments that are one: which folders are shards of it, and what is left of it without its looks.

use crate::run::Observer;
use crate::store::{STREAM_SCHEME, Stored};
use base::Failure;
use experiment::Experiment;

use super::difference::first_difference;

/// The experiment with the most samples, as one that went on from all others.
pub(super) fn joined(experiments: &[Experiment]) -> Option<Experiment> {
    let most = experiments.iter().map(|one| one.stop.max_samples).max()?;
    let mut largest = experiments
        .iter()
        .filter(|one| one.stop.max_samples == most);
    let mut joined = largest.next()?.clone();
    experiments.iter().for_each(|one| joined.go_on_from(one));
    Some(joined)
}

/// Refuses a shard of another experiment than the first, or by a program that draws otherwise.
pub(super) fn check_like(
    shards: [&Stored; 2],
    experiments: [&Experiment; 2],
    observer: &mut dyn Observer,
) -> Result<(), Failure> {
    let [path, first] = shards.map(|shard| shard.folder.display());
    let [mine, theirs] = experiments.map(unextended);
    if !mine.is_same(&theirs) {
        let differing = first_difference(&mine, &theirs);
        return Err(Failure::usage(format!(
            "{path} holds a different experiment from {first}: {differing}"
        ))
        .with_help("merge folders of one experiment and seed"));
    }
    let manifests = shards.map(|shard| &shard.manifest);
    let [mine, theirs] = manifests.map(|one| format!("{}, {}", one.versions(), one.stream_scheme));
    if mine != theirs || manifests[0].stream_scheme != STREAM_SCHEME {
        return Err(Failure::usage(format!(
            "{path} was made by a different version from {first} ({mine} instead of {theirs})"
        ))
        .with_help("run all shards with one version, and merge with the same"));
    }
    let outs = manifests.map(|one| one.programs.iter().map(|program| program.out.is_empty()));
    let [mine, theirs] = outs;
    if !mine.eq(theirs) {
        return Err(Failure::usage(format!(
            "{path}: a player took part in this shard, and not in {first}, or the other way round"
        ))
        .with_help("run the shard that lacks it again; the manifest of each says why"));
    }
    let [mine, theirs] = manifests.map(|one| (&one.git_revision, &one.build));
    if mine != theirs {
        observer.warning(&format!(
            "{path} was made by another build of the program than {first}"
        ));
    }
    Ok(())
}

/// The experiment whatever the number of samples in its file, and however often somebody has looked.
pub(super) fn without_looks(experiment: &Experiment) -> Experiment {
    let mut plain = experiment.clone();
    plain.file.extended_from.clear();
    plain.file.stop = plain.file.stop.map(|stop| stop.capped(1));
    plain
}

/// The experiment as if it had never been extended, whatever its number of samples: a shard that was and one made
/// later are still of one experiment.
pub(super) fn unextended(experiment: &Experiment) -> Experiment {
    let mut plain = without_looks(experiment);
    plain.stop.max_samples = 1;
    let claims = plain.claims.iter_mut();
    claims.for_each(|claim| claim.written.post_hoc = false);
    plain
}
