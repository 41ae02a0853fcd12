//! The verbs that games bring: `etude VERB GAME`, built from the registry's data.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::Path;

use crate::files;
use crate::task::{
    Arguments, Console, GameSpec, Given, InputFile, ParamKind, TableCell, Verb, VerbError,
    VerbOption,
};
use clap::builder::PossibleValuesParser;
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
        "examine" => "Test an external player".into(),
        "ugi" => "Run a built-in player as a UGI engine".into(),
        "prove" => "Prove the value of a game".into(),
        other => format!("{other} a game"),
    }
}

fn game_command(game: &'static GameSpec, verb: &'static Verb) -> Command {
    let command = Command::new(game.name)
        .about(capitalised(verb.summary))
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
            .default_value("text")
            .hide(WITHOUT_TABLES.contains(&verb.name)),
    )
}

/// Verbs that usually print no table.
const WITHOUT_TABLES: [&str; 3] = ["play", "ugi", "examine"];

/// A summary as helps write it: with a capital.
fn capitalised(summary: &str) -> String {
    let mut letters = summary.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
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
    let param = &option.param;
    let name: &'static str = match &param.name {
        Cow::Borrowed(name) => name,
        Cow::Owned(name) => name,
    };
    let argument = Arg::new(name).help(capitalised(&param.summary));
    if option.given == Given::Alone {
        return argument.value_name(option.value).required(true);
    }
    let argument = taking(argument.long(name), option);
    match param.default.as_ref().filter(|_| !is_flag(option)) {
        Some(default) => argument.default_value(default.to_string()),
        None => argument,
    }
}

/// The argument with the values that the option takes.
fn taking(argument: Arg, option: &'static VerbOption) -> Arg {
    let argument = match option.value {
        "" => argument.value_name(option.param.name.to_uppercase()),
        value => argument.value_name(value),
    };
    match &option.param.kind {
        ParamKind::Flag => argument.action(ArgAction::SetTrue),
        ParamKind::Choice(words) => {
            argument.value_parser(PossibleValuesParser::new(words.iter().map(str::to_owned)))
        }
        &ParamKind::Integer { min, max } => argument
            .allow_negative_numbers(true)
            .value_parser(move |text: &str| parse_within(text, min, max)),
        ParamKind::Text | ParamKind::Number { .. } => {
            argument.allow_hyphen_values(option.given == Given::Named)
        }
    }
}

/// An integer within the limits that a parameter declares; the greatest integer is no limit.
fn parse_within(text: &str, min: i64, max: i64) -> Result<u64, String> {
    let integer = parse_integer(text)?;
    let known = i64::try_from(integer).ok();
    let fits = max == i64::MAX || known.is_some_and(|known| (min..=max).contains(&known));
    fits.then_some(integer)
        .ok_or_else(|| format!("expected an integer from {min} to {max}"))
}

fn is_flag(option: &VerbOption) -> bool {
    option.param.kind == ParamKind::Flag
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

/// Reads the arguments that are given, and takes the default of every other option.
fn read_arguments(specs: &[VerbOption], options: &ArgMatches) -> Result<Arguments, Failure> {
    specs
        .iter()
        .try_fold(Arguments::defaults(specs), |arguments, option| {
            let name = option.param.name.as_ref();
            let text = || options.get_one::<String>(name);
            Ok(match (&option.param.kind, option.given) {
                (ParamKind::Flag, _) if options.get_flag(name) => arguments.with_flag(name),
                (ParamKind::Flag, _) => arguments,
                (ParamKind::Integer { .. }, _) => match options.get_one::<u64>(name) {
                    Some(&integer) => arguments.with_integer(name, integer),
                    None => arguments,
                },
                (_, Given::File) => match text() {
                    Some(path) => arguments.with_file(name, read_file(name, path)?),
                    None => arguments,
                },
                _ => match text() {
                    Some(text) => arguments.with_text(name, text),
                    None => arguments,
                },
            })
        })
}

fn read_file(option: &str, path: &str) -> Result<InputFile, VerbError> {
    let read = match path {
        "-" => std::io::read_to_string(std::io::stdin()),
        path => files::read(Path::new(path))
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
        self.write(&csv_line(fields));
    }

    fn write(&mut self, line: &[u8]) {
        if self.written.is_ok() {
            self.written = match offer_stdout(line) {
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

    fn row(&mut self, cells: &[TableCell]) {
        if self.format == Format::Csv {
            self.stream(cells.iter().map(field));
        } else if let Some(table) = &mut self.table {
            table.push(cells.iter().cloned());
        }
    }

    fn totals(&mut self, totals: &[(&'static str, TableCell)]) {
        if let Some(table) = &mut self.table {
            table.set_totals(totals);
        }
    }

    fn note(&mut self, text: &str) {
        terminal::note(text);
    }

    fn draw(&mut self, text: &str) {
        if self.shows_drawings() {
            terminal::put(&format!("{text}\n"));
        }
    }

    fn shows_drawings(&self) -> bool {
        self.format == Format::Text
    }

    fn answer(&mut self, text: &str) {
        self.write(format!("{text}\n").as_bytes());
    }

    fn ask(&mut self, prompt: &str) -> Option<String> {
        terminal::put(prompt);
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
    fn an_integer_keeps_within_the_limits_of_its_parameter() {
        assert_eq!(parse_within("28", 1, 28), Ok(28));
        let refused = Err("expected an integer from 1 to 28".to_owned());
        assert_eq!(parse_within("29", 1, 28), refused);
        assert_eq!(parse_within("0", 1, 28), refused);
        assert_eq!(
            parse_within("18446744073709551615", 0, i64::MAX),
            Ok(u64::MAX)
        );
    }

    #[test]
    fn integers_are_read_as_people_write_them() {
        assert_eq!(parse_integer("10_000"), Ok(10_000));
        assert_eq!(parse_integer("1e6"), Ok(1_000_000));
        for wrong in ["-1", "1.5", "", "1e99", "ten"] {
            assert!(parse_integer(wrong).is_err(), "{wrong}");
        }
    }
}
