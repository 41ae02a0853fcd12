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
mod tallies;

pub use clock::CLOCK;
pub(crate) use clock::stored_timings;
pub(crate) use datapackage::datapackage;
pub use exhibit::{Exhibit, ExhibitStep};
pub use folder::RunFolder;
pub use journal::{Damage, Digest, Journal, JournalSchema, Remade, StoredBlock, rewrite};
pub(crate) use journal::{archive, journal_row_size};
pub use machine::{MachineFacts, RaceSession};
pub(crate) use machine::{load, platform, unix};
pub use manifest::{Manifest, digest_in, fingerprint_files};
pub(crate) use manifest::{STREAM_SCHEME, is_large};
pub(crate) use merged_blocks::{Union, missing_samples};
pub(crate) use owner::host;
pub use run_record::{ResumedRun, RunRecord};
pub use sample_file::SampleReader;
pub(crate) use sample_file::finish_samples;
pub use tallies::{TALLIES, read_tallies, tallies_csv};
