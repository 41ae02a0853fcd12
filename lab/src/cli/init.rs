//! `etude init`: writes a starting point that runs as it is.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::Value;

use crate::external::declaration::DeclaredProgram as Declared;
use crate::external::hello::{Hello, named};
use crate::external::session;

use super::failure::Failure;
use super::program::Program;

/// Write a starting point: a simulation, a player or a game of your own
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude init command dice                               a simulation in Python
  etude init command dice --language c
  etude init command queue --from 'python3 queue.py'    an experiment for an existing program
  etude init player reynard                             a fox or hens in Python
  etude init crate my-games                             games in Rust, with this command line")]
pub struct InitArguments {
    #[command(subcommand)]
    what: Starter,
}

#[derive(Debug, Subcommand)]
enum Starter {
    /// A simulation in any language, with its experiment
    Command(CommandArguments),
    /// A player in any language, with a round robin
    Player(PlayerArguments),
    /// A crate with a game of your own and this whole command line; it starts as Clock patience
    Crate {
        /// Its name, also that of its folder
        name: String,
    },
}

#[derive(Debug, Args)]
struct CommandArguments {
    /// Its name, also that of its folder
    name: String,
    /// What it is written in
    #[arg(long, value_enum, default_value = "python")]
    language: Language,
    /// An existing program; the experiment is written from its own description
    #[arg(long, value_name = "ARGV", conflicts_with = "language")]
    from: Option<String>,
}

#[derive(Debug, Args)]
struct PlayerArguments {
    /// Its name, also that of its folder
    name: String,
    /// What it is written in
    #[arg(long, value_enum, default_value = "python")]
    language: Language,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    Python,
    C,
    Javascript,
}

/// A template's program and its experiment.
struct Template {
    program: &'static str,
    experiment: &'static str,
}

impl Language {
    fn extension(self) -> &'static str {
        match self {
            Self::Python => "py",
            Self::C => "c",
            Self::Javascript => "js",
        }
    }

    /// How the program of that name is started.
    fn run(self, name: &str) -> String {
        match self {
            Self::Python => format!("[\"python3\", \"{name}.py\"]"),
            Self::C => format!("[\"./{name}\"]"),
            Self::Javascript => format!("[\"node\", \"{name}.js\"]"),
        }
    }

    fn command(self) -> Template {
        Template {
            program: match self {
                Self::Python => include_str!("../../templates/command.py"),
                Self::C => include_str!("../../templates/command.c"),
                Self::Javascript => include_str!("../../templates/command.js"),
            },
            experiment: include_str!("../../templates/command.toml"),
        }
    }

    fn player(self) -> Template {
        Template {
            program: match self {
                Self::Python => include_str!("../../templates/player.py"),
                Self::C => include_str!("../../templates/player.c"),
                Self::Javascript => include_str!("../../templates/player.js"),
            },
            experiment: include_str!("../../templates/player.toml"),
        }
    }
}

impl InitArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        match self.what {
            Starter::Command(CommandArguments {
                name,
                from: Some(argv),
                ..
            }) => from_program(program, &name, &argv),
            Starter::Command(command) => {
                let template = command.language.command();
                write_template(program, &command.name, command.language, &template)
            }
            Starter::Crate { name } => write_crate(&name),
            Starter::Player(player) => {
                let template = player.language.player();
                write_template(program, &player.name, player.language, &template)
            }
        }
    }
}

/// The last part of a path, which is a name: small letters, digits and hyphens.
fn checked_name(path: &str) -> Result<String, Failure> {
    let name = Path::new(path)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let fits = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    if !name.is_empty() && name.bytes().all(fits) && name.as_bytes()[0].is_ascii_lowercase() {
        Ok(name)
    } else {
        Err(Failure::usage(format!("`{name}` cannot be a name"))
            .with_help("use small letters, digits and hyphens, a letter first"))
    }
}

/// The crate of `examples/outside` under another name.
fn write_crate(path: &str) -> Result<(), Failure> {
    let (name, folder) = (checked_name(path)?, PathBuf::from(path));
    let filled = |text: &str| text.replace("clock-patience", &name);
    let manifest = filled(include_str!("../../templates/crate/Cargo.toml.txt"));
    let manifest = manifest.replace("path = \"../../lab\"", &laboratory());
    write_new(&folder.join("Cargo.toml"), &manifest)?;
    let experiment = include_str!("../../templates/crate/clock.toml");
    write_new(&folder.join("clock.toml"), experiment)?;
    let source = filled(include_str!("../../templates/crate/main.rs"));
    write_new(&folder.join("src/main.rs"), &source)?;
    eprintln!("next: cd {path} && cargo test && cargo run --release -- run clock");
    Ok(())
}

/// Where a new crate finds the laboratory: the sources that this program was built from, if they
/// are still there, and otherwise the registry.
fn laboratory() -> String {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
    if sources.join("Cargo.toml").is_file() {
        format!("path = {:?}", sources.display().to_string())
    } else {
        format!("version = {:?}", env!("CARGO_PKG_VERSION"))
    }
}

fn write_template(
    etude: &Program,
    path: &str,
    language: Language,
    template: &Template,
) -> Result<(), Failure> {
    let name = checked_name(path)?;
    let folder = PathBuf::from(path);
    let program = folder.join(format!("{name}.{}", language.extension()));
    let experiment = folder.join(format!("{name}.toml"));
    let filled = |text: &str| text.replace("NAME", &name);
    let declared = filled(template.experiment)
        .replace("RUN", &language.run(&name))
        .replace("FILES", &format!("[\"{name}.{}\"]", language.extension()));
    write_new(&program, &filled(template.program))?;
    write_new(&experiment, &declared)?;
    if language == Language::C {
        let binary = folder.join(&name);
        let (binary, source) = (binary.display(), program.display());
        eprintln!(
            "next: cc -O2 -o {binary} {source} && {} run {}",
            etude.name,
            experiment.display()
        );
    } else {
        eprintln!("next: {} run {}", etude.name, experiment.display());
    }
    Ok(())
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let told = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
    if path.exists() {
        return Err(Failure::usage(format!("{} already exists", path.display()))
            .with_help("choose another name, or move the folder away"));
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(told)?;
    }
    fs::write(path, text).map_err(told)?;
    eprintln!("wrote {}", path.display());
    Ok(())
}

/// Writes the experiment of a program beside it, from its hello.
fn from_program(etude: &Program, path: &str, argv: &str) -> Result<(), Failure> {
    let name = checked_name(path)?;
    let argv: Vec<String> = argv.split_whitespace().map(str::to_owned).collect();
    let program = Declared {
        argv: argv.clone(),
        folders: vec![PathBuf::new()],
        files: Vec::new(),
        version: None,
        patience: Duration::from_secs(60),
    };
    let hello = session::introduce(&program).map_err(Failure::failed)?;
    let target = PathBuf::from(format!("{path}.toml"));
    write_new(&target, &experiment_of(&name, &argv, &hello))?;
    eprintln!(
        "next: look at its question and its bounds, then {} run {}",
        etude.name,
        target.display()
    );
    Ok(())
}

fn experiment_of(name: &str, argv: &[String], hello: &Hello) -> String {
    let files: Vec<String> = (argv.iter())
        .filter(|word| Path::new(word).is_file())
        .cloned()
        .collect();
    let mut text = format!("question = \"What does {name} say?\"\ntask = \"command\"\nseed = 1\n");
    text.push_str(&format!("\n[command]\nrun = {}\n", list(argv)));
    if files.is_empty() {
        let version = Some(hello.version.as_str()).filter(|version| !version.is_empty());
        text.push_str(&format!("version = {:?}\n", version.unwrap_or("1")));
    } else {
        text.push_str(&format!("files = {}\n", list(&files)))
    }
    let section = |key: &str| hello.said.get(key).map(named).unwrap_or_default();
    let streams: Vec<String> = section("streams")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    if !streams.is_empty() {
        text.push_str(&format!("streams = {}\n", list(&streams)));
    }
    for (table, keys) in [
        (
            "params",
            &["kind", "min", "max", "choices", "default", "summary"][..],
        ),
        (
            "metrics",
            &["kind", "unit", "min", "max", "decimals", "summary", "truth"],
        ),
    ] {
        let entries = section(table);
        if !entries.is_empty() {
            text.push_str(&format!("\n[command.{table}]\n"));
        }
        for (name, facts) in entries {
            text.push_str(&format!("{name} = {}\n", facts_of(&facts, keys)));
        }
    }
    text + "\n[stop]\nsamples = 1000\n"
}

fn list(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    format!("[{}]", quoted.join(", "))
}

/// What hello says of a parameter or a metric: its facts, or its default alone. Where it says no
/// kind, the kind of its default, or a number.
fn facts_of(said: &Value, keys: &[&str]) -> String {
    let fact = |key: &str| match said {
        Value::Object(facts) => facts.get(key).filter(|fact| !fact.is_null()),
        Value::Number(_) | Value::Bool(_) => (key == "default").then_some(said),
        _ => None,
    };
    let kind = fact("kind").cloned().unwrap_or_else(|| {
        let default = fact("default").unwrap_or(&Value::Null);
        let kind = match default {
            Value::Bool(_) => "flag",
            Value::String(_) => "text",
            _ if default.is_i64() => "integer",
            _ => "number",
        };
        kind.into()
    });
    let mut pairs = vec![format!("kind = {kind}")];
    let others = keys.iter().filter(|&&key| key != "kind");
    pairs.extend(others.filter_map(|key| Some(format!("{key} = {}", fact(key)?))));
    format!("{{ {} }}", pairs.join(", "))
}
