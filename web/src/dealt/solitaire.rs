//! Deals of solitaire by their names, and games on them.

use cards::tabletop::read_moves;
use solitaire::deal::Deal;
use solitaire::players::single_moves;
use solitaire::round::Round;
use solitaire::rules::{DeckShape, Rules};
use solitaire::seat::SolitaireSeat;
use solitaire::table::{CardTable, Move};

use super::super::first_word;
use super::{DealPlace, GameWords};

/// The rules of a name.
pub fn rules(name: &str) -> Result<Rules, String> {
    Rules::named(name).ok_or_else(|| format!("there are no rules `{name}`"))
}

/// The round that `RULES PLACE` deals, and the deal's place.
pub fn dealt(request: &str) -> Result<(Round, DealPlace), String> {
    let (name, place) = first_word(request);
    let (rules, place) = (rules(name)?, DealPlace::read(place)?);
    let deal = Deal::draw(DeckShape::FULL, &mut place.stream());
    Ok((Round::new(CardTable::new(&deal, rules)), place))
}

/// The deal of `RULES PLACE MOVES`, and the single moves.
pub fn played(request: &str) -> Result<(Round, Vec<Move>), String> {
    let words = GameWords::read(request);
    let (start, _) = dealt(words.deal)?;
    let plays = read_moves(&SolitaireSeat(start), words.moves);
    let plays = plays.map_err(|error| error.to_string())?;
    Ok((start, single_moves(start, &plays)))
}
