//! Rounds as people write them: a deal, or a game in progress.

use super::card::Card;
use super::deal::Deal;
use super::elsewhere;
use super::round::{Round, SeenRound};
use super::rules::{DeckShape, Rules};
use super::seat::SolitaireSeat;
use super::table::{CardTable, TableauColumn};
use cards::tabletop::Dealer;
use cards::text::{Pile, Place};
use cards::{DealError, Slot, WrittenTable};
use kit::rng::Stream;
use std::fmt;

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
        match elsewhere::read(text) {
            Some(deal) => Deal::read_table(DeckShape::FULL, &deal?.to_string()),
            None => Deal::read_table(DeckShape::FULL, text),
        }
    }

    fn lay_out(&self, table: &WrittenTable) -> Result<WrittenRound, DealError> {
        let written = match Deal::of(DeckShape::FULL, table) {
            Some(deal) => WrittenRound {
                round: Round::in_progress(CardTable::new(&deal, *self), sees_stock(table)?),
                deal: Some(deal),
            },
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

impl fmt::Display for SeenRound {
    /// The round as a person would write it down, which [`lay_out`](Dealer::lay_out) reads: `??` is a card that
    /// was not seen.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let round = self.canonical();
        let table = round.table();
        let tops: Vec<Card> = (0..4)
            .filter_map(|suit| table.foundation_top(suit))
            .collect();
        let columns: Vec<String> = table.columns().iter().map(seen_column).collect();
        let stock = if round.is_stock_known() {
            symbols(table.stock())
        } else {
            vec!["??"; table.stock().len()].join(" ")
        };
        write!(
            f,
            "foundations: {} | {} | waste: {} | stock: {stock} | pass: {}",
            symbols(&tops),
            columns.join(" | "),
            symbols(table.waste()),
            table.pass() + 1
        )
    }
}

fn seen_column(column: &TableauColumn) -> String {
    if column.cards().is_empty() {
        return "--".to_owned();
    }
    "?? ".repeat(column.face_down()) + &symbols(column.run())
}

fn symbols(cards: &[Card]) -> String {
    let symbols: Vec<String> = cards.iter().map(Card::to_string).collect();
    symbols.join(" ")
}

const COLUMNS: usize = 7;

fn in_progress(table: &WrittenTable, rules: Rules) -> Result<Round, DealError> {
    let columns = &table.columns[..COLUMNS.min(table.columns.len())];
    match &table.columns[columns.len()..] {
        [] if columns.len() == COLUMNS => (),
        [_] if table.stock.is_none() => (),
        _ => {
            let parts = table.columns.len();
            let rules =
                format!("there are {parts} parts without a name instead of {COLUMNS} columns");
            return Err(DealError::Rules(rules));
        }
    }
    let columns = (0..)
        .zip(columns)
        .map(|(number, slots)| read_column(number, slots));
    let columns: Vec<_> = columns.collect::<Result<_, _>>()?;
    let empty = Vec::new();
    let stock = stock(table);
    let cards =
        |slots: &[Slot]| -> Vec<Card> { slots.iter().map(|slot| slot.face.into()).collect() };
    let talon = [cards(table.waste.as_ref().unwrap_or(&empty)), cards(stock)];
    check_talon(&talon, table.pass, rules)?;
    let mut foundations = [0; 4];
    for card in table.founded().into_iter().map(Card::from) {
        foundations[usize::from(card.suit())] += 1;
    }
    let pass = table.pass.unwrap_or(1) - 1;
    let is_stock_seen = sees_stock(table)?;
    let laid_out =
        CardTable::in_progress(rules, &columns, foundations, (&talon[0], &talon[1]), pass);
    Ok(Round::in_progress(laid_out, is_stock_seen))
}

/// The stock, by its name or after the columns.
fn stock(table: &WrittenTable) -> &[Slot] {
    let stock = table.stock.as_ref().or_else(|| table.columns.get(COLUMNS));
    stock.map_or(&[], Vec::as_slice)
}

/// Returns whether the player has seen the stock: its cards are face up in a text that tells more
/// than a deal.
fn sees_stock(table: &WrittenTable) -> Result<bool, DealError> {
    let stock = stock(table);
    let seen = stock.iter().filter(|slot| !slot.is_down).count();
    match table.is_marked || table.has_names() {
        true if seen > 0 && seen < stock.len() => Err(DealError::Rules(format!(
            "stock: {seen} of its {} cards were seen; after the first pass write all of them, before its end \
             `??` for each",
            stock.len()
        ))),
        tells => Ok(tells && seen > 0),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of sorted cards, in order, and a stock.
    const COLUMNS: &str = "AH | AD AC | AS 2H 2D | 2C 2S 3H 3D | 3C 3S 4H 4D 4C | 4S 5H 5D 5C 5S 6H | \
        6D 6C 6S 7H 7D 7C 7S";
    const STOCK: &str = "8H 8D 8C 8S 9H 9D 9C 9S TH TD TC TS JH JD JC JS QH QD QC QS KH KD KC KS";

    /// The columns with their cards face down but for the last.
    fn marked() -> String {
        let turn = |column: &str| {
            let (down, last) = column
                .trim()
                .rsplit_once(' ')
                .unwrap_or(("", column.trim()));
            format!("{} {last}", down.to_lowercase())
        };
        COLUMNS.split('|').map(turn).collect::<Vec<_>>().join(" | ")
    }

    fn is_known(text: &str) -> bool {
        let table = Rules::DRAW_3.read(text).unwrap();
        Rules::DRAW_3
            .lay_out(&table)
            .unwrap()
            .round
            .is_stock_known()
    }

    #[test]
    fn a_deal_says_nothing_of_its_stock_and_a_table_tells_whether_it_was_seen() {
        let marked = marked();
        for (text, known) in [
            (format!("{COLUMNS} | {STOCK}"), false),
            (format!("{COLUMNS} {STOCK}").replace('|', " "), false),
            (format!("{COLUMNS} | stock: {STOCK}"), true),
            (format!("{marked} | {STOCK}"), true),
            (format!("{marked} | stock: {}", STOCK.to_lowercase()), false),
            (format!("{marked} | stock: {STOCK} | pass: 2"), true),
            (format!("{marked} | waste: | {STOCK}"), true),
            (format!("{marked} | waste: {STOCK} | stock:"), true),
        ] {
            assert_eq!(is_known(&text), known, "{text}");
        }
    }

    /// No card is face down in a second pass.
    #[test]
    fn the_stock_of_a_later_pass_needs_no_name() {
        let rest = "foundations: KH KD JC JS | KC | KS | -- | -- | -- | -- | -- | QC QS";
        assert!(is_known(&format!("{rest} | pass: 2")));
    }
}
