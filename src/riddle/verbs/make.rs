//! `make riddle`: riddles with few clues and one proven answer.

use super::{Rule, SEED, VARIANT, generator};
use crate::riddle::maker::{Grade, Maker, Riddle};
use crate::riddle::picture;
use crate::riddle::sampler::Generator;
use lab::rng::Streams;
use lab::search::Budget;
use lab::task::{Arguments, Console, TableCell, Verb, VerbError, VerbOption};

/// Nodes spent on each question whether a clue is needed.
const CHECK: Budget = Budget::nodes(200_000);
/// Placements tried for one riddle.
const MOST_PLACEMENTS: u64 = 10_000;

/// The verb.
pub const MAKE: Verb = Verb {
    name: "make",
    summary: "Generate riddles with a proven unique answer",
    examples: &[
        (
            "etude make riddle --variant xiangqi --starred",
            "one riddle with its occupied cells marked",
        ),
        (
            "etude make riddle --count 20 --seed 7 --answers --svg --format json",
            "twenty riddles with their answers and pictures, as data",
        ),
    ],
    options: &[
        VARIANT,
        VerbOption::choice(
            "rule",
            Rule::NAMES,
            "which placements are hidden, and what the solver knows",
        )
        .or_text("non-attacking"),
        SEED,
        VerbOption::integer("count", "N", "how many riddles").or_integer(1),
        VerbOption::flag("starred", "mark occupied cells with stars"),
        VerbOption::flag("answers", "fill the column `answer`"),
        VerbOption::flag(
            "svg",
            "add a column `svg` with a picture; with --answers the pieces are drawn",
        ),
    ],
    run,
};

fn run(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let generator = generator(arguments)?;
    let maker = Maker::new(&generator, arguments.flag("starred"), CHECK);
    let key = Streams::new(arguments.integer("seed").unwrap_or_default()).key("riddle");
    let mut columns = vec!["index", "id", "rule", "clues", "nodes", "grade", "answer"];
    if arguments.flag("svg") {
        columns.push("svg");
    }
    console.columns(&columns);
    for index in 0..arguments.integer("count").unwrap_or_default() {
        let riddle = maker
            .make(&mut key.stream(index), MOST_PLACEMENTS)
            .ok_or_else(|| {
                VerbError::failed(
                    format!("none of {MOST_PLACEMENTS} placements has a map of its own"),
                    "choose another seed or rule, or add --starred",
                )
            })?;
        console.draw(&picture::clues(generator.referee().army(), &riddle.clues));
        console.row(&cells(arguments, &generator, &riddle, index));
    }
    Ok(())
}

fn cells(
    arguments: &Arguments,
    generator: &Generator,
    riddle: &Riddle,
    index: u64,
) -> Vec<TableCell> {
    let army = generator.referee().army();
    let answers = arguments.flag("answers");
    let answer = answers.then(|| army.write(&riddle.answer));
    let mut cells = vec![
        index.into(),
        riddle.id(generator).into(),
        generator.referee().rule().name().into(),
        riddle.clues.len().into(),
        riddle.nodes.into(),
        Grade::of(riddle.nodes).name().into(),
        answer.into(),
    ];
    if arguments.flag("svg") {
        let shown = answers.then_some(&riddle.answer);
        cells.push(picture::svg(army, &riddle.clues, shown).into());
    }
    cells
}
