//! Positions and moves as text for a person.

use super::card::Card;
use super::deal::tops;
use super::position::Position;
use cards::draw::{self, CardPicture};

/// The tableau with heads on top and the foundations above it; a lower-case suit is face down.
pub fn board(position: &Position) -> String {
    tableau(position, |card| card.face().symbol(true))
}

/// Draws the tableau as a person sees it: `??` for a card face down.
pub(crate) fn seen(position: &Position) -> String {
    tableau(position, |_| "??".to_owned())
}

/// The tableau, `hidden` writing the face-down cards.
fn tableau(position: &Position, hidden: impl Fn(Card) -> String) -> String {
    let symbol = |card: Card| {
        if position.face_down().contains(card) {
            hidden(card)
        } else {
            card.to_string()
        }
    };
    let columns = position.columns();
    let columns: Vec<Vec<String>> = columns
        .map(|head| position.pile(head).map(symbol).collect())
        .collect();
    let tops = tops(position.founded()).map(|card| card.map(Card::face));
    let foundations = draw::foundations(tops, position.founded().len(), 52);
    let lines = [foundations, String::new()];
    let lines: Vec<String> = lines.into_iter().chain(draw::columns(&columns)).collect();
    lines.join("\n")
}

/// The tableau as a stand-alone SVG picture, the foundations above it; face-down cards are dark,
/// and the card `moved` last is framed.
pub fn svg(position: &Position, moved: Option<Card>) -> String {
    let mut picture = CardPicture::default();
    for (foundation, top) in tops(position.founded()).into_iter().enumerate() {
        picture.pile(foundation, top.map(Card::face));
    }
    // A card that went on to its foundation is not framed there.
    picture.frame(moved.map(Card::face));
    let mut columns = 0;
    for head in position.columns() {
        let pile = || position.pile(head);
        let down = pile().filter(|&card| position.face_down().contains(card));
        picture.column(columns, pile().map(Card::face), down.count());
        columns += 1;
    }
    picture.svg(columns.max(4))
}

/// A move in words.
pub fn caption(card: Card) -> String {
    let pip = card.face().pip();
    match card.higher() {
        Some(target) => format!("{pip} onto {}", target.face().pip()),
        None => format!("{pip} to an empty column"),
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
        assert_eq!(picture.matches("class=\"down\"").count(), 2);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    }

    #[test]
    fn a_move_names_where_it_goes() {
        let card = |text: &str| Card::read(text).unwrap();
        assert_eq!(caption(card("7D")), "7♦ onto 8♦");
        assert_eq!(caption(card("KS")), "K♠ to an empty column");
    }
}
