//! A run folder as text for a terminal.

use std::collections::BTreeSet;

use comfy_table::presets;
use comfy_table::{CellAlignment, ContentArrangement, Table};

use super::abridged::abridged;
use super::answer::filled;
use super::fit::{fitted, folded};
use super::format::{count, counted, of_difference};
use super::results::Results;
use super::rows::{ClaimRow, SummaryRow};
use super::sheet::{self, Sheet};
use super::verdicts;

/// Cells up to which every one gets a table of its own; above, metrics become columns.
const FEW_CELLS: usize = 3;

/// Rows of a table that a terminal shows at most.
const MOST_ROWS: usize = 60;

/// Question, answer, figures, claims, differences and provenance; verdicts in colour on request.
/// With a width, for a terminal of so many columns.
pub fn to_text(results: &Results, colour: bool, width: Option<u16>) -> String {
    match abridged(results) {
        Some((short, note)) => format!("{}\n{note}\n", all_to_text(&short, colour, width)),
        None => all_to_text(results, colour, width),
    }
}

fn all_to_text(results: &Results, colour: bool, width: Option<u16>) -> String {
    let parts = [
        heading(results),
        answer(results),
        figures(results, width),
        ratings(results, width),
        weights(results, width),
        claims(results, colour),
        differences(results, width),
        sheets(results, width),
        analysis(results),
        provenance(results),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| part.trim_end().to_owned() + "\n")
        .collect();
    let text = parts.join("\n");
    // Tables fit already; all else is prose.
    width.map_or(text.clone(), |width| folded(&text, usize::from(width)))
}

fn heading(results: &Results) -> String {
    format!(
        "{}: {}",
        results.manifest.experiment, results.config.question
    )
}

fn answer(results: &Results) -> String {
    let Some(text) = &results.config.answer else {
        return String::new();
    };
    filled(text, results).unwrap_or_else(|error| error.to_string())
}

fn figures(results: &Results, width: Option<u16>) -> String {
    let cells = results.cells();
    if cells.len() > FEW_CELLS {
        return sweep_table(results, &cells, width);
    }
    let tables = cells.iter().map(|&cell| {
        let title = match cells.len() {
            1 => "Figures".to_owned(),
            _ => results.sweep.label(cell),
        };
        let rows = results.summary.iter().filter(|row| row.cell == cell);
        format!("{title}\n{}", cell_table(rows, width))
    });
    tables.collect::<Vec<_>>().join("\n")
}

fn cell_table<'row>(rows: impl Iterator<Item = &'row SummaryRow>, width: Option<u16>) -> String {
    let mut table = empty_table(&["metric", "estimate", "interval", "level, method", "samples"]);
    for row in rows {
        let figure = &row.figure;
        table.add_row([
            row.metric.clone(),
            figure.value(&row.unit),
            figure.interval(&row.unit).unwrap_or_default(),
            figure.method(),
            figure.samples(),
        ]);
    }
    align_right(&mut table, &[1, 2, 4]);
    lines(&table, width)
}

/// One row a cell, one column a metric that matters to the question: value with interval.
fn sweep_table(results: &Results, cells: &[&str], width: Option<u16>) -> String {
    let all = results.metric_names();
    let shown: Vec<&str> = (all.iter().copied())
        .filter(|metric| results.is_featured(metric))
        .collect();
    let header: Vec<&str> = std::iter::once("cell")
        .chain(shown.iter().copied())
        .collect();
    let mut table = empty_table(&header);
    for &cell in cells {
        let fields = shown.iter().map(|metric| {
            let row = results.row(cell, metric);
            row.map_or(String::new(), |row| row.figure.phrase(&row.unit))
        });
        table.add_row(std::iter::once(results.sweep.label(cell)).chain(fields));
    }
    align_right(&mut table, &(1..header.len()).collect::<Vec<_>>());
    let others = match all.len() - shown.len() {
        0 => String::new(),
        count => format!(
            " (summary.csv has {count} more metric{})",
            if count == 1 { "" } else { "s" }
        ),
    };
    format!("Figures{others}\n{}", lines(&table, width))
}

/// The players by strength.
fn ratings(results: &Results, width: Option<u16>) -> String {
    if results.ratings.is_empty() {
        return String::new();
    }
    let ladder = results.ladder();
    let references: BTreeSet<&str> = ladder.iter().map(|row| row.reference.as_str()).collect();
    let above = match references.first() {
        Some(one) if references.len() == 1 && !one.is_empty() => format!("above {one}"),
        _ => "above the reference".to_owned(),
    };
    let mut table = empty_table(&["player", "Elo", "interval", &above]);
    for row in &ladder {
        let elo = |value: Option<f64>| value.map_or(String::new(), |elo| format!("{elo:.0}"));
        table.add_row([row.player.clone(), elo(row.elo), row.interval(), row.gap()]);
    }
    align_right(&mut table, &[1, 2, 3]);
    let note = if ladder.iter().any(|row| row.is_uncounted) {
        RATINGS_WITHOUT_LIMITS
    } else {
        ""
    };
    format!("Ratings\n{}{note}", lines(&table, width))
}

/// The explanation of ratings without intervals.
const RATINGS_WITHOUT_LIMITS: &str = "\
No intervals: games of one opening depend on each other, and this run did not count them opening by
opening, because it was made by an earlier version or rates more than 200 players.
";

/// Writes the concentration of the weights behind the estimates, and the bound that holds if it is
/// too high.
fn weights(results: &Results, width: Option<u16>) -> String {
    if results.weights.is_empty() {
        return String::new();
    }
    let mut table = empty_table(&[
        "cell",
        "metric",
        "effective size",
        "largest of sum",
        "of variance",
        "interval",
        "lower bound",
    ]);
    for row in &results.weights {
        let trusted = if row.trusted { "trusted" } else { "UNTRUSTED" };
        table.add_row([
            results.sweep.label(&row.cell),
            row.metric.clone(),
            row.effective(),
            row.share(),
            row.spread(),
            trusted.to_owned(),
            row.bound(),
        ]);
    }
    align_right(&mut table, &[2, 3, 4, 6]);
    format!("Weights\n{}", lines(&table, width))
}

fn claims(results: &Results, colour: bool) -> String {
    if results.claims.is_empty() {
        return String::new();
    }
    let claims = results.claims.chunk_by(|one, next| one.is_of_claim(next));
    let texts = claims.map(|rows| claim(results, rows, colour));
    format!("Claims\n{}", texts.collect::<String>())
}

/// A claim with what was found in each place, or in how many of many places.
fn claim(results: &Results, rows: &[ClaimRow], colour: bool) -> String {
    let (first, groups) = (&rows[0], verdicts::by_verdict(rows));
    let word = match groups.as_slice() {
        [_] => &first.verdict,
        _ => "mixed",
    };
    let head = format!(
        "  {} {} ({})\n",
        verdict(word, colour),
        first.text,
        first.source
    );
    if let [row] = rows {
        let place = match row.place.as_str() {
            "all" => String::new(),
            place => format!(" [{place}]"),
        };
        return format!(
            "{head}{INDENT}{}{place}: {}\n",
            row.holds,
            found(results, row)
        );
    }
    let lines = groups
        .iter()
        .flat_map(|group| verdict_lines(results, group, rows.len()));
    let lines: String = lines.map(|line| format!("{INDENT}{line}\n")).collect();
    format!("{head}{INDENT}{}\n{lines}", first.holds)
}

/// The indent of the lines below a claim.
const INDENT: &str = "             ";

/// The places where a claim came out one way: by name where they are few, otherwise how many `of`
/// them there are.
fn verdict_lines(results: &Results, group: &[&ClaimRow], of: usize) -> Vec<String> {
    let verdict = &group[0].verdict;
    if group.len() > verdicts::MOST_NAMED {
        let places = verdicts::places(group, of);
        return vec![format!("{verdict}, {places}: {}", verdicts::found(group))];
    }
    let line = |row: &&ClaimRow| format!("{verdict} [{}]: {}", row.place, found(results, row));
    group.iter().map(line).collect()
}

/// Returns the estimate of a claim in one cell, with its remarks.
fn found(results: &Results, row: &ClaimRow) -> String {
    let found = results.found(row);
    match row.note.as_str() {
        "" => found,
        note => format!("{found}; {note}"),
    }
}

/// The verdict, as wide as the longest; green, red or yellow.
fn verdict(verdict: &str, colour: bool) -> String {
    let style = match verdict {
        "supported" => "32",
        "refuted" => "31",
        _ => "33",
    };
    if colour {
        format!("\x1b[{style}m{verdict:<10}\x1b[0m")
    } else {
        format!("{verdict:<10}")
    }
}

fn differences(results: &Results, width: Option<u16>) -> String {
    if results.pairs.is_empty() || results.pairs.len() > MOST_ROWS {
        return String::new();
    }
    let mut table = empty_table(&[
        "difference",
        "metric",
        "estimate",
        "interval",
        "samples saved",
    ]);
    for row in &results.pairs {
        table.add_row([
            row.label.clone(),
            row.metric.clone(),
            row.figure.value(of_difference(&row.unit)),
            row.figure
                .interval(of_difference(&row.unit))
                .unwrap_or_default(),
            row.variance_reduction
                .map_or(String::new(), |factor| format!("{factor:.1} x")),
        ]);
    }
    align_right(&mut table, &[2, 3, 4]);
    format!(
        "Differences, paired sample by sample\n{}",
        lines(&table, width)
    )
}

fn sheets(results: &Results, width: Option<u16>) -> String {
    let sheets = sheet::all(results);
    let texts: Vec<String> = sheets.iter().map(|one| sheet(one, width)).collect();
    texts.join("\n")
}

/// A table with its title; of very long ones the title alone.
fn sheet(sheet: &Sheet, width: Option<u16>) -> String {
    if sheet.rows.len() > MOST_ROWS {
        return format!("{}\n", sheet.title);
    }
    let names: Vec<&str> = sheet.columns.iter().map(|column| column.name).collect();
    let mut table = empty_table(&names);
    sheet.rows.iter().for_each(|row| {
        table.add_row(row);
    });
    let places = sheet.columns.iter().enumerate();
    let numbers = places.filter_map(|(place, column)| column.number.then_some(place));
    align_right(&mut table, &numbers.collect::<Vec<_>>());
    format!("{}\n{}", sheet.title, lines(&table, width))
}

fn analysis(results: &Results) -> String {
    let text = results.config.analysis.as_deref().unwrap_or_default();
    let paragraphs = text
        .split("\n\n")
        .map(|part| part.trim().replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

fn provenance(results: &Results) -> String {
    let manifest = &results.manifest;
    format!(
        "{} of {}, seed {}, {}; {} ({}); files in {}",
        count(manifest.samples_done),
        counted(manifest.samples_planned, "sample"),
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

fn empty_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header.iter().map(|name| name.to_string()));
    table
}

fn align_right(table: &mut Table, columns: &[usize]) {
    for &column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

fn lines(table: &Table, width: Option<u16>) -> String {
    let text = fitted(table, width.map(|width| width.saturating_sub(1)));
    text.lines()
        .map(|line| {
            format!(
                " {line}
"
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::results;

    #[test]
    fn a_report_reads_from_question_to_provenance() {
        let text = to_text(&results(), false, None);
        let parts = [
            "coin: Is <b>",
            "Heads come in 50 % (40 to 60).",
            "between 0.90 and 1.10 flips",
            "100 (3 unresolved)",
            "strong   100    80 to 120",
            "weak    -100  -120 to -80",
            "UNTRUSTED  more than 4.02 nodes (95 %)",
            "undecided  A coin is fair. (folklore)",
            "Exact values: 1 of 2 intervals cover them",
            "1.0000 flips  missed",
            "no interval",
            "+12.3",
            "at most -512.0",
            "0 of 0 samples, seed 7",
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
            (row.place, row.verdict) = (place.to_owned(), verdict.to_owned());
            row
        };
        let places = ["a", "b", "c", "d", "e"].map(|place| (place, "supported"));
        let places = places.into_iter().chain([("f", "refuted")]);
        results.claims = places.map(judged).collect();
        let text = to_text(&results, false, None);
        assert_eq!(text.matches("A coin is fair.").count(), 1);
        let lines = [
            "  mixed      A coin is fair. (folklore)",
            "             supported, 5 of 6: 50 %",
            "             refuted [f]: 50 % (40 to 60)",
        ];
        for line in lines {
            assert!(text.contains(line), "{text}");
        }
    }

    #[test]
    fn line_breaks_in_an_analysis_are_blanks() {
        let mut results = results();
        results.config.analysis = Some("One\nand two.\n\nThree.".into());
        assert!(to_text(&results, false, None).contains("One and two.\n\nThree."));
    }

    #[test]
    fn colours_change_nothing_but_the_verdicts() {
        let results = results();
        let (plain, coloured) = (
            to_text(&results, false, None),
            to_text(&results, true, None),
        );
        assert!(!plain.contains('\x1b'));
        assert!(coloured.contains("\x1b[33mundecided \x1b[0m"));
        let stripped = coloured.replace("\x1b[33m", "").replace("\x1b[0m", "");
        assert_eq!(stripped, plain);
    }
}
