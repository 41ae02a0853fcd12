//! The project's experiment files.

use std::path::{Path, PathBuf};

use etude::GAMES;
use experiment::{Experiment, Overrides};

/// Every experiment file under `experiments/`, checked.
pub fn all() -> Vec<Experiment> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    files(&root).iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Experiment {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.to_string_lossy();
    Experiment::parse(&text, &*name, GAMES, &Overrides::default())
        .unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            files.push(path);
        }
    }
    files.sort();
    files
}
