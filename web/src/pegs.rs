//! Peg solitaire in a page: nothing is hidden, so each request brings the problem and the jumps made.

use kit::search::Budget;
use pegs::board::{Jump, Position, bits, hole_name};
use pegs::problem::NamedProblem;
use pegs::solve::{ExactAnswer, PegProblem, Reason, count_moves};
use serde::Serialize;

use super::{Reply, first_word, json};

/// The positions that an exact answer may hold.
const EXACT: Budget = Budget::nodes(1_500_000);
/// The positions held after each jump, and in all, where any solution will do.
const ANY: (usize, Budget) = (3_000, Budget::nodes(1_500_000));

/// Answers a request: a verb, the name of a problem, and the jumps so far as `46-44`.
pub fn answer(request: &str) -> Reply {
    let (verb, rest) = first_word(request);
    let (name, jumps) = first_word(rest);
    let game = Game::new(name, jumps)?;
    match verb {
        "view" => json(&game.view()),
        "judge" => json(&game.judge()),
        other => Err(format!("pegs has no verb `{other}`")),
    }
}

#[derive(Clone)]
struct Game {
    problem: PegProblem,
    pegs: Position,
    jumps: Vec<Jump>,
}

#[derive(Serialize)]
struct View {
    width: usize,
    /// The holes row by row from the top, empty where the board has none.
    holes: Vec<String>,
    pegs: Vec<String>,
    /// The pegs to be left.
    end: Vec<String>,
    jumps: Vec<Step>,
    /// The moves so far: consecutive jumps of one peg are one.
    moves: u32,
    solved: bool,
}

#[derive(Serialize)]
struct Step {
    from: String,
    over: String,
    to: String,
}

impl Step {
    fn new(jump: Jump) -> Step {
        let [from, over, to] = [jump.from, jump.over, jump.to].map(hole_name);
        Step { from, over, to }
    }
}

/// The ends that can still be reached.
#[derive(Serialize)]
struct Judgement {
    /// True if the end can be reached; none if the search ended before it knew.
    possible: Option<bool>,
    /// The moves of the whole game, those made included, if it goes on in the best way; none if not known.
    fewest: Option<u32>,
    /// The solutions from here on; none if not known.
    solutions: Option<String>,
    /// The next jump of a solution.
    next: Option<Step>,
    /// The reason for which the end cannot be reached.
    reason: Option<&'static str>,
}

impl Game {
    fn new(name: &str, words: &str) -> Result<Game, String> {
        let named =
            NamedProblem::find(name).ok_or_else(|| format!("there is no figure `{name}`"))?;
        let problem = named.problem(false).map_err(|error| error.message)?;
        let mut game = Game {
            pegs: problem.start,
            problem,
            jumps: Vec::new(),
        };
        for word in words.split_whitespace() {
            let jump = game
                .problem
                .board
                .jumps(game.pegs)
                .find(|jump| is_named(*jump, word));
            game.jump(jump.ok_or_else(|| format!("`{word}` is no jump there"))?);
        }
        Ok(game)
    }

    fn jump(&mut self, jump: Jump) {
        self.pegs ^= jump.mask();
        self.jumps.push(jump);
    }

    fn view(&self) -> View {
        let board = &self.problem.board;
        let (width, height) = board.size();
        let name = |(row, column): (usize, usize)| {
            let hole = 8 * row + column;
            match board.holes() >> hole & 1 {
                1 => hole_name(hole as u8),
                _ => String::new(),
            }
        };
        let rows = (0..height).rev();
        let places = rows.flat_map(|row| (0..width).map(move |column| (row, column)));
        View {
            width,
            holes: places.map(name).collect(),
            pegs: names(self.pegs),
            end: names(self.problem.end),
            jumps: board.jumps(self.pegs).map(Step::new).collect(),
            moves: count_moves(&self.jumps),
            solved: self.pegs == self.problem.end,
        }
    }

    /// Decides whether the end can be reached from here, exactly where the budget allows.
    fn judge(&self) -> Judgement {
        let rest = self.rest();
        let judgement = |possible| Judgement {
            possible,
            fewest: None,
            solutions: None,
            next: None,
            reason: None,
        };
        match rest.solve(&mut EXACT.meter()) {
            ExactAnswer::Solved(solution) => {
                let line = self.best(solution.example);
                Judgement {
                    fewest: Some(self.moves_with(&line)),
                    solutions: Some(solution.solutions.to_string()),
                    next: line.first().copied().map(Step::new),
                    ..judgement(Some(true))
                }
            }
            ExactAnswer::Unreachable(reason) => Judgement {
                reason: Some(match reason {
                    Reason::Exhausted => "every way on was searched",
                    other => other.text(),
                }),
                ..judgement(Some(false))
            },
            ExactAnswer::Unresolved => match rest.solve_within(ANY.0, &mut ANY.1.meter()) {
                ExactAnswer::Solved(solution) => Judgement {
                    next: solution.example.first().copied().map(Step::new),
                    ..judgement(Some(true))
                },
                _ => judgement(None),
            },
        }
    }

    fn rest(&self) -> PegProblem {
        PegProblem {
            start: self.pegs,
            ..self.problem.clone()
        }
    }

    /// The way on with the fewest moves in all, of a solution from here that has the fewest if a move begins
    /// here: the peg that jumped last may jump on in the same move.
    fn best(&self, fresh: Vec<Jump>) -> Vec<Jump> {
        let last = self.jumps.last().map(|jump| jump.to);
        let jumps = self.problem.board.jumps(self.pegs);
        let on = jumps.filter(|jump| Some(jump.from) == last);
        let line = |jump| {
            let mut game = self.clone();
            game.jump(jump);
            match game.rest().solve(&mut EXACT.meter()) {
                ExactAnswer::Solved(found) => Some([vec![jump], game.best(found.example)].concat()),
                _ => None,
            }
        };
        let lines = on.filter_map(line).chain([fresh]);
        lines
            .min_by_key(|line| self.moves_with(line))
            .unwrap_or_default()
    }

    /// The moves of the game if it goes on with some jumps.
    fn moves_with(&self, further: &[Jump]) -> u32 {
        count_moves(&[&self.jumps, further].concat())
    }
}

/// Returns whether a word names a jump: `46-44`.
fn is_named(jump: Jump, word: &str) -> bool {
    word == format!("{}-{}", hole_name(jump.from), hole_name(jump.to))
}

fn names(pegs: Position) -> Vec<String> {
    bits(pegs).map(|hole| hole_name(hole as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn ask(request: &str) -> Value {
        serde_json::from_str(&answer(request).unwrap()).unwrap()
    }

    /// The counts are those of `results/pegs-figures` and of the book.
    #[test]
    fn figures_are_solved_in_the_fewest_moves_by_their_hints() {
        for (figure, fewest, solutions) in [
            ("latin-cross", 5, "2"),
            ("greek-cross", 6, "16"),
            ("fireplace", 8, "4"),
            ("pyramid", 8, "5071224"),
            ("lamp", 9, "1942100"),
        ] {
            let mut game = figure.to_owned();
            loop {
                let judged = ask(&format!("judge {game}"));
                assert_eq!(judged["possible"], true, "{game}");
                assert_eq!(judged["fewest"], fewest, "{game}");
                if game == figure {
                    assert_eq!(judged["solutions"], solutions);
                }
                let Some(from) = judged["next"]["from"].as_str() else {
                    break;
                };
                game += &format!(" {from}-{}", judged["next"]["to"].as_str().unwrap());
            }
            let end = ask(&format!("view {game}"));
            assert_eq!(
                (&end["solved"], &end["moves"]),
                (&true.into(), &fewest.into())
            );
        }
    }

    #[test]
    fn a_lost_game_and_a_wrong_word_are_told_of() {
        let lost = ask("judge latin-cross 44-42");
        assert_eq!(lost["possible"], false);
        assert_eq!(lost["reason"], "every way on was searched");
        assert_eq!(ask("judge full-square")["possible"], false);
        assert!(
            ask("judge full-square")["reason"]
                .as_str()
                .unwrap()
                .contains("parity")
        );
        assert!(answer("view latin-cross 44-45").is_err() && answer("view tower").is_err());
        let view = ask("view latin-cross 44-42");
        assert_eq!(view["pegs"].as_array().unwrap().len(), 5);
    }
}
