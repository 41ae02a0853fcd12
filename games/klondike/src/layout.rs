//! Layouts: how many cards lie face down and face up in each column after the deal.
//!
//! The book's page with the layout is lost, so the layout is data. The default is the tableau of
//! Yukon and Russian Solitaire, games of the same family that are played today.

use std::fmt;
use std::str::FromStr;

use super::deck::Deck;

/// The most columns a layout may have.
pub(crate) const MAX_COLUMNS: usize = 10;

/// Layouts with a name.
const NAMED: &[(&str, &str)] = &[
    ("yukon", "0:1,1:5,2:5,3:5,4:5,5:5,6:5"),
    ("open", "0:8,0:8,0:8,0:7,0:7,0:7,0:7"),
];

/// A column of a layout. If it has any card, its last one is face up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColumnShape {
    /// Cards face down, at the head.
    pub down: u8,
    /// Cards face up, on top of them.
    pub up: u8,
}

impl ColumnShape {
    /// The number of cards.
    pub fn cards(self) -> usize {
        usize::from(self.down) + usize::from(self.up)
    }
}

/// The shape of the tableau: 1 to `MAX_COLUMNS` columns that hold a deck together, but for the
/// cards on the foundations of a game in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The columns, and empty ones beyond: a deal needs no memory of its own.
    shapes: [ColumnShape; MAX_COLUMNS],
    columns: u8,
    deck: Deck,
}

impl Layout {
    /// Reads a layout that holds a deck, as [`Layout::from_str`] reads one of 52 cards.
    ///
    /// # Errors
    /// As [`Layout::of_deck`], or says which column cannot be read.
    pub fn parse(text: &str, deck: Deck) -> Result<Layout, LayoutError> {
        let named = NAMED.iter().find(|(name, _)| *name == text.trim());
        let shapes = named.map_or(text, |(_, shapes)| *shapes);
        let columns = shapes.split(',').enumerate().map(|(i, shape)| {
            read_shape(shape).ok_or_else(|| LayoutError::Shape {
                column: i + 1,
                text: shape.trim().to_owned(),
            })
        });
        Layout::of_deck(columns.collect::<Result<_, _>>()?, deck)
    }

    /// A layout from its columns.
    ///
    /// # Errors
    /// Says which column is at fault, or how many cards there are in place of the deck's.
    pub fn of_deck(columns: Vec<ColumnShape>, deck: Deck) -> Result<Layout, LayoutError> {
        Layout::holding(columns, deck, deck.size())
    }

    /// A layout of those cards of the whole pack that are not on the foundations yet.
    ///
    /// # Errors
    /// As [`Layout::of_deck`].
    pub(crate) fn of_cards(columns: Vec<ColumnShape>, cards: usize) -> Result<Layout, LayoutError> {
        Layout::holding(columns, Deck::FULL, cards)
    }

    fn holding(
        columns: Vec<ColumnShape>,
        deck: Deck,
        expected: usize,
    ) -> Result<Layout, LayoutError> {
        if columns.is_empty() || columns.len() > MAX_COLUMNS {
            return Err(LayoutError::Columns(columns.len()));
        }
        let hidden = |shape: &ColumnShape| shape.up == 0 && shape.down > 0;
        if let Some(column) = columns.iter().position(hidden) {
            return Err(LayoutError::LastFaceDown(column + 1));
        }
        match columns.iter().map(|shape| shape.cards()).sum() {
            cards if cards == expected => {
                let mut shapes = [ColumnShape::default(); MAX_COLUMNS];
                shapes[..columns.len()].copy_from_slice(&columns);
                Ok(Layout {
                    shapes,
                    columns: columns.len() as u8,
                    deck,
                })
            }
            cards => Err(LayoutError::Cards {
                cards,
                deck: expected,
            }),
        }
    }

    /// The deck it holds.
    pub fn deck(&self) -> Deck {
        self.deck
    }

    /// The columns in order.
    pub fn columns(&self) -> &[ColumnShape] {
        &self.shapes[..usize::from(self.columns)]
    }
}

impl FromStr for Layout {
    type Err = LayoutError;

    /// Reads a layout of 52 cards: a name of `NAMED` or one `down:up` a column, separated by commas.
    fn from_str(text: &str) -> Result<Layout, LayoutError> {
        Layout::parse(text, Deck::FULL)
    }
}

fn read_shape(text: &str) -> Option<ColumnShape> {
    let (down, up) = text.split_once(':')?;
    Some(ColumnShape {
        down: down.trim().parse().ok()?,
        up: up.trim().parse().ok()?,
    })
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, shape) in self.columns().iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{}:{}", shape.down, shape.up)?;
        }
        Ok(())
    }
}

/// An error: a text is not a layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// A column that is not `down:up`.
    #[error("column {column} of the layout is `{text}`, which is not of the form `down:up`")]
    Shape {
        /// The column, counted from 1.
        column: usize,
        /// The text at fault.
        text: String,
    },
    /// Too few or too many columns.
    #[error("the layout has {0} columns; it may have 1 to {MAX_COLUMNS}")]
    Columns(usize),
    /// A column that ends with a face-down card.
    #[error("column {0} of the layout has no face-up card on its face-down cards")]
    LastFaceDown(usize),
    /// A number of cards that makes no whole deck.
    #[error("the layout holds {cards} cards instead of {deck}")]
    Cards {
        /// The cards of its columns.
        cards: usize,
        /// The cards of the deck.
        deck: usize,
    },
}

impl LayoutError {
    /// The advice to the user.
    pub const HELP: &'static str = "give `yukon`, `open`, or `down:up` for each column, \
        as many cards as the deck has (52 without a small deck), such as `0:1,1:5,2:5,3:5,4:5,5:5,6:5`";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yukon_is_a_name_for_its_columns() {
        let yukon: Layout = "yukon".parse().unwrap();
        assert_eq!(yukon.to_string(), "0:1,1:5,2:5,3:5,4:5,5:5,6:5");
        assert_eq!(yukon.to_string().parse(), Ok(yukon));
        assert!(NAMED.iter().all(|(name, _)| name.parse::<Layout>().is_ok()));
    }

    #[test]
    fn impossible_layouts_are_refused_with_the_column_at_fault() {
        let error = |text: &str| text.parse::<Layout>().unwrap_err();
        assert_eq!(
            error("0:51"),
            LayoutError::Cards {
                cards: 51,
                deck: 52
            }
        );
        assert_eq!(error("52:0"), LayoutError::LastFaceDown(1));
        assert_eq!(
            error("0:10,42"),
            LayoutError::Shape {
                column: 2,
                text: "42".into()
            }
        );
        assert_eq!(
            error("0:10,-1:9"),
            LayoutError::Shape {
                column: 2,
                text: "-1:9".into()
            }
        );
        assert_eq!(
            error("0:5,0:5,0:5,0:5,0:5,0:5,0:5,0:5,0:5,0:5,0:2"),
            LayoutError::Columns(11)
        );
        assert!(matches!(error(""), LayoutError::Shape { column: 1, .. }));
        assert_eq!(
            error("0:255,0:255"),
            LayoutError::Cards {
                cards: 510,
                deck: 52
            }
        );
    }

    #[test]
    fn an_empty_column_is_a_column() {
        let layout: Layout = "0:0, 0:52".parse().unwrap();
        assert_eq!(layout.columns().len(), 2);
    }
}
