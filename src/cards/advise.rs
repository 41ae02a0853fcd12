//! Advice on a game, as options of a verb ask for it.

use super::games::Plays;
use base::{Failure, parse_integer};
use cards::advice::{CardPlayer, JudgedMove, Unit};
use cards::hidden::{HiddenGame, PlayerError};
use cards::tabletop::{MoveOf, Tabletop, WorldOf, draws};
use clap::Args;
use task::{Console, TableCell};

/// The options of advice: whether to give it, after which moves, and by whom.
#[derive(Debug, Args)]
pub struct AdviceOptions {
    /// Advise a player who cannot see the face-down cards (`??`), move by move; or see --play
    #[arg(long, visible_alias = "advice", conflicts_with = "svg")]
    pub(super) hidden: bool,
    /// The moves made before, as `play` takes them (with --hidden)
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        requires = "hidden"
    )]
    moves: String,
    /// The adviser, with --hidden: hindsight(N), rollout(N), nested(N, PLAYER); solitaire also has
    /// macros(PLAYER)
    #[arg(long, value_name = "PLAYER", value_parser = adviser, requires = "hidden")]
    player: Option<CardPlayer>,
    /// With --hidden: let any player of `etude list players` play each deal to its end, and tell how
    /// many it wins beside those that can be won if every card is seen
    #[arg(long, value_name = "PLAYER", value_parser = player, requires = "hidden", conflicts_with_all = ["moves", "player"])]
    pub(super) play: Option<CardPlayer>,
    /// The seed of the draws of --play, in which the deals are samples 0, 1, ... [default: that of
    /// --seed, or 1]
    #[arg(long, value_name = "S", value_parser = parse_integer, requires = "play")]
    play_seed: Option<u64>,
}

/// The player of a name.
pub(crate) fn player(name: &str) -> Result<CardPlayer, String> {
    let refuse = |error: PlayerError| format!("{error}; {}", PlayerError::HELP);
    name.parse().map_err(refuse)
}

/// Returns the player of a name, made to judge all choices on the same number of worlds.
fn adviser(name: &str) -> Result<CardPlayer, String> {
    let player = player(name)?;
    match player.judge().worlds() {
        Some(_) => Ok(player),
        None => Err(
            "it does not judge every move on the same number of worlds; these can advise: \
             hindsight(N), rollout(N) and nested(N, PLAYER)"
                .to_owned(),
        ),
    }
}

/// Refuses a player by macro moves in a game that has none.
pub(crate) fn check<T: Tabletop>(option: &str, player: &CardPlayer) -> Result<(), Failure> {
    if player.is_by_macros() && !T::HAS_MACROS {
        let message = format!("this game has no macro moves for `{player}`");
        let help = format!("give `{}`", player.judge());
        return Err(Failure::input(option, message, help));
    }
    Ok(())
}

impl AdviceOptions {
    /// Returns whether advice on one deal is asked for, whose cards may be unknown.
    pub(super) fn is_asked(&self) -> bool {
        self.hidden && self.play.is_none()
    }

    /// The player that plays the deals, with its own seed or this one.
    ///
    /// # Errors
    /// If it is none of the game.
    pub(super) fn plays<T: Tabletop>(&self, seed: u64) -> Result<Option<Plays<'_>>, Failure> {
        let Some(player) = &self.play else {
            return Ok(None);
        };
        check::<T>("--play", player)?;
        let seed = self.play_seed.unwrap_or(seed);
        Ok(Some(Plays { player, seed }))
    }

    /// Advises on a game after the moves that the options name, drawing as a player of this seed and
    /// sample.
    ///
    /// # Errors
    /// If the player is none of the game.
    pub(super) fn advise<T: Tabletop>(
        &self,
        seat: &T,
        ReplayedGame { world, played }: &ReplayedGame<T>,
        (seed, index): (u64, u64),
        console: &mut dyn Console,
    ) -> Result<(), Failure> {
        let adviser = self.player.clone().unwrap_or_else(|| seat.adviser());
        check::<T>("--player", &adviser)?;
        let stream = draws(seed, &adviser).step(index, played.len() as u64);
        let choices = seat.advice(world, &adviser, stream);
        console.columns(&["move", "score", "lo", "hi", "worlds"]);
        for choice in &choices {
            console.row(&cells(choice));
        }
        console.draw(&seat.board(world, played));
        console.note(&match choices.first() {
            Some(best) => format!(
                "advice of {adviser}: {}. A score is {} if every card were seen after it \
                 (hindsight), or as the player plays on: compare moves by it, and expect less.",
                best.told,
                match best.estimate.unit {
                    Unit::Cards => "what the move leads to on average",
                    Unit::Wins => "how many games of a hundred are won after the choice",
                }
            ),
            None => "No card can move: the game is over.".to_owned(),
        });
        Ok(())
    }

    /// Plays the moves that the options name. `otherwise` is the same game with its guessed cards in other places.
    ///
    /// # Errors
    /// If a move cannot be read, or if it turns a guessed card: nobody knows what it would show.
    pub(super) fn replay<T: Tabletop>(
        &self,
        seat: &T,
        otherwise: Option<&T>,
    ) -> Result<ReplayedGame<T>, Failure> {
        let (mut world, mut played) = (seat.start().clone(), Vec::new());
        let mut other = otherwise.map(|seat| (seat, seat.start().clone()));
        let lines = self.moves.split(T::BETWEEN_MOVES).map(str::trim);
        for line in lines.filter(|line| !line.is_empty()) {
            let play = seat.read(&world, line).ok_or_else(|| {
                let message = format!("`{line}` cannot be played there");
                let help = "give the moves from the --deal on, written as `play` takes them";
                Failure::input("--moves", message, help)
            })?;
            seat.game().play(&mut world, play);
            played.push(play);
            if let Some((other_seat, other)) = &mut other {
                other_seat.game().play(other, play);
                if other_seat.board(other, &played) != seat.board(&world, &played) {
                    let message = format!("`{line}` turns a card that is `??` in --deal");
                    let help = "write the table after that move into --deal, with the card that was turned";
                    return Err(Failure::input("--moves", message, help));
                }
            }
        }
        Ok(ReplayedGame { world, played })
    }
}

/// The fields of a choice's row in a table of choices.
fn cells(choice: &JudgedMove) -> [TableCell; 5] {
    let estimate = &choice.estimate;
    // Four decimals: the worlds are far too few for more.
    let rounded = |value: f64| TableCell::from((value * 1e4).round() / 1e4);
    [
        choice.written.clone().into(),
        rounded(estimate.mean),
        rounded(estimate.interval.lo),
        rounded(estimate.interval.hi),
        estimate.worlds.into(),
    ]
}

/// A game after some moves.
pub(super) struct ReplayedGame<T: Tabletop> {
    world: WorldOf<T>,
    played: Vec<MoveOf<T>>,
}
