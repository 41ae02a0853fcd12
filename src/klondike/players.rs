//! Strategies that play a deal once, without search: what optimal play is compared with.
//!
//! They see the tableau as it lies, every legal move, and nothing ahead but the move at hand.

use super::card::Card;
use super::deal::Deal;
use super::outcome::Outcome;
use super::position::Position;
use lab::rng::{Stream, choose};
use lab::search::Verdict;

/// Plays the move that founds most cards at once; of those, one that turns a card face up; of
/// those, the first in the order of [`Position::moves`].
pub fn greedy(deal: &Deal) -> Outcome {
    play(deal, |position, moves| {
        let gain = |card: &Card| gain(position, *card);
        // Of equal gains `max_by_key` takes the last.
        moves.iter().rev().copied().max_by_key(gain)
    })
}

/// Plays uniformly chosen legal moves until there is none.
pub fn random(deal: &Deal, stream: &mut Stream) -> Outcome {
    play(deal, |_, moves| choose(stream, moves).copied())
}

/// What a move gains at once.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Gain {
    founded: u8,
    turned: u32,
}

fn gain(position: &Position, card: Card) -> Gain {
    let mut next = position.clone();
    next.play(card);
    Gain {
        founded: next.score(),
        turned: (position.face_down() - next.face_down()).len().min(1),
    }
}

fn play(deal: &Deal, mut decide: impl FnMut(&Position, &[Card]) -> Option<Card>) -> Outcome {
    let mut position = Position::new(deal);
    let mut widths = Vec::new();
    let mut played = Vec::new();
    loop {
        let moves = position.moves();
        widths.push(moves.len() as u8);
        let Some(card) = decide(&position, &moves) else {
            break;
        };
        position.play(card);
        played.push(card);
    }
    Outcome {
        score: Verdict::Proved(position.score()),
        positions: widths.len() as u64,
        nodes: widths.len() as u64,
        first_moves: widths.first().copied().unwrap_or(0),
        widest: widths.iter().copied().max().unwrap_or(0),
        moves: played,
    }
}

#[cfg(test)]
mod tests {
    use super::super::etude;
    use super::*;
    use lab::rng::Streams;
    use lab::search::Budget;

    /// Seed 3: 100 yukon deals.
    #[test]
    fn no_player_beats_optimal_play_and_each_plays_to_the_end() {
        let streams = Streams::new(3);
        let (deals, plays) = (streams.key("deal"), streams.key("play"));
        let layout = "yukon".parse().unwrap();
        for index in 0..100 {
            let deal = Deal::draw(&layout, &mut deals.stream(index));
            let optimum = etude::solve(&deal, Budget::UNLIMITED).score.lower();
            for outcome in [greedy(&deal), random(&deal, &mut plays.stream(index))] {
                assert!(outcome.score.lower() <= optimum);
                let mut position = Position::new(&deal);
                outcome.moves.iter().for_each(|&card| position.play(card));
                assert!(position.moves().is_empty());
            }
        }
    }

    /// Moving 2C founds the ace under it, moving 5D turns the king under it; 8S, before them in
    /// the order of moves, does neither.
    #[test]
    fn greedy_founds_rather_than_turns_and_turns_rather_than_not() {
        let text = "4S 9S | 4D KH 6D | 4C KC 3C | 3S AH 2C | Kd 5D | 3D QS 8S | 2D QD | 2S QC | \
            2H QH | AC AS KS AD JS JD JC JH TS TD TC TH 9D 9C 9H 8D 8C 8H 7S 7D 7C 7H 6S 6C 6H 5S \
            5C 5H 4H 3H";
        let deal: Deal = text.parse().unwrap();
        let symbols = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>();
        let moves = Position::new(&deal).moves();
        assert_eq!(symbols(&moves)[..3], ["8S", "5D", "2C"]);
        assert_eq!(symbols(&greedy(&deal).moves)[..2], ["2C", "5D"]);
    }
}
