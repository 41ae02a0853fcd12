//! A run folder as text for a terminal.

use std::iter;

use super::abridged::abridged;
use super::contents;
use super::results::Results;
use super::standing::standing;
use super::verdicts::{self, VERDICTS, VerdictWord};
use crate::format::paragraphs;
use crate::sheet::Sheet;
use base::{counted, visible};
use figures::folded;
use lab::tables::ClaimRow;

/// The form of a run folder's text.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextStyle {
    /// True for verdicts in colour.
    pub colour: bool,
    /// The columns of the terminal, if it is for one.
    pub width: Option<u16>,
    /// True for all tables; otherwise those that answer the question.
    pub all: bool,
}

/// Question, answer, figures, claims, differences and provenance; in full with all other tables.
pub fn to_text(results: &Results, style: TextStyle) -> String {
    match abridged(results) {
        Some((short, note)) => format!("{}\n{note}\n", all_to_text(&short, style)),
        None => all_to_text(results, style),
    }
}

fn all_to_text(results: &Results, style: TextStyle) -> String {
    let width = style.width;
    let tables = if style.all {
        contents::all(results)
    } else {
        contents::leading(results)
    };
    let mut tables = tables.iter();
    let estimates = tables
        .next()
        .map(|table| table.first_rows(usize::MAX, width));
    let (name, question) = (&results.manifest.experiment, &results.config.question);
    let title = if question == name {
        name.clone()
    } else {
        format!("{name}: {question}")
    };
    let contradictions: Vec<String> = results
        .contradictions()
        .map(|told| format!("Contradiction: {told}."))
        .collect();
    let standing = standing(results).map(|sheet| sheet.first_rows(usize::MAX, width));
    let mut parts = vec![
        title,
        contradictions.join("\n"),
        standing.unwrap_or_default(),
        results.answer(),
    ];
    parts.extend(estimates);
    // Before and after the claims, which have colours.
    let before = parts.len();
    parts.extend(tables.map(|table| table.to_text(width)));
    if style.all {
        parts.push(paragraphs(results.config.analysis.as_deref()).join("\n\n"));
    }
    parts.extend(results.manifest.program_notes());
    parts.push(provenance(results));
    let mut parts: Vec<String> = parts.iter().map(|part| visible(part)).collect();
    parts.insert(before, claims(results, style));
    let parts = parts.iter().filter(|part| !part.is_empty());
    let parts: Vec<String> = parts
        .map(|part| part.trim_end().to_owned() + "\n")
        .collect();
    let text = parts.join("\n");
    // Tables fit already; all else is prose.
    width.map_or(text.clone(), |width| folded(&text, usize::from(width)))
}

/// The claims, a row each: the verdict, the claim and what was found.
fn claims(results: &Results, style: TextStyle) -> String {
    if results.claims.is_empty() {
        return String::new();
    }
    let claims = results.rows_by_claim();
    let rows = claims.flat_map(|rows| claim(results, rows, style.all));
    let rows = rows.map(Vec::from).collect();
    let sheet = Sheet::new("Claims", ["verdict", "claim", "found"], rows);
    let text = visible(&sheet.first_rows(usize::MAX, style.width.or(Some(PIPED_WIDTH))));
    if style.colour {
        text.lines().map(coloured).collect()
    } else {
        text
    }
}

/// The width of a table of prose that goes to no terminal.
const PIPED_WIDTH: u16 = 100;

/// A claim with what was found, in each place or in how many of many places; in full with the
/// statement that was tested.
fn claim(results: &Results, rows: &[ClaimRow], all: bool) -> Vec<[String; 3]> {
    let first = &rows[0];
    let mut found = String::new();
    let mut groups = Vec::new();
    match rows {
        [row] => match results.sweep.place(&row.cell).as_str() {
            "all" => found = results.remarked(row),
            place => found = format!("{place}: {}", results.remarked(row)),
        },
        rows => groups = verdicts::by_verdict(rows),
    }
    let text = format!("{} ({})", first.text, first.source);
    let head = [verdicts::verdict(rows).to_owned(), text, found];
    let tested = all.then(|| [String::new(), first.holds.clone(), String::new()]);
    let places = groups.iter();
    let places = places.flat_map(|group| verdict_rows(results, group, rows));
    iter::once(head).chain(tested).chain(places).collect()
}

/// The places where a claim came out one way: a row each where the claim has few of them, otherwise
/// one row with the range of what was found.
fn verdict_rows(results: &Results, group: &[&ClaimRow], claim: &[ClaimRow]) -> Vec<[String; 3]> {
    let (verdict, some, of) = (group[0].verdict.as_ref(), group.len(), claim.len());
    let row = |place: String, found: String| [String::new(), format!("{verdict}, {place}"), found];
    if of > verdicts::MOST_NAMED && some > 1 {
        let count = verdicts::how_many(some, of);
        let values = verdicts::values(&results.sweep, claim, group).filter(|_| some < of);
        let places = values.map_or(count.clone(), |values| format!("{count}: {values}"));
        return vec![row(places, verdicts::range(group))];
    }
    let place = |claim: &ClaimRow| results.sweep.place(&claim.cell);
    let rows = group.iter();
    rows.map(|claim| row(place(claim), results.remarked(claim)))
        .collect()
}

/// The column in which verdicts stand at most; other words that begin a line stand further right.
const VERDICT_COLUMN: usize = 2;

/// A line with its verdict, if it begins with one, in green, red or yellow.
fn coloured(line: &str) -> String {
    let text = line.trim_start();
    let indent = &line[..line.len() - text.len()];
    let coloured = VERDICTS
        .iter()
        .find_map(|VerdictWord { word, colour, .. }| {
            let rest = text
                .strip_prefix(word)
                .filter(|_| indent.len() <= VERDICT_COLUMN)?;
            Some(format!("{indent}\x1b[{colour}m{word}\x1b[0m{rest}\n"))
        });
    coloured.unwrap_or_else(|| format!("{line}\n"))
}

fn provenance(results: &Results) -> String {
    let manifest = &results.manifest;
    let made = manifest.tables_by.as_ref();
    let made = made.map_or_else(String::new, |_| {
        format!("; tables by {}", manifest.tables_by())
    });
    format!(
        "{} of {}, seed {}, {}; {} ({}){made}; files in {}",
        manifest.drawn(),
        counted(manifest.samples_planned, &manifest.noun),
        results.config.seed,
        manifest.exit_reason,
        manifest.versions(),
        manifest
            .git_revision
            .as_deref()
            .unwrap_or("unknown revision"),
        results.folder.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::results;

    const ALL: TextStyle = TextStyle {
        colour: false,
        width: None,
        all: true,
    };

    #[test]
    fn a_short_report_has_the_metrics_of_the_answer_and_leaves_out_the_rest() {
        let mut results = results();
        results.config.answer = Some("A flip takes {tree}, {run}.".into());
        for name in ["one", "two", "three"] {
            let mut row = results.summary[0].clone();
            row.metric = name.to_owned();
            results.summary.push(row);
        }
        assert_eq!(results.leading_metrics(), ["tree", "run", "heads", "one"]);
        let text = to_text(&results, TextStyle::default());
        assert!(text.contains("(4 of 6 metrics; --all shows all)"), "{text}");
        assert!(
            !text.contains("Exact values") && !text.contains("One."),
            "{text}"
        );
        assert!(to_text(&results, ALL).contains(" three "));
    }

    #[test]
    fn a_report_for_a_terminal_is_no_wider_than_it() {
        for width in [60, 80, 120] {
            let style = TextStyle {
                width: Some(width),
                ..ALL
            };
            let text = to_text(&results(), style);
            let widest = text.lines().map(console::measure_text_width).max();
            assert!(widest <= Some(usize::from(width)), "{text}");
        }
    }

    #[test]
    fn a_report_reads_from_question_to_provenance() {
        let text = to_text(&results(), ALL);
        let parts = [
            "coin: Is <b>",
            "Heads come in 50 % (95 %: 40 to 60).",
            "between 0.90 and 1.10 flips",
            "100 (3 unresolved)",
            "undecided  A coin is fair. (folklore)",
            "strong   100    80 to 120",
            "weak    -100  -120 to -80",
            "untrusted  more than 4.02 nodes (95 %)",
            "Exact values: 1 of 2 intervals cover them",
            "1.0000 flips  missed",
            "no interval",
            "+12.3",
            "at most -512.0",
            "100 of 100 samples, seed 7",
        ];
        let places: Vec<usize> = parts
            .iter()
            .map(|part| {
                text.find(part)
                    .unwrap_or_else(|| panic!("no `{part}` in\n{text}"))
            })
            .collect();
        assert!(places.is_sorted(), "{text}");
        assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
    }

    #[test]
    fn a_claim_about_many_places_is_told_once() {
        let mut results = results();
        let row = results.claims[0].clone();
        let judged = |(place, verdict): (&str, &str)| {
            let mut row = row.clone();
            (row.cell, row.verdict) = (place.to_owned(), verdict.parse().unwrap());
            row
        };
        let places = ["a", "b", "c", "d", "e"].map(|place| (place, "supported"));
        let places = places.into_iter().chain([("f", "refuted")]);
        results.claims = places.map(judged).collect();
        let text = to_text(&results, ALL);
        assert_eq!(text.matches("A coin is fair.").count(), 1);
        let lines = [
            "  mixed    A coin is fair. (folklore)",
            "           supported, 5 of 6           50 %",
            "           refuted, f                  50 % (40 to 60)",
        ];
        for line in lines {
            assert!(text.contains(line), "{text}");
        }
    }

    #[test]
    fn verdicts_in_a_few_of_many_places_are_a_row_with_its_range() {
        let mut results = results();
        let row = results.claims[0].clone();
        let judged = |(place, verdict, value): (&str, &str, f64)| {
            let mut row = row.clone();
            (row.cell, row.verdict) = (place.to_owned(), verdict.parse().unwrap());
            row.measured.value = Some(value);
            row
        };
        let places = [
            ("a", "supported", 0.5),
            ("b", "refuted", 0.25),
            ("c", "supported", 0.375),
            ("d", "refuted", 0.25),
            ("e", "undecided", 0.75),
        ];
        results.claims = places.map(judged).into();
        let text = to_text(&results, ALL);
        for line in ["supported, 2 of 5", "38 % to 50 %", "refuted, 2 of 5"] {
            assert!(text.contains(line), "{text}");
        }
        assert_eq!(text.matches("refuted, ").count(), 1, "{text}");
    }

    #[test]
    fn line_breaks_in_an_analysis_are_blanks() {
        let mut results = results();
        results.config.analysis = Some("One\nand two.\n\nThree.".into());
        assert!(to_text(&results, ALL).contains("One and two.\n\nThree."));
    }

    #[test]
    fn colours_change_nothing_but_the_verdicts() {
        let results = results();
        let (plain, coloured) = (
            to_text(&results, ALL),
            to_text(
                &results,
                TextStyle {
                    colour: true,
                    ..ALL
                },
            ),
        );
        assert!(!plain.contains('\x1b'));
        assert!(coloured.contains("\x1b[33mundecided\x1b[0m"));
        let stripped = coloured.replace("\x1b[33m", "").replace("\x1b[0m", "");
        assert_eq!(stripped, plain);
    }
}
