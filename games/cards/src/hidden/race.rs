//! Races between moves: worlds are added as long as the best moves are close.
//!
//! Moves that fall clearly behind are dropped (Maron and Moore 1994, "Hoeffding races"), here by
//! the standard error of the paired difference to the leader, and so are moves that could be better
//! only by very little. The rule decides only where effort goes and guarantees nothing.

/// Standard errors that a move is given the benefit of.
const DOUBT: f64 = 2.0;
/// The gain that a move must have a chance of, in units of the score.
const TRIFLE: f64 = 0.05;

/// A race on one decision.
pub(super) struct Race {
    /// Worlds at first.
    pub first: u32,
    /// Worlds at most.
    pub(crate) limit: u32,
}

/// A move that is still in the race.
struct Runner<M> {
    play: M,
    scores: Vec<u32>,
}

impl Race {
    /// The first move of those with the largest total. `imagine` makes so many more worlds, or all
    /// there are if they are fewer; `score` is what a move comes to in one.
    pub(super) fn run<M: Copy + Eq, W, S>(
        &self,
        moves: &[M],
        scratch: &mut S,
        mut imagine: impl FnMut(&mut S, u32) -> Vec<W>,
        mut score: impl FnMut(&mut S, &W, M) -> u32,
    ) -> Option<M> {
        let runner = |&play: &M| Runner {
            play,
            scores: Vec::new(),
        };
        let mut runners: Vec<Runner<M>> = moves.iter().map(runner).collect();
        let mut more = self.first.min(self.limit);
        let mut done = 0;
        loop {
            let worlds = imagine(scratch, more);
            for runner in &mut runners {
                let play = runner.play;
                let scores = worlds.iter().map(|world| score(scratch, world, play));
                runner.scores.extend(scores);
            }
            done += more;
            let leader = runners.iter().rev().max_by_key(|runner| runner.total())?;
            let best = leader.play;
            // Fewer worlds than asked for are all there are.
            if done >= self.limit || worlds.len() < more as usize {
                return Some(best);
            }
            let scores = leader.scores.clone();
            runners.retain(|runner| runner.play == best || !runner.is_out(&scores));
            if runners.len() == 1 {
                return Some(best);
            }
            more = done.min(self.limit - done);
        }
    }
}

impl<M> Runner<M> {
    fn total(&self) -> u64 {
        self.scores.iter().map(|&score| u64::from(score)).sum()
    }

    /// Returns whether the leader's scores in the same worlds are clearly better, or as good for sure.
    fn is_out(&self, leader: &[u32]) -> bool {
        let pairs = leader.iter().zip(&self.scores);
        let lead = |(&best, &own): (&u32, &u32)| i64::from(best) - i64::from(own);
        let (mut sum, mut squares) = (0, 0);
        for lead in pairs.map(lead) {
            sum += lead;
            squares += lead * lead;
        }
        let n = leader.len() as f64;
        let mean = sum as f64 / n;
        let variance = (squares as f64 / n - mean * mean).max(0.0);
        let error = (variance / n).sqrt();
        DOUBT * error - mean < TRIFLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a race of moves whose scores in the worlds, by number, `score` tells; returns the winner, the worlds asked for
    /// each time and the scores that were computed.
    fn raced(
        (first, limit): (u32, u32),
        moves: &[char],
        worlds: u32,
        score: impl Fn(u32, char) -> u32,
    ) -> (Option<char>, Vec<u32>, u32) {
        let (mut made, mut asked, mut computed) = (0, Vec::new(), 0);
        let imagine = |(): &mut (), more: u32| {
            asked.push(more);
            let own: Vec<u32> = (made..(made + more).min(worlds)).collect();
            made += more;
            own
        };
        let found = Race { first, limit }.run(moves, &mut (), imagine, |(), &world, play| {
            computed += 1;
            score(world, play)
        });
        (found, asked, computed)
    }

    fn runner(scores: &[u32]) -> Runner<char> {
        Runner {
            play: 'x',
            scores: scores.to_vec(),
        }
    }

    #[test]
    fn a_move_is_out_when_the_leader_is_clearly_better_or_as_good_for_sure() {
        let is_out = |leads: &[u32], ahead: u32| {
            let leader: Vec<u32> = leads.iter().map(|lead| 10 + lead).collect();
            runner(&vec![10 + ahead; leads.len()]).is_out(&leader)
        };
        // Leads of 0 and 2 in turn: a mean of 1 less twice an error of 1, 0.71 or 0.5.
        let half = |n: usize| [0, 2].repeat(n / 2);
        assert!(!is_out(&half(2), 0) && is_out(&half(4), 0) && is_out(&[1, 3], 0));
        // No lead at all: out at once if nothing varies, else once twice the error is below 0.05.
        assert!(is_out(&[1; 4], 1) && !is_out(&half(1_598), 1) && is_out(&half(1_602), 1));
        // A move that leads is never out.
        assert!(!is_out(&half(1_602), 2));
    }

    #[test]
    fn the_first_of_the_best_moves_wins() {
        let (found, asked, computed) =
            raced((4, 4), &['a', 'b', 'c'], 9, |world, play| match play {
                'a' => world % 2,
                _ => 1,
            });
        assert_eq!((found, asked, computed), (Some('b'), vec![4], 12));
        assert_eq!(raced((4, 4), &[], 9, |_, _| 0).0, None);
    }

    /// `a` is behind at once and asked no more; `b` and `c` differ only by what varies, until all worlds are used.
    #[test]
    fn worlds_double_as_long_as_moves_are_close() {
        let score = |world: u32, play| match play {
            'a' => 0,
            'b' => 10 + 3 * (world % 2),
            _ => 12 - 3 * (world % 2),
        };
        let (found, asked, computed) = raced((4, 20), &['a', 'b', 'c'], 99, score);
        assert_eq!((found, asked), (Some('b'), vec![4, 4, 8, 4]));
        assert_eq!(computed, 3 * 4 + 2 * 16);
        // Six worlds are all there are.
        let (found, asked, _) = raced((4, 20), &['a', 'b', 'c'], 6, score);
        assert_eq!((found, asked), (Some('b'), vec![4, 4]));
        let (found, asked, computed) = raced((4, 20), &['a', 'b'], 99, score);
        assert_eq!((found, asked, computed), (Some('b'), vec![4], 8));
    }
}
