//! Pictures of boxes: rows and columns that a page lays out by its style sheet, so that texts keep their size at every
//! width, and every mark is reached by keyboard.
//!
//! A paper has no style sheet, so the same picture can be a drawing as well. Places are in per cent of a lane or an area.

use super::drawing::{Anchor, Drawing, Point, WIDTH, escaped, wrapped};
use super::scale::Tick;
use stats::Span;

/// The height of a line of text.
const LINE: f64 = 14.0;
/// The height of a lane below the words of its row.
const LANE: f64 = 16.0;
/// The ends of a lane, between which a dot has room.
const LEFT: f64 = 8.0;
const RIGHT: f64 = WIDTH - 8.0;
/// The letters that a line has room for.
const LETTERS: usize = 58;
/// The box in which bars stand, right of the numbers of their shares.
const BARS_LEFT: f64 = 44.0;
const BARS_RIGHT: f64 = WIDTH - 10.0;
const BARS_TOP: f64 = 10.0;
const BARS_BOTTOM: f64 = 170.0;
/// Per cent of a scale from its beginning, where a number on it would leave a narrow page.
const NEAR_THE_END: f64 = 5.0;

/// A picture of boxes, whose label is read aloud in its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Boxes {
    /// Lanes one below the other.
    Rows(BoxRows),
    /// Bars side by side.
    Columns(BoxColumns),
}

/// Lanes one below the other, on one scale.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoxRows {
    pub(super) label: String,
    /// The places of the lines across all lanes.
    pub(super) lines: Vec<f64>,
    /// Words above the lanes.
    pub(super) said: Vec<Tick>,
    pub(super) rows: Vec<BoxRow>,
    /// The numbers of the scale.
    pub(super) ticks: Vec<Tick>,
}

/// A lane between its label and its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoxRow {
    pub(super) label: String,
    pub(super) value: String,
    /// The label and the value in full.
    pub(super) whole: String,
    pub(super) lane: Vec<LaneMark>,
}

/// A mark between two places of a lane; its class says how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LaneMark {
    pub(super) class: &'static str,
    pub(super) ends: Span,
}

/// Bars side by side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoxColumns {
    pub(super) label: String,
    /// The numbers upwards, with their lines.
    pub(super) shares: Vec<Tick>,
    pub(super) bars: Vec<BoxColumn>,
    /// The place of 0 where it is marked.
    pub(super) zero: Option<f64>,
    /// The numbers across; none where bars have no order.
    pub(super) ticks: Vec<Tick>,
}

/// A bar with its words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoxColumn {
    pub(super) class: &'static str,
    pub(super) sides: Span,
    pub(super) height: f64,
    pub(super) hint: String,
}

impl Boxes {
    /// The picture as a page has it.
    pub(super) fn to_markup(&self) -> String {
        match self {
            Boxes::Rows(rows) => rows.to_markup(),
            Boxes::Columns(columns) => columns.to_markup(),
        }
    }

    /// The picture as an SVG.
    pub(super) fn to_drawing(&self) -> String {
        match self {
            Boxes::Rows(rows) => rows.draw().finish(&rows.label),
            Boxes::Columns(columns) => columns.draw().finish(&columns.label),
        }
    }
}

impl BoxRows {
    fn to_markup(&self) -> String {
        let said: String = self.said.iter().map(said_markup).collect();
        let rows: String = self.rows.iter().map(BoxRow::to_markup).collect();
        format!(
            "<div class=\"plot dots\" role=\"group\" aria-label=\"{}\" style=\"--lines:{}\">{said}{rows}\
             <p class=\"row axis\" aria-hidden=\"true\"><span class=\"of\"></span>{}\
             <span class=\"value\"></span></p></div>",
            escaped(&self.label),
            background(&self.lines),
            tick_line(&self.ticks)
        )
    }

    fn draw(&self) -> Drawing {
        let top = (LINE + 2.0) * self.said.len() as f64;
        let height = top + self.rows.iter().map(BoxRow::height).sum::<f64>();
        let mut drawing = Drawing::new(height + LINE + 6.0);
        for x in self.ticks.iter().map(|tick| along_lane(tick.place)) {
            drawing.line(Point::new(x, 2.0), Point::new(x, height), "grid");
        }
        for (number, words) in self.said.iter().enumerate() {
            draw_text(&mut drawing, words, (LINE + 2.0) * number as f64, "label");
        }
        let mut below = top;
        for row in &self.rows {
            row.draw(&mut drawing, below);
            below += row.height();
        }
        for tick in &self.ticks {
            draw_text(&mut drawing, tick, height, "tick");
        }
        drawing
    }
}

impl BoxRow {
    fn to_markup(&self) -> String {
        let [label, value, whole] =
            [&self.label, &self.value, &self.whole].map(|text| escaped(text));
        let lane = lane(&self.lane);
        format!(
            "<p class=\"row\" tabindex=\"0\" role=\"img\" aria-label=\"{whole}\" title=\"{whole}\">\
             <span class=\"of\">{label}</span>{lane}<span class=\"value\">{value}</span></p>\n"
        )
    }

    /// The lines of its label.
    fn words(&self) -> Vec<String> {
        let room = LETTERS.saturating_sub(self.value.chars().count() + 2);
        wrapped(&self.label, room.max(8))
    }

    fn height(&self) -> f64 {
        LINE * self.words().len() as f64 + LANE + 2.0
    }

    fn draw(&self, drawing: &mut Drawing, top: f64) {
        let words = self.words();
        for (number, words) in words.iter().enumerate() {
            let at = Point::new(0.0, baseline(top, number));
            drawing.text(at, Anchor::Start, "label", words);
        }
        let at = Point::new(WIDTH, baseline(top, 0));
        drawing.text(at, Anchor::End, "tick", &self.value);
        let middle = top + LINE * words.len() as f64 + LANE / 2.0;
        for mark in &self.lane {
            mark.draw(drawing, middle);
        }
    }
}

impl LaneMark {
    /// Draws the mark around the middle of its lane.
    fn draw(&self, drawing: &mut Drawing, middle: f64) {
        let Span { lo: start, hi: end } = self.ends.map(along_lane);
        let at = |x: f64, off: f64| Point::new(x, middle + off);
        match self.class {
            class @ ("whisker" | "bounds") => drawing.line(at(start, 0.0), at(end, 0.0), class),
            "published" => drawing.bar(at(start, -8.0), at(end, 8.0), "band", ""),
            "fill" => drawing.bar(at(start, -5.0), at(end, 5.0), "between", ""),
            "known" => drawing.line(at(start, -6.0), at(start, 6.0), "mean"),
            "mark" => drawing.line(at(start, -8.0), at(start, 8.0), "mark"),
            class => drawing.dot(at(start, 0.0), class, ""),
        }
    }
}

impl BoxColumns {
    fn to_markup(&self) -> String {
        let share = |Tick { place, text }: &Tick| {
            let (at, text) = (percent(*place), escaped(text));
            format!("<b class=\"share\" style=\"bottom:{at}\">{text}</b>")
        };
        let shares: String = self.shares.iter().map(share).collect();
        let bars: String = self.bars.iter().map(BoxColumn::to_markup).collect();
        let zero = self.zero.map_or_else(String::new, |zero| {
            format!("<i class=\"mark\" style=\"left:{}\"></i>", percent(zero))
        });
        let ticks = match self.ticks.as_slice() {
            [] => String::new(),
            ticks => tick_line(ticks),
        };
        format!(
            "<div class=\"plot columns\" role=\"group\" aria-label=\"{}\">\
             <div class=\"area\">{shares}{bars}{zero}</div>{ticks}</div>",
            escaped(&self.label)
        )
    }

    fn draw(&self) -> Drawing {
        let mut drawing = Drawing::new(BARS_BOTTOM + 1.5 * LINE);
        let level = |y: f64| [Point::new(BARS_LEFT, y), Point::new(BARS_RIGHT, y)];
        for Tick { place, text } in &self.shares {
            let [start, end] = level(up(*place));
            drawing.line(start, end, "grid");
            let at = Point::new(start.x - 4.0, start.y + 4.0);
            drawing.text(at, Anchor::End, "tick", text);
        }
        for BoxColumn {
            class,
            sides,
            height,
            hint,
        } in &self.bars
        {
            let corner = Point::new(across(sides.lo), BARS_BOTTOM);
            drawing.bar(
                corner,
                Point::new(across(sides.hi), up(*height)),
                class,
                hint,
            );
        }
        if let Some(x) = self.zero.map(across) {
            drawing.line(Point::new(x, BARS_BOTTOM), Point::new(x, BARS_TOP), "mark");
        }
        for Tick { place, text } in &self.ticks {
            let at = Point::new(across(*place), BARS_BOTTOM + LINE);
            drawing.text(at, Anchor::Middle, "tick", text);
        }
        let [start, end] = level(BARS_BOTTOM);
        drawing.line(start, end, "axis");
        drawing
    }
}

impl BoxColumn {
    fn to_markup(&self) -> String {
        let [left, width, height] = [self.sides.lo, self.sides.width(), self.height].map(percent);
        let (class, hint) = (self.class, escaped(&self.hint));
        format!(
            "<i class=\"{class}\" tabindex=\"0\" role=\"img\" aria-label=\"{hint}\" \
             title=\"{hint}\" style=\"left:{left};width:{width};height:{height}\"></i>"
        )
    }
}

/// The marks of a lane.
pub(super) fn lane(marks: &[LaneMark]) -> String {
    let mark = |LaneMark { class, ends }: &LaneMark| {
        let (left, width) = (percent(ends.lo), percent(ends.hi - ends.lo));
        format!("<i class=\"{class}\" style=\"left:{left};width:{width}\"></i>")
    };
    let marks: String = marks.iter().map(mark).collect();
    format!("<span class=\"lane\">{marks}</span>")
}

/// The numbers of a scale at their places.
pub(super) fn tick_line(ticks: &[Tick]) -> String {
    let text = |Tick { place, text }: &Tick| {
        let (at, text) = (percent(*place), escaped(text));
        let class = if *place < NEAR_THE_END {
            " class=\"end\""
        } else {
            ""
        };
        format!("<b{class} style=\"left:{at}\">{text}</b>")
    };
    let texts: String = ticks.iter().map(text).collect();
    format!("<span class=\"lane ticks\">{texts}</span>")
}

/// A place in a style.
pub(super) fn percent(place: f64) -> String {
    format!("{:.2}%", if place.is_finite() { place } else { 0.0 })
}

/// Words above the lanes.
fn said_markup(Tick { place, text }: &Tick) -> String {
    // Its line passes through the words as far along as they stand in the lane, so neither leaves the lane.
    let (at, text) = (percent(*place), escaped(text));
    format!(
        "<p class=\"row said\"><span class=\"of\"></span><span class=\"lane\">\
         <b style=\"left:{at};transform:translateX(-{at})\">{text}</b></span><span class=\"value\"></span></p>"
    )
}

/// Lines as the background of every lane.
fn background(lines: &[f64]) -> String {
    let line = |place: &f64| {
        let at = percent(*place);
        format!(
            "linear-gradient(90deg,transparent {at},var(--grid) 0 calc({at} + 1px),transparent 0)"
        )
    };
    match lines {
        [] => "none".to_owned(),
        lines => lines.iter().map(line).collect::<Vec<_>>().join(","),
    }
}

/// Draws a text of a scale in the line below `top`, within the picture.
fn draw_text(drawing: &mut Drawing, Tick { place, text }: &Tick, top: f64, class: &str) {
    let anchor = match place {
        ..10.0 => Anchor::Start,
        90.0.. => Anchor::End,
        _ => Anchor::Middle,
    };
    let at = Point::new(along_lane(*place), baseline(top, 0));
    drawing.text(at, anchor, class, text);
}

/// The foot of the letters of a line of text.
fn baseline(top: f64, line: usize) -> f64 {
    top + LINE * (line as f64 + 0.8)
}

fn along_lane(place: f64) -> f64 {
    LEFT + (RIGHT - LEFT) * place / 100.0
}

fn across(place: f64) -> f64 {
    BARS_LEFT + (BARS_RIGHT - BARS_LEFT) * place / 100.0
}

fn up(place: f64) -> f64 {
    BARS_BOTTOM + (BARS_TOP - BARS_BOTTOM) * place / 100.0
}
