//! Threat maps: how many pieces attack each cell.
//!
//! Counts are kept in three bit planes and added by carries, so a map of any board costs three
//! words (the bit-sliced counters of Knuth, TAOCP 4A, 7.1.3). Knows no pieces.

use super::board::{CellSet, has};

/// The number of attackers of every cell, 0 to 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreatMap {
    planes: [CellSet; 3],
}

impl ThreatMap {
    /// Adds one attacker of every cell in `attacked`.
    #[inline]
    pub(crate) fn add(&mut self, attacked: CellSet) {
        let carry = self.planes[0] & attacked;
        self.planes[0] ^= attacked;
        self.planes[2] ^= self.planes[1] & carry;
        self.planes[1] ^= carry;
    }

    /// The attackers of one cell.
    #[inline]
    pub fn count(&self, cell: usize) -> u8 {
        let bit = |plane: usize| u8::from(has(self.planes[plane], cell));
        bit(0) | bit(1) << 1 | bit(2) << 2
    }

    /// The cells with exactly `count` attackers, within the whole `u128`.
    #[inline]
    pub fn level(&self, count: u8) -> CellSet {
        let plane = |bit: usize| {
            let inverted = if count >> bit & 1 == 1 {
                0
            } else {
                CellSet::MAX
            };
            self.planes[bit] ^ inverted
        };
        plane(0) & plane(1) & plane(2)
    }

    /// The largest count.
    #[inline]
    pub fn highest(&self) -> u8 {
        let mut top = CellSet::MAX;
        let mut max = 0;
        for (bit, plane) in self.planes.iter().enumerate().rev() {
            if top & plane != 0 {
                top &= plane;
                max |= 1 << bit;
            }
        }
        max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_levels_and_the_maximum_agree_with_plain_sums() {
        let sets: [CellSet; 5] = [0b11111, 0b11110, 0b11100, 0b11000, 0b10000];
        let mut map = ThreatMap::default();
        for (added, &set) in sets.iter().enumerate() {
            map.add(set);
            assert_eq!(usize::from(map.highest()), added + 1);
        }
        for cell in 0..6 {
            let plain = sets.iter().filter(|&&set| has(set, cell)).count();
            assert_eq!(usize::from(map.count(cell)), plain);
            assert!(has(map.level(plain as u8), cell));
        }
    }
}
