//! Makes text from files or other programs safe to show: it is data, and must not move the cursor of
//! a terminal.

/// The text with its control characters spelled out, line feeds and tabs left as they are: a
/// terminal would obey them, and marks of writing direction would reorder what is read.
pub fn visible(text: &str) -> String {
    let spelled = |c: char| match c {
        '\n' | '\t' => c.to_string(),
        c if is_hidden(c) => c.escape_unicode().to_string(),
        c => c.to_string(),
    };
    if text.chars().any(is_hidden) {
        text.chars().map(spelled).collect()
    } else {
        text.to_owned()
    }
}

/// Like `visible`, for a text that stands in one line.
pub fn visible_line(text: &str) -> String {
    visible(text).replace(['\n', '\t'], " ")
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
}
