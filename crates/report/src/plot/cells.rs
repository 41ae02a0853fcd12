//! A bar for each of many cells, for their range and shape at a glance.

use super::Plot;
use super::boxes::{BoxColumn, BoxColumns, Boxes};
use super::marks::IntervalMark;
use super::scale::{Scale, ScaleRange};
use crate::format::{tick, typeset};
use base::counted;
use stats::Span;

/// Draws a bar for each cell, in their order, from zero where that shows how they differ. `None` without
/// a number.
pub(crate) fn cells(title: &str, rows: &[IntervalMark], unit: &str) -> Option<Plot> {
    let sizes: Vec<f64> = rows.iter().filter_map(IntervalMark::size).collect();
    let y = Scale::fitting(&sizes, ScaleRange::new(4.0, 100.0)).filter(Scale::is_logarithmic);
    let y = y.or_else(|| Scale::from_zero(&sizes, ScaleRange::new(0.0, 100.0)))?;
    let width = 100.0 / rows.len() as f64;
    let bar = |(place, row): (usize, &IntervalMark)| {
        let left = width * place as f64;
        BoxColumn {
            class: "bar",
            sides: Span::new(left, left + width),
            height: row.size().map_or(0.0, |size| y.at(size)),
            hint: typeset(&row.whole(unit)),
        }
    };
    let [least, most] = [f64::min, f64::max].map(|end| sizes.iter().copied().reduce(end));
    let [least, most] = [least, most].map(|end| tick(end.unwrap_or(0.0), unit));
    let count = counted(rows.len() as u64, "cell");
    let columns = BoxColumns {
        label: typeset(&format!("{count} from {least} to {most}")),
        shares: Vec::new(),
        bars: rows.iter().enumerate().map(bar).collect(),
        zero: None,
        ticks: Vec::new(),
    };
    Some(Plot::of_boxes(title, "", Boxes::Columns(columns)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_its_bar_as_high_as_its_value() {
        let row = |value: Option<f64>| IntervalMark {
            value,
            ..IntervalMark::default()
        };
        let heights = |values: &[Option<f64>]| {
            let rows: Vec<IntervalMark> = values.iter().map(|value| row(*value)).collect();
            let svg = cells("cells", &rows, "cards").unwrap().svg;
            let heights = svg.split("height:").skip(1);
            let number = |text: &str| text.split('%').next()?.parse::<f64>().ok();
            heights
                .map(|text| number(text).unwrap())
                .collect::<Vec<_>>()
        };
        let drawn = heights(&[Some(1.0), None, Some(2.0), Some(4.0)]);
        assert_eq!(drawn.len(), 4);
        assert!(
            (drawn[3] / drawn[0] - 4.0).abs() < 0.01 && drawn[1] == 0.0,
            "{drawn:?}"
        );
        let powers = heights(&[Some(1.0), Some(1e10), Some(1e20)]);
        assert!(
            (powers[2] - powers[1] - (powers[1] - powers[0])).abs() < 0.1,
            "{powers:?}"
        );
        assert_eq!(cells("none", &[row(None)], ""), None);
    }
}
