//! The instances of a command's samples, which its programs are told as files.

use std::path::PathBuf;

use kit::rng::Streams;
use task::outside::{Consent, DeclaredInstances, InstanceFiles, Values};

use super::generator::InstanceGenerator;

/// The instances of a command, one for each sample; those that a program makes may differ between cells.
#[derive(Debug)]
pub enum Instances {
    /// Files that are there.
    Files(InstanceFiles),
    /// The instance that a program makes.
    Made(InstanceGenerator),
}

impl Instances {
    /// The instances of a declaration, made with these streams if a program makes them; nothing is started yet.
    pub(crate) fn new(declared: &DeclaredInstances, streams: &Streams) -> Self {
        match declared {
            DeclaredInstances::Files(files) => Instances::Files(files.clone()),
            DeclaredInstances::Made(made) => {
                Instances::Made(InstanceGenerator::new((**made).clone(), streams))
            }
        }
    }

    /// The number of instances; `None` where every sample has one.
    pub(crate) fn count(&self) -> Option<u64> {
        match self {
            Instances::Files(files) => Some(files.count()),
            Instances::Made(_) => None,
        }
    }

    /// Returns whether a program makes them.
    pub fn are_made(&self) -> bool {
        matches!(self, Instances::Made(_))
    }

    /// The name of a sample's instance in tables, in a cell of these values: of one that is made, the beginning of its
    /// hash.
    ///
    /// # Errors
    /// A sentence: there is none.
    pub fn name(&self, sample: u64, values: &Values) -> Result<String, String> {
        match self {
            Instances::Files(files) => files.name(sample).map(str::to_owned),
            Instances::Made(generator) => Ok(generator.instance(sample, values)?.name),
        }
    }

    /// The path of the file that holds a sample's instance, in a cell of these values.
    ///
    /// # Errors
    /// As [`Instances::name`].
    pub fn path(&self, sample: u64, values: &Values) -> Result<PathBuf, String> {
        match self {
            Instances::Files(files) => files.path(sample),
            Instances::Made(generator) => Ok(generator.instance(sample, values)?.path),
        }
    }

    /// Holds the instances of cells of these values against what is known of them.
    ///
    /// # Errors
    /// A sentence: one is another by now.
    pub fn check(&self, cells: &[Values]) -> Result<(), String> {
        match self {
            Instances::Files(files) => files.check(),
            Instances::Made(generator) => generator.check(cells),
        }
    }

    /// Starts the program that makes them, if one does, by this consent from now on.
    pub(crate) fn allow(&self, consent: &Consent) {
        if let Instances::Made(generator) = self {
            generator.allow(consent);
        }
    }
}
