//! A table of text, built once and drawn by a terminal, a page and a Markdown document.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;

use base::counted;
use figures::fitted;

/// Rows of a table that a terminal shows at most.
const MOST_ROWS: usize = 60;

/// A titled table of text.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sheet {
    /// The line above the sheet.
    pub(crate) title: String,
    /// A sentence below it; may be empty.
    pub(crate) note: String,
    /// The columns of the sheet.
    pub(crate) columns: Vec<SheetColumn>,
    /// The rows of the sheet, of one field for each column.
    pub(crate) rows: Vec<Vec<String>>,
}

/// A column of a sheet.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SheetColumn {
    /// The column's name.
    pub(crate) name: String,
    /// True if it is set to the right, as numbers are.
    pub(crate) number: bool,
}

/// A column of a sheet that is being built: its name, spelled `=name` if it holds numbers, and the
/// text of a row in it.
pub(crate) type SheetText<'text, R> = (&'text str, &'text dyn Fn(&R) -> String);

/// A text as comments in LaTeX.
pub(crate) fn latex_comment(text: &str) -> String {
    text.lines().map(|line| format!("% {line}\n")).collect()
}

impl Sheet {
    /// A sheet of these rows with these columns.
    pub(crate) fn of<R>(
        title: impl Into<String>,
        rows: impl IntoIterator<Item = R>,
        columns: &[SheetText<'_, R>],
    ) -> Self {
        let fields = |row: R| columns.iter().map(|(_, text)| text(&row)).collect();
        let names = columns.iter().map(|(name, _)| *name);
        Self::new(title, names, rows.into_iter().map(fields).collect())
    }

    /// A sheet of rows of texts, with columns of these names, which are spelled as for a
    /// `SheetText`.
    pub(crate) fn new(
        title: impl Into<String>,
        names: impl IntoIterator<Item = impl AsRef<str>>,
        rows: Vec<Vec<String>>,
    ) -> Self {
        let column = |name: &str| SheetColumn {
            name: name.trim_start_matches('=').to_owned(),
            number: name.starts_with('='),
        };
        let names = names.into_iter();
        Self {
            title: title.into(),
            note: String::new(),
            columns: names.map(|name| column(name.as_ref())).collect(),
            rows,
        }
    }

    /// The sheet without the columns of these names.
    pub(crate) fn without(mut self, names: &[&str]) -> Self {
        let is_left_out = |column: &SheetColumn| names.contains(&column.name.as_str());
        while let Some(index) = self.columns.iter().position(is_left_out) {
            self.columns.remove(index);
            for row in &mut self.rows {
                row.remove(index);
            }
        }
        self
    }

    /// The sheet's lines in a terminal of this width: the first rows of a long one, and the number of the
    /// others.
    pub fn to_text(&self, width: Option<u16>) -> String {
        let text = self.first_rows(MOST_ROWS, width);
        match self.rows.len().saturating_sub(MOST_ROWS) {
            0 => text,
            more => {
                let more = counted(more as u64, "more row");
                format!("{text}  and {more} on the page\n")
            }
        }
    }

    /// The sheet's lines in a terminal of this width, with at most so many rows.
    pub(crate) fn first_rows(&self, most: usize, width: Option<u16>) -> String {
        let mut table = Table::new();
        table
            .load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(self.columns.iter().map(|column| &column.name))
            .add_rows(self.rows.iter().take(most));
        for (column, sheet) in table.column_iter_mut().zip(&self.columns) {
            if sheet.number {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let text = fitted(&table, width.map(|width| width.saturating_sub(1)));
        let lines = text.lines().map(|line| format!(" {line}\n"));
        let line = |text: &String| (!text.is_empty()).then(|| format!("{text}\n"));
        let (title, note) = (line(&self.title), line(&self.note));
        title.into_iter().chain(lines).chain(note).collect()
    }

    /// Returns whether it has rows.
    pub(crate) fn is_filled(&self) -> bool {
        !self.rows.is_empty()
    }

    /// The table in LaTeX, with its title and its note as comments.
    pub(crate) fn to_latex(&self) -> String {
        let line = |fields: Vec<&String>| {
            let fields: Vec<String> = fields.into_iter().map(|field| latex(field)).collect();
            format!("{} \\\\\n", fields.join(" & "))
        };
        let columns = self.columns.iter();
        let sides: String = columns
            .map(|column| if column.number { 'r' } else { 'l' })
            .collect();
        let head = line(self.columns.iter().map(|column| &column.name).collect());
        let rows: String = self
            .rows
            .iter()
            .map(|row| line(row.iter().collect()))
            .collect();
        let (title, note) = (latex_comment(&self.title), latex_comment(&self.note));
        format!(
            "{title}\\begin{{tabular}}{{{sides}}}\n\\toprule\n{head}\\midrule\n{rows}\\bottomrule\n\
             \\end{{tabular}}\n{note}"
        )
    }

    /// The table in Markdown, without its title.
    pub(crate) fn to_markdown(&self) -> String {
        let line = |fields: Vec<&String>| {
            let fields = fields.iter();
            let fields = fields.map(|field| field.replace('|', "\\|").replace('\n', " "));
            format!("| {} |\n", fields.collect::<Vec<_>>().join(" | "))
        };
        let head = line(self.columns.iter().map(|column| &column.name).collect());
        let rule = format!("|{}\n", "---|".repeat(self.columns.len()));
        let rows = self.rows.iter().map(|row| line(row.iter().collect()));
        [head, rule].into_iter().chain(rows).collect()
    }
}

/// A text as LaTeX shows it.
pub(crate) fn latex(text: &str) -> String {
    let letter = |letter: char| match letter {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{letter}"),
        '\\' => "\\textbackslash{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        // In LaTeX's own encoding of fonts these are other signs.
        '<' => "\\textless{}".to_owned(),
        '>' => "\\textgreater{}".to_owned(),
        '|' => "\\textbar{}".to_owned(),
        '"' => "\\textquotedbl{}".to_owned(),
        '\n' => " ".to_owned(),
        other => other.to_string(),
    };
    text.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_table_shows_its_first_rows_and_counts_the_others() {
        let rows = |count: usize| Sheet::of("Rows", 0..count, &[("=row", &|row| row.to_string())]);
        assert!(rows(60).to_text(None).ends_with("  59\n"));
        let text = rows(63).to_text(None);
        assert!(
            text.ends_with("  59\n  and 3 more rows on the page\n"),
            "{text}"
        );
        assert!(rows(63).first_rows(usize::MAX, None).ends_with("  62\n"));
    }

    #[test]
    fn signs_that_mean_something_to_latex_are_told_as_they_are() {
        assert_eq!(
            latex("a_1 < 5 % | b > \"2\" & c^2"),
            "a\\_1 \\textless{} 5 \\% \\textbar{} b \\textgreater{} \\textquotedbl{}2\\textquotedbl{} \\& \
             c\\textasciicircum{}2"
        );
    }

    #[test]
    fn a_column_is_left_out_of_head_and_rows() {
        let texts: [SheetText<'_, u8>; 3] = [
            ("one", &|row| row.to_string()),
            ("=two", &|row| (2 * row).to_string()),
            ("=three", &|row| (3 * row).to_string()),
        ];
        let sheet = Sheet::of("Multiples", [1, 2], &texts).without(&["two"]);
        assert_eq!(
            sheet.to_markdown(),
            "| one | three |\n|---|---|\n| 1 | 3 |\n| 2 | 6 |\n"
        );
    }
}
