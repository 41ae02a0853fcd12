//! The command line, one file per verb. It alone names the registry of games, prints and exits.

mod bundled;
mod check;
mod closing;
mod cluster;
mod compare;
mod counts;
mod experiment;
mod failure;
mod game_verbs;
mod list;
mod man;
mod memory;
mod merge;
mod plan;
mod progress;
mod replay;
mod report;
mod run;
mod schema;
mod shard;
mod shell;
mod signals;
mod splice;
mod stats;
mod table;
mod terminal;
mod verify;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use failure::Failure;

/// A Monte Carlo laboratory for combinatorial games: exact engines, reproducible experiments,
/// honest intervals.
#[derive(Debug, Parser)]
#[command(
    name = "etude",
    version,
    propagate_version = false,
    max_term_width = 100
)]
#[command(after_help = "Examples:
  etude list                                            what there is
  etude run klondike-casino                             make an experiment
  etude report results/klondike-casino                  look at it again
  etude solve klondike --seed 1978 --index 0            solve one deal

Exit codes: 0 done; 1 a check or run failed; 2 usage or configuration; 3 stopped at a cap;
75 interrupted, can be resumed.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
    Check(check::Check),
    Plan(plan::PlanArguments),
    Run(run::RunArguments),
    Merge(merge::Merge),
    Cluster(cluster::Cluster),
    Verify(verify::Verify),
    Replay(replay::ReplayArguments),
    Report(report::Report),
    Compare(compare::Compare),
    Stats(stats::Stats),
    Splice(splice::Splice),
    Schema(schema::Schema),
    Completions(man::Completions),
    Man(man::Man),
}

/// Runs the command that `arguments` spell.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let matches = command_tree().get_matches_from(arguments);
    if let Some((verb, game, options)) = game_verbs::chosen(&matches) {
        return game_verbs::run(verb, game, options);
    }
    match Cli::from_arg_matches(&matches).map(|cli| cli.command) {
        Ok(command) => command.run(),
        Err(error) => error.exit(),
    }
}

/// The fixed verbs and those that the games bring.
fn command_tree() -> clap::Command {
    game_verbs::add_to(Cli::command())
}

impl Command {
    fn run(self) -> Result<(), Failure> {
        match self {
            Command::List(arguments) => arguments.run(),
            Command::Check(arguments) => arguments.run(),
            Command::Plan(arguments) => arguments.run(),
            Command::Run(arguments) => arguments.run(),
            Command::Merge(arguments) => arguments.run(),
            Command::Cluster(arguments) => arguments.run(),
            Command::Verify(arguments) => arguments.run(),
            Command::Replay(arguments) => arguments.run(),
            Command::Report(arguments) => arguments.run(),
            Command::Compare(arguments) => arguments.run(),
            Command::Stats(arguments) => arguments.run(),
            Command::Splice(arguments) => arguments.run(),
            Command::Schema(arguments) => arguments.run(),
            Command::Completions(arguments) => arguments.run(command_tree()),
            Command::Man(arguments) => arguments.run(command_tree()),
        }
    }
}
