//! Foxes and hens in a page: nothing is hidden, so each request brings the moves of its game.

use foxes::alphabeta::Searcher;
use foxes::arsac;
use foxes::board::{Cells, cell_name, each};
use foxes::game::Game;
use foxes::moves::Move;
use foxes::position::{Position, Side};
use foxes::record::MatchRecord;
use foxes::review::{DEPTH, MatchReview, MoveWorth};
use foxes::rules::{Ending, Rules};
use foxes::typed::{read_move, write_move};
use kit::rng::{Stream, Streams, choose};
use kit::search::Budget;
use serde::Serialize;

use super::{Reply, first_word, json, number};

const RULES: Rules = Rules::ARSAC;
/// Buckets of a search's table, as a power of two.
const LOG2_BUCKETS: u32 = 16;
const DEEP_LOG2_BUCKETS: u32 = 19;
/// The plies and nodes of an opponent that searches.
const OPPONENT: (u32, Budget) = (8, Budget::nodes(150_000));
/// The plies and nodes of an opponent that searches far: a second or two on a phone.
const DEEP: (u32, Budget) = (24, Budget::nodes(1_500_000));

/// Answers a request: a verb and its words.
pub fn answer(request: &str) -> Reply {
    let (verb, rest) = first_word(request);
    match verb {
        "view" => json(&View::new(&game(rest)?)),
        "worth" => json(&worth(&game(rest)?)),
        "review" => json(&MatchReview::of(&record(rest)?, DEPTH).lines()),
        "reply" => reply(rest),
        other => Err(format!("foxes has no verb `{other}`")),
    }
}

/// The game after moves that blanks part, and the moves.
fn played(moves: &str) -> Result<(Game, Vec<Move>), String> {
    let (mut game, mut played) = (Game::from(RULES, RULES.start()), Vec::new());
    for text in moves.split_whitespace() {
        let play = read_move(text, game.rules(), game.position()).map_err(|error| error.message)?;
        game.play(play);
        played.push(play);
    }
    Ok((game, played))
}

fn game(moves: &str) -> Result<Game, String> {
    Ok(played(moves)?.0)
}

/// The match of these moves, between players without names.
fn record(moves: &str) -> Result<MatchRecord, String> {
    Ok(MatchRecord {
        rules: RULES,
        fox: String::new(),
        hens: String::new(),
        start: RULES.start(),
        moves: played(moves)?.1,
    })
}

fn legal(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    RULES.moves(position, &mut moves);
    moves
}

fn names(cells: Cells) -> Vec<String> {
    each(cells).map(cell_name).collect()
}

#[derive(Serialize)]
struct View {
    hens: Vec<String>,
    foxes: Vec<String>,
    /// The cells that nine hens must fill.
    square: Vec<String>,
    side: &'static str,
    eaten: u32,
    /// The hens that the foxes could eat if it were their turn.
    threatened: Vec<String>,
    moves: Vec<Step>,
    ending: Option<&'static str>,
    winner: Option<&'static str>,
}

#[derive(Serialize)]
struct Step {
    text: String,
    from: String,
    to: String,
    taken: Vec<String>,
}

impl Step {
    fn new(play: Move) -> Step {
        Step {
            text: write_move(play),
            from: cell_name(play.piece),
            to: cell_name(play.landing),
            taken: names(play.taken),
        }
    }
}

impl View {
    fn new(game: &Game) -> View {
        let position = game.position();
        let foxes_turn = Position {
            side: Side::Foxes,
            ..*position
        };
        let threats = legal(&foxes_turn).into_iter();
        let ending = game.ending();
        let moves = match ending {
            Some(_) => Vec::new(),
            None => legal(position),
        };
        View {
            hens: names(position.hens),
            foxes: names(position.foxes),
            square: names(RULES.board.square),
            side: position.side.name(),
            eaten: position.eaten,
            threatened: names(threats.fold(0, |all, play| all | play.taken)),
            moves: moves.into_iter().map(Step::new).collect(),
            ending: ending.map(Ending::sentence),
            winner: ending.and_then(Ending::winner).map(Side::name),
        }
    }
}

#[derive(Serialize)]
struct Worth {
    text: String,
    /// In hundredths of a hen, for the side to move.
    value: i32,
    words: String,
}

/// The worth of each move, the best first.
fn worth(game: &Game) -> Vec<Worth> {
    let mut searcher = Searcher::new(LOG2_BUCKETS);
    let moves = legal(game.position()).into_iter();
    let mut worths: Vec<Worth> = moves
        .map(|play| {
            let (value, words) = judged(game, play, &mut searcher);
            Worth {
                text: write_move(play),
                value,
                words,
            }
        })
        .collect();
    worths.sort_by_key(|worth| -worth.value);
    worths
}

/// The value of a move for its side, and what it means.
fn judged(game: &Game, play: Move, searcher: &mut Searcher) -> (i32, String) {
    let worth = MoveWorth::of(game, play, DEPTH, searcher);
    let mut after = game.clone();
    after.play(play);
    let words = match (after.ending(), worth.plies_to_end()) {
        (Some(ending), _) => ending.sentence().to_owned(),
        (None, Some(plies)) if worth.0 > 0 => format!("wins in {}", moves((plies + 1) / 2)),
        (None, Some(plies)) => format!("loses in {}", moves(plies / 2)),
        (None, None) => format!("{:+.1} hens", f64::from(worth.0) / 100.0).replace('-', "−"),
    };
    (worth.0, words)
}

fn moves(number: i32) -> String {
    format!("{number} move{}", if number == 1 { "" } else { "s" })
}

/// Answers `PLAYER SEED MOVES`: the move of `arsac`, `search` or `deep`, which draws among equals.
fn reply(request: &str) -> Reply {
    let (player, rest) = first_word(request);
    let (seed, moves) = first_word(rest);
    let game = game(moves)?;
    let ply = moves.split_whitespace().count() as u64;
    let mut stream = Streams::new(number(seed, "seed")?).key(player).stream(ply);
    let play = match player {
        "arsac" => by_arsac(&game, &mut stream),
        "search" => by_search(&game, Searcher::new(LOG2_BUCKETS), OPPONENT, &mut stream),
        "deep" => by_search(&game, Searcher::new(DEEP_LOG2_BUCKETS), DEEP, &mut stream),
        other => return Err(format!("there is no player `{other}`")),
    };
    json(&Step::new(play.ok_or("nothing can move")?))
}

fn by_arsac(game: &Game, stream: &mut Stream) -> Option<Move> {
    let score = |play: &Move| arsac::score(&RULES, game.position(), *play);
    let moves = legal(game.position());
    let best = moves.iter().map(score).min()?;
    let equal: Vec<Move> = moves
        .into_iter()
        .filter(|play| score(play) == best)
        .collect();
    choose(stream, &equal).copied()
}

fn by_search(
    game: &Game,
    mut searcher: Searcher,
    limits: (u32, Budget),
    stream: &mut Stream,
) -> Option<Move> {
    let draws = |play| game.is_drawn_by(play);
    let answer = searcher.search(&RULES, game.position(), limits, &draws);
    choose(stream, &answer.best).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn ask(request: &str) -> Value {
        serde_json::from_str(&answer(request).unwrap()).unwrap()
    }

    #[test]
    fn a_view_tells_what_can_be_played_and_eaten() {
        let start = ask("view");
        assert_eq!(start["hens"].as_array().unwrap().len(), 20);
        assert_eq!(start["moves"].as_array().unwrap().len(), 5);
        assert_eq!(start["threatened"].as_array().unwrap().len(), 0);
        let after = ask("view d4-d5");
        assert_eq!(
            (after["side"].as_str(), after["eaten"].as_u64()),
            (Some("foxes"), Some(0))
        );
        assert!(answer("view d4-d7").is_err() && answer("dance").is_err());
    }

    /// Seeds 1 to 3: games of the two foxes against the searching hens end by the rules.
    #[test]
    fn opponents_play_whole_games() {
        for seed in 1..=3 {
            let mut moves = String::new();
            loop {
                let view = ask(&format!("view {moves}"));
                if !view["ending"].is_null() {
                    break;
                }
                let player = if view["side"] == "foxes" {
                    "arsac"
                } else {
                    "search"
                };
                let step = ask(&format!("reply {player} {seed} {moves}"));
                moves += &format!(" {}", step["text"].as_str().unwrap());
            }
        }
    }

    /// Seed 1, after the first move of the hens: whoever searches far answers with a legal move.
    #[test]
    fn a_deep_fox_answers() {
        let moves = "d4-d5";
        let step = ask(&format!("reply deep 1 {moves}"));
        let view = ask(&format!("view {moves} {}", step["text"].as_str().unwrap()));
        assert_eq!(view["side"], "hens");
    }

    /// The worth of the start's moves is what a search of the positions after them says, negated.
    #[test]
    fn a_hint_is_the_value_of_the_position_after_the_move() {
        let worths = ask("worth d4-d5");
        let worths = worths.as_array().unwrap();
        let values: Vec<i64> = worths
            .iter()
            .map(|worth| worth["value"].as_i64().unwrap())
            .collect();
        assert!(values.is_sorted_by(|one, next| one >= next));
        let first = worths[0]["text"].as_str().unwrap();
        let after = game(&format!("d4-d5 {first}")).unwrap();
        let answer = Searcher::new(LOG2_BUCKETS).search(
            &RULES,
            after.position(),
            (DEPTH, Budget::UNLIMITED),
            &|_| false,
        );
        assert_eq!(values[0], i64::from(-answer.value));
    }

    #[test]
    fn a_review_says_what_the_program_says() {
        let moves = "a4-a5 c5-c6 a5-b5";
        let lines = ask(&format!("review {moves}"));
        let review = MatchReview::of(&record(moves).unwrap(), DEPTH);
        assert_eq!(lines, serde_json::json!(review.lines()));
        assert!(answer("review a4-a6").is_err());
    }
}
