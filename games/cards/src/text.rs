//! Cards on a table as a line of text: a deal, or a game in progress. One format for all games.
//!
//! The columns from left to right, each from its base up and parted by `|`, then the stock in the
//! order of drawing. Knows no rules: a game says which cards there are and where they may lie.

use std::fmt;

use super::face::Face;
use kit::rng::{Stream, shuffle};

/// The text of a card that nobody has seen.
const UNKNOWN: &str = "??";
/// The format, for the help of a command line.
pub const FORMAT: &str = "the columns from left to right, each from its base up and parted by `|`; then \
     the stock, in the order of drawing, if the game has one. A card is `TD`, `10d` or `10♦`, cards are parted by \
     blanks or commas. Among capitals a lower-case suit lies face down; `??` does too, and nobody has seen it. Of a \
     game in progress give more parts, each with its name: `foundations: 3C AD` (their top cards), `waste: ...` (the \
     top card last), `stock: ...` (its cards were seen: the first pass is over), `pass: 2`; `--` is an empty column";

/// A card's place on a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The card: one of those that are left, if nobody has seen it.
    pub face: Face,
    /// True if the text has it face down.
    pub is_down: bool,
    /// True if nobody has seen it.
    is_unknown: bool,
}

/// The contents of a text about a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenTable {
    /// The parts without a name: columns, and a stock after them.
    pub columns: Vec<Vec<Slot>>,
    /// The top cards of foundations.
    pub foundations: Vec<Slot>,
    /// The stock in the order of drawing, where it is named.
    pub stock: Option<Vec<Slot>>,
    /// The waste, its top card last, where it is named.
    pub waste: Option<Vec<Slot>>,
    /// The pass through the stock, from 1.
    pub pass: Option<u8>,
    /// True if there is more than a list of cards.
    pub is_divided: bool,
    /// True if any card is marked as face down.
    pub is_marked: bool,
    /// The number of cards that nobody has seen.
    pub unknown: usize,
}

impl WrittenTable {
    /// Reads a table of a deck's cards, of which each must lie somewhere once: in a column or a
    /// pile, or on a foundation under its top card. Unseen cards become those that are left, in
    /// the order of `deck`.
    ///
    /// # Errors
    /// Says which part or which card is at fault.
    pub fn read(text: &str, deck: &[Face]) -> Result<WrittenTable, DealError> {
        let mut table = WrittenTable {
            is_divided: text.contains(['|', ':']),
            ..WrittenTable::default()
        };
        for part in text.split('|') {
            table.read_part(part)?;
        }
        table.mark();
        table.check(deck)?;
        let mut columns = (1..).zip(text.split('|').filter(|part| !part.contains(':')));
        match columns.find(|(_, part)| symbols(part).next().is_none()) {
            Some((number, _)) => Err(DealError::Blank(Pile::Column(number))),
            None => Ok(table),
        }
    }

    fn read_part(&mut self, part: &str) -> Result<(), DealError> {
        let Some((name, cards)) = part.split_once(':') else {
            let pile = self.pile(self.columns.len() + 1);
            self.columns.push(read_cards(pile, part)?);
            return Ok(());
        };
        match name.trim().to_lowercase().as_str() {
            "foundations" => self.foundations = read_cards(Pile::Foundations, cards)?,
            "waste" => self.waste = Some(read_cards(Pile::Waste, cards)?),
            "stock" => self.stock = Some(read_cards(Pile::Stock, cards)?),
            "pass" => {
                let number = cards.trim().parse().ok().filter(|&pass| pass > 0);
                self.pass = Some(number.ok_or_else(|| DealError::Pass(cards.trim().to_owned()))?);
            }
            other => return Err(DealError::Part(other.to_owned())),
        }
        Ok(())
    }

    /// Forgets small letters where there are no capitals: then they say nothing.
    fn mark(&mut self) {
        let is_said = self.slots().iter().any(|(_, slot)| !slot.is_down);
        for slot in self.slots_mut() {
            slot.is_down = slot.is_unknown || slot.is_down && is_said;
        }
        let is_marked = self.slots().iter().any(|(_, slot)| slot.is_down);
        let unknown = self
            .slots()
            .into_iter()
            .filter(|(_, slot)| slot.is_unknown)
            .count();
        (self.is_marked, self.unknown) = (is_marked, unknown);
    }

    /// Takes every card that is written out of the deck, and puts the others where cards are unknown.
    fn check(&mut self, deck: &[Face]) -> Result<(), DealError> {
        let mut left = deck.to_vec();
        for (place, slot) in self
            .slots()
            .into_iter()
            .filter(|(_, slot)| !slot.is_unknown)
        {
            take(&mut left, deck, slot.face, place)?;
        }
        for (place, card) in self.founded_below() {
            if deck.contains(&card) {
                take(&mut left, deck, card, place)?;
            }
        }
        let unknown = self.unknown;
        match left.first() {
            Some(&card) if left.len() > unknown => Err(DealError::Missing {
                card,
                given: deck.len() - left.len() + unknown,
            }),
            _ if left.len() < unknown => Err(DealError::Unknown {
                unknown,
                left: left.len(),
            }),
            _ => {
                let unseen = self.slots_mut().filter(|slot| slot.is_unknown);
                unseen.zip(left).for_each(|(slot, card)| slot.face = card);
                Ok(())
            }
        }
    }

    /// The table, if all its cards are known.
    ///
    /// # Errors
    /// Says how many are not.
    pub fn all_known(self) -> Result<WrittenTable, DealError> {
        match self.unknown {
            0 => Ok(self),
            unknown => Err(DealError::Hidden(unknown)),
        }
    }

    /// Refuses a card that nobody has seen where one lies face up: `face_up` tells so of the cards
    /// of the columns in order.
    ///
    /// # Errors
    /// Says where it stands.
    pub fn refuse_unseen(&self, face_up: impl Iterator<Item = bool>) -> Result<(), DealError> {
        let mut shown = self.slots().into_iter().zip(face_up);
        match shown.find(|((_, slot), is_up)| slot.is_unknown && *is_up) {
            Some(((place, _), _)) => Err(DealError::Symbol {
                place,
                symbol: UNKNOWN.to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// The number of cards whose places are a guess: a single card that nobody has seen is the one that is left.
    pub fn guessed(&self) -> usize {
        match self.unknown {
            1 => 0,
            unknown => unknown,
        }
    }

    /// The table with every guessed card in another place; `None` if no card is guessed.
    pub fn guessed_otherwise(&self) -> Option<WrittenTable> {
        let mut other = self.clone();
        other.rearrange_unknown(|faces| faces.rotate_left(usize::from(!faces.is_empty())));
        (self.guessed() > 0).then_some(other)
    }

    /// Deals the cards that nobody has seen at random.
    pub fn shuffle_unknown(&mut self, stream: &mut Stream) {
        self.rearrange_unknown(|faces| shuffle(stream, faces));
    }

    fn rearrange_unknown(&mut self, rearrange: impl FnOnce(&mut [Face])) {
        let unknown = self.slots_mut().filter(|slot| slot.is_unknown);
        let mut unknown: Vec<&mut Slot> = unknown.collect();
        let mut faces: Vec<Face> = unknown.iter().map(|slot| slot.face).collect();
        rearrange(&mut faces);
        for (slot, face) in unknown.iter_mut().zip(faces) {
            slot.face = face;
        }
    }

    /// The cards under the top cards of foundations.
    fn founded_below(&self) -> impl Iterator<Item = (Place, Face)> {
        let tops = places(Pile::Foundations, &self.foundations);
        tops.flat_map(|(place, slot)| {
            let top = slot.face;
            let below = (1..top.rank()).filter_map(move |rank| Face::new(top.suit(), rank));
            below.map(move |card| (place, card))
        })
    }

    /// Returns all cards on the foundations.
    pub fn founded(&self) -> Vec<Face> {
        let tops = self.foundations.iter().map(|slot| slot.face);
        tops.chain(self.founded_below().map(|(_, card)| card))
            .collect()
    }

    /// Returns whether a pile or the pass has a name, as in the middle of a game.
    pub fn has_names(&self) -> bool {
        let is_pile_named = self.stock.is_some() || self.waste.is_some();
        is_pile_named || self.pass.is_some() || !self.foundations.is_empty()
    }

    /// The part without a name of a number.
    fn pile(&self, number: usize) -> Pile {
        if self.is_divided {
            Pile::Column(number)
        } else {
            Pile::All
        }
    }

    /// The cards with their places.
    pub fn slots(&self) -> Vec<(Place, &Slot)> {
        let columns = (1..).map(|number| self.pile(number)).zip(&self.columns);
        let stock = self.stock.iter().map(|stock| (Pile::Stock, stock));
        let waste = self.waste.iter().map(|waste| (Pile::Waste, waste));
        let founded = [(Pile::Foundations, &self.foundations)];
        let piles = columns.chain(stock).chain(waste).chain(founded);
        piles
            .flat_map(|(pile, slots)| places(pile, slots))
            .collect()
    }

    fn slots_mut(&mut self) -> impl Iterator<Item = &mut Slot> {
        let piles = self.columns.iter_mut().chain(&mut self.stock);
        piles.flatten()
    }
}

fn places(pile: Pile, slots: &[Slot]) -> impl Iterator<Item = (Place, &Slot)> {
    let place = move |card| Place { pile, card };
    (1..).map(place).zip(slots)
}

/// Takes a card of the deck out of those that are left.
fn take(left: &mut Vec<Face>, deck: &[Face], card: Face, place: Place) -> Result<(), DealError> {
    let symbol = || card.to_string();
    match left.iter().position(|&other| other == card) {
        Some(index) => {
            left.remove(index);
            Ok(())
        }
        None if deck.contains(&card) => Err(DealError::Twice { place, card }),
        None => Err(DealError::Symbol {
            place,
            symbol: symbol(),
        }),
    }
}

/// The symbols of a part: cards, or the sign of an empty column.
fn symbols(part: &str) -> impl Iterator<Item = &str> {
    let symbols = part.split(|letter: char| letter.is_whitespace() || letter == ',');
    symbols.filter(|symbol| !symbol.is_empty())
}

/// The cards of a pile. Only in columns and in the stock a card may be unknown.
fn read_cards(pile: Pile, text: &str) -> Result<Vec<Slot>, DealError> {
    let may_be_unknown = !matches!(pile, Pile::Foundations | Pile::Waste);
    let symbols = symbols(text).filter(|symbol| !matches!(*symbol, "-" | "--"));
    let slot = |(place, symbol): (usize, &str)| {
        let is_unknown = symbol == UNKNOWN && may_be_unknown;
        let unknown = is_unknown.then_some((Face::KING_OF_SPADES, true));
        let (face, is_down) = unknown.or_else(|| Face::read(symbol)).ok_or_else(|| {
            let place = Place { pile, card: place };
            let symbol = symbol.to_owned();
            DealError::Symbol { place, symbol }
        })?;
        Ok(Slot {
            face,
            is_down,
            is_unknown,
        })
    };
    (1..).zip(symbols).map(slot).collect()
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pile {
    /// A text that is nothing but a list of cards.
    All,
    /// A part without a name, counted from 1.
    Column(usize),
    /// The foundations.
    Foundations,
    /// The waste.
    Waste,
    /// The stock.
    Stock,
}

impl fmt::Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pile::All => f.write_str("the list"),
            Pile::Column(number) => write!(f, "column {number}"),
            Pile::Foundations => f.write_str("foundations"),
            Pile::Waste => f.write_str("waste"),
            Pile::Stock => f.write_str("stock"),
        }
    }
}

/// The place of a card in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The part that it stands in.
    pub pile: Pile,
    /// The card's number there, from 1.
    pub card: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pile {
            Pile::All => write!(f, "card {}", self.card),
            pile => write!(f, "{pile}, card {}", self.card),
        }
    }
}

/// The reason for which a text is not a table of cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DealError {
    /// A symbol that is no card of the deck.
    #[error("{place}: `{symbol}` is not a card{}", if symbol == UNKNOWN { " that was seen" } else { "" })]
    Symbol {
        /// The place of the fault.
        place: Place,
        /// The text found.
        symbol: String,
    },
    /// A card that occurs a second time.
    #[error("{place}: {card} occurs a second time")]
    Twice {
        /// The place where it occurs again, or of the card of its foundation that it lies under.
        place: Place,
        /// The card.
        card: Face,
    },
    /// A card that does not occur.
    #[error("{card} is missing; cards given: {given}")]
    Missing {
        /// The first missing card.
        card: Face,
        /// The number of cards given.
        given: usize,
    },
    /// More unknown cards than the deck has left.
    #[error("{unknown} cards are `??`, and {left} of the deck are not written")]
    Unknown {
        /// The cards that nobody has seen.
        unknown: usize,
        /// The cards that do not occur.
        left: usize,
    },
    /// A part without a name and without cards, which may be a slip.
    #[error("{0} is blank; write `--` for an empty column, or remove a `|`")]
    Blank(Pile),
    /// A part with a name that none has.
    #[error("there is no part `{0}:`")]
    Part(String),
    /// A pass that is no number.
    #[error("pass: `{0}` is not a number from 1 on")]
    Pass(String),
    /// Unknown cards where each must be known.
    #[error("{0} of the cards are unknown")]
    Hidden(usize),
    /// A table that the game's rules do not know.
    #[error("{0}")]
    Rules(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::rng::Streams;

    /// Ten cards of two suits.
    fn deck() -> Vec<Face> {
        let suit = |suit| (9..=13).filter_map(move |rank| Face::new(suit, rank));
        [0, 2].into_iter().flat_map(suit).collect()
    }

    fn read(text: &str) -> Result<WrittenTable, DealError> {
        WrittenTable::read(text, &deck())
    }

    fn cards(slots: &[Slot]) -> String {
        let symbols = slots.iter().map(|slot| slot.face.symbol(slot.is_down));
        symbols.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_table_is_read_however_people_write_it() {
        for text in [
            "9c TC | JC QC KC | 9H TH JH QH KH",
            "9c,10C|JC, QC, KC|9H 10H JH QH KH",
            "9c T♣ | j♣ qC K♣ | 9♥ 10♡ J♥\u{fe0f} Q♥ K♥",
        ] {
            let table = read(text).unwrap();
            let columns: Vec<String> = table.columns.iter().map(|slots| cards(slots)).collect();
            assert_eq!(columns, ["9c TC", "JC QC KC", "9H TH JH QH KH"], "{text}");
            assert!(table.is_divided && table.is_marked);
        }
        let list = read("9c 10c jc qc kc, 9h th jh qh kh").unwrap();
        assert_eq!(cards(&list.columns[0]), "9C TC JC QC KC 9H TH JH QH KH");
        assert!(!list.is_divided && !list.is_marked);
    }

    #[test]
    fn a_game_in_progress_has_parts_with_names() {
        let text = "Foundations: TC 9H | ?? kc | -- | waste: JC QC | stock: ?? ?? TH | pass: 2";
        let table = read(text).unwrap();
        assert_eq!(
            (table.columns.len(), table.unknown, table.pass),
            (2, 3, Some(2))
        );
        assert_eq!(table.columns[1], []);
        assert_eq!(cards(&table.waste.clone().unwrap()), "JC QC");
        let founded: Vec<String> = table.founded().iter().map(Face::to_string).collect();
        assert!(founded.contains(&"9C".to_owned()) && founded.contains(&"9H".to_owned()));
        assert_eq!(table.all_known(), Err(DealError::Hidden(3)));
    }

    /// Seed 5: unknown cards are those that are left, in all orders.
    #[test]
    fn unknown_cards_are_dealt_in_all_orders() {
        let key = Streams::new(5).key("deal");
        let orders = (0..200).map(|index| {
            let mut table = read("?? ?? ?? TC | JC QC KC 9H | TH JH").unwrap();
            table.shuffle_unknown(&mut key.stream(index));
            cards(&table.columns[0])
        });
        let orders: std::collections::BTreeSet<String> = orders.collect();
        assert_eq!(orders.len(), 6);
        assert!(orders.contains("9c Qh Kh TC"));
    }

    #[test]
    fn faults_are_told_with_their_place() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("9C TC | 1H"), "column 2, card 1: `1H` is not a card");
        assert_eq!(error("9C AC"), "card 2: `AC` is not a card");
        assert_eq!(error("9C 9C"), "card 2: 9C occurs a second time");
        assert_eq!(error("9C"), "TC is missing; cards given: 1");
        let blank = "column 2 is blank; write `--` for an empty column, or remove a `|`";
        for between in ["||", "| |", "| , |"] {
            let text = format!("9C TC JC QC KC {between} 9H TH JH QH KH");
            assert_eq!(error(&text), blank);
        }
        let last = error("foundations: TC | JC QC KC | 9H TH JH QH KH | waste: |");
        assert!(last.starts_with("column 3 is blank"), "{last}");
        let under = "foundations, card 1: 9C occurs a second time";
        assert_eq!(error("foundations: TC | 9C"), under);
        let waste = "waste, card 2: `??` is not a card that was seen";
        assert_eq!(error("waste: 9C ??"), waste);
        assert_eq!(error("cellar: 9C"), "there is no part `cellar:`");
        assert_eq!(error("pass: 0"), "pass: `0` is not a number from 1 on");
        let many = "?? ?? ?? 9C TC JC QC KC 9H TH JH";
        assert_eq!(
            error(many),
            "3 cards are `??`, and 2 of the deck are not written"
        );
    }
}
