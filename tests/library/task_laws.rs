//! The laws of tasks, for every registered task with its defaults and for the first cells of every
//! experiment file of the project.

use std::collections::BTreeSet;

use crate::experiments;
use etude::GAMES;
use experiment::Cell;
use rayon::prelude::*;
use task::{GameSpec, ParamSpec, ParamValue, Params, TaskSpec, laws};

/// Worlds, rollouts or descents of a player: more are the same code and take a minute.
const FEW: u32 = 2;

/// Sizes that a task may have, and the largest one that is tried.
const SIZES: [(&str, i64); 5] = [
    ("population", 300),
    ("worlds", 8),
    ("penalty", 8),
    ("playouts", 2),
    ("choices", 2),
];

/// Parameters that may name a player of cards.
const PLAYERS: [&str; 3] = ["strategy", "player", "finisher"];

/// The whole check of a game is called where its defaults are no more work than the laws need; of other games the
/// exact values are checked here, with less work, and samples with those of experiments.
#[test]
fn every_game_keeps_the_laws() {
    let mut light = GAMES.iter().filter(|game| is_light(game)).peekable();
    assert!(light.peek().is_some(), "no game is checked as a whole");
    for game in light {
        assert_eq!(laws::check(game), Ok(()), "{}", game.name);
    }
    for (spec, defaults) in heavy() {
        assert_eq!(laws::check_truths(spec, &small(&defaults)), Ok(()));
    }
}

/// The tasks of games whose defaults are much work, with less of it.
fn heavy() -> impl Iterator<Item = (&'static TaskSpec, Params)> {
    let games = GAMES.iter().filter(|game| !is_light(game));
    let tasks = games.flat_map(|game| game.tasks);
    tasks.filter_map(|spec| Some((spec, quick(&defaults(spec)?))))
}

/// The defaults of a task whose parameters all have one.
fn defaults(spec: &TaskSpec) -> Option<Params> {
    let defaults = Params::defaults(&spec.params);
    let has = |param: &ParamSpec| defaults.get(&param.name).is_some();
    spec.params.iter().all(has).then_some(defaults)
}

fn is_light(game: &GameSpec) -> bool {
    let mut defaults = game.tasks.iter().filter_map(defaults);
    defaults.all(|defaults| quick(&defaults).to_json() == defaults.to_json())
}

/// All orders of eight or ten cards take seconds; the laws are held to the defaults of the same task. So
/// does the solution of the small cross; the tests of exact boards hold it to the strip.
fn is_long(cell: &Cell) -> bool {
    let is = |param: &str, text: &str| cell.params.text(param) == Ok(text);
    is("deck", "2x4") || is("deck", "2x5") || is("board", "small-cross")
}

/// Returns the parameters with no more work than the laws need.
fn quick(params: &Params) -> Params {
    let mut quick = params.clone();
    for (name, most) in SIZES {
        if let Some(&ParamValue::Integer(size)) = params.get(name) {
            quick = quick.with_integer(name, size.min(most));
        }
    }
    for name in PLAYERS {
        if let Ok(player) = params.text(name) {
            quick = quick.with_text(name, &quick_player(player));
        }
    }
    quick
}

/// Returns the parameters with a small figure of pegs, whose exact values are soon known.
fn small(params: &Params) -> Params {
    match params.get("problem") {
        Some(_) => params.clone().with_text("problem", "latin-cross"),
        None => params.clone(),
    }
}

/// Returns the name of a player of the same kind with at most [`FEW`] worlds, rollouts or descents.
fn quick_player(strategy: &str) -> String {
    let mut few = String::new();
    for part in strategy.split_inclusive(|letter: char| !letter.is_ascii_digit()) {
        let (digits, rest) = part.split_at(part.len() - usize::from(!is_number(part)));
        match digits.parse::<u32>() {
            Ok(number) => few.push_str(&number.min(FEW).to_string()),
            Err(_) => few.push_str(digits),
        }
        few.push_str(rest);
    }
    few
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[test]
fn players_are_made_quick_and_stay_of_their_kind() {
    assert_eq!(quick_player("ismcts(8000, 10)"), "ismcts(2, 2)");
    assert_eq!(
        quick_player("race(1000, rollout(25))"),
        "race(2, rollout(2))"
    );
    assert_eq!(quick_player("greedy"), "greedy");
}

/// Checks the defaults of the games that are much work and so many cells of each experiment, of more than so many kinds;
/// later ones differ in the same parameters.
fn cells_keep_the_laws(most: usize, kinds: usize) {
    let experiments = experiments::all();
    let cells = experiments.iter().flat_map(|experiment| {
        let own = experiment.cells.iter().filter(|cell| !is_long(cell));
        own.take(most).map(|cell| {
            let name = format!("{}, cell {}", experiment.name(), cell.name);
            (&experiment.task, quick(&cell.params), name)
        })
    });
    let defaults = heavy().map(|(spec, params)| (spec, params, "its defaults".to_string()));
    let mut known = BTreeSet::new();
    let mut checked: Vec<_> = defaults.chain(cells).collect();
    checked.retain(|(spec, params, _)| known.insert(format!("{} {params:?}", spec.name)));
    assert!(checked.len() > kinds, "{} kinds of cells", checked.len());
    // One by one: those that take long stand side by side.
    let each = checked.par_iter().with_max_len(1);
    each.for_each(|(spec, params, name)| {
        assert_eq!(laws::check_task(spec, params), Ok(()), "{name}");
    });
}

#[test]
fn so_do_defaults_and_a_cell_of_every_experiment() {
    cells_keep_the_laws(1, 60);
}

#[test]
#[ignore = "long; the short form runs always"]
fn so_do_defaults_and_two_cells_of_every_experiment() {
    cells_keep_the_laws(2, 80);
}

/// Tasks without chance are reported as exact, whatever the seed.
#[test]
fn some_tasks_are_without_chance() {
    let tasks = GAMES.iter().flat_map(|game| game.tasks);
    let without = tasks.filter(|task| !task.is_random).count();
    assert!(without >= 2, "queens and pegs have one each");
}
