//! The parts of a command line: a program's name, its games and its experiments.

use super::{GameSpec, TaskSpec};

use base::words::join;

/// A program that the laboratory gives its command line to.
#[derive(Clone, Copy, Debug)]
pub struct Application {
    /// The name of the binary, as people type it.
    pub name: &'static str,
    /// A sentence for `--help` that says what the program is.
    pub about: &'static str,
    /// The program's version, `env!("CARGO_PKG_VERSION")`.
    pub version: &'static str,
    /// The source revision it was built from, where that is known.
    pub revision: Option<&'static str>,
    /// The program's games, in the order in which `list` shows them.
    pub games: &'static [&'static GameSpec],
    /// The experiments that it brings with it, in order of name.
    pub experiments: &'static [BuiltIn],
    /// Example command lines for `--help`, one a line.
    pub examples: &'static str,
}

/// An experiment that a program brings with it.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// The name by which it is run.
    pub name: &'static str,
    /// The path of the file that it was built from, in the folder of the program's sources.
    pub file: &'static str,
    /// The text of that file.
    pub text: &'static str,
    /// The seconds that it takes on one core, where that was measured.
    pub seconds: Option<f64>,
}

impl Application {
    /// Rust code that uses the laboratory as a library, without games of its own.
    pub const LIBRARY: Application = Application {
        name: "etude",
        about: "",
        version: Self::LABORATORY,
        revision: None,
        games: &[],
        experiments: &[],
        examples: "",
    };

    /// Returns the versions that `--version` and the manifest show: the program's own, and the
    /// laboratory's if that is another program.
    pub fn versions(&self) -> String {
        if self.is_etude() {
            return self.version.to_owned();
        }
        format!("{} (etude {})", self.version, Self::LABORATORY)
    }

    /// Name and version of a program other than etude itself.
    pub fn own(&self) -> Option<String> {
        let own = || format!("{} {}", self.name, self.version);
        (!self.is_etude()).then(own)
    }

    /// The version of the laboratory.
    pub const LABORATORY: &str = env!("CARGO_PKG_VERSION");

    /// Returns whether this is etude itself, and not a program of somebody else.
    pub fn is_etude(&self) -> bool {
        self.name == "etude"
    }

    /// A text in which `etude VERB` is spelled with the program's name.
    pub fn spelled(&self, text: &str) -> String {
        if self.is_etude() {
            return text.to_owned();
        }
        let mut spelled = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("etude ") {
            let (before, mention) = rest.split_at(at);
            let command = mention["etude ".len()..].starts_with(|c: char| c.is_ascii_lowercase());
            let alone = !before.ends_with(|c: char| c.is_alphanumeric() || "-/.".contains(c));
            spelled.push_str(before);
            spelled.push_str(if command && alone { self.name } else { "etude" });
            spelled.push(' ');
            rest = &mention["etude ".len()..];
        }
        spelled + rest
    }

    /// The command that plays one sample of an experiment again.
    pub fn replay_line(&self, config: &str, cell: &str, sample: u64) -> String {
        let sample = sample.to_string();
        let place = ["--cell", cell, "--sample", &sample];
        join([self.name, "replay", config].into_iter().chain(place))
    }

    /// The task of this name in one of its games.
    pub fn task(&self, name: &str) -> Option<&'static TaskSpec> {
        let mut tasks = self.games.iter().flat_map(|game| game.tasks);
        tasks.find(|task| task.name == name)
    }

    /// The built-in experiment called `name`.
    pub fn experiment(&self, name: &str) -> Option<&'static BuiltIn> {
        self.experiments.iter().find(|known| known.name == name)
    }

    /// The names of the built-in experiments.
    pub fn experiment_names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.experiments.iter().map(|known| known.name)
    }
}
