//! What the command line is made for: a program's name, its games and its experiments.

use crate::task::GameSpec;

/// A program that the laboratory gives its command line to.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The name of the binary, as people type it.
    pub name: &'static str,
    /// One sentence for `--help`: what the program is.
    pub about: &'static str,
    /// Its version, `env!("CARGO_PKG_VERSION")`.
    pub version: &'static str,
    /// The source revision it was built from, where that is known.
    pub revision: Option<&'static str>,
    /// Its games, in the order in which `list` shows them.
    pub games: &'static [&'static GameSpec],
    /// The experiments that it brings with it: name and text of each, in order of name.
    pub experiments: &'static [(&'static str, &'static str)],
    /// Example command lines for `--help`, one a line.
    pub examples: &'static str,
}

impl Program {
    /// The text of the bundled experiment called `name`.
    pub(super) fn experiment(&self, name: &str) -> Option<&'static str> {
        let found = self.experiments.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| *text)
    }
}
