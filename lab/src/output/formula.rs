//! Text in tables that a spreadsheet would take for a formula.

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
