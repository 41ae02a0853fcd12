//! Builds an SVG picture: marks with classes, escaped texts, and finite numbers only.

use std::fmt::Write;

use super::Plot;
use crate::format::typeset;

/// The width of every plot, in user units.
pub(super) const WIDTH: f64 = 360.0;

/// A place in a picture; `y` grows downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    pub(crate) fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

/// The part of a text that stands at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// A picture under way. A mark with a coordinate that is no number is left out.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    height: f64,
    body: String,
}

impl Drawing {
    pub(crate) fn new(height: f64) -> Self {
        Self {
            height,
            body: String::new(),
        }
    }

    pub(crate) fn line(&mut self, a: Point, b: Point, class: &str) {
        self.mark(
            &[a, b],
            format_args!(
                "<line class=\"{class}\" x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\"/>",
                a.x, a.y, b.x, b.y
            ),
        );
    }

    /// A rectangle between two opposite corners; `hint` is shown under a pointer.
    pub(crate) fn bar(&mut self, corner: Point, opposite: Point, class: &str, hint: &str) {
        let (x, y) = (corner.x.min(opposite.x), corner.y.min(opposite.y));
        let (width, height) = ((corner.x - opposite.x).abs(), (corner.y - opposite.y).abs());
        let hint = escaped(&typeset(hint));
        self.mark(
            &[corner, opposite],
            format_args!(
                "<rect class=\"{class}\" tabindex=\"0\" role=\"img\" x=\"{x:.1}\" y=\"{y:.1}\" \
                 width=\"{width:.1}\" height=\"{height:.1}\"><title>{hint}</title></rect>"
            ),
        );
    }

    pub(crate) fn dot(&mut self, centre: Point, class: &str, hint: &str) {
        let (Point { x, y }, hint) = (centre, escaped(&typeset(hint)));
        self.mark(
            &[centre],
            format_args!(
                "<circle class=\"{class}\" tabindex=\"0\" role=\"img\" cx=\"{x:.1}\" cy=\"{y:.1}\" \
                 r=\"4\"><title>{hint}</title></circle>"
            ),
        );
    }

    /// A small dot among many.
    pub(crate) fn speck(&mut self, centre: Point, class: &str) {
        let Point { x, y } = centre;
        self.mark(
            &[centre],
            format_args!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\"/>"),
        );
    }

    /// A line through points.
    pub(crate) fn curve(&mut self, points: &[Point], class: &str) {
        self.points("polyline", points, class);
    }

    /// A filled shape.
    pub(crate) fn area(&mut self, points: &[Point], class: &str) {
        self.points("polygon", points, class);
    }

    fn points(&mut self, element: &str, points: &[Point], class: &str) {
        let finite = points.iter().filter(|point| point.is_finite());
        let places: Vec<String> = finite
            .map(|point| format!("{:.2},{:.2}", point.x, point.y))
            .collect();
        if places.len() > 1 {
            let places = places.join(" ");
            self.push(format_args!(
                "<{element} class=\"{class}\" points=\"{places}\"/>"
            ));
        }
    }

    pub(super) fn text(&mut self, at: Point, anchor: Anchor, class: &str, text: &str) {
        let (Point { x, y }, anchor, text) = (at, anchor.name(), escaped(text));
        self.mark(
            &[at],
            format_args!(
                "<text class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\">{text}</text>"
            ),
        );
    }

    /// A text along a vertical axis, its middle at the point.
    pub(crate) fn text_upwards(&mut self, at: Point, class: &str, text: &str) {
        let (Point { x, y }, text) = (at, escaped(text));
        self.mark(
            &[at],
            format_args!(
                "<text class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"middle\" \
                 transform=\"rotate(-90 {x:.2} {y:.2})\">{text}</text>"
            ),
        );
    }

    /// Draws within two opposite corners; marks outside of them are cut off.
    pub(crate) fn within(
        &mut self,
        corner: Point,
        opposite: Point,
        draw: impl FnOnce(&mut Drawing),
    ) {
        let (x, y) = (corner.x.min(opposite.x), corner.y.min(opposite.y));
        let (width, height) = ((corner.x - opposite.x).abs(), (corner.y - opposite.y).abs());
        // A picture in the picture needs no name, which a clipping path would: a page has many.
        self.push(format_args!(
            "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"{x} {y} {width} {height}\" overflow=\"hidden\">"
        ));
        draw(self);
        self.push(format_args!("</svg>"));
    }

    /// The finished plot; `label` is read aloud in its place.
    pub(crate) fn into_plot(self, label: &str, title: &str, caption: impl Into<String>) -> Plot {
        Plot {
            svg: self.finish(label),
            title: title.to_owned(),
            caption: caption.into(),
            ..Plot::default()
        }
    }

    /// The picture as an SVG; `label` is read aloud in its place.
    pub(super) fn finish(self, label: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"group\" \
             aria-label=\"{}\" viewBox=\"0 0 {WIDTH} {}\">{}</svg>",
            escaped(&typeset(label)),
            self.height,
            self.body
        )
    }

    /// Adds a mark, unless one of its points is no place.
    fn mark(&mut self, points: &[Point], mark: std::fmt::Arguments<'_>) {
        if points.iter().all(|point| point.is_finite()) {
            self.push(mark);
        }
    }

    fn push(&mut self, mark: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(mark);
        self.body.push('\n');
    }
}

/// Text as SVG carries it. Control characters, which XML forbids, are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

/// A text in lines of at most `most` characters, broken after blanks and commas where it has any.
pub(super) fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for part in text
        .split_inclusive([' ', ','])
        .flat_map(|part| pieces(part, most))
    {
        if line.chars().count() + part.trim_end().chars().count() > most {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
        }
        line.push_str(&part);
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// A part in pieces of at most `most` characters.
fn pieces(part: &str, most: usize) -> Vec<String> {
    let letters: Vec<char> = part.chars().collect();
    letters.chunks(most.max(1)).map(String::from_iter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_leave_their_element() {
        assert_eq!(escaped("a<b>&\"'\u{1}"), "a&lt;b&gt;&amp;&quot;&#39; ");
        let mut drawing = Drawing::new(10.0);
        drawing.text(
            Point::new(1.0, 2.0),
            Anchor::Start,
            "tick",
            "</text><script>",
        );
        assert!(!drawing.finish("\"><script>").contains("<script"));
    }

    #[test]
    fn marks_at_no_place_are_left_out() {
        let mut drawing = Drawing::new(10.0);
        let nowhere = Point::new(f64::NAN, 1.0);
        drawing.dot(nowhere, "dot", "");
        drawing.line(nowhere, Point::new(0.0, 0.0), "grid");
        drawing.bar(nowhere, Point::new(0.0, 0.0), "bar", "");
        drawing.curve(&[nowhere, Point::new(0.0, 0.0)], "curve");
        assert_eq!(drawing.body, "");
    }

    #[test]
    fn long_labels_are_broken_at_blanks_and_commas() {
        assert_eq!(wrapped("abcdef", 6), ["abcdef"]);
        assert_eq!(wrapped("ab cd, ef", 6), ["ab cd,", "ef"]);
        assert_eq!(wrapped("7:1,7:1,6:1", 8), ["7:1,7:1,", "6:1"]);
        assert_eq!(wrapped("abcdefgh", 6), ["abcdef", "gh"]);
        assert_eq!(wrapped("", 6), [""]);
    }
}
