//! `etude solve pegs`: one problem, a file of them, or the census of a game.

use super::board::{Jump, Position, format_moves};
use super::census::{CensusLevel, OrbitCount, census};
use super::jump_model;
use super::picture;
use super::problem::{self, NAMED, NamedProblem, ProblemError};
use super::solve::{ExactAnswer, PegProblem, count_moves};
use lab::search::Budget;
use lab::task::{Arguments, Console, TableCell, Verb, VerbError, VerbOption, read_csv_columns};

/// Positions held, or jumps tried, before a problem is given up as unresolved.
const NODES: i64 = 300_000_000;

/// Positions held after each number of jumps when any solution will do.
const WIDTH: usize = 200_000;

const COLUMNS: [&str; 7] = [
    "name",
    "reachable",
    "min_jumps",
    "min_moves",
    "solutions",
    "min_solutions",
    "solution",
];

const CENSUS_COLUMNS: [&str; 8] = [
    "name",
    "pegs",
    "reachable",
    "reachable_classes",
    "dead",
    "dead_classes",
    "winning",
    "winning_classes",
];

/// `solve pegs`.
pub const SOLVE: Verb = Verb {
    name: "solve",
    summary: "Solve peg problems in the fewest moves and count their solutions exactly",
    examples: &[
        ("etude solve pegs --problem latin-cross", "a figure by name"),
        (
            "etude solve pegs --board english --start \"46 35 45 55 44 43\" --end 44",
            "the same by its pegs",
        ),
        (
            "etude solve pegs --problem central --census",
            "positions by number of pegs",
        ),
        (
            "etude solve pegs --problem latin-cross --algorithm jump-model --diagonal",
            "Arsac's program, with the diagonal jumps it allows",
        ),
    ],
    options: &[
        VerbOption::text("problem", "NAME", "A problem by name, central or a figure"),
        VerbOption::file(
            "problems",
            "FILE",
            "A file with columns name,board,start,end",
        ),
        VerbOption::text(
            "board",
            "B",
            "english, french, or rows drawn from the top: `-oo-/oooo`",
        )
        .or_text("english"),
        VerbOption::text("start", "HOLES", "Pegs at the start: `46 35 45`"),
        VerbOption::text("end", "HOLES", "Pegs at the end"),
        VerbOption::choice(
            "algorithm",
            &["exact", "jump-model"],
            "exact, or Arsac's program with iterative deepening",
        )
        .or_text("exact"),
        VerbOption::flag(
            "any",
            "Find any solution, not the fewest moves: for boards too large to solve exactly",
        ),
        VerbOption::flag("diagonal", "Let pegs jump along diagonals too"),
        VerbOption::flag(
            "census",
            "Count the positions reachable, dead and winning, by number of pegs",
        ),
        VerbOption::integer(
            "budget-nodes",
            "N",
            "Positions held or jumps tried before giving up",
        )
        .or_integer(NODES),
    ],
    run: solve,
};

fn solve(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let budget = Budget::nodes(arguments.integer("budget-nodes").unwrap_or_default());
    if arguments.flag("census") {
        return take_census(arguments, budget, console);
    }
    let problems = problems(arguments)?;
    let row: fn(&PegProblem, Budget, &mut dyn Console) -> SolvedProblem =
        match arguments.text("algorithm").unwrap_or_default() {
            "exact" if arguments.flag("any") => any_row,
            "exact" => exact_row,
            "jump-model" => model_row,
            other => return Err(no_algorithm(other)),
        };
    console.columns(&COLUMNS);
    for problem in &problems {
        let (cells, example) = row(problem, budget, console);
        console.row(&cells);
        if arguments.file("problems").is_none() {
            show(problem, &example, console);
        }
    }
    Ok(())
}

/// Draws a solution jump by jump; without one, the pegs at the start.
fn show(problem: &PegProblem, example: &[Jump], console: &mut dyn Console) {
    for frame in picture::story(&problem.board, problem.start, example) {
        console.draw(&format!("{}\n{}", frame.caption, frame.board));
    }
}

/// A row of the table, and the jumps of a solution if there is one.
type SolvedProblem = ([TableCell; 7], Vec<Jump>);

fn no_algorithm(name: &str) -> VerbError {
    VerbError::usage(
        "--algorithm",
        format!("there is no algorithm `{name}`"),
        "expected exact or jump-model",
    )
}

/// The problems asked for: by name, by their pegs, or from a file.
fn problems(arguments: &Arguments) -> Result<Vec<PegProblem>, VerbError> {
    let diagonal = arguments.flag("diagonal");
    if let Some(file) = arguments.file("problems") {
        let records = read_csv_columns(file, &["name", "board", "start", "end"])?;
        let problem = |(line, fields): (u64, Vec<String>)| {
            let [name, board, start, end] = fields.as_slice() else {
                return Err(VerbError::failed("a record lost its fields", "report this"));
            };
            problem::parse(name, board, (start, end), diagonal)
                .map_err(|error| usage(format!("{}:{line}", file.path), error))
        };
        return records.into_iter().map(problem).collect();
    }
    let Some(end) = arguments
        .text("end")
        .or(arguments.text("problem").and(Some("")))
    else {
        return Err(VerbError::usage(
            "--problem",
            "there is no problem to solve",
            "give --problem NAME, or --start and --end with their holes, or --problems FILE",
        ));
    };
    Ok(vec![one_problem(arguments, end)?])
}

/// A problem by name, or by its pegs.
fn one_problem(arguments: &Arguments, end: &str) -> Result<PegProblem, VerbError> {
    let diagonal = arguments.flag("diagonal");
    let in_option = |error: ProblemError| {
        VerbError::usage(format!("--{}", error.part), error.message, error.help)
    };
    if let Some(name) = arguments.text("problem") {
        return named(name)?.problem(diagonal).map_err(in_option);
    }
    let board = arguments.text("board").unwrap_or_default();
    let Some(start) = arguments.text("start") else {
        return Err(VerbError::usage(
            "--start",
            "the pegs at the start are missing",
            "give their holes",
        ));
    };
    problem::parse("given", board, (start, end), diagonal).map_err(in_option)
}

fn named(name: &str) -> Result<&'static NamedProblem, VerbError> {
    NamedProblem::find(name).ok_or_else(|| {
        let names: Vec<&str> = NAMED.iter().map(|named| named.name).collect();
        VerbError::usage(
            "--problem",
            format!("there is no problem `{name}`"),
            format!("expected one of {}", names.join(", ")),
        )
    })
}

fn usage(place: String, error: ProblemError) -> VerbError {
    VerbError::usage(
        place,
        format!("{}: {}", error.part, error.message),
        error.help,
    )
}

fn exact_row(problem: &PegProblem, budget: Budget, console: &mut dyn Console) -> SolvedProblem {
    let mut meter = budget.meter();
    let answer = problem.solve(&mut meter);
    console.note(&format!(
        "{}: {} positions held",
        problem.name,
        meter.spent()
    ));
    match answer {
        ExactAnswer::Solved(solution) => (
            [
                problem.name.as_str().into(),
                true.into(),
                problem.jumps().into(),
                solution.moves.into(),
                count(solution.solutions),
                count(solution.fewest),
                format_moves(&solution.example).into(),
            ],
            solution.example,
        ),
        unsolved => exact_unsolved(problem, unsolved, budget, console),
    }
}

fn exact_unsolved(
    problem: &PegProblem,
    answer: ExactAnswer,
    budget: Budget,
    console: &mut dyn Console,
) -> SolvedProblem {
    match answer {
        ExactAnswer::Unreachable(reason) => {
            console.note(&format!("{}: {}", problem.name, reason.text()));
            without_solution(problem, false.into())
        }
        ExactAnswer::Solved(_) | ExactAnswer::Unresolved => {
            console.note(&format!(
                "{}: unresolved within {} positions; raise --budget-nodes",
                problem.name,
                budget.limit()
            ));
            without_solution(problem, TableCell::Empty)
        }
    }
}

/// A solution from a search that forgets: counts and fewest moves stay empty.
fn any_row(problem: &PegProblem, budget: Budget, console: &mut dyn Console) -> SolvedProblem {
    let answer = problem.solve_within(WIDTH, &mut budget.meter());
    let ExactAnswer::Solved(solution) = answer else {
        return exact_unsolved(problem, answer, budget, console);
    };
    console.note(&format!(
        "{}: a solution of {} moves",
        problem.name, solution.moves
    ));
    let (mut row, _) = without_solution(problem, true.into());
    row[2] = problem.jumps().into();
    row[6] = format_moves(&solution.example).into();
    (row, solution.example)
}

fn model_row(problem: &PegProblem, budget: Budget, console: &mut dyn Console) -> SolvedProblem {
    let answer = jump_model::search(problem, budget);
    console.note(&format!("{}: {} jumps tried", problem.name, answer.nodes));
    match answer.example {
        Some(example) => (
            [
                problem.name.as_str().into(),
                true.into(),
                problem.jumps().into(),
                count_moves(&example).into(),
                TableCell::Empty,
                TableCell::Empty,
                format_moves(&example).into(),
            ],
            example,
        ),
        None if answer.complete => without_solution(problem, false.into()),
        None => {
            console.note(&format!(
                "{}: unresolved; at least {} moves",
                problem.name, answer.at_least
            ));
            without_solution(problem, TableCell::Empty)
        }
    }
}

fn without_solution(problem: &PegProblem, reachable: TableCell) -> SolvedProblem {
    let [jumps, moves, all, fewest, example] = [const { TableCell::Empty }; 5];
    let name = problem.name.as_str().into();
    let cells = [name, reachable, jumps, moves, all, fewest, example];
    (cells, Vec::new())
}

fn count(value: u128) -> TableCell {
    i128::try_from(value).map_or(TableCell::Number(value as f64), TableCell::Integer)
}

/// The census of a problem's start; its end may be left out, and then nothing is winning.
fn take_census(
    arguments: &Arguments,
    budget: Budget,
    console: &mut dyn Console,
) -> Result<(), VerbError> {
    let has_end = arguments.text("problem").is_some() || arguments.text("end").is_some();
    let problem = one_problem(arguments, arguments.text("end").unwrap_or(""))?;
    let end: Option<Position> = has_end.then_some(problem.end);
    let Some(levels) = census(&problem.board, problem.start, end, budget) else {
        return Err(VerbError::failed(
            format!("the census needs more than {} positions", budget.limit()),
            "raise --budget-nodes, memory permitting",
        ));
    };
    console.columns(&CENSUS_COLUMNS);
    let mut all = CensusLevel::default();
    for level in &levels {
        all.reachable.merge(level.reachable);
        all.dead.merge(level.dead);
        all.winning.merge(level.winning);
        console.row(&census_row(
            &problem.name,
            level.pegs.into(),
            level,
            has_end,
        ));
    }
    console.row(&census_row(&problem.name, "all".into(), &all, has_end));
    Ok(())
}

fn census_row(name: &str, pegs: TableCell, level: &CensusLevel, has_end: bool) -> Vec<TableCell> {
    let pair = |tally: OrbitCount| [tally.raw, tally.classes].map(TableCell::from);
    let mut row = vec![name.into(), pegs];
    row.extend(pair(level.reachable));
    row.extend(pair(level.dead));
    if has_end {
        row.extend(pair(level.winning));
    } else {
        row.extend([TableCell::Empty, TableCell::Empty]);
    }
    row
}
