//! Deals of the casino by their names, and games on them.

use cards::tabletop::{Dealer, read_moves};
use klondike::card::Card;
use klondike::deal::Deal;
use klondike::layout::Layout;
use klondike::seat::CasinoSeat;

use super::super::first_word;
use super::{DealPlace, GameWords};

/// The layout of a name.
pub fn layout(name: &str) -> Result<Layout, String> {
    name.parse()
        .map_err(|_| format!("there is no layout `{name}`"))
}

/// The deal of `LAYOUT PLACE`.
pub fn dealt(request: &str) -> Result<Deal, String> {
    let (name, place) = first_word(request);
    Ok(layout(name)?.deal(&mut DealPlace::read(place)?.stream()))
}

/// The deal of `LAYOUT PLACE MOVES`, and the moves.
pub fn played(request: &str) -> Result<(Deal, Vec<Card>), String> {
    let words = GameWords::read(request);
    let deal = dealt(words.deal)?;
    let cards = read_moves(&CasinoSeat::new(deal.clone()), words.moves);
    Ok((deal, cards.map_err(|error| error.to_string())?))
}
