//! The number of threat maps, and the share of placements that a whole map determines.
//!
//! Every accepted placement's map is hashed to 64 bits. Equal maps have equal hashes, so a hash
//! that occurs once belongs to a map that occurs once; only placements whose hashes repeat are
//! compared map by map. The counts are therefore exact. The hash is a sum over attacked cells,
//! hence over pieces: where no piece stands in another's way it costs one addition for each
//! placement. Hashes are taken in slices, each sorted in bounded memory.

use super::army::Placement;
use super::board::{CellSet, members};
use super::rules::Referee;
use super::threats::ThreatMap;
use super::walk::Walk;

/// About how many hashes are sorted at once: 128 MB.
const SLICE: u64 = 1 << 24;

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
    pub(crate) squares: u64,
}

impl MapCensus {
    /// Counts the maps of `placements` accepted placements, as a census found them.
    pub fn new(referee: &Referee, placements: u64) -> Self {
        let parts = MapParts::new(referee, placements);
        (0..parts.count())
            .map(|part| parts.census(part))
            .fold(Self::default(), Self::merged)
    }

    /// The expected number of placements a solver is left with: the mean over placements of the
    /// number of placements with the same map.
    pub fn expected_solutions(&self) -> f64 {
        self.squares as f64 / self.placements as f64
    }

    fn of_slice(hasher: &Hasher, slice: Slice) -> Self {
        let mut hashes = Vec::new();
        hasher.each(&mut |entry| {
            if slice.holds(entry.hash) {
                hashes.push(entry.hash);
            }
        });
        hashes.sort_unstable();
        let mut census = Self::default();
        let mut repeated = Vec::new();
        for equal in hashes.chunk_by(|a, b| a == b) {
            match equal {
                [_] => census.add_map(1),
                _ => repeated.push(equal[0]),
            }
        }
        drop(hashes);
        census.add_repeated(hasher, &repeated);
        census
    }

    /// Adds the placements whose hash is one of `repeated`, which is sorted.
    fn add_repeated(&mut self, hasher: &Hasher, repeated: &[u64]) {
        if repeated.is_empty() {
            return;
        }
        let mut entries = Vec::new();
        hasher.each(&mut |entry| {
            if repeated.binary_search(&entry.hash).is_ok() {
                entries.push(entry);
            }
        });
        entries.sort_unstable();
        for equal in entries.chunk_by(|a, b| a.hash == b.hash) {
            self.add_group(hasher.referee, equal);
        }
    }

    /// Adds placements whose hashes agree, comparing their maps.
    fn add_group(&mut self, referee: &Referee, equal: &[PackedPlacement]) {
        let size = referee.army().size();
        let mut maps: Vec<ThreatMap> = equal
            .iter()
            .map(|entry| referee.army().threats(&entry.placement(size)))
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

    /// Returns the counts of two disjoint sets of maps together.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        Self {
            placements: self.placements + other.placements,
            distinct: self.distinct + other.distinct,
            unique: self.unique + other.unique,
            squares: self.squares + other.squares,
        }
    }
}

/// A census in parts that are counted apart, by as many threads as the caller has.
pub struct MapParts<'a> {
    hasher: Hasher<'a>,
    slices: u64,
}

impl<'a> MapParts<'a> {
    /// The parts of a census of `placements` accepted placements.
    pub fn new(referee: &'a Referee, placements: u64) -> Self {
        Self {
            hasher: Hasher::new(referee),
            slices: placements.div_ceil(SLICE).next_power_of_two(),
        }
    }

    /// Returns the number of parts.
    pub const fn count(&self) -> u64 {
        self.slices
    }

    /// Counts the maps of a part; those of different parts are different.
    pub fn census(&self, part: u64) -> MapCensus {
        let slices = self.slices;
        MapCensus::of_slice(
            &self.hasher,
            Slice {
                slice: part,
                slices,
            },
        )
    }
}

/// A range of hashes, of `slices` equal ones; `slices` is a power of two.
#[derive(Clone, Copy, Debug)]
struct Slice {
    slice: u64,
    slices: u64,
}

impl Slice {
    #[inline]
    fn holds(self, hash: u64) -> bool {
        hash.rotate_left(self.slices.trailing_zeros()) & (self.slices - 1) == self.slice
    }
}

/// A placement, seven bits a cell, under the hash of its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PackedPlacement {
    hash: u64,
    packed: u64,
}

impl PackedPlacement {
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
    /// The hash of what is attacked on an empty board, by piece and cell.
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

    /// Calls `visit` for every accepted placement.
    fn each(&self, visit: &mut impl FnMut(PackedPlacement)) {
        for first in members(self.referee.army().pieces()[0].domain) {
            Walk::new(self.referee).with_first(first, &mut |placement, last| {
                self.completions(placement, last, visit);
            });
        }
    }

    /// Hashes the accepted completions of a placement of all but the last piece.
    #[inline]
    fn completions(
        &self,
        placement: &Placement,
        last: CellSet,
        visit: &mut impl FnMut(PackedPlacement),
    ) {
        let piece = placement.len();
        let pack = |packed, (piece, cell): (usize, usize)| packed | (cell as u64) << (7 * piece);
        let packed = placement.iter().enumerate().fold(0, pack);
        let hash = self.undisturbed(placement);
        let reach = &self.reach[piece * self.cells.len()..];
        for cell in members(last) {
            let packed = pack(packed, (piece, cell));
            if self.referee.is_undisturbed() {
                let hash = hash.wrapping_add(reach[cell]);
                visit(PackedPlacement { hash, packed });
            } else if let Some(hash) = self.disturbed(placement, cell) {
                visit(PackedPlacement { hash, packed });
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
        let army = self.referee.army();
        let hashes = whole.iter().enumerate().map(|(piece, cell)| {
            if army.screen(piece, cell) & occupied == 0 {
                self.reach[piece * self.cells.len() + cell]
            } else {
                sum(&self.cells, army.attacks(piece, cell, occupied))
            }
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
    use crate::census::Census;
    use crate::rules::Rule;
    use crate::variants::Variant;

    fn census(variant: Variant, rule: Rule) -> MapCensus {
        let referee = Referee::new(variant.army(), rule);
        MapCensus::new(&referee, Census::new(&referee).placements())
    }

    #[test]
    fn whole_maps_of_non_attacking_makruk_are_unique_and_of_xiangqi_are_not() {
        let maps = census(Variant::Makruk, Rule::NonAttacking);
        assert_eq!((maps.placements, maps.unique), (3_379_224, 3_379_224));
        let maps = census(Variant::Xiangqi, Rule::NonAttacking);
        assert!(maps.unique < maps.distinct && maps.expected_solutions() > 3.0);
    }

    /// Run with `cargo test --release -- --ignored non_attacking_chess_and_shogi_map`.
    #[test]
    #[ignore = "some ten seconds: 149 million maps"]
    fn every_non_attacking_chess_and_shogi_map_is_unique() {
        let unique = |variant| census(variant, Rule::NonAttacking).unique;
        assert_eq!(unique(Variant::Chess), 17_265_360);
        assert_eq!(unique(Variant::Shogi), 131_390_864);
    }

    /// Maps are compared themselves where hashes agree: with every hash equal the counts stand.
    #[test]
    fn a_useless_hash_changes_no_count() {
        let referee = Referee::new(Variant::Xiangqi.army(), Rule::Table);
        let hasher = Hasher::new(&referee);
        let mut entries = Vec::new();
        hasher.each(&mut |entry| entries.push(entry));
        entries.iter_mut().for_each(|entry| entry.hash = 0);
        let mut counted = MapCensus::default();
        counted.add_group(&referee, &entries);
        assert_eq!(counted, census(Variant::Xiangqi, Rule::Table));
    }
}
