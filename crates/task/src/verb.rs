//! The verbs for one instance of a game: solve it, make one, play it.
//!
//! A game declares a verb's options as a struct that derives [`clap::Args`], so a new game's
//! commands need no change outside its folder. A verb computes and reports through a
//! [`Console`]; it never prints.

use std::str::FromStr;
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgMatches, Args, Command};
use strum::VariantNames;

use super::cell::TableCell;
use super::outside::{Engines, PlayerDeclaration};
use super::params::ParamError;
use base::Failure;

/// The options of a command of the form `etude VERB GAME`, and its work.
///
/// The summary and the examples of its help are `about` and `after_help`.
///
/// ```
/// use clap::Args;
/// use base::{Failure, parse_integer};
/// use etude_task::{Console, Script, Verb, VerbOptions};
///
/// #[derive(Args)]
/// #[command(about = "Toss coins", after_help = "Example:\n  etude toss coin --tosses 3")]
/// struct TossCoins {
///     /// Number of tosses
///     #[arg(long, value_name = "N", default_value = "10", value_parser = parse_integer)]
///     tosses: u64,
/// }
///
/// impl VerbOptions for TossCoins {
///     fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
///         console.note(&format!("{} tosses", self.tosses));
///         Ok(())
///     }
/// }
///
/// const TOSS: Verb = Verb::new::<TossCoins>("toss");
/// assert!(Script::default().run(&TOSS, &["--tosses", "1e6"])?.heard("1000000 tosses"));
/// # Ok::<(), Failure>(())
/// ```
pub trait VerbOptions: Args {
    /// Carries out the verb.
    ///
    /// # Errors
    /// Says what is wrong with the options or with the input, or why the work failed.
    fn run(self, console: &mut dyn Console) -> Result<(), Failure>;
}

/// A command of the form `etude VERB GAME`.
#[derive(Debug)]
pub struct Verb {
    /// `solve`, `make`, `play`, `perft`, `prove`.
    pub name: &'static str,
    augment: fn(Command) -> Command,
    run: fn(&ArgMatches, &mut dyn Console) -> Result<(), Failure>,
}

impl Verb {
    /// The verb of a name with these options.
    pub const fn new<O: VerbOptions>(name: &'static str) -> Self {
        Self {
            name,
            augment: O::augment_args,
            run: run::<O>,
        }
    }

    /// The verb's command, with help and options.
    pub fn command(&self) -> Command {
        // A negative number is told what is wrong with it, instead of being an unknown option.
        let numbers = |option: Arg| {
            let takes = option.get_action().takes_values();
            if takes {
                option.allow_negative_numbers(true)
            } else {
                option
            }
        };
        (self.augment)(Command::new(self.name)).mut_args(numbers)
    }

    /// Runs it with the options that its command has read.
    ///
    /// # Errors
    /// The errors of [`VerbOptions::run`].
    pub fn run(&self, options: &ArgMatches, console: &mut dyn Console) -> Result<(), Failure> {
        (self.run)(options, console)
    }

    /// Runs it with options as a command line has them, without the program's name.
    ///
    /// # Errors
    /// Says which option cannot be read, or those of [`VerbOptions::run`].
    pub fn call(&self, options: &[&str], console: &mut dyn Console) -> Result<(), Failure> {
        let command = self.command().no_binary_name(true);
        let options = command.try_get_matches_from(options).map_err(refused)?;
        self.run(&options, console)
    }
}

fn run<O: VerbOptions>(options: &ArgMatches, console: &mut dyn Console) -> Result<(), Failure> {
    O::from_arg_matches(options).map_err(refused)?.run(console)
}

/// Returns the parser of an option whose values are the names of an enum's variants.
pub fn by_name<E>() -> impl TypedValueParser<Value = E>
where
    E: VariantNames + FromStr<Err = strum::ParseError> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(E::VARIANTS).try_map(|name| name.parse::<E>())
}

/// A command line that cannot be read, at the option that is at fault.
fn refused(error: clap::Error) -> Failure {
    let place = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) => option.split(' ').next().unwrap_or_default(),
        _ => "",
    };
    Failure::input(place, error.to_string(), "")
}

/// The terminal of a verb: it reports there and asks there.
///
/// The data of a table and nothing else reaches standard output; notes and drawings are for the
/// person watching.
pub trait Console {
    /// Starts a table. Called once, before its first row.
    fn columns(&mut self, names: &[&str]);

    /// Adds a row of the table.
    fn row(&mut self, cells: &[TableCell]);

    /// Says what holds of all rows together. JSON puts it beside them; elsewhere a note says it.
    fn totals(&mut self, totals: &[(&'static str, TableCell)]) {
        let _ = totals;
    }

    /// Says something about the data: a total, a warning, what to do next.
    fn note(&mut self, text: &str);

    /// Says how far the work is, to a person who watches; the next time in place of this.
    fn progress(&mut self, text: &str) {
        let _ = text;
    }

    /// Shows a board or a list of moves. Only the text format shows drawings.
    fn draw(&mut self, text: &str);

    /// Returns whether drawings are shown.
    fn shows_drawings(&self) -> bool {
        false
    }

    /// Says a line on standard output at once, to a program that listens.
    fn answer(&mut self, text: &str) {
        self.note(text);
    }

    /// Asks for a line of input; `None` at its end.
    fn ask(&mut self, prompt: &str) -> Option<String>;

    /// The engines of a player in another program; `None` where none can be started.
    fn engines(&self, player: &PlayerDeclaration) -> Option<Arc<dyn Engines>> {
        let _ = player;
        None
    }

    /// Returns whether colours may be used in drawings.
    fn colour(&self) -> bool;

    /// From here on a request to stop is one that [`Console::is_interrupted`] tells of, for a verb
    /// that has something to bring to a safe end; before, and at the second request, the program
    /// ends at once.
    fn stop_when_asked(&mut self) {}

    /// Returns whether the person asked to stop.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// A fault in what an option of the parameter's name gives.
impl From<ParamError> for Failure {
    fn from(error: ParamError) -> Self {
        Self::input(format!("--{}", error.name), error.message, error.help)
    }
}
