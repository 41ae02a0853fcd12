//! Plots drawn by hand: dots and bars as boxes of HTML (or of SVG, for a paper), curves and clouds as small SVG pictures.
//!
//! The SVG pictures are 360 units wide, so that they are shown at their own size on a phone and side by side on
//! a screen. Colours come from the page's style sheet by class, for light and dark. Knows numbers
//! and labels only. What is drawn follows Cleveland, "The Elements of Graphing Data" (1994):
//! position on a common scale, every estimate with its interval.

mod boxes;
mod cells;
mod convergence;
mod cumulative;
mod drawing;
mod gains;
mod histogram;
mod intervals;
mod marks;
mod scale;
mod scatter;
mod series;
mod tiles;

pub(crate) use boxes::Boxes;
pub(crate) use cells::cells;
pub(crate) use convergence::{ConvergencePoint, convergence};
pub(crate) use cumulative::{Curve, CurvePoint, cumulative};
pub(crate) use drawing::escaped;
pub(crate) use gains::gains;
pub(crate) use histogram::{Bin, Distribution, histograms};
pub(crate) use intervals::{BROKEN, LaneScale, intervals, track};
pub(crate) use marks::{IntervalMark, Threshold};
pub(crate) use scatter::scatter;
pub(crate) use series::{Series, series};
pub(crate) use tiles::{Tile, TileRow, tiles};

use stats::Span;

/// A picture with its caption.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub(crate) struct Plot {
    /// The plot's title, in a few words.
    pub(crate) title: String,
    /// The plot's caption, a sentence; may be empty.
    pub(crate) caption: String,
    /// The picture, a complete element.
    pub(crate) svg: String,
    /// The boxes of a picture that is no SVG on a page.
    #[serde(skip)]
    pub(crate) boxes: Option<Boxes>,
    /// The numbers that it shows, where a table of them is of use.
    #[serde(skip)]
    pub(crate) points: Vec<PlotPoint>,
}

/// A number in a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlotPoint {
    /// The curve or the cloud that it belongs to; empty where there is one.
    pub series: String,
    /// The number across, or the label of a row.
    pub x: String,
    /// The number; none while it is open.
    pub y: Option<f64>,
    /// The ends of its interval, or its bounds while it is open.
    pub ends: Option<Span>,
}

impl Plot {
    /// A picture of boxes.
    fn of_boxes(title: &str, caption: &str, boxes: Boxes) -> Self {
        Self {
            title: title.to_owned(),
            caption: caption.to_owned(),
            svg: boxes.to_markup(),
            boxes: Some(boxes),
            points: Vec::new(),
        }
    }

    /// The picture as an SVG whose colours are classes.
    pub(crate) fn to_drawing(&self) -> String {
        self.boxes
            .as_ref()
            .map_or_else(|| self.svg.clone(), Boxes::to_drawing)
    }

    /// The picture with the numbers that it shows.
    fn with(self, points: impl IntoIterator<Item = PlotPoint>) -> Self {
        Self {
            points: points.into_iter().collect(),
            ..self
        }
    }

    /// The picture as a part of something else, such as a link: without stops of its own.
    pub(crate) fn at_a_glance(&self) -> String {
        self.svg.replace(" tabindex=\"0\"", "")
    }
}

#[cfg(test)]
mod laws {
    //! Laws that hold for all plots and all numbers.

    use proptest::prelude::*;
    use stats::speed::{Cost, TimePair};

    use super::*;

    /// Numbers as files may hold them, the worst included.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            Just(f64::NAN),
            Just(f64::INFINITY),
            Just(f64::NEG_INFINITY),
            Just(0.0),
            Just(f64::MAX),
            Just(f64::MIN_POSITIVE),
            -1e3..1e3,
            any::<f64>(),
        ]
    }

    fn label() -> impl Strategy<Value = String> {
        prop_oneof![Just("<b>&\"'</b>".to_owned()), any::<String>()]
    }

    fn interval() -> impl Strategy<Value = IntervalMark> {
        (label(), proptest::option::of(number()), number(), number()).prop_map(
            |(label, value, lo, hi)| IntervalMark {
                label,
                value,
                bounds: Some(Span::new(lo, hi)),
                ends: Some(Span::new(lo, hi)),
                ..IntervalMark::default()
            },
        )
    }

    /// An SVG of finite numbers only, its texts escaped, every element closed.
    fn check(plot: Option<Plot>) {
        let Some(plot) = plot else { return };
        for word in ["NaN", "inf\"", "\"inf", "-inf"] {
            let outside: String = attributes(&plot.svg);
            assert!(!outside.contains(word), "{word} in {}", plot.svg);
        }
        assert!(!plot.svg.contains("<b>"), "{}", plot.svg);
        let drawing = plot.to_drawing();
        assert!(roxmltree::Document::parse(&drawing).is_ok(), "{drawing}");
        let opened = plot.svg.matches('<').count();
        let closing = plot.svg.matches("</").count();
        let alone = plot.svg.matches("/>").count();
        assert_eq!(opened, 2 * closing + alone, "{}", plot.svg);
        assert_eq!(plot.svg.matches('>').count(), opened, "{}", plot.svg);
    }

    /// The tags without what stands between them and without labels.
    fn attributes(svg: &str) -> String {
        let tags = svg.split('<').filter_map(|part| part.split('>').next());
        tags.filter(|tag| !tag.contains("aria-label")).collect()
    }

    proptest! {
        #[test]
        fn histograms_are_sound(bins in proptest::collection::vec((number(), 0u64..1000, 0u64..9), 0..30),
                                mean in number(), unit in label()) {
            let bins: Vec<Bin> = bins.into_iter()
                .map(|(value, count, open)| Bin { value, count, open }).collect();
            let mean = IntervalMark { value: Some(mean), ends: Some(Span::new(mean, mean)), ..IntervalMark::default() };
            let one = Distribution { title: "title".into(), bins, mean };
            histograms(&[one.clone(), one], &unit).into_iter().for_each(|plot| check(Some(plot)));
        }

        #[test]
        fn intervals_are_sound(rows in proptest::collection::vec(interval(), 0..12), unit in label()) {
            check(intervals("title", &rows, &unit, &[Threshold { value: 0.0, error: 0.0, label: unit.clone() }], LaneScale::Fitting));
        }

        #[test]
        fn series_are_sound(points in proptest::collection::vec((number(), interval()), 0..12), unit in label()) {
            check(series("title", "n", &[Series { label: unit.clone(), points }], &unit));
        }

        #[test]
        fn work_is_sound(points in proptest::collection::vec((number(), number(), any::<bool>()), 0..12), label in label()) {
            let curve = points.iter().map(|&(work, share, _)| CurvePoint { work, share }).collect();
            check(cumulative("title", &label, &[Curve { label: label.clone(), points: curve }]));
            let cost = |seconds, censored| Cost { seconds, most: seconds, wall: seconds, censored, off: 0.0 };
            let instances: Vec<TimePair> = points.into_iter()
                .map(|(first, second, cut)| [cost(first, false), cost(second, cut)]).collect();
            check(scatter("title", "", [&label, "b"], &instances));
        }

        #[test]
        fn tiles_are_sound(marks in proptest::collection::vec(interval(), 1..12), text in label(), shade in 0u32..101) {
            let tile = |mark: IntervalMark| Tile { mark, text: text.clone(), class: String::new(), shade };
            let columns: Vec<String> = marks.iter().map(|mark| mark.label.clone()).collect();
            let row = TileRow { head: text.clone(), tiles: marks.into_iter().map(tile).collect() };
            check(tiles("title", "", &columns, &[row]));
        }

        #[test]
        fn convergences_are_sound(points in proptest::collection::vec((number(), interval(), number()), 0..12), unit in label()) {
            let points: Vec<ConvergencePoint> = points.into_iter().map(|(samples, interval, end)| ConvergencePoint {
                samples, interval, sequence: Some(Span::new(-end, end)),
            }).collect();
            check(convergence("title", &points, &unit));
        }
    }
}
