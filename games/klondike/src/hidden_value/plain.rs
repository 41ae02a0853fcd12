//! The totals of `Beliefs` from explicit lists of deals: nothing is remembered, nothing is left
//! out.
//!
//! A player's belief is the list of the deals that look alike so far. Games are played by the
//! rules of `position` alone, so that an error of the fast engine or of its way of turning cards
//! would show.

use std::collections::BTreeMap;

use super::super::card::{Card, CardSet};
use super::super::deal::Deal;
use super::super::layout::Layout;
use super::super::position::Position;
use super::Totals;

/// A game in progress.
#[derive(Clone)]
struct GameInProgress<'a> {
    deal: &'a Deal,
    position: Position,
}

impl GameInProgress<'_> {
    fn after(&self, card: Card) -> Self {
        let mut next = self.clone();
        next.position.play(card);
        next
    }

    /// The best score of a player who sees all cards.
    fn perfect(&self) -> u64 {
        let moves = self.position.moves().into_iter();
        let best = moves.map(|card| self.after(card).perfect()).max();
        best.unwrap_or_else(|| u64::from(self.position.score()))
    }

    /// Returns the card that was seen at each place, now or before.
    fn seen(&self) -> Vec<Option<Card>> {
        let hidden = self.position.face_down();
        let cards = self.deal.cards().iter();
        cards
            .map(|&card| Some(card).filter(|&card| !hidden.contains(card)))
            .collect()
    }
}

/// Games that look alike, the moves made in them being the same.
type Belief<'a> = Vec<GameInProgress<'a>>;

/// The totals over the given deals, each as likely.
pub fn totals(deals: &[Deal]) -> Totals {
    let games = deals.iter().map(|deal| GameInProgress {
        deal,
        position: Position::new(deal),
    });
    let mut totals = Totals::default();
    for belief in told_apart(games) {
        totals += Totals {
            deals: belief.len() as u64,
            perfect: belief.iter().map(GameInProgress::perfect).sum(),
            hidden: hidden(&belief),
            hindsight: played(&belief, &|belief, card| {
                belief.iter().map(|game| game.after(card).perfect()).sum()
            }),
            greedy: played(&belief, &|_, _| 0),
        };
    }
    totals
}

/// Every deal of a layout.
pub fn deals(layout: &Layout) -> Vec<Deal> {
    let mut orders = vec![Vec::new()];
    for _ in 0..layout.deck().size() {
        let longer = |order: &Vec<Card>| {
            let used: CardSet = order.iter().copied().collect();
            let rest = layout.deck().cards() - used;
            let with = |card| [order.as_slice(), &[card]].concat();
            rest.map(with).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let deal = |order: &Vec<Card>| Deal::with_cards(layout, order);
    orders.iter().filter_map(deal).collect()
}

/// Games by their observations.
fn told_apart<'a>(games: impl Iterator<Item = GameInProgress<'a>>) -> Vec<Belief<'a>> {
    let mut beliefs: BTreeMap<Vec<Option<Card>>, Belief> = BTreeMap::new();
    for game in games {
        beliefs.entry(game.seen()).or_default().push(game);
    }
    beliefs.into_values().collect()
}

/// Returns the belief after a move, by the card that it shows.
fn after<'a>(belief: &Belief<'a>, card: Card) -> Vec<Belief<'a>> {
    told_apart(belief.iter().map(|game| game.after(card)))
}

fn moves(belief: &Belief) -> Vec<Card> {
    let first = belief.first();
    first.map_or(Vec::new(), |game| game.position.moves())
}

fn scores(belief: &Belief) -> u64 {
    let score = |game: &GameInProgress| u64::from(game.position.score());
    belief.iter().map(score).sum()
}

fn hidden(belief: &Belief) -> u64 {
    let reached = |card| after(belief, card).iter().map(hidden).sum();
    let best = moves(belief).into_iter().map(reached).max();
    best.unwrap_or_else(|| scores(belief))
}

/// The sum for the player that takes the move of greatest `merit`; of those, the one that scores
/// most without what it turns, then one that turns a card, then the first in suit and rank.
fn played(belief: &Belief, merit: &dyn Fn(&Belief, Card) -> u64) -> u64 {
    let mut moves = moves(belief);
    moves.sort_unstable();
    let taste = |card: Card| {
        let (founded, turns) = at_once(&belief[0], card);
        (merit(belief, card), founded, turns)
    };
    // Of equal ones `max_by_key` takes the last.
    match moves.into_iter().rev().max_by_key(|&card| taste(card)) {
        None => scores(belief),
        Some(card) => {
            let parts = after(belief, card);
            parts.iter().map(|part| played(part, merit)).sum()
        }
    }
}

/// The cards founded by a move before a turned card is looked at, and whether any is turned.
fn at_once(game: &GameInProgress, card: Card) -> (u8, bool) {
    let before = game.position.face_down();
    let mut without = game.position.clone();
    without.play_without(card, before);
    (without.score(), without.face_down() != before)
}
