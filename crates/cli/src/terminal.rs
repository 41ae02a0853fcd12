//! The terminal: its abilities, and the messages on standard error.

use std::io::{IsTerminal, Write};
use std::sync::OnceLock;

use clap::{ColorChoice, ValueEnum};

use base::{visible, visible_but_colours};
use figures::folded;
use lab::job::programs::abridged;

/// Says a line on standard error, its control characters spelled out.
macro_rules! note {
    ($($message:tt)*) => { $crate::terminal::note(&format!($($message)*)) };
}

/// Says a warning on standard error, as [`note!`] says a line.
macro_rules! warning {
    ($($message:tt)*) => { $crate::terminal::warn(&format!($($message)*)) };
}

/// The options of every verb: how the terminal is used.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[command(next_help_heading = "Display")]
pub(crate) struct DisplayOptions {
    /// When to use colours; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    /// How to show progress
    #[arg(long, global = true, value_name = "FORM", default_value = "bar")]
    progress: ProgressForm,
}

/// The form of progress on standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ProgressForm {
    /// A bar in a terminal, lines elsewhere
    #[default]
    Bar,
    /// Lines, now and then: for screen readers and logs
    Plain,
    /// Nothing
    None,
}

/// The display that was asked for on the command line: the same for all that is written.
static DISPLAY: OnceLock<DisplayOptions> = OnceLock::new();

impl DisplayOptions {
    /// Sets the display for the rest of the process.
    pub(crate) fn apply(self) {
        let _ = DISPLAY.set(self);
    }
}

fn display() -> DisplayOptions {
    DISPLAY.get().copied().unwrap_or_default()
}

/// Says the first of many warnings of one kind, and how many more there are: `rest` follows their
/// number.
pub(crate) fn warn_of_many(warnings: impl Iterator<Item = String>, rest: &str) {
    let told = abridged(warnings, rest);
    told.iter().for_each(|message| warn(message));
}

/// Writes the line of [`note!`].
pub(crate) fn note(message: &str) {
    put(&fitted(&visible(message)));
}

/// Writes the line of [`warning!`].
pub(crate) fn warn(message: &str) {
    let word = paint("warning: ", "1;33");
    put(&fitted(&format!("{word}{}", visible(message))));
}

/// The lines of a message, broken between words where they are wider than the terminal.
pub(crate) fn fitted(message: &str) -> String {
    match size(&console::Term::stderr()) {
        Some(width) => folded(message, usize::from(width)),
        None => format!("{}\n", message.trim_end()),
    }
}

/// Writes to standard error what is [`shown`]. Where nobody listens any more, nothing is lost by
/// silence.
pub(crate) fn put(text: &str) {
    let mut stderr = std::io::stderr();
    let text = shown(text, &stderr);
    let _ = stderr.write_all(text.as_bytes());
}

/// The text as all text is written to a terminal, a file or a pipe: much of it is from folders and
/// programs of strangers, so that nothing in it is obeyed but colours, where the terminal shows them.
pub(crate) fn shown(text: &str, stream: &impl IsTerminal) -> String {
    if has_colours(stream) {
        visible_but_colours(text)
    } else {
        visible(text)
    }
}

/// Returns whether standard error or output may carry colours. See <https://no-color.org>: any
/// value but the empty one turns them off, unless the command line says otherwise.
pub(crate) fn has_colours(stream: &impl IsTerminal) -> bool {
    match display().color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => shows_colours(stream),
    }
}

fn shows_colours(stream: &impl IsTerminal) -> bool {
    stream.is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        && obeys_colours()
}

/// Has the terminal obey colours, which that of Windows does once it was asked to; returns whether it will.
#[cfg(windows)]
fn obeys_colours() -> bool {
    let streams = [console::Term::stdout(), console::Term::stderr()];
    streams
        .iter()
        .any(|stream| stream.features().colors_supported())
}

#[cfg(not(windows))]
fn obeys_colours() -> bool {
    true
}

/// The columns of the terminal that standard output goes to; `None` if it goes elsewhere.
pub(crate) fn width() -> Option<u16> {
    size(&console::Term::stdout())
}

/// The columns of a terminal; `None` of a file or a pipe.
fn size(terminal: &console::Term) -> Option<u16> {
    let size = terminal.is_term().then(|| terminal.size_checked())??;
    Some(size.1)
}

/// Returns whether a person watches standard error.
pub(crate) fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

/// Returns whether progress is a bar: where a person watches, unless lines or nothing are asked for.
pub(crate) fn has_bar() -> bool {
    display().progress == ProgressForm::Bar && is_watched()
}

/// Returns whether progress is lines although a person watches.
pub(crate) fn has_plain_progress() -> bool {
    display().progress == ProgressForm::Plain && is_watched()
}

/// Returns whether no progress is to be shown.
pub(crate) fn hides_progress() -> bool {
    display().progress == ProgressForm::None
}

/// The text in a colour of the terminal, where standard error may carry it.
pub(crate) fn paint(text: &str, style: &str) -> String {
    if has_colours(&std::io::stderr()) {
        format!("\x1b[{style}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}
