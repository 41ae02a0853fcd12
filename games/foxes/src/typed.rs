//! Moves as text: written one way, read as people type them.
//!
//! Written: `d4-d5`; a chain with its landing and the hens it takes, `d6xd2:d3,d5`; `pass`.
//! Read as well: `d4 d5`, `d4d5`, `d4u`, `d4 up`, a chain by its cells `d6 d4 d2` or its directions
//! `d6dd`, or only its two ends where one chain alone has them. What is read is always one of the
//! legal moves; errors say why not.

use super::board::{Board, Cells, cell_name, each, push_cell};
use super::moves::{Direction, Move};
use super::notation::NotationError;
use super::position::{Position, Side};
use super::rules::Rules;

/// A move in its canonical notation.
pub fn write_move(play: Move) -> String {
    let mut text = String::new();
    push_move(&mut text, play);
    text
}

/// A move of a side in words: "a hen steps up, d4 to d5".
pub fn told(play: Move, side: Side) -> String {
    let one = match side {
        Side::Hens => "a hen",
        Side::Foxes => "a fox",
    };
    let [from, to] = [play.piece, play.landing].map(cell_name);
    let mut ways = Direction::ALL.into_iter();
    match (
        play.taken.count_ones(),
        ways.find(|way| way.step(play.piece) == play.landing),
    ) {
        _ if play.is_pass() => format!("the {} pass", side.name()),
        (0, Some(way)) => format!("{one} steps {}, {from} to {to}", way.word()),
        (1, _) => format!("{one} eats a hen, {from} to {to}"),
        (hens, _) => format!("{one} eats {hens} hens, {from} to {to}"),
    }
}

/// Appends a move in its canonical notation to `text`.
pub fn push_move(text: &mut String, play: Move) {
    if play.is_pass() {
        return text.push_str("pass");
    }
    push_cell(text, play.piece);
    text.push(if play.taken == 0 { '-' } else { 'x' });
    push_cell(text, play.landing);
    let mut before = ':';
    for hen in each(play.taken) {
        text.push(before);
        push_cell(text, hen);
        before = ',';
    }
}

/// The legal move a text stands for.
///
/// # Errors
/// If no legal move, or more than one, is written so.
pub fn read_move(text: &str, rules: &Rules, position: &Position) -> Result<Move, NotationError> {
    let mut legal = Vec::new();
    rules.moves(position, &mut legal);
    let canonical = text.trim().to_lowercase();
    if let Some(&exact) = legal.iter().find(|&&play| write_move(play) == canonical) {
        return Ok(exact);
    }
    let words = words(text, rules.board)?;
    let typed = Typed::from(&words, text, position)?;
    typed.among(&legal, rules, position)
}

/// A cell or a direction, with its place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TypedWord {
    Cell(Cells),
    Towards(Direction),
}

fn words(text: &str, board: &Board) -> Result<Vec<TypedWord>, NotationError> {
    let letters: Vec<char> = text.to_lowercase().chars().collect();
    let mut words = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        if letters[at].is_whitespace() || matches!(letters[at], '-' | 'x' | ',' | ':') {
            at += 1;
            continue;
        }
        let (word, length) = word(&letters[at..], at, board)?;
        words.push(word);
        at += length;
    }
    Ok(words)
}

fn word(rest: &[char], at: usize, board: &Board) -> Result<(TypedWord, usize), NotationError> {
    if let [letter, digit, ..] = rest
        && digit.is_ascii_digit()
    {
        let name = format!("{letter}{digit}");
        return match board.cell(&name) {
            Some(cell) => Ok((TypedWord::Cell(cell), 2)),
            None => Err(NotationError::new(
                at + 1,
                format!("`{name}` is not a cell of the board"),
                "cells are named by column and row, like `d4`",
            )),
        };
    }
    let run: String = rest.iter().take_while(|c| c.is_alphabetic()).collect();
    let full = [
        ("up", Direction::Up),
        ("down", Direction::Down),
        ("left", Direction::Left),
        ("right", Direction::Right),
    ];
    if let Some(&(name, direction)) = full.iter().find(|(name, _)| *name == run) {
        return Ok((TypedWord::Towards(direction), name.len()));
    }
    let direction = Direction::ALL
        .into_iter()
        .find(|direction| rest.first() == Some(&direction.letter()));
    direction
        .map(|direction| (TypedWord::Towards(direction), 1))
        .ok_or_else(|| {
            NotationError::new(
                at + 1,
                format!("`{}` is neither a cell nor a direction", rest[0]),
                "type a move like `d4 d5` or `d4u`; directions are u, d, l, r",
            )
        })
}

/// The parts of a typed move.
struct Typed {
    piece: Cells,
    landing: Cells,
    /// The hens a walk over the typed cells takes; `None` where the words skip cells.
    taken: Option<Cells>,
}

impl Typed {
    fn from(words: &[TypedWord], text: &str, position: &Position) -> Result<Typed, NotationError> {
        let Some((&TypedWord::Cell(piece), rest)) = words.split_first() else {
            return Err(NotationError::new(
                1,
                "a move begins with the cell of a piece",
                "type a move like `d4 d5` or `d4u`",
            ));
        };
        if rest.is_empty() {
            return Err(NotationError::new(
                1 + text.trim_end().chars().count(),
                format!("where {} should go is missing", cell_name(piece)),
                "add a cell or a direction: `d4 d5`, `d4u`",
            ));
        }
        let mut typed = Typed {
            piece,
            landing: piece,
            taken: Some(0),
        };
        for &word in rest {
            typed.walk(word, position);
        }
        Ok(typed)
    }

    fn walk(&mut self, word: TypedWord, position: &Position) {
        let here = self.landing;
        let hens = position.hens & !self.taken.unwrap_or(0);
        let jumped = |direction: Direction| match position.side {
            Side::Foxes => direction.step(here) & hens,
            Side::Hens => 0,
        };
        match word {
            TypedWord::Towards(direction) => {
                let hen = jumped(direction);
                let next = direction.step(here);
                self.landing = if hen != 0 { direction.step(next) } else { next };
                self.taken = self.taken.map(|taken| taken | hen);
            }
            TypedWord::Cell(cell) => {
                let leap = Direction::ALL
                    .into_iter()
                    .find(|direction| direction.step(direction.step(here)) == cell)
                    .map(jumped);
                let is_step = Direction::ALL
                    .into_iter()
                    .any(|direction| direction.step(here) == cell);
                self.taken = match leap {
                    Some(hen) if hen != 0 => self.taken.map(|taken| taken | hen),
                    _ if is_step => self.taken,
                    _ => None,
                };
                self.landing = cell;
            }
        }
    }

    fn among(
        &self,
        legal: &[Move],
        rules: &Rules,
        position: &Position,
    ) -> Result<Move, NotationError> {
        let same_ends = |play: &&Move| play.piece == self.piece && play.landing == self.landing;
        let candidates: Vec<Move> = legal.iter().filter(same_ends).copied().collect();
        let exact = candidates
            .iter()
            .find(|play| Some(play.taken) == self.taken);
        match (exact, candidates.as_slice()) {
            (Some(&play), _) | (None, &[play]) => Ok(play),
            (None, []) => Err(self.refusal(legal, rules, position)),
            (None, several) => Err(NotationError::new(
                1,
                "several chains have these ends",
                format!("type one of {}", listing(several)),
            )),
        }
    }

    fn refusal(&self, legal: &[Move], rules: &Rules, position: &Position) -> NotationError {
        let own = match position.side {
            Side::Hens => position.hens,
            Side::Foxes => position.foxes,
        };
        let piece = cell_name(self.piece);
        let message = if own & self.piece == 0 {
            format!("none of the {} stands on {piece}", position.side.name())
        } else if rules.must_eat(position) {
            "a fox must eat, and as much as it can".to_owned()
        } else if self.landing & rules.board.cells == 0 {
            format!("there is no cell beyond {piece} in that direction")
        } else {
            format!("{piece} cannot move to {}", cell_name(self.landing))
        };
        NotationError::new(1, message, format!("legal: {}", listing(legal)))
    }
}

/// The first dozen moves, then how many more there are.
fn listing(moves: &[Move]) -> String {
    let mut shown: Vec<String> = moves
        .iter()
        .take(12)
        .map(|&play| write_move(play))
        .collect();
    if moves.len() > shown.len() {
        shown.push(format!("and {} more", moves.len() - shown.len()));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::board::CROSS;
    use super::super::notation::read_position;
    use super::*;
    use kit::rng::Streams;
    use proptest::prelude::*;

    const FIGURE_9: &str = "3/1hf/hf2h1h/1hh2h1/h1hhhhh/hhh/hhh f 1";

    fn read(text: &str, position: &str) -> Result<String, NotationError> {
        let position = read_position(position, &CROSS).unwrap();
        read_move(text, &Rules::ARSAC, &position).map(write_move)
    }

    #[test]
    fn moves_are_told_in_words() {
        let position = read_position(FIGURE_9, &CROSS).unwrap();
        let mut legal = Vec::new();
        Rules::ARSAC.moves(&position, &mut legal);
        let eaten = legal[0].taken.count_ones();
        assert!(told(legal[0], Side::Foxes).starts_with(&format!("a fox eats {eaten} hens, ")));
        let hens = read_position("start", &CROSS).unwrap();
        let step = read_move("a4-a5", &Rules::ARSAC, &hens).unwrap();
        assert_eq!(told(step, Side::Hens), "a hen steps up, a4 to a5");
        assert_eq!(told(Move::PASS, Side::Hens), "the hens pass");
    }

    #[test]
    fn steps_are_typed_by_cells_or_directions() {
        for text in ["d4 d5", "d4d5", "D4-D5", " d4 u", "d4u", "d4 up", "d4-d5"] {
            assert_eq!(read(text, "start").as_deref(), Ok("d4-d5"), "{text}");
        }
    }

    #[test]
    fn chains_are_typed_by_path_directions_or_ends() {
        let double = read("e6 e4", FIGURE_9).unwrap_err();
        assert!(double.help.contains("e6x"), "{double:?}");
        let legal = double.help.replace("legal: ", "");
        let landing = &legal[3..5];
        assert_eq!(read(&legal, FIGURE_9).as_deref(), Ok(legal.as_str()));
        let by_ends = read(&format!("e6 {landing}"), FIGURE_9);
        assert_eq!(by_ends.as_deref(), Ok(legal.as_str()));
    }

    #[test]
    fn refusals_say_why_and_what_is_legal() {
        let cases = [
            ("", "begins with the cell"),
            ("d4", "missing"),
            ("d9 d8", "not a cell"),
            ("?", "neither a cell"),
            ("c5 c6", "none of the hens"),
            ("d4 d6", "cannot move"),
            ("a4l", "no cell beyond"),
        ];
        for (text, part) in cases {
            let error = read(text, "start").unwrap_err();
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
        let lazy = read("b5 a5", FIGURE_9).unwrap_err();
        assert!(lazy.to_string().contains("must eat"), "{lazy}");
    }

    /// Seed 9: every legal move of 300 random games' positions.
    #[test]
    fn every_legal_move_is_read_back_from_its_notation() {
        let rules = Rules::ARSAC;
        let mut stream = Streams::new(9).key("typed").stream(0);
        let mut moves = Vec::new();
        let mut position = rules.start();
        for _ in 0..10_000 {
            if rules.ending(&position).is_some() {
                position = rules.start();
            }
            moves.clear();
            rules.moves(&position, &mut moves);
            for &play in &moves {
                assert_eq!(read_move(&write_move(play), &rules, &position), Ok(play));
            }
            let (play, _) = rules.random_move(&position, &mut stream, &mut moves);
            position = rules.after(&position, play);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_panic(text in ".{0,20}") {
            let _ = read(&text, "start");
            let _ = read(&text, FIGURE_9);
        }

        #[test]
        fn move_like_texts_are_read_or_refused_without_panic(text in "[a-h1-8udlrx:, -]{0,14}") {
            let _ = read(&text, "start");
            let _ = read(&text, FIGURE_9);
        }
    }
}
