//! `etude completions SHELL`: the command tree for shells.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args};
use clap_complete::Shell;

use super::Application;
use super::failure::Failure;
use super::table::write_stdout;

/// The verbs whose argument EXPERIMENT may be a built-in experiment.
const EXPERIMENT_VERBS: [&str; 4] = ["run", "plan", "replay", "check"];

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude completions bash > ~/.local/share/bash-completion/completions/etude")]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

impl CompletionsArguments {
    pub(crate) fn run(self, tree: clap::Command, app: &Application) -> Result<(), Failure> {
        let mut tree = with_experiments(tree, app);
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut tree, app.name, &mut script);
        if self.shell == Shell::Fish {
            script.extend(fish_experiments(app).into_bytes());
        }
        write_stdout(&script)
    }
}

/// Fish's lines for the names of experiments: its generated script completes options alone.
fn fish_experiments(app: &Application) -> String {
    let names: Vec<&str> = app.experiment_names().collect();
    format!(
        "complete -c {} -n \"__fish_seen_subcommand_from {}\" -a \"{}\"\n",
        app.name,
        EXPERIMENT_VERBS.join(" "),
        names.join(" ")
    )
}

/// The tree whose verbs know the built-in experiments by name. Only completions see it: a path of a
/// file would be refused.
fn with_experiments(tree: clap::Command, app: &Application) -> clap::Command {
    let names = app.experiment_names();
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
