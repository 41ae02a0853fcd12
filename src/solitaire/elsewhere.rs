//! Deals as other programs read them: the number of the permutation (lonelybot), and JSON
//! (Solvitaire).

use super::card::{Card, DECK};
use super::deal::Deal;

/// The deal in a named form; `None` of a name that is no form's.
pub fn write(deal: &Deal, form: &str) -> Option<String> {
    match form {
        "exact" => permutation(deal),
        "solvitaire" => Some(json(deal)),
        _ => None,
    }
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
    use crate::solitaire::rules::DeckShape;

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
