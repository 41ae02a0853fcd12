//! The rules by which placements are accepted: the book's difference tables, and the rules that they stand for.
//!
//! The "Divine generator" forbids two pieces whose cell numbers differ by a value in a table: the
//! differences of a queen's and a knight's moves on the board. That also forbids pairs whose
//! difference only wraps around an edge. The other rules are the exact one (no piece attacks
//! another) and the table's intention (no pair a queen's or knight's move apart).

use super::army::{Army, MAX_PIECES, Placement};
use super::board::{CellSet, Chessboard, has, members, only, set_of};

/// The placements that are accepted.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    strum::EnumString,
    strum::AsRefStr,
    strum::EnumIter,
    strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Rule {
    /// No pair's difference in the variant's table.
    Table,
    /// The table of the published program: one value is never set, and in xiangqi and shogi rows and columns
    /// must be distinct too.
    TablePublished,
    /// No pair's difference in the 42 numbers meant for all variants.
    Universal,
    /// No piece attacks another, lines and legs blocked as they stand.
    NonAttacking,
    /// No pair a queen's or a knight's move apart.
    Amazon,
    /// Every placement: pieces may attack and hide each other.
    Any,
}

/// The book's numbers for all four variants.
const UNIVERSAL: [usize; 42] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 24, 27, 28, 30, 32, 35,
    36, 40, 42, 45, 48, 49, 50, 54, 56, 60, 63, 64, 70, 72, 80, 81,
];

/// The published listing sets its 23rd entry twice and its 22nd never.
const LOST_ENTRY: usize = 22;

impl Rule {
    /// The rule where none is named.
    pub const USUAL: Rule = Rule::NonAttacking;

    /// Returns whether the rule is a table of differences of cell numbers.
    pub fn is_difference_table(self) -> bool {
        matches!(self, Rule::Table | Rule::TablePublished | Rule::Universal)
    }

    /// The forbidden differences on a board, in increasing order; `None` where the rule is no
    /// table.
    pub(crate) fn differences(self, board: Chessboard) -> Option<Vec<usize>> {
        match self {
            Rule::Table => Some(table(board)),
            Rule::TablePublished => {
                let mut values = table(board);
                if values.len() >= LOST_ENTRY {
                    values.remove(LOST_ENTRY - 1);
                }
                Some(values)
            }
            Rule::Universal => Some(UNIVERSAL.to_vec()),
            Rule::NonAttacking | Rule::Amazon | Rule::Any => None,
        }
    }
}

/// The differences of cell numbers a queen's or knight's move apart, 0 included.
fn table(board: Chessboard) -> Vec<usize> {
    let mut values: Vec<usize> = (0..board.cells())
        .flat_map(|cell| members(amazon(board, cell)).map(move |other| cell.abs_diff(other)))
        .collect();
    values.push(0);
    values.sort_unstable();
    values.dedup();
    values
}

/// The cells a queen's or knight's move away on an empty board.
fn amazon(board: Chessboard, cell: usize) -> CellSet {
    let steps = (-2..=2).flat_map(|down: i8| (-2..=2).map(move |right: i8| (down, right)));
    steps
        .map(|step: (i8, i8)| match (step.0.abs(), step.1.abs()) {
            (0, 0) => 0,
            (0..=1, 0..=1) => board.line(cell, step),
            (1, 2) | (2, 1) => board.step(cell, step).map_or(0, only),
            _ => 0,
        })
        .fold(0, |set, line| set | line)
}

/// The cells closed to each other piece by a piece on its cell.
pub(crate) type Conflicts = [CellSet; MAX_PIECES];

/// Decides which placements of an army a rule accepts.
#[derive(Clone, Debug)]
pub struct Referee {
    army: Army,
    rule: Rule,
    /// The conflicts by piece and its cell.
    conflicts: Vec<Conflicts>,
    undisturbed: bool,
}

impl Referee {
    /// The rule applied to an army.
    pub fn new(army: Army, rule: Rule) -> Self {
        let mut referee = Self {
            conflicts: conflicts(&army, rule),
            army,
            rule,
            undisturbed: false,
        };
        referee.undisturbed = referee.pairs().all(|(piece, other)| {
            referee.points(piece).all(|cell| {
                let open =
                    referee.army.pieces()[other].domain & !referee.conflict(piece, cell, other);
                referee.army.screen(piece, cell) & open == 0
            })
        });
        referee
    }

    /// The rules in three lines.
    pub fn rules(&self) -> String {
        let names: Vec<&str> = self.army.pieces().iter().map(|piece| piece.name).collect();
        let hidden = names.join(", ");
        let hidden = match hidden.rsplit_once(", ") {
            Some((others, last)) => format!("{others} and {last}"),
            None => hidden,
        };
        let apart = match self.rule {
            Rule::NonAttacking => "none attacks another",
            _ => "a table keeps them apart",
        };
        format!(
            "Hidden are {hidden}; {apart}.\nEach number says how many of them attack its cell, which may \
             itself be occupied; a cell without a number says nothing.\nPlace the pieces so that every \
             number is right."
        )
    }

    /// The army.
    pub fn army(&self) -> &Army {
        &self.army
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The cells `other` can never stand on while `piece` stands on `cell`.
    #[inline]
    pub fn conflict(&self, piece: usize, cell: usize, other: usize) -> CellSet {
        self.conflicts(piece, cell)[other]
    }

    /// Returns the conflicts of a piece on a cell, for all other pieces.
    #[inline]
    pub(crate) fn conflicts(&self, piece: usize, cell: usize) -> &Conflicts {
        &self.conflicts[piece * self.army.board().cells() + cell]
    }

    /// Returns whether in accepted placements no piece ever stands in another's way, so that each attacks
    /// what it attacks on an empty board.
    pub(crate) fn is_undisturbed(&self) -> bool {
        self.undisturbed
    }

    /// Returns whether placements without conflicting pairs must still be checked as a whole.
    fn checks_whole(&self) -> bool {
        self.rule == Rule::NonAttacking && !self.undisturbed
    }

    /// Returns whether a placement without conflicting pairs is accepted.
    #[inline]
    pub(crate) fn accepts_whole(&self, placement: &Placement) -> bool {
        !self.checks_whole() || self.is_quiet(placement)
    }

    /// Returns whether `piece` may stand on `cell` beside the pieces already placed.
    #[inline]
    pub(crate) fn fits(&self, placement: &Placement, piece: usize, cell: usize) -> bool {
        !placement
            .iter()
            .enumerate()
            .any(|(earlier, at)| has(self.conflict(earlier, at, piece), cell))
    }

    /// Returns whether a placement of the whole army is accepted.
    pub fn accepts(&self, placement: &Placement) -> bool {
        let mut placed = Placement::new();
        for (piece, cell) in placement.iter().enumerate() {
            let at_home = has(self.army.pieces()[piece].domain, cell);
            if !at_home || !self.fits(&placed, piece, cell) {
                return false;
            }
            placed.push(cell);
        }
        self.accepts_whole(placement)
    }

    /// Returns whether no piece attacks another.
    fn is_quiet(&self, placement: &Placement) -> bool {
        let occupied = placement.occupied();
        placement
            .iter()
            .enumerate()
            .all(|(piece, cell)| self.army.attacks(piece, cell, occupied) & occupied == 0)
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        pairs(self.army.size())
    }

    fn points(&self, piece: usize) -> impl Iterator<Item = usize> + use<> {
        members(self.army.pieces()[piece].domain)
    }
}

/// All ordered pairs of distinct pieces.
fn pairs(size: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..size)
        .flat_map(move |piece| (0..size).map(move |other| (piece, other)))
        .filter(|(piece, other)| piece != other)
}

fn conflicts(army: &Army, rule: Rule) -> Vec<Conflicts> {
    let by_rule = pair_rule(army, rule);
    let cells = army.board().cells();
    let mut rows = vec![[0; MAX_PIECES]; army.size() * cells];
    for (piece, other) in pairs(army.size()) {
        for cell in 0..cells {
            rows[piece * cells + cell][other] =
                by_rule(piece, cell, other) | only(cell) | same_half(army, piece, cell, other);
        }
    }
    rows
}

/// The cells closed to `other` because it or `piece` must stand in the opposite half.
fn same_half(army: &Army, piece: usize, cell: usize, other: usize) -> CellSet {
    let opposite = |first: usize, second: usize| first == 0 && army.pieces()[second].opposite;
    if opposite(piece, other) || opposite(other, piece) {
        army.board().all() & !army.other_half(cell)
    } else {
        0
    }
}

/// Returns the rule's function from (piece, its cell, another piece) to the cells closed to the other.
fn pair_rule(army: &Army, rule: Rule) -> Box<dyn Fn(usize, usize, usize) -> CellSet + '_> {
    let board = army.board();
    match rule {
        Rule::Any => Box::new(|_, _, _| 0),
        Rule::Amazon => Box::new(move |_, cell, _| amazon(board, cell)),
        Rule::NonAttacking => Box::new(|piece, cell, other| mutual(army, piece, cell, other)),
        Rule::Table | Rule::TablePublished | Rule::Universal => {
            let differences = rule.differences(board).unwrap_or_default();
            let lines = rule == Rule::TablePublished && army.published_lines;
            Box::new(move |_, cell, _| {
                let clash = |other: usize| {
                    differences.contains(&cell.abs_diff(other))
                        || lines && same_line(board, cell, other)
                };
                set_of((0..board.cells()).filter(|&other| clash(other)))
            })
        }
    }
}

/// Returns whether two cells share a row or a column.
pub(crate) fn same_line(board: Chessboard, cell: usize, other: usize) -> bool {
    board.row(cell) == board.row(other) || board.column(cell) == board.column(other)
}

/// The cells where `other` would attack `piece` or be attacked by it whatever else stands on the
/// board, or where a piece between them would be attacked instead.
fn mutual(army: &Army, piece: usize, cell: usize, other: usize) -> CellSet {
    let attackers =
        (0..army.board().cells()).filter(|&from| has(army.unlegged_reach(other, from), cell));
    army.unlegged_reach(piece, cell) | set_of(attackers)
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use crate::variants::Variant;

    /// The rows of the table printed with the "Divine generator": common to all four variants,
    /// only 8 wide, only 9 wide; 81 in xiangqi alone.
    const COMMON: [usize; 24] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 17, 18, 24, 27, 32, 36, 40, 45, 48, 54, 56, 63,
    ];
    const EIGHT_WIDE: [usize; 7] = [14, 15, 21, 28, 35, 42, 49];
    const NINE_WIDE: [usize; 10] = [11, 19, 20, 30, 50, 60, 64, 70, 72, 80];

    fn sorted(parts: &[&[usize]]) -> Vec<usize> {
        let mut values = parts.concat();
        values.sort_unstable();
        values
    }

    #[test]
    fn derived_tables_are_the_printed_ones() {
        let of = |variant: Variant| Rule::Table.differences(variant.army().board()).unwrap();
        let eight = sorted(&[&COMMON, &EIGHT_WIDE]);
        assert_eq!(of(Variant::Chess), eight);
        assert_eq!(of(Variant::Makruk), eight);
        assert_eq!(of(Variant::Shogi), sorted(&[&COMMON, &NINE_WIDE]));
        assert_eq!(of(Variant::Xiangqi), sorted(&[&COMMON, &NINE_WIDE, &[81]]));
        let all = sorted(&[&COMMON, &EIGHT_WIDE, &NINE_WIDE, &[81]]);
        assert_eq!(UNIVERSAL.to_vec(), all);
    }

    #[test]
    fn the_published_listing_loses_35_and_36() {
        let lost = |variant: Variant| -> Vec<usize> {
            let board = variant.army().board();
            let kept = Rule::TablePublished.differences(board).unwrap();
            table(board)
                .into_iter()
                .filter(|value| !kept.contains(value))
                .collect()
        };
        assert_eq!(
            Variant::iter().map(lost).collect::<Vec<_>>(),
            [[35], [35], [36], [36]]
        );
    }

    #[test]
    fn only_blocked_legs_and_lost_values_let_pieces_hide_each_other() {
        let disturbed: Vec<_> = Variant::iter()
            .flat_map(|variant| Rule::iter().map(move |rule| (variant, rule)))
            .filter(|&(variant, rule)| !Referee::new(variant.army(), rule).is_undisturbed())
            .collect();
        let expected: Vec<_> = Variant::iter()
            .flat_map(|variant| Rule::iter().map(move |rule| (variant, rule)))
            .filter(|&(variant, rule)| match rule {
                Rule::Any => true,
                Rule::TablePublished => variant == Variant::Chess,
                Rule::NonAttacking => variant == Variant::Xiangqi,
                _ => false,
            })
            .collect();
        assert_eq!(disturbed, expected);
    }
}
