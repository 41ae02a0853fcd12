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
    plays
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

/// DEV
fn order() -> &'static [u8] {
    static ORDER: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    ORDER.get_or_init(|| {
        std::env::var("HEUR")
            .unwrap_or("abrcwvpfs".into())
            .into_bytes()
    })
}

/// Tells the plays in order until it is enough; whether it was.
fn tell(round: &Round, told: Told<'_>) -> bool {
    let table = round.table();
    order().iter().any(|class| match class {
        b'a' => foundations(table, told, true),
        b'b' => waste_to_foundation(table, told, true),
        b'r' => reveals(table, told, false),
        b'q' => reveals(table, told, true),
        b'c' => clearings(table, told),
        b'w' => waste_to_foundation(table, told, false),
        b'v' => waste_to_column(round, told, 0),
        b'x' => waste_to_column(round, told, 1),
        b'y' => waste_to_column(round, told, 2),
        b'p' => bares(table, told),
        b'f' => foundations(table, told, false),
        b's' => stock(round, told),
        _ => false,
    })
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
fn reveals(table: &Table, told: Told<'_>, _shallow: bool) -> bool {
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

fn waste_to_column(round: &Round, told: Told<'_>, kind: u8) -> bool {
    let table = round.table();
    let Some(&card) = table.waste().last() else {
        return false;
    };
    // 1: only if something face up on a column or so could go onto it; 2: or the stock is known
    let useful = || {
        table.columns().iter().any(|column| {
            column.face_down() > 0 && column.run().first().is_some_and(|base| base.fits_on(card))
        })
    };
    let ok = match kind {
        0 => true,
        1 => useful(),
        _ => useful() || !round.is_stock_known(),
    };
    if !ok {
        return false;
    }
    // Of empty columns the first will do.
    let homes = table
        .homes(card)
        .take(if card.rank() == 12 { 1 } else { 7 });
    let mut plays = homes.map(|to| Play::of(Move::WasteToColumn { to }));
    plays.any(told)
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
    let mut homes = table
        .homes(card)
        .take(if card.rank() == 12 { 1 } else { 7 });
    homes.any(|to| told(Play::after(draws, Move::WasteToColumn { to })))
}
