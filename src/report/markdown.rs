//! Figures in a Markdown document, put between markers from the results they come from:
//! `<!-- etude: FOLDER PLACE -->...<!-- /etude -->`.
//!
//! A place is `METRIC` or `CELL:METRIC` for a figure with its interval, or `answer`, `samples`,
//! `claims`, `figures`, `figures METRIC METRIC ...`. Reads nothing itself.

use super::answer::{figure, splice};
use super::results::Results;
use super::rows::SummaryRow;

const OPEN: &str = "<!-- etude:";
const OPEN_END: &str = "-->";
const CLOSE: &str = "<!-- /etude -->";

/// A marker that cannot be filled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct MarkerError {
    /// The line of the marker, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// The document with everything between markers replaced. `read` gives the results in a folder,
/// or says why there are none.
pub fn splice_markdown(
    document: &str,
    mut read: impl FnMut(&str) -> Result<Results, String>,
) -> Result<String, MarkerError> {
    let mut out = String::new();
    let mut rest = document;
    while let Some(at) = rest.find(OPEN) {
        let (before, marked) = rest.split_at(at);
        out.push_str(before);
        let line = 1 + document[..document.len() - marked.len()]
            .matches('\n')
            .count();
        let fault = |message: String| MarkerError { line, message };
        let marker = Marker::parse(marked).map_err(fault)?;
        let results = read(marker.folder).map_err(fault)?;
        let text = contents(marker.place, &results).map_err(fault)?;
        out.push_str(marker.opening);
        out.push_str(&marker.fitted(&text));
        out.push_str(CLOSE);
        rest = marker.rest;
    }
    out.push_str(rest);
    Ok(out)
}

/// One marker with what it encloses.
struct Marker<'text> {
    opening: &'text str,
    folder: &'text str,
    place: &'text str,
    enclosed: &'text str,
    rest: &'text str,
}

impl<'text> Marker<'text> {
    /// The marker that `text` begins with.
    fn parse(text: &'text str) -> Result<Self, String> {
        let unclosed = || format!("the marker is not closed; end it with `{CLOSE}`");
        let end = text.find(OPEN_END).ok_or("the comment is not closed")?;
        let (opening, after) = text.split_at(end + OPEN_END.len());
        let (enclosed, rest) = after.split_once(CLOSE).ok_or_else(unclosed)?;
        if enclosed.contains(OPEN) {
            return Err(unclosed());
        }
        let words = text[OPEN.len()..end].trim();
        let (folder, place) = words
            .split_once(char::is_whitespace)
            .ok_or("expected `etude: FOLDER PLACE`")?;
        Ok(Self {
            opening,
            folder,
            place: place.trim(),
            enclosed,
            rest,
        })
    }

    /// On lines of its own where the marker has them or the text needs them, else in line.
    fn fitted(&self, text: &str) -> String {
        if self.enclosed.contains('\n') || text.contains('\n') {
            format!("\n{}\n", text.trim_end())
        } else {
            text.to_owned()
        }
    }
}

fn contents(place: &str, results: &Results) -> Result<String, String> {
    let mut words = place.split_whitespace();
    match (words.next().unwrap_or_default(), words.next()) {
        ("answer", None) => answer(results),
        ("samples", None) => Ok(results.manifest.samples_done.to_string()),
        ("claims", None) => Ok(claims(results)),
        ("figures", _) => figures(
            results,
            &place.split_whitespace().skip(1).collect::<Vec<_>>(),
        ),
        _ => figure(place, results).map_err(|error| {
            let metrics = results.metrics().join("`, `");
            let cells = results.cells().join("`, `");
            format!(
                "there is no figure `{}`; the metrics are `{metrics}`, the cells `{cells}`, other \
                 places `answer`, `samples`, `claims`, `figures`",
                error.place
            )
        }),
    }
}

fn answer(results: &Results) -> Result<String, String> {
    let text = results.config.answer.as_deref();
    let text = text.ok_or("the experiment has no answer")?;
    splice(text, results).map_err(|error| error.to_string())
}

fn claims(results: &Results) -> String {
    let rows = results.claims.iter().map(|claim| {
        [
            format!("**{}**", claim.verdict),
            format!("{} ({})", claim.text, claim.source),
            format!("`{}`", claim.holds),
            claim.figure.phrase(&claim.unit),
        ]
    });
    table(["verdict", "claim", "tested as", "found"], rows)
}

/// A row for every cell and every one of `metrics`, or every metric there is.
fn figures(results: &Results, metrics: &[&str]) -> Result<String, String> {
    let known = results.metrics();
    if let Some(unknown) = metrics.iter().find(|metric| !known.contains(metric)) {
        return Err(format!(
            "there is no metric `{unknown}`; the metrics are `{}`",
            known.join("`, `")
        ));
    }
    let wanted = |row: &&SummaryRow| metrics.is_empty() || metrics.contains(&row.metric.as_str());
    let rows = results.summary.iter().filter(wanted).map(|row| {
        // Without an interval the method says why, if there is a reason.
        let interval = row.figure.interval(&row.unit);
        let interval = interval.unwrap_or_else(|| row.figure.reason());
        [
            row.cell.clone(),
            row.metric.clone(),
            row.figure.value(&row.unit),
            interval,
        ]
    });
    Ok(table(["cell", "metric", "estimate", "interval"], rows))
}

fn table(header: [&str; 4], rows: impl Iterator<Item = [String; 4]>) -> String {
    let line = |fields: [String; 4]| {
        let fields = fields.map(|field| field.replace('|', "\\|").replace('\n', " "));
        format!("| {} |\n", fields.join(" | "))
    };
    let rule = "|---|---|---|---|\n".to_owned();
    let head = [line(header.map(str::to_owned)), rule];
    head.into_iter().chain(rows.map(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::results;

    fn spliced(document: &str) -> Result<String, MarkerError> {
        splice_markdown(document, |folder| match folder {
            "results/coin" => Ok(results()),
            other => Err(format!("{other}: not a run folder")),
        })
    }

    #[test]
    fn figures_are_replaced_and_all_else_is_kept() {
        let document = "Heads: <!-- etude: results/coin heads -->99 %<!-- /etude -->, so.\n";
        let fresh = spliced(document).unwrap();
        assert_eq!(
            fresh,
            "Heads: <!-- etude: results/coin heads -->50 % (40 to 60 %)<!-- /etude -->, so.\n"
        );
        assert_eq!(spliced(&fresh).unwrap(), fresh);
        assert_eq!(spliced("no markers\n").unwrap(), "no markers\n");
    }

    #[test]
    fn blocks_stand_on_their_own_lines() {
        let answer = spliced("<!-- etude: results/coin answer -->\n<!-- /etude -->\n").unwrap();
        assert!(
            answer.contains("-->\nHeads come in 50 % (40 to 60 %).\n<!--"),
            "{answer}"
        );
        let table = spliced("<!-- etude: results/coin figures run --><!-- /etude -->").unwrap();
        assert!(
            table.contains("| all | run | between 0.90 and 1.10 flips |"),
            "{table}"
        );
        assert!(!table.contains("heads"));
        let claims = spliced("<!-- etude: results/coin claims --><!-- /etude -->").unwrap();
        assert!(
            claims.contains("| **undecided** | A coin is fair. (folklore) |"),
            "{claims}"
        );
    }

    #[test]
    fn a_marker_that_cannot_be_filled_is_named_by_its_line() {
        let fault = |document: &str| spliced(document).unwrap_err().to_string();
        let unknown = fault("\n\n<!-- etude: results/coin tails --><!-- /etude -->");
        assert!(unknown.starts_with("line 3: there is no figure `tails`; the metrics are `heads`"));
        assert!(fault("<!-- etude: elsewhere heads --><!-- /etude -->").contains("elsewhere"));
        assert!(fault("<!-- etude: results/coin heads -->").contains("not closed"));
        assert!(fault("<!-- etude: results/coin --><!-- /etude -->").contains("FOLDER PLACE"));
        let nested =
            "<!-- etude: results/coin heads --> <!-- etude: results/coin run --><!-- /etude -->";
        assert!(fault(nested).contains("not closed"));
    }
}
