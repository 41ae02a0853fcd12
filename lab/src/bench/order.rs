//! The order in which contenders answer an instance: drawn from the seed, then the same reversed.
//!
//! A drift over an instance (a warm cache, a neighbour, a clock that falls) meets each
//! contender once early and once late, and cancels. Reference: Mytkowicz and others 2009,
//! *Producing wrong data without doing anything obviously wrong*.

use crate::rng::{Streams, shuffle};

/// The order in which `count` entrants answer an instance in a round: each once, then in reverse.
pub fn abba(seed: u64, instance: u64, round: u64, count: usize) -> Vec<usize> {
    let mut stream = Streams::new(seed).key("bench order").step(instance, round);
    let mut order: Vec<usize> = (0..count).collect();
    shuffle(&mut stream, &mut order);
    let reversed = order.clone().into_iter().rev();
    order.extend(reversed);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entrant_answers_twice_with_the_same_mean_position() {
        for instance in 0..20 {
            let order = abba(7, instance, 1, 4);
            for entrant in 0..4 {
                let at: Vec<usize> = (0..8).filter(|&at| order[at] == entrant).collect();
                assert_eq!((at.len(), at.iter().sum::<usize>()), (2, 7), "{order:?}");
            }
        }
    }

    #[test]
    fn every_entrant_comes_first_as_often() {
        let mut first = [0; 3];
        (0..600).for_each(|instance| first[abba(1, instance, 1, 3)[0]] += 1);
        assert!(
            first.iter().all(|&count| (150..250).contains(&count)),
            "{first:?}"
        );
        assert_ne!(abba(1, 0, 1, 6), abba(1, 0, 2, 6));
    }
}
