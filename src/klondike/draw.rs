//! Positions and moves as text for a person.

use super::card::{Card, CardSet};
use super::deal::tops;
use super::position::Position;

/// The tableau with heads on top and the foundations above it; a lower-case suit is face down.
pub fn board(position: &Position) -> String {
    tableau(position, |card| card.face().symbol(true))
}

/// The same as a person sees it: `??` for a card face down.
pub fn seen(position: &Position) -> String {
    tableau(position, |_| "??".to_owned())
}

/// The tableau, `hidden` writing the face-down cards.
fn tableau(position: &Position, hidden: impl Fn(Card) -> String) -> String {
    let symbol = |card: Card| {
        if position.face_down().contains(card) {
            hidden(card)
        } else {
            card.face().symbol(false)
        }
    };
    let columns: Vec<Vec<String>> = position
        .columns()
        .map(|head| position.pile(head).map(symbol).collect())
        .collect();
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines = vec![foundations(position.founded()), String::new()];
    for row in 0..height.max(1) {
        let cell = |column: &Vec<String>| match column.get(row) {
            Some(symbol) => format!(" {symbol}"),
            None if row == 0 => " --".to_owned(),
            None => "   ".to_owned(),
        };
        let line: String = columns.iter().map(cell).collect();
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}

/// The foundations in a line.
fn foundations(founded: CardSet) -> String {
    let tops = tops(founded).map(|card| card.map_or("--".to_owned(), |card| card.to_string()));
    format!(" {}   ({} of 52)", tops.join(" "), founded.len())
}

/// Width and height of a card, the height shown of one with another on it, and the gap between
/// columns, in pixels.
const CARD: (usize, usize) = (44, 60);
const SHOWN: usize = 21;
const GAP: usize = 8;

/// The tableau as a stand-alone SVG picture, the foundations above it; face-down cards are dark,
/// and the card `moved` last is framed.
pub fn svg(position: &Position, moved: Option<Card>) -> String {
    let columns: Vec<Vec<Card>> = position
        .columns()
        .map(|head| position.pile(head).collect())
        .collect();
    let longest = columns.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let width = GAP + columns.len().max(4) * (CARD.0 + GAP);
    let height = 2 * (CARD.1 + GAP) + (longest - 1) * SHOWN + GAP;
    let mut drawn = String::new();
    for (suit, top) in tops(position.founded()).into_iter().enumerate() {
        let left = GAP + suit * (CARD.0 + GAP);
        drawn.push_str(&top.map_or_else(
            || place(left, GAP),
            |card| face(left, GAP, card, Look::Plain),
        ));
    }
    for (column, cards) in columns.iter().enumerate() {
        let (left, top) = (GAP + column * (CARD.0 + GAP), 2 * GAP + CARD.1);
        if cards.is_empty() {
            drawn.push_str(&place(left, top));
        }
        for (row, &card) in cards.iter().enumerate() {
            let look = if position.face_down().contains(card) {
                Look::Down
            } else if Some(card) == moved {
                Look::Moved
            } else {
                Look::Plain
            };
            drawn.push_str(&face(left, top + row * SHOWN, card, look));
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"16\">\n{drawn}</svg>\n"
    )
}

/// A place without a card.
fn place(left: usize, top: usize) -> String {
    let (width, height) = CARD;
    format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"4\" \
         fill=\"none\" stroke=\"#999\" stroke-dasharray=\"4 3\"/>\n"
    )
}

/// How a card is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Plain,
    /// Face down.
    Down,
    /// Framed.
    Moved,
}

/// A card.
fn face(left: usize, top: usize, card: Card, look: Look) -> String {
    let (width, height) = CARD;
    let is_red = matches!(card.suit(), 1 | 2);
    let (fill, ink) = match (look, is_red) {
        (Look::Down, _) => ("#4d6a85", "#d5dfe8"),
        (_, true) => ("#fffdf6", "#b01818"),
        (_, false) => ("#fffdf6", "#1a1a1a"),
    };
    let (edge, thick) = match look {
        Look::Moved => ("#d98200", 3),
        _ => ("#555", 1),
    };
    let (x, y) = (left + 5, top + 16);
    format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"4\" \
         fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"{thick}\"/>\n\
         <text x=\"{x}\" y=\"{y}\" fill=\"{ink}\">{}</text>\n",
        card.face().pip()
    )
}

/// A move in words.
pub fn caption(card: Card) -> String {
    match card.higher() {
        Some(target) => format!("{card} onto {target}"),
        None => format!("{card} to an empty column"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_shows_foundations_columns_and_face_down_cards() {
        let deal = "2C AC | 3c Kc 4C | 5C 6C 7C 8C 9C TC JC QC AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS \
            AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH";
        let drawn = board(&Position::new(&deal.parse().unwrap()));
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[0], " 2C -- -- --   (2 of 52)");
        assert_eq!(
            lines[2..6],
            [" -- 3c 5C", "    Kc 6C", "    4C 7C", "       8C"]
        );
    }

    #[test]
    fn a_picture_has_every_card_once_and_empty_places() {
        let deal = "2C AC | 3c Kc 4C | 5C 6C 7C 8C 9C TC JC QC AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS \
            AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH";
        let picture = svg(&Position::new(&deal.parse().unwrap()), None);
        // All 52 but the ace under the two on the foundation; three foundations and a column.
        assert_eq!(picture.matches("<text").count(), 51);
        assert_eq!(picture.matches("stroke-dasharray").count(), 4);
        assert_eq!(picture.matches("#4d6a85").count(), 2);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    }

    #[test]
    fn a_move_names_where_it_goes() {
        let card = |text: &str| Card::read(text).unwrap();
        assert_eq!(caption(card("7D")), "7D onto 8D");
        assert_eq!(caption(card("KS")), "KS to an empty column");
    }
}
