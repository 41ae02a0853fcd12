//! Solitaire as a person plays it: single moves, as a hand makes them.

use super::casino::Casino;
use super::draw::{self, Sight};
use super::exact::Solver;
use super::players::{self, MacroPlayer, PlayerMemory, single_moves};
use super::review::{Record, SolitaireFinisher};
use super::round::{Play, Round};
use super::rules::money;
use super::table::{CardTable, Move};
use super::unseen::game::{Macro, last_moves};
use cards::advice::{CardPlayer, JudgedMove, ScoreEstimate, Unit, estimates};
use cards::hidden::{HiddenGame, HiddenPlayer};
use cards::review::quick_review;
use cards::tabletop::{PlayedOut, Tabletop, by_moves};
use kit::rng::{Stream, StreamKey};
use kit::search::{Budget, Verdict};

/// The nodes that telling what could be reached may cost.
const REVEAL: Budget = Budget::nodes(3_000_000);

/// A round with a person before it.
pub struct SolitaireSeat(pub Round);

/// Moves in words, none of which comes from a card that nobody has seen.
pub(crate) fn told_line(round: &Round, moves: &[Move]) -> String {
    let mut table = *round.sight().canonical().table();
    let mut steps = Vec::new();
    for &single in moves {
        steps.push(told(&table, single));
        table.play(single);
    }
    let repeated = steps.chunk_by(|one, next| one == next);
    let told = repeated.map(|equal| match equal {
        [once] => once.clone(),
        _ => format!("{} {} times", equal[0], equal.len()),
    });
    told.collect::<Vec<_>>().join(", then ")
}

impl Tabletop for SolitaireSeat {
    type Game = Casino;
    const HELP: &'static str = "Type a move: `3 5` (column 3 to column 5), `3 f` (to its foundation), `w 5`, `w f` (from \
         the waste), `h 5` (hearts back to column 5), `d` (draw), `t` (turn the waste).";
    const BETWEEN_MOVES: &'static [char] = &[',', ';'];
    const HAS_MACROS: bool = true;

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

    fn nth(&self, round: &Round, index: usize) -> Option<Play> {
        let mut moves = round.table().moves().into_iter();
        moves.nth(index).map(play_of)
    }

    fn read(&self, round: &Round, line: &str) -> Option<Play> {
        let mut moves = round.table().moves().into_iter();
        moves.find(|&single| is_meant(line, single)).map(play_of)
    }

    fn name(&self, round: &Round, play: Play) -> String {
        let moves = single_moves(round.sight().canonical(), &[play]);
        written(&moves)
    }

    fn told(&self, round: &Round, play: Play) -> String {
        let seen = round.sight().canonical();
        told_line(round, &single_moves(seen, &[play]))
    }

    fn result(&self, score: u32) -> String {
        let table = self.0.table();
        let end = match (table.rules().passes, money(score as u8)) {
            (None, _) if score == u32::from(table.cards()) => "you won the game".to_owned(),
            (None, _) => "the game is not won".to_owned(),
            (Some(_), gain) => {
                let verb = if gain < 0 { "lost" } else { "won" };
                format!("at $52 a deck and $5 a card you {verb} ${}", gain.abs())
            }
        };
        format!("{score} of 52 cards on the foundations: {end}.")
    }

    /// Returns a player by macro moves if passes are not limited, and by single moves otherwise.
    fn adviser(&self) -> CardPlayer {
        match self.0.table().rules().passes {
            None => CardPlayer::ByMacros(HiddenPlayer::hindsight(400)),
            Some(_) => CardPlayer::ByMoves(HiddenPlayer::Rollout { worlds: 1_000 }),
        }
    }

    /// Returns a player that wins within a game in a hundred of the adviser, in a fifth of its time: it need not
    /// tell how good each choice is.
    fn rival(&self) -> CardPlayer {
        match self.0.table().rules().passes {
            None => CardPlayer::ByMacros(HiddenPlayer::hindsight(100)),
            Some(_) => self.adviser(),
        }
    }

    fn advice(&self, round: &Round, player: &CardPlayer, stream: Stream) -> Vec<JudgedMove> {
        match player {
            CardPlayer::ByMoves(player) => by_moves(self, round, player, stream),
            CardPlayer::ByMacros(judge) | CardPlayer::TurningFirst(judge) => {
                let order = players::order(player);
                by_macros(round, MacroPlayer { order, judge }, stream)
            }
        }
    }

    fn play_out(&self, player: &CardPlayer, draws: (&StreamKey, u64)) -> PlayedOut {
        let played = players::play(self.0, player, &mut PlayerMemory::default(), draws);
        PlayedOut {
            score: played.score.into(),
            moves: written(&played.line),
            length: played.line.len(),
        }
    }

    /// Returns the review of a game from its deal, where passes are not limited.
    fn review(&self, played: &[Play], seed: u64) -> Vec<String> {
        let start = self.0;
        let is_whole = start.table().face_down() == 21 && start.unseen().len() == 45;
        if !is_whole || start.table().rules().passes.is_some() || played.is_empty() {
            return Vec::new();
        }
        let record = Record::cut(start, &single_moves(start, played));
        quick_review(&record, &SolitaireFinisher::FOR_PEOPLE, seed)
    }

    fn perfect(&self, round: &Round) -> Verdict<u8> {
        let best = Solver::default().solve(round.table(), REVEAL).foundation;
        let score = round.score();
        Verdict::from_bounds(best.lower().max(score), best.upper().max(score))
    }
}

/// Judged routes as moves, in their order but that of equals one that begins by moving a card stands before one that
/// begins by drawing.
pub fn doing_first(
    round: &Round,
    judged: Vec<(Macro, ScoreEstimate)>,
) -> Vec<(Vec<Move>, ScoreEstimate)> {
    let told = judged.into_iter();
    let mut told: Vec<_> = told
        .map(|(play, estimate)| (play.moves(round), estimate))
        .collect();
    let waits = |moves: &[Move]| matches!(moves.first(), Some(Move::Draw | Move::Recycle));
    let mut at = 1;
    while at < told.len() {
        let [before, own] = [&told[at - 1], &told[at]];
        let are_equal = before.1.mean.total_cmp(&own.1.mean).is_eq();
        if are_equal && waits(&before.0) && !waits(&own.0) {
            told.swap(at - 1, at);
            at = (at - 1).max(1);
        } else {
            at += 1;
        }
    }
    told
}

/// The macro moves of a round as a player judges them; where none is left, all that the known
/// cards allow.
fn by_macros(round: &Round, player: MacroPlayer<'_>, stream: Stream) -> Vec<JudgedMove> {
    let unit = match round.table().rules().passes {
        None => Unit::Wins,
        Some(_) => Unit::Cards,
    };
    let choice = |moves: Vec<Move>, estimate| JudgedMove {
        written: written(&moves),
        told: told_line(round, &moves),
        estimate,
    };
    let estimates = doing_first(
        round,
        estimates(&player.order, round, player.judge, stream, unit),
    );
    let choices = estimates
        .into_iter()
        .map(|(moves, estimate)| choice(moves, estimate));
    let choices: Vec<JudgedMove> = choices.collect();
    let last = last_moves(round);
    if !choices.is_empty() || last.is_empty() {
        return choices;
    }
    vec![choice(
        last,
        ScoreEstimate::known(unit, player.order.score(round)),
    )]
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

/// The play that a single move is.
fn play_of(single: Move) -> Play {
    match single {
        Move::Draw | Move::Recycle => Play::DRAW,
        _ => Play::of(single),
    }
}

/// Returns whether a line means a move: its notation, or a short form. The number of cards may be left
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Deal;
    use crate::rules::{DeckShape, Rules};
    use crate::unseen::game::Macros;
    use cards::tabletop::deal_stream;

    /// Deals 1 to 20 after the look through the stock, every route judged alike but the last, which is best.
    #[test]
    fn of_routes_judged_alike_those_that_begin_with_a_card_stand_first() {
        let rules = Rules::named("draw-3").unwrap();
        let mut mixed = 0;
        for seed in 1..=20 {
            let deal = Deal::draw(DeckShape::FULL, &mut deal_stream((seed, 0)));
            let mut round = Round::new(CardTable::new(&deal, rules));
            Macros::LookingFirst.play(&mut round, Macro::Look);
            let mut routes = Macros::LookingFirst.moves(&round);
            let Some(best) = routes.pop() else { continue };
            let judged = |score| move |route| (route, ScoreEstimate::known(Unit::Wins, score));
            let best = judged(60)(best);
            let others = routes.into_iter().map(judged(40));
            let ordered = doing_first(&round, std::iter::once(best).chain(others).collect());
            assert_eq!(ordered[0].0, best.0.moves(&round));
            let waits: Vec<bool> = (ordered[1..].iter())
                .map(|(moves, _)| matches!(moves[0], Move::Draw | Move::Recycle))
                .collect();
            assert!(waits.is_sorted(), "deal {seed}: {waits:?}");
            mixed += usize::from(waits.contains(&true) && waits.contains(&false));
        }
        assert!(mixed > 5, "{mixed} deals have both");
    }
}
