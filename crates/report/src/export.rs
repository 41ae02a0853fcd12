//! A report as data, for papers, documents and dashboards.

use serde::Serialize;

use super::cautions::leading_cautions;
use super::contents;
use super::results::Results;
use super::rows::pair_figure;
use super::verdicts::{by_verdict, places};
use crate::sheet::{Sheet, SheetText, latex_comment};
use base::visible;
use figures::Figure;
use lab::tables::ClaimRow;
use stats::Interval;

/// The contents of a report of one experiment.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Export {
    /// The experiment's name.
    pub experiment: String,
    /// The experiment's question.
    pub(crate) question: String,
    /// The answer with its figures; empty where the experiment has none.
    pub(crate) answer: String,
    /// Remarks for a reader of the figures, a sentence each.
    pub(crate) cautions: Vec<String>,
    /// Every estimate, as a sentence has it.
    pub figures: Vec<ExportedFigure>,
    /// The tables of the report.
    pub(crate) tables: Vec<Sheet>,
}

/// An estimate with its interval, as numbers and as people read it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ExportedFigure {
    /// The cell, or two of which it is the paired difference: `greedy - optimal`.
    pub cell: String,
    /// The metric.
    pub metric: String,
    /// The unit of the numbers.
    pub unit: String,
    /// The estimate.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub lo: Option<f64>,
    /// The upper end of its interval.
    pub hi: Option<f64>,
    /// The level of its interval.
    pub level: Option<f64>,
    /// The method of its interval, as in `ci_method` of the tables.
    pub method: String,
    /// The conditions under which the level holds, as in `valid_under`.
    pub valid_under: String,
    /// Samples or instances.
    pub n: u64,
    /// The samples without an exact value, which the interval allows for.
    pub n_unresolved: u64,
    /// The words: `40.6 % (40.5 to 40.8)`.
    pub text: String,
}

impl ExportedFigure {
    fn of((cell, metric, unit): (String, &str, &str), figure: &Figure<'_>) -> Self {
        Self {
            cell,
            metric: metric.to_owned(),
            unit: unit.to_owned(),
            value: figure.estimate.value,
            text: figure.phrase(),
            n: figure.estimate.n,
            n_unresolved: figure.estimate.unresolved,
            ..Self::default()
        }
        .with(figure.estimate.interval)
    }

    /// The figure with its interval, of which an end that is open is left out.
    pub(super) fn with(self, interval: Option<Interval>) -> Self {
        let Some(interval) = interval else {
            return self;
        };
        let known = |end: f64| Some(end).filter(|end| end.is_finite());
        Self {
            lo: known(interval.lo),
            hi: known(interval.hi),
            level: Some(interval.level.get()),
            method: interval.method.as_ref().to_owned(),
            valid_under: interval.validity.as_ref().to_owned(),
            ..self
        }
    }
}

impl Export {
    /// The report of a run, with all of its tables or those that answer its question.
    pub(crate) fn of(results: &Results, all: bool) -> Self {
        let tables = if all {
            contents::all
        } else {
            contents::leading
        };
        let mut tables = tables(results);
        tables.extend([claims(results)].into_iter().filter(Sheet::is_filled));
        let own = results.summary.iter().map(|row| {
            let names = (row.cell.clone(), &*row.metric, &*row.unit);
            ExportedFigure::of(names, &results.figure(row))
        });
        let differences = results.pairs.iter().map(|row| {
            let cells = format!("{} - {}", row.first, row.second);
            ExportedFigure::of((cells, &row.metric, &row.unit), &pair_figure(row))
        });
        Self {
            experiment: results.manifest.experiment.clone(),
            question: results.config.question.clone(),
            answer: results.answer(),
            cautions: leading_cautions(results),
            figures: own.chain(differences).collect(),
            tables,
        }
    }

    /// The report in Markdown.
    pub fn to_markdown(&self) -> String {
        let title = format!("## {}\n\n", self.question);
        let answer = paragraph(&self.answer);
        let cautions = self.cautions.iter();
        let cautions = cautions.map(|caution| paragraph(&format!("Caution: {caution}")));
        let table = |sheet: &Sheet| {
            let (title, note) = (&sheet.title, paragraph(&sheet.note));
            format!("**{title}**\n\n{}\n{note}", sheet.to_markdown())
        };
        let tables = self.tables.iter().map(table);
        harmless(&visible(
            &([title, answer].into_iter().chain(cautions).chain(tables)).collect::<String>(),
        ))
    }

    /// The tables in LaTeX, for the package `booktabs`, after the answer and the cautions as comments.
    pub fn to_latex(&self) -> String {
        let cautions = self
            .cautions
            .iter()
            .map(|caution| format!("Caution: {caution}"));
        let said = [self.answer.clone()].into_iter().chain(cautions);
        let said: String = said.map(|text| latex_comment(&text)).collect();
        let tables = self.tables.iter().map(Sheet::to_latex);
        visible(&(said + &tables.collect::<Vec<_>>().join("\n")))
    }
}

/// A text and an empty line after it; nothing for no text.
fn paragraph(text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("{text}\n\n"),
    }
}

/// The text without tags, which would run in a page. Code is shown as it is.
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

/// A row for every verdict on every claim, with the cells where it came out so.
fn claims(results: &Results) -> Sheet {
    let verdicts = results.rows_by_claim().flat_map(|claim| {
        let groups = by_verdict(claim).into_iter();
        groups.map(|group| (group, claim.len()))
    });
    let columns: [SheetText<'_, (Vec<&ClaimRow>, usize)>; 5] = [
        ("verdict", &|(group, _)| {
            group[0].verdict.as_ref().to_owned()
        }),
        ("claim", &|(group, _)| {
            format!("{} ({})", group[0].text, group[0].source)
        }),
        ("tested as", &|(group, _)| group[0].holds.clone()),
        ("where", &|(group, of)| places(&results.sweep, group, *of)),
        ("found", &|(group, _)| results.all_remarked(group)),
    ];
    let sheet = Sheet::of("Claims", verdicts, &columns);
    match results.cells().as_slice() {
        [_] => sheet.without(&["where"]),
        _ => sheet,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::results;
    use lab::tables::PurseRow;

    #[test]
    fn every_estimate_is_there_as_numbers_and_in_words() {
        let export = Export::of(&results(), false);
        let heads = export
            .figures
            .iter()
            .find(|figure| figure.metric == "heads");
        let heads = heads.unwrap();
        assert_eq!(
            (heads.value, heads.lo, heads.hi),
            (Some(0.5), Some(0.4), Some(0.6))
        );
        assert_eq!(heads.text, "50 % (40 to 60)");
        assert_eq!(export.answer, "Heads come in 50 % (95 %: 40 to 60).");
        let markdown = export.to_markdown();
        assert!(
            markdown.contains("| heads | 50 % | 40 to 60 |"),
            "{markdown}"
        );
        assert!(
            markdown.contains("| undecided | A coin is fair. (folklore) |"),
            "{markdown}"
        );
        let latex = export.to_latex();
        assert!(latex.contains("heads & 50 \\% & 40 to 60"), "{latex}");
    }

    #[test]
    fn hostile_text_is_no_tag_and_no_column() {
        let mut results = results();
        let hostile = "<script>alert(1)</script> | <b \\input{x}";
        results.config.answer = Some(hostile.into());
        results.claims[0].text = hostile.into();
        let export = Export::of(&results, true);
        let markdown = export.to_markdown();
        assert!(
            !markdown.contains("<script") && !markdown.contains("<b"),
            "{markdown}"
        );
        let latex = export.to_latex();
        assert!(!latex.contains("\\input"), "{latex}");
    }

    /// Three claims: one post hoc, one at a level of its own, and five places of which two have remarks.
    #[test]
    fn exports_say_of_a_claim_what_the_report_says() {
        let mut results = results();
        results.claims[0].note = "post hoc: written after seeing results".into();
        let exported = Export::of(&results, false);
        let said = "50 % (40 to 60); post hoc: written after seeing results";
        for text in [
            exported.to_markdown(),
            exported.to_latex().replace("\\%", "%"),
        ] {
            assert!(text.contains(said), "{text}");
        }
        let interval = results.claims[0].measured.interval.as_mut().unwrap();
        interval.level = stats::Level::new(0.99).unwrap();
        let found = claims(&results).to_markdown();
        assert!(found.contains("50 % (40 to 60; 99 %); post hoc"), "{found}");
        let row = |&note: &&str| ClaimRow {
            note: note.into(),
            ..results.claims[0].clone()
        };
        results.claims = ["", "seen", "", "seen", "late"].iter().map(row).collect();
        let many = claims(&results).to_markdown();
        assert!(many.contains("| 50 %; seen; late |"), "{many}");
    }

    /// After a look at the samples nothing is known of many games, and a table of nothing is not shown.
    #[test]
    fn gains_of_which_nothing_is_known_are_left_out() {
        let mut results = results();
        let titles = |results: &Results| {
            let tables = Export::of(results, true).tables.into_iter();
            tables.map(|sheet| sheet.title).collect::<String>()
        };
        let unknown = PurseRow {
            experiment: "coin".into(),
            cell: results.summary[0].cell.clone(),
            metric: "heads".into(),
            unit: String::new(),
            games: 10,
            cost: None,
            ahead: None,
            ahead_lo: None,
            ahead_hi: None,
            even: None,
            q05: None,
            q25: None,
            q50: None,
            q75: None,
            q95: None,
            q50_lo: None,
            q50_hi: None,
            ci_level: None,
        };
        results.purses = vec![unknown.clone(), unknown];
        assert!(!titles(&results).contains("After many games"));
        results.purses[1].ahead = Some(0.25);
        assert!(titles(&results).contains("After many games"));
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
            row.verdict = verdict.parse().unwrap();
            row.measured.value = Some(mean);
            row
        };
        results.claims = places.iter().map(row).collect();
        claims(&results).to_markdown()
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
        assert!(rows[2].starts_with("| supported | A coin is fair. (folklore) |"));
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
}
