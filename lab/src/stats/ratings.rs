//! Ratings of players who met in many pairings, draws included.
//!
//! Davidson's extension of the Bradley-Terry model: a win has weight `exp(a)`, a loss `exp(b)`, a
//! draw `d exp((a + b) / 2)`. Each pairing is given half a win and half a loss beforehand, so
//! ratings are finite at perfect scores. The covariance is the sandwich of the model's
//! information and the observed variance of each pairing, so it does not trust the model. The half
//! games pull near-perfect scores together, so a rating has a limit only on a side where enough
//! games link it to all others (Ford 1957, *American Mathematical Monthly* 64, asks for one).
//! References: Davidson 1970, *JASA* 65; White 1982, *Econometrica* 50.

use std::f64::consts::LN_10;

use super::Level;
use super::critical::normal_upper;

/// What two players' games against each other gave, seen by the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The first player's number.
    pub first: usize,
    /// The second player's number.
    pub second: usize,
    /// Games the first won.
    pub wins: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Games the second won.
    pub losses: u64,
}

/// A player's rating; all ratings together have mean 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating in Elo.
    pub elo: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Whether enough games of the player, or of those it beat and so on, were won against all
    /// others: it cannot be much worse.
    pub has_lower: bool,
    /// The same for games lost: it cannot be much better.
    pub has_upper: bool,
}

impl Rating {
    /// The limits of its interval, valid at a number of games fixed in advance; `None` on a side
    /// where too few games link the player to the others.
    pub fn limits(&self, level: Level) -> (Option<f64>, Option<f64>) {
        let half = normal_upper(level.tail()) * self.standard_error;
        (
            self.has_lower.then_some(self.elo - half),
            self.has_upper.then_some(self.elo + half),
        )
    }
}

/// Elo for each unit of log strength.
const SCALE: f64 = 400.0 / LN_10;
/// The wins and the losses each pairing has beforehand.
const PRIOR: f64 = 0.5;

/// The least score of a pairing, draws half, that links the winner to the loser. With fewer games of
/// the kind intervals missed up to 15 %, with five 5.5 % (40 to 600 games a pairing, nine fields).
const LEAST_SCORE: f64 = 5.0;

/// The ratings of players `0..players`; `None` if a pairing names another player or the pairings
/// do not connect them all.
pub fn ratings(players: usize, pairings: &[Pairing]) -> Option<Vec<Rating>> {
    let known = |pairing: &Pairing| pairing.first.max(pairing.second) < players;
    if players == 0 || !pairings.iter().all(known) {
        return None;
    }
    let drawn = pairings.iter().any(|pairing| pairing.draws > 0);
    let model = RatingModel {
        players,
        pairings,
        drawn,
    };
    let mut parameters = vec![0.0; model.size()];
    for _ in 0..200 {
        let (gradient, information) = model.derivatives(&parameters);
        let step = multiply(&inverse(information)?, &gradient);
        let longest = step
            .iter()
            .fold(0.0, |most: f64, part| most.max(part.abs()));
        let damping = 1.0 / longest.max(1.0);
        for (parameter, part) in parameters.iter_mut().zip(&step) {
            *parameter += damping * part;
        }
        if longest < 1e-12 {
            break;
        }
    }
    model.ratings(&parameters)
}

struct RatingModel<'games> {
    players: usize,
    pairings: &'games [Pairing],
    /// Whether there are draws; their weight is a parameter then, after the players'.
    drawn: bool,
}

type SquareMatrix = Vec<Vec<f64>>;

impl RatingModel<'_> {
    fn size(&self) -> usize {
        self.players + usize::from(self.drawn)
    }

    /// Probabilities of a win, a draw and a loss of the first player.
    fn outcomes(&self, pairing: &Pairing, parameters: &[f64]) -> [f64; 3] {
        let (a, b) = (parameters[pairing.first], parameters[pairing.second]);
        let centre = (a + b) / 2.0;
        let draw = if self.drawn {
            parameters[self.players].exp()
        } else {
            0.0
        };
        let weights = [(a - centre).exp(), draw, (b - centre).exp()];
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// How much each outcome of a pairing adds to each sufficient statistic: score of the first,
    /// score of the second, draws.
    fn statistics(&self, pairing: &Pairing) -> [Vec<f64>; 3] {
        [(1.0, 0.0), (0.5, 1.0), (0.0, 0.0)].map(|(score, draw)| {
            let mut statistics = vec![0.0; self.size()];
            statistics[pairing.first] += score;
            statistics[pairing.second] += 1.0 - score;
            if self.drawn {
                statistics[self.players] += draw;
            }
            statistics
        })
    }

    /// Gradient of the log likelihood and the information; the mean rating is tied to 0.
    fn derivatives(&self, parameters: &[f64]) -> (Vec<f64>, SquareMatrix) {
        let mut gradient = vec![0.0; self.size()];
        let mut information = self.gauge();
        for pairing in self.pairings {
            let counts = counts(pairing);
            let games: f64 = counts.iter().sum();
            let expected = self.outcomes(pairing, parameters);
            let statistics = self.statistics(pairing);
            for (outcome, row) in statistics.iter().enumerate() {
                let surplus = counts[outcome] - games * expected[outcome];
                add(&mut gradient, row, surplus);
            }
            add_covariance(&mut information, &statistics, expected, games);
        }
        let sum: f64 = parameters[..self.players].iter().sum();
        gradient[..self.players]
            .iter_mut()
            .for_each(|part| *part -= sum);
        (gradient, information)
    }

    /// Ones between all players: what the likelihood leaves free.
    fn gauge(&self) -> SquareMatrix {
        let tie = |i: usize, j: usize| f64::from(i.max(j) < self.players);
        let row = |i| (0..self.size()).map(|j| tie(i, j)).collect();
        (0..self.size()).map(row).collect()
    }

    /// Who beat whom often enough, or beat one who did.
    fn links(&self) -> Vec<Vec<bool>> {
        let row = |i| (0..self.players).map(|j| i == j).collect();
        let mut links: Vec<Vec<bool>> = (0..self.players).map(row).collect();
        for &Pairing {
            first,
            second,
            wins,
            draws,
            losses,
        } in self.pairings
        {
            let score = |won: u64| won as f64 + draws as f64 / 2.0;
            links[first][second] |= score(wins) >= LEAST_SCORE;
            links[second][first] |= score(losses) >= LEAST_SCORE;
        }
        for through in 0..self.players {
            let beyond = links[through].clone();
            for row in links.iter_mut().filter(|row| row[through]) {
                let both = row.iter_mut().zip(&beyond);
                both.for_each(|(link, &next)| *link |= next);
            }
        }
        links
    }

    fn ratings(&self, parameters: &[f64]) -> Option<Vec<Rating>> {
        let (_, information) = self.derivatives(parameters);
        let bread = inverse(information)?;
        let mut meat = vec![vec![0.0; self.size()]; self.size()];
        for pairing in self.pairings {
            let counts = counts(pairing);
            let games: f64 = counts.iter().sum();
            let shares = counts.map(|count| count / games);
            add_covariance(&mut meat, &self.statistics(pairing), shares, games);
        }
        let links = self.links();
        let rating = |player: usize| {
            let row = &bread[player];
            let variance: f64 = multiply(&meat, row)
                .iter()
                .zip(row)
                .map(|(a, b)| a * b)
                .sum();
            Rating {
                elo: parameters[player] * SCALE,
                standard_error: variance.max(0.0).sqrt() * SCALE,
                has_lower: links[player].iter().all(|&linked| linked),
                has_upper: links.iter().all(|row| row[player]),
            }
        };
        Some((0..self.players).map(rating).collect())
    }
}

fn counts(pairing: &Pairing) -> [f64; 3] {
    let (wins, losses) = (pairing.wins as f64, pairing.losses as f64);
    [wins + PRIOR, pairing.draws as f64, losses + PRIOR]
}

fn add(sum: &mut [f64], row: &[f64], factor: f64) {
    for (total, part) in sum.iter_mut().zip(row) {
        *total += factor * part;
    }
}

/// Adds `games` times the covariance of the statistics under these shares of the outcomes.
fn add_covariance(
    matrix: &mut SquareMatrix,
    statistics: &[Vec<f64>; 3],
    shares: [f64; 3],
    games: f64,
) {
    let mut mean = vec![0.0; matrix.len()];
    for (row, share) in statistics.iter().zip(shares) {
        add(&mut mean, row, share);
    }
    for (row, share) in statistics.iter().zip(shares) {
        let centred: Vec<f64> = row.iter().zip(&mean).map(|(a, b)| a - b).collect();
        for (line, &factor) in matrix.iter_mut().zip(&centred) {
            add(line, &centred, games * share * factor);
        }
    }
}

fn multiply(matrix: &SquareMatrix, vector: &[f64]) -> Vec<f64> {
    let dot = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.iter().map(dot).collect()
}

/// Gauss and Jordan's inverse with pivots; `None` of a singular matrix.
fn inverse(mut matrix: SquareMatrix) -> Option<SquareMatrix> {
    let size = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|j| f64::from(i == j)));
    }
    for column in 0..size {
        let magnitude = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..size).max_by(|a, b| magnitude(a).total_cmp(&magnitude(b)))?;
        matrix.swap(column, pivot);
        let head = matrix[column][column];
        if head.abs() < 1e-12 {
            return None;
        }
        matrix[column].iter_mut().for_each(|entry| *entry /= head);
        let row = matrix[column].clone();
        for (other, target) in matrix.iter_mut().enumerate() {
            if other != column {
                let factor = -target[column];
                add(target, &row, factor);
            }
        }
    }
    Some(
        matrix
            .into_iter()
            .map(|mut row| row.split_off(size))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Streams, unit};

    fn pairing(first: usize, second: usize, [wins, draws, losses]: [u64; 3]) -> Pairing {
        Pairing {
            first,
            second,
            wins,
            draws,
            losses,
        }
    }

    #[test]
    fn two_players_rate_as_the_odds_of_their_games() {
        // 300.5 to 100.5 with the half games given beforehand; draws do not move the odds.
        for draws in [0, 250] {
            let found = ratings(2, &[pairing(0, 1, [300, draws, 100])]).unwrap();
            let expected = 400.0 * (300.5f64 / 100.5).log10();
            assert!(
                (found[0].elo - found[1].elo - expected).abs() < 1e-6,
                "{draws}"
            );
            assert!((found[0].elo + found[1].elo).abs() < 1e-9);
        }
    }

    #[test]
    fn the_standard_error_of_two_players_is_the_log_odds() {
        // Without draws the sandwich is exact: var(a - b) = 1/w + 1/l, each rating half of it.
        let found = ratings(2, &[pairing(0, 1, [300, 0, 100])]).unwrap();
        let expected = SCALE / 2.0 * (1.0 / 300.5 + 1.0 / 100.5f64).sqrt();
        assert!((found[0].standard_error / expected - 1.0).abs() < 1e-6);
    }

    #[test]
    fn perfect_scores_have_finite_ratings() {
        let games = [
            pairing(0, 1, [200, 0, 0]),
            pairing(1, 2, [200, 0, 0]),
            pairing(2, 3, [0, 200, 0]),
        ];
        let found = ratings(4, &games).unwrap();
        assert!(
            found
                .iter()
                .all(|r| r.elo.is_finite() && r.standard_error > 0.0)
        );
        assert!(found[0].elo > found[1].elo && found[1].elo > found[2].elo);
        assert!((found[2].elo - found[3].elo).abs() < 1e-6);
    }

    #[test]
    fn a_rating_has_a_limit_where_enough_games_link_it_to_all_others() {
        let limits = |games: &[Pairing]| {
            let found = ratings(3, games).unwrap();
            let limits = found.iter().map(|rating| rating.limits(Level::DEFAULT));
            let shown = limits.map(|(lo, hi)| [lo.is_some(), hi.is_some()]);
            shown.collect::<Vec<_>>()
        };
        let chain = [pairing(0, 1, [36, 0, 4]), pairing(1, 2, [20, 0, 20])];
        assert_eq!(
            limits(&chain),
            [[true, false], [false, true], [false, true]]
        );
        let middle = [pairing(0, 1, [36, 0, 4]), pairing(1, 2, [40, 0, 0])];
        assert_eq!(limits(&middle)[1], [false, false]);
        let drawn = [pairing(0, 1, [32, 4, 3]), pairing(1, 2, [20, 0, 20])];
        assert_eq!(limits(&drawn), [[true, true]; 3]);
    }

    /// Seed 57: 300 fields of 40 games a pairing, which leave hardly a game to one side, and as many
    /// of 150. Each row says how often a limit that is shown misses.
    #[test]
    fn limits_that_are_shown_hold_at_nearly_perfect_scores() {
        let field = |shares: [f64; 4], mut won: Box<dyn FnMut(f64) -> [u64; 3]>| {
            let games = shares.iter().enumerate();
            let games = games.map(|(at, &share)| pairing(at / 2, 2 + at % 2, won(share)));
            ratings(4, &games.collect::<Vec<_>>()).unwrap()
        };
        for shares in [[0.9, 0.05, 0.9995, 0.97], [0.97, 0.6, 0.999, 0.97]] {
            for games in [40, 150] {
                let many = |share: f64| [(share * 1e9) as u64, 0, ((1.0 - share) * 1e9) as u64];
                let truth = field(shares, Box::new(many));
                let (mut shown, mut missed) = (0, 0);
                for run in 0..300 {
                    let mut stream = Streams::new(57).key("games").stream(run);
                    let played = move |share: f64| {
                        let wins = (0..games).filter(|_| unit(&mut stream) < share).count() as u64;
                        [wins, 0, games - wins]
                    };
                    let found = field(shares, Box::new(played));
                    for (found, truth) in found.iter().zip(&truth) {
                        let (lo, hi) = found.limits(Level::DEFAULT);
                        shown += usize::from(lo.is_some() || hi.is_some());
                        let misses = lo.is_some_and(|lo| lo > truth.elo)
                            || hi.is_some_and(|hi| hi < truth.elo);
                        missed += usize::from(misses);
                    }
                }
                let rate = missed as f64 / shown as f64;
                assert!(shown > 500 && rate < 0.07, "{shares:?} {games}: {rate}");
            }
        }
    }

    #[test]
    fn players_who_never_met_through_others_have_no_ratings() {
        let games = [pairing(0, 1, [5, 1, 5]), pairing(2, 3, [5, 1, 5])];
        assert_eq!(ratings(4, &games), None);
        assert_eq!(ratings(1, &games), None);
        assert_eq!(ratings(0, &[]), None);
    }
}
