//! The run folder: what survives a crash, and what a run reads back to resume.
//!
//! Files are the interface between verbs: `report`, `merge`, `compare` and `verify` read what
//! `run` wrote and nothing else. Everything except `manifest.json`, `timings.csv`, and of a race
//! `clock.csv` and what is in `clock/`, is a pure function of the experiment. Knows no game.

mod clock;
mod datapackage;
mod error;
mod exhibit;
mod folder;
mod journal;
mod kept_cells;
mod machine;
mod manifest;
mod merged_blocks;
mod owner;
mod packed;
mod run_record;
mod sample_file;
mod stored;
mod tallies;

pub(crate) use clock::CLOCK;
pub use clock::{holds_race, stored_timings};
pub use datapackage::datapackage;
pub use exhibit::{Exhibit, ExhibitStep};
pub use folder::RunFolder;
pub use journal::{
    Damage, Digest, Journal, JournalSchema, Remade, StoredBlock, archive, journal_row_size, rewrite,
};
pub(crate) use machine::MACHINE;
pub use machine::{MachineFacts, RaceSession, load, platform, unix};
pub(crate) use manifest::digest_in;
pub use manifest::{Manifest, STREAM_SCHEME, fingerprint_files};
pub use merged_blocks::{Union, missing_samples};
pub use owner::host;
pub use run_record::{ResumedRun, RunRecord};
pub use sample_file::{SampleReader, finish_samples};
pub use stored::Stored;
pub(crate) use stored::{EDITED, check_readable, holds_run, no_run};
pub use tallies::{TALLIES, read_tallies, tallies_csv};
