//! The page of a benchmark, with its pictures.

use super::costs::RaceCosts;
use super::folder::BenchFolder;
use super::plots::plots;
use super::results::BenchResults;
use super::setting::Setting;
use crate::job::Failure;
use crate::report::plot::{Plot, escaped};
use crate::report::{Sheet, styled_page};
use crate::task::visible;

impl BenchResults {
    /// The page, with pictures of the single times in the folder.
    ///
    /// # Errors
    /// Where the times cannot be read.
    pub fn to_html(&self, folder: &BenchFolder, setting: &Setting) -> Result<String, Failure> {
        let costs = RaceCosts::of(setting, &folder.rows()?);
        let caution =
            |text: &String| format!("<p><strong>Caution: {}.</strong></p>\n", coded(text));
        let paragraph = |text: &String| format!("<p>{}</p>\n", coded(text));
        let parts = [
            format!("<h1>{}</h1>\n", escaped(&self.heading)),
            self.cautions.iter().map(caution).collect(),
            self.sentences.iter().map(paragraph).collect(),
            plots(setting, &costs).iter().map(figure).collect(),
            self.sheets.iter().map(table).collect(),
            paragraph(&self.taken),
        ];
        Ok(visible(&styled_page(
            &setting.experiment.file.name,
            &parts.concat(),
        )))
    }
}

/// A text with what stands between backticks as code.
fn coded(text: &str) -> String {
    let mut pieces = text.split('`').map(escaped);
    let mut coded = pieces.next().unwrap_or_default();
    while let Some(code) = pieces.next() {
        coded += &format!("<code>{code}</code>{}", pieces.next().unwrap_or_default());
    }
    coded
}

fn figure(plot: &Plot) -> String {
    let (title, caption) = (escaped(&plot.title), escaped(&plot.caption));
    let text = format!("<figcaption><strong>{title}</strong> {caption}</figcaption>");
    format!("<figure>{text}{}</figure>\n", plot.svg)
}

fn table(sheet: &Sheet) -> String {
    let cells = |tag: &str, cells: &mut dyn Iterator<Item = &str>| -> String {
        let cells = cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let head = cells("th", &mut sheet.columns.iter().map(|column| column.name));
    let rows = sheet
        .rows
        .iter()
        .map(|row| cells("td", &mut row.iter().map(String::as_str)));
    let body: String = rows.collect();
    let title = escaped(&sheet.title);
    format!(
        "<h2>{title}</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">\
         <table><thead>{head}</thead><tbody>{body}</tbody></table></div>\n"
    )
}
