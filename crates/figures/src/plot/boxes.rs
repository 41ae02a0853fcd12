//! Pictures of boxes as drawings: a page lays its rows and columns out by a style sheet, which a paper has not.
//!
//! Reads the markup of `intervals`, `gains` and `cells`, so that a mark is placed once for both.

use roxmltree::{Document, Node};

use super::Plot;
use super::drawing::{Anchor, Drawing, Point, WIDTH, wrapped};

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
const BARS_TOP: f64 = 10.0;
const BARS_BOTTOM: f64 = 170.0;

impl Plot {
    /// The picture as an SVG whose colours are classes; one of boxes is drawn anew. `None` of other markup.
    pub fn to_drawing(&self) -> Option<String> {
        if self.svg.starts_with("<svg ") {
            return Some(self.svg.clone());
        }
        let markup = Document::parse(&self.svg).ok()?;
        let plot = markup.root_element();
        let drawing = match plot.attribute("class")? {
            "plot dots" => rows(plot),
            "plot columns" => columns(plot),
            _ => return None,
        };
        Some(drawing.finish(plot.attribute("aria-label").unwrap_or_default()))
    }
}

/// A row of a picture: words above a lane, or the numbers or the words of the scale.
struct BoxRow<'markup> {
    kind: RowKind,
    words: Vec<String>,
    value: &'markup str,
    marks: Vec<Node<'markup, 'markup>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RowKind {
    Estimate,
    Scale,
    Said,
}

impl<'markup> BoxRow<'markup> {
    fn of(row: Node<'markup, 'markup>) -> Self {
        let kind = match row.attribute("class") {
            Some("row axis") => RowKind::Scale,
            Some("row said") => RowKind::Said,
            _ => RowKind::Estimate,
        };
        let value = text_of(row, "value");
        let room = LETTERS.saturating_sub(value.chars().count() + 2).max(8);
        let words = match kind {
            RowKind::Estimate => wrapped(text_of(row, "of"), room),
            RowKind::Scale | RowKind::Said => vec![String::new()],
        };
        let lane = row.children().find(|part| has_class(*part, "lane"));
        let marks = lane.into_iter().flat_map(|lane| lane.children());
        Self {
            kind,
            words,
            value,
            marks: marks.filter(Node::is_element).collect(),
        }
    }

    fn height(&self) -> f64 {
        let lane = match self.kind {
            RowKind::Estimate => LANE + 2.0,
            RowKind::Scale | RowKind::Said => 2.0,
        };
        LINE * self.words.len() as f64 + lane
    }

    fn draw(&self, drawing: &mut Drawing, top: f64) {
        let line = |number: usize| top + LINE * (number as f64 + 0.8);
        match self.kind {
            RowKind::Scale => self.draw_texts(drawing, line(0), "tick"),
            RowKind::Said => self.draw_texts(drawing, line(0), "label"),
            RowKind::Estimate => {
                for (number, words) in self.words.iter().enumerate() {
                    let at = Point::new(0.0, line(number));
                    drawing.text(at, Anchor::Start, "label", words);
                }
                drawing.text(Point::new(WIDTH, line(0)), Anchor::End, "tick", self.value);
                let middle = top + LINE * self.words.len() as f64 + LANE / 2.0;
                for mark in &self.marks {
                    draw_mark(drawing, *mark, middle);
                }
            }
        }
    }

    /// The texts of a scale, each within the picture.
    fn draw_texts(&self, drawing: &mut Drawing, y: f64, class: &str) {
        for text in &self.marks {
            let place = percent_of(*text, "left");
            let anchor = match place {
                ..10.0 => Anchor::Start,
                90.0.. => Anchor::End,
                _ => Anchor::Middle,
            };
            let at = Point::new(along_lane(place), y);
            drawing.text(at, anchor, class, text.text().unwrap_or_default());
        }
    }
}

/// Rows one below the other, before the lines of their scale.
fn rows(plot: Node) -> Drawing {
    let rows: Vec<BoxRow> = plot
        .children()
        .filter(Node::is_element)
        .map(BoxRow::of)
        .collect();
    let height: f64 = rows.iter().map(BoxRow::height).sum();
    let mut drawing = Drawing::new(height + 4.0);
    for scale in rows.iter().filter(|row| row.kind == RowKind::Scale) {
        for x in scale
            .marks
            .iter()
            .map(|tick| along_lane(percent_of(*tick, "left")))
        {
            let bottom = height - scale.height();
            drawing.line(Point::new(x, 2.0), Point::new(x, bottom), "grid");
        }
    }
    let mut top = 0.0;
    for row in &rows {
        row.draw(&mut drawing, top);
        top += row.height();
    }
    drawing
}

/// A mark of a lane around its middle.
fn draw_mark(drawing: &mut Drawing, mark: Node, middle: f64) {
    let (left, width) = (percent_of(mark, "left"), percent_of(mark, "width"));
    let [start, end] = [left, left + width].map(along_lane);
    let at = |x: f64, off: f64| Point::new(x, middle + off);
    match mark.attribute("class").unwrap_or_default() {
        class @ ("whisker" | "bounds") => drawing.line(at(start, 0.0), at(end, 0.0), class),
        "published" => drawing.bar(at(start, -8.0), at(end, 8.0), "band", ""),
        "fill" => drawing.bar(at(start, -5.0), at(end, 5.0), "between", ""),
        "known" => drawing.line(at(start, -6.0), at(start, 6.0), "mean"),
        "mark" => drawing.line(at(start, -8.0), at(start, 8.0), "mark"),
        class => drawing.dot(at(start, 0.0), class, ""),
    }
}

/// Bars side by side, with the numbers of both axes.
fn columns(plot: Node) -> Drawing {
    let mut drawing = Drawing::new(BARS_BOTTOM + 1.5 * LINE);
    let across = |place: f64| BARS_LEFT + (WIDTH - 10.0 - BARS_LEFT) * place / 100.0;
    let up = |place: f64| BARS_BOTTOM + (BARS_TOP - BARS_BOTTOM) * place / 100.0;
    let upright = |x: f64| [Point::new(x, BARS_BOTTOM), Point::new(x, BARS_TOP)];
    let level = |y: f64| [Point::new(BARS_LEFT, y), Point::new(WIDTH - 10.0, y)];
    for mark in plot.descendants().filter(Node::is_element) {
        let left = percent_of(mark, "left");
        let text = mark.text().unwrap_or_default();
        match (
            mark.tag_name().name(),
            mark.attribute("class").unwrap_or_default(),
        ) {
            ("b", "share") => {
                let [start, end] = level(up(percent_of(mark, "bottom")));
                drawing.line(start, end, "grid");
                let at = Point::new(start.x - 4.0, start.y + 4.0);
                drawing.text(at, Anchor::End, "tick", text);
            }
            ("b", _) => {
                let at = Point::new(across(left), BARS_BOTTOM + LINE);
                drawing.text(at, Anchor::Middle, "tick", text);
            }
            ("i", "mark") => {
                let [low, high] = upright(across(left));
                drawing.line(low, high, "mark");
            }
            ("i", class) => {
                let (width, height) = (percent_of(mark, "width"), percent_of(mark, "height"));
                let corner = Point::new(across(left), up(0.0));
                let opposite = Point::new(across(left + width), up(height));
                let hint = mark.attribute("title").unwrap_or_default();
                drawing.bar(corner, opposite, class, hint);
            }
            _ => {}
        }
    }
    let [start, end] = level(BARS_BOTTOM);
    drawing.line(start, end, "axis");
    drawing
}

fn along_lane(place: f64) -> f64 {
    LEFT + (RIGHT - LEFT) * place / 100.0
}

fn has_class(node: Node, class: &str) -> bool {
    let classes = node.attribute("class").unwrap_or_default();
    classes.split(' ').any(|one| one == class)
}

/// The text of the part of a row that has a class.
fn text_of<'markup>(row: Node<'markup, 'markup>, class: &str) -> &'markup str {
    let part = row.children().find(|part| has_class(*part, class));
    part.and_then(|part| part.text()).unwrap_or_default()
}

/// A number of per cent in the style of a node; 0 without one.
fn percent_of(node: Node, key: &str) -> f64 {
    let style = node.attribute("style").unwrap_or_default();
    let mut pairs = style.split(';').filter_map(|pair| pair.split_once(':'));
    let value = pairs.find(|(name, _)| *name == key);
    value
        .and_then(|(_, value)| value.strip_suffix('%')?.parse().ok())
        .unwrap_or(0.0)
}
