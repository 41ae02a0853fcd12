//! Races between moves: worlds are added as long as the best moves are close.
//!
//! Moves that fall clearly behind are dropped (Maron and Moore 1994, "Hoeffding races"), here by
//! the standard error of the paired difference to the leader. So are moves that could be better
//! only by very little. The rule decides only where effort goes and guarantees nothing.

/// Standard errors by which a move is clearly behind.
const BEHIND: f64 = 2.5;
/// Standard errors that a move is given the benefit of.
const DOUBT: f64 = 2.0;
/// The gain that a move must have a chance of, in units of the score.
const TRIFLE: f64 = 0.05;

/// A race on one decision.
pub(super) struct Race {
    /// Worlds at first.
    pub first: u32,
    /// Worlds at most.
    pub limit: u32,
}

/// A move that is still in the race.
struct Runner<M> {
    play: M,
    scores: Vec<u32>,
}

impl Race {
    /// The first move of those with the largest total. `imagine` makes so many more worlds, or all
    /// there are if they are fewer; `score` is what a move comes to in one.
    pub fn run<M: Copy + Eq, W, S>(
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
        mean > BEHIND * error || DOUBT * error - mean < TRIFLE
    }
}
