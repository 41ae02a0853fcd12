//! Laws of the sources: every crate can be packed, the revision covers all of them, and a type's name
//! means one thing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[path = "../../build.rs"]
#[allow(dead_code, reason = "only its list of sources is of interest here")]
mod build;

/// Words that two games may both use, for what is the same in both.
const COMMON_WORDS: &[&str] = &[
    "Card", "Casino", "Deal", "Look", "Mailbox", "Move", "Position", "Rules", "Session",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folders of the packages below the one at the root.
fn packages() -> Vec<PathBuf> {
    let entries = ["crates", "games"].map(|folder| std::fs::read_dir(root().join(folder)).unwrap());
    let entries = entries.into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// A registry takes no path: a packed crate finds ours by their version, which is one for all.
#[test]
fn every_crate_can_be_packed() {
    let manifest = |path: PathBuf| -> toml::Table {
        let text = std::fs::read_to_string(path.join("Cargo.toml")).unwrap();
        text.parse().unwrap()
    };
    let workspace = manifest(root().to_owned());
    let version = format!("={}", env!("CARGO_PKG_VERSION"));
    for (name, dependency) in workspace["workspace"]["dependencies"].as_table().unwrap() {
        if dependency.get("path").is_some() {
            let found = dependency.get("version").and_then(toml::Value::as_str);
            assert_eq!(
                found,
                Some(&*version),
                "{name}: give it `version = \"{version}\"`"
            );
        }
    }
    for path in packages() {
        let package = &manifest(path.clone())["package"];
        for key in ["description", "readme", "keywords", "categories", "include"] {
            assert!(
                package.get(key).is_some(),
                "{} has no `{key}`",
                path.display()
            );
        }
    }
}

#[test]
fn the_sources_that_the_revision_is_of_are_there_and_hold_every_crate() {
    for source in build::SOURCES {
        assert!(root().join(source).exists(), "{source} is not there");
    }
    for folder in ["crates", "games", "src"] {
        assert!(build::SOURCES.contains(&folder), "{folder} is left out");
    }
}

#[test]
fn a_types_name_means_one_thing() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in ["crates", "games", "src"]
        .map(|folder| rust_files(&root().join(folder)))
        .concat()
    {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text
            .split("\n#[cfg(test)]\nmod ")
            .next()
            .unwrap_or_default();
        for name in code.lines().filter_map(defined_type) {
            let files = places.entry(name.to_owned()).or_default();
            files.push(file.clone());
        }
    }
    assert!(places.len() > 500, "the types were not found");
    // A system has a file of its own in the crate of programs, and the same names in it as the others.
    let of_systems = root().join("crates/programs/src");
    places.retain(|name, files| {
        let are_of_systems = files.iter().all(|file| file.starts_with(&of_systems));
        files.len() > 1 && !are_of_systems && !COMMON_WORDS.contains(&name.as_str())
    });
    assert!(places.is_empty(), "{places:#?}");
}

/// The type that a line defines at the top level of a module.
pub fn defined_type(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) => rest.split_once(' ')?.1,
        None => line,
    };
    let kinds = ["struct ", "enum ", "trait ", "type "];
    let name = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    name.split(|c: char| !c.is_alphanumeric()).next()
}

/// The sources below a folder, without those of tests and examples.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap_or_default();
        if ["tests", "examples", "templates"]
            .iter()
            .any(|one| stem == *one)
        {
            continue;
        }
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
