//! The way of a sample, as CONTRIBUTING.md tells it: every name in it stands in the sources.

use std::path::Path;

use crate::sources::{defined_type, rust_files};

/// Stages that a reader follows, and types that they meet, at most.
const STAGES: usize = 8;
const TYPES: usize = 30;

/// The lines of the section, without the blank ones.
fn section() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().skip_while(|line| *line != "## A sample's way");
    let lines = lines.skip(1).take_while(|line| !line.starts_with('#'));
    let lines = lines.filter(|line| !line.trim().is_empty());
    lines.map(str::to_owned).collect()
}

/// The words between backticks.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn is_type(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

#[test]
fn every_name_on_a_samples_way_stands_in_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = rust_files(&root.join("crates"));
    let sources = sources
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap());
    let sources: Vec<String> = sources.collect();
    let lines = |name: &str| {
        sources
            .iter()
            .flat_map(|text| text.lines())
            .any(|line| defined_type(line) == Some(name))
    };
    let mut types: Vec<String> = Vec::new();
    for line in section() {
        for name in quoted(&line) {
            let known = match name {
                name if is_type(name) => lines(name),
                name if name.contains('/') => root.join(name).exists(),
                name => name == "i" || name.ends_with(".toml") || name.ends_with(".csv"),
            };
            assert!(known, "`{name}` is not in the sources: {line}");
            types.extend(is_type(name).then(|| name.to_owned()));
        }
    }
    types.sort();
    types.dedup();
    let stages = section()
        .iter()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        .count();
    assert!((5..=STAGES).contains(&stages), "{stages} stages");
    assert!((10..=TYPES).contains(&types.len()), "{types:?}");
}
