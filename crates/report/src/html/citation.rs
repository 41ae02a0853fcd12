//! The citation of a result, in words and for BibTeX.

use crate::sheet::latex;
use serde::Serialize;
use task::Origin;

/// A result as other works name it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Citation {
    /// The origin of the result and what identifies it, which follow its question.
    pub text: String,
    /// The entry of a BibTeX file, which says the same.
    bibtex: String,
}

impl Citation {
    /// The result of this name, which answers a question; `mark` is what identifies it beside its origin.
    pub(crate) fn new(name: &str, question: &str, origin: Option<&Origin>, mark: &str) -> Self {
        let origin_text =
            origin.map_or_else(|| "etude, version not recorded".to_owned(), Origin::cited);
        let text = format!("{origin_text}, {mark}");
        let program = origin.map_or("etude", |origin| &origin.program);
        let year = origin.and_then(|origin| origin.date.split('-').next());
        let key: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let mut fields = vec![
            format!("title = {{{{{}}}}}", latex(question)),
            format!("author = {{{{{}}}}}", latex(program)),
        ];
        fields.extend(year.map(|year| format!("year = {{{}}}", latex(year))));
        fields.push(format!("note = {{{}}}", latex(&text)));
        let bibtex = format!("@misc{{{key},\n  {}\n}}", fields.join(",\n  "));
        Self { text, bibtex }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_says_what_the_text_says_and_escapes_what_latex_reads() {
        let origin = Origin {
            program: "etude 9.8.7".to_owned(),
            revision: Some("abc".to_owned()),
            date: "2026-11-21".to_owned(),
        };
        let cited = Citation::new(
            "a_b",
            "50 % of $55?",
            Some(&origin),
            "experiment a_b, seed 7",
        );
        let text = "etude 9.8.7, revision abc, 2026-11-21, experiment a_b, seed 7";
        assert_eq!(cited.text, text);
        assert_eq!(
            cited.bibtex,
            "@misc{a-b,\n  title = {{50 \\% of \\$55?}},\n  author = {{etude 9.8.7}},\n  year = {2026},\n  \
             note = {etude 9.8.7, revision abc, 2026-11-21, experiment a\\_b, seed 7}\n}"
        );
    }
}
