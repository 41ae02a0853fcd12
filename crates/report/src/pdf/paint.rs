//! The colours and lines of elements, from a style sheet.

use pdf_writer::Content;
use pdf_writer::types::LineCapStyle;
use roxmltree::Node;
use simplecss::{AttributeOperator, Element, PseudoClass, StyleSheet};

/// A style sheet.
pub(super) struct Style<'svg>(StyleSheet<'svg>);

/// A colour, each part from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Colour {
    red: f32,
    green: f32,
    blue: f32,
}

/// The style in which an element is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Paint {
    pub fill: Option<Colour>,
    pub stroke: Option<Colour>,
    /// The opacity of both, in per cent.
    pub opacity: u8,
    /// The size of its letters.
    pub size: f32,
    width: f32,
    dashes: Vec<f32>,
    has_round_ends: bool,
}

impl<'svg> Style<'svg> {
    pub(super) fn of(text: &'svg str) -> Self {
        Self(StyleSheet::parse(text))
    }

    /// The style in which an element is drawn: by all rules that match it, the most specific one last.
    pub(super) fn of_element(&self, element: Node) -> Paint {
        let mut paint = Paint {
            fill: Some(Colour::BLACK),
            stroke: None,
            opacity: 100,
            size: 12.0,
            width: 1.0,
            dashes: Vec::new(),
            has_round_ends: false,
        };
        let rules = self.0.rules.iter();
        for rule in rules.filter(|rule| rule.selector.matches(&Styled(element))) {
            for declaration in &rule.declarations {
                paint.declare(declaration.name, declaration.value);
            }
        }
        paint
    }
}

impl Colour {
    const BLACK: Self = Self {
        red: 0.0,
        green: 0.0,
        blue: 0.0,
    };

    /// A colour of six hexadecimal digits, or of the numbers of `rgba`, which then has its opacity.
    fn of_text(text: &str) -> Option<(Self, Option<f32>)> {
        let parts: Vec<f32> = if let Some(digits) = text.strip_prefix('#') {
            let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
            let parts: Option<Vec<u8>> = [0, 2, 4].into_iter().map(part).collect();
            parts?.into_iter().map(f32::from).collect()
        } else {
            let inner = text.strip_prefix("rgba(")?.strip_suffix(')')?;
            let words = inner.split(',').map(|word| word.trim().parse().ok());
            words.collect::<Option<Vec<f32>>>()?
        };
        let [red, green, blue, opacity @ ..] = parts.as_slice() else {
            return None;
        };
        let [red, green, blue] = [red, green, blue].map(|part| part / 255.0);
        Some((Self { red, green, blue }, opacity.first().copied()))
    }
}

impl Paint {
    fn declare(&mut self, name: &str, value: &str) {
        let first_number = || value.split([' ', 'p']).next()?.parse().ok();
        match name {
            "fill" => self.fill = self.coloured(value),
            "stroke" => self.stroke = self.coloured(value),
            "opacity" => self.opacity = percent(first_number().unwrap_or(1.0)),
            "font" => self.size = first_number().unwrap_or(self.size),
            "stroke-width" => self.width = first_number().unwrap_or(self.width),
            "stroke-linecap" => self.has_round_ends = value == "round",
            "stroke-dasharray" => {
                self.dashes = value
                    .split(' ')
                    .filter_map(|word| word.parse().ok())
                    .collect();
            }
            _ => {}
        }
    }

    fn coloured(&mut self, value: &str) -> Option<Colour> {
        if value == "none" {
            return None;
        }
        let (colour, opacity) = Colour::of_text(value).unwrap_or((Colour::BLACK, None));
        if let Some(opacity) = opacity {
            self.opacity = percent(opacity);
        }
        Some(colour)
    }

    /// Sets the colours, and the line where there is one.
    pub(super) fn set(&self, content: &mut Content) {
        if let Some(Colour { red, green, blue }) = self.fill {
            content.set_fill_rgb(red, green, blue);
        }
        let Some(Colour { red, green, blue }) = self.stroke else {
            return;
        };
        content.set_stroke_rgb(red, green, blue);
        content.set_line_width(self.width);
        if self.has_round_ends {
            content.set_line_cap(LineCapStyle::RoundCap);
        }
        if !self.dashes.is_empty() {
            content.set_dash_pattern(self.dashes.iter().copied(), 0.0);
        }
    }
}

/// A share of 1, in per cent.
fn percent(share: f32) -> u8 {
    (share.clamp(0.0, 1.0) * 100.0).round() as u8
}

/// An element as style sheets see it.
struct Styled<'a>(Node<'a, 'a>);

impl Element for Styled<'_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Styled)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Styled)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        let value = self.0.attribute(name);
        value.is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, _: PseudoClass<'_>) -> bool {
        false
    }
}
