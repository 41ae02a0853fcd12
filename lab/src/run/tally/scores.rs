//! The exact tally of how the scores of players vary together from sample to sample.

use crate::run::rated::{RatedField, RatedFields};
use crate::stats::Products;
use crate::task::Row;

/// Players of a field at most: of more, the products of every two scores would take too much room.
const MOST_PLAYERS: usize = 200;

/// The scores of the players of a field, unresolved games at the least and at the most for the first
/// side.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldScores {
    ends: [Products; 2],
}

impl FieldScores {
    /// Empty tallies of all fields; `None` where there are too many players.
    pub(super) fn empty(fields: &RatedFields) -> Option<Vec<Self>> {
        let one = |field: &RatedField| {
            let products = Products::new(field.players.len());
            let room = field.players.len() <= MOST_PLAYERS;
            room.then(|| Self {
                ends: [products.clone(), products],
            })
        };
        fields.iter().map(one).collect()
    }

    /// About how many bytes of text or memory they take.
    pub(super) fn size(fields: &RatedFields) -> u64 {
        const NUMBER: u64 = 16;
        let players = fields.iter().map(|field| field.players.len());
        let players = players.filter(|players| *players <= MOST_PLAYERS);
        players
            .map(|players| (players as u64 + 1).pow(2) * NUMBER)
            .sum()
    }

    /// Counts a sample; returns whether all of its games have outcomes.
    pub(super) fn push<'row>(
        &mut self,
        fields: &RatedFields,
        field: &RatedField,
        row: impl Fn(usize) -> &'row Row,
    ) -> bool {
        let scores = fields.scores(field, row);
        if let Some(scores) = &scores {
            let ends = self.ends.iter_mut().zip(scores);
            ends.for_each(|(products, scores)| products.push(scores));
        }
        scores.is_some()
    }

    pub(super) fn merge(&mut self, other: &Self) {
        let ends = self.ends.iter_mut().zip(&other.ends);
        ends.for_each(|(mine, theirs)| mine.merge(theirs));
    }

    /// Samples.
    pub(super) fn samples(&self) -> u64 {
        self.ends[0].samples()
    }

    /// Unresolved games at the least and at the most for the first side.
    pub fn ends(&self) -> &[Products; 2] {
        &self.ends
    }

    /// `low`, or `low|high` with unresolved games.
    pub(super) fn encode(&self) -> String {
        let [low, high] = &self.ends;
        if low == high {
            return low.encode();
        }
        format!("{}|{}", low.encode(), high.encode())
    }

    pub(super) fn decode_as(&self, text: &str) -> Option<Self> {
        let (low, high) = text.split_once('|').unwrap_or((text, text));
        let ends = [self.ends[0].decode_as(low)?, self.ends[0].decode_as(high)?];
        let same = ends[0].samples() == ends[1].samples();
        same.then_some(Self { ends })
    }
}
