//! `solve klondike --hidden`: advice for a player who does not see the face-down cards.
//!
//! Each legal move is shown with its mean score over worlds that look the same, and an interval
//! for the choice of worlds. A deal may leave face-down cards unnamed, as on a real table.

use super::card::{Card, CardSet};
use super::casino::Casino;
use super::deal::{Deal, DealError};
use super::draw;
use super::position::Position;
use super::pruned::World;
use super::task::SCORE_METRIC;
use lab::rng::Streams;
use lab::search::hidden::{Advice, HiddenPlayer, PlayerError, Scratch, count_worlds};
use lab::stats::{Bounded, Estimate, Histogram, Level, mean_estimate, mean_sequence};
use lab::task::{Arguments, Console, TableCell, VerbError};

/// How a card that nobody has seen is written.
const UNKNOWN: &str = "??";
/// The player that advises where none is named.
pub(super) const ADVISER: &str = "hindsight(1000)";

/// What is known of a move.
pub(super) struct MoveEstimate {
    /// The move.
    pub card: Card,
    /// Its mean score.
    pub mean: f64,
    /// An interval of 95 % for the mean over all worlds, as in a summary of a run; the mean itself
    /// where all were taken.
    pub interval: (f64, f64),
    /// The worlds it was judged on.
    pub worlds: usize,
}

/// Advises on the game that `--deal` or `--seed` names, after the moves of `--moves`.
///
/// # Errors
/// If the deal, a move or the player cannot be read.
pub(super) fn advise(
    arguments: &Arguments,
    deal: Deal,
    console: &mut dyn Console,
) -> Result<(), VerbError> {
    let player = player(arguments)?;
    let moves = moves(arguments.text("moves").unwrap_or(""))?;
    let (world, position) = replay(&deal, &moves)?;
    let seed = arguments.integer("seed").unwrap_or(1);
    let estimates = estimates(&world, &player, seed);
    console.columns(&["move", "score", "lo", "hi", "worlds"]);
    estimates
        .iter()
        .for_each(|estimate| console.row(&cells(estimate)));
    console.draw(&draw::seen(&position));
    console.note(&match best(&estimates) {
        Some(card) => format!(
            "advice of {player}: {}. A score is what the move leads to on average if every card \
             were seen after it (hindsight), or as the player plays on: compare moves by it, and \
             expect less.",
            draw::caption(card)
        ),
        None => "No card can move: the game is over.".to_owned(),
    });
    Ok(())
}

/// The adviser that `--player` names.
fn player(arguments: &Arguments) -> Result<HiddenPlayer, VerbError> {
    let name = arguments.text("player").unwrap_or(ADVISER);
    let refuse = |message: String| {
        let help = "these can advise: hindsight(N), rollout(N) and nested(N, PLAYER)";
        VerbError::usage("--player", message, help)
    };
    let player: HiddenPlayer = name
        .parse()
        .map_err(|error: PlayerError| refuse(error.to_string()))?;
    match player.worlds() {
        Some(_) => Ok(player),
        None => Err(refuse(format!(
            "`{player}` does not judge every move on the same number of worlds"
        ))),
    }
}

/// Each legal move, the best one first; of equals the one `greedy` likes better.
pub(super) fn estimates(world: &World, player: &HiddenPlayer, seed: u64) -> Vec<MoveEstimate> {
    let mut stream = Streams::new(seed).key("advice").stream(0);
    let mut scratch = Scratch::default();
    let seen = world.observe();
    let advice = player.advise(&Casino, &mut scratch, &seen, &mut stream);
    let are_all = takes_all(player, count_worlds(&Casino, &seen));
    let moves = advice.iter();
    let mut estimates: Vec<MoveEstimate> = moves
        .filter_map(|advice| move_estimate(advice, are_all))
        .collect();
    estimates.sort_by(|one, other| other.mean.total_cmp(&one.mean));
    estimates
}

/// The first of sorted estimates.
pub(super) fn best(estimates: &[MoveEstimate]) -> Option<Card> {
    estimates.first().map(|estimate| estimate.card)
}

/// Whether the worlds of a decision, of so many, are all there are. A player that draws as it plays
/// on knows its scores only from samples even then.
fn takes_all(player: &HiddenPlayer, worlds: u64) -> bool {
    let draws = matches!(
        player,
        HiddenPlayer::Nested { .. } | HiddenPlayer::Race { .. }
    );
    let has_room = |limit| worlds <= u64::from(limit);
    !draws && player.worlds().is_some_and(has_room)
}

/// The mean of a move's scores; `None` without any.
fn move_estimate(advice: &Advice<Card>, are_all: bool) -> Option<MoveEstimate> {
    let mut scores = Bounded::<Histogram>::default();
    let found = advice.scores.iter();
    found.for_each(|&score| scores.push(i64::from(score)));
    let found = mean_score(&scores, are_all);
    let interval = found.interval?;
    Some(MoveEstimate {
        card: advice.play,
        mean: found.value?,
        interval: (interval.lo, interval.hi),
        worlds: advice.scores.len(),
    })
}

/// As the mean of a metric in a summary: where the scores are too few for how skewed they are, the
/// interval is that of a sequence.
fn mean_score(scores: &Bounded<Histogram>, are_all: bool) -> Estimate {
    let (level, limits) = (Level::DEFAULT, SCORE_METRIC.limits());
    let found = mean_estimate(scores, level, limits);
    if are_all {
        return found.exact();
    }
    found.or_else(|| mean_sequence(scores, level, limits?, scores.count()).interval)
}

fn cells(estimate: &MoveEstimate) -> [TableCell; 5] {
    [
        estimate.card.to_string().into(),
        estimate.mean.into(),
        estimate.interval.0.into(),
        estimate.interval.1.into(),
        estimate.worlds.into(),
    ]
}

/// Reads a deal in which face-down cards may be written `??`; each becomes one of the missing
/// cards, which nobody will look at.
///
/// # Errors
/// As for any deal.
pub(super) fn read_deal(text: &str) -> Result<Deal, VerbError> {
    let named: CardSet = text.split_whitespace().filter_map(named).collect();
    let mut missing = CardSet::DECK - named;
    let symbols = text.split_whitespace().map(|symbol| match symbol {
        UNKNOWN => missing
            .pop()
            .map_or(UNKNOWN.to_owned(), |card| card.symbol(true)),
        _ => symbol.to_owned(),
    });
    let whole = symbols.collect::<Vec<_>>().join(" ");
    let help = format!(
        "{}; {UNKNOWN} for one that nobody has seen",
        DealError::HELP
    );
    let refuse = |error: DealError| VerbError::usage("--deal", error.to_string(), help);
    whole.parse().map_err(refuse)
}

fn named(symbol: &str) -> Option<Card> {
    let mut letters = symbol.chars();
    let (rank, suit) = (letters.next()?, letters.next()?);
    Card::from_symbol(rank, suit.to_ascii_uppercase())
}

fn moves(text: &str) -> Result<Vec<Card>, VerbError> {
    let card = |symbol: &str| {
        named(symbol).ok_or_else(|| {
            let message = format!("`{symbol}` is not a card");
            VerbError::usage("--moves", message, "name each move by its card: \"2C KD\"")
        })
    };
    text.split_whitespace().map(card).collect()
}

/// The game after some moves.
fn replay(deal: &Deal, moves: &[Card]) -> Result<(World, Position), VerbError> {
    let (mut world, mut position) = (World::new(deal), Position::new(deal));
    for &card in moves {
        if !world.moves().contains(card) {
            let message = format!("{card} cannot move there");
            let help = "give the moves from the deal on, each by its card";
            return Err(VerbError::usage("--moves", message, help));
        }
        world.play(card);
        position.play(card);
    }
    Ok((world, position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::task::Script;

    const DEAL: &str = "7H | 2s 3C QH 5S 8D QS | 5c Ts 4S AD TH 9H AS | 5d 7s Jh KS 7C 2D 2C 2H | \
        8h 5h 6s 3h TD 8S QD AC 6C | Jd Kh 6d Qc 3s 7D 9C 6H JC 9S | \
        3d 4d Js 4c 8c Kd AH KC 4H 9D TC";

    fn run(arguments: &Arguments, deal: &str) -> Result<Script, VerbError> {
        let mut console = Script::default();
        advise(arguments, read_deal(deal)?, &mut console).map(|()| console)
    }

    /// What lies face down, named or not, changes nothing.
    #[test]
    fn advice_does_not_depend_on_hidden_cards() {
        let arguments = Arguments::default().with_text("player", "hindsight(40)");
        let known = run(&arguments, DEAL).unwrap();
        let is_hidden = |symbol: &str| symbol.ends_with(|letter: char| letter.is_ascii_lowercase());
        let unknown = DEAL
            .split_whitespace()
            .map(|symbol| if is_hidden(symbol) { UNKNOWN } else { symbol });
        let unknown: Vec<&str> = unknown.collect();
        let same = run(&arguments, &unknown.join(" ")).unwrap();
        assert_eq!(known.rows, same.rows);
        assert_eq!(known.drawings, same.drawings);
        assert!(known.drawings[0].contains("??") && !known.drawings[0].contains("2s"));
        assert!(known.rows.len() > 1);
    }

    #[test]
    fn the_best_move_comes_first_with_its_interval_around_it() {
        let console = run(&Arguments::default(), DEAL).unwrap();
        let number = |cell: &TableCell| match cell {
            TableCell::Number(number) => *number,
            _ => panic!("{cell:?} is no number"),
        };
        let means: Vec<f64> = console.rows.iter().map(|row| number(&row[1])).collect();
        assert!(means.is_sorted_by(|one, other| one >= other));
        for row in &console.rows {
            assert!(number(&row[2]) < number(&row[1]) && number(&row[1]) < number(&row[3]));
            assert_eq!(row[4], TableCell::Integer(1_000));
        }
    }

    #[test]
    fn few_worlds_leave_a_wide_interval_within_the_cards_and_all_worlds_none() {
        let ends = |scores: &[u32], are_all| {
            let advice = Advice {
                play: Card::from_symbol('A', 'S').unwrap(),
                scores: scores.to_vec(),
            };
            move_estimate(&advice, are_all).unwrap().interval
        };
        // One score says that at most 97.5 % of all are others.
        let (lo, hi) = ends(&[52], false);
        assert!((lo - 1.3).abs() < 1e-9 && hi == 52.0, "{lo} {hi}");
        let (lo, hi) = ends(&[4, 52], false);
        assert!(
            (0.0..10.0).contains(&lo) && (50.0..=52.0).contains(&hi),
            "{lo} {hi}"
        );
        assert_eq!(ends(&[4, 52], true), (28.0, 28.0));
        let player = |name: &str| name.parse::<HiddenPlayer>().unwrap();
        assert!(takes_all(&player("hindsight(2)"), 2));
        assert!(!takes_all(&player("hindsight(2)"), 6));
        assert!(!takes_all(&player("nested(2, random)"), 2));
    }

    #[test]
    fn faults_are_shown_at_their_place() {
        let place = |arguments: &Arguments, deal: &str| run(arguments, deal).err().unwrap().place;
        let none = Arguments::default();
        assert_eq!(place(&none, "7H | ??"), "--deal");
        for player in ["greedy", "peek", "ismcts(9)", "race(1000, rollout(2))"] {
            let other = none.clone().with_text("player", player);
            assert_eq!(place(&other, DEAL), "--player", "{player}");
        }
        assert_eq!(
            place(&none.clone().with_text("moves", "1C"), DEAL),
            "--moves"
        );
        assert_eq!(place(&none.with_text("moves", "KH"), DEAL), "--moves");
    }
}
