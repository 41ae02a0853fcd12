//! The worlds of a decision: arrangements of the unseen cards, all of them or a sample.

use super::HiddenGame;
use kit::rng::{Stream, shuffle};

/// Returns the number of worlds that agree with an observation; a large number if there are more.
pub fn count_worlds<G: HiddenGame>(game: &G, seen: &G::Observation) -> u64 {
    arrangements(game.unseen(seen))
}

/// Worlds that look like the canonical one, each as likely as any other: all of them if there are
/// at most `limit`, in a fixed order and without drawing; otherwise `limit` independent draws.
pub fn worlds<G: HiddenGame>(
    game: &G,
    seen: &G::Observation,
    canonical: &G::World,
    limit: u32,
    stream: &mut Stream,
) -> Vec<G::World> {
    let unseen = game.unseen(seen);
    let mut order: Vec<u8> = (0..unseen as u8).collect();
    let mut list = Vec::new();
    if count_worlds(game, seen) <= u64::from(limit) {
        list.push(game.redeal(canonical, &order));
        while next_permutation(&mut order) {
            list.push(game.redeal(canonical, &order));
        }
    } else {
        for _ in 0..limit {
            shuffle(stream, &mut order);
            list.push(game.redeal(canonical, &order));
        }
    }
    list
}

/// Returns the number of orders of a number of cards; a large number if there are more.
fn arrangements(cards: usize) -> u64 {
    (1..=cards as u64).fold(1, u64::saturating_mul)
}

/// Steps to the next permutation in lexicographic order (Knuth, TAOCP 7.2.1.2, algorithm L);
/// `false` after the last.
fn next_permutation(order: &mut [u8]) -> bool {
    let Some(pivot) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let larger = order.iter().rposition(|&item| item > order[pivot]);
    order.swap(pivot, larger.unwrap_or(pivot));
    order[pivot + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_come_once_each_and_in_order() {
        for cards in 0..6u8 {
            let mut order: Vec<u8> = (0..cards).collect();
            let mut seen = vec![order.clone()];
            while next_permutation(&mut order) {
                seen.push(order.clone());
            }
            assert!(seen.is_sorted_by(|one, other| one < other));
            assert_eq!(seen.len() as u64, arrangements(usize::from(cards)));
        }
        assert_eq!(arrangements(52), u64::MAX);
    }
}
