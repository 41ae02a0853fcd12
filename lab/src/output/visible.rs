//! Makes text from files or other programs safe to show.
//!
//! Such text is data: on a terminal it must not move the cursor, and in a table it must not be a
//! formula.

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

/// The same for a text that stands in one line.
pub fn visible_line(text: &str) -> String {
    visible(text).replace(['\n', '\t'], " ")
}

fn is_hidden(c: char) -> bool {
    let is_direction =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || is_direction
}

/// A text as a field of a CSV file: one that a spreadsheet would take for a formula, because it
/// begins with `=`, `+`, `-`, `@`, a tab or a carriage return and is no number, has a `'` in front.
pub fn guarded(text: &str) -> String {
    if is_formula(text) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// The text that [`guarded`] wrote.
pub fn unguarded(field: &str) -> &str {
    let bare = field.strip_prefix('\'');
    bare.filter(|text| is_formula(text)).unwrap_or(field)
}

fn is_formula(text: &str) -> bool {
    let begins = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    begins && text.chars().count() > 1 && text.parse::<f64>().is_err()
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
    fn formulas_are_guarded_and_come_back() {
        for formula in ["=1+1", "+cmd|' /C calc'!A0", "-x", "@SUM(A1)", "\t=1"] {
            assert_eq!(guarded(formula), format!("'{formula}"));
            assert_eq!(unguarded(&guarded(formula)), formula);
        }
        for text in ["-5", "+1.5e3", "-", "a=b", "'quoted'", "", "e4-e5"] {
            assert_eq!(guarded(text), text);
            assert_eq!(unguarded(text), text);
        }
    }
}
