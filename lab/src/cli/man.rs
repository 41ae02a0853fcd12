//! `etude completions SHELL` and `etude man`: the command tree for shells and for readers.

use clap::Args;
use clap_complete::Shell;

use super::failure::Failure;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude completions bash > ~/.local/share/bash-completion/completions/etude")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(self, mut tree: clap::Command, name: &str) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut tree, name, &mut script);
        print(&script)
    }
}

/// Print the manual page (roff)
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude man > etude.1 && man ./etude.1")]
pub struct Man {}

impl Man {
    pub fn run(self, tree: clap::Command) -> Result<(), Failure> {
        let mut page = Vec::new();
        clap_mangen::Man::new(tree)
            .render(&mut page)
            .map_err(Failure::failed)?;
        print(&page)
    }
}

fn print(bytes: &[u8]) -> Result<(), Failure> {
    super::table::write_stdout(bytes)
}
