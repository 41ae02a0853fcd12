//! Keys of observations: positions that a player need not tell apart share one.

use super::super::card::Card;
use super::super::pruned::View;

/// A key of a view, without the order of the columns: the height of each foundation, then each
/// column as its number of unseen cards and the cards on them.
pub(super) type SightKey = [u8; SIZE];
/// Room for four suits, and for ten columns with eleven cards on them.
const SIZE: usize = 32;
/// Above all card numbers: the number of unseen cards, which a column begins with.
const COLUMN: u8 = 64;

/// The columns in any order: the number of unseen cards in each, and those on them.
type SeenColumns = Vec<(usize, Vec<Card>)>;

/// The key of an observation.
pub(super) fn exact(view: &View) -> SightKey {
    write(view, view.columns().collect(), [0, 1, 2, 3])
}

/// A key shared with none but positions that are the same once suits are renamed. Not all of these
/// have the same key: the suits are named in the order of columns that are alike in rank.
pub(super) fn up_to_suits(view: &View) -> SightKey {
    let mut columns: SeenColumns = view.columns().collect();
    columns.sort_by_cached_key(|(unseen, cards)| {
        let ranks: Vec<u8> = cards.iter().map(|card| card.rank()).collect();
        (*unseen, ranks)
    });
    let mut order: Vec<usize> = Vec::new();
    let in_sight = columns.iter().flat_map(|(_, cards)| cards);
    let mut rest = [0, 1, 2, 3];
    let heights = heights(view);
    rest.sort_by_key(|&suit| heights[suit]);
    for suit in in_sight.map(|card| card.suit()).chain(rest) {
        if !order.contains(&suit) {
            order.push(suit);
        }
    }
    let mut names = [0; 4];
    for (name, &suit) in order.iter().enumerate() {
        names[suit] = name as u8;
    }
    write(view, columns, names)
}

/// Writes a key with the suits renamed.
fn write(view: &View, columns: SeenColumns, names: [u8; 4]) -> SightKey {
    let renamed = |card: Card| 16 * names[card.suit()] + card.rank();
    let mut columns: Vec<(u8, Vec<u8>)> = columns
        .into_iter()
        .map(|(unseen, cards)| (unseen as u8, cards.into_iter().map(renamed).collect()))
        .collect();
    columns.sort_unstable();
    let mut key = [0; SIZE];
    for (height, name) in heights(view).into_iter().zip(names) {
        key[usize::from(name)] = height;
    }
    let cells = columns
        .into_iter()
        .flat_map(|(unseen, cards)| std::iter::once(COLUMN + unseen).chain(cards));
    key[4..]
        .iter_mut()
        .zip(cells)
        .for_each(|(slot, cell)| *slot = cell);
    key
}

/// Returns the number of cards on the foundation of each suit.
fn heights(view: &View) -> [u8; 4] {
    let mut heights = [0; 4];
    for card in view.world().founded() {
        heights[card.suit()] += 1;
    }
    heights
}
