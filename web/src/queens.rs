//! Arsac's automaton for queens in a page: each request brings the side of the board and the states entered.

use queens::automaton::{Machine, MachineState, MachineSteps, Version};
use serde::Serialize;

use super::{Reply, first_word, json, number};

/// The sides of boards whose whole run is short.
const SIDES: std::ops::RangeInclusive<usize> = 4..=10;

/// Answers a request: `at N STATES` is the machine after so many states, `next N STATES` and `end N` the number of
/// states to the next solution and in all.
pub fn answer(request: &str) -> Reply {
    let (verb, rest) = first_word(request);
    let (side, rest) = first_word(rest);
    let side = number(side, "side of the board")?;
    if !SIDES.contains(&side) {
        return Err(format!(
            "the board has {} to {} rows",
            SIDES.start(),
            SIDES.end()
        ));
    }
    let states = || number(rest, "number of states");
    match verb {
        "at" => json(&view(side, states()?)),
        "next" => json(&after(side, states()?, |before, now| {
            now.solutions > before.solutions
        })),
        "end" => json(&after(side, 0, |_, _| false)),
        other => Err(format!("queens has no verb `{other}`")),
    }
}

/// The machine after some of its states.
#[derive(Serialize)]
struct View {
    /// The state entered last; `begin` before the first.
    did: &'static str,
    /// The state to be entered.
    state: &'static str,
    /// The row, from 1; 0 at the end.
    row: usize,
    /// The column of the queen of each row above.
    queens: Vec<usize>,
    /// The fields that the last state looked at, row and columns.
    looked: (usize, Vec<usize>),
    /// The field that it found free.
    found: Option<usize>,
    /// The solution that it wrote.
    written: Option<Vec<u8>>,
    states: u64,
    examined: u64,
    placed: u64,
    removed: u64,
    solutions: u64,
}

fn view(side: usize, states: u64) -> View {
    let mut machine = Machine::new(Version::Four, side);
    for _ in 1..states {
        machine.step();
    }
    let (row, did, before) = (machine.row(), machine.state(), machine.field());
    let solutions = machine.steps().solutions;
    if states > 0 {
        machine.step();
    }
    let is_seek = states > 0 && did == MachineState::Seek;
    let found = (is_seek && machine.state() == MachineState::GoOn).then(|| machine.field());
    let last = found.unwrap_or(side);
    let steps = *machine.steps();
    View {
        did: if states > 0 { did.name() } else { "begin" },
        state: machine.state().name(),
        row: machine.row(),
        queens: machine.queens().to_vec(),
        looked: (
            row,
            if is_seek {
                (before + 1..=last).collect()
            } else {
                Vec::new()
            },
        ),
        found,
        written: (steps.solutions > solutions).then(|| machine.written().to_vec()),
        states: steps.states,
        examined: steps.examined,
        placed: steps.placed,
        removed: steps.removed,
        solutions: steps.solutions,
    }
}

/// The states entered when, after some of them, two counts of steps first differ in a way, or at the end.
fn after(side: usize, states: u64, differ: fn(&MachineSteps, &MachineSteps) -> bool) -> u64 {
    let mut machine = Machine::new(Version::Four, side);
    while machine.state() != MachineState::End {
        let before = *machine.steps();
        machine.step();
        if before.states >= states && differ(&before, machine.steps()) {
            break;
        }
    }
    machine.steps().states
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn ask(request: &str) -> Value {
        serde_json::from_str(&answer(request).unwrap()).unwrap()
    }

    /// 92 solutions, 19,326 steps: as `results/queens-automaton` has them.
    #[test]
    fn stepping_from_solution_to_solution_finds_all_of_eight_queens() {
        let mut states = 0;
        for solution in 1..=92 {
            states = ask(&format!("next 8 {states}")).as_u64().unwrap();
            let view = ask(&format!("at 8 {states}"));
            assert_eq!(view["solutions"], solution);
            assert_eq!(view["written"].as_array().unwrap().len(), 8);
        }
        let end = ask("end 8").as_u64().unwrap();
        assert_eq!(ask(&format!("next 8 {states}")), end);
        let view = ask(&format!("at 8 {end}"));
        let steps = ["examined", "placed", "removed"].map(|count| view[count].as_u64().unwrap());
        assert_eq!(steps.iter().sum::<u64>(), 19_326);
        assert_eq!((&view["row"], &view["state"]), (&0.into(), &"end".into()));
    }

    /// All states of four queens: what is looked at in a row ends at the free field, and queens stand in the rows above.
    #[test]
    fn each_state_shows_what_it_did() {
        let end = ask("end 4").as_u64().unwrap();
        for states in 0..=end {
            let view = ask(&format!("at 4 {states}"));
            let queens = view["queens"].as_array().unwrap().len() as u64;
            assert_eq!(queens, view["row"].as_u64().unwrap().saturating_sub(1));
            let looked = view["looked"][1].as_array().unwrap();
            if view["found"].is_u64() {
                assert_eq!(
                    (looked.last().unwrap(), &view["did"]),
                    (&view["found"], &"seek".into())
                );
            }
            assert_eq!(
                looked.is_empty(),
                view["did"] != "seek" || looked.is_empty()
            );
        }
        assert!(answer("at 40 1").is_err() && answer("at 4 x").is_err());
    }
}
