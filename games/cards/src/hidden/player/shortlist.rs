//! The moves that a player hardly tells apart over the worlds of a decision.

use super::{HiddenPlayer, Imagined, Scratch};
use crate::hidden::HiddenGame;
use kit::rng::Stream;

/// The moves that a player hardly tells from its best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortlist {
    /// The mean score, in whole points, by which such a move may fall short of the best.
    pub margin: u32,
    /// The most moves, the best one included.
    pub most: usize,
}

/// A move with its total over the worlds of a decision.
pub(super) struct Rival<M> {
    pub(super) play: M,
    total: u64,
}

impl HiddenPlayer {
    /// The legal moves that are close to the best over the player's worlds, that one first; of equals the one
    /// that the base player likes better. All moves are equals to a player that does not judge them on as many
    /// [`worlds`](Self::worlds).
    pub fn close_moves<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        seen: &G::Observation,
        shortlist: Shortlist,
        stream: &mut Stream,
    ) -> Vec<G::Move> {
        let canonical = game.canonical(seen);
        let moves = game.moves(&canonical);
        let worlds = self.imagine_all(game, scratch, (seen, &canonical), stream);
        self.shortlist(game, scratch, &worlds, &moves, shortlist)
    }

    pub(super) fn shortlist<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        worlds: &[Imagined<G>],
        moves: &[G::Move],
        Shortlist { margin, most }: Shortlist,
    ) -> Vec<G::Move> {
        let slack = u64::from(margin) * worlds.len() as u64;
        let is_out = |total: u64, best| total + slack < best;
        let mut close = self.rivals(game, scratch, worlds, moves, &is_out);
        let best = close.iter().map(|rival| rival.total).max().unwrap_or(0);
        // Few moves are sorted by taking the best of those left, of equals the first.
        let next = || {
            let place = (0..close.len())
                .rev()
                .max_by_key(|&place| close[place].total)?;
            let rival = close.remove(place);
            (!is_out(rival.total, best)).then_some(rival.play)
        };
        std::iter::from_fn(next).take(most).collect()
    }

    /// The moves that are not out, with their totals over some worlds, found without those scores that cannot
    /// matter. `is_out` tells it from the most that a move can come to and the largest total before it.
    pub(super) fn rivals<G: HiddenGame>(
        &self,
        game: &G,
        scratch: &mut Scratch<G>,
        worlds: &[Imagined<G>],
        moves: &[G::Move],
        is_out: &dyn Fn(u64, u64) -> bool,
    ) -> Vec<Rival<G::Move>> {
        let most: u64 = worlds.iter().map(|world| u64::from(world.ceiling)).sum();
        // Where a game asks for it, worlds in which a move disappointed come first for the next one:
        // it may be out sooner.
        let mut worlds: Vec<&Imagined<G>> = worlds.iter().collect();
        let (mut rivals, mut best) = (Vec::new(), None);
        for &play in moves {
            let mut hope = most;
            let is_behind = |hope| best.is_some_and(|best| is_out(hope, best));
            for index in 0..worlds.len() {
                if is_behind(hope) {
                    break;
                }
                let world = worlds[index];
                let loss = world
                    .ceiling
                    .saturating_sub(self.score(game, scratch, world, play));
                hope -= u64::from(loss);
                if loss > 0 && G::TRIES_DOUBTFUL_FIRST {
                    worlds[..=index].rotate_right(1);
                }
            }
            if !is_behind(hope) {
                rivals.push(Rival { play, total: hope });
                best = best.max(Some(hope));
            }
        }
        rivals
    }
}
