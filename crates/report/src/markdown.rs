//! Figures in a Markdown document, put between markers from the results they come from:
//! `<!-- etude: FOLDER PLACE -->...<!-- /etude -->`.
//!
//! A place is `METRIC` or `CELL:METRIC` for a figure with its interval, or `answer`, `samples`,
//! `claims`, `figures`, `figures METRIC METRIC ...`; of a benchmark `answer` or a ratio. Reads nothing
//! itself.

use super::answer::{figure, filled};
use super::contents;
use super::format::count;
use super::results::Results;
use super::sheet::{Sheet, SheetText};
use super::verdicts::{by_verdict, found, places};
use lab::Failure;
use lab::tables::ClaimRow;
use lab::task::visible;

const OPEN: &str = "<!-- etude:";
const OPEN_END: &str = "-->";
const CLOSE: &str = "<!-- /etude -->";

/// The document with everything between markers replaced. `read` gives the text of a place in the
/// results of a folder, or says why there is none.
///
/// # Errors
/// The line of the first marker that cannot be understood or filled, and why.
pub fn splice_markdown(
    document: &str,
    mut read: impl FnMut(&str, &str) -> Result<String, String>,
) -> Result<String, Failure> {
    let mut out = String::new();
    let mut rest = document;
    while let Some(at) = rest.find(OPEN) {
        let (before, marked) = rest.split_at(at);
        out.push_str(before);
        let line = 1 + document[..document.len() - marked.len()]
            .matches('\n')
            .count();
        let fault = |message: String| Failure::input(format!("line {line}"), message, "");
        let marker = Marker::parse(marked).map_err(fault)?;
        let text = read(marker.folder, marker.place).map_err(fault)?;
        out.push_str(marker.opening);
        out.push_str(&marker.fitted(&harmless(&text)));
        out.push_str(CLOSE);
        rest = marker.rest;
    }
    out.push_str(rest);
    Ok(out)
}

/// The text without tags: those of a page would run, those of a marker end it. Code is shown as it
/// is, and cannot hold a marker either.
fn harmless(text: &str) -> String {
    let begins_tag =
        |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        out.push_str(if begins_tag(after) { "&lt;" } else { "<" });
        rest = after;
    }
    out + rest
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

    /// Returns the text on lines of its own if the marker has them or the text needs them,
    /// otherwise in line.
    fn fitted(&self, text: &str) -> String {
        if self.enclosed.contains('\n') || text.contains('\n') {
            format!("\n{}\n", text.trim_end())
        } else {
            text.to_owned()
        }
    }
}

/// The text of a place in the results of a run.
///
/// # Errors
/// A sentence: there is no such place.
pub fn place_text(place: &str, results: &Results) -> Result<String, String> {
    let mut words = place.split_whitespace();
    match (words.next().unwrap_or_default(), words.next()) {
        ("answer", None) => answer(results),
        ("samples", None) => Ok(count(results.manifest.samples_done)),
        ("claims", None) => Ok(claims(results)),
        ("figures", _) => figures(
            results,
            &place.split_whitespace().skip(1).collect::<Vec<_>>(),
        ),
        _ => figure(place, results).ok_or_else(|| {
            let metrics = results.metric_names().join("`, `");
            let cells = results.cells().join("`, `");
            format!(
                "there is no figure `{}`; the metrics are `{metrics}`, the cells `{cells}`, other \
                 places `answer`, `samples`, `claims`, `figures`",
                visible(place)
            )
        }),
    }
}

fn answer(results: &Results) -> Result<String, String> {
    let text = results.config.answer.as_deref();
    let text = text.ok_or("the experiment has no answer")?;
    filled(text, results).map_err(|error| error.to_string())
}

/// A row for every verdict on every claim, with the cells where it came out so.
fn claims(results: &Results) -> String {
    let verdicts = results.rows_by_claim().flat_map(|claim| {
        let groups = by_verdict(claim).into_iter();
        groups.map(|group| (group, claim.len()))
    });
    let columns: [SheetText<'_, (Vec<&ClaimRow>, usize)>; 5] = [
        ("verdict", &|(group, _)| format!("**{}**", group[0].verdict)),
        ("claim", &|(group, _)| {
            format!("{} ({})", group[0].text, group[0].source)
        }),
        ("tested as", &|(group, _)| format!("`{}`", group[0].holds)),
        ("where", &|(group, of)| places(&results.sweep, group, *of)),
        ("found", &|(group, _)| found(group)),
    ];
    let sheet = Sheet::of("Claims", verdicts, &columns);
    match results.cells().as_slice() {
        [_] => sheet.without(&["where"]).to_markdown(),
        _ => sheet.to_markdown(),
    }
}

/// A row for every cell and every one of `metrics`, or every metric there is.
fn figures(results: &Results, metrics: &[&str]) -> Result<String, String> {
    let known = results.metric_names();
    if let Some(unknown) = metrics.iter().find(|metric| !known.contains(metric)) {
        return Err(format!(
            "there is no metric `{unknown}`; the metrics are `{}`",
            known.join("`, `")
        ));
    }
    let metrics = if metrics.is_empty() { &known } else { metrics };
    let figures = contents::estimates(results, metrics);
    Ok(figures
        .without(&["samples", contents::METHOD])
        .to_markdown())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::results;

    fn spliced(document: &str) -> Result<String, Failure> {
        splice_markdown(document, |folder, place| match folder {
            "results/coin" => place_text(place, &results()),
            other => Err(format!("{other}: not a run folder")),
        })
    }

    #[test]
    fn figures_are_replaced_and_all_else_is_kept() {
        let document = "Heads: <!-- etude: results/coin heads -->99 %<!-- /etude -->, so.\n";
        let fresh = spliced(document).unwrap();
        assert_eq!(
            fresh,
            "Heads: <!-- etude: results/coin heads -->50 % (40 to 60)<!-- /etude -->, so.\n"
        );
        assert_eq!(spliced(&fresh).unwrap(), fresh);
        assert_eq!(spliced("no markers\n").unwrap(), "no markers\n");
    }

    #[test]
    fn hostile_text_breaks_no_document() {
        let document = "<!-- etude: results/coin answer --><!-- /etude -->\n<!-- etude: \
                        results/coin claims --><!-- /etude -->";
        let splice = |document: &str| {
            splice_markdown(document, |_, place| {
                let mut results = results();
                let hostile = "<script>alert(1)</script> <!-- /etude --> | <b";
                results.config.answer = Some(hostile.into());
                results.claims[0].text = hostile.into();
                results.claims[0].cell = hostile.into();
                results.claims[0].holds = "heads.mean < 1".into();
                place_text(place, &results)
            })
        };
        let once = splice(document).unwrap();
        assert!(!once.contains("<script") && !once.contains("<b"), "{once}");
        assert!(once.contains("`heads.mean < 1`"), "{once}");
        assert_eq!(splice(&once).unwrap(), once);
    }

    #[test]
    fn blocks_stand_on_their_own_lines() {
        let answer = spliced("<!-- etude: results/coin answer -->\n<!-- /etude -->\n").unwrap();
        assert!(
            answer.contains("-->\nHeads come in 50 % (95 %: 40 to 60).\n<!--"),
            "{answer}"
        );
        let table = spliced("<!-- etude: results/coin figures run --><!-- /etude -->").unwrap();
        assert!(
            table.contains("| run | between 0.90 and 1.10 flips |"),
            "{table}"
        );
        assert!(!table.contains("heads"));
        let claims = spliced("<!-- etude: results/coin claims --><!-- /etude -->").unwrap();
        assert!(
            claims.contains("| **undecided** | A coin is fair. (folklore) |"),
            "{claims}"
        );
    }

    /// A coin's results with two cells and these places, means and verdicts of one claim.
    fn claimed(places: &[(&str, f64, &str)]) -> String {
        let mut results = results();
        let mut other = results.summary[0].clone();
        other.cell = "bent".into();
        results.summary.push(other);
        let row = |&(place, mean, verdict): &(&str, f64, &str)| {
            let mut row = results.claims[0].clone();
            row.cell = place.into();
            row.verdict = verdict.into();
            row.measured.value = Some(mean);
            row
        };
        results.claims = places.iter().map(row).collect();
        claims(&results)
    }

    #[test]
    fn a_claim_about_several_cells_says_where() {
        let text = claimed(&[
            ("1 − 2 (side=a)", 0.5, "supported"),
            ("1 − 2 (side=b)", 0.25, "refuted"),
            ("1 − 2 (side=c)", 0.125, "refuted"),
        ]);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[0], "| verdict | claim | tested as | where | found |");
        assert_eq!(rows[1], "|---|---|---|---|---|");
        assert!(rows[2].starts_with("| **supported** | A coin is fair. (folklore) |"));
        assert!(rows[2].ends_with("| 1 − 2 (side=a) | 50 % (40 to 60) |"));
        assert!(
            rows[3]
                .ends_with("| 1 − 2 (side=b); 1 − 2 (side=c) | 25 % (40 to 60); 12 % (40 to 60) |")
        );
        assert_eq!(rows.len(), 4);
    }

    #[test]
    fn many_cells_are_summarised_by_their_number_and_range() {
        let cells = ["a", "b", "c", "d", "e"].map(|cell| (cell, 0.5, "supported"));
        let all = claimed(&cells);
        assert!(all.ends_with("| all 5 | 50 % |\n"), "{all}");
        let mut cells = cells.to_vec();
        cells[3].1 = 0.75;
        cells.push(("f", 0.25, "refuted"));
        let most = claimed(&cells);
        assert!(most.contains("| 5 of 6 | 50 % to 75 % |\n"), "{most}");
        assert!(most.ends_with("| f | 25 % (40 to 60) |\n"), "{most}");
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
