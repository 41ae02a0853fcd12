//! What the games of cards tell a page.

use cards::advice::{Consultation, ScoreEstimate};
use cards::hidden::HiddenGame;
use serde::Serialize;

use super::{Reply, first_word, json, number};

/// A person's sight of a table.
#[derive(Default, Serialize)]
pub struct View {
    pub columns: Vec<Column>,
    pub waste: Vec<String>,
    pub stock: usize,
    /// The top card of each foundation: hearts, diamonds, clubs, spades.
    pub foundations: [Option<String>; 4],
    pub founded: u8,
    pub moves: Vec<Choice>,
    /// Everything that the player has seen, as `--deal` takes it.
    pub text: String,
    pub won: bool,
    pub played: usize,
    /// The moves so far, as they are typed.
    pub line: String,
    /// Moves taken back that had shown a card.
    pub peeked: u32,
}

#[derive(Serialize)]
pub struct Column {
    /// The number of face-down cards.
    pub down: usize,
    /// The face-down cards of a game that is over.
    pub hidden: Vec<String>,
    pub up: Vec<String>,
}

#[derive(Serialize)]
pub struct Choice {
    /// The move as it is typed.
    pub text: String,
    /// The card it takes; none of the stock's moves.
    pub card: Option<String>,
    pub told: String,
}

/// Guesses of the hidden cards that are to be judged.
#[derive(Serialize)]
struct Asked {
    worlds: usize,
}

/// The scores of all choices in some worlds, a row for each world.
#[derive(Serialize)]
struct Judged {
    scores: Vec<Vec<u32>>,
}

/// The choices, the best one first: an interval is for one look, at all guesses.
#[derive(Serialize)]
struct Weighed {
    choices: Vec<Advised>,
}

/// Answers that advice has begun.
pub fn asked<G: HiddenGame>(consultation: &Consultation<G>) -> Reply {
    let worlds = consultation.worlds();
    json(&Asked { worlds })
}

/// Answers `FROM TO`: the scores in these worlds.
pub fn judge<G: HiddenGame>(consultation: &mut Consultation<G>, game: &G, request: &str) -> Reply {
    let (from, to) = first_word(request);
    let worlds = number(from, "first world")?..number(to, "end of the worlds")?;
    let scores = consultation.judge(game, worlds);
    json(&Judged { scores })
}

/// Answers with the choices of all worlds.
pub fn weigh(choices: Vec<Advised>) -> Reply {
    json(&Weighed { choices })
}

/// Reads the scores of all worlds: commas within a row, semicolons between rows.
pub fn scores(request: &str) -> Result<Vec<Vec<u32>>, String> {
    let row = |row: &str| {
        let scores = row.split(',').filter(|score| !score.is_empty());
        scores.map(|score| number(score, "score")).collect()
    };
    request.split(';').map(row).collect()
}

#[derive(Serialize)]
pub struct Advised {
    /// The single moves as they are typed.
    pub moves: String,
    pub told: Vec<String>,
    pub mean: f64,
    pub lo: f64,
    pub hi: f64,
}

impl Advised {
    pub fn new(moves: String, told: Vec<String>, estimate: ScoreEstimate) -> Advised {
        Advised {
            moves,
            told,
            mean: estimate.mean,
            lo: estimate.interval.lo,
            hi: estimate.interval.hi,
        }
    }
}

/// The game of a player that sees what a person sees.
#[derive(Serialize)]
pub struct Rival {
    pub player: String,
    pub score: u32,
    pub won: bool,
}

/// The best game with every card visible.
#[derive(Serialize)]
pub struct Sight {
    /// True if the game pays; none if the search ended before it knew.
    pub won: Option<bool>,
    /// The most cards on the foundations that were found.
    pub cards: u8,
    pub moves: Vec<String>,
    pub told: Vec<String>,
}

/// The rows of scores that advisers gave, as [`scores`] reads them.
#[cfg(test)]
pub fn in_rows(judged: &[serde_json::Value]) -> String {
    let row = |row: &serde_json::Value| row.to_string().trim_matches(['[', ']']).to_owned();
    judged.iter().map(row).collect::<Vec<_>>().join(";")
}
