//! The verbs that games bring: `etude VERB GAME`, built from the registry's data.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;

use crate::output::read_regular;
use crate::task::{
    Arguments, Cell, Console, GameSpec, InputFile, OptionKind, Verb, VerbError, VerbOption,
};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::failure::Failure;
use super::signals::AskedToStop;
use super::table::{Format, Printed, csv_line, field, offer_stdout};
use super::terminal;

/// Adds every game's verbs to the command tree.
pub fn add_to(tree: Command, games: &[&'static GameSpec]) -> Command {
    verbs_by_name(games)
        .into_iter()
        .fold(tree, |tree, (name, games)| {
            let about = about(name);
            let verb = Command::new(name)
                .about(about)
                .subcommand_required(true)
                .arg_required_else_help(true)
                .subcommand_value_name("GAME")
                .subcommand_help_heading("Games");
            let verb = games.iter().fold(verb, |verb, (game, spec)| {
                verb.subcommand(game_command(game, spec))
            });
            tree.subcommand(verb)
        })
}

/// The verb and its options, if `matches` chose a game's verb.
pub fn chosen<'m>(
    games: &[&'static GameSpec],
    matches: &'m ArgMatches,
) -> Option<(&'static Verb, &'m ArgMatches)> {
    let (verb_name, inner) = matches.subcommand()?;
    let (game_name, options) = inner.subcommand()?;
    let game = games.iter().find(|game| game.name == game_name)?;
    let verb = game.verbs.iter().find(|verb| verb.name == verb_name)?;
    Some((verb, options))
}

/// Runs a game's verb.
pub fn run(verb: &Verb, options: &ArgMatches) -> Result<(), Failure> {
    let arguments = read_arguments(verb.options, options)?;
    let format = *options.get_one::<Format>("format").unwrap_or(&Format::Text);
    let mut console = Terminal::new(format);
    let result = (verb.run)(&arguments, &mut console);
    console.finish()?;
    Ok(result?)
}

/// The verb of a game that `etude check --player` runs.
const EXAMINE: &str = "examine";

/// Examines a player as a game does; the first that can unless `game` names it.
pub fn check_player(
    games: &[&'static GameSpec],
    game: Option<&str>,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let named = |known: &&&'static GameSpec| game.is_none_or(|name| known.name == name);
    let verbs = games.iter().filter(named).flat_map(|game| game.verbs);
    let verb = verbs.into_iter().find(|verb| verb.name == EXAMINE);
    let verb = verb.ok_or_else(|| {
        Failure::usage("no game of that name can check players")
            .with_help("leave --game out, or name a match game such as foxes")
    })?;
    let mut console = Terminal::new(Format::Text);
    let result = (verb.run)(arguments, &mut console);
    console.finish()?;
    Ok(result?)
}

type GameVerb = (&'static GameSpec, &'static Verb);

fn verbs_by_name(games: &[&'static GameSpec]) -> BTreeMap<&'static str, Vec<GameVerb>> {
    let mut verbs: BTreeMap<_, Vec<GameVerb>> = BTreeMap::new();
    for &game in games {
        for verb in game.verbs {
            verbs.entry(verb.name).or_default().push((game, verb));
        }
    }
    verbs
}

fn about(verb: &str) -> String {
    match verb {
        "solve" => "Solve one instance, or a file of them, exactly".into(),
        "play" => "Play in the terminal".into(),
        "make" => "Make an instance with a proven property".into(),
        "perft" => "Count the positions at each depth".into(),
        "examine" => "Examine a player's program".into(),
        "ugi" => "Play as an engine for other programs".into(),
        "prove" => "Prove the value of a game".into(),
        other => format!("{other} a game"),
    }
}

fn game_command(game: &'static GameSpec, verb: &'static Verb) -> Command {
    let command = Command::new(game.name)
        .about(verb.summary)
        .after_help(examples(verb));
    let command = verb
        .options
        .iter()
        .fold(command, |command, option| command.arg(argument(option)));
    command.arg(
        Arg::new("format")
            .long("format")
            .value_name("FORMAT")
            .help("How the table is written")
            .value_parser(value_parser!(Format))
            .default_value("text"),
    )
}

fn examples(verb: &Verb) -> String {
    if verb.examples.is_empty() {
        return String::new();
    }
    let lines = verb
        .examples
        .iter()
        .map(|(line, remark)| format!("  {line}\n      {remark}"));
    format!("Examples:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

fn argument(option: &'static VerbOption) -> Arg {
    let argument = Arg::new(option.name).long(option.name).help(option.summary);
    match option.kind {
        OptionKind::Operand => Arg::new(option.name)
            .help(option.summary)
            .value_name(option.value)
            .required(true),
        OptionKind::Flag => argument.action(ArgAction::SetTrue),
        OptionKind::Integer => argument
            .value_name(option.value)
            .allow_negative_numbers(true)
            .value_parser(parse_integer),
        OptionKind::Text | OptionKind::File => argument
            .value_name(option.value)
            .allow_hyphen_values(option.kind == OptionKind::Text),
    }
}

/// Reads `1000`, `10_000` and `1e6`.
pub fn parse_integer(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    if let Ok(integer) = plain.parse() {
        return Ok(integer);
    }
    let exact = |value: f64| (0.0..=2f64.powi(53)).contains(&value) && value.fract() == 0.0;
    match plain.parse::<f64>() {
        Ok(value) if exact(value) => Ok(value as u64),
        _ => Err("expected a non-negative integer such as 1000, 10_000 or 1e6".into()),
    }
}

fn read_arguments(specs: &[VerbOption], options: &ArgMatches) -> Result<Arguments, Failure> {
    let mut arguments = Arguments::new();
    for spec in specs {
        arguments = match spec.kind {
            OptionKind::Flag if options.get_flag(spec.name) => arguments.with_flag(spec.name),
            OptionKind::Flag => arguments,
            OptionKind::Integer => match options.get_one::<u64>(spec.name) {
                Some(&integer) => arguments.with_integer(spec.name, integer),
                None => arguments,
            },
            OptionKind::Text | OptionKind::Operand | OptionKind::File => match options
                .get_one::<String>(spec.name)
            {
                Some(text) if spec.kind != OptionKind::File => arguments.with_text(spec.name, text),
                Some(path) => arguments.with_file(spec.name, read_file(spec.name, path)?),
                None => arguments,
            },
        };
    }
    Ok(arguments)
}

fn read_file(option: &str, path: &str) -> Result<InputFile, VerbError> {
    let read = match path {
        "-" => std::io::read_to_string(std::io::stdin()),
        path => read_regular(Path::new(path))
            .and_then(|bytes| String::from_utf8(bytes).map_err(std::io::Error::other)),
    };
    let text = read.map_err(|error| {
        VerbError::usage(
            format!("--{option}"),
            format!("{path}: {error}"),
            "give the path of a readable UTF-8 text file, or - for standard input",
        )
    })?;
    Ok(InputFile {
        path: path.to_owned(),
        text,
    })
}

/// The console of a real terminal.
struct Terminal {
    format: Format,
    table: Option<Printed>,
    written: Result<(), Failure>,
    asked_to_stop: Option<AskedToStop>,
}

impl Terminal {
    fn new(format: Format) -> Self {
        Self {
            format,
            table: None,
            written: Ok(()),
            asked_to_stop: None,
        }
    }

    /// A line of CSV goes out as soon as it is known: there may be millions, and what comes last
    /// may take long.
    fn stream(&mut self, fields: impl Iterator<Item = String>) {
        if self.written.is_ok() {
            self.written = match offer_stdout(&csv_line(fields)) {
                Ok(true) => Ok(()),
                // Nobody reads on, so nothing more need be found.
                Ok(false) => std::process::exit(0),
                Err(failure) => Err(failure),
            };
        }
    }

    fn finish(self) -> Result<(), Failure> {
        self.written?;
        self.table.map_or(Ok(()), |table| table.print(self.format))
    }
}

impl Console for Terminal {
    fn columns(&mut self, names: &[&str]) {
        match self.format {
            Format::Csv => self.stream(names.iter().map(|&name| name.to_owned())),
            Format::Text | Format::Json => self.table = Some(Printed::new(names)),
        }
    }

    fn row(&mut self, cells: &[Cell]) {
        if self.format == Format::Csv {
            self.stream(cells.iter().map(field));
        } else if let Some(table) = &mut self.table {
            table.push(cells.iter().cloned());
        }
    }

    fn totals(&mut self, totals: &[(&'static str, Cell)]) {
        if let Some(table) = &mut self.table {
            table.set_totals(totals);
        }
    }

    fn note(&mut self, text: &str) {
        eprintln!("{text}");
    }

    fn draw(&mut self, text: &str) {
        if self.format == Format::Text {
            eprintln!("{text}");
        }
    }

    fn answer(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written = match offer_stdout(format!("{text}\n").as_bytes()) {
                Ok(true) => Ok(()),
                // Nobody listens any more.
                Ok(false) => std::process::exit(0),
                Err(failure) => Err(failure),
            };
        }
    }

    fn ask(&mut self, prompt: &str) -> Option<String> {
        eprint!("{prompt}");
        let _ = std::io::stderr().flush();
        let mut line = Vec::new();
        let length = std::io::stdin().lock().read_until(b'\n', &mut line).ok()?;
        let text = String::from_utf8_lossy(&line);
        (length > 0).then(|| text.trim_end_matches(['\r', '\n']).to_owned())
    }

    fn colour(&self) -> bool {
        terminal::colours_on_stderr()
    }

    fn stop_when_asked(&mut self) {
        self.asked_to_stop = AskedToStop::listen().ok();
    }

    fn is_interrupted(&self) -> bool {
        self.asked_to_stop.as_ref().is_some_and(AskedToStop::is_set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_as_people_write_them() {
        assert_eq!(parse_integer("10_000"), Ok(10_000));
        assert_eq!(parse_integer("1e6"), Ok(1_000_000));
        for wrong in ["-1", "1.5", "", "1e99", "ten"] {
            assert!(parse_integer(wrong).is_err(), "{wrong}");
        }
    }
}
