//! The parameters of all tasks that deal: the deck and the columns.

use klondike::deck::{Deck, DeckError};
use klondike::layout::{Layout, LayoutError};
use task::{ParamError, ParamSpec, Params};

/// The parameter of the layout: the columns to which the cards are dealt.
pub const LAYOUT: ParamSpec = ParamSpec::text(
    "layout",
    "the columns: `yukon`, `open`, or `down:up,down:up,...` holding 52 cards",
)
.or_text("yukon");

/// The parameter of the deck: its suits and ranks.
pub const DECK: ParamSpec = ParamSpec::text(
    "deck",
    "suits x ranks: `4x13`, or a small deck such as `2x5` that the layout then holds",
)
.or_text("4x13");

/// The layout of a task's parameters, of a small deck where the task has the parameter `deck`.
pub fn layout(params: &Params) -> Result<Layout, ParamError> {
    let refuse =
        |error: LayoutError| ParamError::new("layout", error.to_string(), LayoutError::HELP);
    Layout::parse(params.text("layout")?, deck(params)?).map_err(refuse)
}

fn deck(params: &Params) -> Result<Deck, ParamError> {
    if params.get("deck").is_none() {
        return Ok(Deck::FULL);
    }
    let refuse = |error: DeckError| ParamError::new("deck", error.to_string(), DeckError::HELP);
    params.text("deck")?.parse().map_err(refuse)
}
