//! Text fitted to the width of a terminal: broken between words, never within one.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width, presets};

/// The narrowest column of prose that is worth reading.
const PROSE: usize = 24;

/// A table as lines: at its own width where that fits, otherwise with its texts broken between
/// words, and where even that does not fit, each row as a list of its columns.
pub fn fitted(table: &Table, width: Option<u16>) -> String {
    let natural = table.to_string();
    let widest = natural.lines().map(|line| columns(line.trim_end())).max();
    let Some(width) = width.filter(|&width| widest > Some(usize::from(width))) else {
        return trimmed(&natural);
    };
    match narrowed(table, width) {
        Some(narrow) => trimmed(&narrow.to_string()),
        None => listed(table, usize::from(width)),
    }
}

/// The table with columns that may shrink, each down to its longest word and the widest one to a
/// readable width; `None` where that is too wide.
fn narrowed(table: &Table, width: u16) -> Option<Table> {
    let mut table = table.clone();
    let natural = table.column_max_content_widths();
    let mut least: Vec<u16> = words(&table)
        .into_iter()
        .zip(&natural)
        .map(|(word, &all)| word.min(all))
        .collect();
    let widest = (0..natural.len()).max_by_key(|&place| natural[place])?;
    let readable = natural[widest].min(PROSE as u16);
    least[widest] = least[widest].max(readable);
    let padding: u16 = table
        .column_iter()
        .map(|column| column.padding_width())
        .sum();
    if least.iter().sum::<u16>() + padding > width {
        return None;
    }
    table
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width);
    for (column, (&least, &natural)) in table.column_iter_mut().zip(least.iter().zip(&natural)) {
        let padded = least + column.padding_width();
        column.set_constraint(if least == natural {
            ColumnConstraint::ContentWidth
        } else {
            ColumnConstraint::LowerBoundary(Width::Fixed(padded))
        });
    }
    Some(table)
}

/// The widest figure that is kept in one line: an estimate with its interval, unit and level.
const FIGURE: usize = 44;

/// Returns whether a cell is a figure, of which a part alone would be read as another number.
fn is_figure(content: &str) -> bool {
    let begins = content.trim_start_matches(['$', '+', '-', '−']);
    begins.starts_with(|c: char| c.is_ascii_digit()) && columns(content) <= FIGURE
}

/// The width of what is not broken in each column: the longest word, or the widest figure.
fn words(table: &Table) -> Vec<u16> {
    let count = table.column_iter().count();
    let mut longest = vec![0; count];
    for row in table.header().into_iter().chain(table.row_iter()) {
        for (cell, longest) in row.cell_iter().zip(&mut longest) {
            let content = cell.content();
            let width = if is_figure(&content) {
                columns(&content)
            } else {
                content.split_whitespace().map(columns).max().unwrap_or(0)
            };
            *longest = width.max(*longest);
        }
    }
    longest
        .into_iter()
        .map(|width| u16::try_from(width).unwrap_or(u16::MAX))
        .collect()
}

/// Each row as lines of `column: text`, the first column alone above them.
fn listed(table: &Table, width: usize) -> String {
    let names: Vec<String> = table.header().map_or(Vec::new(), contents);
    let mut text = String::new();
    for row in table.row_iter() {
        let mut fields = contents(row).into_iter().zip(&names);
        if let Some((first, _)) = fields.next() {
            text.push_str(&folded(&first, width));
        }
        for (field, name) in fields.filter(|(field, _)| !field.is_empty()) {
            let named = if name.is_empty() {
                field
            } else {
                format!("{name}: {field}")
            };
            text.push_str(&folded(&format!("  {named}"), width));
        }
    }
    text
}

fn contents(row: &comfy_table::Row) -> Vec<String> {
    row.cell_iter().map(comfy_table::Cell::content).collect()
}

/// Lines no wider than `width`, broken between words; what continues a line is indented as it is.
pub fn folded(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines().map(str::trim_end) {
        if columns(line) <= width {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let words = line.trim_start();
        let indent = &line[..(line.len() - words.len()).min(width / 2)];
        for part in broken(words, width - indent.len()).lines() {
            out.push_str(format!("{indent}{part}").trim_end());
            out.push('\n');
        }
    }
    out
}

/// A text in lines no wider than `width`, or than its longest word. A number and its sign of per cent are one word.
fn broken(text: &str, width: usize) -> String {
    const HELD: &str = "\u{a0}%";
    let text = text.replace(" %", HELD);
    let longest = text.split(' ').map(columns).max();
    let width = width.max(longest.unwrap_or_default());
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX))
        .add_row([text]);
    for column in table.column_iter_mut() {
        column.set_padding((0, 0));
    }
    table.to_string().replace(HELD, " %")
}

/// A line no wider than `width`: where it is longer, cut after a word and marked with an ellipsis.
pub fn cut(line: &str, width: usize) -> String {
    let line = line.trim_end();
    if columns(line) <= width {
        return line.to_owned();
    }
    let ends = line
        .match_indices(' ')
        .map(|(end, _)| line[..end].trim_end());
    let fitting = ends.take_while(|start| columns(start) < width);
    fitting
        .last()
        .map_or(String::new(), |start| format!("{start}…"))
}

/// The columns that a text takes, colours aside.
fn columns(text: &str) -> usize {
    console::measure_text_width(text)
}

fn trimmed(text: &str) -> String {
    let lines = text.lines().map(str::trim_end);
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(rows: &[[&str; 3]]) -> Table {
        let mut table = Table::new();
        table
            .load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(["name", "n", "question"]);
        rows.iter().for_each(|row| {
            table.add_row(row);
        });
        table
    }

    const ROWS: [[&str; 3]; 2] = [
        [
            "klondike-casino",
            "1",
            "How many cards does perfect play score at the casino?",
        ],
        [
            "foxes-claim-strong",
            "16",
            "Is the edge larger against hens that look ahead?",
        ],
    ];

    #[test]
    fn a_table_that_fits_is_left_alone_and_a_wider_one_keeps_its_words() {
        let wide = fitted(&table(&ROWS), None);
        assert_eq!(wide, fitted(&table(&ROWS), Some(200)));
        for width in [20, 40, 60, 80] {
            let text = fitted(&table(&ROWS), Some(width));
            for word in ROWS.concat().join(" ").split(' ') {
                let mut words = text.split_whitespace();
                assert!(words.any(|one| one == word), "{word} at {width}:\n{text}");
            }
            let widest = text.lines().map(columns).max().unwrap();
            assert!(widest <= usize::from(width), "{widest} at {width}:\n{text}");
        }
    }

    #[test]
    fn a_list_takes_the_place_of_columns_that_cannot_stand_side_by_side() {
        let text = fitted(&table(&ROWS), Some(40));
        assert!(
            text.starts_with("klondike-casino\n  n: 1\n  question: How many"),
            "{text}"
        );
    }

    #[test]
    fn a_list_takes_the_place_of_a_table_before_its_figures_are_broken() {
        let claim = "The house keeps more than a third of the stake.";
        let rows = [["supported", "40.6 % (39.9 to 41.3; 98.3 %)", claim]];
        let side_by_side = fitted(&table(&rows), Some(80));
        assert!(side_by_side.starts_with(" name") && side_by_side.lines().count() > 2);
        for width in [40, 60] {
            let text = fitted(&table(&rows), Some(width));
            assert!(
                text.contains("\n  n: 40.6 % (39.9 to 41.3; 98.3 %)\n"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_line_is_cut_after_a_word() {
        assert_eq!(cut("How many cards?", 15), "How many cards?");
        assert_eq!(cut("How many cards?", 14), "How many…");
        assert_eq!(cut("How many cards?", 9), "How many…");
        assert_eq!(cut("How many cards?", 8), "How…");
    }

    #[test]
    fn a_number_is_not_broken_from_its_per_cent() {
        let text = "The player wins 77.1 % of them, or 9 in all.";
        let folded = folded(text, 20);
        assert_eq!(folded.replace('\n', " ").trim_end(), text);
        assert_eq!(folded.lines().next(), Some("The player wins"));
    }

    proptest! {
        #[test]
        fn folding_loses_no_word_and_breaks_none(words in proptest::collection::vec("[a-z]{1,12}", 0..40),
                                                 indent in 0usize..6, width in 20usize..80) {
            let line = " ".repeat(indent) + &words.join(" ");
            let text = folded(&line, width);
            prop_assert_eq!(text.split_whitespace().collect::<Vec<_>>(), words);
            prop_assert!(text.lines().all(|line| columns(line) <= width));
        }
    }
}
