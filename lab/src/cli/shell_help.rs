//! `etude completions SHELL` and `etude man`: the command tree for shells and as manual pages.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args};
use clap_complete::Shell;

use super::Program;
use super::failure::Failure;
use super::table::write_stdout;

/// The verbs whose argument EXPERIMENT may be a built-in one.
const EXPERIMENT_VERBS: [&str; 5] = ["run", "plan", "replay", "check", "cluster"];

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude completions bash > ~/.local/share/bash-completion/completions/etude")]
pub struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

impl CompletionsArguments {
    pub fn run(self, tree: clap::Command, program: &Program) -> Result<(), Failure> {
        let mut tree = with_experiments(tree, program);
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut tree, program.name, &mut script);
        if self.shell == Shell::Fish {
            script.extend(fish_experiments(program).into_bytes());
        }
        write_stdout(&script)
    }
}

/// Fish's lines for the names of experiments: its generated script completes options alone.
fn fish_experiments(program: &Program) -> String {
    let names: Vec<&str> = program.experiments.iter().map(|(name, _)| *name).collect();
    format!(
        "complete -c {} -n \"__fish_seen_subcommand_from {}\" -a \"{}\"\n",
        program.name,
        EXPERIMENT_VERBS.join(" "),
        names.join(" ")
    )
}

/// The tree whose verbs know the built-in experiments by name. Only completions see it: a path of a
/// file would be refused.
fn with_experiments(tree: clap::Command, program: &Program) -> clap::Command {
    let names = program.experiments.iter().map(|(name, _)| *name);
    let parser = PossibleValuesParser::new(names);
    let is_experiment = |argument: &Arg| {
        let mut names = argument.get_value_names().into_iter().flatten();
        names.any(|name| name == "EXPERIMENT")
    };
    tree.mut_subcommands(|verb| {
        if !EXPERIMENT_VERBS.contains(&verb.get_name()) {
            return verb;
        }
        verb.mut_args(|argument| {
            if is_experiment(&argument) {
                argument.value_parser(parser.clone())
            } else {
                argument
            }
        })
    })
}

/// Print the manual page of the program or of a verb (roff)
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude man > etude.1 && man ./etude.1
  etude man run > etude-run.1
  etude man --dir ~/.local/share/man/man1        the pages of all verbs")]
pub struct ManArguments {
    /// The verb [default: the whole program]
    #[arg(value_name = "VERB", conflicts_with = "dir")]
    verb: Option<String>,
    /// Write the pages of the program and of all verbs into DIR
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl ManArguments {
    pub fn run(self, tree: clap::Command) -> Result<(), Failure> {
        if let Some(dir) = &self.dir {
            let wrong = |error| Failure::failed(format!("{}: {error}", dir.display()));
            std::fs::create_dir_all(dir).map_err(wrong)?;
            return clap_mangen::generate_to(tree, dir).map_err(wrong);
        }
        let tree = match &self.verb {
            None => tree,
            Some(verb) => page_of(tree, verb)?,
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(tree)
            .render(&mut page)
            .map_err(Failure::failed)?;
        write_stdout(&page)
    }
}

/// The command of a verb, named as its page is.
fn page_of(mut tree: clap::Command, verb: &str) -> Result<clap::Command, Failure> {
    tree.build();
    let name = format!("{}-{verb}", tree.get_name());
    let command = tree.find_subcommand(verb).cloned();
    let command = command.ok_or_else(|| {
        Failure::usage(format!("there is no verb `{verb}`")).with_help("see --help for all verbs")
    })?;
    Ok(command.name(name))
}
