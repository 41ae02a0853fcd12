//! Tallies that are completed, cut and joined.

use super::*;
use crate::coin;
use experiment::{Experiment, Overrides};
use task::Value;

fn flips(heads: &[bool]) -> Vec<Row> {
    let flip = |&is_heads: &bool| {
        let mut row = Row::new();
        row.push(Value::flag(is_heads));
        row.push(Value::Exact(3 + i64::from(is_heads)));
        row.push(Value::Exact(5));
        row
    };
    heads.iter().map(flip).collect()
}

/// Of two coins a stored block knows three flips each, or of one of them alone: what was drawn again must be the same,
/// what was not drawn is taken over, and what is not known may be anything.
#[test]
fn samples_that_were_known_are_the_same_when_they_are_drawn_again() {
    let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 3\n\
                [sweep]\np = [0.5, 0.75]\n";
    let experiment = Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default());
    let compiled = CompiledExperiment::of_experiment(&experiment.unwrap()).unwrap();
    let of = |first: &[bool], second: &[bool]| {
        BlockTally::of(&compiled, 0, &[flips(first), flips(second)])
    };
    let (first, second, other) = ([true, false, false], [true, true, false], [true; 3]);
    let known = |lacking: Option<usize>| {
        let mut known = of(&first, &second);
        if let Some(cell) = lacking {
            known.cells[cell].clear();
            known.pairs.iter_mut().for_each(Vec::clear);
        }
        known
    };
    let completed = |mut drawn: BlockTally, lacking| {
        let done = drawn.complete(known(lacking), compiled.rated());
        done.map(|()| drawn.cells)
    };
    let whole = known(None).cells;
    assert_eq!(completed(of(&first, &second), None), Ok(whole.clone()));
    assert_eq!(completed(of(&[], &second), None), Ok(whole.clone()));
    assert_eq!(completed(of(&other, &second), None), Err(0));
    assert_eq!(completed(of(&first, &other), None), Err(1));
    assert_eq!(completed(of(&[], &second), Some(1)), Ok(whole));
    assert_eq!(completed(of(&other, &second), Some(1)), Err(0));
    let third = completed(of(&first, &other), Some(1)).unwrap();
    assert_eq!(third, of(&first, &other).cells);
}

/// Two games of four matches; the second one of the first match was late, and tells its course.
pub(super) fn matches() -> (CompiledExperiment, Vec<Vec<Row>>) {
    let text = "question = \"?\"\ntask = \"game/match\"\nseed = 1\n[stop]\nsamples = 2\n[sweep]\n\
                white = [\"a\", \"b\"]\nblack = [\"c\", \"d\"]\n";
    let experiment = Experiment::of_task(crate::run::matches(), text);
    let experiment = experiment.unwrap_or_else(|error| panic!("{}", error.render(false)));
    let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
    let game = |[is_won, is_drawn]: [bool; 2]| {
        let mut row = Row::new();
        let flags = [is_won, is_drawn, is_won, false];
        flags
            .into_iter()
            .for_each(|flag| row.push(Value::flag(flag)));
        row
    };
    let (won, drawn, lost) = ([true, false], [false, true], [false; 2]);
    let games = [[won, drawn], [lost, lost], [drawn, won], [won, lost]];
    let mut rows = games.map(|own| own.map(game).to_vec()).to_vec();
    rows[0][1].timed_out = true;
    rows[0][1].push_step("1. e4");
    (compiled, rows)
}

/// Whether the first match was drawn again or not, its games, scores, course and late game are those of the block.
#[test]
fn known_games_count_once_and_as_if_they_had_been_drawn() {
    let (compiled, rows) = matches();
    let whole = BlockTally::of(&compiled, 8, &rows);
    assert_eq!(whole.timeouts, [(0, 9)].into());
    assert_eq!(whole.compared(0), (0, 0), "one of two tells no course");
    for is_drawn in [false, true] {
        let mut drawn = rows.clone();
        if !is_drawn {
            drawn[0].clear();
        }
        let mut tally = BlockTally::of(&compiled, 8, &drawn);
        let scored = tally.scores().unwrap()[0].ends()[0].samples();
        assert_eq!(scored, if is_drawn { 2 } else { 0 });
        assert_eq!(tally.complete(whole.clone(), compiled.rated()), Ok(()));
        assert_eq!(tally, whole);
    }
}

/// What was adjusted by a control is taken over with the samples that it was adjusted in.
#[test]
fn known_sums_beside_a_control_are_those_of_the_block() {
    let (compiled, whole) = two_coins();
    let drawn = [flips(&[true, false, false]), Vec::new()];
    let mut tally = BlockTally::of(&compiled, 0, &drawn);
    assert_ne!(tally.adjusted, whole.adjusted);
    assert_eq!(tally.complete(whole.clone(), compiled.rated()), Ok(()));
    assert_eq!(tally, whole);
}

/// A block that is counted sample by sample is the block; of its games only the scores are left in a sum.
#[test]
fn a_block_is_the_sum_of_its_parts() {
    let (compiled, rows) = matches();
    let whole = BlockTally::of(&compiled, 8, &rows);
    let part = |at: usize| -> Vec<Vec<Row>> {
        let one = |cell: &Vec<Row>| vec![cell[at].clone()];
        rows.iter().map(one).collect()
    };
    let mut parts = BlockTally::of(&compiled, 8, &part(0));
    parts.push(&compiled, 9, &part(1));
    assert_eq!(parts, whole);
    let (mut joined, next) = (
        BlockTally::of(&compiled, 8, &part(0)),
        BlockTally::of(&compiled, 9, &part(1)),
    );
    joined.append(&next);
    assert_eq!(joined, whole);
    let mut sum = BlockTally::of(&compiled, 8, &part(0)).into_sum();
    assert!(sum.games.iter().all(|games| games.len() == 0));
    sum.merge(&next);
    assert_eq!(sum, whole.clone().into_sum());
    // No scores, where those of a part are not known, or its matches are others.
    let mut unknown = next.clone();
    unknown.scores = None;
    sum.merge(&unknown);
    assert!(sum.scores().is_none());
    let mut out = part(1);
    out[2][0].clear();
    (0..4).for_each(|_| out[2][0].push(Value::Missing));
    let mut sum = whole.into_sum();
    sum.merge(&BlockTally::of(&compiled, 10, &out));
    assert!(sum.scores().is_none());
    // Nor where one of its own games has no outcome.
    let mut rows = rows;
    rows[2][1] = out[2][0].clone();
    assert!(BlockTally::of(&compiled, 8, &rows).scores().is_none());
}

/// To complete what is known of the matches but one, of the pairs but one, both of its sides are drawn.
#[test]
fn matches_and_both_sides_of_pairs_that_are_not_known_are_missing() {
    let (compiled, rows) = matches();
    let whole = BlockTally::of(&compiled, 0, &rows);
    assert_eq!(whole.missing(&compiled), [false; 4]);
    for cell in 0..4 {
        let mut known = whole.clone();
        known.cells[cell].clear();
        assert!((known.missing(&compiled).into_iter()).eq((0..4).map(|other| other == cell)));
    }
    for (at, pair) in compiled.pairs().iter().enumerate() {
        let mut known = whole.clone();
        known.pairs[at].clear();
        let sides = (0..4).map(|cell| [pair.first, pair.second].contains(&cell));
        assert!(known.missing(&compiled).into_iter().eq(sides), "{pair:?}");
    }
}

/// Of a match that one of two blocks lacks nothing is left, and of the others everything.
#[test]
fn blocks_of_which_one_lacks_a_match_are_joined_without_it() {
    let (compiled, rows) = matches();
    let whole = BlockTally::of(&compiled, 8, &rows);
    let mut lacking = whole.clone();
    lacking.cells[0].clear();
    for [mut first, next] in
        [[&whole, &lacking], [&lacking, &whole]].map(|both| both.map(Clone::clone))
    {
        first.append(&next);
        let games: Vec<usize> = first.games.iter().map(Games::len).collect();
        assert_eq!(games, [0, 4, 4, 4]);
        assert_eq!((first.repeats, first.timeouts), Default::default());
    }
}

/// A match that draws no more has no values, and the pairs with it count nothing; all others stay.
#[test]
fn what_is_left_out_of_a_block_is_one_match_and_its_pairs() {
    let (compiled, mut rows) = matches();
    rows[3][0].timed_out = true;
    rows[3][1].push_step("1. d4");
    let whole = BlockTally::of(&compiled, 8, &rows);
    for cell in [0, 3] {
        let mut left = whole.clone();
        left.leave_out(&compiled, (cell, 2));
        let mut without = rows.clone();
        for row in &mut without[cell] {
            *row = Row::new();
            (0..4).for_each(|_| row.push(Value::Missing));
        }
        let without = BlockTally::of(&compiled, 8, &without);
        assert_eq!(left.cells, without.cells);
        assert_eq!(left.timeouts, without.timeouts);
        assert_eq!(left.repeats, without.repeats);
        let pairs = compiled.pairs().iter().zip(&left.pairs).zip(&whole.pairs);
        for ((pair, left), whole) in pairs {
            if [pair.first, pair.second].contains(&cell) {
                assert_eq!(*left, vec![Paired::default(); 4]);
            } else {
                assert_eq!(left, whole);
            }
        }
    }
    let sides = [0, 3].map(|cell| {
        let pairs = compiled.pairs().iter();
        pairs.filter(|pair| pair.second == cell).count()
    });
    assert_eq!(sides, [2, 0], "both sides of pairs are left out");
}

/// Games that went alike are one sample, unless they ended in two ways.
#[test]
fn games_of_one_course_that_ended_otherwise_are_two() {
    let (compiled, mut rows) = matches();
    for cell in [1, 3] {
        let games = rows[cell].iter_mut();
        games.for_each(|game| game.push_step("1. e4 e5"));
    }
    let tally = BlockTally::of(&compiled, 0, &rows);
    assert_eq!([1, 3].map(|cell| tally.compared(cell)), [(2, 1); 2]);
    assert!(tally.is_one_sample(1) && !tally.is_one_sample(3));
}

/// A cell is drawn in which any metric is defined, be the others as they may.
#[test]
fn a_cell_with_one_metric_that_is_never_defined_is_drawn() {
    let (compiled, mut rows) = matches();
    for (cell, defined) in [(0, 1), (2, 0)] {
        for row in &mut rows[cell] {
            row.clear();
            (0..defined).for_each(|_| row.push(Value::flag(true)));
            (defined..4).for_each(|_| row.push(Value::Missing));
        }
    }
    let tally = BlockTally::of(&compiled, 0, &rows);
    assert_eq!(
        [0, 1, 2].map(|cell| tally.is_drawn(cell)),
        [true, true, false]
    );
}

/// Three flips of each of two coins.
fn two_coins() -> (CompiledExperiment, BlockTally) {
    let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 3\n\
                [sweep]\np = [0.5, 0.75]\n[variance]\ncontrol = \"low\"\nmean = 0.5\nerror = 0.01\n";
    let experiment = Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default());
    let compiled = CompiledExperiment::of_experiment(&experiment.unwrap()).unwrap();
    let rows = [flips(&[true, false, false]), flips(&[true, true, false])];
    let tally = BlockTally::of(&compiled, 0, &rows);
    (compiled, tally)
}

/// The first cell was late at sample 1, the second at sample 2.
#[test]
fn what_is_left_of_a_tally_names_the_late_samples_of_its_cells_alone() {
    let (_, mut tally) = two_coins();
    tally.timeouts = [(0, 1), (1, 2)].into();
    assert_eq!(tally.first_cell().timeouts, [(0, 1)].into());
    let mut without = tally.clone();
    without.cells[1].clear();
    without.pairs.iter_mut().for_each(Vec::clear);
    without.timeouts.clear();
    let mut both = tally.clone();
    both.append(&tally);
    assert_eq!(both.timeouts, tally.timeouts);
    both = tally;
    both.append(&without);
    assert_eq!(both.timeouts, [(0, 1)].into());
}

#[test]
fn samples_under_way_are_counted_once_and_leave_nothing_to_adjust() {
    let (compiled, mut tally) = two_coins();
    tally.push_unresolved(&compiled, &CellLimits::default(), 4);
    for cell in tally.cells() {
        assert_eq!(cell[0].count(), 7);
    }
    let (compiled, mut stopped) = two_coins();
    stopped.push_unresolved(&compiled, &[(1, 3)].into_iter().collect(), 4);
    let counts = [0, 1].map(|cell| stopped.cell(cell)[0].count());
    assert_eq!(counts, [7, 3], "the second coin draws no more");
    let Tally::Counts(flags) = &tally.cell(1)[0] else {
        panic!("flags are counted");
    };
    assert_eq!((flags.unresolved(), flags.low_end().count_of(1)), (4, 2));
    assert_eq!(flags.high_end().count_of(1), 6);
}

#[test]
fn a_block_is_stored_once() {
    let (_, tally) = two_coins();
    let twice = [(5, tally.clone()), (5, tally.clone())];
    let stored = crate::run::StoredBlocks::from_iter(twice);
    assert_eq!(stored.into_tally(), Some(tally));
}

/// All samples are drawn where they are to be kept and those of the known cells were not.
#[test]
fn known_cells_are_drawn_where_their_samples_are_wanted_and_gone() {
    let (compiled, tally) = two_coins();
    let known = |rows| crate::run::KnownBlock {
        tally: tally.clone(),
        rows,
    };
    let drawn = |rows, keep| known(rows).drawn(&compiled, keep);
    assert_eq!(drawn(None, false), [false, false]);
    assert_eq!(drawn(None, true), [true, true]);
    let rows = vec![flips(&[true]), Vec::new()];
    assert_eq!(drawn(Some(rows), true), [false, true]);
}
