//! The outcomes of games sample by sample, and the exact tally of how the scores of players vary
//! together from sample to sample.

use crate::run::rated::{RatedField, RatedFields};
use serde::{Deserialize, Serialize};
use stats::{Products, Storable};
use task::Row;

/// Players of a field at most: of more, the products of every two scores would take too much room.
const MOST_PLAYERS: usize = 200;

/// The scores of the players of a field, unresolved games at the least and at the most for the first
/// side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FieldScores {
    ends: [Products; 2],
    /// For each pairing whether its games have outcomes, in all samples alike: where a player is out, none has.
    /// Empty before the first sample.
    played: Vec<bool>,
}

/// The games of one cell in the samples of a block, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Games {
    /// A digit for each.
    digits: String,
}

/// The half points of the first side at the least and at the most, by the digit of the game.
const HALF_POINTS: [(i64, i64); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
/// The digit of a game without outcome.
const NO_OUTCOME: char = '9';

impl Games {
    /// Adds the games of some rows.
    pub(crate) fn push(&mut self, fields: &RatedFields, rows: &[Row]) {
        let digit = |row: &Row| {
            let ends = fields.half_points(row)?;
            let position = HALF_POINTS.iter().position(|known| *known == ends)?;
            char::from_digit(position as u32, 10)
        };
        let digits = rows.iter().map(|row| digit(row).unwrap_or(NO_OUTCOME));
        self.digits.extend(digits);
    }

    /// Adds the games of the samples that follow.
    pub(crate) fn append(&mut self, next: &Self) {
        self.digits.push_str(&next.digits);
    }

    /// Forgets all games.
    pub(crate) fn clear(&mut self) {
        self.digits.clear();
    }

    /// Returns the number of games.
    pub(crate) fn len(&self) -> usize {
        self.digits.len()
    }

    /// Returns whether all digits are those of games.
    pub(crate) fn is_consistent(&self) -> bool {
        let is_known = |c: char| ('0'..='5').contains(&c) || c == NO_OUTCOME;
        self.digits.chars().all(is_known)
    }

    /// The half points of the first side in a sample; `None` where the game has no outcome.
    fn half_points(&self, sample: usize) -> Option<(i64, i64)> {
        let digit = self.digits.as_bytes().get(sample)?.wrapping_sub(b'0');
        HALF_POINTS.get(usize::from(digit)).copied()
    }
}

impl FieldScores {
    /// Empty tallies of all fields; `None` where there are too many players.
    pub(super) fn empty(fields: &RatedFields) -> Option<Vec<Self>> {
        let one = |field: &RatedField| {
            let products = Products::new(field.players.len());
            let room = field.players.len() <= MOST_PLAYERS;
            room.then(|| Self {
                ends: [products.clone(), products],
                played: Vec::new(),
            })
        };
        fields.iter().map(one).collect()
    }

    /// Counts the games of all cells from sample `from` on; returns whether those of each cell have outcomes in
    /// all samples or in none.
    pub(super) fn push(&mut self, field: &RatedField, games: &[Games], from: usize) -> bool {
        let lengths = field
            .pairings
            .iter()
            .map(|pairing| games[pairing.cell].len());
        let mut samples = from..lengths.min().unwrap_or(from);
        samples.all(|sample| {
            let half_points = |cell: usize| games[cell].half_points(sample);
            let pairings = field.pairings.iter();
            let played: Vec<bool> = pairings
                .map(|pairing| half_points(pairing.cell).is_some())
                .collect();
            let scores = field.scores(half_points);
            let ends = self.ends.iter_mut().zip(&scores);
            ends.for_each(|(products, scores)| products.push(scores));
            self.agrees(&played)
        })
    }

    /// Takes in which pairings were played; returns whether they are those of the samples so far.
    fn agrees(&mut self, played: &[bool]) -> bool {
        if self.played.is_empty() {
            self.played = played.to_vec();
        }
        played.is_empty() || self.played == played
    }

    /// Adds the scores of other samples; returns whether the same pairings were played in them.
    pub(super) fn merge(&mut self, other: &Self) -> bool {
        let ends = self.ends.iter_mut().zip(&other.ends);
        ends.for_each(|(mine, theirs)| mine.merge(theirs));
        self.agrees(&other.played)
    }

    /// Returns whether the tally is one of a field of so many players, from so many samples at most.
    pub(super) fn is_possible(&self, players: usize, samples: u64) -> bool {
        let is_one = |end: &Products| {
            end.size() == players && end.is_consistent() && end.samples() <= samples
        };
        self.ends.iter().all(is_one)
    }

    /// Unresolved games at the least and at the most for the first side.
    pub(crate) fn ends(&self) -> &[Products; 2] {
        &self.ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digit_is_a_game() {
        let games = |digits: &str| Games {
            digits: digits.to_owned(),
        };
        let all = games("012345");
        let all: Vec<_> = (0..6).map_while(|sample| all.half_points(sample)).collect();
        assert_eq!(all, HALF_POINTS);
        assert_eq!(games("9").half_points(0), None);
        assert!(games("90").is_consistent());
        for unknown in ["6", "x", "0 1", "-"] {
            assert!(!games(unknown).is_consistent(), "{unknown}");
        }
    }

    #[test]
    fn scores_are_of_so_many_players_and_samples_and_of_games_that_were_played() {
        let scores = |samples: u64, played: [bool; 2]| {
            let mut products = Products::new(3);
            (0..samples).for_each(|_| products.push(&[2, 0, 1]));
            FieldScores {
                ends: [products.clone(), products],
                played: played.to_vec(),
            }
        };
        let mut own = scores(2, [true, false]);
        assert!(own.is_possible(3, 2));
        assert!(!own.is_possible(2, 2) && !own.is_possible(3, 1));
        let mut forged = serde_json::to_value(&own).unwrap();
        let sums = forged["ends"][1]["sums"].as_array_mut();
        sums.unwrap().push(serde_json::json!(0));
        let forged: FieldScores = serde_json::from_value(forged).unwrap();
        assert!(!forged.is_possible(3, 2));
        assert!(own.merge(&scores(1, [true, false])));
        assert!(!own.merge(&scores(1, [false, true])));
    }
}
