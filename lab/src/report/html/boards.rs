//! Boards of a game as pictures in the page: parts that repeat are written once.
//!
//! A picture from a file becomes markup only if it is nothing but a few plain shapes and texts; any
//! other is embedded as an image, in which no script runs. Repeated pairs of neighbouring parts are
//! joined again and again, after N. J. Larsson and A. Moffat, "Off-line dictionary-based
//! compression" (2000).

use std::collections::HashMap;
use std::fmt::Write;

/// The elements of plain pictures, and their attributes.
const SHAPES: &str = "rect circle path line polygon text";
const ATTRIBUTES: &str = "x y x1 y1 x2 y2 cx cy r rx ry width height d points fill stroke \
                          stroke-width stroke-dasharray stroke-linecap opacity font-family \
                          font-size font-weight text-anchor viewBox";
/// The attribute of a picture that stands alone.
const NAME_SPACE: &str = " xmlns=\"http://www.w3.org/2000/svg\"";
/// The class of what a player cannot see.
const HIDDEN: &str = "class=\"down\"";
/// Pairs that occur less often stay apart: the joint part would be longer than they are.
const LEAST: usize = 3;

/// The pictures of a story, and the parts that they share.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Boards {
    /// The definitions of shared parts; empty without pictures.
    pub parts: String,
    /// The attributes and the contents of each picture; `None` of one that is not plain.
    pub pictures: Vec<Option<(String, String)>>,
    /// True if some parts are hidden from the player.
    pub has_hidden: bool,
}

/// Writes the pictures of one story; `prefix` distinguishes its parts from those of others.
pub(super) fn boards(svgs: &[Option<&str>], prefix: &str) -> Boards {
    let plain: Vec<Option<PlainPicture>> = svgs.iter().map(|svg| parsed((*svg)?)).collect();
    let mut grammar = Grammar::default();
    let mut pictures: Vec<Vec<usize>> = Vec::new();
    for picture in plain.iter().flatten() {
        let parts = picture.parts.iter();
        pictures.push(parts.map(|part| grammar.part(part)).collect());
    }
    while grammar.join_pairs(&mut pictures) {}
    let writer = PartWriter::of(&grammar, &pictures, prefix);
    let mut contents = pictures.iter().map(|parts| writer.uses(parts));
    Boards {
        parts: writer.definitions(),
        has_hidden: plain.iter().flatten().any(PlainPicture::has_hidden),
        pictures: (plain.iter())
            .map(|picture| Some((picture.as_ref()?.attributes.to_owned(), contents.next()?)))
            .collect(),
    }
}

/// A picture of plain parts.
struct PlainPicture<'svg> {
    attributes: &'svg str,
    parts: Vec<&'svg str>,
}

impl PlainPicture<'_> {
    fn has_hidden(&self) -> bool {
        self.parts.iter().any(|part| part.contains(HIDDEN))
    }
}

/// The picture in a file's text, if it has nothing but plain shapes and texts.
fn parsed(svg: &str) -> Option<PlainPicture<'_>> {
    let body = svg.trim().strip_prefix("<svg")?.strip_suffix("</svg>")?;
    let (attributes, body) = body.split_once('>')?;
    // Within a page a picture needs no name space.
    let attributes = attributes.strip_prefix(NAME_SPACE).unwrap_or(attributes);
    let mut parts = Vec::new();
    let mut rest = body.trim_start();
    while !rest.is_empty() {
        let end = end_of_part(rest)?;
        parts.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    are_plain(attributes).then_some(PlainPicture { attributes, parts })
}

/// The length of the shape or text that a picture goes on with.
fn end_of_part(rest: &str) -> Option<usize> {
    let tag_end = rest.find('>')?;
    let tag = rest[..tag_end].strip_prefix('<')?;
    let (name, attributes) = tag.split_once(' ')?;
    let alone = attributes.strip_suffix('/');
    let is_plain = is_among(SHAPES, name) && are_plain(alone.unwrap_or(attributes));
    if !is_plain {
        return None;
    }
    match alone {
        Some(_) => Some(tag_end + 1),
        None => {
            let text = &rest[tag_end + 1..];
            let close = text.find('<')?;
            let is_closed = text[close..].starts_with("</text>") && name == "text";
            (is_closed && !text[..close].contains(['>', '&']))
                .then_some(tag_end + 1 + close + "</text>".len())
        }
    }
}

/// Returns whether a name is one of these, which have blanks between them.
fn is_among(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known == name)
}

/// Returns whether attributes are known and their values harmless: no address, no script.
fn are_plain(attributes: &str) -> bool {
    let mut rest = attributes.trim();
    while !rest.is_empty() {
        let Some((name, after)) = rest.split_once("=\"") else {
            return false;
        };
        let Some((value, after)) = after.split_once('"') else {
            return false;
        };
        let is_value = |c: char| c.is_ascii_alphanumeric() || " #.,%+-".contains(c);
        let is_plain = match name {
            "class" => value == "down",
            name => is_among(ATTRIBUTES, name) && value.chars().all(is_value),
        };
        if !is_plain {
            return false;
        }
        rest = after.trim_start();
    }
    true
}

/// Parts of pictures by number: shapes first met, then joined pairs.
#[derive(Debug, Default)]
struct Grammar<'svg> {
    numbers: HashMap<&'svg str, usize>,
    parts: Vec<Part<'svg>>,
}

#[derive(Clone, Copy, Debug)]
enum Part<'svg> {
    Shape(&'svg str),
    Pair(usize, usize),
}

impl<'svg> Grammar<'svg> {
    fn part(&mut self, text: &'svg str) -> usize {
        *self.numbers.entry(text).or_insert_with(|| {
            self.parts.push(Part::Shape(text));
            self.parts.len() - 1
        })
    }

    /// Joins the most frequent pairs of neighbours of which none has a part of another; returns
    /// whether there was one.
    fn join_pairs(&mut self, pictures: &mut [Vec<usize>]) -> bool {
        let mut counts: HashMap<(usize, usize), usize> = HashMap::new();
        for pair in pictures.iter().flat_map(|parts| parts.windows(2)) {
            *counts.entry((pair[0], pair[1])).or_default() += 1;
        }
        let mut pairs: Vec<_> = counts.into_iter().filter(|pair| pair.1 >= LEAST).collect();
        pairs.sort_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
        let mut taken = vec![false; self.parts.len()];
        let mut joined = HashMap::new();
        for (pair, _) in pairs {
            if pair.0 != pair.1 && !taken[pair.0] && !taken[pair.1] {
                (taken[pair.0], taken[pair.1]) = (true, true);
                joined.insert(pair, self.parts.len());
                self.parts.push(Part::Pair(pair.0, pair.1));
            }
        }
        for parts in pictures {
            *parts = with_pairs(parts, &joined);
        }
        !joined.is_empty()
    }
}

fn with_pairs(parts: &[usize], joined: &HashMap<(usize, usize), usize>) -> Vec<usize> {
    let mut out = Vec::with_capacity(parts.len());
    let mut index = 0;
    while let Some(&part) = parts.get(index) {
        let pair = parts
            .get(index + 1)
            .and_then(|next| joined.get(&(part, *next)));
        out.push(*pair.unwrap_or(&part));
        index += 1 + usize::from(pair.is_some());
    }
    out
}

/// Writes parts: in their place if they occur once, otherwise by their name.
struct PartWriter<'all> {
    grammar: &'all Grammar<'all>,
    prefix: &'all str,
    counts: Vec<usize>,
}

impl<'all> PartWriter<'all> {
    fn of(grammar: &'all Grammar<'all>, pictures: &[Vec<usize>], prefix: &'all str) -> Self {
        let mut counts = vec![0; grammar.parts.len()];
        for &part in pictures.iter().flatten() {
            counts[part] += 1;
        }
        // A pair comes after its parts, so that whether it is left is known before they are.
        for (number, part) in grammar.parts.iter().enumerate().rev() {
            if let (Part::Pair(first, second), 1..) = (part, counts[number]) {
                counts[*first] += 1;
                counts[*second] += 1;
            }
        }
        Self {
            grammar,
            prefix,
            counts,
        }
    }

    fn definitions(&self) -> String {
        let shared = (0..self.counts.len()).filter(|&number| self.counts[number] > 1);
        let lines = shared.map(|number| self.written(number, true) + "\n");
        lines.collect()
    }

    fn uses(&self, parts: &[usize]) -> String {
        parts.iter().map(|&number| self.used(number)).collect()
    }

    fn used(&self, number: usize) -> String {
        match self.counts[number] {
            1 => self.written(number, false),
            _ => format!("<use href=\"#{}{number}\"/>", self.prefix),
        }
    }

    fn written(&self, number: usize, is_named: bool) -> String {
        let mut id = String::new();
        if is_named {
            let _ = write!(id, " id=\"{}{number}\"", self.prefix);
        }
        match self.grammar.parts[number] {
            Part::Shape(text) => text.replacen(' ', &format!("{id} "), 1),
            Part::Pair(first, second) => {
                let both = [first, second].map(|part| self.used(part)).concat();
                if is_named {
                    format!("<g{id}>{both}</g>")
                } else {
                    both
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(body: &str) -> String {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">\n{body}</svg>\n")
    }

    fn disc(x: usize) -> String {
        format!("<circle cx=\"{x}\" cy=\"1\" r=\"1\"/>\n")
    }

    /// Puts the parts back in the place of their names.
    fn expanded(text: &str, parts: &HashMap<String, String>) -> String {
        let mut out = String::new();
        for part in text.split_inclusive("/>") {
            match part
                .strip_prefix("<use href=\"#")
                .and_then(|name| name.strip_suffix("\"/>"))
            {
                Some(name) => out += &expanded(&parts[name], parts),
                None => out += part,
            }
        }
        out
    }

    #[test]
    fn every_picture_is_whole_and_what_repeats_is_written_once() {
        let bodies: Vec<String> = (0..9)
            .map(|moved| {
                (0..20)
                    .map(|x| disc(if x == 10 { 90 + moved } else { x }))
                    .collect()
            })
            .collect();
        let svgs: Vec<String> = bodies.iter().map(|body| svg(body)).collect();
        let texts: Vec<Option<&str>> = svgs.iter().map(|svg| Some(svg.as_str())).collect();
        let boards = boards(&texts, "b");
        let definitions = boards.parts.lines().map(|line| {
            let (before, after) = line.split_once(" id=\"").unwrap();
            let (name, after) = after.split_once('"').unwrap();
            let part = match before {
                "<g" => after[1..].trim_end_matches("</g>").to_owned(),
                shape => format!("{shape}{after}"),
            };
            (name.to_owned(), part)
        });
        let parts: HashMap<String, String> = definitions.collect();
        for (body, picture) in bodies.iter().zip(&boards.pictures) {
            let (attributes, content) = picture.as_ref().unwrap();
            assert_eq!(attributes, " viewBox=\"0 0 9 9\"");
            assert_eq!(expanded(content, &parts), body.replace('\n', ""));
        }
        let size = |text: &str| text.matches("<circle").count();
        let all: usize = boards
            .pictures
            .iter()
            .flatten()
            .map(|one| size(&one.1))
            .sum();
        assert_eq!(size(&boards.parts) + all, 19 + 9);
    }

    #[test]
    fn only_plain_pictures_become_markup() {
        let wrong = [
            "<script>1</script>",
            "<rect onload=\"1\"/>",
            "<rect fill=\"url(http://a)\"/>",
            "<image href=\"a\"/>",
            "<text x=\"1\">a&lt;b</text>",
            "<text x=\"1\">a<rect x=\"1\"/></text>",
            "<rect x=\"1\"",
            "text",
        ];
        for body in wrong {
            let boards = boards(&[Some(&svg(body)), None], "b");
            assert_eq!(boards.pictures, [None, None], "{body}");
        }
        for root in [
            "<svg onload='1'></svg>",
            "<svg onload=\"1\"></svg>",
            "<b></b>",
        ] {
            assert_eq!(boards(&[Some(root)], "b").pictures, [None], "{root}");
        }
        let hidden = svg("<text class=\"down\" x=\"1\">7♥</text>");
        assert!(boards(&[Some(&hidden)], "b").has_hidden);
    }
}
