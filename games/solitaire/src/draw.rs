//! Tables as text and as pictures, moves in words.

use super::card::Card;
use super::table::{CardTable, Move, TableauColumn};
use cards::draw::{self, CardPicture};

/// The cards that a drawing shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The sight of all cards: a lower-case suit is face down.
    All,
    /// The sight of a player: `??` is a card face down.
    Player,
}

/// The table in lines: foundations, waste and stock, then the columns with their bases on top.
pub fn board(table: &CardTable, sight: Sight) -> String {
    let columns: Vec<Vec<String>> = table
        .columns()
        .iter()
        .map(|column| symbols(column, sight))
        .collect();
    let lines = [foundations(table), stock(table), String::new()];
    let lines: Vec<String> = lines.into_iter().chain(draw::columns(&columns)).collect();
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
    let tops = [0, 1, 2, 3].map(|suit| table.foundation_top(suit).map(Card::face));
    draw::foundations(tops, u32::from(table.founded()), u32::from(table.cards()))
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

/// The table as a stand-alone SVG picture: foundations, waste and stock above the columns; cards
/// face down are dark, and the card `moved` last is framed.
pub fn svg(table: &CardTable, moved: Option<Card>) -> String {
    let mut picture = CardPicture::default();
    picture.frame(moved.map(Card::face));
    for suit in 0..4 {
        let top = table.foundation_top(suit).map(Card::face);
        picture.pile(usize::from(suit), top);
    }
    picture.pile(5, table.waste().last().map(|card| card.face()));
    picture.stock(7, table.stock().len());
    for (place, column) in table.columns().iter().enumerate() {
        let cards = column.cards().iter().map(|card| card.face());
        picture.column(place, cards, column.face_down());
    }
    picture.svg(8)
}

/// A legal move in words.
pub fn caption(table: &CardTable, play: Move) -> String {
    let card = table
        .moved_card(play)
        .map_or_else(String::new, |card| card.face().pip());
    let onto = |to: u8| match table
        .columns()
        .get(usize::from(to))
        .and_then(TableauColumn::top)
    {
        Some(top) => format!("{card} onto {}", top.face().pip()),
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

/// A legal move as a step of a story: "draws", "takes the A♠ to its foundation".
pub fn told(table: &CardTable, play: Move) -> String {
    let caption = caption(table, play).replace(" onto ", " onto the ");
    match play {
        Move::Draw => "draws".to_owned(),
        Move::Recycle => "turns the waste over".to_owned(),
        Move::WasteToFoundation | Move::ColumnToFoundation { .. } => format!("takes the {caption}"),
        Move::FoundationToColumn { .. } => {
            caption.replacen("back from its foundation", "brings back the", 1)
        }
        Move::WasteToColumn { .. } | Move::ColumnToColumn { .. } => format!("moves the {caption}"),
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
        // The number on the stock is seen.
        assert_eq!(picture.matches("class=\"down\"").count(), 21);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        let framed = svg(&table().after(Move::Draw), Card::read("8C"));
        assert_eq!(framed.matches("#d98200").count(), 1);
    }

    #[test]
    fn moves_are_told_by_their_cards() {
        let table = table();
        let captions: Vec<String> = table
            .moves()
            .iter()
            .map(|&play| caption(&table, play))
            .collect();
        assert_eq!(
            captions.join(", "),
            "A♥ to its foundation, A♣ to its foundation, A♣ onto 2♦, 3♦ onto 4♣, 6♥ onto 7♠, draw"
        );
        let steps = table.moves();
        let steps = [steps[0], steps[2], *steps.last().unwrap()].map(|play| told(&table, play));
        let expected = [
            "takes the A♥ to its foundation",
            "moves the A♣ onto the 2♦",
            "draws",
        ];
        assert_eq!(steps, expected);
        let after = table.after(Move::ColumnToFoundation { from: 0 });
        let back = Move::FoundationToColumn { suit: 0, to: 0 };
        assert_eq!(told(&after, back), "brings back the A♥ to an empty column");
    }
}
