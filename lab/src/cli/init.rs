//! `etude init`: writes a starting point that runs as it is.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use crate::programs::declaration::{DeclaredProgram as Declared, words};
use crate::programs::session;
use crate::programs::starter::{experiment_of, toml_list};

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
    Player(TemplateArguments),
    /// A crate with a game of your own and this whole command line; it starts as Clock patience
    Crate(CrateArguments),
}

#[derive(Debug, Args)]
struct CommandArguments {
    #[command(flatten)]
    template: TemplateArguments,
    /// An existing program; the experiment is written from its own description
    #[arg(long, value_name = "ARGV", conflicts_with = "language")]
    from: Option<String>,
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

    /// The templates of a simulation: the program and its experiment.
    fn command(self) -> [&'static str; 2] {
        let program = match self {
            Self::Python => include_str!("../../templates/command.py"),
            Self::C => include_str!("../../templates/command.c"),
            Self::Javascript => include_str!("../../templates/command.js"),
        };
        [program, include_str!("../../templates/command.toml")]
    }

    /// The templates of a player: the program and its round robin.
    fn player(self) -> [&'static str; 2] {
        let program = match self {
            Self::Python => include_str!("../../templates/player.py"),
            Self::C => include_str!("../../templates/player.c"),
            Self::Javascript => include_str!("../../templates/player.js"),
        };
        [program, include_str!("../../templates/player.toml")]
    }
}

impl InitArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        match self.what {
            Starter::Command(CommandArguments { template, from }) => match from {
                Some(argv) => from_program(program, &template.name, &argv),
                None => template.write(program, template.language.command()),
            },
            Starter::Player(template) => template.write(program, template.language.player()),
            Starter::Crate(new) => new.write(),
        }
    }
}

/// A path as a shell reads it.
fn word(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

impl TemplateArguments {
    /// Writes the program and its experiment.
    fn write(&self, etude: &Program, templates: [&str; 2]) -> Result<(), Failure> {
        let (name, language) = (checked_name(&self.name)?, self.language);
        let folder = PathBuf::from(&self.name);
        let program = folder.join(format!("{name}.{}", language.extension()));
        let experiment = folder.join(format!("{name}.toml"));
        let [source, declared] = templates.map(|text| text.replace("NAME", &name));
        let declared = declared
            .replace("RUN", &language.run(&name))
            .replace("FILES", &toml_list(&language.files(&name)));
        write_new(&program, &source)?;
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
}

/// Writes the experiment of a program beside it, from its hello.
fn from_program(etude: &Program, path: &str, argv: &str) -> Result<(), Failure> {
    let name = checked_name(path)?;
    let argv = words(argv);
    let program = Declared {
        argv: argv.clone(),
        folders: vec![PathBuf::new()],
        patience: Duration::from_secs(60),
        ..Declared::default()
    };
    let hello = session::introduce(&program).map_err(Failure::failed)?;
    let target = PathBuf::from(format!("{path}.toml"));
    let folder = target.parent().unwrap_or(Path::new(""));
    write_new(&target, &experiment_of(&name, folder, &argv, &hello))?;
    let look = if hello.entries("metrics").is_empty() {
        "declare its metrics under [command.metrics], for its hello names none"
    } else {
        "look at its question and its bounds"
    };
    note!("next: {look}, then {} run {}", etude.name, word(&target));
    Ok(())
}
