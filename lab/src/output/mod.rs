//! The run folder: what a run stores on disk, and what it reads back to resume.
//!
//! Files are the interface between verbs: `report`, `merge`, `compare` and `verify` read what
//! `run` wrote and nothing else. Everything except `manifest.json` and `timings.csv` is a pure
//! function of the experiment. Knows no game.

mod atomic;
mod claims;
mod convergence;
mod datapackage;
mod disk;
mod elo;
mod exhibit;
mod exit;
mod fields;
mod folder;
mod formula;
mod histograms;
mod journal;
mod manifest;
mod merge;
mod metrics;
mod number;
mod owner;
mod packed;
mod pairs;
mod purses;
mod ratings;
mod record;
mod samples;
mod summary;
mod table;
mod tables;
mod timings;
mod truths;
mod variance;
mod weights;
mod work;

pub use crate::task::UNITLESS;
pub use atomic::{write_atomically, write_named};
pub use convergence::convergence_table;
pub use datapackage::{datapackage, is_same_package, shortened};
pub use disk::{Disk, ReadFile, SystemDisk, WriteFile};
pub use exhibit::{Exhibit, ExhibitStep};
pub use exit::Exit;
pub use fields::UNTRUSTED;
pub use folder::{FolderError, FolderState, RunFolder, journal_in};
pub use formula::{guarded, unguarded};
pub use journal::{
    Damage, Digest, Journal, JournalDamage, JournalError, JournalSchema, Mismatch, Remade,
    StoredBlock, archive, journal_row_size, rewrite,
};
pub use manifest::{Manifest, ProgramRecord, STREAM_SCHEME, fingerprint_files};
pub use merge::{MergeError, PartFolder, Union};
pub use number::number;
pub use owner::Pace;
pub use ratings::UNCOUNTED;
pub use record::{Opened, RunRecord, Sealed};
pub use samples::{SampleReader, are_as_stored, rows as sample_rows};
pub use summary::PARAM_PREFIX;
pub use table::{Column, ColumnKind, Keys, Table};
pub use tables::{OPTIONAL_TABLES, outcome_tables, sampled_tables};
pub use timings::Timings;
pub use work::{WORK_TABLES, Work};
