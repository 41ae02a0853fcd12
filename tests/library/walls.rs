//! The walls between the crates, where the compiler alone does not keep them: a manifest names no
//! crate of ours that its wall forbids, a game names no other game, and a type's name means one
//! thing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[path = "../../build.rs"]
#[allow(dead_code, reason = "only its list of sources is of interest here")]
mod build;

/// A crate in `crates` and the others that it may use; tests may use more.
const MAY_USE: &[(&str, &[&str])] = &[
    ("stats", &[]),
    ("kit", &[]),
    ("task", &["kit", "stats"]),
    ("experiment", &["kit", "stats", "task"]),
    ("lab", &["experiment", "kit", "stats", "task"]),
    ("programs", &["kit", "task"]),
    ("figures", &["stats", "task"]),
    ("report", &["experiment", "figures", "lab", "stats", "task"]),
    (
        "cli",
        &[
            "experiment",
            "figures",
            "kit",
            "lab",
            "programs",
            "report",
            "stats",
            "task",
        ],
    ),
];

/// The folder beside the games that all of them may use.
const SHARED: &str = "cards";

/// Words that two games may both use, for what is the same in both.
const COMMON_WORDS: &[&str] = &[
    "Card", "Casino", "Deal", "Look", "Mailbox", "Move", "Position", "Rules", "Session",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_crate_depends_on_those_below_it() {
    let mut found: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let manifest = std::fs::read_to_string(path.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let rule = MAY_USE.iter().find(|(of, _)| *of == name);
        let (_, below) = rule.unwrap_or_else(|| panic!("{name} stands in no rule"));
        let is_ours = |one: &&String| MAY_USE.iter().any(|(of, _)| of == one);
        let used = manifest["dependencies"].as_table().unwrap().keys();
        let above = used
            .filter(is_ours)
            .filter(|one| !below.contains(&one.as_str()));
        found.extend(above.map(|one| format!("{name} may not use {one}")));
    }
    assert_eq!(found, Vec::<String>::new());
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
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path();
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
    for folder in ["crates", "src"] {
        assert!(build::SOURCES.contains(&folder), "{folder} is left out");
    }
}

/// A page has the games' engines without the laboratory.
#[test]
fn the_pages_depend_on_engines_alone() {
    let manifest = std::fs::read_to_string(root().join("web/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let used = manifest["dependencies"].as_table().unwrap();
    let ours: Vec<&String> = used
        .keys()
        .filter(|name| !name.starts_with("serde"))
        .collect();
    assert_eq!(ours, ["etude", "kit", "stats"]);
    assert_eq!(used["etude"]["workspace"].as_bool(), Some(true));
    let workspace = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let workspace: toml::Table = workspace.parse().unwrap();
    let shared = &workspace["workspace"]["dependencies"]["etude"];
    assert_eq!(shared["default-features"].as_bool(), Some(false));
}

#[test]
fn games_use_what_their_wall_allows() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let is_ours = |one: &&String| MAY_USE.iter().any(|(of, _)| of == one);
    let dependencies = manifest["dependencies"].as_table().unwrap();
    let used: Vec<&String> = dependencies.keys().filter(is_ours).collect();
    // Only `main.rs` knows `cli`.
    assert_eq!(used, ["cli", "kit", "stats", "task"]);
    for file in rust_files(&root().join("src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let is_main = file.ends_with("src/main.rs");
        assert!(is_main || !text.contains("cli::"), "{}", file.display());
    }
}

#[test]
fn a_game_names_no_other_game() {
    let games: Vec<String> = std::fs::read_dir(root().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(games.len() > 6, "{games:?}");
    for game in &games {
        for file in rust_files(&root().join("src").join(game)) {
            let text = std::fs::read_to_string(&file).unwrap();
            for other in games
                .iter()
                .filter(|other| *other != game && *other != SHARED)
            {
                let path = format!("crate::{other}::");
                assert!(!text.contains(&path), "{} names {path}", file.display());
            }
        }
    }
}

#[test]
fn a_types_name_means_one_thing() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in ["crates", "src"]
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
