//! Boards of a game as images in the page, in which no script runs.

use indexmap::IndexSet;

/// The class of the parts of a board that a player cannot see.
const HIDDEN: &str = "class=\"down\"";
/// The end of the elements that have it.
const END: &str = "</text>";

/// A picture without the cards that lie face down, and these alone, if there are any: laid on each other, they
/// are the whole picture.
fn layers(svg: &str) -> [Option<String>; 2] {
    let (mut seen, mut hidden, mut rest) = (String::new(), String::new(), svg);
    while let Some((start, end)) = next_hidden(rest) {
        seen.push_str(&rest[..start]);
        hidden.push_str(&rest[start..end]);
        rest = &rest[end..];
    }
    seen.push_str(rest);
    let open = svg.find('>').map_or("", |end| &svg[..=end]);
    let hidden = (!hidden.is_empty()).then(|| format!("{open}{hidden}</svg>"));
    [Some(seen), hidden]
}

/// Pictures that follow one another and are much alike, told by the elements that they are made of: each element is
/// kept once, and each picture says what it keeps of the one before.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    known: IndexSet<String>,
    /// The elements of the picture before, in each layer.
    before: [Vec<usize>; 2],
    /// The addresses of the first picture in each layer.
    pub(super) first: [Option<String>; 2],
}

impl Pictures {
    /// The changes to this picture in both layers, of those that it has.
    pub(super) fn tell(&mut self, svg: &str) -> [Option<String>; 2] {
        let [seen, hidden] = layers(svg);
        [self.layer(0, seen), self.layer(1, hidden)]
    }

    fn layer(&mut self, layer: usize, svg: Option<String>) -> Option<String> {
        let svg = svg?;
        let address = || address("image/svg+xml", &svg);
        self.first[layer].get_or_insert_with(address);
        Some(self.change(layer, &svg))
    }

    /// The change from the picture before to this one: how many elements at the beginning and at the end are kept,
    /// and the numbers of those between.
    fn change(&mut self, layer: usize, svg: &str) -> String {
        let elements = svg.split_inclusive('>').map(str::to_owned);
        let now: Vec<usize> = elements.map(|one| self.known.insert_full(one).0).collect();
        let alike = |(one, other): &(&usize, &usize)| one == other;
        let head = now
            .iter()
            .zip(&self.before[layer])
            .take_while(alike)
            .count();
        let rest = [&now[head..], &self.before[layer][head..]].map(|rest| rest.iter().rev());
        let [own, other] = rest;
        let tail = own.zip(other).take_while(alike).count();
        let fresh = now[head..now.len() - tail].iter();
        let numbers: Vec<String> = [head, tail]
            .iter()
            .chain(fresh)
            .map(usize::to_string)
            .collect();
        self.before[layer] = now;
        numbers.join(" ")
    }

    /// All elements as JSON.
    pub(super) fn to_json(&self) -> String {
        let known: Vec<&String> = self.known.iter().collect();
        serde_json::to_string(&known).unwrap_or_default()
    }
}

/// The bytes of the next element that a player cannot see.
fn next_hidden(svg: &str) -> Option<(usize, usize)> {
    let class = svg.find(HIDDEN)?;
    let start = svg[..class].rfind('<')?;
    let end = class + svg[class..].find(END)? + END.len();
    Some((start, end))
}

/// A file of this type as an address that holds it. Whatever may mean something in an address or
/// in a page is encoded.
pub(super) fn address(kind: &str, text: &str) -> String {
    let mut address = format!("data:{kind},");
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~ =:,;()*+!".contains(&byte) {
            address.push(char::from(byte));
        } else {
            address.push_str(&format!("%{byte:02X}"));
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_hold_every_element_once() {
        let down = |card: &str| format!("<text x=\"1\" class=\"down\">{card}</text>");
        let (open, rect) = ("<svg viewBox=\"0 0 9 9\">", "<rect x=\"1\"/>\n");
        let both = format!("{open}{rect}{}{rect}{}</svg>", down("Q"), down("7"));
        let [seen, hidden] = layers(&both);
        let image = |parts: &[&str]| Some(format!("{open}{}</svg>", parts.concat()));
        assert_eq!(seen, image(&[rect, rect]));
        assert_eq!(hidden, image(&[&down("Q"), &down("7")]));
        let plain = format!("{open}{rect}</svg>");
        assert_eq!(layers(&plain), [image(&[rect]), None]);
        for torn in [
            "class=\"down\"",
            "<svg><text class=\"down\">",
            "</text>",
            "",
        ] {
            assert_eq!(layers(torn), [Some(torn.to_owned()), None]);
        }
    }

    /// A board with elements of every kind, after which some are others, missing or new.
    #[test]
    fn pictures_are_made_again_of_their_changes() {
        let boards = [
            "<svg><a/><b/><c>Q</c></svg>",
            "<svg><a/><d/><c>Q</c></svg>",
            "<svg></svg>",
            "",
            "<svg><a/><a/></svg>",
            "<svg><a/></svg>",
            "torn > text <",
        ];
        let mut pictures = Pictures::default();
        let changes = boards.map(|board| pictures.change(0, board));
        assert_eq!(changes[1], "2 3 6");
        let known: Vec<String> = serde_json::from_str(&pictures.to_json()).unwrap();
        let mut now: Vec<usize> = Vec::new();
        for (board, change) in boards.iter().zip(&changes) {
            let numbers: Vec<usize> = change
                .split(' ')
                .map(|word| word.parse().unwrap())
                .collect();
            let [head, tail, fresh @ ..] = numbers.as_slice() else {
                panic!("{change}");
            };
            now = [&now[..*head], fresh, &now[now.len() - tail..]].concat();
            let made: String = now.iter().map(|&one| known[one].as_str()).collect();
            assert_eq!(made, *board, "{change}");
        }
    }
}
