//! A table of shaded fields as a picture: one value across, the others down.

use super::drawing::{Anchor, Drawing, Point, WIDTH};
use super::{IntervalMark, Plot, PlotPoint};
use crate::format::typeset;

/// The width of a letter, about.
const LETTER: f64 = 7.0;
/// The height of a row.
const ROW: f64 = 24.0;
/// The space between a text and what it stands beside.
const GAP: f64 = 8.0;
/// Shades that are told apart.
const SHADES: u32 = 10;

/// A field of the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tile {
    /// The estimate, with words for whoever points at the field.
    pub(crate) mark: IntervalMark,
    /// The text in the field, where there is room.
    pub(crate) text: String,
    /// The class of its colour in the style sheet; may be empty.
    pub(crate) class: String,
    /// The darkness of its shade, from 0 to 100.
    pub(crate) shade: u32,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub(crate) struct TileRow {
    /// The words at its left.
    pub(crate) head: String,
    /// The fields, one for each column.
    pub(crate) tiles: Vec<Tile>,
}

/// The places of the fields.
struct TileGrid {
    left: f64,
    top: f64,
    /// The width of a column.
    width: f64,
    /// True if the heads of the columns are too long to stand across.
    is_upright: bool,
}

/// Draws the rows under their columns; `None` without a field.
pub(crate) fn tiles(
    title: &str,
    caption: &str,
    columns: &[String],
    rows: &[TileRow],
) -> Option<Plot> {
    if columns.is_empty() || rows.is_empty() {
        return None;
    }
    let grid = TileGrid::of(columns, rows);
    let mut drawing = Drawing::new(grid.top + ROW * rows.len() as f64 + GAP);
    for (at, column) in columns.iter().enumerate() {
        grid.draw_head(&mut drawing, at, &typeset(column));
    }
    let mut points = Vec::new();
    for (down, row) in rows.iter().enumerate() {
        let Point { x, y } = grid.corner(0, down);
        let head = Point::new(x - GAP, y + ROW / 2.0 + 4.0);
        drawing.text(head, Anchor::End, "label", &typeset(&row.head));
        for ((across, tile), column) in row.tiles.iter().enumerate().zip(columns) {
            draw_tile(&mut drawing, tile, grid.corner(across, down), grid.width);
            points.push(tile.mark.point(column, &row.head));
        }
    }
    let plot = drawing.into_plot(&format!("{title}. {caption}"), title, caption);
    let is_filled = |point: &PlotPoint| point.y.is_some() || point.ends.is_some();
    Some(plot.with(points.into_iter().filter(is_filled)))
}

impl TileGrid {
    fn of(columns: &[String], rows: &[TileRow]) -> Self {
        let longest = |texts: &mut dyn Iterator<Item = &str>| {
            let letters = texts.map(|text| text.chars().count()).max();
            letters.unwrap_or(0) as f64 * LETTER + GAP
        };
        let left = longest(&mut rows.iter().map(|row| &*row.head)) + GAP;
        let left = left.min(WIDTH / 2.0);
        let width = (WIDTH - left) / columns.len() as f64;
        let heads = longest(&mut columns.iter().map(String::as_str));
        let is_upright = heads > width;
        Self {
            left,
            top: if is_upright { heads + GAP } else { ROW },
            width,
            is_upright,
        }
    }

    /// The upper left corner of a field.
    fn corner(&self, across: usize, down: usize) -> Point {
        let (x, y) = (self.width * across as f64, ROW * down as f64);
        Point::new(self.left + x, self.top + y)
    }

    fn draw_head(&self, drawing: &mut Drawing, across: usize, head: &str) {
        let middle = self.corner(across, 0).x + self.width / 2.0;
        if self.is_upright {
            drawing.text_upwards(Point::new(middle + 4.0, self.top / 2.0), "label", head);
        } else {
            let place = Point::new(middle, self.top - GAP);
            drawing.text(place, Anchor::Middle, "label", head);
        }
    }
}

fn draw_tile(drawing: &mut Drawing, tile: &Tile, corner: Point, width: f64) {
    let shade = (tile.shade * SHADES / 100).min(SHADES);
    let class = format!("tile shade-{shade} {}", tile.class);
    let opposite = Point::new(corner.x + width - 1.0, corner.y + ROW - 1.0);
    drawing.bar(corner, opposite, class.trim_end(), &tile.mark.label);
    if tile.text.chars().count() as f64 * LETTER <= width {
        let middle = Point::new(corner.x + width / 2.0, corner.y + ROW / 2.0 + 4.0);
        drawing.text(middle, Anchor::Middle, "label", &typeset(&tile.text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(value: Option<f64>, text: &str) -> Tile {
        Tile {
            mark: IntervalMark::between("hint", value, None, None),
            text: text.to_owned(),
            shade: 50,
            ..Tile::default()
        }
    }

    #[test]
    fn every_field_has_its_place_its_text_where_there_is_room_and_its_number() {
        let row = |head: &str, tiles: [Tile; 2]| TileRow {
            head: head.to_owned(),
            tiles: tiles.into(),
        };
        let wordy = "x".repeat(60);
        let rows = [
            row("anna", [tile(Some(2.0), "2"), tile(None, "")]),
            row("ben", [tile(Some(3.0), "3"), tile(Some(4.0), &wordy)]),
        ];
        let columns = ["safe", "random"].map(str::to_owned);
        let plot = tiles("Wins", "", &columns, &rows).unwrap();
        assert_eq!(plot.svg.matches("tile shade-5\"").count(), 4);
        assert!(plot.svg.contains(">2</text>") && !plot.svg.contains(&wordy));
        let points: Vec<_> = plot
            .points
            .iter()
            .map(|one| (&*one.series, &*one.x, one.y))
            .collect();
        assert_eq!(
            points,
            [
                ("safe", "anna", Some(2.0)),
                ("safe", "ben", Some(3.0)),
                ("random", "ben", Some(4.0))
            ]
        );
        let many: Vec<String> = (0..40).map(|at| format!("column {at}")).collect();
        let narrow = tiles("Wins", "", &many, &rows).unwrap();
        assert_eq!(narrow.svg.matches("rotate(-90").count(), 40);
        assert_eq!(tiles("none", "", &[], &rows), None);
    }
}
