//! The plays worth a thought, the best first as a quick player judges: what `greedy` plays, and
//! what players that look ahead choose from.
//!
//! No play can be taken back by another, so a round ends. Cards are not taken back from the
//! foundations. Depends on what is seen alone: cards face down are counted and not looked at.

use super::card::Card;
use super::round::{Play, Round};
use super::table::{Column, Move, Table};

/// Told of plays in turn; says whether that is enough.
type Told<'a> = &'a mut dyn FnMut(Play) -> bool;

/// All plays worth a thought, the best first.
pub fn plays(round: &Round) -> Vec<Play> {
    let mut plays = Vec::with_capacity(8);
    tell(round, &mut |play| {
        if !plays.contains(&play) {
            plays.push(play);
        }
        false
    });
    if plays
        .first()
        .is_some_and(|&play| is_harmless(round.table(), play))
    {
        plays.truncate(1);
    }
    plays
}

/// Whether a play founds a card of a column that nothing needs any more: then nothing else is worth
/// a thought.
fn is_harmless(table: &Table, play: Play) -> bool {
    let [Some(single @ Move::ColumnToFoundation { .. }), None] = play.moves else {
        return false;
    };
    table
        .moved_card(single)
        .is_some_and(|card| is_safe(table, card))
}

/// The first of [`plays`].
pub fn first(round: &Round) -> Option<Play> {
    let mut first = None;
    tell(round, &mut |play| {
        first = Some(play);
        true
    });
    first
}

/// Tells the plays in order until it is enough; whether it was.
fn tell(round: &Round, told: Told<'_>) -> bool {
    let table = round.table();
    foundations(table, told, true)
        || waste_to_foundation(table, told, true)
        || reveals(table, told)
        || clearings(table, told)
        || waste_to_foundation(table, told, false)
        || waste_to_column(table, told)
        || bares(table, told)
        || foundations(table, told, false)
        || stock(round, told)
}

/// Cards from columns to foundations: those that can do no harm or uncover a card face down, or
/// the others.
fn foundations(table: &Table, told: Told<'_>, good: bool) -> bool {
    (0..).zip(table.columns()).any(|(from, column)| {
        let is_next = column.top().is_some_and(|card| {
            let is_good =
                is_safe(table, card) || (column.run().len() == 1 && column.face_down() > 0);
            table.is_next(card) && is_good == good
        });
        is_next && told(Play::of(Move::ColumnToFoundation { from }))
    })
}

fn waste_to_foundation(table: &Table, told: Told<'_>, safe: bool) -> bool {
    let is_next = |&card: &Card| table.is_next(card) && is_safe(table, card) == safe;
    table.waste().last().is_some_and(is_next) && told(Play::of(Move::WasteToFoundation))
}

/// Whether no card that could lie on this one in a column is still needed there.
fn is_safe(table: &Table, card: Card) -> bool {
    let heights = table.foundations();
    let other = if card.is_red() { [2, 3] } else { [0, 1] };
    other.iter().all(|&suit| heights[suit] + 1 >= card.rank())
}

/// Runs that uncover a card face down by going elsewhere, from the deepest column first.
fn reveals(table: &Table, told: Told<'_>) -> bool {
    let mut deep = [(0, 0_u8); 7];
    let depths = table.columns().iter().map(Column::face_down);
    for (slot, place) in deep.iter_mut().zip(depths.zip(0..)) {
        *slot = place;
    }
    // Stable: of equals the column further left comes first.
    deep.sort_by_key(|&(depth, _)| std::cmp::Reverse(depth));
    let mut deep = deep.iter().take_while(|(depth, _)| *depth > 0);
    deep.any(|&(_, from)| move_run(table, from, &table.columns()[usize::from(from)], told))
}

/// Moves a column's whole face-up run to the first place where it can go.
fn move_run(table: &Table, from: u8, column: &Column, told: Told<'_>) -> bool {
    let count = column.run().len() as u8;
    let base = column.run().first();
    let homes = base.into_iter().flat_map(|&card| table.homes(card));
    let mut plays = homes.map(|to| Move::ColumnToColumn { from, to, count });
    plays.any(|play| told(Play::of(play)))
}

/// Runs that empty their column, where a king waits for the room.
fn clearings(table: &Table, told: Told<'_>) -> bool {
    if table.columns().iter().any(|column| column.run().is_empty()) || !is_king_waiting(table) {
        return false;
    }
    let columns = (0..).zip(table.columns());
    let mut bare = columns.filter(|(_, column)| column.face_down() == 0);
    bare.any(|(from, column)| move_run(table, from, column, told))
}

fn is_king_waiting(table: &Table) -> bool {
    let is_king = |card: Option<&Card>| card.is_some_and(|card| card.rank() == 12);
    let mut columns = table.columns().iter();
    is_king(table.waste().last())
        || columns.any(|column| column.face_down() > 0 && is_king(column.run().first()))
}

fn waste_to_column(table: &Table, told: Told<'_>) -> bool {
    let card = table.waste().last().copied();
    let homes = card.into_iter().flat_map(|card| homes(table, card));
    let mut plays = homes.map(|to| Play::of(Move::WasteToColumn { to }));
    plays.any(told)
}

/// The columns where a card from the waste may go; of empty ones the first will do.
fn homes(table: &Table, card: Card) -> impl Iterator<Item = u8> + '_ {
    let is_king = card.rank() == 12;
    table.homes(card).take(if is_king { 1 } else { 7 })
}

/// Parts of runs that go elsewhere so that the card under them can be founded.
fn bares(table: &Table, told: Told<'_>) -> bool {
    (0..).zip(table.columns()).any(|(from, column)| {
        let run = column.run();
        let counts = (1..run.len()).rev();
        run.windows(2).zip(counts).any(|(pair, count)| {
            let home = table.homes(pair[1]).find(|&to| to != from);
            table.is_next(pair[0])
                && home.is_some_and(|to| {
                    let count = count as u8;
                    let lift = Move::ColumnToColumn { from, to, count };
                    told(Play::pair(lift, Move::ColumnToFoundation { from }))
                })
        })
    })
}

/// The next cards of a stock not yet known; of a known one each card that can be reached and
/// played.
fn stock(round: &Round, told: Told<'_>) -> bool {
    let table = round.table();
    if !round.is_stock_known() {
        return !table.stock().is_empty() && told(Play::DRAW);
    }
    let talon = table.talon();
    let len = talon.len();
    let mut waste = table.waste().len();
    let draw = usize::from(table.rules().draw);
    let again = table.rules().allow_pass(table.pass() + 1);
    let mut met = 0_u32;
    for draws in 1..=2 * len.div_ceil(draw) as u8 + 2 {
        waste = match waste == len {
            true if again && met & 1 == 0 => {
                met |= 1;
                0
            }
            true => return false,
            false => (waste + draw).min(len),
        };
        let Some(top) = waste.checked_sub(1) else {
            continue;
        };
        let is_new = met >> waste & 1 == 0;
        met |= 1 << waste;
        if is_new && fetch(table, draws, talon[top], told) {
            return true;
        }
    }
    false
}

/// Plays a card that comes to lie on the waste after moves of the stock.
fn fetch(table: &Table, draws: u8, card: Card, told: Told<'_>) -> bool {
    if table.is_next(card) && told(Play::after(draws, Move::WasteToFoundation)) {
        return true;
    }
    let mut homes = homes(table, card);
    homes.any(|to| told(Play::after(draws, Move::WasteToColumn { to })))
}
