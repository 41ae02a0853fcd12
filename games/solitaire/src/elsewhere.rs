//! Deals as other programs write them: the number of the permutation (lonelybot), JSON
//! (Solvitaire, lonelybot), and three digits a card (Klondike-Solver).

use super::card::{Card, DECK};
use super::deal::Deal;
use super::rules::DeckShape;
use cards::text::{Pile, Place};
use cards::{DealError, Face};
use serde::Deserialize;

/// The names of the forms.
pub const FORMS: [&str; 3] = ["exact", "solvitaire", "klondike-solver"];

/// The decimal digits of 52!, one more than the greatest number of a permutation.
const LONGEST_NUMBER: usize = 68;

/// The deal in a named form; `None` of a name that is no form's, or of a small deck.
pub fn write(deal: &Deal, form: &str) -> Option<String> {
    match form {
        "exact" => permutation(deal),
        "solvitaire" => Some(json(deal)),
        "klondike-solver" => digits(deal),
        _ => None,
    }
}

/// The deal of a text in one of the forms; `None` of a text in none of them.
///
/// # Errors
/// Says what is wrong with a text that begins like one of them.
pub fn read(text: &str) -> Option<Result<Deal, DealError>> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.len() {
        _ if text.starts_with('{') => Some(read_json(text)),
        length if is_number && length <= LONGEST_NUMBER => Some(read_permutation(text)),
        _ if is_number => Some(read_digits(text)),
        _ => None,
    }
}

/// The deal of the number of its permutation.
fn read_permutation(text: &str) -> Result<Deal, DealError> {
    let mut number: Vec<u32> = text
        .chars()
        .filter_map(|digit| digit.to_digit(10))
        .collect();
    let mut places: Vec<u8> = (0..DECK as u8).collect();
    for last in 1..DECK {
        let index = divide(&mut number, last as u32 + 1);
        places.swap(index as usize, last);
    }
    if number.iter().any(|&digit| digit > 0) {
        return refuse("the number of a permutation of 52 cards is less than 52!");
    }
    let cards = places.into_iter().filter_map(Card::from_number);
    in_order(cards.map(Card::face))
}

/// Divides a number of decimal digits, the first one first, and returns the remainder.
fn divide(digits: &mut [u32], divisor: u32) -> u32 {
    digits.iter_mut().fold(0, |rest, digit| {
        let dividend = 10 * rest + *digit;
        *digit = dividend / divisor;
        dividend % divisor
    })
}

/// The deal of three digits a card, in the order in which a person deals: rank 01 to 13, and suit
/// 1 to 4, clubs, diamonds, hearts, spades.
fn read_digits(text: &str) -> Result<Deal, DealError> {
    if text.len() != 3 * DECK {
        let digits = text.len();
        return refuse(&format!(
            "{digits} digits: a permutation's number has at most {LONGEST_NUMBER}, three digits a card make {}",
            3 * DECK
        ));
    }
    let card = |number: usize| {
        let symbol = &text[3 * number..3 * number + 3];
        let (rank, suit) = symbol.split_at(2);
        let suit = suit.parse::<u8>().ok().and_then(|suit| suit.checked_sub(1));
        let face = rank
            .parse()
            .ok()
            .zip(suit)
            .and_then(|(rank, suit)| Face::new(suit, rank));
        face.ok_or_else(|| DealError::Symbol {
            place: Place {
                pile: Pile::All,
                card: number + 1,
            },
            symbol: symbol.to_owned(),
        })
    };
    let cards: Vec<Face> = (0..DECK).map(card).collect::<Result<_, _>>()?;
    in_order(as_dealt().into_iter().map(|place| cards[place]))
}

/// Returns for each card, in the order of a deal's text, its number in the order in which a person deals:
/// one to each column that is not full yet, again and again, then the stock.
fn as_dealt() -> Vec<usize> {
    let deck = DeckShape::FULL;
    let columns = deck.columns();
    let first_of_row = |row: usize| row * columns - row * row.saturating_sub(1) / 2;
    let column = |column: usize| (0..=column).map(move |row| first_of_row(row) + column - row);
    (0..columns)
        .flat_map(column)
        .chain(deck.dealt()..DECK)
        .collect()
}

fn digits(deal: &Deal) -> Option<String> {
    let cards: [Card; DECK] = deal.cards().try_into().ok()?;
    let mut symbols = vec![String::new(); DECK];
    for (card, place) in cards.iter().zip(as_dealt()) {
        let face = card.face();
        symbols[place] = format!("{:02}{}", face.rank(), face.suit() + 1);
    }
    Some(symbols.concat())
}

/// A deal in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonDeal {
    #[serde(rename = "tableau piles")]
    columns: Vec<Vec<String>>,
    stock: Vec<String>,
    /// The cards on the foundations, which lonelybot writes: of a deal there are none.
    #[serde(default)]
    foundation: Vec<Vec<String>>,
}

fn read_json(text: &str) -> Result<Deal, DealError> {
    let read = serde_json::from_str(text);
    let JsonDeal {
        columns,
        mut stock,
        foundation,
    } = match read {
        Ok(deal) => deal,
        Err(error) => return refuse(&format!("no deal in JSON: {error}")),
    };
    if let Some(card) = foundation.iter().flatten().next() {
        return refuse(&format!(
            "`foundation` has {card}: a game in progress is read as text alone, with `foundations: ...`"
        ));
    }
    stock.reverse();
    let columns = (1..).map(Pile::Column).zip(&columns);
    let piles = columns.chain([(Pile::Stock, &stock)]);
    let piles = piles.map(|(pile, symbols)| line(pile, symbols));
    let piles: Vec<String> = piles.collect::<Result<_, _>>()?;
    Deal::read(DeckShape::FULL, &piles.join(" | "))
}

/// The symbols of a pile in a line.
fn line(pile: Pile, symbols: &[String]) -> Result<String, DealError> {
    let wrong = |(_, symbol): &(usize, &String)| Face::read(symbol).is_none();
    match (1..).zip(symbols).find(wrong) {
        Some((card, symbol)) => Err(DealError::Symbol {
            place: Place { pile, card },
            symbol: symbol.clone(),
        }),
        None => Ok(symbols.join(" ")),
    }
}

/// The deal of cards in the order of its text.
fn in_order(cards: impl Iterator<Item = Face>) -> Result<Deal, DealError> {
    let symbols: Vec<String> = cards.map(|card| card.to_string()).collect();
    Deal::read(DeckShape::FULL, &symbols.join(" "))
}

fn refuse(message: &str) -> Result<Deal, DealError> {
    Err(DealError::Rules(message.to_owned()))
}

/// The number of the permutation that makes the deal of a sorted deck: the digits of a Fisher-Yates
/// shuffle in the factorial number system, as lonelybot's `exact` seeds are. `None` of a small deck.
fn permutation(deal: &Deal) -> Option<String> {
    let mut cards: [Card; DECK] = deal.cards().try_into().ok()?;
    // Decimal digits, the last first: 52! is beyond 128 bits.
    let mut number = vec![0_u32];
    for last in (1..DECK).rev() {
        let card = Card::from_number(last as u8)?;
        let index = cards[..=last].iter().position(|&one| one == card)?;
        multiply_add(&mut number, last as u32 + 1, index as u32);
        cards.swap(index, last);
    }
    let digits = number
        .iter()
        .rev()
        .filter_map(|&digit| char::from_digit(digit, 10));
    Some(digits.collect())
}

/// Multiplies a number by `factor` and adds `carry`.
fn multiply_add(digits: &mut Vec<u32>, factor: u32, mut carry: u32) {
    for digit in digits.iter_mut() {
        let sum = *digit * factor + carry;
        (*digit, carry) = (sum % 10, sum / 10);
    }
    while carry > 0 {
        digits.push(carry % 10);
        carry /= 10;
    }
}

/// The deal as Solvitaire reads it: small suits are face down, and the stock's top comes last.
fn json(deal: &Deal) -> String {
    let columns = deal.columns().map(|column| {
        let last = column.len() - 1;
        let cards = column
            .iter()
            .enumerate()
            .map(|(at, &card)| symbol(card, at < last));
        format!("[{}]", cards.collect::<Vec<_>>().join(","))
    });
    let stock = deal.stock().iter().rev().map(|&card| symbol(card, false));
    format!(
        "{{\"tableau piles\": [{}], \"stock\": [{}]}}",
        columns.collect::<Vec<_>>().join(","),
        stock.collect::<Vec<_>>().join(",")
    )
}

fn symbol(card: Card, is_down: bool) -> String {
    const RANKS: [&str; 13] = [
        "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K",
    ];
    const SUITS: [[char; 2]; 4] = [['H', 'h'], ['D', 'd'], ['C', 'c'], ['S', 's']];
    let suit = SUITS[usize::from(card.suit())][usize::from(is_down)];
    format!("\"{}{suit}\"", RANKS[usize::from(card.rank())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Solver;
    use crate::rules::Rules;
    use crate::table::CardTable;
    use kit::rng::Streams;
    use kit::search::{Budget, Verdict};

    /// Seeds 0 to 19.
    #[test]
    fn deals_read_back_from_every_form() {
        for seed in 0..20 {
            let mut stream = Streams::new(seed).key("deal").stream(0);
            let deal = Deal::draw(DeckShape::FULL, &mut stream);
            for form in FORMS {
                let text = write(&deal, form).unwrap();
                assert_eq!(read(&text), Some(Ok(deal.clone())), "{form}");
            }
        }
    }

    /// A deal of Klondike-Solver's file `TestDeals.txt`, of which it says: impossible, with 17 cards
    /// on the foundations drawing one and 12 drawing three.
    const IMPOSSIBLE: &str = "041023134124133071102114063072031033121092131043082044122083084\
        064061051093094054073042013091104032101113062022103052034021132012074112111123011053024\
        081014";

    #[test]
    fn a_published_deal_has_its_published_result() {
        let deal = read(IMPOSSIBLE).unwrap().unwrap();
        let most = |rules| {
            let table = CardTable::new(&deal, rules);
            Solver::default()
                .solve(&table, Budget::UNLIMITED)
                .foundation
        };
        assert_eq!(most(Rules::DRAW_1), Verdict::Proved(17));
        assert_eq!(most(Rules::DRAW_3), Verdict::Proved(12));
    }

    /// Seed 3: lonelybot also writes the foundations.
    #[test]
    fn a_deal_of_lonelybot_has_empty_foundations() {
        let mut stream = Streams::new(3).key("deal").stream(0);
        let deal = Deal::draw(DeckShape::FULL, &mut stream);
        let json = write(&deal, "solvitaire").unwrap();
        let founded =
            |cards: &str| json.replacen("]}", &format!("], \"foundation\": [{cards}]}}"), 1);
        for none in ["", "[],[],[],[]"] {
            assert_eq!(read(&founded(none)), Some(Ok(deal.clone())), "{none}");
        }
        let error = read(&founded("[],[\"AC\"],[],[]")).unwrap().unwrap_err();
        assert!(
            error.to_string().starts_with("`foundation` has AC"),
            "{error}"
        );
    }

    #[test]
    fn a_wrong_text_is_told_what_is_wrong_with_it() {
        let error = |text: &str| read(text).unwrap().unwrap_err().to_string();
        let most = "80658175170943878571660636856403766975289505440883277824000000000000";
        assert_eq!(
            error(most),
            "the number of a permutation of 52 cards is less than 52!"
        );
        assert!(error(&"1".repeat(90)).starts_with("90 digits: "));
        assert_eq!(
            error(&IMPOSSIBLE.replacen("041", "145", 1)),
            "card 1: `145` is not a card"
        );
        assert!(error(&IMPOSSIBLE.replacen("041", "023", 1)).contains("occurs a second time"));
        assert!(error("{\"stock\": []}").starts_with("no deal in JSON: missing field"));
        let json = write(&Deal::sorted(DeckShape::FULL), "solvitaire").unwrap();
        let wrong = error(&json.replacen("\"AC\"", "\"A|C\"", 1));
        assert_eq!(wrong, "column 2, card 2: `A|C` is not a card");
        let turned = error(&json.replacen("\"Ad\"", "\"AD\"", 1));
        assert_eq!(turned, "the cards do not lie as they are dealt");
        assert_eq!(read("AH 2C"), None);
    }

    /// The published deal of lonelybot's tests, `solvitaire_shuffle(0)` aside: a sorted deck has
    /// every card in its own place, so each digit is the greatest.
    #[test]
    fn a_sorted_deck_has_the_greatest_number() {
        let sorted = Deal::sorted(DeckShape::FULL);
        let text = write(&sorted, "exact").unwrap();
        // 52! - 1.
        assert_eq!(
            text,
            "80658175170943878571660636856403766975289505440883277823999999999999"
        );
        assert_eq!(write(&sorted, "other"), None);
    }

    #[test]
    fn a_deal_in_json_has_face_down_cards_in_small_letters_and_the_stock_reversed() {
        let text = write(&Deal::sorted(DeckShape::FULL), "solvitaire").unwrap();
        assert!(
            text.starts_with(
                "{\"tableau piles\": [[\"AH\"],[\"Ad\",\"AC\"],[\"As\",\"2h\",\"2D\"]"
            )
        );
        assert!(text.ends_with("\"8D\",\"8H\"]}"), "{text}");
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["stock"].as_array().unwrap().len(), 24);
    }
}
