//! Tables as text and as pictures, moves in words.

use super::card::Card;
use super::table::{CardTable, Move, TableauColumn};

/// Which cards a drawing shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// All: a lower-case suit is face down.
    All,
    /// What a player sees: `??` is a card face down.
    Player,
}

/// The table in lines: foundations, waste and stock, then the columns with their bases on top.
pub fn board(table: &CardTable, sight: Sight) -> String {
    let columns: Vec<Vec<String>> = table
        .columns()
        .iter()
        .map(|column| symbols(column, sight))
        .collect();
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines = vec![foundations(table), stock(table), String::new()];
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

fn symbols(column: &TableauColumn, sight: Sight) -> Vec<String> {
    let symbol = |(i, card): (usize, &Card)| {
        let is_down = i < column.face_down();
        if is_down && sight == Sight::Player {
            "??".to_owned()
        } else {
            card.face().symbol(is_down)
        }
    };
    column.cards().iter().enumerate().map(symbol).collect()
}

fn foundations(table: &CardTable) -> String {
    let top = |suit| table.foundation_top(suit).map(|card| card.to_string());
    let tops = [0, 1, 2, 3].map(|suit| top(suit).unwrap_or_else(|| "--".to_owned()));
    format!(
        " {}   ({} of {})",
        tops.join(" "),
        table.founded(),
        table.cards()
    )
}

/// The waste's last cards and how much is left to draw.
fn stock(table: &CardTable) -> String {
    let waste = table.waste();
    let shown = &waste[waste.len().saturating_sub(3)..];
    let shown: Vec<String> = shown.iter().map(Card::to_string).collect();
    let waste = if shown.is_empty() {
        "--".to_owned()
    } else {
        shown.join(" ")
    };
    let pass = match table.rules().passes {
        Some(passes) => format!(", pass {} of {passes}", table.pass() + 1),
        None => String::new(),
    };
    format!(" waste {waste}   (stock {}{pass})", table.stock().len())
}

/// Width and height of a card, the height shown of one with another on it, and the gap between
/// columns, in pixels.
const CARD: (usize, usize) = (44, 60);
const SHOWN: usize = 21;
const GAP: usize = 8;

/// The table as a stand-alone SVG picture: foundations, waste and stock above the columns; cards
/// face down are dark, and the card `moved` last is framed.
pub fn svg(table: &CardTable, moved: Option<Card>) -> String {
    let longest = table.columns().iter().map(|column| column.cards().len());
    let longest = longest.max().unwrap_or(0).max(1);
    let width = GAP + 8 * (CARD.0 + GAP);
    let height = 2 * (CARD.1 + GAP) + (longest - 1) * SHOWN + GAP;
    let mut drawn = String::new();
    for suit in 0..4 {
        drawn.push_str(&pile(usize::from(suit), table.foundation_top(suit), moved));
    }
    drawn.push_str(&pile(5, table.waste().last().copied(), moved));
    drawn.push_str(&stock_pile(7, table.stock().len()));
    for (place, column) in table.columns().iter().enumerate() {
        drawn.push_str(&column_picture(place, column, moved));
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"16\">\n{drawn}</svg>\n"
    )
}

fn left(place: usize) -> usize {
    GAP + place * (CARD.0 + GAP)
}

/// The top card of a pile in the upper row.
fn pile(place: usize, top: Option<Card>, moved: Option<Card>) -> String {
    top.map_or_else(
        || empty(left(place), GAP),
        |card| face(left(place), GAP, card, look(card, moved)),
    )
}

/// The back of the stock, with the number of its cards.
fn stock_pile(place: usize, cards: usize) -> String {
    match cards {
        0 => empty(left(place), GAP),
        _ => {
            rectangle(left(place), GAP, Look::Down)
                + &label(left(place), GAP, "#d5dfe8", &cards.to_string())
        }
    }
}

fn column_picture(place: usize, column: &TableauColumn, moved: Option<Card>) -> String {
    let (left, top) = (left(place), 2 * GAP + CARD.1);
    if column.cards().is_empty() {
        return empty(left, top);
    }
    let card = |(row, &card): (usize, &Card)| {
        let look = if row < column.face_down() {
            Look::Down
        } else {
            look(card, moved)
        };
        face(left, top + row * SHOWN, card, look)
    };
    column.cards().iter().enumerate().map(card).collect()
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

fn look(card: Card, moved: Option<Card>) -> Look {
    if Some(card) == moved {
        Look::Moved
    } else {
        Look::Plain
    }
}

/// A place without a card.
fn empty(left: usize, top: usize) -> String {
    let (width, height) = CARD;
    format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"4\" \
         fill=\"none\" stroke=\"#999\" stroke-dasharray=\"4 3\"/>\n"
    )
}

fn face(left: usize, top: usize, card: Card, look: Look) -> String {
    let ink = match (look, card.is_red()) {
        (Look::Down, _) => "#d5dfe8",
        (_, true) => "#b01818",
        (_, false) => "#1a1a1a",
    };
    rectangle(left, top, look) + &label(left, top, ink, &card.face().pip())
}

fn rectangle(left: usize, top: usize, look: Look) -> String {
    let (width, height) = CARD;
    let fill = if look == Look::Down {
        "#4d6a85"
    } else {
        "#fffdf6"
    };
    let (edge, thick) = match look {
        Look::Moved => ("#d98200", 3),
        _ => ("#555", 1),
    };
    format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"4\" \
         fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"{thick}\"/>\n"
    )
}

fn label(left: usize, top: usize, ink: &str, text: &str) -> String {
    let (x, y) = (left + 5, top + 16);
    format!("<text x=\"{x}\" y=\"{y}\" fill=\"{ink}\">{text}</text>\n")
}

/// A legal move in words.
pub fn caption(table: &CardTable, play: Move) -> String {
    let card = table
        .moved_card(play)
        .map_or_else(String::new, |card| card.to_string());
    let onto = |to: u8| match table
        .columns()
        .get(usize::from(to))
        .and_then(TableauColumn::top)
    {
        Some(top) => format!("{card} onto {top}"),
        None => format!("{card} to an empty column"),
    };
    match play {
        Move::Draw => "draw".to_owned(),
        Move::Recycle => "turn the waste over".to_owned(),
        Move::WasteToFoundation | Move::ColumnToFoundation { .. } => {
            format!("{card} to its foundation")
        }
        Move::FoundationToColumn { to, .. } => format!("back from its foundation {}", onto(to)),
        Move::WasteToColumn { to } | Move::ColumnToColumn { to, .. } => onto(to),
    }
}

#[cfg(test)]
mod tests {
    use super::super::deal::Deal;
    use super::super::rules::{DeckShape, Rules};
    use super::*;

    fn table() -> CardTable {
        CardTable::new(&Deal::sorted(DeckShape::FULL), Rules::VEGAS_3)
    }

    #[test]
    fn a_board_shows_all_cards_or_what_a_player_sees() {
        let drawn = board(&table().after(Move::Draw), Sight::All);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[0], " -- -- -- --   (0 of 52)");
        assert_eq!(lines[1], " waste 8H 8D 8C   (stock 21, pass 1 of 3)");
        assert_eq!(lines[3], " AH Ad As 2c 3c 4s 6d");
        assert_eq!(lines[4].trim(), "AC 2h 2s 3s 5h 6c");
        let seen = board(&table(), Sight::Player);
        assert_eq!(seen.matches("??").count(), 21);
        assert!(seen.contains("waste --"));
    }

    #[test]
    fn a_picture_has_every_card_of_the_columns_and_the_stock_once() {
        let picture = svg(&table(), None);
        // 28 cards in the columns and the number on the stock; four foundations and no waste.
        assert_eq!(picture.matches("<text").count(), 29);
        assert_eq!(picture.matches("stroke-dasharray").count(), 5);
        assert_eq!(picture.matches("#4d6a85").count(), 22);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        let framed = svg(&table().after(Move::Draw), Card::read("8C"));
        assert_eq!(framed.matches("#d98200").count(), 1);
    }

    #[test]
    fn moves_are_told_by_their_cards() {
        let table = table();
        let told: Vec<String> = table
            .moves()
            .iter()
            .map(|&play| caption(&table, play))
            .collect();
        assert_eq!(
            told.join(", "),
            "AH to its foundation, AC to its foundation, AC onto 2D, 3D onto 4C, 6H onto 7S, draw"
        );
    }
}
