//! The pictures of a run on a page, with the metrics first that answer its question.

mod cells;
mod differences;
mod samples;

use serde::Serialize;

use super::matrix::ParamMatrix;
use crate::answer::FoundFigure;
use crate::cells::Sweep;
use crate::format::exactly;
use crate::plot::{self, IntervalMark, LaneScale, Plot, Threshold};
use crate::results::Results;
use crate::verdicts::relation_words;
use experiment::{DIFFERENCES_OF, EFFECTS_OF, RATIOS_OF};
use figures::{capitalized, of_difference};
use lab::tables::SummaryRow;
use task::UNITLESS;

/// Pictures of one kind at most; the tables have the others.
const MOST_PICTURES: usize = 8;
/// Claimed values that fit into one picture.
const MOST_THRESHOLDS: usize = 2;
/// Cells of a swept number that still are rows; more are a line.
const MOST_DOTS: usize = 14;
/// Cells that are rows in the picture of a card.
const MOST_ON_CARD: usize = 7;
/// Characters of a metric's meaning that still is a title.
const LONGEST_TITLE: usize = 72;

/// A plot, several of which one is shown at a time, or a table where positions say more than marks.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Picture {
    Plot(Plot),
    Tabs { name: String, tabs: Vec<Tab> },
    Matrix(ParamMatrix),
}

/// A plot of several, of which the reader chooses one.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Tab {
    /// The words that choose it.
    pub(crate) label: String,
    /// The plot.
    pub(crate) plot: Plot,
}

/// Pictures of one kind under a title, those of the metrics that matter to the question first.
pub(crate) type Gallery = (&'static str, Vec<Picture>);

/// The pictures of a run that are not `shown` already.
pub(super) fn all<'run>(album: &Album<'run>, shown: &[String]) -> Vec<Gallery> {
    let metrics = album.metrics.iter().copied();
    let featured = metrics
        .clone()
        .filter(|metric| album.results.is_featured(metric));
    let plots = |title, plot: fn(&Album<'run>, &str) -> Option<Plot>| {
        let plots = featured.clone().filter_map(|metric| plot(album, metric));
        gallery(title, plots.map(Picture::Plot))
    };
    let unseen = featured
        .clone()
        .filter(|metric| !shown.iter().any(|one| one == metric));
    let by_parameter = unseen.filter_map(|metric| album.sweep(metric, &album.title(metric)));
    let histograms = metrics.flat_map(|metric| album.histograms(metric));
    let ratings = [album.shares(""), album.ladder()].into_iter().flatten();
    let galleries = [
        gallery("Results by parameter", by_parameter),
        plots("Estimates as a ratio to the exact value", Album::ratios),
        gallery("Distributions", histograms.map(Picture::Plot)),
        plots("Differences", Album::differences),
        plots("Convergence", Album::convergence),
        gallery("Shares and ratings", ratings.map(Picture::Plot)),
    ];
    let is_filled = |(_, pictures): &Gallery| !pictures.is_empty();
    galleries.into_iter().filter(is_filled).collect()
}

fn gallery(title: &'static str, pictures: impl Iterator<Item = Picture>) -> Gallery {
    (title, pictures.take(MOST_PICTURES).collect())
}

/// A run whose pictures are taken.
pub(super) struct Album<'run> {
    results: &'run Results,
    /// The cells in words for people.
    sweep: Sweep,
    cells: Vec<&'run str>,
    /// The metrics, those that matter to the question first.
    metrics: Vec<&'run str>,
}

impl<'run> Album<'run> {
    /// The album of a run.
    pub(crate) fn of(results: &'run Results) -> Self {
        let mut metrics = results.metric_names();
        metrics.sort_by_key(|metric| !results.is_featured(metric));
        Self {
            results,
            sweep: results.sweep.in_words(&results.config.labels),
            cells: results.cells(),
            metrics,
        }
    }

    /// The picture of a name: `ratings`, `differences of METRIC` and the like, or a metric's that suits its
    /// kind and the sweep. Of a metric without a sweep it shows the distribution in `cell`.
    pub(crate) fn picture(&self, name: &str, cell: &str) -> Option<Picture> {
        if name == "ratings" {
            return self.ladder().map(Picture::Plot);
        }
        if let Some(metric) = name.strip_prefix(DIFFERENCES_OF) {
            return self.differences(metric).map(Picture::Plot);
        }
        if let Some(metric) = name.strip_prefix(EFFECTS_OF) {
            return self.effects(metric).map(Picture::Plot);
        }
        if let Some(metric) = name.strip_prefix(RATIOS_OF) {
            return self.ratios(metric).map(Picture::Plot);
        }
        let title = self.title(name);
        let picture = match self.unit(name) {
            _ if !self.is_single() => self.sweep(name, &title),
            "" => self.shares(name).map(Picture::Plot),
            _ => self.outcomes(name, cell, &title).map(Picture::Plot),
        };
        // An estimate that is known in one cell alone, or that no other picture suits.
        picture.or_else(|| self.rows_of(name, &title))
    }

    /// The picture of a figure for a card among others: a difference beside 0, the outcomes of one cell, or
    /// the cells, which are rows where they are few and bars where they are many.
    pub(crate) fn card(&self, found: &FoundFigure<'_>) -> Option<Plot> {
        let (metric, unit) = (found.metric, self.unit(found.metric));
        let alone = |unit, lines: &[Threshold], scale| {
            let mark = IntervalMark {
                text: found.figure.phrase(),
                ..IntervalMark::of("", &found.figure.estimate)
            };
            plot::intervals("", &[mark], unit, lines, scale)
        };
        match self.cells.len() {
            _ if found.is_one_sample() => None,
            _ if found.is_difference => {
                let zero = [Threshold::line(0.0)];
                alone(of_difference(unit), &zero, LaneScale::Fitting)
            }
            1 if unit.is_empty() => alone(unit, &[], LaneScale::Whole),
            1 => self.outcomes(metric, found.cell, ""),
            2..=MOST_ON_CARD => {
                let rows: Vec<&SummaryRow> = self.rows(metric).collect();
                self.rows_alone(&rows, metric, "")
            }
            _ => {
                let rows = self.rows(metric).map(|row| self.cell_mark(row));
                plot::cells("", &rows.collect::<Vec<_>>(), unit)
            }
        }
    }

    /// A metric in words for people: its label, or its meaning, or what is said of that first, if it is
    /// short.
    fn words(&self, metric: &str) -> Option<&'run str> {
        let label = self.results.config.labels.get(metric).map(String::as_str);
        let meaning = self.results.meaning(metric).trim_end_matches('.');
        // A title is not set as prose, in which names stand between backticks.
        let is_short = |words: &&str| {
            (1..=LONGEST_TITLE).contains(&words.chars().count()) && !words.contains('`')
        };
        let mut meanings = [meaning].into_iter().chain(meaning.split([':', ';']));
        label.or_else(|| meanings.find(is_short))
    }

    /// A metric at the head of a picture: its words as a sentence begins, or its name.
    fn heading(&self, metric: &str) -> String {
        (self.words(metric)).map_or_else(|| metric.to_owned(), capitalized)
    }

    fn title(&self, metric: &str) -> String {
        titled(&self.heading(metric), self.unit(metric))
    }

    /// The values that sources claim for the mean of a metric.
    fn claimed(&self, metric: &str) -> Vec<Threshold> {
        let about = format!("{metric}.mean ");
        let claims = self.results.claims.iter();
        let claims = claims.filter(|claim| claim.holds.starts_with(&about));
        let mut thresholds: Vec<Threshold> = Vec::new();
        for (value, claim) in claims.filter_map(|claim| Some((claim.threshold?.0, claim))) {
            if thresholds.iter().any(|known| known.value == value) {
                continue;
            }
            let number = exactly(value, &claim.unit);
            thresholds.push(Threshold {
                value,
                error: claim.threshold_error.map_or(0.0, f64::from),
                label: match claim.relation.as_str() {
                    "agrees" => format!("published: {number}"),
                    relation => format!("claimed: {} {number}", relation_words(relation)),
                },
            });
        }
        thresholds.truncate(MOST_THRESHOLDS);
        thresholds
    }

    fn is_single(&self) -> bool {
        self.cells.len() == 1
    }

    /// Returns whether a metric has no values other than 0 and 1.
    fn is_flag(&self, metric: &str) -> bool {
        let bins = self.results.histograms.iter();
        let mut bins = bins.filter(|bin| bin.metric == metric);
        bins.all(|bin| [0.0, 1.0].contains(&bin.value.0))
    }

    fn unit(&self, metric: &str) -> &'run str {
        let row = self.results.summary.iter().find(|row| row.metric == metric);
        row.map_or("", |row| &row.unit)
    }

    fn rows(&self, metric: &str) -> impl Iterator<Item = &'run SummaryRow> {
        self.results
            .summary
            .iter()
            .filter(move |row| row.metric == metric)
    }

    /// The title of a metric and, if there are several, the cell.
    fn title_in(&self, metric: &str, cell: &str) -> String {
        match self.cells.len() {
            0 | 1 => self.title(metric),
            _ => format!("{}: {}", self.title(metric), self.sweep.label(cell)),
        }
    }
}

fn titled(metric: &str, unit: &str) -> String {
    match unit {
        "" | UNITLESS => metric.to_owned(),
        unit if unit == metric => metric.to_owned(),
        unit => format!("{metric} ({unit})"),
    }
}
