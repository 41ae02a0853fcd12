//! `etude init`: writes a starting point that runs as it is.

use std::path::{Component, Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use base::files;
use experiment::{is_name, toml_list};

use super::Application;
use super::failure::Failure;
use base::words::quote;

/// Write a starting point: a simulation, a player or a game of your own
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude init command dice                               a simulation in Python
  etude init command dice --language c
  etude init player reynard                             a fox or hens in Python
  etude init crate my-games                             games in Rust, with this command line
  etude init crate my-games --lab ../etude              with the library of that clone")]
pub(crate) struct InitArguments {
    #[command(subcommand)]
    what: InitKind,
}

#[derive(Debug, Subcommand)]
enum InitKind {
    /// A simulation in any language, with its experiment
    Command(TemplateArguments),
    /// A player in any language, with a round robin
    Player(TemplateArguments),
    /// A crate with a game of your own and this whole command line; it starts as Clock patience
    Crate(CrateArguments),
}

#[derive(Debug, Args)]
struct TemplateArguments {
    /// Name, also that of the folder
    name: String,
    /// Language of the program
    #[arg(long, value_enum, default_value = "python")]
    language: Language,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    Python,
    C,
    Javascript,
}

impl Language {
    /// The extension of a source, and the templates of a simulation and of a player.
    fn templates(self) -> [&'static str; 3] {
        match self {
            Self::Python => [
                "py",
                include_str!("../templates/command.py"),
                include_str!("../templates/player.py"),
            ],
            Self::C => [
                "c",
                include_str!("../templates/command.c"),
                include_str!("../templates/player.c"),
            ],
            Self::Javascript => [
                "js",
                include_str!("../templates/command.js"),
                include_str!("../templates/player.js"),
            ],
        }
    }

    /// The command that starts a program of this name, and the files that it is made of.
    fn declaration(self, name: &str, source: String) -> [Vec<String>; 2] {
        let interpreter = match self {
            Self::C => return [vec![format!("./{name}")], vec![source, name.to_owned()]],
            Self::Python => "python3",
            Self::Javascript => "node",
        };
        [vec![interpreter.to_owned(), source.clone()], vec![source]]
    }
}

impl InitArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        match self.what {
            InitKind::Command(template) => {
                template.write(app, 1, include_str!("../templates/command.toml"))
            }
            InitKind::Player(template) => {
                template.write(app, 2, include_str!("../templates/player.toml"))
            }
            InitKind::Crate(new) => new.write(),
        }
    }
}

/// A path as a shell reads it.
fn word(path: &Path) -> String {
    quote(&path.to_string_lossy()).into_owned()
}

impl TemplateArguments {
    /// Writes the program, of this one of its language's templates, and its experiment.
    fn write(&self, etude: &Application, kind: usize, experiment: &str) -> Result<(), Failure> {
        let (name, templates) = (checked_name(&self.name)?, self.language.templates());
        let folder = PathBuf::from(&self.name);
        let source = format!("{name}.{}", templates[0]);
        let (program, file) = (folder.join(&source), folder.join(format!("{name}.toml")));
        let [argv, files] = self.language.declaration(&name, source);
        let experiment = experiment
            .replace("NAME", &name)
            .replace("RUN", &toml_list(&argv))
            .replace("FILES", &toml_list(&files));
        write_new(&program, &templates[kind].replace("NAME", &name))?;
        write_new(&file, &experiment)?;
        let run = format!("{} run {}", etude.name, word(&file));
        if self.language == Language::C {
            let (binary, source) = (word(&folder.join(&name)), word(&program));
            note!("next: cc -O2 -o {binary} {source} && {run}");
        } else {
            note!("next: {run}");
        }
        Ok(())
    }
}

/// The `.gitignore` of a new crate: the folders that are made again from sources and experiments.
const GITIGNORE: &str = "/target/\n/results/\n";

#[derive(Debug, Args)]
struct CrateArguments {
    /// Name, also that of the folder
    name: String,
    /// Source of the library: a clone of etude, or the URL of its git repository
    #[arg(long, value_name = "SOURCE")]
    lab: Option<String>,
}

impl CrateArguments {
    /// Writes the crate under another name.
    fn write(&self) -> Result<(), Failure> {
        let (path, lab) = (&self.name, self.lab.as_deref());
        let (name, folder) = (checked_name(path)?, PathBuf::from(path));
        let library = match lab {
            Some(source) => Library::at(source, &folder)?,
            None => Library::own(&folder),
        };
        let filled = |text: &str| text.replace("clock-patience", &name);
        let manifest = filled(include_str!("../templates/crate/Cargo.toml.txt"));
        let manifest = CRATES.iter().fold(manifest, |manifest, name| {
            let ours = format!("path = \"../../crates/{name}\"");
            manifest.replace(&ours, &library.of(name))
        });
        write_new(&folder.join("Cargo.toml"), &manifest)?;
        let experiment = include_str!("../templates/crate/clock.toml");
        write_new(&folder.join("clock.toml"), experiment)?;
        let source = filled(include_str!("../templates/crate/src/main.rs"));
        write_new(&folder.join("src/main.rs"), &source)?;
        write_new(&folder.join(".gitignore"), GITIGNORE)?;
        let folder = quote(path);
        note!("next: cd {folder} && cargo test && cargo run --release -- run clock");
        Ok(())
    }
}

/// The crates of etude that a new crate depends on.
const CRATES: [&str; 3] = ["cli", "kit", "task"];

/// The place of etude's crates.
enum Library {
    /// The path of a clone.
    Clone(String),
    /// A git repository or a version, as a manifest names it.
    Elsewhere(String),
}

impl Library {
    /// The clone that this program, or the working folder, is in; without one, the published version.
    fn own(folder: &Path) -> Self {
        let places = [std::env::current_exe(), std::env::current_dir()];
        let mut places = places.iter().flatten().flat_map(|place| place.ancestors());
        let Some(clone) = places.find(|place| is_clone(place)) else {
            return Self::Elsewhere(format!("version = \"{}\"", env!("CARGO_PKG_VERSION")));
        };
        let place = path_from(folder, clone);
        note!("it takes the library from {place}; --lab names another place");
        Self::Clone(place)
    }

    /// The library in a clone or at a URL, for the manifest in a folder.
    fn at(source: &str, folder: &Path) -> Result<Self, Failure> {
        const EXPECTED: &str = "it should be a folder that has crates/task/Cargo.toml, or the URL of its git repository";
        if source.contains("://") || source.starts_with("git@") {
            return Ok(Self::Elsewhere(format!("git = {source:?}")));
        }
        let path = files::canonicalize(source)
            .map_err(|error| Failure::usage(format!("{source}: {error}")).with_help(EXPECTED))?;
        if !is_clone(&path) {
            let failure = Failure::usage(format!("{source} is no clone of etude"));
            return Err(failure.with_help(EXPECTED));
        }
        Ok(Self::Clone(path_from(folder, &path)))
    }

    /// The place of one crate, as a manifest names it.
    fn of(&self, name: &str) -> String {
        match self {
            Self::Clone(clone) => format!("path = \"{clone}/crates/{name}\""),
            Self::Elsewhere(place) => place.clone(),
        }
    }
}

/// The path of a clone from a folder that may not be there yet; all of it where they share no root.
fn path_from(folder: &Path, library: &Path) -> String {
    let made = std::path::absolute(folder).unwrap_or_default();
    let parent = made
        .parent()
        .and_then(|parent| files::canonicalize(parent).ok());
    let place = parent.map_or(made.clone(), |parent| {
        parent.join(made.file_name().unwrap_or_default())
    });
    let both = place.components().zip(library.components());
    let shared = both.take_while(|(one, other)| one == other).count();
    let up = place
        .components()
        .skip(shared)
        .map(|_| Component::ParentDir);
    let path: PathBuf = match shared {
        0 => library.to_owned(),
        _ => up.chain(library.components().skip(shared)).collect(),
    };
    // A manifest has slashes everywhere.
    let words = path.to_string_lossy();
    words.replace(std::path::MAIN_SEPARATOR, "/")
}

/// Returns whether a folder is a clone of etude.
fn is_clone(folder: &Path) -> bool {
    let manifest = files::read_text(&folder.join("crates/task/Cargo.toml"));
    manifest.is_ok_and(|text| text.contains("name = \"etude-task\""))
}

/// The last part of a path, which is a name: small letters, digits and hyphens.
fn checked_name(path: &str) -> Result<String, Failure> {
    let name = Path::new(path).file_name().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    if name.starts_with(|first: char| first.is_ascii_lowercase()) && is_name(&name) {
        return Ok(name);
    }
    Err(Failure::usage(format!("`{name}` cannot be a name"))
        .with_help("use small letters, digits and hyphens, a letter first"))
}

/// Writes a file that is not there yet.
pub(crate) fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let told = |error: std::io::Error| Failure::of_file(path, error);
    if path.exists() {
        return Err(Failure::usage(format!("{} already exists", path.display()))
            .with_help("choose another name, or move the folder away"));
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(told)?;
    }
    std::fs::write(path, text).map_err(told)?;
    note!("wrote {}", path.display());
    Ok(())
}
