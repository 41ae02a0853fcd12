//! The laws of tasks, for every registered task with its defaults and for the first cells of every
//! experiment file of the project.

use crate::experiments;
use etude::GAMES;
use lab::config::Cell;
use lab::laws;
use lab::task::Params;

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

/// Returns the parameters with at most 40 worlds, rollouts or descents for a player: more are the
/// same code and take a minute.
fn quick(params: &Params) -> Params {
    let Ok(strategy) = params.text("strategy") else {
        return params.clone();
    };
    let mut few = String::new();
    for part in strategy.split_inclusive(|letter: char| !letter.is_ascii_digit()) {
        let (digits, rest) = part.split_at(part.len() - usize::from(!is_number(part)));
        match digits.parse::<u32>() {
            Ok(number) => few.push_str(&number.min(40).to_string()),
            Err(_) => few.push_str(digits),
        }
        few.push_str(rest);
    }
    params.clone().with_text("strategy", &few)
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[test]
fn players_are_made_quick_and_stay_of_their_kind() {
    let made = |name: &str| {
        let params = quick(&Params::default().with_text("strategy", name));
        params.text("strategy").unwrap().to_owned()
    };
    assert_eq!(made("ismcts(8000, 10)"), "ismcts(40, 10)");
    assert_eq!(made("race(1000, rollout(25))"), "race(40, rollout(25))");
    assert_eq!(made("greedy"), "greedy");
}

#[test]
fn so_do_the_cells_of_every_experiment() {
    for experiment in experiments::all() {
        let cells = experiment.cells.iter().filter(|cell| !is_long(cell));
        for cell in cells.take(CELLS) {
            let kept = laws::check_task(&experiment.task, &quick(&cell.params));
            assert_eq!(kept, Ok(()), "{}, cell {}", experiment.name, cell.name);
        }
    }
}

/// Tasks without chance are reported as exact, whatever the seed.
#[test]
fn some_tasks_are_without_chance() {
    let tasks = GAMES.iter().flat_map(|game| game.tasks);
    let without = tasks.filter(|task| !task.chance).count();
    assert!(without >= 2, "queens and pegs have one each");
}
