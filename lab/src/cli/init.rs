//! `etude init`: writes a starting point that runs as it is.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::Value;

use crate::programs::declaration::{DeclaredProgram as Declared, words};
use crate::programs::hello::{Hello, named};
use crate::programs::session;

use super::Program;
use super::failure::Failure;
use super::new_crate::CrateArguments;
use super::starter::{checked_name, write_new};
use crate::job::shell::quoted;

/// Write a starting point: a simulation, a player or a game of your own
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude init command dice                               a simulation in Python
  etude init command dice --language c
  etude init command queue --from 'python3 queue.py'    an experiment for an existing program
  etude init player reynard                             a fox or hens in Python
  etude init crate my-games                             games in Rust, with this command line
  etude init crate my-games --lab ../etude              with the library of that clone")]
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
    Crate(CrateArguments),
}

#[derive(Debug, Args)]
struct CommandArguments {
    /// Name, also that of the folder
    name: String,
    /// Language of the program
    #[arg(long, value_enum, default_value = "python")]
    language: Language,
    /// An existing program; the experiment is written from its own description
    #[arg(long, value_name = "ARGV", conflicts_with = "language")]
    from: Option<String>,
}

#[derive(Debug, Args)]
struct PlayerArguments {
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

/// A template's program and its experiment.
struct Template {
    program: &'static str,
    experiment: &'static str,
}

impl Language {
    /// The files that a program of this name is made of, the source first.
    fn files(self, name: &str) -> Vec<String> {
        let source = format!("{name}.{}", self.extension());
        match self {
            Self::C => vec![source, name.to_owned()],
            Self::Python | Self::Javascript => vec![source],
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Python => "py",
            Self::C => "c",
            Self::Javascript => "js",
        }
    }

    /// Returns the `run` value that starts the program of that name.
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
            Starter::Crate(new) => new.write(),
            Starter::Player(player) => {
                let template = player.language.player();
                write_template(program, &player.name, player.language, &template)
            }
        }
    }
}

/// A path as a shell reads it.
fn word(path: &Path) -> String {
    quoted(&path.to_string_lossy())
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
        .replace("FILES", &list(&language.files(&name)));
    write_new(&program, &filled(template.program))?;
    write_new(&experiment, &declared)?;
    let run = format!("{} run {}", etude.name, word(&experiment));
    if language == Language::C {
        let (binary, source) = (word(&folder.join(&name)), word(&program));
        note!("next: cc -O2 -o {binary} {source} && {run}");
    } else {
        note!("next: {run}");
    }
    Ok(())
}

/// Writes the experiment of a program beside it, from its hello.
fn from_program(etude: &Program, path: &str, argv: &str) -> Result<(), Failure> {
    let name = checked_name(path)?;
    let argv = words(argv);
    let program = Declared {
        argv: argv.clone(),
        folders: vec![PathBuf::new()],
        files: Vec::new(),
        version: None,
        patience: Duration::from_secs(60),
    };
    let hello = session::introduce(&program).map_err(Failure::failed)?;
    let target = PathBuf::from(format!("{path}.toml"));
    write_new(&target, &experiment_of(&name, &target, &argv, &hello))?;
    let look = if said_of(&hello, "metrics").is_empty() {
        "declare its metrics under [command.metrics], for its hello names none"
    } else {
        "look at its question and its bounds"
    };
    note!("next: {look}, then {} run {}", etude.name, word(&target));
    Ok(())
}

fn experiment_of(name: &str, target: &Path, argv: &[String], hello: &Hello) -> String {
    let folder = target.parent().unwrap_or(Path::new(""));
    let (argv, files) = seen_from(folder, argv);
    let mut text = format!("question = \"What does {name} say?\"\ntask = \"command\"\nseed = 1\n");
    text.push_str(&format!("\n[command]\nrun = {}\n", list(&argv)));
    if files.is_empty() {
        let version = Some(hello.version.as_str()).filter(|version| !version.is_empty());
        text.push_str(&format!(
            "version = {}\n",
            quoted_toml(version.unwrap_or("1"))
        ));
    } else {
        text.push_str(&format!("files = {}\n", list(&files)))
    }
    let streams: Vec<String> = said_of(hello, "streams")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    if !streams.is_empty() {
        text.push_str(&format!("streams = {}\n", list(&streams)));
    }
    for (table, keys) in [("params", PARAM_FACTS), ("metrics", METRIC_FACTS)] {
        let entries = said_of(hello, table);
        if !entries.is_empty() {
            text.push_str(&format!("\n[command.{table}]\n"));
        }
        for (name, facts) in entries {
            text.push_str(&format!("{} = {}\n", key(&name), facts_of(&facts, keys)));
        }
    }
    text + "\n[stop]\nsamples = 1000\n"
}

/// Returns the entries that a hello has under a key, by name.
fn said_of(hello: &Hello, key: &str) -> Vec<(String, Value)> {
    hello.said.get(key).map(named).unwrap_or_default()
}

/// The keys that a hello may have for a parameter.
const PARAM_FACTS: &[&str] = &["kind", "min", "max", "choices", "default", "summary"];

/// The keys that a hello may have for a metric.
const METRIC_FACTS: &[&str] = &["kind", "unit", "min", "max", "decimals", "summary", "truth"];

/// A command line as a file in `folder` writes it, with the files that it names.
fn seen_from(folder: &Path, argv: &[String]) -> (Vec<String>, Vec<String>) {
    let mut files = Vec::new();
    let mut word = |(place, word): (usize, &String)| {
        let is_program = place == 0;
        if !Path::new(word).is_file() || is_program && !word.contains('/') {
            return word.clone();
        }
        let path = Path::new(word.trim_start_matches("./"));
        let path = match path.strip_prefix(folder) {
            Ok(inside) => inside.to_owned(),
            Err(_) => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
        };
        let written = |path: &Path| path.to_string_lossy().into_owned();
        files.push(written(&path));
        if is_program {
            written(&Path::new(".").join(path))
        } else {
            written(&path)
        }
    };
    let argv = argv.iter().enumerate().map(&mut word).collect();
    (argv, files)
}

/// A text as TOML writes it.
fn quoted_toml(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !name.is_empty() && name.bytes().all(is_bare) {
        name.to_owned()
    } else {
        quoted_toml(name)
    }
}

fn list(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quoted_toml(word)).collect();
    format!("[{}]", quoted.join(", "))
}

/// Returns the facts of a parameter or a metric that are in the hello, or its default alone. If the
/// hello gives no kind, the kind is that of the default, or a number.
fn facts_of(said: &Value, keys: &[&str]) -> String {
    let fact = |key: &str| match said {
        Value::Object(facts) => facts.get(key).filter(|fact| !fact.is_null()),
        Value::Number(_) | Value::Bool(_) | Value::String(_) => (key == "default").then_some(said),
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
    let toml = |fact: &Value| Some(toml::Value::try_from(fact).ok()?.to_string());
    let pair = |&name: &&str| {
        let fact = if name == "kind" { &kind } else { fact(name)? };
        Some(format!("{name} = {}", toml(fact)?))
    };
    let pairs: Vec<String> = keys.iter().filter_map(pair).collect();
    format!("{{ {} }}", pairs.join(", "))
}
