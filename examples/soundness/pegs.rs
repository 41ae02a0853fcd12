//! Laws of peg solitaire's exact search, on odd boards and from positions in progress.

use super::{Findings, Law, Trial};
use kit::rng::{Stream, below, choose};
use kit::search::Budget;
use pegs::board::{PegBoard, Position, bits, hole_names};
use pegs::solve::{ExactAnswer, PegProblem};

/// The laws.
pub static LAWS: [Law; 4] = [
    Law {
        name: "pegs/best-jump",
        says: "The solutions are those after each first jump, added up; the fewest moves are the fewest after a jump, or one \
               more.",
        instances: 20_000,
        sample: 300,
        start: best_jump,
    },
    Law {
        name: "pegs/mirrored",
        says: "A board that is turned or mirrored has the same solutions.",
        instances: 20_000,
        sample: 300,
        start: mirrored,
    },
    Law {
        name: "pegs/reversed",
        says: "Played backwards, with pegs and holes exchanged, a problem has as many solutions.",
        instances: 20_000,
        sample: 300,
        start: reversed,
    },
    Law {
        name: "pegs/freedom",
        says: "More holes or diagonal jumps never cost a solution or a move.",
        instances: 20_000,
        sample: 300,
        start: freedom,
    },
];

/// Positions that a search may hold.
const NODES: u64 = 100_000;

/// A board of up to six by six holes, some of them missing.
fn some_board(stream: &mut Stream) -> (Vec<Vec<bool>>, bool) {
    let mut side = || 3 + below(stream, 4) as usize;
    let (width, height) = (side(), side());
    let missing = below(stream, 4);
    let hole = |stream: &mut Stream| below(stream, 12) >= missing;
    let rows = (0..height).map(|_| (0..width).map(|_| hole(stream)).collect());
    (rows.collect(), below(stream, 3) == 0)
}

fn drawn(rows: &[Vec<bool>], diagonals: bool) -> Option<PegBoard> {
    let line = |row: &Vec<bool>| {
        row.iter()
            .map(|&hole| if hole { 'o' } else { '-' })
            .collect::<String>()
    };
    let text: Vec<String> = rows.iter().map(line).collect();
    let board = PegBoard::parse(&text.join("/")).ok()?;
    Some(if diagonals {
        board.with_diagonals()
    } else {
        board
    })
}

/// A problem in progress: an end that some jumps at random reach, or one drawn without regard to them.
fn some_problem(stream: &mut Stream, board: PegBoard) -> PegProblem {
    let empty = 1 + below(stream, 6);
    let mut start: Position = board.holes();
    for _ in 0..empty {
        let pegs: Vec<u32> = bits(start).collect();
        if let Some(&peg) = choose(stream, &pegs) {
            start &= !(1 << peg);
        }
    }
    let mut end = start;
    for _ in 0..1 + below(stream, 10) {
        let jumps: Vec<_> = board.jumps(end).collect();
        let Some(jump) = choose(stream, &jumps) else {
            break;
        };
        end ^= jump.mask();
    }
    if below(stream, 4) == 0 {
        let pegs: Vec<u32> = bits(end).collect();
        let holes: Vec<u32> = bits(board.holes() & !end).collect();
        if let (Some(&peg), Some(&hole)) = (choose(stream, &pegs), choose(stream, &holes)) {
            end ^= 1 << peg | 1 << hole;
        }
    }
    PegProblem {
        name: String::new(),
        board,
        start,
        end,
    }
}

/// The number of solutions, and the fewest moves where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counts {
    solutions: u128,
    moves: Option<u32>,
}

fn counts(problem: &PegProblem) -> Option<Counts> {
    match problem.solve(&mut Budget::nodes(NODES).meter()) {
        ExactAnswer::Solved(solution) => Some(Counts {
            solutions: solution.solutions,
            moves: Some(solution.moves),
        }),
        ExactAnswer::Unreachable(_) => Some(Counts {
            solutions: 0,
            moves: None,
        }),
        ExactAnswer::Unresolved => None,
    }
}

fn written(problem: &PegProblem) -> String {
    let PegProblem {
        board, start, end, ..
    } = problem;
    let diagonals = board.has_diagonals();
    let (start, end) = (hole_names(*start), hole_names(*end));
    format!(
        "from {start} to {end}, diagonals {diagonals}, on\n{}",
        board.draw(board.holes())
    )
}

fn best_jump() -> Trial {
    Box::new(|stream: &mut Stream, found: &mut Findings| {
        let (rows, diagonals) = some_board(stream);
        let Some(board) = drawn(&rows, diagonals) else {
            return;
        };
        let problem = some_problem(stream, board);
        let after = problem.board.jumps(problem.start).map(|jump| PegProblem {
            start: problem.start ^ jump.mask(),
            ..problem.clone()
        });
        let parts: Option<Vec<Counts>> = after.map(|after| counts(&after)).collect();
        let (Some(whole), Some(parts), true) =
            (counts(&problem), parts, problem.start != problem.end)
        else {
            return;
        };
        let solutions = parts.iter().map(|part| part.solutions).sum::<u128>();
        found.check(whole.solutions == solutions, || {
            format!("{whole:?}, {parts:?}: {}", written(&problem))
        });
        let least = parts.iter().filter_map(|part| part.moves).min();
        let is_near = match (whole.moves, least) {
            (Some(moves), Some(least)) => (least..=least + 1).contains(&moves),
            (moves, least) => moves == least,
        };
        found.check(is_near, || {
            format!("{whole:?}, {parts:?}: {}", written(&problem))
        });
    })
}

/// A problem on the board with its columns and rows exchanged, and then its rows in the opposite order.
fn turned(rows: &[Vec<bool>], problem: &PegProblem) -> Option<PegProblem> {
    let (height, width) = (rows.len(), rows.first()?.len());
    let turned: Vec<Vec<bool>> = (0..width)
        .map(|x| (0..height).map(|y| rows[y][x]).collect())
        .collect();
    let board = drawn(&turned, problem.board.has_diagonals())?;
    // Rows are drawn from the top, and bits are counted from the lowest.
    let image = |pegs: Position| {
        bits(pegs).fold(0, |image, hole| {
            let (x, y) = (hole as usize % 8, height - 1 - hole as usize / 8);
            image | 1 << (8 * (width - 1 - x) + y)
        })
    };
    let (start, end) = (image(problem.start), image(problem.end));
    Some(PegProblem {
        board,
        start,
        end,
        ..problem.clone()
    })
}

fn mirrored() -> Trial {
    Box::new(|stream: &mut Stream, found: &mut Findings| {
        let (rows, diagonals) = some_board(stream);
        let Some(board) = drawn(&rows, diagonals) else {
            return;
        };
        let problem = some_problem(stream, board);
        let Some(image) = turned(&rows, &problem) else {
            return;
        };
        if let (Some(here), Some(there)) = (counts(&problem), counts(&image)) {
            found.check(here == there, || {
                format!("{here:?}, turned {there:?}: {}", written(&problem))
            });
        }
    })
}

fn reversed() -> Trial {
    Box::new(|stream: &mut Stream, found: &mut Findings| {
        let (rows, diagonals) = some_board(stream);
        let Some(board) = drawn(&rows, diagonals) else {
            return;
        };
        let problem = some_problem(stream, board);
        let holes = problem.board.holes();
        let back = PegProblem {
            start: holes & !problem.end,
            end: holes & !problem.start,
            ..problem.clone()
        };
        if let (Some(here), Some(there)) = (counts(&problem), counts(&back)) {
            let equal = here.solutions == there.solutions;
            found.check(equal, || {
                format!("{here:?}, backwards {there:?}: {}", written(&problem))
            });
        }
    })
}

fn freedom() -> Trial {
    Box::new(|stream: &mut Stream, found: &mut Findings| {
        let (mut rows, _) = some_board(stream);
        let Some(board) = drawn(&rows, false) else {
            return;
        };
        let problem = some_problem(stream, board);
        let (x, y) = (
            below(stream, rows[0].len() as u64) as usize,
            below(stream, rows.len() as u64) as usize,
        );
        let other = if rows[y][x] {
            drawn(&rows, true)
        } else {
            rows[y][x] = true;
            drawn(&rows, false)
        };
        let Some(board) = other else {
            return;
        };
        let free = PegProblem {
            board,
            ..problem.clone()
        };
        if let (Some(here), Some(there)) = (counts(&problem), counts(&free)) {
            let fewer = match (here.moves, there.moves) {
                (Some(here), Some(there)) => there <= here,
                (here, _) => here.is_none(),
            };
            found.check(fewer && there.solutions >= here.solutions, || {
                format!(
                    "{here:?}, with more freedom {there:?}: {}",
                    written(&problem)
                )
            });
        }
    })
}
