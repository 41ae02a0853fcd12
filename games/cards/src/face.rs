//! The rank and the suit that are printed on a card.

use std::fmt;

/// The ranks in order, ace first.
const RANKS: &str = "A23456789TJQK";
/// The suits in order.
const SUITS: &str = "CDHS";
/// The signs of the suits, black on a card of paper or its outline alone.
const SIGNS: [[char; 2]; 4] = [['♣', '♧'], ['♦', '♢'], ['♥', '♡'], ['♠', '♤']];

/// The face of a card: one of four suits, a rank from 1 (ace) to 13 (king).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face {
    suit: u8,
    rank: u8,
}

impl Face {
    /// The highest card of the last suit.
    pub const KING_OF_SPADES: Face = Face { suit: 3, rank: 13 };

    /// The face of a suit (0 to 3: clubs, diamonds, hearts, spades) and a rank (1 to 13).
    pub const fn new(suit: u8, rank: u8) -> Option<Face> {
        if suit < 4 && rank >= 1 && rank <= 13 {
            Some(Face { suit, rank })
        } else {
            None
        }
    }

    /// The suit, 0 to 3: clubs, diamonds, hearts, spades.
    pub const fn suit(self) -> u8 {
        self.suit
    }

    /// The rank, 1 to 13.
    pub const fn rank(self) -> u8 {
        self.rank
    }

    /// Returns whether the card is a heart or a diamond.
    pub(crate) const fn is_red(self) -> bool {
        matches!(self.suit, 1 | 2)
    }

    /// Reads a card as people write it, such as `TD`, `10d` or `10♦`, and says whether the suit is
    /// a small letter.
    pub fn read(symbol: &str) -> Option<(Face, bool)> {
        let symbol = symbol.trim_end_matches('\u{fe0f}');
        let suit = symbol.chars().next_back()?;
        let rank = match symbol.strip_suffix(suit)? {
            "10" => 10,
            rank => index(RANKS, rank.to_ascii_uppercase().parse().ok()?)? + 1,
        };
        let sign = SIGNS.iter().position(|signs| signs.contains(&suit));
        let letter = || index(SUITS, suit.to_ascii_uppercase());
        let face = Face::new(sign.map(|sign| sign as u8).or_else(letter)?, rank)?;
        Some((face, suit.is_ascii_lowercase()))
    }

    /// The card's rank and the sign of its suit, as printed on a card.
    pub fn pip(self) -> String {
        let rank = match self.rank {
            10 => "10",
            _ => self.rank_letter(),
        };
        format!("{rank}{}", SIGNS[usize::from(self.suit)][0])
    }

    /// The card's symbol: the suit in lower case where the card lies face down.
    pub fn symbol(self, face_down: bool) -> String {
        let suit = self.suit_letter();
        let suit = if face_down {
            suit.to_ascii_lowercase()
        } else {
            suit.to_owned()
        };
        format!("{}{suit}", self.rank_letter())
    }

    fn rank_letter(self) -> &'static str {
        let index = usize::from(self.rank) - 1;
        &RANKS[index..=index]
    }

    fn suit_letter(self) -> &'static str {
        let index = usize::from(self.suit);
        &SUITS[index..=index]
    }
}

/// The index of a letter in a list of them.
fn index(letters: &str, letter: char) -> Option<u8> {
    letters.find(letter).map(|index| index as u8)
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank_letter(), self.suit_letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deck() -> impl Iterator<Item = Face> {
        (0..4).flat_map(|suit| (1..=13).filter_map(move |rank| Face::new(suit, rank)))
    }

    #[test]
    fn every_card_is_read_however_people_write_it() {
        assert_eq!(deck().count(), 52);
        for face in deck() {
            let symbol = face.to_string();
            let lower = symbol.to_lowercase();
            let (capital, small) = (Some((face, false)), Some((face, true)));
            assert_eq!(Face::read(&symbol), capital);
            assert_eq!(Face::read(&lower), small);
            assert_eq!(Face::read(&face.symbol(true)), small);
            assert_eq!(Face::read(&face.pip()), capital);
            assert_eq!(Face::read(&face.pip().to_lowercase()), capital);
            assert_eq!(Face::read(&symbol.replace('T', "10")), capital);
        }
        assert_eq!(
            Face::read("10♡\u{fe0f}"),
            Some((Face::new(2, 10).unwrap(), false))
        );
        for wrong in [
            "", "T", "♥", "1C", "11C", "ACE", "TX", "0D", "é", "??", "AC♥",
        ] {
            assert_eq!(Face::read(wrong), None, "{wrong}");
        }
    }
}
