//! The folder of one shard of an experiment, and whether it belongs with others.

use std::path::{Display, Path, PathBuf};

use crate::experiment::Experiment;
use crate::run::Observer;
use crate::store::{Manifest, RunFolder, STREAM_SCHEME};

use super::read::first_difference;
use crate::failure::Failure;

/// The folder of a shard.
pub struct ShardFolder {
    pub folder: PathBuf,
    pub manifest: Manifest,
}

impl ShardFolder {
    /// Opens a folder that no run is writing.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        RunFolder::check_free(path)?;
        let manifest = Manifest::read(&path.join("manifest.json")).map_err(|error| {
            Failure::failed(format!("{}: manifest.json: {error}", path.display()))
                .with_help("run this shard again, or continue it: etude run ... --resume")
        })?;
        Ok(Self {
            folder: path.to_owned(),
            manifest,
        })
    }

    /// Its path, to be shown.
    pub fn path(&self) -> Display<'_> {
        self.folder.display()
    }

    /// Refuses a shard of another experiment than `first`, or by a program that draws otherwise.
    pub fn check_like(
        &self,
        first: &Self,
        both: (&Experiment, &Experiment),
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        self.check_experiment(first, both)?;
        self.check_version(first)?;
        let build = |shard: &Self| {
            let manifest = &shard.manifest;
            (manifest.git_revision.clone(), manifest.build.clone())
        };
        if build(self) != build(first) {
            observer.warning(&format!(
                "{} was made by another build of the program than {}",
                self.path(),
                first.path()
            ));
        }
        Ok(())
    }

    fn check_experiment(
        &self,
        first: &Self,
        (mine, theirs): (&Experiment, &Experiment),
    ) -> Result<(), Failure> {
        // A shard that was extended and one made later are still of one experiment.
        let plain = |experiment: &Experiment| {
            let mut plain = experiment.clone();
            plain.file.extended_from.clear();
            plain
                .file
                .claims
                .iter_mut()
                .for_each(|claim| claim.post_hoc = false);
            plain.resolved_toml()
        };
        let (mine, theirs) = (plain(mine), plain(theirs));
        if mine == theirs {
            return Ok(());
        }
        let differing = first_difference(&mine, &theirs);
        Err(Failure::usage(format!(
            "{} holds a different experiment from {}: {differing}",
            self.path(),
            first.path()
        ))
        .with_help("merge folders of one experiment, seed and number of samples"))
    }

    fn check_version(&self, first: &Self) -> Result<(), Failure> {
        let (mine, theirs) = (self.version(), first.version());
        if mine == theirs && self.manifest.stream_scheme == STREAM_SCHEME {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "{} was made by a different version from {} ({mine} instead of {theirs})",
            self.path(),
            first.path(),
        ))
        .with_help("run all shards with one version, and merge with the same"))
    }

    fn version(&self) -> String {
        let (version, scheme) = (&self.manifest.etude_version, &self.manifest.stream_scheme);
        let etude = format!("etude {version}, streams {scheme}");
        match &self.manifest.program {
            Some(program) => format!("{program}, {etude}"),
            None => etude,
        }
    }
}
