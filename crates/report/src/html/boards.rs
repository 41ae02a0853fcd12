//! Boards of a game as images in the page, in which no script runs.

/// The class of the parts of a board that a player cannot see.
const HIDDEN: &str = "class=\"down\"";
/// The end of the elements that have it.
const END: &str = "</text>";

/// The addresses of a picture without the cards that lie face down, and of these alone, if there are
/// any: laid on each other, they are the whole picture.
pub(super) fn layers(svg: &str) -> (String, Option<String>) {
    let (mut seen, mut hidden, mut rest) = (String::new(), String::new(), svg);
    while let Some((start, end)) = next_hidden(rest) {
        seen.push_str(&rest[..start]);
        hidden.push_str(&rest[start..end]);
        rest = &rest[end..];
    }
    seen.push_str(rest);
    let open = svg.find('>').map_or("", |end| &svg[..=end]);
    let whole = |parts: String| address("image/svg+xml", &format!("{open}{parts}</svg>"));
    let hidden = (!hidden.is_empty()).then(|| whole(hidden));
    (address("image/svg+xml", &seen), hidden)
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
        let (seen, hidden) = layers(&both);
        let image = |parts: &[&str]| {
            let svg = format!("{open}{}</svg>", parts.concat());
            address("image/svg+xml", &svg)
        };
        assert_eq!(seen, image(&[rect, rect]));
        assert_eq!(hidden, Some(image(&[&down("Q"), &down("7")])));
        let plain = format!("{open}{rect}</svg>");
        assert_eq!(layers(&plain), (image(&[rect]), None));
        for torn in [
            "class=\"down\"",
            "<svg><text class=\"down\">",
            "</text>",
            "",
        ] {
            assert_eq!(layers(torn), (address("image/svg+xml", torn), None));
        }
    }
}
