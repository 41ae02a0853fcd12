//! `solve foxes`: the value of a position by search, and the line that leads to it.

use super::PositionOptions;
use crate::input::integer_within;
use base::{Failure, parse_integer};
use clap::Args;
use foxes::alphabeta::{MAX_DEPTH, SearchAnswer, Searcher, WIN};
use foxes::draw;
use foxes::moves::Move;
use foxes::position::{Position, Side};
use foxes::rules::Rules;
use foxes::typed::write_move;
use kit::search::Budget;
use task::{Console, TableCell, VerbOptions};

/// `etude solve foxes`.
#[derive(Debug, Args)]
#[command(
    about = "Search a position; values are in hundredths of a hen, positive for the foxes; a win is \
             1000000 minus the plies to it",
    after_help = "Examples:
  etude solve foxes --depth 10
      the start position, ten plies deep
  etude solve foxes --position '3/1hf/hf2h1h/1hh2h1/h1hhhhh/hhh/hhh f 1' --depth 8
      Arsac's figure 9"
)]
pub struct SolveFoxes {
    /// Plies to search; forced captures are followed to their end
    #[arg(
        long,
        value_name = "N",
        default_value = "8",
        value_parser = integer_within(1..=MAX_DEPTH.into())
    )]
    depth: u64,
    /// The most positions to examine; the last completed depth counts
    #[arg(long, value_name = "N", value_parser = parse_integer)]
    budget_nodes: Option<u64>,
    #[command(flatten)]
    position: PositionOptions,
}

const LOG2_BUCKETS: u32 = 20;

impl VerbOptions for SolveFoxes {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let (rules, root) = self.position.read_open()?;
        let budget = self.budget_nodes.map_or(Budget::UNLIMITED, Budget::nodes);
        let limits = (self.depth as u32, budget);
        let mut searcher = Searcher::new(LOG2_BUCKETS);
        let answer = searcher.search(&rules, &root, limits, &|_| false);
        if answer.best.is_empty() {
            return Err(Failure::input(
                "--budget-nodes",
                format!("{} nodes do not cover one ply", answer.nodes),
                "give at least a few hundred nodes",
            ));
        }
        let line = searcher.line(&rules, &root, answer.depth);
        console.draw(&draw::text(&root, rules.board, console.colour()));
        console.columns(&["value", "exact", "best_move", "line", "nodes"]);
        console.row(&row(&answer, root.side, &line));
        console.note(&sentence(&answer, root.side));
        Ok(())
    }
}

fn row(answer: &SearchAnswer, side: Side, line: &[Move]) -> [TableCell; 5] {
    let line: Vec<String> = line.iter().map(|&play| write_move(play)).collect();
    [
        for_foxes(answer, side).into(),
        answer.is_exact().into(),
        line.first().cloned().unwrap_or_default().into(),
        line.join(" ").into(),
        answer.nodes.into(),
    ]
}

/// The value for the foxes; a win as `WIN` less the plies to it.
fn for_foxes(answer: &SearchAnswer, side: Side) -> i32 {
    let value = match answer.plies_to_end() {
        Some(plies) => answer.value.signum() * (WIN - plies),
        None => answer.value,
    };
    match side {
        Side::Foxes => value,
        Side::Hens => -value,
    }
}

fn sentence(answer: &SearchAnswer, side: Side) -> String {
    let others = match answer.best.len() {
        1 => String::new(),
        ties => format!("; {ties} moves are equally good"),
    };
    match proved(answer, side) {
        Some(end) => format!("proved: {end}{others}"),
        None => format!(
            "not decided within {} plies: the value is an estimate{others}",
            answer.depth
        ),
    }
}

/// Tells who wins and how soon, where the search saw the end.
fn proved(answer: &SearchAnswer, side: Side) -> Option<String> {
    let plies = answer.plies_to_end()?;
    let winner = if answer.value > 0 { side } else { side.other() };
    Some(format!(
        "the {} win in {plies} plies at most",
        winner.name()
    ))
}

/// The best move and what it is worth, for a person who asks.
pub(super) fn advice(rules: &Rules, position: &Position) -> Option<String> {
    const LIMITS: (u32, Budget) = (12, Budget::nodes(300_000));
    let mut searcher = Searcher::new(14);
    let answer = searcher.search(rules, position, LIMITS, &|_| false);
    let play = write_move(*answer.best.first()?);
    Some(format!("{play}: {}", worth(&answer, position.side)))
}

fn worth(answer: &SearchAnswer, side: Side) -> String {
    if let Some(end) = proved(answer, side) {
        return end;
    }
    let value = for_foxes(answer, side);
    let plies = answer.depth;
    if value == 0 {
        return format!("neither side is ahead, as far as {plies} plies show");
    }
    let better = if value < 0 { Side::Hens } else { Side::Foxes };
    let hens = f64::from(value.abs()) / 100.0;
    format!(
        "the {} are ahead by {hens} hens, as far as {plies} plies show",
        better.name()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use task::{Script, Verb};

    #[test]
    fn nobody_is_ahead_by_nothing() {
        let answer = |value| SearchAnswer {
            value,
            depth: 4,
            ..SearchAnswer::default()
        };
        let told = worth(&answer(0), Side::Foxes);
        assert_eq!(told, "neither side is ahead, as far as 4 plies show");
        let told = worth(&answer(-150), Side::Foxes);
        assert_eq!(
            told,
            "the hens are ahead by 1.5 hens, as far as 4 plies show"
        );
    }

    fn solved(position: &str, depth: u64) -> (Vec<TableCell>, Script) {
        let verb = Verb::new::<SolveFoxes>("solve");
        let depth = format!("--depth={depth}");
        let console = Script::default()
            .run(&verb, &["--position", position, &depth])
            .unwrap();
        (console.rows[0].clone(), console)
    }

    #[test]
    fn a_won_position_is_proved_with_its_length_and_line() {
        let (row, console) = solved("3/3/4f1h/7/f6/3/3 h 11", 5);
        assert_eq!(console.columns[..2], ["value", "exact"]);
        assert_eq!(
            row[0],
            TableCell::Integer(999_998),
            "the hen steps up to be eaten"
        );
        assert_eq!(row[1], TableCell::Flag(true));
        assert_eq!(row[3], TableCell::Text("g5-f5 e5xg5:f5".to_owned()));
        assert!(console.heard("the foxes win in 2 plies"));
    }

    #[test]
    fn figure_nine_has_its_only_move_as_best_move() {
        let (row, console) = solved("3/1hf/hf2h1h/1hh2h1/h1hhhhh/hhh/hhh f 1", 4);
        assert_eq!(row[1], TableCell::Flag(false));
        let TableCell::Text(best) = &row[2] else {
            panic!("the move is a text");
        };
        assert!(best.starts_with("e6x"), "{best}");
        assert!(console.heard("estimate"));
    }
}
