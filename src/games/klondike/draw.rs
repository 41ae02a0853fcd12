//! Positions and moves as text for a person.

use super::card::{Card, CardSet};
use super::position::Position;

/// The tableau with heads on top and the foundations above it; a lower-case suit is face down.
pub fn board(position: &Position) -> String {
    let columns: Vec<Vec<String>> = position
        .columns()
        .map(|head| {
            let pile = position.pile(head);
            pile.map(|card| card.symbol(position.face_down().contains(card)))
                .collect()
        })
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

/// The top card of each foundation.
fn foundations(founded: CardSet) -> String {
    let top = |suit| (1..=13).rev().filter_map(move |rank| Card::new(suit, rank));
    let tops: Vec<String> = (0..4)
        .map(|suit| top(suit).find(|&card| founded.contains(card)))
        .map(|card| card.map_or("--".to_owned(), |card| card.to_string()))
        .collect();
    format!(" {}   ({} of 52)", tops.join(" "), founded.len())
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
    fn a_move_names_where_it_goes() {
        let card = |text: &str| {
            let mut letters = text.chars();
            Card::from_symbol(letters.next().unwrap(), letters.next().unwrap()).unwrap()
        };
        assert_eq!(caption(card("7D")), "7D onto 8D");
        assert_eq!(caption(card("KS")), "KS to an empty column");
    }
}
