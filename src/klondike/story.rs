//! Games as stories, move by move.

use klondike::card::Card;
use klondike::draw;
use klondike::position::Position;
use task::Frame;

/// A step of a game: the position after a move, or the deal.
pub fn frame(position: &Position, moved: Option<Card>) -> Frame {
    let told = |card| {
        format!(
            "moves the {}",
            draw::caption(card).replace(" onto ", " onto the ")
        )
    };
    let caption = moved.map_or("the deal, foundations built".to_owned(), told);
    Frame::text(caption, draw::board(position)).with_svg(draw::svg(position, moved))
}
