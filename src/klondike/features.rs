//! Features of a deal before it is played, with known expectations: the control variates.
//!
//! Each place of a shuffled deck holds each card with the same probability, and each two places
//! each ordered pair of cards. The expectation of a count over places, or over pairs of places, is
//! therefore their number times a fraction of 52 or of 52 times 51. The expectation of the perfect
//! score is not known exactly, but a long run knows it well.

use super::card::Card;
use super::deal::Deal;
use super::deck::Deck;
use super::layout::Layout;
use lab::task::{Control, Expectation};

/// Ordered pairs of two cards of a deck.
const PAIRS: u64 = 52 * 51;

/// The features with their expectations for a layout of 52 cards, in the order of [`FEATURES`],
/// then the perfect score; none for small decks.
pub fn controls(layout: &Layout) -> Vec<Control> {
    if layout.deck() != Deck::FULL {
        return Vec::new();
    }
    let control = |name, summary, (numerator, denominator)| Control {
        name,
        summary,
        expectation: Expectation::Exact {
            numerator,
            denominator,
        },
    };
    let sizes = || layout.columns().iter().map(|shape| shape.cards() as u64);
    let columns = sizes().filter(|&cards| cards > 0).count() as u64;
    // Pairs of places in one column, the one nearer to the head first.
    let stacked: u64 = sizes()
        .map(|cards| cards * cards.saturating_sub(1) / 2)
        .sum();
    vec![
        control("aces-out", "aces at the end of a column", (4 * columns, 52)),
        control("ace-covers", "cards on top of the aces", (4 * stacked, 52)),
        control(
            "buried",
            "pairs of cards of one suit in one column, the lower beneath the higher",
            // Of 52 * 51 ordered pairs, 4 * 78 are of one suit with the lower card first.
            (4 * 78 * stacked, PAIRS),
        ),
        control(
            "links",
            "face-up cards whose next higher card of the suit ends another column",
            (48 * linkable(layout), PAIRS),
        ),
        Control {
            name: "perfect",
            summary: "cards that perfect play scores with every card known",
            expectation: Expectation::Estimated {
                over: format!("the score of strategy `optimal` on layout {layout}"),
            },
        },
    ]
}

/// Pairs of a column's end and a place face up in another column.
fn linkable(layout: &Layout) -> u64 {
    let open = |shapes: &[super::layout::ColumnShape]| -> u64 {
        shapes.iter().map(|shape| u64::from(shape.up)).sum()
    };
    let columns = layout.columns();
    let ends = columns.iter().filter(|shape| shape.cards() > 0);
    ends.map(|shape| open(columns) - u64::from(shape.up)).sum()
}

/// The face-down cards and all cards of each column.
type ColumnCounts<'a> = [(usize, &'a [Card])];

/// Features that are counted on the deal as it lies.
pub const FEATURES: [fn(&ColumnCounts<'_>) -> i64; 4] = [
    |columns| count(columns, aces_out),
    |columns| count(columns, ace_covers),
    |columns| count(columns, buried),
    links,
];

/// The feature of a deal at a place of [`FEATURES`].
pub fn measure(deal: &Deal, feature: usize) -> Option<i64> {
    let columns: Vec<(usize, &[Card])> = deal
        .columns()
        .map(|(shape, cards)| (usize::from(shape.down), cards))
        .collect();
    FEATURES.get(feature).map(|measure| measure(&columns))
}

fn count(columns: &ColumnCounts<'_>, of: fn(&[Card]) -> usize) -> i64 {
    columns.iter().map(|(_, cards)| of(cards) as i64).sum()
}

fn is_ace(card: &Card) -> bool {
    card.rank() == 1
}

fn aces_out(cards: &[Card]) -> usize {
    usize::from(cards.last().is_some_and(is_ace))
}

fn ace_covers(cards: &[Card]) -> usize {
    let aces = cards.iter().enumerate().filter(|(_, card)| is_ace(card));
    aces.map(|(place, _)| cards.len() - 1 - place).sum()
}

fn buried(cards: &[Card]) -> usize {
    let beneath = |place: usize| {
        let card = cards[place];
        let later = cards[place + 1..].iter();
        later
            .filter(|other| other.suit() == card.suit() && other.rank() > card.rank())
            .count()
    };
    (0..cards.len()).map(beneath).sum()
}

fn links(columns: &ColumnCounts<'_>) -> i64 {
    let mut links = 0;
    for (column, (_, cards)) in columns.iter().enumerate() {
        let Some(wanted) = cards.last().and_then(|card| card.lower()) else {
            continue;
        };
        let others = columns
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != column);
        let mut open = others.flat_map(|(_, (down, cards))| &cards[(*down).min(cards.len())..]);
        links += i64::from(open.any(|&card| card == wanted));
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::rng::Streams;

    /// Seed 52: the average of 40,000 deals is within five standard errors of each expectation.
    #[test]
    fn expectations_are_those_of_shuffled_decks() {
        for layout in ["yukon", "open", "3:1,0:0,10:2,0:1,5:30"] {
            let layout: Layout = layout.parse().unwrap();
            let key = Streams::new(52).key("deal");
            let controls = controls(&layout);
            let mut sums = vec![(0.0, 0.0); FEATURES.len()];
            let deals = 40_000;
            for index in 0..deals {
                let deal = Deal::draw(&layout, &mut key.stream(index));
                for (place, (sum, squares)) in sums.iter_mut().enumerate() {
                    let value = measure(&deal, place).unwrap();
                    *sum += value as f64;
                    *squares += (value * value) as f64;
                }
            }
            assert_eq!(controls.len(), FEATURES.len() + 1);
            for (control, (sum, squares)) in controls.iter().zip(sums) {
                let n = deals as f64;
                let error = ((squares / n - (sum / n).powi(2)) / n).sqrt();
                let miss = (sum / n - control.mean().unwrap()).abs();
                assert!(
                    miss <= 5.0 * error + 1e-12,
                    "{}: {miss} of {error}",
                    control.name
                );
            }
        }
    }
}
