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
pub mod laws;
mod lines;
mod machine;
mod manifest;
mod merged_blocks;
mod owner;
mod packed;
mod run_record;
mod sample_file;
mod stored;
mod tallies;

pub use clock::holds_race;
pub(crate) use clock::{CLOCK, stored_timings};
pub(crate) use datapackage::datapackage;
pub use exhibit::{Exhibit, ExhibitStep};
pub use folder::RunFolder;
#[cfg(test)]
pub(crate) use journal::Damage;
pub(crate) use journal::{Digest, Journal, JournalSchema, Remade, archive, journal_row_size};
pub(crate) use lines::Lines;
pub(crate) use machine::{MACHINE, load, platform, unix};
pub use machine::{MachineFacts, RaceSession};
pub use manifest::{Manifest, fingerprint_files};
pub(crate) use manifest::{STREAM_SCHEME, digest_in};
pub(crate) use merged_blocks::{Union, missing_samples};
pub(crate) use owner::host;
pub(crate) use run_record::{ResumedRun, RunRecord};
pub(crate) use sample_file::{SampleReader, finish_samples};
pub use stored::{Stored, holds_run};
pub(crate) use stored::{check_readable, no_run};
pub(crate) use tallies::{TALLIES, read_tallies, tallies_csv};
