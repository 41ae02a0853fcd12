//! Estimates with their intervals, one below the other on one scale: label left, value right.

use super::Plot;
use super::boxes::{BoxRow, BoxRows, Boxes, LaneMark, lane, percent, tick_line};
use super::drawing::escaped;
use super::marks::{IntervalMark, Threshold};
use super::scale::{Scale, ScaleRange, Tick};
use crate::format::{said, typeset};
use stats::Span;

/// ScaleRange along a lane, in per cent of its width.
const LANE: ScaleRange = ScaleRange {
    start: 0.0,
    end: 100.0,
};

/// The width that a dot hides, and that of the shortest bar between bounds.
const DOT: f64 = 8.0;
const LEAST_BAR: f64 = 4.0;

/// The classes of a track whose scale has no 0.
pub(crate) const BROKEN: &str = "track broken";

/// Explains the kinds of marks that the plot on this scale has.
pub(super) fn legend(rows: &[&IntervalMark], scale: &Scale) -> String {
    let any = |is: &dyn Fn(&IntervalMark) -> bool| rows.iter().any(|row| is(row));
    let has_dot = |row: &IntervalMark| row.value.is_some();
    let is_hidden = |Span { lo, hi }: Span| (scale.at(hi) - scale.at(lo)).abs() < DOT;
    let is_open = |row: &IntervalMark| row.value.is_none() && row.bounds.is_some();
    let with_ends = any(&|row| has_dot(row) && row.ends.is_some());
    said(&[
        (with_ends, "Dots are estimates; lines are their intervals."),
        (
            any(&|row| has_dot(row) && row.ends.is_some_and(is_hidden)),
            "Some intervals are smaller than their dots.",
        ),
        (
            with_ends && any(&|row| has_dot(row) && row.ends.is_none()),
            "Hollow dots have no interval.",
        ),
        (
            any(&|row| is_open(row) && row.ends.is_some()),
            "Thick bars are bounds: with unresolved samples, the estimate lies between them; the \
             lines around them are intervals.",
        ),
        (
            any(&is_open) && !any(&|row| is_open(row) && row.ends.is_some()),
            "Thick bars are bounds: with unresolved samples, the value lies between them.",
        ),
        (
            any(&|row| row.known.is_some()),
            "Upright ticks are known values.",
        ),
        (scale.is_logarithmic(), "The scale is logarithmic."),
    ])
}

/// The class of the dot of an estimate, hollow without an interval where others have one.
pub(super) fn dot_class(row: &IntervalMark, some_have_ends: bool) -> &'static str {
    if some_have_ends && row.ends.is_none() {
        "dot hollow"
    } else {
        "dot"
    }
}

/// Returns both positions, moved apart until the bar between them can be seen.
pub(super) fn at_least_a_bar(places: ScaleRange) -> ScaleRange {
    let missing = (LEAST_BAR - (places.end - places.start).abs()).max(0.0) / 2.0;
    let towards = if places.start <= places.end {
        missing
    } else {
        -missing
    };
    ScaleRange {
        start: places.start - towards,
        end: places.end + towards,
    }
}

/// The scale on which intervals stand one below the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaneScale {
    /// The range of the numbers; logarithmic for positive ones that span more than two powers of ten.
    Fitting,
    /// An axis from 0 to 1, for shares of a whole, which are bars from 0.
    Whole,
    /// The range of the numbers; logarithmic for ratios that span more than a factor of four.
    Ratios,
}

impl LaneScale {
    fn of(self, numbers: &[f64], unit: &str) -> Option<Scale> {
        match self {
            // Numbers without a unit are shares, and of a whole there is no more than all.
            LaneScale::Fitting if unit.is_empty() => {
                Scale::fitting(numbers, LANE).map(|scale| scale.up_to(1.0, numbers))
            }
            LaneScale::Fitting => Scale::fitting(numbers, LANE),
            LaneScale::Whole => Some(Scale::exactly(Span::new(0.0, 1.0), LANE)),
            LaneScale::Ratios => Scale::of_ratios(numbers, LANE),
        }
    }
}

/// A dot and a whisker for each row; lines where thresholds are, such as at no difference.
pub(crate) fn intervals(
    title: &str,
    rows: &[IntervalMark],
    unit: &str,
    thresholds: &[Threshold],
    scale: LaneScale,
) -> Option<Plot> {
    let mut numbers: Vec<f64> = rows.iter().flat_map(IntervalMark::numbers).collect();
    if numbers.is_empty() {
        return None;
    }
    numbers.extend(thresholds.iter().map(|threshold| threshold.value));
    let x = scale.of(&numbers, unit)?;
    let shown: Vec<&IntervalMark> = rows.iter().collect();
    let some_have_ends = rows.iter().any(|row| row.ends.is_some());
    let aloud: Vec<String> = rows.iter().map(|row| typeset(&row.whole(unit))).collect();
    let word = unit_in(title, unit);
    let row = |row: &IntervalMark| {
        let class = dot_class(row, some_have_ends);
        BoxRow {
            label: row.label.clone(),
            value: typeset(&row.short(unit).replacen(&word, "", 1)),
            whole: typeset(&row.whole(unit)),
            lane: lane_marks(&x, row, (class, scale == LaneScale::Whole), thresholds),
        }
    };
    let boxes = Boxes::Rows(BoxRows {
        label: format!("{title}. {}", aloud.join("; ")),
        lines: x.ticks(4).iter().map(|tick| x.at(*tick)).collect(),
        said: said_of(&x, thresholds),
        rows: rows.iter().map(row).collect(),
        ticks: x.marks(4, unit),
    });
    let plot = Plot::of_boxes(title, &legend(&shown, &x), boxes);
    Some(plot.with(rows.iter().map(|row| row.point("", &row.label))))
}

/// The unit as it follows a number, if the title says it for all.
fn unit_in(title: &str, unit: &str) -> String {
    if unit != "$" && title.ends_with(&format!("({unit})")) {
        format!(" {unit}")
    } else {
        String::new()
    }
}

/// A lane alone: an interval with the number that it is held against, each with its words, above the ends of
/// the scale. A scale without 0 is broken at its left end.
pub(crate) fn track(row: &IntervalMark, threshold: &Threshold, unit: &str) -> String {
    let Span { lo, hi } = threshold.ends();
    let numbers: Vec<f64> = row.numbers().chain([lo, hi]).collect();
    let Some(x) = Scale::with_ends(&numbers, LANE) else {
        return String::new();
    };
    let x = if unit.is_empty() {
        x.up_to(1.0, &numbers)
    } else {
        x
    };
    let ends = x.ends();
    let class = if ends.contains(&0.0) { "track" } else { BROKEN };
    let whole = escaped(&typeset(&row.whole(unit)));
    let lane = lane(&lane_marks(
        &x,
        row,
        ("dot", false),
        std::slice::from_ref(threshold),
    ));
    let at = percent(x.at(threshold.value).clamp(6.0, 94.0));
    format!(
        "<div class=\"{class}\" tabindex=\"0\" role=\"img\" aria-label=\"{whole}; claimed: {0}\" \
         title=\"{whole}; claimed: {0}\"><span class=\"lane ticks claimed\">\
         <b style=\"left:{at}\">{0}</b></span>{lane}{1}</div>",
        escaped(&threshold.label),
        tick_line(&x.labelled(&ends, unit))
    )
}

/// The words of thresholds, which stand above the lanes.
fn said_of(x: &Scale, thresholds: &[Threshold]) -> Vec<Tick> {
    let named = thresholds.iter().filter(|one| !one.label.is_empty());
    let said = |Threshold { value, label, .. }: &Threshold| Tick {
        place: x.at(*value).clamp(0.0, 100.0),
        text: typeset(label),
    };
    named.map(said).collect()
}

/// The marks of a row.
fn lane_marks(
    x: &Scale,
    row: &IntervalMark,
    (dot, filled): (&'static str, bool),
    thresholds: &[Threshold],
) -> Vec<LaneMark> {
    let places = |ends: Span| ends.map(|end| x.at(end));
    let across = |class, ends| LaneMark { class, ends };
    let published = thresholds.iter().filter(|one| one.error > 0.0);
    let published = published.map(|one| across("published", places(one.ends())));
    let filled = row.value.filter(|_| filled);
    let filled = filled.map(|value| across("fill", Span::new(0.0, x.at(value))));
    let whisker = row.ends.map(|ends| across("whisker", places(ends)));
    let estimate = match (row.value, row.bounds) {
        (Some(value), _) => Some(across(dot, places(Span::point(value)))),
        (None, bounds) => bounds.map(|bounds| across("bounds", places(bounds))),
    };
    let known = row
        .known
        .map(|known| across("known", places(Span::point(known))));
    let lines = thresholds
        .iter()
        .map(|one| across("mark", places(Span::point(one.value))));
    let parts = [filled, whisker, estimate, known].into_iter().flatten();
    let marks = published.chain(parts).chain(lines);
    let within = |mark: LaneMark| LaneMark {
        ends: mark.ends.map(|end| end.clamp(0.0, 100.0)),
        ..mark
    };
    let is_placed = |mark: &LaneMark| mark.ends.to_array().iter().all(|end| end.is_finite());
    marks.map(within).filter(is_placed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::Estimate;

    fn row(label: &str, value: Option<f64>, bounds: Option<Span>) -> IntervalMark {
        IntervalMark {
            label: label.into(),
            value,
            bounds,
            ends: Some(Span::new(0.1, 0.3)),
            ..IntervalMark::default()
        }
    }

    #[test]
    fn rows_have_labels_dots_and_whiskers_and_open_ones_their_bounds() {
        let rows = [
            row("optimal", Some(0.2), None),
            row("greedy", None, Some(Span::new(0.15, 0.25))),
        ];
        let plot = intervals("win", &rows, "", &[], LaneScale::Fitting).unwrap();
        for (class, count) in [("dot", 1), ("whisker", 2), ("bounds", 1)] {
            let drawn = plot.svg.matches(&format!("<i class=\"{class}\"")).count();
            assert_eq!(drawn, count, "{class}");
        }
        assert!(
            plot.svg
                .contains("optimal: 20\u{a0}%; greedy: 15\u{a0}% to 25\u{a0}%")
        );
        assert_eq!(plot.svg.matches("tabindex=\"0\"").count(), 2);
        assert!(plot.caption.contains("Dots") && plot.caption.contains("Thick bars"));
        let open = intervals("win", &rows[1..], "", &[], LaneScale::Fitting).unwrap();
        assert!(!open.caption.contains("Dots"));
    }

    #[test]
    fn a_known_value_is_a_tick_within_the_scale() {
        let mark = IntervalMark {
            known: Some(0.9),
            ..row("n = 8", Some(0.2), None)
        };
        let rows = [mark, row("n = 28", Some(0.25), None)];
        let plot = intervals("win", &rows, "", &[], LaneScale::Fitting).unwrap();
        let (_, tick) = plot
            .svg
            .split_once("<i class=\"known\" style=\"left:")
            .unwrap();
        let place: f64 = tick.split_once('%').unwrap().0.parse().unwrap();
        assert!((90.0..=100.0).contains(&place), "{place}");
        assert!(!tick.contains("class=\"known\""));
        assert!(plot.caption.contains("known values"));
        let unknown = intervals("win", &rows[1..], "", &[], LaneScale::Fitting).unwrap();
        assert!(!unknown.caption.contains("known"));
    }

    #[test]
    fn a_unit_in_the_title_is_not_repeated_beside_every_dot() {
        let mark = IntervalMark {
            text: "2.35e17 placements ± 2 %".to_owned(),
            ..row("n = 27", Some(2.35e17), None)
        };
        let drawn = |title| {
            let rows = std::slice::from_ref(&mark);
            let plot = intervals(title, rows, "placements", &[], LaneScale::Fitting);
            let svg = plot.unwrap().svg;
            svg.split("class=\"value\">").nth(1).unwrap().to_owned()
        };
        assert!(!drawn("Solutions (placements)").contains("placements"));
        assert!(drawn("Solutions").contains("placements"));
        let money = IntervalMark {
            text: "between $131.08 and $131.10 (130 to 132)".to_owned(),
            ..row("vegas", None, Some(Span::new(131.08, 131.1)))
        };
        let plot = intervals("money ($)", &[money], "$", &[], LaneScale::Fitting);
        assert!(plot.unwrap().svg.contains(">between $131.08 and $131.10<"));
    }

    #[test]
    fn short_and_missing_intervals_are_explained() {
        let rows = [
            row("wide", Some(0.2), None),
            IntervalMark {
                ends: Some(Span::new(0.25, 0.250_01)),
                ..row("sure", Some(0.25), None)
            },
            IntervalMark {
                ends: None,
                ..row("bare", Some(0.22), None)
            },
        ];
        let plot = intervals("win", &rows, "", &[], LaneScale::Fitting).unwrap();
        assert_eq!(plot.svg.matches("\"dot hollow\"").count(), 1);
        assert!(plot.caption.contains("smaller than their dots"));
        assert!(plot.caption.contains("Hollow dots have no interval"));
    }

    #[test]
    fn an_exact_value_is_no_estimate() {
        let exact = Estimate {
            value: Some(0.25),
            lower: Some(0.25),
            upper: Some(0.25),
            ..Estimate::default()
        };
        let exact = exact.exact();
        let rows = [IntervalMark::of("exact", &exact)];
        let plot = intervals("win", &rows, "", &[], LaneScale::Fitting).unwrap();
        assert!(plot.svg.contains("<i class=\"dot\"") && !plot.svg.contains("whisker"));
        assert_eq!(plot.caption, "");
        let open = [IntervalMark {
            ends: None,
            ..row("open", None, Some(Span::new(0.1, 0.2)))
        }];
        let plot = intervals("win", &open, "", &[], LaneScale::Fitting).unwrap();
        assert!(plot.caption.contains("bounds") && !plot.caption.contains("intervals"));
    }

    #[test]
    fn a_claimed_value_is_marked_in_every_lane_and_named_once() {
        let claimed = Threshold {
            value: -0.5,
            error: 0.0,
            label: "claimed: -50 %".into(),
        };
        let rows = [row("one", Some(0.2), None), row("other", Some(0.1), None)];
        let plot = intervals("win", &rows, "", &[claimed], LaneScale::Fitting).unwrap();
        assert_eq!(plot.svg.matches("class=\"mark\"").count(), 2);
        assert_eq!(plot.svg.matches("claimed: \u{2212}50\u{a0}%").count(), 1);
        let track = track(&rows[0], &Threshold::claimed(0.5, Some(0.02), ""), "");
        assert!(
            track.contains("claimed: 50\u{a0}% ± 2\u{a0}%") && track.contains("class=\"mark\"")
        );
        assert_eq!(track.matches("class=\"published\"").count(), 1);
    }

    #[test]
    fn a_track_has_ends_and_is_broken_where_it_has_no_zero() {
        let drawn = |value: f64, claimed: f64, unit| {
            let claimed = Threshold::claimed(claimed, None, unit);
            let row = IntervalMark {
                value: Some(value),
                ..IntervalMark::default()
            };
            track(&row, &claimed, unit)
        };
        let place = |track: &str| {
            let (_, from) = track.split_once("\"dot\" style=\"left:").unwrap();
            from.split_once('%').unwrap().0.parse::<f64>().unwrap()
        };
        let (cards, share) = (drawn(6.53, 11.0, "cards"), drawn(0.0039, 0.1, ""));
        assert!(cards.contains("0.00%\">0</b>") && cards.contains("100.00%\">15</b>"));
        assert!(share.contains(">0\u{a0}%</b>") && share.contains("100.00%\">10\u{a0}%</b>"));
        assert!(place(&cards) > 40.0 && place(&share) < 5.0);
        assert!(!cards.contains(BROKEN) && !share.contains(BROKEN));
        let near = drawn(0.819, 0.824, "");
        assert!(
            near.contains(BROKEN) && near.contains(">82.6\u{a0}%</b>"),
            "{near}"
        );
    }

    #[test]
    fn rows_without_numbers_are_not_drawn() {
        let none = [IntervalMark::default()];
        assert_eq!(intervals("win", &none, "", &[], LaneScale::Fitting), None);
    }
}
