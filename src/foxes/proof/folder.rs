//! A proof's folder: one file a layer, and `layers.csv`, the journal of those that are complete.
//!
//! A layer's file holds its won pairs, configuration after configuration in the order of
//! [`foxes::solved::proof::blocks`], each in as many bytes as its pairs need, lowest bits first. A file is written
//! under another name, synchronised and renamed before the journal names it with its BLAKE3 hash;
//! so a proof killed at any time loses at most the layer in hand. Solves nothing.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::Terms;
use base::files;
use foxes::solved::retrograde::Shape;

/// The journal's name.
pub(super) const JOURNAL: &str = "layers.csv";

/// The name of the file with the terms of the proof.
const TERMS: &str = "proof.csv";

/// The name of the file that is locked, as in a run's folder.
const LOCK: &str = ".etude-lock.tmp";

const COLUMNS: [&str; 6] = ["hens", "height", "positions", "won", "passes", "blake3"];

/// A layer that is done, as the journal has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerRecord {
    /// The layer.
    pub shape: Shape,
    /// Positions with the hens to move, decided ones included.
    pub positions: u64,
    /// The positions that the hens are known to win.
    pub won: u64,
    /// Passes that added something after the first: the most sideways steps needed in the layer.
    pub passes: u32,
    /// The hash of the layer's file, in hexadecimal.
    pub blake3: String,
}

/// An error: a proof's folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProofFolderError {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder that was being read or written.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// There is no proof in the folder.
    #[error("{} holds no proof", .0.display())]
    Missing(PathBuf),
    /// The folder belongs to something else.
    #[error("{} holds {found}, not {expected}", path.display())]
    Other {
        /// The folder.
        path: PathBuf,
        /// The terms of the proof that it holds.
        found: String,
        /// The terms that were asked for.
        expected: String,
    },
    /// The system starts no threads.
    #[error("{0}")]
    Threads(io::Error),
    /// Another process is at work there.
    #[error("{} is in use by another process", .0.display())]
    Busy(PathBuf),
    /// A file differs from the one that was written.
    #[error("{}: {fault}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The fault, in words.
        fault: String,
    },
}

impl ProofFolderError {
    /// Returns advice.
    pub const fn help(&self) -> &'static str {
        match self {
            ProofFolderError::Io { .. } => {
                "check that the folder can be read and written and that the disk has room; complete layers are safe"
            }
            ProofFolderError::Threads(_) => "run the same command again: complete layers are safe",
            ProofFolderError::Missing(_) => "make one with `etude prove foxes --dir FOLDER`",
            ProofFolderError::Other { .. } => {
                "choose another folder, or the settings it was made with"
            }
            ProofFolderError::Busy(_) => "wait for it to end, or choose another folder",
            ProofFolderError::Damaged { .. } => {
                "run `etude prove foxes` with this folder again: it proves missing and damaged layers"
            }
        }
    }
}

/// A proof's folder.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder at `path`, created for these terms unless it is there with the same.
    pub fn create(path: &Path, terms: &Terms) -> Result<Folder, ProofFolderError> {
        std::fs::create_dir_all(path).map_err(at(path))?;
        let folder = Folder {
            path: path.to_owned(),
        };
        if folder.file(TERMS).exists() {
            return Folder::open(path, terms);
        }
        if folder.file(JOURNAL).exists() {
            return Err(folder.other("layers of something unknown".to_owned(), terms));
        }
        if ["blocks.csv", "manifest.json"]
            .iter()
            .any(|name| folder.file(name).exists())
        {
            return Err(folder.other("a run".to_owned(), terms));
        }
        folder.write(TERMS, terms.text().as_bytes())?;
        Ok(folder)
    }

    /// The folder at `path`, made for the same terms.
    pub fn open(path: &Path, terms: &Terms) -> Result<Folder, ProofFolderError> {
        let folder = Folder {
            path: path.to_owned(),
        };
        let known = folder.read_text(TERMS)?;
        if known == terms.text() {
            return Ok(folder);
        }
        let found = known.lines().nth(1).unwrap_or("something else");
        Err(folder.other(format!("the proof `{found}`"), terms))
    }

    /// The folder at `path` and the terms it was made for.
    pub fn known(path: &Path) -> Result<(Folder, Terms), ProofFolderError> {
        let folder = Folder {
            path: path.to_owned(),
        };
        if !folder.file(TERMS).exists() {
            return Err(ProofFolderError::Missing(folder.path));
        }
        let text = folder.read_text(TERMS)?;
        let terms = Terms::read(&text).ok_or_else(|| ProofFolderError::Damaged {
            path: folder.file(TERMS),
            fault: "it does not say what was proved".to_owned(),
        })?;
        Ok((folder, terms))
    }

    /// The error of a proof that is not finished.
    pub fn incomplete(&self, done: usize, all: usize) -> ProofFolderError {
        ProofFolderError::Damaged {
            path: self.file(JOURNAL),
            fault: format!("{done} of {all} layers are proved"),
        }
    }

    /// Keeps other processes out until the answer is dropped.
    pub fn lock(&self) -> Result<File, ProofFolderError> {
        let path = self.file(LOCK);
        let file = files::open_to_lock(&path).map_err(at(&path))?;
        file.try_lock()
            .map_err(|_| ProofFolderError::Busy(self.path.clone()))?;
        Ok(file)
    }

    fn other(&self, found: String, terms: &Terms) -> ProofFolderError {
        let expected = format!("the proof `{}`", terms.values());
        ProofFolderError::Other {
            path: self.path.clone(),
            found,
            expected,
        }
    }

    /// The path of a file.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The file of a layer.
    pub fn layer(&self, shape: Shape) -> PathBuf {
        self.file(&layer_name(shape))
    }

    /// The journal's records; a missing journal has none.
    pub fn journal(&self) -> Result<Vec<LayerRecord>, ProofFolderError> {
        let path = self.file(JOURNAL);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let damaged = |fault: String| ProofFolderError::Damaged {
            path: path.clone(),
            fault,
        };
        let text = self.read_text(JOURNAL)?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader
            .headers()
            .map_err(|error| damaged(error.to_string()))?;
        if header != &csv::StringRecord::from(COLUMNS.to_vec()) {
            return Err(damaged(format!(
                "its columns are not {}",
                COLUMNS.join(",")
            )));
        }
        let record = |row: csv::Result<csv::StringRecord>| {
            let row = row.map_err(|error| damaged(error.to_string()))?;
            LayerRecord::read(&row).ok_or_else(|| damaged(format!("`{row:?}` is not a layer")))
        };
        reader.records().map(record).collect()
    }

    /// Replaces the journal.
    pub fn write_journal(&self, records: &[LayerRecord]) -> Result<(), ProofFolderError> {
        let rows = records.iter().map(LayerRecord::row);
        let lines: String = std::iter::once(COLUMNS.join(",") + "\n")
            .chain(rows)
            .collect();
        self.write(JOURNAL, lines.as_bytes())
    }

    /// Writes a layer's file from its blocks and returns its hash.
    pub fn write_layer(
        &self,
        shape: Shape,
        blocks: &[Vec<u8>],
    ) -> Result<String, ProofFolderError> {
        let mut hasher = blake3::Hasher::new();
        self.replace(&layer_name(shape), |file| {
            blocks.iter().try_for_each(|block| {
                hasher.update(block);
                file.write_all(block)
            })
        })?;
        Ok(hasher.finalize().to_hex().to_string())
    }

    /// Writes a file as a whole or not at all.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ProofFolderError> {
        self.replace(name, |file| file.write_all(bytes))
    }

    fn replace(
        &self,
        name: &str,
        fill: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), ProofFolderError> {
        let (path, part) = (self.file(name), self.file(&format!("{name}.part")));
        let mut file = File::create(&part).map_err(at(&part))?;
        fill(&mut file).map_err(at(&part))?;
        file.sync_all().map_err(at(&part))?;
        std::fs::rename(&part, &path).map_err(at(&path))
    }

    /// Returns whether a layer's file is there and has the hash in its record. One that is too large is not read: a
    /// position is a bit.
    pub fn is_sound(&self, record: &LayerRecord) -> Result<bool, ProofFolderError> {
        let path = self.layer(record.shape);
        match files::digest_within(&path, record.positions) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            found => Ok(found.map_err(at(&path))?.as_ref() == Some(&record.blake3)),
        }
    }

    /// The BLAKE3 of a file, in hexadecimal.
    pub fn digest(&self, name: &str) -> Result<String, ProofFolderError> {
        let path = self.file(name);
        files::digest(&path).map_err(at(&path))
    }

    /// The text of a file.
    pub fn read_text(&self, name: &str) -> Result<String, ProofFolderError> {
        let path = self.file(name);
        files::read_text(&path).map_err(at(&path))
    }
}

impl LayerRecord {
    fn row(&self) -> String {
        format!(
            "{},{},{},{},{},{}\n",
            self.shape.hens, self.shape.height, self.positions, self.won, self.passes, self.blake3
        )
    }

    fn read(row: &csv::StringRecord) -> Option<LayerRecord> {
        let number = |column: usize| row.get(column)?.parse::<u64>().ok();
        Some(LayerRecord {
            shape: Shape {
                hens: number(0)? as u32,
                height: number(1)? as u32,
            },
            positions: number(2)?,
            won: number(3)?,
            passes: number(4)? as u32,
            blake3: row.get(5)?.to_owned(),
        })
    }
}

fn layer_name(shape: Shape) -> String {
    format!("hens-{}-height-{}.pairs", shape.hens, shape.height)
}

/// Reads part of a file, opening it first where it is not open.
pub fn read_at(
    path: &Path,
    file: &mut Option<File>,
    from: u64,
    length: usize,
) -> Result<Vec<u8>, ProofFolderError> {
    let file = match file {
        Some(file) => file,
        None => file.insert(files::open(path).map_err(at(path))?),
    };
    let mut bytes = vec![0; length];
    file.seek(SeekFrom::Start(from)).map_err(at(path))?;
    file.read_exact(&mut bytes).map_err(at(path))?;
    Ok(bytes)
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> ProofFolderError {
    let path = path.to_owned();
    move |error| ProofFolderError::Io { path, error }
}
