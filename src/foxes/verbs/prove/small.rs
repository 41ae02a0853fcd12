//! Every position of a small board solved, in memory.

use super::{integers, not_proved};
use base::Failure;
use foxes::rules::Rules;
use foxes::solved::DrawLimits;
use foxes::solved::retrograde::{LayerCensus, Shape, Tablebase, Worth};
use task::{Console, TableCell};

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

pub(super) fn solve(rules: &Rules, console: &mut dyn Console) -> Result<(), Failure> {
    let mut tablebase = Tablebase::new(*rules);
    console.columns(&COLUMNS);
    let mut longest = 0;
    for shape in tablebase.plan() {
        let census = tablebase.solve(shape);
        longest = longest.max(u32::from(census.longest));
        let draws = DrawLimits::of_plies(longest);
        draws.check(rules).map_err(not_proved)?;
        console.row(&row(shape, tablebase.configurations(shape), &census));
    }
    console.note(&verdict(rules, tablebase.worth(&rules.start())));
    Ok(())
}

fn row(shape: Shape, configurations: u64, census: &LayerCensus) -> [TableCell; 8] {
    integers([
        u64::from(shape.hens),
        u64::from(shape.height),
        configurations,
        census.positions,
        census.hens_win,
        census.draws,
        census.foxes_win,
        u64::from(census.longest),
    ])
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
    use super::super::tests::prove;
    use super::*;

    #[test]
    fn a_small_board_lists_every_layer_and_judges_the_start() {
        let console = prove(&["--board=strip"]).unwrap();
        assert_eq!(console.columns, COLUMNS);
        let total = |column: usize| -> i128 {
            let cells = console.rows.iter().map(|row| &row[column]);
            cells
                .map(|cell| match cell {
                    TableCell::Integer(count) => *count,
                    other => panic!("{other:?} is not a count"),
                })
                .sum()
        };
        assert_eq!(total(2), 220 + 495 + 792, "sets of 3, 4 and 5 hens");
        assert_eq!(total(3), total(4) + total(5) + total(6));
        assert!(console.heard("strip: the"));
    }
}
