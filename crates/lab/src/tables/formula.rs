//! Text in tables that a spreadsheet would take for a formula, or a terminal for a command.

use base::visible;

/// A text as a field of a CSV file: its control characters spelled out, and with a `'` in front
/// where a spreadsheet would take it for a formula. Such a text begins with `=`, `+`, `-`, `@`, one
/// of their full-width forms, a tab or a line feed, and is no number.
pub fn guarded(text: &str) -> String {
    let text = visible(text);
    if is_formula(&text) {
        format!("'{text}")
    } else {
        text
    }
}

/// The text that [`guarded`] wrote.
pub(crate) fn unguarded(field: &str) -> &str {
    let bare = field.strip_prefix('\'');
    bare.filter(|text| is_formula(text)).unwrap_or(field)
}

/// Returns whether a text is a formula, or a formula guarded already: with one `'` more it comes back.
fn is_formula(text: &str) -> bool {
    const SIGNS: [char; 10] = ['=', '+', '-', '@', '\t', '\n', '＝', '＋', '－', '＠'];
    let bare = text.trim_start_matches('\'');
    bare.starts_with(SIGNS) && bare.chars().count() > 1 && text.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_guarded_and_come_back() {
        let formulas = [
            "=1+1",
            "+cmd|' /C calc'!A0",
            "-x",
            "@SUM(A1)",
            "\t=1",
            "\n=1",
            "＝1+1",
            "＠SUM(A1)",
            "'=1+1",
            "''-x",
        ];
        for formula in formulas {
            assert_eq!(guarded(formula), format!("'{formula}"));
            assert_eq!(unguarded(&guarded(formula)), formula);
        }
        for text in ["-5", "+1.5e3", "-", "＝", "a=b", "'quoted'", "", "e4-e5"] {
            assert_eq!(guarded(text), text);
            assert_eq!(unguarded(text), text);
        }
    }

    #[test]
    fn control_characters_and_marks_of_direction_are_spelled_out() {
        assert_eq!(guarded("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(guarded("\u{9b}2J\u{202e}x"), "\\u{9b}2J\\u{202e}x");
    }
}
