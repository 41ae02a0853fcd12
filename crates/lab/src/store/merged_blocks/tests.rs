//! Rows of several folders that make up blocks, or do not.

use super::*;
use crate::run::{CompiledExperiment, Shard};
use kit::rng::Streams;
use kit::search::Budget;

fn part(plan: &Plan, name: &str, index: u64, count: u64) -> (PathBuf, Journal) {
    part_of(plan, name, Shard::new(index, count).unwrap())
}

fn part_of(plan: &Plan, name: &str, shard: Shard) -> (PathBuf, Journal) {
    let compiled = CompiledExperiment::new(Vec::new(), &[], Streams::new(1), Budget::UNLIMITED);
    let compiled = Arc::new(compiled);
    let schema = JournalSchema::describe(String::new(), Default::default(), &compiled, plan);
    let tally = BlockTally::new(&compiled).encode();
    let rows = plan.with_shard(shard).blocks();
    let rows = rows.map(|block| JournalRow::new(block, None, &tally).to_line(&schema.own.key));
    let text = format!("x\n{}{}", schema.to_line(), rows.collect::<String>());
    let journal = Journal::parse(text.as_bytes(), &schema);
    (name.into(), journal.unwrap())
}

#[test]
fn shards_in_any_order_and_of_any_count_make_the_whole() {
    let plan = Plan::new(2_000);
    let (a, b) = (part(&plan, "a", 0, 2), part(&plan, "b", 1, 4));
    let union = Union::of(vec![part(&plan, "c", 3, 4), a, b], &plan).unwrap();
    assert_eq!(union.first_missing(), None);
    assert_eq!(union.samples(), 2_000);
    assert!(union.covers(&(0..2_000)));
}

#[test]
fn equal_rows_in_two_folders_count_once() {
    let plan = Plan::new(20);
    let parts = vec![part(&plan, "a", 0, 2), part(&plan, "b", 2, 4)];
    let union = Union::of(parts, &plan).unwrap();
    assert_eq!(union.samples(), 10);
    assert!(union.covers(&(2..3)) && !union.covers(&(2..4)));
}

/// The rows of a smaller run, of which the last is short, and those of the shards of the rest.
#[test]
fn rows_of_different_lengths_tile_blocks() {
    let (small, large) = (Plan::new(1_023), Plan::new(5_000));
    let shard = |index| {
        let rest = Shard::new(index, 2).unwrap().with_first(1_022);
        part_of(&large, "rest", rest)
    };
    let whole = part_of(&small, "small", Shard::WHOLE);
    let parts = vec![whole, shard(1), shard(0)];
    let union = Union::of(parts, &large).unwrap();
    assert_eq!(union.first_missing(), None);
    assert_eq!(union.samples(), 5_000);
}

#[test]
fn holes_are_found_and_the_union_cut_to_the_prefix_before_them() {
    let plan = Plan::new(9);
    let parts = vec![part(&plan, "a", 0, 3), part(&plan, "b", 1, 3)];
    let mut union = Union::of(parts, &plan).unwrap();
    let missing = union.missing_samples();
    assert_eq!(missing, [2..3, 5..6, 8..9]);
    assert_eq!(
        missing_samples(&missing, 9, " (shards 3/3)").to_string(),
        "3 of 9 samples of each cell are in none of the folders (shards 3/3): 2, 5, 8"
    );
    assert_eq!(union.first_missing(), Some(2));
    union.cut(2);
    assert_eq!(union.blocks.keys().copied().collect::<Vec<_>>(), [0, 1]);
    assert_eq!(ranges(&[0..3, 7..8]), "0 to 2, 7");
}

/// A row may lie within a longer one, and one that ends behind a block is no part of it.
#[test]
fn rows_overlap_and_make_up_blocks_that_they_end_with() {
    let gaps = gaps_between([0..8, 2..4, 10..11].into_iter(), 12);
    assert_eq!(gaps, [8..10, 11..12]);
    let piece = |samples: Range<u64>| BlockPiece {
        samples,
        part: 0,
        rows: None,
    };
    let (long, first, second) = (piece(4..12), piece(4..6), piece(6..8));
    let block = Block {
        index: 1,
        first: 4,
        samples: 4,
    };
    assert!(tiles(block, &[&long]).is_none() && tiles(block, &[&first, &long]).is_none());
    assert_eq!(
        tiles(block, &[&first, &second, &long]).map(|tiles| tiles.len()),
        Some(2)
    );
}

#[test]
fn six_ranges_are_told_and_no_more() {
    let gaps: Vec<_> = (0..7).map(|at| 3 * at..3 * at + 1).collect();
    assert_eq!(ranges(&gaps[..6]), "0, 3, 6, 9, 12, 15");
    assert_eq!(ranges(&gaps), "0, 3, 6, 9, 12, 15, ...");
}
