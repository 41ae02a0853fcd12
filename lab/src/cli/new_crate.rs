//! `etude init crate`: a crate with a game of its own and this whole command line.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::starter::{checked_name, write_new};
use crate::job::shell::quoted;

/// The `.gitignore` of a new crate: the folders that are made again from sources and experiments.
const GITIGNORE: &str = "/target/\n/results/\n";

#[derive(Debug, Args)]
pub struct CrateArguments {
    /// Name, also that of the folder
    name: String,
    /// Source of the library: a clone of etude, or the URL of its git repository
    #[arg(long, value_name = "SOURCE")]
    lab: Option<String>,
}

impl CrateArguments {
    /// The crate of `examples/outside` under another name.
    pub fn write(&self) -> Result<(), Failure> {
        let (path, lab) = (&self.name, self.lab.as_deref());
        let (name, folder) = (checked_name(path)?, PathBuf::from(path));
        let source = lab.map_or_else(own_library, library)?;
        let filled = |text: &str| text.replace("clock-patience", &name);
        let manifest = filled(include_str!("../../templates/crate/Cargo.toml.txt"));
        let manifest = manifest.replace("path = \"../../lab\"", &source);
        write_new(&folder.join("Cargo.toml"), &manifest)?;
        let experiment = include_str!("../../templates/crate/clock.toml");
        write_new(&folder.join("clock.toml"), experiment)?;
        let source = filled(include_str!("../../templates/crate/main.rs"));
        write_new(&folder.join("src/main.rs"), &source)?;
        write_new(&folder.join(".gitignore"), GITIGNORE)?;
        let folder = quoted(path);
        note!("next: cd {folder} && cargo test && cargo run --release -- run clock");
        Ok(())
    }
}

/// The library that this program was built from: its sources, where they still are; of a release,
/// the tag in its repository.
fn own_library() -> Result<String, Failure> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
    if is_library(sources) {
        note!(
            "it takes the library from {}; --lab names another place",
            sources.display()
        );
        return Ok(at_path(sources));
    }
    let repository = option_env!("GITHUB_REPOSITORY").ok_or_else(|| {
        Failure::usage("the sources that this program was built from are not on this machine")
            .with_help("name a clone of etude, or the URL of its git repository: --lab ../etude")
    })?;
    let version = env!("CARGO_PKG_VERSION");
    Ok(format!(
        "git = \"https://github.com/{repository}\", tag = \"v{version}\""
    ))
}

/// The library in a clone or at a URL, as a manifest names it.
fn library(source: &str) -> Result<String, Failure> {
    const EXPECTED: &str =
        "it should be a folder that has lab/Cargo.toml, or the URL of its git repository";
    if source.contains("://") || source.starts_with("git@") {
        return Ok(format!("git = {source:?}"));
    }
    let path = fs::canonicalize(source)
        .map_err(|error| Failure::usage(format!("{source}: {error}")).with_help(EXPECTED))?;
    let candidates = [path.join("lab"), path];
    let library = candidates.iter().find(|path| is_library(path));
    let library = library.map(|path| at_path(path));
    library
        .ok_or_else(|| Failure::usage(format!("{source} is no clone of etude")).with_help(EXPECTED))
}

fn at_path(folder: &Path) -> String {
    format!("path = {:?}", folder.display().to_string())
}

/// Returns whether a folder has the library.
fn is_library(folder: &Path) -> bool {
    let manifest = fs::read_to_string(folder.join("Cargo.toml"));
    manifest.is_ok_and(|text| text.contains("name = \"etude-lab\""))
}
