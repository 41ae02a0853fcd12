//! `make riddle`: riddles with few clues and one proven answer.

use super::HiddenPlacement;
use base::{Failure, parse_integer};
use clap::Args;
use riddle::maker::{CHECK, Grade, MOST_PLACEMENTS, Maker, Riddle};
use riddle::picture;
use riddle::sampler::Generator;
use std::collections::BTreeSet;
use task::{Console, TableCell, VerbOptions};

/// `etude make riddle`.
#[derive(Debug, Args)]
#[command(
    about = "Generate riddles with a proven unique answer",
    after_help = "Examples:
  etude make riddle --variant xiangqi --starred
      one riddle with its occupied cells marked
  etude make riddle --count 20 --seed 7 --answers --svg --format json
      twenty riddles with their answers and pictures, as data"
)]
pub struct MakeRiddle {
    #[command(flatten)]
    hidden: HiddenPlacement,
    /// The number of riddles, no two of them the same: a draw that repeats one is left out
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_integer)]
    count: u64,
    /// Fill the column `answer`
    #[arg(long)]
    answers: bool,
    /// Add a column `svg` with a picture; with --answers the pieces are drawn
    #[arg(long)]
    svg: bool,
}

const COLUMNS: [&str; 8] = [
    "index", "id", "rule", "clues", "nodes", "grade", "answer", "svg",
];

impl VerbOptions for MakeRiddle {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let generator = self.hidden.generator()?;
        let maker = Maker::new(&generator, self.hidden.starred, CHECK);
        let key = self.hidden.draws("riddle");
        console.columns(&COLUMNS[..7 + usize::from(self.svg)]);
        let mut made = BTreeSet::new();
        let mut again = 0;
        for index in 0.. {
            if made.len() as u64 == self.count {
                break;
            }
            let riddle = maker.make(&mut key.stream(index), MOST_PLACEMENTS);
            let riddle = riddle.ok_or_else(|| {
                Failure::failed(format!(
                    "none of {MOST_PLACEMENTS} placements has a map of its own"
                ))
                .with_help("choose another seed or rule, or add --starred")
            })?;
            if !made.insert(riddle.id(&generator)) {
                again += 1;
                refuse_many(again, made.len())?;
                continue;
            }
            again = 0;
            console.draw(&picture::clues(generator.referee().army(), &riddle.clues));
            console.row(&self.cells(&generator, &riddle, index));
        }
        Ok(())
    }
}

/// Draws in a row that only repeat riddles, after which no new one is expected.
const MOST_REPEATED: u32 = 1_000;

/// Ends the making of riddles where few or none are left.
fn refuse_many(again: u32, made: usize) -> Result<(), Failure> {
    if again < MOST_REPEATED {
        return Ok(());
    }
    let message = format!(
        "the last {again} draws repeat riddles of the {made} that are made: hardly any other is left"
    );
    Err(Failure::failed(message)
        .with_help(format!("ask for --count {made}, or choose another rule")))
}

impl MakeRiddle {
    fn cells(&self, generator: &Generator, riddle: &Riddle, index: u64) -> Vec<TableCell> {
        let army = generator.referee().army();
        let shown = self.answers.then_some(&riddle.answer);
        let mut cells = vec![
            index.into(),
            riddle.id(generator).into(),
            generator.referee().rule().as_ref().into(),
            riddle.clues.len().into(),
            riddle.nodes.into(),
            Grade::of(riddle.nodes).as_ref().into(),
            shown.map(|answer| army.write(answer)).into(),
        ];
        if self.svg {
            cells.push(picture::svg(army, &riddle.clues, shown).into());
        }
        cells
    }
}
