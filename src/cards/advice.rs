//! Advice for a player who does not see the face-down cards.
//!
//! Each move is shown with its mean score over worlds that look the same, and an interval for the
//! choice of worlds. Unknown cards of a table may lie in any order: nobody looks at them.

use super::tabletop::{MoveOf, Tabletop, WorldOf};
use lab::rng::Streams;
use lab::search::hidden::{Advice, HiddenGame, HiddenPlayer, PlayerError, Scratch, count_worlds};
use lab::stats::{Bounded, Estimate, Histogram, Level, mean_estimate, mean_sequence};
use lab::task::{Arguments, Console, TableCell, VerbError};

/// The least and the greatest score.
const LIMITS: (i64, i64) = (0, 52);

/// What is known of a move.
pub struct MoveEstimate<M> {
    /// The move.
    pub play: M,
    /// Its mean score.
    pub mean: f64,
    /// An interval of 95 % for the mean over all worlds, as in a summary of a run; the mean itself
    /// where all were taken.
    pub interval: (f64, f64),
    /// The worlds it was judged on.
    pub worlds: usize,
}

/// Advises on a game after the moves of `--moves`.
///
/// # Errors
/// If a move or the player cannot be read.
pub fn advise<T: Tabletop>(
    arguments: &Arguments,
    seat: &T,
    console: &mut dyn Console,
) -> Result<(), VerbError> {
    let player = player(arguments.text("player").unwrap_or(T::ADVISER))?;
    let (world, played) = replay(seat, arguments.text("moves").unwrap_or_default())?;
    let seed = arguments.integer("seed").unwrap_or(1);
    let estimates = estimates(seat.game(), &world, &player, seed);
    console.columns(&["move", "score", "lo", "hi", "worlds"]);
    for estimate in &estimates {
        console.row(&cells(seat.name(&world, estimate.play), estimate));
    }
    console.draw(&seat.board(&world, &played));
    console.note(&match estimates.first() {
        Some(best) => format!(
            "advice of {player}: {}. A score is what the move leads to on average if every card \
             were seen after it (hindsight), or as the player plays on: compare moves by it, and \
             expect less.",
            seat.told(&world, best.play)
        ),
        None => "No card can move: the game is over.".to_owned(),
    });
    Ok(())
}

/// The adviser of a name.
fn player(name: &str) -> Result<HiddenPlayer, VerbError> {
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

/// The game after some moves, and the moves.
fn replay<T: Tabletop>(seat: &T, text: &str) -> Result<(WorldOf<T>, Vec<MoveOf<T>>), VerbError> {
    let (mut world, mut played) = (seat.start().clone(), Vec::new());
    let lines = text.split(T::BETWEEN_MOVES).map(str::trim);
    for line in lines.filter(|line| !line.is_empty()) {
        let play = seat.read(&world, line).ok_or_else(|| {
            let message = format!("`{line}` cannot be played there");
            let help = "give the moves from the --deal on, written as `play` takes them";
            VerbError::usage("--moves", message, help)
        })?;
        seat.game().play(&mut world, play);
        played.push(play);
    }
    Ok((world, played))
}

/// Each legal move, the best one first; of equals the one that the base player likes better.
pub fn estimates<G: HiddenGame>(
    game: &G,
    world: &G::World,
    player: &HiddenPlayer,
    seed: u64,
) -> Vec<MoveEstimate<G::Move>> {
    let mut stream = Streams::new(seed).key("advice").stream(0);
    let seen = game.observe(world);
    let advice = player.advise(game, &mut Scratch::default(), &seen, &mut stream);
    let are_all = takes_all(player, count_worlds(game, &seen));
    let moves = advice.iter();
    let mut estimates: Vec<_> = moves
        .filter_map(|advice| move_estimate(advice, are_all))
        .collect();
    estimates.sort_by(|one, other| other.mean.total_cmp(&one.mean));
    estimates
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
fn move_estimate<M: Copy>(advice: &Advice<M>, are_all: bool) -> Option<MoveEstimate<M>> {
    let mut scores = Bounded::<Histogram>::default();
    let found = advice.scores.iter();
    found.for_each(|&score| scores.push(i64::from(score)));
    let found = mean_score(&scores, are_all);
    let interval = found.interval?;
    Some(MoveEstimate {
        play: advice.play,
        mean: found.value?,
        interval: (interval.lo, interval.hi),
        worlds: advice.scores.len(),
    })
}

/// As the mean of a metric in a summary: where the scores are too few for how skewed they are, the
/// interval is that of a sequence.
fn mean_score(scores: &Bounded<Histogram>, are_all: bool) -> Estimate {
    let level = Level::DEFAULT;
    let found = mean_estimate(scores, level, Some(LIMITS));
    if are_all {
        return found.exact();
    }
    found.or_else(|| mean_sequence(scores, level, LIMITS, scores.count()).interval)
}

fn cells<M>(name: String, estimate: &MoveEstimate<M>) -> [TableCell; 5] {
    [
        name.into(),
        estimate.mean.into(),
        estimate.interval.0.into(),
        estimate.interval.1.into(),
        estimate.worlds.into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_worlds_leave_a_wide_interval_within_the_cards_and_all_worlds_none() {
        let ends = |scores: &[u32], are_all| {
            let advice = Advice {
                play: 'a',
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
}
