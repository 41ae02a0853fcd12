//! Makes text from files or other programs safe to show: it is data, and must not move the cursor of
//! a terminal.

/// The text with its control characters spelled out, line feeds and tabs left as they are: a
/// terminal would obey them, and marks of writing direction would reorder what is read.
pub fn visible(text: &str) -> String {
    let is_shown = |c| !is_hidden(c) || matches!(c, '\n' | '\t');
    spelled_out(text, is_shown, |c| c.escape_unicode().to_string())
}

/// Like `visible`, for a text that stands in one line.
pub fn visible_line(text: &str) -> String {
    visible(text).replace(['\n', '\t'], " ")
}

/// Like `visible`, with the colours in the text left as they are, for a terminal that shows them.
pub fn visible_but_colours(text: &str) -> String {
    /// The beginning of a sequence that sets a colour, which ends with `m`.
    const COLOUR: &str = "\u{1b}[";
    let mut parts = text.split(COLOUR);
    let mut shown = visible(parts.next().unwrap_or_default());
    for part in parts {
        let code = part.find(|c: char| !(c.is_ascii_digit() || c == ';'));
        match code.map(|end| part.split_at(end)) {
            Some((code, rest)) if rest.starts_with('m') => {
                shown += &format!("{COLOUR}{code}{}", visible(rest));
            }
            _ => shown += &visible(&format!("{COLOUR}{part}")),
        }
    }
    shown
}

/// A text of JSON with the characters escaped that `visible` spells out: it says the same.
pub fn visible_json(text: &str) -> String {
    let is_shown = |c| !is_hidden(c) || c == '\n';
    spelled_out(text, is_shown, |c| format!("\\u{:04x}", u32::from(c)))
}

/// The text with every character that is not to be shown spelled out.
fn spelled_out(text: &str, is_shown: impl Fn(char) -> bool, spell: fn(char) -> String) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_shown(c) {
            shown.push(c);
        } else {
            shown += &spell(c);
        }
    }
    shown
}

fn is_hidden(c: char) -> bool {
    let is_direction =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || is_direction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing() {
        let hostile = "a\x1b]0;owned\x07\u{202e}b\u{9b}2J\r\nc";
        let shown = visible(hostile);
        assert!(
            shown.chars().all(|c| !c.is_control() || c == '\n'),
            "{shown:?}"
        );
        assert!(
            shown.starts_with("a\\u{1b}]0;owned\\u{7}\\u{202e}b"),
            "{shown}"
        );
        assert_eq!(visible("Schröder’s 4 × 4\n"), "Schröder’s 4 × 4\n");
        assert_eq!(visible_line("a\nb"), "a b");
    }

    #[test]
    fn colours_are_all_that_a_terminal_may_obey() {
        let hostile = "\x1b[1;31mred\x1b[0m\x1b]0;owned\x07\x1b[2J\x1b[\u{9b}2J\x1b[3";
        let shown = "\x1b[1;31mred\x1b[0m\\u{1b}]0;owned\\u{7}\\u{1b}[2J\\u{1b}[\\u{9b}2J\\u{1b}[3";
        assert_eq!(visible_but_colours(hostile), shown);
        assert_eq!(visible_but_colours("4 × 4\n"), "4 × 4\n");
    }

    #[test]
    fn json_says_the_same_without_control_characters() {
        let text = "a\u{9b}2J\u{202e}\u{7f}é";
        let json = visible_json(&serde_json::to_string(text).unwrap());
        assert!(!json.contains(['\u{9b}', '\u{202e}', '\u{7f}']), "{json:?}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
