//! The pictures of a run on a page, with the metrics first that answer its question.

use std::num::NonZeroUsize;

use indexmap::IndexMap;
use serde::Serialize;

use super::matrix::{MatrixField, ParamMatrix};
use crate::answer::FoundFigure;
use crate::cells::{ReportAxis, Sweep};
use crate::results::Results;
use crate::rows::{player_label, truth_figure, unlimited};
use crate::verdicts::relation_words;
use experiment::{DIFFERENCES_OF, EFFECTS_OF, RATIOS_OF};
use figures::plot::{
    self, Bin, ConvergencePoint, Distribution, IntervalMark, LaneScale, Plot, Series, Threshold,
};
use figures::{Figure, capitalized, counted, exactly, of_difference};
use lab::tables::{ConvergenceRow, Exact, HistogramRow, PairRow, RatingRow, SummaryRow, TruthRow};
use stats::{Estimate, GainShare, Span};
use task::UNITLESS;

/// Histograms of one metric at most: one for each of the first cells.
const MOST_HISTOGRAMS: usize = 4;
/// Pictures of one kind at most; the tables have the others.
const MOST_PICTURES: usize = 8;
/// Claimed values that fit into one picture.
const MOST_THRESHOLDS: usize = 2;
/// Cells of a swept number that still are rows; more are a line.
const MOST_DOTS: usize = 14;
/// Compared pairs that fit into one picture.
const MOST_PAIRS: usize = 24;
/// Cells that fit into one picture.
const MOST_ROWS: usize = 40;
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

    /// A bar for each outcome of a metric.
    fn outcomes(&self, metric: &str, cell: &str, title: &str) -> Option<Plot> {
        let counts = self.results.least_counts(cell, metric);
        let all = counts.iter().map(|(_, count)| count).sum::<u64>().max(1) as f64;
        let share = |&(amount, count): &(f64, u64)| GainShare {
            amount,
            share: count as f64 / all,
        };
        let points: Vec<GainShare> = counts.iter().map(share).collect();
        plot::gains(title, &points, self.unit(metric))
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

    fn histograms(&self, metric: &str) -> Vec<Plot> {
        let rows = self.rows(metric).take(MOST_HISTOGRAMS);
        let distributions: Vec<Distribution> =
            rows.filter_map(|row| self.distribution(row)).collect();
        plot::histograms(&distributions, self.unit(metric))
    }

    fn distribution(&self, row: &SummaryRow) -> Option<Distribution> {
        let bin = |row: &HistogramRow| Bin {
            value: row.value.0,
            count: row.count,
            open: row.unresolved_from,
        };
        let bins = self.results.bins(&row.cell, &row.metric);
        let bins: Vec<Bin> = bins.map(bin).collect();
        let figure = self.results.figure(row);
        // A yes or no has its place among the shares.
        (!self.is_flag(&row.metric) && !figure.is_exact()).then(|| Distribution {
            title: self.title_in(&row.metric, &row.cell),
            bins,
            mean: IntervalMark::of(format!("mean, {}", figure.phrase()), &row.estimate),
        })
    }

    /// Lines over many values of a swept number, a table over several parameters, otherwise a row
    /// for each cell.
    fn sweep(&self, metric: &str, title: &str) -> Option<Picture> {
        if self.is_single() {
            return None;
        }
        let line = (self.cells.len() > MOST_DOTS).then(|| self.series(metric, title));
        match (line.flatten(), self.sweep.axes.len()) {
            (Some(plot), _) => Some(Picture::Plot(plot)),
            (None, 0 | 1) => self.rows_of(metric, title),
            // Where parameters change together, most of a table would be empty.
            (None, _) if !self.sweep.is_full() => self.rows_of(metric, title),
            (None, _) => Some(Picture::Matrix(self.matrix(metric, title))),
        }
    }

    /// A row for each cell; where the page asks for the first so many, the others are a picture behind it.
    fn rows_of(&self, metric: &str, title: &str) -> Option<Picture> {
        let rows: Vec<&SummaryRow> = self.rows(metric).collect();
        let page = self.results.config.page.as_ref();
        let asked = page.and_then(|page| page.rows).map(NonZeroUsize::get);
        let Some(first) = asked.filter(|first| *first < rows.len()) else {
            return self.rows_alone(&rows, metric, title).map(Picture::Plot);
        };
        let (first, others) = rows.split_at(first);
        let tab = |rows: &[&SummaryRow]| {
            let mut ends: Vec<String> = [rows.first()?, rows.last()?]
                .map(|row| self.results.in_words(&row.cell))
                .into();
            ends.dedup();
            Some(Tab {
                label: ends.join(" to "),
                plot: self.rows_alone(rows, metric, title)?,
            })
        };
        Some(Picture::Tabs {
            name: format!("rows-{}-{metric}", self.results.manifest.experiment),
            tabs: [first, others].into_iter().filter_map(tab).collect(),
        })
    }

    /// Rows of a metric as one picture.
    fn rows_alone(&self, rows: &[&SummaryRow], metric: &str, title: &str) -> Option<Plot> {
        let marks = rows.iter().take(MOST_ROWS).map(|row| self.cell_mark(row));
        let mut plot = plot::intervals(
            title,
            &marks.collect::<Vec<_>>(),
            self.unit(metric),
            &self.claimed(metric),
            LaneScale::Fitting,
        )?;
        if rows.len() > MOST_ROWS {
            let left = counted((rows.len() - MOST_ROWS) as u64, "cell");
            plot.caption += &format!(" The tables have {left} more.");
        }
        Some(plot)
    }

    /// The estimate of a row with its cell in words, or with its metric where there is one cell.
    fn cell_mark(&self, row: &SummaryRow) -> IntervalMark {
        let label = if self.is_single() {
            self.words(&row.metric).unwrap_or(&row.metric).to_owned()
        } else {
            self.results.in_words(&row.cell)
        };
        IntervalMark {
            text: self.results.figure(row).phrase(),
            known: self.results.truth(row),
            ..IntervalMark::of(label, &row.estimate)
        }
    }

    fn matrix(&self, metric: &str, title: &str) -> ParamMatrix {
        let unit = self.unit(metric);
        let axes: Vec<&ReportAxis> = self.sweep.axes.iter().collect();
        let size = |row: &SummaryRow| row.estimate.value.or(row.estimate.lower);
        let sizes: Vec<f64> = self.rows(metric).filter_map(size).collect();
        let least = sizes.iter().copied().fold(f64::INFINITY, f64::min);
        let span = sizes.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
        let largest = sizes.iter().map(|size| size.abs()).fold(1e-9, f64::max);
        let title = match unit {
            "" => &format!("{title} (%)"),
            _ => title,
        };
        let caption = match unit {
            "$" => "Red cells lose money, green ones win it; stronger shading means more.",
            _ => "Stronger shading means a larger value.",
        };
        let field = |values: &[&str]| {
            let cell = |row: &&SummaryRow| self.sweep.values(&row.cell);
            let row = self
                .rows(metric)
                .find(|row| cell(row).is_some_and(|cell| cell == values))?;
            let (class, share) = match size(row) {
                None => ("shaded", 0.0),
                Some(size) if unit == "$" && size < 0.0 => ("shaded lost", -size / largest),
                Some(size) if unit == "$" => ("shaded won", size / largest),
                Some(size) => ("shaded", (size - least) / span.max(f64::MIN_POSITIVE)),
            };
            let figure = self.results.figure(row);
            let label = self.sweep.label(&row.cell);
            Some(MatrixField {
                text: figure.short().trim_end_matches(" %").to_owned(),
                detail: figure.detail(),
                hint: format!("{label}: {}", figure.phrase()),
                class: class.to_owned(),
                shade: (share * 100.0).clamp(0.0, 100.0) as u32,
                mark: IntervalMark::of("", &row.estimate),
            })
        };
        ParamMatrix::of((title, caption), &axes, field).in_words(&self.results.config.labels)
    }

    /// Draws every estimate divided by its exact value, which is then 1.
    fn ratios(&self, metric: &str) -> Option<Plot> {
        let truths = self.results.truths.iter();
        let truths = truths.filter(|row| row.metric == metric && !truth_figure(row).is_exact());
        let ratio = |row: &TruthRow| {
            let truth = row.truth.map(f64::from).filter(|truth| *truth > 0.0)?;
            let scaled = |ends: Span| ends.map(|end| end / truth);
            let mark = IntervalMark::of(self.sweep.label(&row.cell), &row.estimate);
            Some(IntervalMark {
                value: mark.value.map(|value| value / truth),
                bounds: mark.bounds.map(scaled),
                ends: mark.ends.map(scaled),
                ..mark
            })
        };
        let rows: Vec<IntervalMark> = truths.filter_map(ratio).collect();
        let one = [Threshold::line(1.0)];
        let worth = (rows.len() > 1).then_some(());
        let title = format!(
            "{}: the estimate over the exact value",
            self.heading(metric)
        );
        worth.and_then(|()| plot::intervals(&title, &rows, "times", &one, LaneScale::Fitting))
    }

    fn series(&self, metric: &str, title: &str) -> Option<Plot> {
        let sweep = &self.sweep;
        let axes = 0..sweep.axes.len();
        // The swept parameter of numbers with the most values.
        let numeric = axes.clone().filter(|&axis| sweep.axes[axis].is_numeric());
        let axis = numeric.max_by_key(|&axis| sweep.axes[axis].values.len())?;
        let others: Vec<usize> = axes.filter(|other| *other != axis).collect();
        let mut series: IndexMap<String, Vec<(f64, IntervalMark)>> = IndexMap::new();
        for row in self.rows(metric) {
            let values = sweep.values(&row.cell)?;
            let points = series.entry(sweep.terms(values, &others)).or_default();
            let mark = IntervalMark::of(sweep.label(&row.cell), &row.estimate);
            points.push((values[axis].parse().ok()?, mark));
        }
        let sorted = |(label, mut points): (String, Vec<(f64, IntervalMark)>)| {
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Series { label, points }
        };
        let series: Vec<Series> = series.into_iter().map(sorted).collect();
        plot::series(
            title,
            sweep.word(&sweep.axes[axis].name),
            &series,
            self.unit(metric),
        )
    }

    /// The differences in a metric, the one in the headline as it stands there.
    fn differences(&self, metric: &str) -> Option<Plot> {
        let page = self.results.config.page.as_ref();
        let headline = page
            .and_then(|page| page.headline.as_deref())
            .unwrap_or_default();
        let row = |pair: &PairRow| {
            let (first, second) = (&pair.first, &pair.second);
            if headline.contains(&format!("{{{second} - {first}:")) {
                (
                    self.sweep.difference(second, first),
                    pair.estimate.mirrored(),
                )
            } else {
                (self.sweep.difference(first, second), pair.estimate)
            }
        };
        let pairs = self.results.pairs.iter();
        let pairs = pairs.filter(|pair| pair.metric == metric).take(MOST_PAIRS);
        let rows = pairs.map(row).collect();
        self.beside_zero(&self.title_of_difference(metric), rows, metric)
    }

    /// The difference that each value of a parameter makes that is not the first cell's.
    fn effects(&self, metric: &str) -> Option<Plot> {
        let base = *self.cells.first()?;
        let effect = |pair: &PairRow| {
            let (other, estimate) = match (&*pair.first, &*pair.second) {
                (other, second) if second == base => (other, pair.estimate),
                (first, other) if first == base => (other, pair.estimate.mirrored()),
                _ => return None,
            };
            let place = self.cells.iter().position(|cell| *cell == other)?;
            Some((place, (self.sweep.changes(other, base), estimate)))
        };
        let pairs = self.results.pairs.iter();
        let pairs = pairs.filter(|pair| pair.metric == metric);
        let mut rows: Vec<_> = pairs.filter_map(effect).collect();
        rows.sort_by_key(|row| row.0);
        let rows = rows.into_iter().map(|row| row.1).take(MOST_PAIRS).collect();
        let title = format!("{}, one change at a time", self.title_of_difference(metric));
        self.beside_zero(&title, rows, metric)
    }

    fn title_of_difference(&self, metric: &str) -> String {
        titled(&self.heading(metric), of_difference(self.unit(metric)))
    }

    /// Differences in a metric, on a scale with a line at 0.
    fn beside_zero(
        &self,
        title: &str,
        rows: Vec<(String, Estimate)>,
        metric: &str,
    ) -> Option<Plot> {
        let unit = of_difference(self.unit(metric));
        let mark = |(label, estimate): &(String, Estimate)| {
            let figure = Figure::of(estimate, unit);
            let interval = figure.interval();
            let interval = interval.map_or(String::new(), |ends| format!(" ({ends})"));
            IntervalMark {
                text: figure.short() + &interval,
                ..IntervalMark::of(label, estimate)
            }
        };
        let rows: Vec<IntervalMark> = rows.iter().map(mark).collect();
        let zero = [Threshold::line(0.0)];
        plot::intervals(title, &rows, unit, &zero, LaneScale::Fitting)
    }

    fn convergence(&self, metric: &str) -> Option<Plot> {
        let rows = self.results.convergence.iter();
        let both = |lo: Option<Exact>, hi: Option<Exact>| Some(Span::new(lo?.0, hi?.0));
        let point = |row: &ConvergenceRow| ConvergencePoint {
            samples: row.samples as f64,
            interval: IntervalMark::between(
                "",
                row.mean.map(f64::from),
                both(row.mean_lo, row.mean_hi),
                both(row.ci_lo, row.ci_hi),
            ),
            sequence: both(row.cs_lo, row.cs_hi),
        };
        let rows = rows.filter(|row| row.metric == metric);
        let points: Vec<ConvergencePoint> = rows.map(point).collect();
        let title = self.title_in(metric, self.cells.first().copied().unwrap_or_default());
        plot::convergence(&title, &points, self.unit(metric))
    }

    /// The yes-or-no metrics of the only cell together, this one first; only the featured ones
    /// beside it. A share of something else, such as of a stake, stands alone.
    fn shares(&self, first: &str) -> Option<Plot> {
        let is_shown = |row: &&SummaryRow| {
            let is_share = row.unit.is_empty() && is_within(&row.estimate);
            let fits = || self.is_flag(&row.metric) && (first.is_empty() || self.is_flag(first));
            let is_asked = || first.is_empty() || self.results.is_featured(&row.metric);
            is_share && (row.metric == first || fits() && is_asked())
        };
        let mut rows: Vec<&SummaryRow> = self.results.summary.iter().filter(is_shown).collect();
        rows.sort_by_key(|row| row.metric != first);
        let marks: Vec<IntervalMark> = rows.iter().map(|row| self.cell_mark(row)).collect();
        if !self.is_single() || (marks.len() < 2 && first.is_empty()) {
            return None;
        }
        let title = match marks.as_slice() {
            [_] => self.title(first),
            _ => "Shares of the samples".to_owned(),
        };
        plot::intervals(&title, &marks, "", &self.claimed(first), LaneScale::Whole)
    }

    /// The players by strength, above the reference where there is one for all.
    fn ladder(&self) -> Option<Plot> {
        let ladder = self.results.ladder();
        let shared = self.results.reference();
        let mark = |row: &&RatingRow| {
            let [value, lo, hi] = match shared {
                Some(_) => [row.difference, row.difference_lo, row.difference_hi],
                None => [row.elo, row.elo_lo, row.elo_hi],
            };
            let [value, lo, hi] = [value, lo, hi].map(|number| number.map(f64::from));
            IntervalMark::between(self.rated(row), value, None, Span::between(lo, hi))
        };
        let rows: Vec<IntervalMark> = ladder.iter().map(mark).collect();
        let unlimited = ladder.iter().find_map(|row| unlimited(row));
        let named = shared.map(|one| {
            let row = ladder.iter().find(|row| player_label(row) == one);
            row.map_or(one.to_owned(), |row| self.rated(row))
        });
        let title = match (unlimited, named) {
            (Some(reason), _) => format!("Ratings (Elo), no intervals: {reason}"),
            (None, Some(one)) => format!("Ratings above “{one}” (Elo)"),
            (None, None) => "Ratings (Elo)".to_owned(),
        };
        let zero: Vec<Threshold> = shared.map(|_| Threshold::line(0.0)).into_iter().collect();
        plot::intervals(&title, &rows, "Elo", &zero, LaneScale::Fitting)
    }

    /// A rated player in words for people, with its side and group, where there are words for it: `moves
    /// safely (hens)`; otherwise as tables have it.
    fn rated(&self, row: &RatingRow) -> String {
        match self.sweep.word(&row.player) {
            word if word == row.player => player_label(row),
            word => {
                let whose = [&*row.side, &*row.group].map(str::to_owned);
                let whose: Vec<String> = whose.into_iter().filter(|one| !one.is_empty()).collect();
                if whose.is_empty() {
                    word.to_owned()
                } else {
                    format!("{word} ({})", whose.join(", "))
                }
            }
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

/// Returns whether an estimate, with all that it may be, is a share.
fn is_within(estimate: &Estimate) -> bool {
    let ends = [estimate.value, estimate.lower, estimate.upper];
    let mut ends = ends.into_iter().flatten();
    ends.all(|end| (0.0..=1.0).contains(&end))
}
