//! What the terminal supports: colours, width, and whether output goes to one.

use std::io::IsTerminal;

/// Whether standard error may carry colours.
pub fn colours_on_stderr() -> bool {
    colours_allowed() && std::io::stderr().is_terminal()
}

/// Whether standard output may carry colours.
pub fn colours_on_stdout() -> bool {
    colours_allowed() && std::io::stdout().is_terminal()
}

/// The columns of the terminal that standard output goes to; `None` if it goes elsewhere.
pub fn width() -> Option<u16> {
    let stdout = console::Term::stdout();
    let size = stdout.is_term().then(|| stdout.size_checked())??;
    Some(size.1)
}

/// Whether a person watches standard error.
pub fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

/// The text as errors are shown.
pub fn paint_error(text: &str) -> String {
    paint(text, "1;31")
}

/// The text as advice is shown.
pub fn paint_help(text: &str) -> String {
    paint(text, "1;36")
}

/// The text as warnings are shown.
pub fn paint_warning(text: &str) -> String {
    paint(text, "1;33")
}

fn paint(text: &str, style: &str) -> String {
    if colours_on_stderr() {
        format!("\x1b[{style}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}

/// See <https://no-color.org>: any value but the empty one turns colours off.
fn colours_allowed() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
