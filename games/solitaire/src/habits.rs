//! The values that a quick player gives to its plays.
//!
//! The numbers were found by trial: changes of a few of them at a time were kept where they paid on
//! tens of thousands of games (the appendix of the book tells the gains). Only differences matter.

/// Values of plays; drawing a card has 0.
#[derive(Debug)]
pub(crate) struct Habits {
    /// A column's last card to its foundation, by its rank, where it may still be needed.
    pub(crate) found: [i32; 13],
    /// Added to `found` if it empties the column.
    pub(crate) found_empties: i32,
    /// Added to `found` if it uncovers a card.
    pub(crate) found_reveals: i32,
    /// Added to `found_reveals` for each card face down in the column.
    pub(crate) found_depth: i32,
    /// Added to `found` if a card on top of face-down cards could go on it.
    pub(crate) found_needed: i32,
    /// The waste's card to its foundation.
    pub(crate) waste_found: i32,
    /// Added to `waste_found` if it is not needed any more.
    pub(crate) waste_found_safe: i32,
    /// Added to `waste_found` for a card that is not on top yet.
    pub(crate) waste_found_later: i32,
    /// A run that uncovers a card by going elsewhere.
    pub(crate) reveal: i32,
    /// Added to `reveal` for each card face down in the column.
    pub(crate) reveal_depth: i32,
    /// Added to `reveal` if it is the column's last face-down card.
    pub(crate) reveal_last: i32,
    /// Added to `reveal` for a king if a queen on top of face-down cards could go on it.
    pub(crate) king_with_child: i32,
    /// Emptying a column for a king that lies on top of face-down cards.
    pub(crate) clear_for_column: i32,
    /// Emptying a column for a king on the waste.
    pub(crate) clear_for_waste: i32,
    /// Emptying a column for a king somewhere in the known stock.
    pub(crate) clear_for_stock: i32,
    /// The waste's card to a column, by its rank.
    pub(crate) place: [i32; 13],
    /// Added to `place` if it has two columns to go to.
    pub(crate) place_of_two: i32,
    /// A part of a run elsewhere so that a card can go to its foundation.
    pub(crate) bare: i32,
    /// The cost of each move of the stock that fetches a card.
    pub(crate) draw: i32,
    /// The additional cost of turning the waste.
    pub(crate) turn: i32,
}

impl Habits {
    /// Returns the habits for rules with a single pass through the stock, or with several.
    pub(crate) fn of(is_single_pass: bool) -> &'static Habits {
        if is_single_pass { &SINGLE } else { &SEVERAL }
    }

    /// Returns the cost of fetching a card by moves of the stock.
    pub(crate) fn price(&self, draws: u8, turned: bool) -> i32 {
        self.draw * i32::from(draws) + self.turn * i32::from(turned)
    }
}

const SEVERAL: Habits = Habits {
    found: [93, 93, 93, 93, -27, 75, 93, 93, 93, -201, 93, -109, 93],
    found_empties: -48,
    found_reveals: 581,
    found_depth: 10,
    found_needed: 39,
    waste_found: 300,
    waste_found_safe: -57,
    waste_found_later: -138,
    reveal: 700,
    reveal_depth: 20,
    reveal_last: -298,
    king_with_child: 47,
    clear_for_column: 400,
    clear_for_waste: 100,
    clear_for_stock: -60,
    place: [200; 13],
    place_of_two: -29,
    bare: 81,
    draw: 100,
    turn: -105,
};

const SINGLE: Habits = Habits {
    found: [93, 93, 93, 93, 93, 93, 93, 93, 93, 237, 93, 93, 93],
    found_empties: -18,
    found_reveals: 597,
    found_depth: 10,
    found_needed: 0,
    waste_found: 300,
    waste_found_safe: 396,
    waste_found_later: 0,
    reveal: 691,
    reveal_depth: 11,
    reveal_last: 0,
    king_with_child: -22,
    clear_for_column: 400,
    clear_for_waste: 100,
    clear_for_stock: -60,
    place: [
        415, 415, 415, 415, 415, 415, 415, 415, 413, 355, 415, 415, 415,
    ],
    place_of_two: 0,
    bare: 150,
    draw: 100,
    turn: 100,
};
