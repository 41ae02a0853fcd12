//! A run folder as text for a terminal.

use std::collections::BTreeSet;

use comfy_table::presets;
use comfy_table::{CellAlignment, ContentArrangement, Table};

use super::abridged::abridged;
use super::answer::filled;
use super::figures::Figure;
use super::fit::{fitted, folded};
use super::format::{count, counted, level_text};
use super::results::Results;
use super::sheet::{self, Sheet};
use super::verdicts;
use crate::tables::{ClaimRow, PairRow, SummaryRow};

/// Cells up to which every one gets a table of its own; above, metrics become columns.
const FEW_CELLS: usize = 3;

/// Rows of a table that a terminal shows at most.
const MOST_ROWS: usize = 60;

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
    let metrics = shown_metrics(results, style.all);
    let mut parts = vec![
        heading(results),
        answer(results),
        figures(results, &metrics, style),
        ratings(results, width),
        claims(results, style),
        differences(results, &metrics, width),
    ];
    if style.all {
        parts.extend([
            weights(results, width),
            sheets(results, width),
            analysis(results),
        ]);
    }
    parts.push(provenance(results));
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| part.trim_end().to_owned() + "\n")
        .collect();
    let text = parts.join("\n");
    // Tables fit already; all else is prose.
    width.map_or(text.clone(), |width| folded(&text, usize::from(width)))
}

/// The metrics that matter most to the question, or all.
fn shown_metrics(results: &Results, all: bool) -> Vec<&str> {
    if all {
        results.metric_names()
    } else {
        results.leading_metrics()
    }
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

fn figures(results: &Results, metrics: &[&str], style: TextStyle) -> String {
    let cells = results.cells();
    let title = figures_title(results, metrics, style);
    if cells.len() > FEW_CELLS {
        return format!(
            "{title}\n{}",
            sweep_table(results, (&cells, metrics), style.width)
        );
    }
    let tables = cells.iter().map(|&cell| {
        let rows = metrics
            .iter()
            .filter_map(|metric| results.row(cell, metric));
        let table = cell_table(results, rows, style);
        match cells.len() {
            1 => table,
            _ => format!("{}\n{table}", results.sweep.label(cell)),
        }
    });
    format!("{title}\n{}", tables.collect::<Vec<_>>().join("\n"))
}

/// The level of the intervals, where all have one, and how many metrics are not shown.
fn figures_title(results: &Results, metrics: &[&str], style: TextStyle) -> String {
    let estimates = results.summary.iter();
    let intervals = estimates
        .filter(|row| !results.figure(row).is_exact())
        .filter_map(|row| row.estimate.interval);
    let mut levels: Vec<String> = intervals
        .map(|interval| level_text(interval.level.get()))
        .collect();
    levels.sort();
    levels.dedup();
    let level = match levels.as_slice() {
        [one] if !style.all => format!(", {one} intervals"),
        _ => String::new(),
    };
    let all = results.metric_names().len();
    let others = if all > metrics.len() {
        format!(
            " ({} of {}; --all shows all)",
            metrics.len(),
            counted(all as u64, "metric")
        )
    } else {
        String::new()
    };
    format!("Figures{level}{others}")
}

/// One row a metric; with the method of each interval where all is shown.
fn cell_table<'row>(
    results: &Results,
    rows: impl Iterator<Item = &'row SummaryRow>,
    style: TextStyle,
) -> String {
    let mut names = vec!["metric", "estimate", "interval", "samples"];
    if style.all {
        names.push("level, method");
    }
    let mut table = empty_table(&names);
    for row in rows {
        let figure = results.figure(row);
        let fields = [
            row.metric.clone(),
            figure.value(),
            interval(&figure),
            figure.samples(),
        ];
        let method = style.all.then(|| figure.method());
        table.add_row(fields.into_iter().chain(method));
    }
    align_right(&mut table, &[1, 2, 3]);
    lines(&table, style.width)
}

/// The interval of a figure, or the reason why it has none.
fn interval(figure: &Figure<'_>) -> String {
    let found = figure.interval();
    found.unwrap_or_else(|| figure.reason().to_owned())
}

/// One row a cell, one column a metric: value with interval.
fn sweep_table(
    results: &Results,
    (cells, metrics): (&[&str], &[&str]),
    width: Option<u16>,
) -> String {
    let header: Vec<&str> = std::iter::once("cell")
        .chain(metrics.iter().copied())
        .collect();
    let mut table = empty_table(&header);
    for &cell in cells {
        let fields = metrics.iter().map(|metric| {
            let row = results.row(cell, metric);
            row.map_or(String::new(), |row| results.figure(row).phrase())
        });
        table.add_row(std::iter::once(results.sweep.label(cell)).chain(fields));
    }
    align_right(&mut table, &(1..header.len()).collect::<Vec<_>>());
    lines(&table, width)
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
        table.add_row([row.label(), elo(row.elo), row.interval(), row.gap()]);
    }
    align_right(&mut table, &[1, 2, 3]);
    let note = if ladder.iter().any(|row| row.is_uncounted()) {
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
        let trusted = if row.is_trusted() {
            "trusted"
        } else {
            "UNTRUSTED"
        };
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

/// The claims, a row each: the verdict, the claim and what was found.
fn claims(results: &Results, style: TextStyle) -> String {
    if results.claims.is_empty() {
        return String::new();
    }
    let mut table = empty_table(&["verdict", "claim", "found"]);
    for rows in results.claims.chunk_by(|one, next| one.is_of_claim(next)) {
        for row in claim(results, rows, style.all) {
            table.add_row(row);
        }
    }
    let text = lines(&table, style.width.or(Some(PIPED_WIDTH)));
    let text = if style.colour {
        text.lines().map(coloured).collect()
    } else {
        text
    };
    format!("Claims\n{text}")
}

/// The width of a table of prose that goes to no terminal.
const PIPED_WIDTH: u16 = 100;

/// A claim with what was found, in each place or in how many of many places; in full with the
/// statement that was tested.
fn claim(results: &Results, rows: &[ClaimRow], all: bool) -> Vec<[String; 3]> {
    let (first, groups) = (&rows[0], verdicts::by_verdict(rows));
    let word = match groups.as_slice() {
        [_] => &first.verdict,
        _ => "mixed",
    };
    let text = format!("{} ({})", first.text, first.source);
    let tested = all.then(|| [String::new(), first.holds.clone(), String::new()]);
    if let [row] = rows {
        let place = match results.sweep.place(&row.cell).as_str() {
            "all" => String::new(),
            place => format!("{place}: "),
        };
        let found = format!("{place}{}", found(results, row));
        let head = [word.to_owned(), text, found];
        return std::iter::once(head).chain(tested).collect();
    }
    let head = [word.to_owned(), text, String::new()];
    let places = groups
        .iter()
        .flat_map(|group| verdict_rows(results, group, rows));
    std::iter::once(head).chain(tested).chain(places).collect()
}

/// The places where a claim came out one way: a row each where the claim has few of them, otherwise
/// one row with the range of what was found.
fn verdict_rows(results: &Results, group: &[&ClaimRow], claim: &[ClaimRow]) -> Vec<[String; 3]> {
    let (verdict, of) = (&group[0].verdict, claim.len());
    let row = |place: String, found: String| [String::new(), format!("{verdict}, {place}"), found];
    if of > verdicts::MOST_NAMED && group.len() > 1 {
        let count = match group.len() {
            all if all == of => format!("all {all}"),
            some => format!("{some} of {of}"),
        };
        let values = verdicts::values(&results.sweep, claim, group).filter(|_| group.len() < of);
        let places = values.map_or(count.clone(), |values| format!("{count}: {values}"));
        return vec![row(places, verdicts::range(group))];
    }
    let named = |claim: &&ClaimRow| row(results.sweep.place(&claim.cell), found(results, claim));
    group.iter().map(named).collect()
}

/// Returns the estimate of a claim in one cell, with its remarks.
fn found(results: &Results, row: &ClaimRow) -> String {
    let found = results.found(row);
    match row.note.as_str() {
        "" => found,
        note => format!("{found}; {note}"),
    }
}

/// The column in which verdicts stand at most; other words that begin a line stand further right.
const VERDICTS: usize = 2;

/// A line with its verdict, if it begins with one, in green, red or yellow.
fn coloured(line: &str) -> String {
    let styles = [
        ("supported", 32),
        ("agrees", 32),
        ("refuted", 31),
        ("undecided", 33),
        ("mixed", 33),
    ];
    let text = line.trim_start();
    let indent = &line[..line.len() - text.len()];
    let found = styles.iter().find_map(|(word, style)| {
        let rest = text
            .strip_prefix(word)
            .filter(|_| indent.len() <= VERDICTS)?;
        Some(format!("{indent}\x1b[{style}m{word}\x1b[0m{rest}\n"))
    });
    found.unwrap_or_else(|| format!("{line}\n"))
}

/// The paired differences of these metrics.
fn differences(results: &Results, metrics: &[&str], width: Option<u16>) -> String {
    let is_shown = |row: &&PairRow| metrics.contains(&row.metric.as_str());
    let pairs: Vec<&PairRow> = results.pairs.iter().filter(is_shown).collect();
    if pairs.is_empty() || pairs.len() > MOST_ROWS {
        return String::new();
    }
    let mut table = empty_table(&[
        "difference",
        "metric",
        "estimate",
        "interval",
        "samples saved",
    ]);
    for row in pairs {
        table.add_row([
            results.sweep.difference(&row.first, &row.second),
            row.metric.clone(),
            row.figure().value(),
            row.figure().interval().unwrap_or_default(),
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
    let texts: Vec<String> = sheets.iter().map(|one| sheet_text(one, width)).collect();
    texts.join("\n")
}

/// A table with its title: the first rows of a long one, and the number of the others.
pub fn sheet_text(sheet: &Sheet, width: Option<u16>) -> String {
    let text = first_rows(sheet, MOST_ROWS, width);
    match sheet.rows.len().saturating_sub(MOST_ROWS) {
        0 => text,
        more => format!(
            "{text}  and {} on the page\n",
            counted(more as u64, "more row")
        ),
    }
}

/// A table with its title, however long.
pub(super) fn sheet_lines(sheet: &Sheet, width: Option<u16>) -> String {
    first_rows(sheet, usize::MAX, width)
}

fn first_rows(sheet: &Sheet, most: usize, width: Option<u16>) -> String {
    let names: Vec<&str> = sheet.columns.iter().map(|column| &*column.name).collect();
    let mut table = empty_table(&names);
    table.add_rows(sheet.rows.iter().take(most));
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
    text.lines().map(|line| format!(" {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::results;

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
    fn a_long_table_shows_its_first_rows_and_counts_the_others() {
        let rows =
            |count: usize| Sheet::of("Rows", ["=row"], (0..count).map(|row| [row.to_string()]));
        assert!(sheet_text(&rows(60), None).ends_with("  59\n"));
        let text = sheet_text(&rows(63), None);
        assert!(
            text.ends_with("  59\n  and 3 more rows on the page\n"),
            "{text}"
        );
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
            "strong   100    80 to 120",
            "weak    -100  -120 to -80",
            "undecided  A coin is fair. (folklore)",
            "UNTRUSTED  more than 4.02 nodes (95 %)",
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
            (row.cell, row.verdict) = (place.to_owned(), verdict.to_owned());
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
            (row.cell, row.verdict) = (place.to_owned(), verdict.to_owned());
            row.found.value = Some(value);
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
