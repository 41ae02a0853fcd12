//! The verb `solve`: the deals that its options name, and the table of their solutions.

use lab::task::{Arguments, Console, TableCell, VerbError, read_csv_columns};

/// A deal that the options name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen<D> {
    /// Its place in the file, or its sample's index.
    pub index: u64,
    /// The deal.
    pub deal: D,
}

const ONE: &str = "give one of --deals FILE, --deal DEAL, or --seed S with --index I";

/// The deals of `--deals FILE` (its column `deal`), `--deal DEAL`, or `--seed S` with `--index I`.
/// `read` is given a place for its errors and a text, `draw` a seed and an index.
///
/// # Errors
/// If not exactly one of the three is given, if `--index` goes with a deal that is written out, or
/// as `read` and `draw` say.
pub fn chosen_deals<D>(
    arguments: &Arguments,
    read: impl Fn(&str, &str) -> Result<D, VerbError>,
    draw: impl FnOnce(u64, u64) -> Result<D, VerbError>,
) -> Result<Vec<Chosen<D>>, VerbError> {
    let no_index = || arguments.refuse(&["index"], "goes with --seed alone", "leave it out");
    match (
        arguments.file("deals"),
        arguments.text("deal"),
        arguments.integer("seed"),
    ) {
        (Some(file), None, None) => {
            no_index()?;
            let records = read_csv_columns(file, &["deal"])?;
            let chosen = |(index, (line, fields)): (usize, (u64, Vec<String>))| {
                let place = format!("{}:{line}", file.path);
                let deal = read(&place, &fields.concat())?;
                let index = index as u64;
                Ok(Chosen { index, deal })
            };
            records.into_iter().enumerate().map(chosen).collect()
        }
        (None, Some(text), None) => {
            no_index()?;
            let deal = read("--deal", text)?;
            Ok(vec![Chosen { index: 0, deal }])
        }
        (None, None, Some(seed)) => {
            let index = arguments.integer("index").unwrap_or_default();
            let deal = draw(seed, index)?;
            Ok(vec![Chosen { index, deal }])
        }
        (None, None, None) => Err(VerbError::usage("", "no deal given", ONE)),
        _ => Err(VerbError::usage(
            "",
            "deals given in more than one way",
            ONE,
        )),
    }
}

/// The solution of a deal, and how a person is told of it.
pub trait SolvedCards {
    /// The numbers of the table, but for the index.
    fn cells(&self) -> Vec<TableCell>;

    /// The moves as they are typed.
    fn moves(&self) -> String;

    /// The deal as a picture.
    fn picture(&self) -> String;

    /// The deal, its moves in words, and the board at their end.
    fn story(&self) -> (String, Vec<String>, String);
}

/// Writes the table of solutions; a deal that is not from a file is drawn with its moves.
pub fn solve_all<D, S: SolvedCards>(
    arguments: &Arguments,
    console: &mut dyn Console,
    columns: &[&str],
    problems: Vec<Chosen<D>>,
    mut solve: impl FnMut(D) -> S,
) {
    let pictures = arguments.flag("svg");
    // Drawings show the moves.
    let moves = !console.shows_drawings();
    let more = [moves.then_some("moves"), pictures.then_some("svg")];
    let more = more.iter().flatten();
    console.columns(&columns.iter().chain(more).copied().collect::<Vec<_>>());
    for problem in problems {
        let solution = solve(problem.deal);
        let more = [
            moves.then(|| solution.moves().into()),
            pictures.then(|| solution.picture().into()),
        ];
        let cells = [problem.index.into()].into_iter().chain(solution.cells());
        console.row(&cells.chain(more.into_iter().flatten()).collect::<Vec<_>>());
        if arguments.file("deals").is_none() {
            show(&solution, console);
        }
    }
}

fn show(solution: &impl SolvedCards, console: &mut dyn Console) {
    let (deal, moves, end) = solution.story();
    console.draw(&deal);
    console.draw(&if moves.is_empty() {
        "No sequence of moves improves the score.".to_owned()
    } else {
        format!("{}\n\n{end}", moves.join(", "))
    });
}
