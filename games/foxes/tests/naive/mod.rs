//! Players and matches on the baseline engine, as simple as it is.

// Each including target uses a part of it.
#![allow(dead_code)]

use etude_foxes::board::CROSS;
use etude_foxes::mailbox::{ARSAC, Mailbox, NaiveMove, Spot};
use etude_foxes::notation::read_position;

/// A position of the full board in the project's notation.
pub fn read(text: &str) -> Mailbox {
    Mailbox::new(&read_position(text, &CROSS).unwrap(), &CROSS)
}

/// Draws an index below its argument.
pub type Pick<'a> = &'a mut dyn FnMut(usize) -> usize;

/// Chooses a move.
pub type Player = fn(&Mailbox, Pick<'_>) -> NaiveMove;

/// Plays from the start to a win, or a draw at the third occurrence or after 200 quiet plies;
/// returns the winner (`true` for the foxes) and the plies.
pub fn naive_match(fox: Player, hens: Player, pick: Pick<'_>) -> (Option<bool>, u32) {
    let mut game = read("3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0");
    let mut seen = vec![game.clone()];
    for plies in 0.. {
        if let Some(foxes_won) = game.won_by_foxes(ARSAC) {
            return (Some(foxes_won), plies);
        }
        let repeated = seen.iter().filter(|old| **old == game).count() >= 3;
        if repeated || seen.len() > 200 {
            return (None, plies);
        }
        let player = if game.foxes_move { fox } else { hens };
        let play = player(&game, pick);
        let hen_steps_up = !game.foxes_move && play.to.1 > play.from.1;
        game = game.after(&play);
        if hen_steps_up || !play.taken.is_empty() {
            seen.clear();
        }
        seen.push(game.clone());
    }
    unreachable!("every match ends")
}

pub fn naive_random(game: &Mailbox, pick: Pick<'_>) -> NaiveMove {
    let moves = game.listed(ARSAC);
    moves[pick(moves.len())].clone()
}

/// Hens that give the foxes least to eat.
pub fn naive_safe(game: &Mailbox, pick: Pick<'_>) -> NaiveMove {
    let danger = |play: &NaiveMove| {
        let chains = game.after(play).chains(ARSAC);
        chains
            .iter()
            .map(|chain| chain.taken.len())
            .max()
            .unwrap_or(0)
    };
    choose_least(game.listed(ARSAC), danger, pick)
}

/// The source's fox.
pub fn naive_arsac(game: &Mailbox, pick: Pick<'_>) -> NaiveMove {
    let dullness = |play: &NaiveMove| {
        let mut after = game.after(play);
        let other: Vec<Spot> = after
            .pieces(b'f')
            .into_iter()
            .filter(|&fox| fox != play.to)
            .collect();
        // Only the fox that moved is asked; the other stands in the way like any piece.
        other.iter().for_each(|&fox| after.set(fox, b'o'));
        usize::from(play.taken.is_empty() && after.chains(ARSAC).is_empty())
    };
    choose_least(game.listed(ARSAC), dullness, pick)
}

fn choose_least(
    moves: Vec<NaiveMove>,
    score: impl Fn(&NaiveMove) -> usize,
    pick: Pick<'_>,
) -> NaiveMove {
    let scores: Vec<usize> = moves.iter().map(score).collect();
    let least = scores.iter().min();
    let best: Vec<&NaiveMove> = moves
        .iter()
        .zip(&scores)
        .filter(|(_, score)| Some(*score) == least)
        .map(|(play, _)| play)
        .collect();
    best[pick(best.len())].clone()
}
