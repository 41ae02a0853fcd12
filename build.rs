//! Records the revision the program is built from, for the provenance of results, and lists the
//! experiments that it brings with it.

use std::path::Path;
use std::process::Command;

const FOLDERS: [&str; 2] = ["experiments/curated", "experiments/bench"];

/// The paths that the revision is of; a change elsewhere builds the same program.
pub const SOURCES: [&str; 5] = ["src", "games", "crates", "Cargo.toml", "Cargo.lock"];

fn main() -> std::io::Result<()> {
    SOURCES.into_iter().for_each(rerun_if_changed);
    if let Some(revision) = packed_revision().or_else(revision) {
        println!("cargo::rustc-env=ETUDE_GIT_REVISION={revision}");
    }
    bundle_experiments()
}

/// Has the script run again when the file or folder changes. Cargo takes one that is not there for one
/// that has always changed, and would build everything anew each time.
fn rerun_if_changed(path: &str) {
    if Path::new(path).exists() {
        println!("cargo::rerun-if-changed={path}");
    }
}

/// The revision that a packed crate was made of, as Cargo noted it.
fn packed_revision() -> Option<String> {
    let note = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, after) = note.split_once("\"sha1\": \"")?;
    let head = after.get(..12)?.to_owned();
    let is_dirty = note.contains("\"dirty\": true");
    Some(if is_dirty { head + "+" } else { head })
}

/// The revision of the clone.
fn revision() -> Option<String> {
    let head = git(&["rev-parse", "--short=12", "HEAD"])?;
    let branch = git(&["rev-parse", "--symbolic-full-name", "HEAD"]);
    for name in branch.as_deref().into_iter().chain(["HEAD"]) {
        git(&["rev-parse", "--git-path", name]).inspect(|path| rerun_if_changed(path));
    }
    let changed = git(&[&["status", "--porcelain", "--"][..], &SOURCES].concat())?;
    Some(if changed.is_empty() { head } else { head + "+" })
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Writes the list of the experiments that the program brings with it.
fn bundle_experiments() -> std::io::Result<()> {
    let mut names = Vec::new();
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        for entry in std::fs::read_dir(folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            names.extend(
                name.strip_suffix(".toml")
                    .map(|name| (name.to_owned(), folder)),
            );
        }
    }
    names.sort();
    let rows: String = names
        .iter()
        .map(|(name, folder)| {
            // The compiler puts the folder in: a packed crate and its clone share what this script wrote.
            let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{folder}/{name}.toml\")");
            let seconds = core_seconds(name);
            format!(
                "    BuiltIn {{ name: {name:?}, file: \"{folder}/{name}.toml\", \
                 text: include_str!({path}), seconds: {seconds:?} }},\n"
            )
        })
        .collect();
    let list = format!("const EXPERIMENTS: &[BuiltIn] = &[\n{rows}];\n");
    let out = std::env::var("OUT_DIR").unwrap_or_default();
    std::fs::write(format!("{out}/experiments.rs"), list)
}

/// The seconds that the committed run of an experiment took on one core, where there is one.
fn core_seconds(name: &str) -> Option<f64> {
    let path = format!("results/{name}/manifest.json");
    let manifest = std::fs::read_to_string(&path).ok()?;
    println!("cargo::rerun-if-changed={path}");
    let number = |key: &str| -> Option<f64> {
        let (_, after) = manifest.split_once(&format!("\"{key}\": "))?;
        after.split([',', '\n']).next()?.trim().parse().ok()
    };
    Some(number("wall_seconds")? * number("threads")?)
}
