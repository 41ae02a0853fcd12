//! Boards, holes and jumps as bit masks.
//!
//! A position is a `u64`: one bit a hole, eight to a row from the bottom left, so a board has at
//! most eight columns and eight rows. Knows nothing of search. Holes are named by column and row,
//! `44` being the centre of the English board (Gardner 1962, "Further mathematical diversions",
//! ch. 11).

/// Pegs or holes, one bit each; bit `8 * (row - 1) + column - 1`.
pub type Position = u64;

const ENGLISH: &str = "  ooo  /  ooo  /ooooooo/ooooooo/ooooooo/  ooo  /  ooo  ";
const FRENCH: &str = "  ooo  / ooooo /ooooooo/ooooooo/ooooooo/ ooooo /  ooo  ";
const STRIDE: usize = 8;
/// Right, up, left, down, then the four diagonals, as differences of bit numbers: the order of a
/// board's directions.
pub(crate) const SHIFTS: [i32; 8] = [1, 8, -1, -8, 9, 7, -9, -7];

/// A board: its holes and the jumps between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PegBoard {
    holes: Position,
    width: usize,
    height: usize,
    directions: Vec<JumpDirection>,
}

/// The jumps of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JumpDirection {
    shift: u32,
    /// The holes from which such a jump stays on the board.
    starts: Position,
}

/// A jump: the peg of `from` leaps over `over` into `to`. Bit numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Jump {
    /// The hole of the peg.
    pub from: u8,
    /// The peg taken.
    pub over: u8,
    /// The spot on which it lands.
    pub to: u8,
}

impl Jump {
    /// The three holes it changes: XOR makes the jump, and takes it back.
    #[inline]
    pub fn mask(self) -> Position {
        1 << self.from | 1 << self.over | 1 << self.to
    }
}

impl JumpDirection {
    /// The pegs that can jump this way.
    #[inline(always)]
    pub(crate) fn movable(&self, pegs: Position) -> Position {
        let over = pegs.rotate_right(self.shift);
        let to = pegs.rotate_right(2 * self.shift);
        pegs & over & !to & self.starts
    }

    /// The holes from which such a jump stays on the board.
    pub(crate) fn starts(&self) -> Position {
        self.starts
    }

    /// The holes from which a peg can have jumped this way last.
    #[inline(always)]
    pub fn unmovable(&self, pegs: Position) -> Position {
        let over = pegs.rotate_right(self.shift);
        let to = pegs.rotate_right(2 * self.shift);
        !(pegs | over) & to & self.starts
    }

    /// The jump this way from a hole.
    #[inline(always)]
    pub fn jump(&self, from: u32) -> Jump {
        Jump {
            from: from as u8,
            over: ((from + self.shift) & 63) as u8,
            to: ((from + 2 * self.shift) & 63) as u8,
        }
    }
}

impl PegBoard {
    /// The English board of 33 holes.
    pub fn english() -> Self {
        Self::drawn(ENGLISH).unwrap_or_default()
    }

    /// The French board of 37 holes.
    pub(crate) fn french() -> Self {
        Self::drawn(FRENCH).unwrap_or_default()
    }

    /// A board by name, `english` or `french`, or drawn: rows from the top separated by `/` or
    /// line ends, a hole for each `o` (or `.` or `*`), none for a blank or `-`.
    ///
    /// # Errors
    /// A sentence about the fault in the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.trim() {
            "english" => Ok(Self::english()),
            "french" => Ok(Self::french()),
            _ => Self::drawn(text),
        }
    }

    fn drawn(text: &str) -> Result<Self, String> {
        let rows: Vec<&str> = text.trim_matches('\n').split(['/', '\n']).collect();
        let width = rows.iter().map(|row| row.trim_end().chars().count()).max();
        let width = width.unwrap_or(0);
        if width == 0 || width > STRIDE || rows.len() > STRIDE {
            return Err(format!(
                "a board has 1 to {STRIDE} columns and rows; columns drawn: {width}, rows drawn: {}",
                rows.len()
            ));
        }
        let mut holes = 0;
        for (row, line) in rows.iter().rev().enumerate() {
            for (column, sign) in line.trim_end().chars().enumerate() {
                match sign {
                    'o' | '.' | '*' => holes |= 1 << (STRIDE * row + column),
                    ' ' | '-' => {}
                    other => return Err(format!("`{other}` is no hole and no blank")),
                }
            }
        }
        Ok(Self::new(holes, width, rows.len()))
    }

    fn new(holes: Position, width: usize, height: usize) -> Self {
        let mut board = Self {
            holes,
            width,
            height,
            directions: Vec::new(),
        };
        board.set_directions(4);
        board
    }

    /// Returns this board with diagonal jumps allowed too.
    pub fn with_diagonals(mut self) -> Self {
        self.set_directions(8);
        self
    }

    fn set_directions(&mut self, count: usize) {
        let shifts = &SHIFTS[..count];
        self.directions = shifts.iter().map(|&shift| self.direction(shift)).collect();
    }

    fn direction(&self, shift: i32) -> JumpDirection {
        let step = |hole: u32| {
            let to = hole as i32 + shift;
            let sideways = (to.rem_euclid(8) - hole as i32 % 8).abs() <= 1;
            let held = (0..64).contains(&to) && self.holes >> to & 1 == 1;
            (held && sideways).then_some(to as u32)
        };
        let starts = bits(self.holes)
            .filter(|&hole| step(hole).and_then(step).is_some())
            .fold(0, |starts, hole| starts | 1 << hole);
        JumpDirection {
            shift: shift.rem_euclid(64) as u32,
            starts,
        }
    }

    /// All holes.
    pub fn holes(&self) -> Position {
        self.holes
    }

    /// The rules in three lines.
    pub fn rules(&self) -> String {
        let ways = if self.has_diagonals() {
            "along a row, a column or a diagonal"
        } else {
            "along a row or a column"
        };
        format!(
            "A peg jumps over a neighbour, {ways}, into the free hole behind it; the peg that was jumped over \
             is taken away.\nJumps of one peg, one right after the other, are one move.\nLeave exactly the \
             pegs that are wanted, in as few moves as you can."
        )
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The directions of its jumps.
    pub fn directions(&self) -> &[JumpDirection] {
        &self.directions
    }

    /// Returns whether pegs jump along diagonals too.
    pub fn has_diagonals(&self) -> bool {
        self.directions.len() > 4
    }

    /// The legal jumps of a position: by direction, then by hole.
    pub fn jumps(&self, pegs: Position) -> impl Iterator<Item = Jump> + '_ {
        self.directions
            .iter()
            .flat_map(move |way| bits(way.movable(pegs)).map(move |from| way.jump(from)))
    }

    /// Returns the spread of the pegs: the sum of squared distances from the centre, in half holes.
    pub(crate) fn spread(&self, pegs: Position) -> u32 {
        let (middle, centre) = (self.width as i32 - 1, self.height as i32 - 1);
        let distance = |hole: u32| {
            let (column, row) = (hole as i32 % 8, hole as i32 / 8);
            (2 * column - middle).pow(2) + (2 * row - centre).pow(2)
        };
        bits(pegs).map(distance).sum::<i32>() as u32
    }

    /// Returns whether no peg can jump.
    pub fn is_dead(&self, pegs: Position) -> bool {
        self.directions.iter().all(|way| way.movable(pegs) == 0)
    }

    /// Reads holes by name, separated by blanks or commas: `46 35 45`.
    ///
    /// # Errors
    /// The first name that is no hole of the board, or is there twice.
    pub fn parse_holes(&self, text: &str) -> Result<Position, String> {
        let mut names = text.split([' ', ',', '\n', '\t']).filter(|n| !n.is_empty());
        names.try_fold(0, |holes, name| {
            let hole = self
                .hole(name)
                .ok_or_else(|| format!("the board has no hole `{name}`"))?;
            Ok(holes | 1 << hole)
        })
    }

    fn hole(&self, name: &str) -> Option<u32> {
        let &[column, row] = name.as_bytes() else {
            return None;
        };
        let digit = |byte: u8| {
            (b'1'..=b'8')
                .contains(&byte)
                .then(|| u32::from(byte - b'1'))
        };
        let hole = 8 * digit(row)? + digit(column)?;
        (self.holes >> hole & 1 == 1).then_some(hole)
    }

    /// A position drawn in text: `o` a peg, `.` an empty hole.
    pub fn draw(&self, pegs: Position) -> String {
        let sign = |hole: usize| match (self.holes >> hole & 1, pegs >> hole & 1) {
            (0, _) => " ",
            (_, 0) => ".",
            _ => "o",
        };
        let row = |row: usize| {
            let signs: Vec<&str> = (0..self.width).map(|c| sign(STRIDE * row + c)).collect();
            signs.join(" ").trim_end().to_owned()
        };
        let rows: Vec<String> = (0..self.height).rev().map(row).collect();
        rows.join("\n")
    }
}

impl Default for PegBoard {
    /// A board without holes.
    fn default() -> Self {
        Self::new(0, 1, 1)
    }
}

/// A hole's name.
pub fn hole_name(hole: u8) -> String {
    format!("{}{}", hole % 8 + 1, hole / 8 + 1)
}

/// The names of all bits of a position, column by column.
pub fn hole_names(pegs: Position) -> String {
    let mut names: Vec<String> = bits(pegs).map(|hole| hole_name(hole as u8)).collect();
    names.sort();
    names.join(" ")
}

/// The bit numbers of a position, from the lowest.
pub fn bits(mut position: Position) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (position != 0).then(|| position.trailing_zeros());
        position &= position.wrapping_sub(1);
        bit
    })
}

/// Jumps as moves: `45-25, 31-33-53`, consecutive jumps of one peg joined.
pub fn format_moves(jumps: &[Jump]) -> String {
    let mut text = String::new();
    let mut last = None;
    for jump in jumps {
        if last != Some(jump.from) {
            if last.is_some() {
                text.push_str(", ");
            }
            text.push_str(&hole_name(jump.from));
        }
        text.push('-');
        text.push_str(&hole_name(jump.to));
        last = Some(jump.to);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_english_board_has_33_holes_and_76_jumps() {
        let board = PegBoard::english();
        let starts = |board: &PegBoard| -> u32 {
            let ways = board.directions().iter();
            ways.map(|way| way.starts.count_ones()).sum()
        };
        assert_eq!((board.holes().count_ones(), starts(&board)), (33, 76));
        let french = PegBoard::french();
        assert_eq!((french.holes().count_ones(), starts(&french)), (37, 92));
    }

    #[test]
    fn holes_are_named_by_column_and_row() {
        let board = PegBoard::english();
        let pegs = board.parse_holes("46 35 45 55 44 43").unwrap();
        assert_eq!(hole_names(pegs), "35 43 44 45 46 55");
        assert!(board.parse_holes("11").is_err() && board.parse_holes("4").is_err());
        assert!(
            board.draw(pegs).contains(". o o o ."),
            "{}",
            board.draw(pegs)
        );
    }

    #[test]
    fn boards_can_be_drawn_up_to_eight_by_eight() {
        let board = PegBoard::parse("ooo/ooo/-o-").unwrap();
        assert_eq!(board.holes().count_ones(), 7);
        assert_eq!(board.size(), (3, 3));
        assert!(PegBoard::parse("ooooooooo").is_err());
        assert!(PegBoard::parse("ox").is_err() && PegBoard::parse("").is_err());
        let full = PegBoard::parse(&["oooooooo"; 8].join("/")).unwrap();
        assert_eq!(full.holes(), u64::MAX);
        assert_eq!(full.jumps(1 << 6 | 1 << 7).count(), 1);
    }

    #[test]
    fn unjumps_take_jumps_back() {
        let board = PegBoard::french().with_diagonals();
        let pegs = board.holes() & !(1 << 27);
        for jump in board.jumps(pegs) {
            assert_eq!(pegs & jump.mask(), 1 << jump.from | 1 << jump.over);
            let after = pegs ^ jump.mask();
            let back = board
                .directions()
                .iter()
                .any(|way| bits(way.unmovable(after)).any(|from| way.jump(from) == jump));
            assert!(back && after.count_ones() + 1 == pegs.count_ones());
        }
        assert_eq!(board.jumps(pegs).count(), 8);
    }

    #[test]
    fn chains_are_joined() {
        let jump = |from, over, to| Jump { from, over, to };
        let chain = [jump(2, 10, 18), jump(18, 19, 20), jump(0, 1, 2)];
        assert_eq!(format_moves(&chain), "31-33-53, 11-31");
    }
}
