//! A picture of our own as a PDF of one page, for papers.
//!
//! Knows the elements that `figures` draws with, not SVG as a whole. Texts are set in Helvetica, one of the fonts that
//! every reader of PDF has, so that no font of this machine gets into a file. ISO 32000-1:2008.

mod letters;
mod paint;

use std::collections::BTreeSet;

use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref};
use roxmltree::{Document, Node};

use letters::{Font, Letters};
use paint::{Paint, Style};

/// The pieces of the document, in their order.
const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const FIRST_FONT: i32 = 5;

/// The share of a radius at which the handles of a quarter of a circle lie.
const HANDLE: f32 = 0.552_284_8;

/// A PDF of one page, as large as its picture.
pub struct PaperPdf {
    /// The file.
    pub bytes: Vec<u8>,
    /// The letters that its fonts do not have, each once; `?` stands in their place.
    pub missing: BTreeSet<char>,
}

impl PaperPdf {
    /// The PDF of a picture whose colours are in its first `style`; `None` of what is no SVG with a view box.
    pub(crate) fn of_svg(svg: &str) -> Option<Self> {
        let document = Document::parse(svg).ok()?;
        let root = document.root_element();
        let view: Vec<f32> = numbers(root.attribute("viewBox")?).collect();
        let &[_, _, width, height] = view.as_slice() else {
            return None;
        };
        let sheet = root.children().find(|part| part.has_tag_name("style"));
        let mut canvas = Canvas {
            content: Content::new(),
            style: Style::of(sheet.and_then(|sheet| sheet.text()).unwrap_or_default()),
            opacities: BTreeSet::new(),
            missing: BTreeSet::new(),
        };
        // Points count from the bottom, the picture from the top.
        canvas.content.transform([1.0, 0.0, 0.0, -1.0, 0.0, height]);
        canvas.draw_parts(root);
        let missing = std::mem::take(&mut canvas.missing);
        Some(Self {
            bytes: canvas.into_file(width, height),
            missing,
        })
    }
}

/// A page under way.
struct Canvas<'svg> {
    content: Content,
    style: Style<'svg>,
    /// The opacities that its marks have, in per cent.
    opacities: BTreeSet<u8>,
    missing: BTreeSet<char>,
}

impl Canvas<'_> {
    fn draw_parts(&mut self, parent: Node) {
        for part in parent.children().filter(Node::is_element) {
            self.content.save_state();
            self.draw(part);
            self.content.restore_state();
        }
    }

    fn draw(&mut self, part: Node) {
        match part.tag_name().name() {
            "svg" => {
                self.rectangle(part);
                self.content.clip_nonzero().end_path();
                self.draw_parts(part);
            }
            "text" => self.write(part),
            "line" | "rect" | "circle" | "polyline" | "polygon" => {
                let paint = self.take_paint(part);
                self.trace(part);
                match (paint.fill.is_some(), paint.stroke.is_some()) {
                    (true, true) => self.content.fill_nonzero_and_stroke(),
                    (true, false) => self.content.fill_nonzero(),
                    (false, true) => self.content.stroke(),
                    (false, false) => self.content.end_path(),
                };
            }
            _ => {}
        }
    }

    /// Takes the colours and lines of an element; a page takes none once a path has begun.
    fn take_paint(&mut self, part: Node) -> Paint {
        let paint = self.style.of_element(part);
        if paint.opacity < 100 {
            self.opacities.insert(paint.opacity);
            let name = opacity_name(paint.opacity);
            self.content.set_parameters(Name(name.as_bytes()));
        }
        paint.set(&mut self.content);
        paint
    }

    /// The outline of an element as a path.
    fn trace(&mut self, part: Node) {
        let at = |name: &str| number(part, name);
        match part.tag_name().name() {
            "line" => {
                self.content.move_to(at("x1"), at("y1"));
                self.content.line_to(at("x2"), at("y2"));
            }
            "rect" => self.rectangle(part),
            "circle" => self.circle(at("cx"), at("cy"), at("r")),
            name => {
                self.path(part.attribute("points").unwrap_or_default());
                if name == "polygon" {
                    self.content.close_path();
                }
            }
        }
    }

    fn rectangle(&mut self, part: Node) {
        let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(part, name));
        self.content.rect(x, y, width, height);
    }

    fn path(&mut self, points: &str) {
        let numbers: Vec<f32> = numbers(points).collect();
        for (number, point) in numbers.chunks_exact(2).enumerate() {
            if number == 0 {
                self.content.move_to(point[0], point[1]);
            } else {
                self.content.line_to(point[0], point[1]);
            }
        }
    }

    fn circle(&mut self, x: f32, y: f32, radius: f32) {
        let (r, h) = (radius, radius * HANDLE);
        self.content
            .move_to(x + r, y)
            .cubic_to(x + r, y + h, x + h, y + r, x, y + r)
            .cubic_to(x - h, y + r, x - r, y + h, x - r, y)
            .cubic_to(x - r, y - h, x - h, y - r, x, y - r)
            .cubic_to(x + h, y - r, x + r, y - h, x + r, y)
            .close_path();
    }

    /// Writes a text at its anchor, upright again on a page that counts from its bottom.
    fn write(&mut self, part: Node) {
        let paint = self.take_paint(part);
        let letters = Letters::of(part.text().unwrap_or_default());
        self.missing.extend(&letters.missing);
        let shift = match part.attribute("text-anchor") {
            Some("middle") => -0.5,
            Some("end") => -1.0,
            _ => 0.0,
        } * letters.width(paint.size);
        let (x, y) = (number(part, "x"), number(part, "y"));
        let is_upwards = part.attribute("transform").is_some();
        let matrix = if is_upwards {
            [0.0, -1.0, -1.0, 0.0, x, y - shift]
        } else {
            [1.0, 0.0, 0.0, -1.0, x + shift, y]
        };
        self.content.begin_text().set_text_matrix(matrix);
        letters.show(&mut self.content, paint.size);
        self.content.end_text();
    }

    fn into_file(self, width: f32, height: f32) -> Vec<u8> {
        let mut pdf = Pdf::new();
        pdf.catalog(CATALOG).pages(PAGES);
        pdf.pages(PAGES).kids([PAGE]).count(1);
        let mut page = pdf.page(PAGE);
        page.parent(PAGES)
            .media_box(Rect::new(0.0, 0.0, width, height))
            .contents(CONTENT);
        let fonts = || Font::ALL.into_iter().zip(FIRST_FONT..);
        let first_opacity = FIRST_FONT + Font::ALL.len() as i32;
        let mut resources = page.resources();
        let mut named = resources.fonts();
        for (font, id) in fonts() {
            named.pair(font.resource(), Ref::new(id));
        }
        named.finish();
        let mut states = resources.ext_g_states();
        for (opacity, id) in self.opacities.iter().zip(first_opacity..) {
            states.pair(Name(opacity_name(*opacity).as_bytes()), Ref::new(id));
        }
        states.finish();
        resources.finish();
        page.finish();
        for (font, id) in fonts() {
            font.declare(pdf.type1_font(Ref::new(id)));
        }
        for (opacity, id) in self.opacities.iter().zip(first_opacity..) {
            let share = f32::from(*opacity) / 100.0;
            let mut state = pdf.ext_graphics(Ref::new(id));
            state.non_stroking_alpha(share).stroking_alpha(share);
        }
        pdf.stream(CONTENT, &self.content.finish());
        pdf.finish()
    }
}

fn opacity_name(opacity: u8) -> String {
    format!("O{opacity}")
}

/// The numbers of a text, between blanks and commas.
fn numbers(text: &str) -> impl Iterator<Item = f32> {
    let words = text.split([' ', ',']);
    words.filter_map(|word| word.parse().ok())
}

fn number(part: Node, name: &str) -> f32 {
    let value = part.attribute(name).and_then(|text| text.parse().ok());
    value.unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 360 100\"><style>\
        text { font: 10px \"Helvetica\"; fill: #010203; } .band { fill: rgba(255, 0, 0, .2); }\
        .curve { fill: none; stroke: #ff0000; stroke-width: 2; stroke-dasharray: 4 3; }\
        .curve.series-2 { stroke: #00ff00; }</style>\
        <rect class=\"band\" x=\"1\" y=\"2\" width=\"3\" height=\"4\"><title>no text</title></rect>\
        <polyline class=\"curve series-2\" points=\"1,2 3,4\"/>\
        <text x=\"30\" y=\"20\" text-anchor=\"end\">5 \u{2264} 10\u{2076} \u{4e2d}\u{2212}</text></svg>";

    fn page(svg: &str) -> (String, BTreeSet<char>) {
        let pdf = PaperPdf::of_svg(svg).unwrap();
        let text = pdf.bytes.iter().map(|&byte| char::from(byte)).collect();
        (text, pdf.missing)
    }

    #[test]
    fn a_picture_is_a_page_of_its_size_with_colours_and_texts() {
        let (page, missing) = page(SVG);
        assert!(page.starts_with("%PDF-1.") && page.contains("/MediaBox [0 0 360 100]"));
        for drawn in [
            "/O20 gs\n1 0 0 rg\n1 2 3 4 re\nf",
            "0 1 0 RG\n2 w\n[4 3] 0 d\n1 2 m\n3 4 l\nS",
            "/F0 10 Tf",
            "(5 )",
            "/F1 10 Tf",
        ] {
            assert!(page.contains(drawn), "{drawn:?} in {page}");
        }
        assert!(!page.contains("no text") && !page.contains("CreationDate"));
        assert_eq!(missing, BTreeSet::from(['\u{4e2d}']));
    }

    #[test]
    fn a_text_ends_where_its_anchor_is() {
        // Digits are 0.556 of the size wide.
        let svg = SVG.replace("5 \u{2264} 10\u{2076} \u{4e2d}\u{2212}", "55");
        let (page, _) = page(&svg);
        assert!(page.contains("1 0 0 -1 18.88"), "{page}");
    }

    #[test]
    fn what_is_no_picture_has_no_page() {
        for text in ["", "<p>", "<svg/>", "<svg viewBox=\"0 0\"/>"] {
            assert!(PaperPdf::of_svg(text).is_none(), "{text}");
        }
    }
}
