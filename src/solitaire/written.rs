//! Rounds as people write them: a deal, or a game in progress.

use super::card::Card;
use super::deal::Deal;
use super::round::Round;
use super::rules::{DeckShape, Rules};
use super::seat::SolitaireSeat;
use super::table::CardTable;
use crate::cards::tabletop::Dealer;
use crate::cards::text::{Pile, Place};
use crate::cards::{DealError, Slot, WrittenTable};
use lab::rng::Stream;

/// A round that was written or drawn.
#[derive(Clone, Debug)]
pub struct WrittenRound {
    /// The round.
    pub round: Round,
    /// The deal as it is written here; `None` of a game in progress.
    pub deal: Option<Deal>,
}

impl WrittenRound {
    /// The round that begins with a deal.
    pub fn of(deal: Deal, rules: Rules) -> WrittenRound {
        WrittenRound {
            round: Round::new(CardTable::new(&deal, rules)),
            deal: Some(deal),
        }
    }
}

impl Dealer for Rules {
    type Dealt = WrittenRound;
    type Seat = SolitaireSeat;

    fn read(&self, text: &str) -> Result<WrittenTable, DealError> {
        Deal::read_table(DeckShape::FULL, text)
    }

    fn lay_out(&self, table: &WrittenTable) -> Result<WrittenRound, DealError> {
        let written = match Deal::of(DeckShape::FULL, table) {
            Some(deal) => WrittenRound::of(deal, *self),
            None => WrittenRound {
                round: in_progress(table, *self)?,
                deal: None,
            },
        };
        let columns = written.round.table().columns().iter();
        let face_up = columns.flat_map(|column| {
            let down = column.face_down();
            (0..column.cards().len()).map(move |card| card >= down)
        });
        table.refuse_unseen(face_up)?;
        Ok(written)
    }

    fn deal(&self, stream: &mut Stream) -> WrittenRound {
        WrittenRound::of(Deal::draw(DeckShape::FULL, stream), *self)
    }

    fn seat(written: WrittenRound) -> SolitaireSeat {
        SolitaireSeat(written.round)
    }
}

const COLUMNS: usize = 7;

fn in_progress(table: &WrittenTable, rules: Rules) -> Result<Round, DealError> {
    let (columns, rest) = table.columns.split_at(COLUMNS.min(table.columns.len()));
    let unnamed = match rest {
        [] if columns.len() == COLUMNS => None,
        [stock] if table.stock.is_none() => Some(stock),
        _ => {
            let parts = table.columns.len();
            let rules =
                format!("there are {parts} parts without a name instead of {COLUMNS} columns");
            return Err(DealError::Rules(rules));
        }
    };
    let columns = (0..)
        .zip(columns)
        .map(|(number, slots)| read_column(number, slots));
    let columns: Vec<_> = columns.collect::<Result<_, _>>()?;
    let empty = Vec::new();
    let stock = table.stock.as_ref().or(unnamed).unwrap_or(&empty);
    let cards =
        |slots: &[Slot]| -> Vec<Card> { slots.iter().map(|slot| slot.face.into()).collect() };
    let talon = [cards(table.waste.as_ref().unwrap_or(&empty)), cards(stock)];
    check_talon(&talon, table.pass, rules)?;
    let mut foundations = [0; 4];
    for card in table.founded().map(Card::from) {
        foundations[usize::from(card.suit())] += 1;
    }
    let pass = table.pass.unwrap_or(1) - 1;
    let known = stock.iter().filter(|slot| !slot.is_unknown).count();
    if pass > 0 && known > 0 && known < stock.len() {
        let message = "stock: the cards of a later pass are known, all of them or none";
        return Err(DealError::Rules(message.to_owned()));
    }
    let table = CardTable::in_progress(rules, &columns, foundations, (&talon[0], &talon[1]), pass);
    Ok(Round::in_progress(table, pass > 0 && known == stock.len()))
}

fn check_talon(talon: &[Vec<Card>; 2], pass: Option<u8>, rules: Rules) -> Result<(), DealError> {
    let cards: usize = talon.iter().map(Vec::len).sum();
    let refuse = |message: String| Err(DealError::Rules(message));
    match (pass, rules.passes) {
        _ if cards > 24 => refuse(format!(
            "stock and waste have {cards} cards; a game begins with 24"
        )),
        (Some(pass), Some(passes)) if pass > passes => {
            refuse(format!("pass {pass} of {passes} that the rules allow"))
        }
        _ => Ok(()),
    }
}

/// The cards of a column and how many of them lie face down. Those face up must be in order.
fn read_column(number: usize, slots: &[Slot]) -> Result<(Vec<Card>, usize), DealError> {
    let cards: Vec<Card> = slots.iter().map(|slot| slot.face.into()).collect();
    let down = slots.iter().take_while(|slot| slot.is_down).count();
    let pile = Pile::Column(number + 1);
    let refuse = |message: String| Err(DealError::Rules(message));
    if down > number {
        return refuse(format!(
            "{pile}: {down} cards are face down; a game begins with {number} there"
        ));
    }
    if down > 0 && down == slots.len() {
        return refuse(format!("{pile}: its last card is face up in any game"));
    }
    for (card, pair) in (down + 2..).zip(cards[down..].windows(2)) {
        let place = Place { pile, card };
        if slots[card - 1].is_down || !pair[1].fits_on(pair[0]) {
            let [under, card] = [pair[0], pair[1]];
            return refuse(format!(
                "{place}: {card} does not fit on {under} face up; a card face down has its suit in lower case, or is `??`"
            ));
        }
    }
    Ok((cards, down))
}
