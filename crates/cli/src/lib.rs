#![doc = include_str!("../README.md")]

// First, for its macros are used by all others.
#[macro_use]
mod terminal;

mod archive;
mod bench;
mod check;
mod compare;
mod completions;
mod experiment;
mod failure;
mod game_verbs;
mod groups;
mod init;
mod list;
mod merge;
mod plan;
mod progress;
mod replay;
mod report;
mod run;
mod sample_size;
mod schema;
mod signals;
mod stats;
mod stats_arguments;
mod table;
mod verify;
mod worker;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

use lab::job::Program;

use failure::Failure;

#[derive(Debug, Parser)]
#[command(propagate_version = false, max_term_width = 100)]
enum CliVerb {
    List(list::ListArguments),
    Check(check::CheckArguments),
    Init(init::InitArguments),
    Plan(plan::PlanArguments),
    Run(run::RunArguments),
    Bench(bench::BenchArguments),
    Worker(worker::WorkerArguments),
    Merge(merge::MergeArguments),
    Verify(verify::VerifyArguments),
    Archive(archive::ArchiveArguments),
    Replay(replay::ReplayArguments),
    Report(report::ReportArguments),
    Compare(compare::CompareArguments),
    Stats(stats::StatsArguments),
    Schema(schema::SchemaArguments),
    Completions(completions::CompletionsArguments),
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 a check or run failed; 2 usage or configuration; \
3 stopped at a cap;\n75 interrupted, can be resumed.";

/// The whole of a program's `main`, with other people's programs: reads the command line, runs the verb it names, prints what
/// went wrong, and says with which exit code to end.
pub fn main(program: &Program) -> ExitCode {
    let program = &Program {
        starter: &programs::SUPERVISOR,
        ..*program
    };
    signals::survive_large_files();
    match run(program, arguments()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure::tell(&failure, program);
            failure::exit_code(&failure)
        }
    }
}

/// The words of the command line.
#[cfg(not(windows))]
fn arguments() -> impl Iterator<Item = OsString> {
    std::env::args_os()
}

/// The words of the command line, with the files in the place of a word such as `results\*`: no shell of
/// Windows does that.
#[cfg(windows)]
fn arguments() -> impl Iterator<Item = OsString> {
    wild::args_os()
}

/// Runs the command that `arguments` spell.
fn run(program: &Program, arguments: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let matches = command_tree(program).get_matches_from(arguments);
    if let Some((verb, options)) = game_verbs::chosen(program.games, &matches) {
        return game_verbs::run(verb, options);
    }
    let verb = CliVerb::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    verb.run(program)
}

/// The fixed verbs and those that the games bring.
fn command_tree(program: &Program) -> clap::Command {
    let tree = CliVerb::command()
        .name(program.name)
        .about(program.about)
        .version(program.versions())
        .after_help(format!("Examples:\n{}\n\n{EXIT_CODES}", program.examples));
    let tree = game_verbs::add_to(tree, program.games);
    let template = groups::help_template(&tree, terminal::width());
    spelled(tree.help_template(template), program)
}

/// The commands with the program's name in their examples.
fn spelled(mut tree: clap::Command, program: &Program) -> clap::Command {
    if let Some(help) = tree.get_after_help() {
        let help = program.spelled(&help.to_string());
        tree = tree.after_help(help);
    }
    tree.mut_subcommands(|command| spelled(command, program))
}

impl CliVerb {
    fn run(self, program: &Program) -> Result<(), Failure> {
        match self {
            CliVerb::List(arguments) => arguments.run(program),
            CliVerb::Check(arguments) => arguments.run(program),
            CliVerb::Init(arguments) => arguments.run(program),
            CliVerb::Plan(arguments) => arguments.run(program),
            CliVerb::Run(arguments) => arguments.run(program),
            CliVerb::Bench(arguments) => arguments.run(program),
            CliVerb::Worker(arguments) => arguments.run(program),
            CliVerb::Merge(arguments) => arguments.run(program),
            CliVerb::Verify(arguments) => arguments.run(program),
            CliVerb::Archive(arguments) => arguments.run(program),
            CliVerb::Replay(arguments) => arguments.run(program),
            CliVerb::Report(arguments) => arguments.run(program),
            CliVerb::Compare(arguments) => arguments.run(program),
            CliVerb::Stats(arguments) => arguments.run(),
            CliVerb::Schema(arguments) => arguments.run(program),
            CliVerb::Completions(arguments) => arguments.run(command_tree(program), program),
        }
    }
}
