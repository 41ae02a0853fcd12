//! The verbs that games bring: `etude VERB GAME`, built from the registry's data.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::visible_line;
use clap::{Arg, ArgMatches, Command, value_parser};
use indicatif::{ProgressBar, ProgressStyle};
use programs::UgiEngines;
use task::outside::{Engines, PlayerDeclaration};
use task::{Console, GameSpec, TableCell, Verb};

use super::failure::Failure;
use super::signals::listen_for_stop;
use super::table::{Format, Printed, csv_line, field, offer_stdout};
use super::terminal;

/// Adds every game's verbs to the command tree.
pub(crate) fn add_to(tree: Command, games: &[&'static GameSpec]) -> Command {
    let mut verbs = BTreeMap::new();
    for game in games {
        for verb in game.verbs {
            let known = verbs.remove(verb.name);
            let command = known.unwrap_or_else(|| verb_command(verb.name));
            verbs.insert(verb.name, command.subcommand(game_command(game, verb)));
        }
    }
    tree.subcommands(verbs.into_values())
}

fn verb_command(name: &'static str) -> Command {
    Command::new(name)
        .about(about(name))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games")
}

/// The verb and its options, if `matches` chose a game's verb.
pub(crate) fn chosen<'m>(
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
pub(crate) fn run(verb: &Verb, options: &ArgMatches) -> Result<(), Failure> {
    let format = *options.get_one::<Format>("format").unwrap_or(&Format::Text);
    at_terminal(format, |console| verb.run(options, console))
}

fn at_terminal(
    format: Format,
    run: impl FnOnce(&mut dyn Console) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut console = Terminal {
        format,
        table: Printed::default(),
        written: Ok(()),
        progress: ProgressBar::hidden(),
        told: Instant::now(),
        asked_to_stop: Arc::default(),
    };
    let result = run(&mut console);
    console.finish()?;
    result
}

/// Examines a player as a game does, with the options of its verb; the first that can unless
/// `game` names it.
pub(crate) fn check_player(
    games: &[&'static GameSpec],
    game: Option<&str>,
    options: &[&str],
) -> Result<(), Failure> {
    at_terminal(Format::Text, |console| {
        examine(games, game, options, console)
    })
}

/// Examines a player like [`check_player`], at a console.
pub(crate) fn examine(
    games: &[&'static GameSpec],
    game: Option<&str>,
    options: &[&str],
    console: &mut dyn Console,
) -> Result<(), Failure> {
    let named = games
        .iter()
        .filter(|known| game.is_none_or(|name| known.name == name));
    let mut verbs = named.flat_map(|game| game.verbs);
    let verb = verbs.find(|verb| verb.name == "examine").ok_or_else(|| {
        Failure::usage("no game of that name can check players")
            .with_help("leave --game out, or name a match game such as foxes")
    })?;
    verb.call(options, console)
}

fn about(verb: &str) -> String {
    let about = match verb {
        "solve" => "Solve one instance, or a file of them, exactly",
        "play" => "Play in the terminal",
        "make" => "Make an instance with a proven property",
        "review" => "Tell skill and luck apart in a game that was played",
        "perft" => "Count the positions at each depth",
        "examine" => "Test an external player",
        "ugi" => "Run a built-in player as a UGI engine",
        "prove" => "Prove the value of a game",
        other => return format!("{other} a game"),
    };
    about.to_owned()
}

fn game_command(game: &GameSpec, verb: &Verb) -> Command {
    let format = Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .help("Output format")
        .value_parser(value_parser!(Format))
        .default_value("text")
        .hide(WITHOUT_TABLES.contains(&verb.name));
    verb.command().name(game.name).arg(format)
}

/// The time between two lines of progress.
const LINES: Duration = Duration::from_secs(5);

/// Verbs that usually print no table.
const WITHOUT_TABLES: [&str; 3] = ["play", "ugi", "examine"];

/// The console of a real terminal.
struct Terminal {
    format: Format,
    table: Printed,
    written: Result<(), Failure>,
    /// The line of a person who watches; hidden until there is something to say.
    progress: ProgressBar,
    /// The time of the last line of progress, where lines take the place of the bar.
    told: Instant,
    asked_to_stop: Arc<AtomicBool>,
}

impl Terminal {
    /// Writes a line as soon as it is known: there may be millions, and what comes last may take
    /// long.
    fn write(&mut self, line: &[u8]) {
        if self.written.is_ok() {
            self.written = match self.progress.suspend(|| offer_stdout(line)) {
                Ok(true) => Ok(()),
                // Nobody reads on, so nothing more need be found.
                Ok(false) => std::process::exit(0),
                Err(failure) => Err(failure),
            };
        }
    }

    fn finish(self) -> Result<(), Failure> {
        self.progress.finish_and_clear();
        self.written?;
        // Of CSV each line was written as it came.
        if self.format == Format::Csv || self.table == Printed::default() {
            return Ok(());
        }
        self.table.print(self.format)
    }
}

impl Console for Terminal {
    fn engines(&self, player: &PlayerDeclaration) -> Option<Arc<dyn Engines>> {
        Some(Arc::new(UgiEngines::new(player.clone())))
    }

    fn columns(&mut self, names: &[&str]) {
        match self.format {
            Format::Csv => self.write(&csv_line(names.iter().map(|&name| name.to_owned()))),
            Format::Text | Format::Json => self.table = Printed::new(names),
        }
    }

    fn row(&mut self, cells: &[TableCell]) {
        match self.format {
            Format::Csv => self.write(&csv_line(cells.iter().map(field))),
            Format::Text | Format::Json => self.table.push(cells.iter().cloned()),
        }
    }

    fn totals(&mut self, totals: &[(&'static str, TableCell)]) {
        self.table.totals = totals.to_vec();
    }

    fn note(&mut self, text: &str) {
        self.progress.suspend(|| terminal::note(text));
    }

    fn progress(&mut self, text: &str) {
        if terminal::has_plain_progress() && self.told.elapsed() >= LINES {
            self.told = Instant::now();
            return terminal::note(text);
        }
        if self.progress.is_hidden() && terminal::has_bar() {
            let style = ProgressStyle::with_template("{msg}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
            self.progress = ProgressBar::new_spinner().with_style(style);
        }
        self.progress.set_message(visible_line(text));
    }

    fn draw(&mut self, text: &str) {
        if self.shows_drawings() {
            let put = || terminal::put(&format!("{text}\n"));
            self.progress.suspend(put);
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
        terminal::has_colours(&std::io::stderr())
    }

    fn stop_when_asked(&mut self) {
        self.asked_to_stop = listen_for_stop().unwrap_or_default();
    }

    fn is_interrupted(&self) -> bool {
        self.asked_to_stop.load(Ordering::Relaxed)
    }
}
