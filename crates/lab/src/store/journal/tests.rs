//! Journals of rows that are sound, damaged, forged and of other cells.

use super::*;
use crate::coin;
use crate::run::{CompiledExperiment, Plan};
use base::files::SystemDisk;
use experiment::{Experiment, Overrides};
use kit::rng::Streams;
use kit::search::Budget;
use task::{Row, Workspace};

/// The schema of so many samples of coins, seed 3.
fn coins(sweep: &str, samples: u64) -> Arc<JournalSchema> {
    let text = format!(
        "question = \"?\"\ntask = \"coin/flip\"\nseed = 3\n[stop]\nsamples = {samples}\n\
         [sweep]\np = {sweep}\n"
    );
    let experiment = Experiment::parse(&text, "x.toml", coin::GAMES, &Overrides::default());
    let experiment = experiment.unwrap();
    let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
    JournalSchema::of(&experiment, &Arc::new(compiled), &Plan::of(&experiment))
}

fn tally(schema: &JournalSchema, block: Block) -> BlockTally {
    let compiled = &schema.compiled;
    let cell = |cell| {
        let mut rows = vec![Row::new(); block.samples as usize];
        let drawn = (compiled.source(cell)).draw(&mut Workspace::new(), block.first, &mut rows);
        drawn.map(|()| rows).unwrap()
    };
    let rows: Vec<Vec<Row>> = (0..compiled.cells()).map(cell).collect();
    BlockTally::of(compiled, block.first, &rows)
}

/// Two sweeps later, of blocks twice as long: what every part of a block has is kept, under the new
/// second line, and a row of all cells takes its place.
#[test]
fn rows_lack_the_cells_that_are_new_and_keep_the_others() {
    let (first, second) = (coins("[0.25, 0.5]", 4), coins("[0.5, 0.75]", 4));
    let third = coins("[0.75, 0.5, 0.125]", 1_000);
    let mut drawn = Remade::new(&first);
    (first.plan.blocks()).for_each(|block| drawn.push(block, &tally(&first, block)));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blocks.csv");
    std::fs::write(&path, &drawn.text).unwrap();
    let write_again = |schema: &Arc<JournalSchema>| {
        let journal = Journal::read(&path, schema).unwrap();
        let blocks = &mut |_: u64, block: &StoredBlock| Ok(block.rows);
        rewrite((&SystemDisk, &path), &journal, blocks).unwrap();
        Journal::read(&path, schema).unwrap()
    };
    let mut journal = write_again(&second);
    assert!(journal.is_sealed() && journal.indices().is_empty());
    assert_eq!(journal.kept().len(), 4);
    let kept = journal.block(2).unwrap().tally;
    assert_eq!([kept.has(0), kept.has(1)], [true, false]);
    assert_eq!(kept.missing(&second.compiled), [true, true], "of a pair");
    assert_eq!(journal.layout(2).unwrap(), [Some(0)]);
    // A row that lacks a cell and is said to be the run's own.
    let damaged = |is_kept| {
        of_rows(&second, &[(second.plan.block(2), is_kept, &kept)])
            .damage
            .rows
    };
    assert_eq!([0, 1].map(damaged), [1, 0]);
    let whole = tally(&second, second.plan.block(0));
    assert_eq!(kept.cell(0).len(), whole.cell(0).len());
    let mut writer = JournalWriter::append_to(&SystemDisk, &path, &second).unwrap();
    writer.append(second.plan.block(0), &whole, None).unwrap();
    journal = Journal::read(&path, &second).unwrap();
    assert!(!journal.is_sealed() && journal.indices().iter().eq(&[0]));
    assert_eq!(journal.block(0).unwrap().tally, whole);
    assert!(third.plan.block_size() > 1);
    journal = write_again(&third);
    assert_eq!(journal.kept().len(), 2);
    let kept = journal.block(0).unwrap().tally;
    let has = [0, 1, 2].map(|cell| kept.has(cell));
    assert_eq!(
        has,
        [false, true, false],
        "one part has 0.75, the other not"
    );
    let whole = tally(&third, third.plan.block(0));
    assert_eq!(kept.cell(1), whole.cell(1));
    journal.drop_kept();
    assert!(journal.kept().is_empty() && !journal.is_sealed());
}

/// Every bit of every byte. A flipped line feed joins two rows, and both are lost.
#[test]
fn any_bit_flipped_is_found_and_costs_the_rows_it_is_in() {
    let compiled = CompiledExperiment::new(Vec::new(), &[], Streams::new(1), Budget::UNLIMITED);
    let (compiled, plan) = (Arc::new(compiled), Plan::new(9));
    let schema = JournalSchema::describe("print".into(), Default::default(), &compiled, &plan);
    let tally = BlockTally::new(&compiled);
    let rows = plan
        .blocks()
        .map(|block| JournalRow::new(block, None, &tally.encode()).to_line(&schema.own.key));
    let text: String = [HEADER.to_owned(), schema.to_line()]
        .into_iter()
        .chain(rows)
        .collect();
    let parse = |bytes: &[u8]| Journal::parse(bytes, &schema).unwrap();
    let bytes = text.into_bytes();
    assert_eq!(parse(&bytes).damage, Damage::default());
    assert_eq!(parse(&bytes).indices().len(), 9);
    for offset in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[offset] ^= 1 << bit;
            let parsed = parse(&flipped);
            assert!(parsed.damage.rows > 0, "byte {offset}, bit {bit}");
            let lost = 9 - parsed.indices().len();
            assert!(lost <= 2, "byte {offset}, bit {bit}: {lost} rows lost");
        }
    }
}

/// The journal of rows with sound checksums; each is a block, whether it is kept, and a tally.
fn of_rows(schema: &Arc<JournalSchema>, rows: &[(Block, u8, &BlockTally)]) -> Journal {
    let row = |&(block, kept, tally): &(Block, u8, &BlockTally)| {
        let row = JournalRow {
            kept,
            ..JournalRow::new(block, None, &tally.encode())
        };
        row.to_line(&schema.own.key)
    };
    let head = [HEADER.to_owned(), schema.to_line()].into_iter();
    let text: String = head.chain(rows.iter().map(row)).collect();
    Journal::parse(text.as_bytes(), schema).unwrap()
}

/// No samples, samples beyond the plan, samples of which the tally counts another number, and a cell less.
#[test]
fn rows_that_no_run_writes_are_damage() {
    let schema = coins("[0.25, 0.5]", 4);
    let block = |first, samples| Block {
        index: first,
        first,
        samples,
    };
    let of = |samples| tally(&schema, block(0, samples));
    let damaged =
        |block, kept, tally: &BlockTally| of_rows(&schema, &[(block, kept, tally)]).damage.rows > 0;
    assert!(!damaged(block(3, 1), 0, &of(1)));
    assert!(damaged(block(3, 0), 0, &of(0)));
    assert!(damaged(block(4, 1), 0, &of(1)));
    assert!(damaged(block(3, 2), 0, &of(2)));
    assert!(damaged(block(2, 1), 0, &of(2)));
    let whole = of_rows(&schema, &[(block(2, 1), 0, &of(1))]);
    assert!(whole.is_sealed() && whole.is_stored(&block(2, 1)));
    let kept = of_rows(&schema, &[(block(2, 1), 1, &of(1))]);
    assert!(!kept.is_stored(&block(2, 1)) && kept.indices().is_empty());
    assert!(kept.kept().iter().eq(&[2]));
}

/// A row that is sound and takes the place of one that was read.
#[test]
fn a_row_is_read_again_only_as_it_was() {
    let schema = coins("[0.25, 0.5]", 64);
    let own = schema.plan.block(0);
    let line = |other: u64| {
        let of = tally(&schema, schema.plan.block(other));
        JournalRow::new(own, None, &of.encode()).to_line(&schema.own.key)
    };
    let sound = line(0);
    let others = (1..64).map(line);
    let mut alike = others.filter(|line| line.len() == sound.len() && *line != sound);
    let head = [HEADER.to_owned(), schema.to_line()].concat();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blocks.csv");
    let write = |row: &str| std::fs::write(&path, [&head, row].concat()).unwrap();
    write(&sound);
    let journal = Journal::read(&path, &schema).unwrap();
    assert_eq!(journal.block(0).unwrap().tally, tally(&schema, own));
    write(&alike.next().unwrap());
    assert_eq!(Journal::read(&path, &schema).unwrap().damage.rows, 0);
    assert!(journal.block(0).is_err());
}

/// A row of two blocks, one of no block, and one of another number than its own.
#[test]
fn rows_that_are_no_blocks_of_the_plan_make_up_none() {
    let schema = coins("[0.25, 0.5]", 4);
    let own = |index| schema.plan.block(index);
    let (one, two) = (
        tally(&schema, own(0)),
        Block {
            samples: 2,
            ..own(0)
        },
    );
    let both = tally(&schema, two);
    let journal = of_rows(&schema, &[(two, 0, &both), (own(2), 0, &one)]);
    assert_eq!(journal.damage, Damage::default());
    assert!(!journal.is_sealed() && journal.indices().iter().eq(&[2]));
    let other = Block { index: 3, ..own(1) };
    let journal = of_rows(&schema, &[(own(0), 0, &one), (other, 0, &one)]);
    assert!(!journal.is_sealed() && journal.damage.rows == 0);
}
