//! `etude solve pegs`: one problem, a file of them, or the census of a game.

use super::story;
use super::tasks::refuse;
use crate::input::{InputFile, integer_within, read_csv_columns};
use base::Failure;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use kit::search::Budget;
use pegs::answer::{Algorithm, PegAnswer};
use pegs::board::{Jump, Position, format_moves};
use pegs::census::{CensusLevel, OrbitCount, census};
use pegs::problem::{self, NAMED, NamedProblem, PegProblemError};
use pegs::solve::PegProblem;
use task::{Console, TableCell, VerbOptions};

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

/// `etude solve pegs`.
#[derive(Debug, Args)]
#[command(
    about = "Solve peg problems in the fewest moves and count their solutions exactly",
    after_help = "Examples:
  etude solve pegs --problem latin-cross
      a figure by name
  etude solve pegs --board english --start \"46 35 45 55 44 43\" --end 44
      the same by its pegs
  etude solve pegs --problem central --census
      positions by number of pegs
  etude solve pegs --problem latin-cross --algorithm jump-model --diagonal
      Arsac's program, with the diagonal jumps it allows"
)]
pub struct SolvePegs {
    /// A problem by name, central or a figure
    #[arg(
        long,
        value_name = "NAME",
        value_parser = named(),
        conflicts_with_all = ["board", "start", "end"],
    )]
    problem: Option<&'static NamedProblem>,
    /// A file with columns name,board,start,end
    #[arg(
        long,
        value_name = "FILE",
        value_parser = InputFile::read,
        conflicts_with_all = ["problem", "board", "start", "end"],
    )]
    problems: Option<InputFile>,
    /// english, french, or rows drawn from the top: `-oo-/oooo`
    #[arg(
        long,
        value_name = "B",
        default_value = "english",
        allow_hyphen_values = true
    )]
    board: String,
    /// Pegs at the start: `46 35 45`
    #[arg(long, value_name = "HOLES", allow_hyphen_values = true)]
    start: Option<String>,
    /// Pegs at the end
    #[arg(long, value_name = "HOLES", allow_hyphen_values = true)]
    end: Option<String>,
    /// exact, or Arsac's program with iterative deepening
    #[arg(long, default_value = "exact", value_parser = ["exact", "jump-model"])]
    algorithm: String,
    /// Find any solution, not the fewest moves: for boards too large to solve exactly
    #[arg(long, conflicts_with = "algorithm")]
    any: bool,
    /// Let pegs jump along diagonals too
    #[arg(long)]
    diagonal: bool,
    /// Count the positions reachable, dead and winning, by number of pegs
    #[arg(long, conflicts_with_all = ["problems", "algorithm", "any"])]
    census: bool,
    /// Positions held or jumps tried before giving up
    #[arg(long, value_name = "N", default_value = "300000000", value_parser = integer_within(1..=u64::MAX))]
    budget_nodes: u64,
}

impl VerbOptions for SolvePegs {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let budget = Budget::nodes(self.budget_nodes);
        if self.census {
            return self.take_census(budget, console);
        }
        let algorithm = match self.algorithm.as_str() {
            "jump-model" => Algorithm::JumpModel,
            _ if self.any => Algorithm::Any(WIDTH),
            _ => Algorithm::Exact,
        };
        let problems = self.chosen_problems()?;
        console.columns(&COLUMNS);
        for problem in &problems {
            let answer = algorithm.solve(problem, budget);
            tell(problem, (algorithm, budget), &answer, console);
            console.row(&cells(problem, algorithm, &answer));
            if self.problems.is_none() {
                show(problem, &answer.example, console);
            }
        }
        Ok(())
    }
}

impl SolvePegs {
    /// The problems asked for: by name, by their pegs, or from a file.
    fn chosen_problems(&self) -> Result<Vec<PegProblem>, Failure> {
        let Some(file) = &self.problems else {
            if self.problem.is_none() && self.end.is_none() {
                return Err(Failure::input(
                    "--problem",
                    "there is no problem to solve",
                    "give --problem NAME, or --start and --end with their holes, or --problems FILE",
                ));
            }
            return Ok(vec![self.one_problem()?]);
        };
        let records = read_csv_columns(file, &["name", "board", "start", "end"])?;
        let problem = |(line, fields): (u64, Vec<String>)| {
            let [name, board, start, end] = fields.as_slice() else {
                return Err(Failure::failed("a record lost its fields").with_help("report this"));
            };
            problem::parse(name, board, (start, end), self.diagonal)
                .map_err(|error| usage(format!("{}:{line}", file.path), error))
        };
        records.into_iter().map(problem).collect()
    }

    /// A problem by name, or by its pegs, which may have no end.
    fn one_problem(&self) -> Result<PegProblem, Failure> {
        if let Some(named) = self.problem {
            return Ok(named.problem(self.diagonal).map_err(refuse)?);
        }
        let Some(start) = &self.start else {
            return Err(Failure::input(
                "--start",
                "the pegs at the start are missing",
                "give their holes",
            ));
        };
        let end = self.end.as_deref().unwrap_or_default();
        let problem = problem::parse("given", &self.board, (start, end), self.diagonal);
        Ok(problem.map_err(refuse)?)
    }

    /// The census of a problem's start; its end may be left out, and then nothing is winning.
    fn take_census(&self, budget: Budget, console: &mut dyn Console) -> Result<(), Failure> {
        let has_end = self.problem.is_some() || self.end.is_some();
        let problem = self.one_problem()?;
        let end: Option<Position> = has_end.then_some(problem.end);
        let Some(levels) = census(&problem.board, problem.start, end, budget) else {
            return Err(Failure::capped(format!(
                "the census needs more than {} positions",
                budget.limit()
            ))
            .with_help("raise --budget-nodes, memory permitting"));
        };
        console.columns(&CENSUS_COLUMNS);
        let mut all = CensusLevel::default();
        for level in &levels {
            all.reachable.merge(level.reachable);
            all.dead.merge(level.dead);
            all.winning.merge(level.winning);
            let pegs = level.pegs.into();
            console.row(&census_row(&problem.name, pegs, level, has_end));
        }
        console.row(&census_row(&problem.name, "all".into(), &all, has_end));
        Ok(())
    }
}

fn named() -> impl TypedValueParser<Value = &'static NamedProblem> {
    let names = PossibleValuesParser::new(NAMED.iter().map(|named| named.name));
    names.try_map(|name| NamedProblem::find(&name).ok_or("there is no such problem"))
}

/// Draws a solution jump by jump; without one, the pegs at the start.
fn show(problem: &PegProblem, example: &[Jump], console: &mut dyn Console) {
    for frame in story::story(&problem.board, problem.start, example) {
        console.draw(&format!("{}\n{}", frame.caption, frame.board));
    }
}

fn usage(place: String, error: PegProblemError) -> Failure {
    Failure::input(
        place,
        format!("{}: {}", error.part, error.message),
        error.help,
    )
}

/// Notes what the search cost, and why there is no solution.
fn tell(
    problem: &PegProblem,
    (algorithm, budget): (Algorithm, Budget),
    answer: &PegAnswer,
    console: &mut dyn Console,
) {
    let mut note = |text: &str| console.note(&format!("{}: {text}", problem.name));
    match (algorithm, answer.reachable) {
        (Algorithm::Exact, _) => note(&format!("{} positions held", answer.nodes)),
        (Algorithm::JumpModel, _) => note(&format!("{} jumps tried", answer.nodes)),
        (_, Some(true)) => note(&format!("a solution of {} moves", answer.moves)),
        _ => {}
    }
    if let Some(reason) = answer.reason {
        note(reason.text());
    }
    match (algorithm, answer.reachable) {
        (_, Some(_)) => {}
        (Algorithm::JumpModel, None) => {
            note(&format!("unresolved; at least {} moves", answer.at_least));
        }
        (_, None) => note(&format!(
            "unresolved within {} positions; raise --budget-nodes",
            budget.limit()
        )),
    }
}

/// The row of a problem; what is not known is empty.
fn cells(problem: &PegProblem, algorithm: Algorithm, answer: &PegAnswer) -> [TableCell; 7] {
    let is_solved = answer.reachable == Some(true);
    let has_fewest = is_solved && !matches!(algorithm, Algorithm::Any(_));
    let [solutions, fewest] = match answer.counts {
        Some(counts) => counts.map(count),
        None => [TableCell::Empty, TableCell::Empty],
    };
    [
        problem.name.as_str().into(),
        answer.reachable.into(),
        is_solved.then(|| problem.jumps()).into(),
        has_fewest.then_some(answer.moves).into(),
        solutions,
        fewest,
        is_solved.then(|| format_moves(&answer.example)).into(),
    ]
}

fn count(value: u128) -> TableCell {
    i128::try_from(value).map_or(TableCell::Number(value as f64), TableCell::Integer)
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
