//! `etude archive`: makes the folder of a finished run small enough to be kept with the source.

use std::path::{Path, PathBuf};

use crate::files;
use crate::harness::Plan;
use crate::output::{
    Exhibit, JournalSchema, Manifest, RunFolder, SystemDisk, archive, fingerprint_files, shortened,
};
use clap::Args;

use super::experiment::{laboratory, load_from_folder};
use super::failure::Failure;
use super::program::Program;
use super::programs::Consent;
use super::verify::{self, VerifyArguments};

/// Make a finished run's folder small: replace tallies with hashes and compress pictures
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude archive results/klondike-casino

The folder is verified first, and one that is not sound is left as it is. The tables stay as they
are. `etude verify` runs blocks again from the seed and compares their hashes; with as many
--samples as the run has, it rebuilds every table. An archived run cannot be extended, because
--resume needs the tallies.")]
pub struct ArchiveArguments {
    /// The run folders
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Drop samples.csv as well; the tables made of it stay
    #[arg(long)]
    drop_samples: bool,
    #[command(flatten)]
    consent: Consent,
}

impl ArchiveArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        self.folders.iter().try_for_each(|path| {
            let folder = RunFolder::open(path)?;
            self.verify(program, path)?;
            archive_folder(program, folder, self.drop_samples)
        })
    }

    /// Refuses a folder that is not sound: its tallies are what it could be repaired from.
    fn verify(&self, program: &Program, path: &Path) -> Result<(), Failure> {
        let verify = VerifyArguments {
            folder: path.to_owned(),
            samples: verify::SAMPLES,
            consent: self.consent,
        };
        let verified = verify.run(program);
        verified.inspect_err(|_| note!("{}: nothing was archived", path.display()))
    }
}

fn archive_folder(program: &Program, folder: RunFolder, drop_samples: bool) -> Result<(), Failure> {
    let path = folder.path();
    let experiment = load_from_folder(program, path)?;
    let mut manifest = Manifest::read(&folder.file("manifest.json"))
        .map_err(|error| Failure::failed(format!("{}: manifest.json: {error}", path.display())))?;
    if manifest.exit_reason.completed().is_none() {
        return Err(
            Failure::usage(format!("{}: the run is not complete", path.display()))
                .with_help("finish it with `etude run ... --resume`"),
        );
    }
    let laboratory = laboratory(&experiment)?;
    let plan = Plan::of(&experiment).with_shard(manifest.shard);
    let schema = JournalSchema::of(&experiment, &laboratory);
    let journal = folder.journal(&laboratory, &plan, &schema)?;
    let file = folder.file("blocks.csv");
    let failed = |error| Failure::failed(format!("{}: {error}", file.display()));
    if journal.damage.rows > 0 || !journal.is_sealed(&file, &schema).map_err(failed)? {
        return Err(
            Failure::failed(format!("{}: the journal is damaged", path.display()))
                .with_help("`etude verify` says where"),
        );
    }
    // It may refuse, so nothing is changed before it.
    archive((&SystemDisk, &file), &journal, &schema).map_err(failed)?;
    let exhibit = Exhibit::read(&folder.file(Exhibit::FILE)).map_err(failed)?;
    if let Some(exhibit) = exhibit {
        folder.write(Exhibit::FILE, &exhibit.into_packed().to_json())?;
    }
    shorten_package(&folder, drop_samples)?;
    if drop_samples {
        folder.remove("samples.csv")?;
    }
    manifest.files = fingerprint_files(path).unwrap_or_default();
    folder.write("manifest.json", &manifest.to_json())?;
    note!("{}: archived", path.display());
    Ok(())
}

/// Writes `datapackage.json` without blanks, and without samples that are dropped.
fn shorten_package(folder: &RunFolder, drop_samples: bool) -> Result<(), Failure> {
    let name = "datapackage.json";
    let package = files::read(&folder.file(name)).unwrap_or_default();
    if let Some(package) = shortened(&package, drop_samples) {
        folder.write(name, &package)?;
    }
    Ok(())
}
