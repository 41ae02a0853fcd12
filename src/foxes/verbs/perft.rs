//! `perft foxes`: the number of move sequences and of distinct positions at each depth.

use super::PositionOptions;
use crate::input::integer_within;
use base::Failure;
use clap::Args;
use foxes::perft::{Perft, PerftDepth};
use task::{Console, TableCell, VerbOptions};

/// `etude perft foxes`.
#[derive(Debug, Args)]
#[command(
    about = "Count move sequences and distinct positions, depth by depth",
    after_help = "Examples:
  etude perft foxes --depth 9
      the tree from the start
  etude perft foxes --depth 5 --position '3/1hf/hf2h1h/1hh2h1/h1hhhhh/hhh/hhh f 1'
      the tree from Arsac's figure 9"
)]
pub struct PerftFoxes {
    /// Plies to count
    #[arg(long, value_name = "N", default_value = "7", value_parser = integer_within(1..=60))]
    depth: u64,
    #[command(flatten)]
    position: PositionOptions,
}

impl VerbOptions for PerftFoxes {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let (rules, root) = self.position.read()?;
        console.columns(&["depth", "moves", "distinct"]);
        for level in Perft::new(&rules, &root).take(self.depth as usize) {
            console.row(&row(level));
        }
        Ok(())
    }
}

fn row(level: PerftDepth) -> [TableCell; 3] {
    [
        level.depth.into(),
        TableCell::Integer(i128::try_from(level.moves).unwrap_or(i128::MAX)),
        level.distinct.into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use task::{Script, Verb};

    fn run(options: &[&str]) -> Result<Script, Failure> {
        Script::default().run(&Verb::new::<PerftFoxes>("perft"), options)
    }

    #[test]
    fn the_table_has_a_row_for_each_depth() {
        let console = run(&["--depth=3"]).unwrap();
        assert_eq!(console.columns, ["depth", "moves", "distinct"]);
        let third = [3, 138, 124].map(TableCell::Integer);
        assert_eq!(console.rows[2], third);
        assert_eq!(console.rows.len(), 3);
    }

    #[test]
    fn wrong_options_are_named() {
        for (option, value, expected) in [
            ("--depth", "0", "an integer from 1 to 60"),
            ("--board", "moon", "small-cross"),
            ("--capture", "never", "longest"),
            ("--position", "h", ""),
        ] {
            let error = run(&[option, value]).err().unwrap();
            assert_eq!(error.place, option);
            assert_eq!(error.kind, base::FailureKind::Usage);
            assert!(error.message.contains(expected));
        }
    }
}
