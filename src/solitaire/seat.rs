//! Solitaire as a person plays it: single moves, as a hand makes them.

use super::casino::Casino;
use super::draw::{self, Sight};
use super::exact::Solver;
use super::players::single_moves;
use super::round::{Play, Round};
use super::table::{CardTable, Move};
use super::task::money;
use crate::cards::tabletop::Tabletop;
use lab::search::{Budget, Verdict};

/// The nodes that telling what could be reached may cost.
const REVEAL: Budget = Budget::nodes(3_000_000);

/// A round with a person before it.
pub struct SolitaireSeat(pub Round);

impl Tabletop for SolitaireSeat {
    type Game = Casino;
    const ADVISER: &'static str = "rollout(1000)";
    const RIVAL: &'static str = "rollout(1000)";
    const HELP: &'static str = "Type a move: `3 5` (column 3 to column 5), `3 f` (to its foundation), `w 5`, `w f` (from \
         the waste), `h 5` (hearts back to column 5), `d` (draw), `t` (turn the waste).";
    const BETWEEN_MOVES: &'static [char] = &[',', ';'];

    fn game(&self) -> &Casino {
        &Casino
    }

    fn start(&self) -> &Round {
        &self.0
    }

    fn board(&self, round: &Round, _: &[Play]) -> String {
        draw::board(round.table(), Sight::Player)
    }

    fn legal(&self, round: &Round) -> Vec<String> {
        let table = round.table();
        if table.is_won() {
            return Vec::new();
        }
        let moves = table.moves().into_iter();
        moves.map(|single| told(table, single)).collect()
    }

    fn read(&self, round: &Round, line: &str) -> Option<Play> {
        let mut moves = round.table().moves().into_iter();
        let single = moves.find(|&single| is_meant(line, single))?;
        Some(match single {
            Move::Draw | Move::Recycle => Play::DRAW,
            _ => Play::of(single),
        })
    }

    fn name(&self, round: &Round, play: Play) -> String {
        let moves = single_moves(round.sight().canonical(), &[play]);
        written(&moves)
    }

    fn told(&self, round: &Round, play: Play) -> String {
        // No word may come from a card that nobody has seen.
        let seen = round.sight().canonical();
        let mut table = *seen.table();
        let mut steps = Vec::new();
        for single in single_moves(seen, &[play]) {
            steps.push(told(&table, single));
            table.play(single);
        }
        steps.join(", then ")
    }

    fn result(&self, score: u32) -> String {
        let money = money(score as u8);
        let verb = if money < 0 { "lost" } else { "won" };
        let dollars = money.abs();
        format!(
            "{score} of 52 cards on the foundations: at $52 a deck and $5 a card you {verb} ${dollars}."
        )
    }

    fn perfect(&self, round: &Round) -> Verdict<u8> {
        let best = Solver::default().solve(round.table(), REVEAL).foundation;
        let score = round.score();
        Verdict::from_bounds(best.lower().max(score), best.upper().max(score))
    }
}

/// Moves as they are typed.
pub fn written(moves: &[Move]) -> String {
    let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
    moves.join("; ")
}

/// A move as it is typed, with its meaning.
fn told(table: &CardTable, single: Move) -> String {
    match single {
        Move::Draw | Move::Recycle => single.to_string(),
        _ => format!("{single} ({})", draw::caption(table, single)),
    }
}

/// Whether a line means a move: its notation, or a short form. The number of cards may be left
/// out, as at most one part of a run fits on a column.
fn is_meant(line: &str, single: Move) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let notation = single.to_string();
    let full: Vec<&str> = notation.split_whitespace().collect();
    match (single, words.as_slice()) {
        (Move::Draw, ["d"]) | (Move::Recycle, ["t" | "d"]) => true,
        (Move::ColumnToColumn { .. }, short @ [_, _]) => *short == full[..2],
        (_, words) => words == full,
    }
}
