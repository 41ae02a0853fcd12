//! How many threat maps there are, and how often a whole map gives the placement away.
//!
//! Every accepted placement's map is hashed to 64 bits; equal maps have equal hashes, so only
//! placements whose hashes agree are compared map by map, and the counts are exact. The hash is a
//! sum over attacked cells, hence over pieces: where no piece stands in another's way it costs one
//! addition a placement. Hashes are taken in slices, each sorted in bounded memory.

use super::army::Placement;
use super::board::{CellSet, members};
use super::rules::Referee;
use super::threats::ThreatMap;
use super::walk::Walk;

/// The most placements sorted at once, about 128 MB.
const SLICE: u64 = 1 << 23;

/// Exact counts of the threat maps of a referee's placements, maps shown whole and unmarked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapCensus {
    /// Accepted placements.
    pub placements: u64,
    /// Different maps.
    pub distinct: u64,
    /// Maps of exactly one placement.
    pub unique: u64,
    /// The sum over maps of the square of their number of placements.
    pub squares: u64,
}

impl MapCensus {
    /// Counts the maps of `placements` accepted placements, as a census found them.
    pub fn new(referee: &Referee, placements: u64) -> Self {
        let slices = placements.div_ceil(SLICE).next_power_of_two();
        let mut census = Self::default();
        let mut entries = Vec::new();
        let hasher = Hasher::new(referee);
        for slice in 0..slices {
            entries.clear();
            hasher.collect(slices, slice, &mut entries);
            entries.sort_unstable();
            for equal in entries.chunk_by(|a, b| a.hash == b.hash) {
                census.add_group(referee, equal);
            }
        }
        census
    }

    /// The expected number of placements a solver is left with: the mean over placements of the
    /// number of placements with the same map.
    pub fn expected_solutions(&self) -> f64 {
        self.squares as f64 / self.placements as f64
    }

    fn add_group(&mut self, referee: &Referee, equal: &[Entry]) {
        if equal.len() == 1 {
            return self.add_map(1);
        }
        let mut maps: Vec<ThreatMap> = equal
            .iter()
            .map(|entry| {
                referee
                    .army()
                    .threats(&entry.placement(referee.army().size()))
            })
            .collect();
        maps.sort_unstable();
        for same in maps.chunk_by(|a, b| a == b) {
            self.add_map(same.len() as u64);
        }
    }

    fn add_map(&mut self, placements: u64) {
        self.placements += placements;
        self.distinct += 1;
        self.unique += u64::from(placements == 1);
        self.squares += placements * placements;
    }
}

/// A placement, seven bits a cell, under the hash of its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    hash: u64,
    packed: u64,
}

impl Entry {
    fn placement(&self, size: usize) -> Placement {
        (0..size)
            .map(|piece| (self.packed >> (7 * piece) & 127) as usize)
            .collect()
    }
}

/// Hashes the maps of a referee's placements.
struct Hasher<'a> {
    referee: &'a Referee,
    cells: Vec<u64>,
    /// By piece and cell: the hash of what is attacked on an empty board.
    reach: Vec<u64>,
}

impl<'a> Hasher<'a> {
    fn new(referee: &'a Referee) -> Self {
        let army = referee.army();
        let cells: Vec<u64> = (1..=army.board().cells() as u64).map(mixed).collect();
        let reach = (0..army.size())
            .flat_map(|piece| (0..cells.len()).map(move |cell| (piece, cell)))
            .map(|(piece, cell)| sum(&cells, army.reach(piece, cell)))
            .collect();
        Self {
            referee,
            cells,
            reach,
        }
    }

    /// Appends the placements whose hash falls into one of `slices` equal ranges.
    fn collect(&self, slices: u64, slice: u64, entries: &mut Vec<Entry>) {
        let army = self.referee.army();
        let shift = slices.trailing_zeros();
        let in_slice = |hash: u64| hash.rotate_left(shift) & (slices - 1) == slice;
        for first in members(army.pieces()[0].domain) {
            Walk::new(self.referee).from_first(first, &mut |placement, last| {
                self.each(placement, last, &mut |entry| {
                    if in_slice(entry.hash) {
                        entries.push(entry);
                    }
                });
            });
        }
    }

    /// Hashes the accepted completions of a placement of all but the last piece.
    #[inline]
    fn each(&self, placement: &Placement, last: CellSet, visit: &mut impl FnMut(Entry)) {
        let piece = placement.len();
        let pack = |packed, (piece, cell): (usize, usize)| packed | (cell as u64) << (7 * piece);
        let packed = placement.iter().enumerate().fold(0, pack);
        let hash = self.undisturbed(placement);
        let reach = &self.reach[piece * self.cells.len()..];
        for cell in members(last) {
            let packed = pack(packed, (piece, cell));
            if self.referee.is_undisturbed() {
                let hash = hash.wrapping_add(reach[cell]);
                visit(Entry { hash, packed });
            } else if let Some(hash) = self.disturbed(placement, cell) {
                visit(Entry { hash, packed });
            }
        }
    }

    /// The hash of what the placed pieces attack on an otherwise empty board.
    fn undisturbed(&self, placement: &Placement) -> u64 {
        let hashes = placement
            .iter()
            .enumerate()
            .map(|(piece, cell)| self.reach[piece * self.cells.len() + cell]);
        hashes.fold(0, u64::wrapping_add)
    }

    /// The hash of the map with the last piece on `cell`, if that is accepted.
    fn disturbed(&self, placement: &Placement, cell: usize) -> Option<u64> {
        let mut whole = *placement;
        whole.push(cell);
        if !self.referee.accepts_whole(&whole) {
            return None;
        }
        let occupied = whole.occupied();
        let hashes = whole.iter().enumerate().map(|(piece, cell)| {
            sum(
                &self.cells,
                self.referee.army().attacks(piece, cell, occupied),
            )
        });
        Some(hashes.fold(0, u64::wrapping_add))
    }
}

fn sum(cells: &[u64], attacked: CellSet) -> u64 {
    members(attacked).fold(0, |sum, cell| sum.wrapping_add(cells[cell]))
}

/// A well mixed word of an index (the finaliser of SplitMix64, Steele et al. 2014).
fn mixed(index: u64) -> u64 {
    let z = index.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::riddle::census::Census;
    use crate::games::riddle::rules::Rule;
    use crate::games::riddle::variants::Variant;

    fn census(variant: Variant, rule: Rule) -> MapCensus {
        let referee = Referee::new(variant.army(), rule);
        MapCensus::new(&referee, Census::new(&referee).placements())
    }

    #[test]
    fn whole_maps_of_non_attacking_chess_and_makruk_are_unique_and_of_xiangqi_are_not() {
        for variant in [Variant::Chess, Variant::Makruk] {
            let maps = census(variant, Rule::NonAttacking);
            assert_eq!(maps.unique, maps.placements);
        }
        let maps = census(Variant::Xiangqi, Rule::NonAttacking);
        assert!(maps.unique < maps.distinct && maps.expected_solutions() > 3.0);
    }

    /// Run with `cargo test --release -- --ignored shogi_map`: some ten seconds.
    #[test]
    #[ignore = "some ten seconds: 131 million maps"]
    fn every_non_attacking_shogi_map_is_unique() {
        let maps = census(Variant::Shogi, Rule::NonAttacking);
        assert_eq!((maps.placements, maps.unique), (131_390_864, 131_390_864));
    }

    /// Maps are compared themselves where hashes agree: with every hash equal the counts stand.
    #[test]
    fn a_useless_hash_changes_no_count() {
        let referee = Referee::new(Variant::Xiangqi.army(), Rule::Table);
        let hasher = Hasher::new(&referee);
        let mut entries = Vec::new();
        hasher.collect(1, 0, &mut entries);
        entries.iter_mut().for_each(|entry| entry.hash = 0);
        let mut counted = MapCensus::default();
        counted.add_group(&referee, &entries);
        assert_eq!(counted, census(Variant::Xiangqi, Rule::Table));
    }
}
