//! The laws of tasks, for every registered task with its defaults and for the first cells of every
//! experiment file of the project.

use crate::experiments;
use etude::GAMES;
use lab::config::Cell;
use lab::laws;

/// Cells of an experiment; later ones differ in the same parameters.
const CELLS: usize = 3;

#[test]
fn every_game_keeps_the_laws() {
    for game in GAMES {
        assert_eq!(laws::check(game), Ok(()));
    }
}

/// All orders of ten cards take seconds; the laws are held to smaller decks of the same task.
fn is_long(cell: &Cell) -> bool {
    cell.params.text("deck") == Ok("2x5")
}

#[test]
fn so_do_the_cells_of_every_experiment() {
    for experiment in experiments::all() {
        let cells = experiment.cells.iter().filter(|cell| !is_long(cell));
        for cell in cells.take(CELLS) {
            let kept = laws::check_task(&experiment.task, &cell.params);
            assert_eq!(kept, Ok(()), "{}, cell {}", experiment.name, cell.name);
        }
    }
}

/// What such a task says is reported as exact, whatever the seed.
#[test]
fn some_tasks_are_without_chance() {
    let tasks = GAMES.iter().flat_map(|game| game.tasks);
    let without = tasks.filter(|task| !task.chance).count();
    assert!(without >= 2, "queens and pegs have one each");
}
