//! `prove foxes`: solve a small board completely, layer by layer.

use super::super::board::CROSS;
use super::super::retrograde::{Census, Shape, Tablebase, Worth};
use super::super::rules::Rules;
use super::{BOARD, CAPTURE, STUCK, read_rules};
use crate::task::{Arguments, Cell, Console, Verb, VerbError};

pub(super) const PROVE: Verb = Verb {
    name: "prove",
    summary: "solve every position of a small board, layer by layer; endless play is a draw",
    examples: &[(
        "etude prove foxes --board small-cross",
        "a cross with arms of length 1",
    )],
    options: &[BOARD, CAPTURE, STUCK],
    run,
};

const COLUMNS: [&str; 8] = [
    "hens",
    "height",
    "configurations",
    "positions",
    "hens_win",
    "draws",
    "foxes_win",
    "longest",
];

fn run(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let rules = read_rules(arguments)?;
    refuse_the_full_board(arguments, &rules)?;
    let mut tablebase = Tablebase::new(rules);
    console.columns(&COLUMNS);
    for shape in tablebase.plan() {
        let census = tablebase.solve(shape);
        console.row(&row(shape, tablebase.configurations(shape), &census));
        if console.is_interrupted() {
            return Err(VerbError::failed(
                "interrupted before the last layer",
                "nothing is kept: start again",
            ));
        }
    }
    console.note(&verdict(&rules, tablebase.worth(&rules.start())));
    Ok(())
}

fn refuse_the_full_board(arguments: &Arguments, rules: &Rules) -> Result<(), VerbError> {
    if *rules.board != CROSS {
        return Ok(());
    }
    let found = match arguments.text("board") {
        Some(_) => "the full board has too many positions to be solved in memory",
        None => "this verb needs a board",
    };
    let help = "choose a small one: --board small-cross, strip or small-square";
    Err(VerbError::usage("--board", found, help))
}

fn row(shape: Shape, configurations: u64, census: &Census) -> [Cell; 8] {
    [
        u64::from(shape.hens),
        u64::from(shape.height),
        configurations,
        census.positions,
        census.hens_win,
        census.draws,
        census.foxes_win,
        u64::from(census.longest),
    ]
    .map(|count| Cell::Integer(i128::from(count)))
}

fn verdict(rules: &Rules, start: Worth) -> String {
    let name = rules.board.name;
    match start {
        Worth::Draw => format!("{name}: the start position is a draw"),
        Worth::Won { winner, plies } => {
            let winner = winner.name();
            format!("{name}: the {winner} win the start position in {plies} plies")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::console::Script;
    use super::*;

    #[test]
    fn a_proof_lists_every_layer_and_judges_the_start() {
        let mut console = Script::default();
        let arguments = Arguments::new().with_text("board", "strip");
        run(&arguments, &mut console).unwrap();
        assert_eq!(console.columns, COLUMNS);
        let total = |column: usize| -> i128 {
            let cells = console.rows.iter().map(|row| &row[column]);
            cells
                .map(|cell| match cell {
                    Cell::Integer(count) => *count,
                    other => panic!("{other:?} is not a count"),
                })
                .sum()
        };
        assert_eq!(total(2), 220 + 495 + 792, "sets of 3, 4 and 5 hens");
        assert_eq!(total(3), total(4) + total(5) + total(6));
        assert!(console.heard("strip: the"));
    }

    #[test]
    fn the_full_board_is_refused_with_advice() {
        let error = run(&Arguments::new(), &mut Script::default()).unwrap_err();
        assert_eq!(error.place, "--board");
        assert!(error.help.contains("small-cross"));
    }
}
