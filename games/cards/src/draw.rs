//! Tables of cards as text and as pictures.

use super::face::Face;

/// The columns in lines, their bases on top.
pub fn columns(columns: &[Vec<String>]) -> Vec<String> {
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let line = |row: usize| {
        let cell = |column: &Vec<String>| match column.get(row) {
            Some(symbol) => format!(" {symbol}"),
            None if row == 0 => " --".to_owned(),
            None => "   ".to_owned(),
        };
        let line: String = columns.iter().map(cell).collect();
        line.trim_end().to_owned()
    };
    (0..height.max(1)).map(line).collect()
}

/// The foundations in a line, with the number of their cards and of all.
pub fn foundations(tops: [Option<Face>; 4], founded: u32, cards: u32) -> String {
    let tops = tops.map(|card| card.map_or("--".to_owned(), |card| card.to_string()));
    format!(" {}   ({founded} of {cards})", tops.join(" "))
}

/// Width and height of a card, the height shown of one with another on it, and the gap between
/// columns, in pixels.
const CARD: (usize, usize) = (44, 60);
const SHOWN: usize = 21;
const GAP: usize = 8;

/// The inks of what stands on a card: on a back, on a back for those who may look under it alone,
/// and on a face. Pages hide the class `down`.
const ON_BACK: &str = "fill=\"#d5dfe8\"";
const UNDER_BACK: &str = "class=\"down\" fill=\"#d5dfe8\"";
const RED: &str = "fill=\"#b01818\"";
const BLACK: &str = "fill=\"#1a1a1a\"";

/// The style of a drawn card.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Plain,
    /// Face down.
    Down,
    /// Framed.
    Moved,
}

/// A picture of a table, in which the card moved last is framed.
#[derive(Clone, Debug, Default)]
pub struct CardPicture {
    moved: Option<Face>,
    drawn: String,
    longest: usize,
}

impl CardPicture {
    /// Frames this card wherever it is drawn from now on.
    pub fn frame(&mut self, moved: Option<Face>) {
        self.moved = moved;
    }

    /// The top card of a pile in the upper row.
    pub fn pile(&mut self, position: usize, top: Option<Face>) {
        match top {
            Some(card) => self.card(left(position), GAP, card, self.look(card)),
            None => self.empty(left(position), GAP),
        }
    }

    /// The back of the stock, with the number of its cards.
    pub fn stock(&mut self, position: usize, cards: usize) {
        match cards {
            0 => self.empty(left(position), GAP),
            _ => {
                self.rectangle(left(position), GAP, Look::Down);
                self.label(left(position), GAP, ON_BACK, &cards.to_string());
            }
        }
    }

    /// A column: its cards from the base up, the first `down` of them face down.
    pub fn column(&mut self, position: usize, cards: impl Iterator<Item = Face>, down: usize) {
        let (left, top) = (left(position), 2 * GAP + CARD.1);
        let mut rows = 0;
        for (row, card) in cards.enumerate() {
            let look = if row < down {
                Look::Down
            } else {
                self.look(card)
            };
            self.card(left, top + row * SHOWN, card, look);
            rows = row + 1;
        }
        if rows == 0 {
            self.empty(left, top);
        }
        self.longest = self.longest.max(rows);
    }

    /// Returns the stand-alone SVG picture, which is a number of columns wide.
    pub fn svg(self, columns: usize) -> String {
        let width = GAP + columns * (CARD.0 + GAP);
        let height = 2 * (CARD.1 + GAP) + (self.longest.max(1) - 1) * SHOWN + GAP;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"16\">\n{}</svg>\n",
            self.drawn
        )
    }

    fn look(&self, card: Face) -> Look {
        if Some(card) == self.moved {
            Look::Moved
        } else {
            Look::Plain
        }
    }

    fn card(&mut self, left: usize, top: usize, card: Face, look: Look) {
        let ink = match (look, card.is_red()) {
            (Look::Down, _) => UNDER_BACK,
            (_, true) => RED,
            (_, false) => BLACK,
        };
        self.rectangle(left, top, look);
        self.label(left, top, ink, &card.pip());
    }

    /// A place without a card.
    fn empty(&mut self, left: usize, top: usize) {
        let (width, height) = CARD;
        self.drawn += &format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"4\" \
             fill=\"none\" stroke=\"#999\" stroke-dasharray=\"4 3\"/>\n"
        );
    }

    fn rectangle(&mut self, left: usize, top: usize, look: Look) {
        let (width, height) = CARD;
        let fill = match look {
            Look::Down => "#4d6a85",
            _ => "#fffdf6",
        };
        let (edge, thick) = match look {
            Look::Moved => ("#d98200", 3),
            _ => ("#555", 1),
        };
        self.drawn += &format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"4\" \
             fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"{thick}\"/>\n"
        );
    }

    fn label(&mut self, left: usize, top: usize, ink: &str, text: &str) {
        let (x, y) = (left + 5, top + 16);
        self.drawn += &format!("<text x=\"{x}\" y=\"{y}\" {ink}>{text}</text>\n");
    }
}

fn left(position: usize) -> usize {
    GAP + position * (CARD.0 + GAP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_stand_side_by_side_and_one_below_the_other() {
        let face = |suit, rank| Face::new(suit, rank).unwrap();
        let (king, queen, jack) = (face(0, 13), face(2, 12), face(3, 11));
        let mut picture = CardPicture::default();
        picture.frame(Some(jack));
        picture.pile(0, Some(queen));
        picture.stock(1, 24);
        picture.column(2, [king, queen, jack].into_iter(), 1);
        picture.column(3, std::iter::empty(), 0);
        let svg = picture.svg(4);
        assert!(svg.contains("viewBox=\"0 0 216 186\""), "{svg}");
        // Places, in the order of drawing: the pile, the stock, three cards of a column, an empty place.
        let places = [(8, 8), (60, 8), (112, 76), (112, 97), (112, 118), (164, 76)];
        let looks = [
            "#fffdf6", "#4d6a85", "#4d6a85", "#fffdf6", "#fffdf6", "none",
        ];
        let framed = [false, false, false, false, true, false];
        let rectangles: Vec<&str> = svg
            .lines()
            .filter(|line| line.starts_with("<rect"))
            .collect();
        assert_eq!(rectangles.len(), places.len());
        for (at, drawn) in rectangles.into_iter().enumerate() {
            let (x, y) = places[at];
            let begin = format!("<rect x=\"{x}\" y=\"{y}\" width=\"44\" height=\"60\"");
            assert!(drawn.starts_with(&begin), "{drawn}");
            assert!(
                drawn.contains(&format!("fill=\"{}\"", looks[at])),
                "{drawn}"
            );
            assert_eq!(drawn.contains("#d98200"), framed[at], "{drawn}");
        }
        let texts = [
            format!("<text x=\"13\" y=\"24\" {RED}>{}</text>", queen.pip()),
            format!("<text x=\"65\" y=\"24\" {ON_BACK}>24</text>"),
            format!(
                "<text x=\"117\" y=\"92\" {UNDER_BACK}>{}</text>",
                king.pip()
            ),
            format!("<text x=\"117\" y=\"113\" {RED}>{}</text>", queen.pip()),
            format!("<text x=\"117\" y=\"134\" {BLACK}>{}</text>", jack.pip()),
        ];
        let drawn = svg.lines().filter(|line| line.starts_with("<text"));
        assert_eq!(drawn.collect::<Vec<_>>(), texts);
    }
}
