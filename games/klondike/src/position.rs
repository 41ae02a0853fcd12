//! The rules: positions, moves, turning cards and building foundations.
//!
//! Wetherell, *Etudes for Programmers*, chapter 19. A card lands only on the card of its suit one
//! rank higher or, if it is a king, in an empty column. A move is therefore named by its card:
//! there is only one place where it can go (empty columns are alike). Knows nothing of search or
//! strategy.

use super::card::{Card, CardSet, SLOTS};
use super::deal::Deal;
use super::layout::MAX_COLUMNS;

/// A position with its foundations built as high as they go.
///
/// For each card, the card beneath and the card on it; a card face down has its first cover
/// still on it.
#[derive(Clone, Debug)]
pub struct Position {
    arrangement: Arrangement,
    upon: [u8; SLOTS],
    heads: [Option<Card>; MAX_COLUMNS],
    columns: usize,
    face_down: CardSet,
    /// Cards on the foundations before the game.
    missing: u8,
}

/// The key of a position among those of one deal: for each card the number of the card beneath, 0
/// for none, and the cards on the foundations. It does not depend on the order of the columns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Arrangement {
    beneath: [u8; SLOTS],
    founded: CardSet,
}

impl Position {
    /// The position after the deal, foundations built.
    pub fn new(deal: &Deal) -> Position {
        let mut position = Position {
            arrangement: Arrangement {
                beneath: [0; SLOTS],
                founded: deal.founded(),
            },
            upon: [0; SLOTS],
            heads: [None; MAX_COLUMNS],
            columns: deal.layout().columns().len(),
            face_down: CardSet::EMPTY,
            missing: deal.layout().deck().missing().len() as u8,
        };
        for (head, (shape, cards)) in position.heads.iter_mut().zip(deal.columns()) {
            *head = cards.first().copied();
            for pair in cards.windows(2) {
                position.arrangement.beneath[pair[1].index()] = pair[0].number();
                position.upon[pair[0].index()] = pair[1].number();
            }
            let hidden = cards.iter().take(usize::from(shape.down));
            hidden.for_each(|&card| position.face_down.insert(card));
        }
        position.settle_without(CardSet::EMPTY);
        position
    }

    /// Returns the key of this position among those of the same deal.
    pub(crate) fn arrangement(&self) -> &Arrangement {
        &self.arrangement
    }

    /// The cards on the foundations, those a small deck lacks included.
    pub fn founded(&self) -> CardSet {
        self.arrangement.founded
    }

    /// The number of the deck's cards on the foundations, 0 to 52.
    pub fn score(&self) -> u8 {
        self.founded().len() as u8 - self.missing
    }

    /// The face-down cards.
    pub fn face_down(&self) -> CardSet {
        self.face_down
    }

    /// The legal moves, each named by its card: columns in order with the card that may land on
    /// each, then kings by suit.
    pub fn moves(&self) -> Vec<Card> {
        let landing = self
            .columns()
            .filter_map(|head| self.landing_on(self.last(head?)));
        landing.chain(self.kings_to_move()).collect()
    }

    /// Moves a card, with all on it, to the one place where it can go; then turns the card it
    /// uncovered and builds the foundations. The move must be one of [`Position::moves`].
    pub fn play(&mut self, card: Card) {
        self.play_without(card, CardSet::EMPTY);
    }

    /// Like `play`, but none of the cards `out` goes to the foundations: the part of a move that is
    /// known before turned cards are seen.
    pub(crate) fn play_without(&mut self, card: Card, out: CardSet) {
        self.lift(card);
        match card.higher() {
            Some(target) => {
                self.arrangement.beneath[card.index()] = target.number();
                self.upon[target.index()] = card.number();
            }
            None => {
                let heads = &mut self.heads[..self.columns];
                if let Some(empty) = heads.iter_mut().find(|head| head.is_none()) {
                    *empty = Some(card);
                }
            }
        }
        self.settle_without(out);
    }

    /// The head of each column, `None` of an empty one.
    pub fn columns(&self) -> impl Iterator<Item = Option<Card>> {
        self.heads[..self.columns].iter().copied()
    }

    /// A card and all those on it, in order.
    pub fn pile(&self, card: Option<Card>) -> impl Iterator<Item = Card> {
        std::iter::successors(card, |&card| self.upon(card))
    }

    fn last(&self, head: Card) -> Card {
        self.pile(Some(head)).last().unwrap_or(head)
    }

    fn upon(&self, card: Card) -> Option<Card> {
        Card::from_number(self.upon[card.index()])
    }

    fn beneath(&self, card: Card) -> Option<Card> {
        Card::from_number(self.arrangement.beneath[card.index()])
    }

    /// The card that may land on `last`, the last card of a column.
    fn landing_on(&self, last: Card) -> Option<Card> {
        let card = last.lower()?;
        let fixed = self.face_down | self.founded();
        let mut column = std::iter::successors(Some(last), |&card| self.beneath(card));
        (!fixed.contains(card) && column.all(|other| other != card)).then_some(card)
    }

    fn kings_to_move(&self) -> impl Iterator<Item = Card> {
        let room = self.columns().any(|head| head.is_none());
        let fixed = self.face_down | self.founded();
        (CardSet::KINGS - fixed).filter(move |&king| room && self.beneath(king).is_some())
    }

    /// Builds the foundations as high as they go, with all cards but those `out`.
    fn settle_without(&mut self, out: CardSet) {
        loop {
            let mut next = self.founded().next_on_foundations() - self.face_down - out;
            let Some(card) = next.find(|&card| self.upon(card).is_none()) else {
                return;
            };
            self.lift(card);
            self.arrangement.founded.insert(card);
        }
    }

    /// Takes a card, and what is on it, off what it lies on.
    fn lift(&mut self, card: Card) {
        match self.beneath(card) {
            Some(uncovered) => {
                self.upon[uncovered.index()] = 0;
                self.face_down.remove(uncovered);
                self.arrangement.beneath[card.index()] = 0;
            }
            None => {
                let column = self.heads.iter_mut().find(|head| **head == Some(card));
                column.into_iter().for_each(|head| *head = None);
            }
        }
    }
}
