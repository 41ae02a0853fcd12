//! Deals of solitaire by their names, and games on them.

use cards::tabletop::Tabletop;
use kit::search::hidden::HiddenGame;
use solitaire::deal::Deal;
use solitaire::players::single_moves;
use solitaire::round::Round;
use solitaire::rules::{DeckShape, Rules};
use solitaire::seat::SolitaireSeat;
use solitaire::table::{CardTable, Move};

use super::first_word;
use super::place::DealPlace;

/// A game won, in thousandths. No game counts for more in the mean of a person's games: an interval that holds at every
/// look needs limits.
pub const WHOLE: i64 = 1_000;

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

/// The deal of `RULES SEED MOVES`, and the single moves.
pub fn played(request: &str) -> Result<(Round, Vec<Move>), String> {
    let (rules, rest) = first_word(request);
    let (seed, moves) = first_word(rest);
    let (start, _) = dealt(&format!("{rules} {seed}"))?;
    let (seat, mut round, mut plays) = (SolitaireSeat(start), start, Vec::new());
    for line in moves
        .split(';')
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let play = seat.read(&round, line);
        let play = play.ok_or_else(|| format!("`{line}` cannot be played there"))?;
        seat.game().play(&mut round, play);
        plays.push(play);
    }
    Ok((start, single_moves(start, &plays)))
}
