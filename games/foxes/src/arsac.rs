//! Arsac's fox, from its description alone: the longest chain; otherwise a move after which the
//! fox could eat; otherwise any move.

use super::chain;
use super::moves::Move;
use super::position::Position;
use super::rules::Rules;

/// The order in which the fox prefers its moves, the least first: longer chains before shorter ones, these before
/// threats, those before the rest.
pub fn score(rules: &Rules, position: &Position, play: Move) -> i64 {
    if play.taken != 0 {
        return -1 - i64::from(play.length());
    }
    let after = rules.after(position, play);
    let free = after.free(rules.board);
    -i64::from(chain::jumps(play.landing, after.hens, free) != 0)
}
