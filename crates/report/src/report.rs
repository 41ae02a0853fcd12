//! The results in a folder of any kind: a run, a race or a proof.

use std::path::Path;

use super::{Export, RaceResults, ResultPage, Results, StatedProof};
use base::Failure;
use lab::job::StoredRace;
use lab::run::Observer;
use lab::store::holds_race;
use task::Application;

/// The results in a folder.
pub enum Report {
    /// Those of a run.
    Run(Box<Results>),
    /// Those of a race.
    Race(Box<RaceResults>),
    /// A proof.
    Proof(Box<StatedProof>),
}

impl Report {
    /// Reads the results in a folder.
    ///
    /// # Errors
    /// If there are none, or the first file that cannot be read or understood, or is not the one that was written.
    pub fn read(
        app: &Application,
        folder: &Path,
        observer: &mut dyn Observer,
    ) -> Result<Self, Failure> {
        if StatedProof::is_in(folder) {
            return StatedProof::read(folder).map(|proof| Self::Proof(Box::new(proof)));
        }
        if holds_race(folder) {
            let race = StoredRace::read(app, folder, observer)?;
            return Ok(Self::Race(Box::new(RaceResults::of(race))));
        }
        Results::read(folder).map(|results| Self::Run(Box::new(results)))
    }

    /// Returns whether a folder has the file that makes it one of these.
    pub fn is_in(folder: &Path) -> bool {
        folder.join("config.toml").is_file() || StatedProof::is_in(folder)
    }

    /// The page of the results.
    pub fn to_page(&self, app: &Application) -> ResultPage {
        match self {
            Self::Run(results) => ResultPage::of(results),
            Self::Race(race) => race.to_page(app),
            Self::Proof(proof) => proof.to_page(app.name),
        }
    }

    /// The results for other programs, of a run those of all metrics on request; `None` of a proof, which estimates
    /// nothing.
    pub fn to_export(&self, all: bool) -> Option<Export> {
        match self {
            Self::Run(results) => Some(Export::of(results, all)),
            Self::Race(race) => Some(race.to_export()),
            Self::Proof(_) => None,
        }
    }
}
