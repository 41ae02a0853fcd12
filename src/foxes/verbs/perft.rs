//! `perft foxes`: the number of move sequences and of distinct positions at each depth.

use super::super::perft::{Perft, PerftDepth};
use super::{BOARD, CAPTURE, POSITION, STUCK, read_depth, read_root, read_rules};
use lab::task::{Arguments, Console, TableCell, Verb, VerbError, VerbOption};

pub(super) const PERFT: Verb = Verb {
    name: "perft",
    summary: "count move sequences and distinct positions, depth by depth",
    examples: &[
        ("etude perft foxes --depth 9", "the tree from the start"),
        (
            "etude perft foxes --depth 5 --position '3/1hf/hf2h1h/1hh2h1/h1hhhhh/hhh/hhh f 1'",
            "the tree from Arsac's figure 9",
        ),
    ],
    options: &[
        VerbOption::integer("depth", "N", "plies to count").or_integer(7),
        POSITION,
        BOARD,
        CAPTURE,
        STUCK,
    ],
    run,
};

fn run(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let rules = read_rules(arguments)?;
    let root = read_root(arguments, &rules)?;
    let depth = read_depth(arguments, 60)?;
    console.columns(&["depth", "moves", "distinct"]);
    for level in Perft::new(&rules, &root).take(depth as usize) {
        console.row(&row(level));
    }
    Ok(())
}

fn row(level: PerftDepth) -> [TableCell; 3] {
    [
        level.depth.into(),
        TableCell::Integer(i128::try_from(level.moves).unwrap_or(i128::MAX)),
        level.distinct.into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::task::Script;

    #[test]
    fn the_table_has_a_row_for_each_depth() {
        let mut console = Script::default();
        run(
            &Arguments::defaults(PERFT.options).with_integer("depth", 3),
            &mut console,
        )
        .unwrap();
        assert_eq!(console.columns, ["depth", "moves", "distinct"]);
        let third = [3, 138, 124].map(TableCell::Integer);
        assert_eq!(console.rows[2], third);
        assert_eq!(console.rows.len(), 3);
    }

    #[test]
    fn wrong_options_are_named() {
        let cases = [
            (
                Arguments::defaults(PERFT.options).with_integer("depth", 0),
                "--depth",
            ),
            (
                Arguments::defaults(PERFT.options).with_text("board", "moon"),
                "--board",
            ),
            (
                Arguments::defaults(PERFT.options).with_text("capture", "never"),
                "--capture",
            ),
            (
                Arguments::defaults(PERFT.options).with_text("position", "h"),
                "--position",
            ),
        ];
        for (arguments, place) in cases {
            let error = run(&arguments, &mut Script::default()).unwrap_err();
            assert_eq!(error.place, place);
            assert!(error.usage && !error.help.is_empty());
        }
    }
}
