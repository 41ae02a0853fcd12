//! Tests that `cargo test` leaves out run weekly, by name.

use std::path::{Path, PathBuf};

/// Every source file below a folder, those of tests included.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The names of the tests of a text that are left out.
fn ignored(text: &str) -> Vec<&str> {
    let parts = text.split("#[ignore").skip(1);
    parts
        .filter_map(|part| part.split_once("fn ")?.1.split_once('('))
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn every_test_that_is_left_out_runs_weekly_by_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let weekly = std::fs::read_to_string(root.join(".github/workflows/weekly.yml")).unwrap();
    let named: Vec<&str> = weekly.split_whitespace().collect();
    let mut files = Vec::new();
    for folder in ["src", "games", "crates", "tests"] {
        let folder = root.join(folder);
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    let mut count = 0;
    for file in files.iter().filter(|file| !file.ends_with(file!())) {
        let text = std::fs::read_to_string(file).unwrap();
        for name in ignored(&text) {
            assert!(
                named.contains(&name),
                "{name} of {} does not run weekly",
                file.display()
            );
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}
