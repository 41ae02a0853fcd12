//! The worth of choices that a player can hardly tell apart.
//!
//! A player takes the choice that wins most of the worlds that it imagines; others often win nearly
//! as many of them. Each of these is played to the end by another player in many more worlds, the same for all
//! choices, and what that player wins says which choice was the best in its hands.

use super::super::players::{PlayerMemory, play, rounds_with_a_choice};
use super::super::round::Round;
use super::game::{Macro, Macros};
use cards::advice::CardPlayer;
use cards::hidden::{HiddenGame, HiddenPlayer, Scratch, Shortlist, worlds};
use kit::rng::{Stream, StreamKey, below};

/// The comparison of the close choices of a decision.
#[derive(Clone, Copy, Debug)]
pub struct CloseComparison<'a> {
    /// The player whose decisions are looked at.
    pub player: &'a HiddenPlayer,
    /// The choices that are compared.
    pub shortlist: Shortlist,
    /// The worlds in which each of them is played to its end.
    pub playouts: u32,
    /// The player that plays on.
    pub finisher: &'a CardPlayer,
}

/// The draws of a sample.
#[derive(Clone, Copy, Debug)]
pub struct GameDraws<'a> {
    /// The streams of the player's own game.
    pub game: (&'a StreamKey, u64),
    /// The streams of the games that are played on.
    pub finish: &'a StreamKey,
}

/// The close choices of one decision of a game, the player's own first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CloseChoices {
    /// The decisions of the game.
    pub decisions: u64,
    /// The games won after each close choice, of the worlds with even and with odd numbers.
    pub wins: Vec<[u64; 2]>,
    /// The games played after each, likewise.
    pub games: [u64; 2],
}

impl CloseChoices {
    /// The gain of the best choice over the player's own, in tenths of a per cent, rounded down: chosen on one
    /// half of the worlds and measured on the other, so that its mean is no more than the truth.
    pub fn least_gain(&self) -> i64 {
        let gains = [0, 1].map(|half| {
            let by_wins = |&choice: &usize| (self.wins[choice][half], usize::MAX - choice);
            let best = (0..self.wins.len()).max_by_key(by_wins);
            best.map_or(0, |best| self.lead(best, 1 - half))
        });
        (gains[0] + gains[1]).div_euclid(2)
    }

    /// The gain of the choice that won most of all worlds, in tenths of a per cent, rounded up: its mean is
    /// no less than the truth.
    pub fn most_gain(&self) -> i64 {
        let total = |wins: &[u64; 2]| wins[0] + wins[1];
        let most = self.wins.iter().map(total).max().unwrap_or(0);
        let own = self.wins.first().map_or(0, total);
        let games = self.games[0] + self.games[1];
        (1000 * (most - own)).div_ceil(games.max(1)) as i64
    }

    /// The lead of a choice over the player's own in one half of the worlds.
    fn lead(&self, choice: usize, half: usize) -> i64 {
        let difference = self.wins[choice][half] as i64 - self.wins[0][half] as i64;
        (1000 * difference).div_euclid(self.games[half].max(1) as i64)
    }
}

impl CloseComparison<'_> {
    /// Plays a round to its end and compares the close choices of one of its decisions, each as likely as
    /// any other; nothing is compared in a game without decisions.
    pub fn hold(
        &self,
        round: Round,
        memory: &mut PlayerMemory,
        draws: GameDraws<'_>,
        stream: &mut Stream,
    ) -> CloseChoices {
        let rounds = rounds_with_a_choice(round, self.player, memory.macros(), draws.game);
        let decisions = rounds.len() as u64;
        if decisions == 0 {
            return CloseChoices::default();
        }
        let (round, judging) = rounds[below(stream, decisions) as usize].clone();
        let close = self.close_choices(&round, memory.macros(), judging);
        CloseChoices {
            decisions,
            ..self.play_on(&round, &close, memory, draws, stream)
        }
    }

    /// The choices of a round that the player hardly tells from its own, which comes first.
    pub(super) fn close_choices(
        &self,
        round: &Round,
        scratch: &mut Scratch<Macros>,
        mut judging: Stream,
    ) -> Vec<Macro> {
        let (order, seen) = (&Macros::LookingFirst, &round.sight());
        (self.player).close_moves(order, scratch, seen, self.shortlist, &mut judging)
    }

    /// Plays on after each choice, in the same worlds.
    fn play_on(
        &self,
        round: &Round,
        choices: &[Macro],
        memory: &mut PlayerMemory,
        draws: GameDraws<'_>,
        stream: &mut Stream,
    ) -> CloseChoices {
        let seen = round.sight();
        let worlds = worlds(
            &Macros::LookingFirst,
            &seen,
            &seen.canonical(),
            self.playouts,
            stream,
        );
        let first = draws.game.1.wrapping_mul(u64::from(self.playouts));
        let mut close = CloseChoices {
            wins: vec![[0; 2]; choices.len()],
            ..CloseChoices::default()
        };
        for (number, world) in worlds.iter().enumerate() {
            close.games[number % 2] += 1;
            for (wins, &choice) in close.wins.iter_mut().zip(choices) {
                let mut round = *world;
                Macros::LookingFirst.play(&mut round, choice);
                let draws = (draws.finish, first.wrapping_add(number as u64));
                let end = play(round, self.finisher, memory, draws);
                wins[number % 2] += u64::from(end.score == round.table().cards());
            }
        }
        close
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::rng::Streams;

    #[test]
    fn the_best_choice_of_one_half_is_measured_on_the_other() {
        let close = CloseChoices {
            decisions: 3,
            wins: vec![[50, 60], [70, 40], [50, 61]],
            games: [100, 100],
        };
        // By the even worlds the second is best and wins 200 ‰ fewer of the odd ones; by the odd worlds
        // the third, which wins as many of the even ones.
        assert_eq!(close.least_gain(), -100);
        // The third wins one of 200 games more.
        assert_eq!(close.most_gain(), 5);
        assert_eq!(CloseChoices::default().least_gain(), 0);
        assert_eq!(CloseChoices::default().most_gain(), 0);
    }

    /// Wins of choices with such chances in as many worlds of each half.
    fn drawn(stream: &mut Stream, chances: &[u64], games: u64) -> CloseChoices {
        let mut wins = |chance| (0..games).filter(|_| below(stream, 1000) < chance).count() as u64;
        CloseChoices {
            decisions: 1,
            wins: (chances.iter())
                .map(|&chance| [wins(chance), wins(chance)])
                .collect(),
            games: [games, games],
        }
    }

    /// Seed 611, 4,000 decisions: the true gain lies between the means.
    #[test]
    fn the_truth_lies_between_the_two_gains() {
        for (chances, truth) in [
            (&[500, 500, 500, 500][..], 0.0),
            (&[500, 550, 500, 480], 50.0),
            (&[500, 300, 200], 0.0),
        ] {
            let key = Streams::new(611).key("wins");
            let (mut least, mut most) = (0.0, 0.0);
            for index in 0..4_000 {
                let close = drawn(&mut key.stream(index), chances, 50);
                least += close.least_gain() as f64 / 4_000.0;
                most += close.most_gain() as f64 / 4_000.0;
            }
            // Five standard errors of a difference of 50 games.
            let slack = 5.0 * 1000.0 * (0.5 / 50.0_f64).sqrt() / 4_000.0_f64.sqrt();
            assert!(least <= truth + slack, "{chances:?}: {least}");
            assert!(most >= truth, "{chances:?}: {most}");
            assert!(least >= truth - 40.0, "{chances:?}: {least}");
        }
    }
}
