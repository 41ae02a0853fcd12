//! One picture of a page, for a paper: as a drawing that needs no page around it, or as its numbers.
//!
//! Programs that make papers know neither variables of style sheets nor dark pages, so colours are written out.

use std::borrow::Cow;

use super::STYLE;
use super::gallery::Picture;
use super::page::ResultPage;
use crate::pdf::PaperPdf;
use crate::plot::{Plot, PlotPoint};

/// The style of a drawing, with the colours of pages.
const RULES: &str = include_str!("paper.css");

/// The colours that series have.
const SERIES: usize = 6;

/// A picture of a page under a name.
pub struct PageFigure<'page> {
    /// The words of its title: `growth-of-the-median-time`.
    pub name: String,
    /// The picture.
    pub(crate) plot: Cow<'page, Plot>,
}

impl ResultPage {
    /// All plots of the page, each under a name; of one title the second ends with 2, and so on.
    pub fn figures(&self) -> Vec<PageFigure<'_>> {
        let galleries = self.galleries.iter().flat_map(|(_, pictures)| pictures);
        let pictures = self.pictures.iter().chain(galleries);
        let plots = pictures.flat_map(|picture| match picture {
            Picture::Plot(plot) => vec![Cow::Borrowed(plot)],
            Picture::Tabs { tabs, .. } => {
                let plots = tabs.iter().map(|tab| Cow::Borrowed(&tab.plot));
                plots.collect()
            }
            Picture::Matrix(matrix) => matrix.to_plot().map(Cow::Owned).into_iter().collect(),
        });
        let mut figures: Vec<PageFigure> = Vec::new();
        for plot in plots {
            let words = slug(&plot.title);
            let is_same = |known: &&PageFigure| slug(&known.plot.title) == words;
            let name = match figures.iter().filter(is_same).count() {
                0 => words,
                before => format!("{words}-{}", before + 1),
            };
            figures.push(PageFigure { name, plot });
        }
        figures
    }
}

impl PageFigure<'_> {
    /// The numbers that it shows; none where no table of them is of use.
    pub fn points(&self) -> &[PlotPoint] {
        &self.plot.points
    }

    /// The picture as an SVG file, which needs no page around it.
    pub fn to_svg(&self) -> String {
        let head = format!("><style>{}</style>", style());
        self.plot.to_drawing().replacen('>', &head, 1) + "\n"
    }

    /// The picture as a PDF; `None` of what cannot be drawn.
    pub fn to_pdf(&self) -> Option<PaperPdf> {
        PaperPdf::of_svg(&self.to_svg())
    }
}

/// The letters and digits of a title, small, in words with hyphens between.
fn slug(title: &str) -> String {
    let sign = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            ' '
        }
    };
    let words: String = title.chars().map(sign).collect();
    words.split_whitespace().collect::<Vec<_>>().join("-")
}

/// The rules of a drawing, with every colour written out.
fn style() -> String {
    let series = (1..=SERIES).map(|number| {
        format!(
            ".curve.series-{number},.whisker.series-{number},.bounds.series-{number}{{stroke:var(--s{number})}}\n\
             .dot.series-{number}{{fill:var(--s{number})}}\n\
             .dot.hollow.series-{number}{{fill:var(--card);stroke:var(--s{number})}}\n"
        )
    });
    // Full shade is as dark as on a page.
    let shades =
        (0..=10).map(|shade| format!(".shade-{shade}{{opacity:{:.2}}}\n", 0.04 * f64::from(shade)));
    let rules = RULES.to_owned() + &series.chain(shades).collect::<String>();
    let mut parts = rules.split("var(--");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        filled += colour(name);
        filled += rest;
    }
    filled
}

/// A colour of light pages.
fn colour(name: &str) -> &'static str {
    let declared = STYLE.split_once(&format!("--{name}: "));
    let value = declared.and_then(|(_, rest)| rest.split_once(';'));
    value.map_or("black", |(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Curve, CurvePoint, IntervalMark, LaneScale, cumulative, intervals};

    #[test]
    fn a_figure_stands_alone_with_its_colours_and_has_its_numbers() {
        let curve = |label: &str, work: f64| Curve {
            label: label.to_owned(),
            points: [0.5, 1.0]
                .map(|share| CurvePoint {
                    work: work * share,
                    share,
                })
                .into(),
        };
        let curves = [curve("a", 2.0), curve("b", 8.0)];
        let plot = |title: &str| cumulative(title, "seconds", &curves).unwrap();
        let mark = |label: &str, value| IntervalMark::between(label, Some(value), None, None);
        let marks = [mark("x", 0.25), mark("y", 0.75)];
        let boxes = intervals("Means", &marks, "", &[], LaneScale::Fitting).unwrap();
        let plots = [plot("Solved: all (%)"), plot("Solved, all"), boxes];
        let page = ResultPage {
            pictures: plots.into_iter().map(Picture::Plot).collect(),
            ..ResultPage::default()
        };
        let figures = page.figures();
        let names: Vec<&str> = figures.iter().map(|figure| &*figure.name).collect();
        assert_eq!(names, ["solved-all", "solved-all-2", "means"]);
        let svg = figures[0].to_svg();
        assert!(svg.starts_with("<svg xmlns=") && svg.contains(".curve.series-2"));
        assert!(svg.contains("#2563a8") && !svg.contains("var("), "{svg}");
        // A page draws rows of boxes.
        let rows = figures[2].to_svg();
        assert_eq!(rows.matches("<circle class=\"dot\"").count(), 2, "{rows}");
        assert!(
            rows.contains(">x</text>") && rows.contains(">75\u{a0}%</text>"),
            "{rows}"
        );
        for figure in &figures {
            let pdf = figure.to_pdf().unwrap();
            assert!(pdf.bytes.starts_with(b"%PDF-") && pdf.missing.is_empty());
            assert_eq!(pdf.bytes, figure.to_pdf().unwrap().bytes);
        }
        let points = &figures[1].plot.points;
        assert_eq!(points.len(), 4);
        assert_eq!(
            (&*points[3].series, &*points[3].x, points[3].y),
            ("b", "8", Some(1.0))
        );
        assert_eq!(figures[2].plot.points[0].x, "x");
    }
}
