//! The second method, for tests: plain loops over rows and columns, no bitboards, no pruning
//! beyond what a test asks for. Shares only the pieces' data with the engines.

use super::army::{Army, Placement};
use super::rules::Rule;
use strum::IntoEnumIterator;

/// A board read cell by cell.
pub(crate) struct Mailbox<'a> {
    army: &'a Army,
    width: i32,
    height: i32,
}

impl<'a> Mailbox<'a> {
    pub(crate) fn new(army: &'a Army) -> Self {
        let board = army.board();
        Self {
            army,
            width: board.width() as i32,
            height: board.height() as i32,
        }
    }

    /// Calls `visit` for each cell that `piece` attacks from `cell`.
    pub(crate) fn walk(
        &self,
        piece: usize,
        cell: usize,
        taken: &[bool],
        mut visit: impl FnMut(usize),
    ) {
        let spec = &self.army.pieces()[piece];
        for &(down, right) in spec.rays {
            for distance in 1.. {
                let step = (i32::from(down) * distance, i32::from(right) * distance);
                let Some(target) = self.offset(cell, step) else {
                    break;
                };
                visit(target);
                if taken[target] {
                    break;
                }
            }
        }
        for leap in &spec.leaps {
            let offset = |(down, right): (i8, i8)| self.offset(cell, (down.into(), right.into()));
            let Some(target) = offset(leap.step) else {
                continue;
            };
            let stays = spec.regions.is_empty()
                || spec
                    .regions
                    .iter()
                    .any(|region| region >> cell & region >> target & 1 == 1);
            if stays && leap.leg.and_then(offset).is_none_or(|leg| !taken[leg]) {
                visit(target);
            }
        }
    }

    fn offset(&self, cell: usize, (down, right): (i32, i32)) -> Option<usize> {
        let row = cell as i32 / self.width + down;
        let column = cell as i32 % self.width + right;
        let inside = (0..self.height).contains(&row) && (0..self.width).contains(&column);
        inside.then(|| (row * self.width + column) as usize)
    }

    /// The attackers of every cell.
    pub(crate) fn counts(&self, cells: &[usize]) -> Vec<u8> {
        let taken = self.taken(cells);
        let mut counts = vec![0; taken.len()];
        for (piece, &cell) in cells.iter().enumerate() {
            self.walk(piece, cell, &taken, |target| counts[target] += 1);
        }
        counts
    }

    fn taken(&self, cells: &[usize]) -> Vec<bool> {
        let mut taken = vec![false; (self.width * self.height) as usize];
        cells.iter().for_each(|&cell| taken[cell] = true);
        taken
    }

    pub(crate) fn is_quiet(&self, cells: &[usize]) -> bool {
        let taken = self.taken(cells);
        cells.iter().enumerate().all(|(piece, &cell)| {
            let mut quiet = true;
            self.walk(piece, cell, &taken, |target| quiet &= !taken[target]);
            quiet
        })
    }

    /// Returns whether the rule lets two pieces stand on these cells; only the whole placement decides
    /// non-attacking.
    fn allows_pair(&self, rule: Rule, a: usize, b: usize) -> bool {
        let (row_a, column_a) = (a as i32 / self.width, a as i32 % self.width);
        let (row_b, column_b) = (b as i32 / self.width, b as i32 % self.width);
        let (down, right) = ((row_a - row_b).abs(), (column_a - column_b).abs());
        match rule {
            Rule::Any | Rule::NonAttacking => a != b,
            Rule::Amazon => down != 0 && right != 0 && down != right && down + right != 3,
            table => {
                let lines = table == Rule::TablePublished && self.army.published_lines;
                let values = table.differences(self.army.board()).unwrap();
                !(values.contains(&a.abs_diff(b)) || lines && (down == 0 || right == 0))
            }
        }
    }

    /// Calls `visit` with the cells of every accepted placement.
    pub(crate) fn each(&self, rule: Rule, visit: &mut impl FnMut(&[usize])) {
        let cells = self.army.board().cells();
        let allowed: Vec<bool> = (0..cells * cells)
            .map(|pair| self.allows_pair(rule, pair / cells, pair % cells))
            .collect();
        let mut placed = Vec::new();
        self.extend(&mut placed, &allowed, &mut |placed| {
            if rule != Rule::NonAttacking || self.is_quiet(placed) {
                visit(placed);
            }
        });
    }

    fn extend(&self, placed: &mut Vec<usize>, allowed: &[bool], visit: &mut impl FnMut(&[usize])) {
        let Some(piece) = self.army.pieces().get(placed.len()) else {
            return visit(placed);
        };
        let cells = self.army.board().cells();
        let upper = |cell: usize| cell < cells / 2;
        for cell in 0..cells {
            let apart = !piece.opposite || upper(placed[0]) != upper(cell);
            let clear = placed
                .iter()
                .all(|&earlier| allowed[earlier * cells + cell]);
            if piece.domain >> cell & 1 == 1 && apart && clear {
                placed.push(cell);
                self.extend(placed, allowed, visit);
                placed.pop();
            }
        }
    }

    /// The number of non-attacking placements by contraction: which pairs of pieces leave each
    /// other alone on a board of their own, then the ways to choose five that all do.
    fn contracted(&self) -> u64 {
        let size = self.army.size();
        let pairs: Vec<Vec<Vec<u64>>> = (0..size * size)
            .map(|pair| self.compatible(pair / size, pair % size))
            .collect();
        let row = |a: usize, cell: usize, b: usize| &pairs[a * size + b][cell];
        let cells = self.army.board().cells();
        let both =
            |a: &[u64], b: &[u64]| -> Vec<u64> { a.iter().zip(b).map(|(x, y)| x * y).collect() };
        let mut total = 0;
        for first in 0..cells {
            for second in (0..cells).filter(|&second| row(0, first, 1)[second] == 1) {
                let open = |piece| both(row(0, first, piece), row(1, second, piece));
                let (third, fourth, fifth) = (open(2), open(3), open(4));
                for c in (0..cells).filter(|&c| third[c] == 1) {
                    let fifth = both(&fifth, row(2, c, 4));
                    for d in (0..cells).filter(|&d| fourth[d] * row(2, c, 3)[d] == 1) {
                        let last = fifth.iter().zip(row(3, d, 4)).map(|(x, y)| x * y);
                        total += last.sum::<u64>();
                    }
                }
            }
        }
        total
    }

    /// Returns 1 for each cell of `a` and cell of `b` where the two, alone on the board, do not attack each other.
    fn compatible(&self, a: usize, b: usize) -> Vec<Vec<u64>> {
        let cells = self.army.board().cells();
        let attacks = |piece: usize, from: usize, to: usize| {
            let mut is_reached = false;
            self.walk(piece, from, &self.taken(&[from, to]), |cell| {
                is_reached |= cell == to
            });
            is_reached
        };
        let quiet = |x: usize, y: usize| x != y && !attacks(a, x, y) && !attacks(b, y, x);
        (0..cells)
            .map(|x| (0..cells).map(|y| u64::from(quiet(x, y))).collect())
            .collect()
    }
}

mod tests {
    use super::*;
    use crate::board::members;
    use crate::census::{Census, ThreatCounts};
    use crate::maps::MapCensus;
    use crate::rules::Referee;
    use crate::variants::{Variant, chess};
    use std::collections::BTreeMap;

    fn maximum(counts: &[u8]) -> usize {
        usize::from(counts.iter().copied().max().unwrap_or(0))
    }

    fn compare_census(army: Army, rule: Rule) {
        let mailbox = Mailbox::new(&army);
        let mut counts = ThreatCounts::default();
        mailbox.each(rule, &mut |placed| {
            counts[maximum(&mailbox.counts(placed))] += 1
        });
        let census = Census::new(&Referee::new(army.clone(), rule));
        assert_eq!(census.max_threats(), counts, "{} {rule:?}", army.name);
    }

    fn compare_maps(army: Army, rule: Rule) {
        let mailbox = Mailbox::new(&army);
        let mut maps: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
        mailbox.each(rule, &mut |placed| {
            *maps.entry(mailbox.counts(placed)).or_default() += 1
        });
        let expected = MapCensus {
            placements: maps.values().sum(),
            distinct: maps.len() as u64,
            unique: maps.values().filter(|&&n| n == 1).count() as u64,
            squares: maps.values().map(|n| n * n).sum(),
        };
        let census = MapCensus::new(&Referee::new(army.clone(), rule), expected.placements);
        assert_eq!(census, expected, "{} {rule:?}", army.name);
    }

    #[test]
    fn the_census_of_every_pair_rule_agrees_with_the_mailbox() {
        for variant in Variant::iter() {
            compare_census(variant.army(), Rule::Universal);
        }
        compare_census(Variant::Chess.army(), Rule::Table);
        compare_census(Variant::Xiangqi.army(), Rule::TablePublished);
        compare_census(Variant::Xiangqi.army(), Rule::Amazon);
    }

    #[test]
    #[ignore = "some ten seconds; the short form runs always"]
    fn the_census_of_every_pair_rule_and_army_agrees_with_the_mailbox() {
        for variant in Variant::iter() {
            for rule in [Rule::Table, Rule::TablePublished] {
                compare_census(variant.army(), rule);
            }
        }
        compare_census(Variant::Chess.army(), Rule::Amazon);
        compare_census(Variant::Makruk.army(), Rule::Amazon);
        compare_census(Variant::Xiangqi.army(), Rule::NonAttacking);
    }

    #[test]
    fn the_census_of_non_attacking_pieces_agrees_with_unpruned_loops() {
        compare_census(chess(4), Rule::NonAttacking);
        compare_census(chess(3), Rule::Any);
        // Legs as in the whole army, which takes five times as long (below).
        let xiangqi = Variant::Xiangqi.army();
        let mut pieces = xiangqi.pieces().to_vec();
        pieces.retain(|piece| piece.name != "advisor");
        let fewer = Army::new("xiangqi without the advisor", xiangqi.board(), pieces);
        compare_census(fewer, Rule::NonAttacking);
    }

    #[test]
    fn non_attacking_chess_and_shogi_agree_with_the_contraction_of_pairs() {
        assert_eq!(Mailbox::new(&chess(6)).contracted(), 132_832);
        for variant in [Variant::Chess, Variant::Shogi] {
            let census = Census::new(&Referee::new(variant.army(), Rule::NonAttacking));
            assert_eq!(
                census.placements(),
                Mailbox::new(&variant.army()).contracted()
            );
        }
    }

    #[test]
    fn the_census_of_maps_agrees_with_a_table_of_whole_maps() {
        for variant in Variant::iter() {
            compare_maps(variant.army(), Rule::Universal);
        }
        compare_maps(Variant::Chess.army(), Rule::TablePublished);
        compare_maps(Variant::Xiangqi.army(), Rule::Amazon);
        compare_maps(chess(5), Rule::NonAttacking);
        compare_maps(chess(4), Rule::Any);
    }

    /// Run with `cargo test --release -- --ignored unpruned`: a few minutes.
    #[test]
    #[ignore = "some minutes: 64^5 chess placements, each walked"]
    fn all_chess_placements_walked_unpruned_agree_with_the_census() {
        compare_census(Variant::Chess.army(), Rule::NonAttacking);
    }

    /// Run with `cargo test --release -- --ignored whole_maps`: under a minute, 1 GB.
    #[test]
    #[ignore = "a minute and a gigabyte: every non-attacking xiangqi and makruk map as a key"]
    fn larger_map_censuses_agree_with_a_table_of_whole_maps() {
        compare_census(Variant::Shogi.army(), Rule::Amazon);
        compare_maps(Variant::Xiangqi.army(), Rule::NonAttacking);
        compare_maps(Variant::Makruk.army(), Rule::NonAttacking);
    }

    /// Seed-free golden file: `tests/data/chess-attacks.csv`, made with python-chess.
    #[test]
    fn chess_attacks_agree_with_python_chess() {
        let army = chess(8);
        let golden = include_str!("../tests/data/chess-attacks.csv");
        let ours =
            |set: &str| -> u128 { u128::from(u64::from_str_radix(set, 16).unwrap().swap_bytes()) };
        let mut checked = 0;
        for line in golden.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let piece = army
                .pieces()
                .iter()
                .position(|p| p.short == fields[0])
                .unwrap();
            let cell = army.board().parse(fields[1]).unwrap();
            let (occupied, attacks) = (ours(fields[2]), ours(fields[3]));
            assert_eq!(army.attacks(piece, cell, occupied), attacks, "{line}");
            let taken: Vec<bool> = (0..64).map(|i| occupied >> i & 1 == 1).collect();
            let mut walked = 0u128;
            Mailbox::new(&army).walk(piece, cell, &taken, |target| walked |= 1 << target);
            assert_eq!(walked, attacks, "{line}");
            checked += 1;
        }
        assert_eq!(checked, 5 * 64 * 3);
    }

    /// Seed 5: random boards of every variant.
    #[test]
    fn attacks_of_every_variant_agree_with_the_mailbox() {
        let mut stream = kit::rng::Streams::new(5).key("blockers").stream(0);
        for variant in Variant::iter() {
            let army = variant.army();
            let mailbox = Mailbox::new(&army);
            let cells = army.board().cells();
            for _ in 0..500 {
                let taken: Vec<bool> = (0..cells)
                    .map(|_| kit::rng::below(&mut stream, 5) == 0)
                    .collect();
                let occupied = (0..cells)
                    .filter(|&c| taken[c])
                    .fold(0, |s, c| s | 1u128 << c);
                for piece in 0..army.size() {
                    let domain: Vec<usize> = members(army.pieces()[piece].domain).collect();
                    let &cell = kit::rng::choose(&mut stream, &domain).unwrap();
                    let mut walked = 0;
                    mailbox.walk(piece, cell, &taken, |target| walked |= 1u128 << target);
                    assert_eq!(army.attacks(piece, cell, occupied & !(1 << cell)), walked);
                }
            }
        }
    }

    #[test]
    fn threat_maps_turn_with_their_placement() {
        let army = Variant::Shogi.army();
        let board = army.board();
        let turned = |cell: usize| board.cell(board.column(cell), board.row(cell));
        let cells = [0, 13, 40, 57, 79];
        let map = army.threats(&Placement::from_iter(cells));
        let image = army.threats(&Placement::from_iter(cells.map(turned)));
        assert!((0..board.cells()).all(|cell| map.count(cell) == image.count(turned(cell))));
    }
}
