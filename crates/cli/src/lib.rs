#![doc = include_str!("../README.md")]

// First, for its macros are used by all others.
#[macro_use]
mod terminal;

mod archive;
mod bench;
mod check;
mod compare;
mod completions;
mod examined;
mod experiment_arguments;
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
mod schedulers;
mod schema;
mod shard;
mod signals;
mod stats;
mod stats_arguments;
mod table;
mod verify;
mod worker;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Args, ColorChoice, CommandFactory, FromArgMatches, Parser};

use task::Application;

use failure::Failure;
use terminal::DisplayOptions;

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
pub fn main(app: &Application) -> ExitCode {
    signals::survive_large_files();
    match run(app, arguments()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure::tell(&failure, app);
            ExitCode::from(failure.kind as u8)
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
fn run(app: &Application, arguments: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let words: Vec<OsString> = arguments.into_iter().collect();
    let tree = tree_for(app, &words).color(colours_in(&words));
    let matches = tree.get_matches_from(&words);
    let display = DisplayOptions::from_arg_matches(&matches).unwrap_or_default();
    display.apply();
    if let Some((verb, options)) = game_verbs::chosen(app.games, &matches) {
        return game_verbs::run(verb, options);
    }
    let verb = CliVerb::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    verb.run(app)
}

/// The colours that the words ask for: needed before they are read, for what is wrong with them.
fn colours_in(words: &[OsString]) -> ColorChoice {
    let words = words.iter().filter_map(|word| word.to_str());
    let asked = words.skip_while(|word| !word.starts_with("--color"));
    let value = asked
        .take(2)
        .find_map(|word| word.trim_start_matches("--color=").parse().ok());
    value.unwrap_or_default()
}

/// The commands that the words of a command line may mean. What only help shows is left out where no help is asked for, and
/// the verbs of games where another verb is named: making them would take longer than most verbs do.
fn tree_for(app: &Application, words: &[OsString]) -> clap::Command {
    let asks = |word: &OsString| ["-h", "--help", "help"].iter().any(|help| word == help);
    let fixed = fixed_tree(app);
    match words.get(1) {
        Some(verb) if !words.iter().any(asks) => {
            let is_fixed = verb
                .to_str()
                .is_some_and(|verb| fixed.find_subcommand(verb).is_some());
            let tree = if is_fixed {
                fixed
            } else {
                game_verbs::add_to(fixed, app.games)
            };
            spelled(tree, app)
        }
        _ => command_tree(app),
    }
}

/// Returns the fixed verbs and those that the games bring, with all texts of their help.
pub fn command_tree(app: &Application) -> clap::Command {
    let tree = fixed_tree(app).after_help(format!("Examples:\n{}\n\n{EXIT_CODES}", app.examples));
    let tree = game_verbs::add_to(tree, app.games);
    let template = groups::help_template(&tree, terminal::width());
    spelled(tree.help_template(template), app)
}

/// The verbs that do not come from games.
fn fixed_tree(app: &Application) -> clap::Command {
    let tree = DisplayOptions::augment_args(CliVerb::command());
    let tree = tree.name(app.name).version(app.versions());
    // After the options, whose description would stand in its place.
    tree.about(app.about).long_about(None)
}

/// The commands with the program's name in their examples.
fn spelled(mut tree: clap::Command, app: &Application) -> clap::Command {
    if app.is_etude() {
        return tree;
    }
    if let Some(help) = tree.get_after_help() {
        let help = app.spelled(&help.to_string());
        tree = tree.after_help(help);
    }
    tree.mut_subcommands(|command| spelled(command, app))
}

impl CliVerb {
    fn run(self, app: &Application) -> Result<(), Failure> {
        match self {
            CliVerb::List(arguments) => arguments.run(app),
            CliVerb::Check(arguments) => arguments.run(app),
            CliVerb::Init(arguments) => arguments.run(app),
            CliVerb::Plan(arguments) => arguments.run(app),
            CliVerb::Run(arguments) => arguments.run(app),
            CliVerb::Bench(arguments) => arguments.run(app),
            CliVerb::Worker(arguments) => arguments.run(app),
            CliVerb::Merge(arguments) => arguments.run(app),
            CliVerb::Verify(arguments) => arguments.run(app),
            CliVerb::Archive(arguments) => arguments.run(app),
            CliVerb::Replay(arguments) => arguments.run(app),
            CliVerb::Report(arguments) => arguments.run(app),
            CliVerb::Compare(arguments) => arguments.run(app),
            CliVerb::Stats(arguments) => arguments.run(),
            CliVerb::Schema(arguments) => arguments.run(app),
            CliVerb::Completions(arguments) => arguments.run(command_tree(app), app),
        }
    }
}
