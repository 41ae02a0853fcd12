//! Players by name: `hindsight(32)`, `nested(8, greedy)`.

use std::fmt;
use std::str::FromStr;

use super::{HiddenPlayer, Shortlist};

/// Worlds or descents at most: more than that is a typing mistake.
const MOST: u32 = 1_000_000;

/// The default weight of exploration, in units of the score.
const EXPLORATION: f64 = 2.0;

impl fmt::Display for HiddenPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HiddenPlayer::Greedy => f.write_str("greedy"),
            HiddenPlayer::Random => f.write_str("random"),
            HiddenPlayer::Rollout { worlds } => write!(f, "rollout({worlds})"),
            HiddenPlayer::Hindsight { worlds, nodes } => match nodes {
                Some(nodes) => write!(f, "hindsight({worlds}, {nodes})"),
                None => write!(f, "hindsight({worlds})"),
            },
            HiddenPlayer::Nested { worlds, player } => write!(f, "nested({worlds}, {player})"),
            HiddenPlayer::Race { worlds, player } => write!(f, "race({worlds}, {player})"),
            HiddenPlayer::Close {
                shortlist: Shortlist { margin, most },
                judge,
                player,
            } => write!(f, "close({margin}, {most}, {judge}, {player})"),
            HiddenPlayer::Errs { percent, player } => write!(f, "errs({percent}, {player})"),
            HiddenPlayer::Ismcts {
                iterations,
                exploration,
            } => write!(f, "ismcts({iterations}, {exploration})"),
        }
    }
}

/// The reason for which a text names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// Parentheses that do not match.
    #[error("`{0}` is not of the form `name(arguments)`")]
    Form(String),
    /// Too many players within players.
    #[error("the name has more than {DEEPEST} parentheses within each other")]
    Deep,
    /// A name that no player has.
    #[error("there is no player `{0}`")]
    Unknown(String),
    /// Too few or too many arguments.
    #[error("`{name}` takes {expected}, not {given} arguments")]
    Arguments {
        /// The player's name.
        name: String,
        /// The arguments that belong in its parentheses.
        expected: &'static str,
        /// The number of arguments given.
        given: usize,
    },
    /// An argument that is no number in range.
    #[error("`{0}` is not a whole number from 1 to {MOST}")]
    Count(String),
    /// A share of moves or a margin that is none.
    #[error("`{0}` is not a whole number of {1} from 0 to 100")]
    Share(String, &'static str),
    /// A player that cannot compare moves.
    #[error("`{0}` cannot compare moves: it does not judge all of them on the same worlds")]
    Judge(String),
    /// A player that looks at all moves when it decides among some.
    #[error("`{0}` cannot decide among close moves: its tree holds all moves")]
    Tree(String),
    /// A race by hindsight among choices that hindsight alone judges sooner.
    #[error(
        "`{0}` would search longer than `hindsight` does alone, which passes over what cannot win"
    )]
    HindsightRace(String),
    /// An exploration that is no number.
    #[error("`{0}` is not a number from 0 to 1000")]
    Exploration(String),
}

impl PlayerError {
    /// The names to write instead.
    pub const HELP: &'static str = "give greedy, random, rollout(N), hindsight(N, NODES), \
        nested(N, PLAYER), race(N, PLAYER), close(MARGIN, MOST, JUDGE, PLAYER), errs(PERCENT, PLAYER) or \
        ismcts(N, C), such as `hindsight(8)`";
}

impl FromStr for HiddenPlayer {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<HiddenPlayer, PlayerError> {
        let text = text.trim();
        if depth(text) > DEEPEST {
            return Err(PlayerError::Deep);
        }
        let (name, inside) = match text.split_once('(') {
            None => (text, None),
            Some((name, rest)) => (name.trim_end(), Some(inside(text, rest)?)),
        };
        build(name, &inside.map_or(Vec::new(), split))
    }
}

/// Players within players at most: nobody waits for the end of what such a one plays.
const DEEPEST: usize = 16;

/// The most parentheses that are open at once.
fn depth(text: &str) -> usize {
    let open = text.chars().scan(0, |open, letter| {
        *open = open_after(*open, letter);
        Some(*open)
    });
    open.max().unwrap_or(0)
}

/// The parentheses that are open after a letter.
fn open_after(open: usize, letter: char) -> usize {
    match letter {
        '(' => open + 1,
        ')' => open.saturating_sub(1),
        _ => open,
    }
}

/// The parts between commas that stand in no parentheses.
fn split(inside: &str) -> Vec<&str> {
    let mut open = 0;
    let parts = inside.split(|letter| {
        open = open_after(open, letter);
        letter == ',' && open == 0
    });
    parts.collect()
}

/// Returns the text between the parentheses.
fn inside<'text>(text: &str, rest: &'text str) -> Result<&'text str, PlayerError> {
    rest.strip_suffix(')')
        .ok_or_else(|| PlayerError::Form(text.to_owned()))
}

fn build(name: &str, arguments: &[&str]) -> Result<HiddenPlayer, PlayerError> {
    let wrong = |expected| PlayerError::Arguments {
        name: name.to_owned(),
        expected,
        given: arguments.len(),
    };
    match (name, arguments) {
        ("greedy", []) => Ok(HiddenPlayer::Greedy),
        ("random", []) => Ok(HiddenPlayer::Random),
        ("rollout", [worlds]) => Ok(HiddenPlayer::Rollout {
            worlds: count(worlds)?,
        }),
        ("hindsight", [worlds, rest @ ..]) if rest.len() <= 1 => Ok(HiddenPlayer::Hindsight {
            worlds: count(worlds)?,
            nodes: rest.first().map(|nodes| count(nodes)).transpose()?,
        }),
        ("nested", [worlds, player]) => Ok(HiddenPlayer::Nested {
            worlds: count(worlds)?,
            player: Box::new(player.parse()?),
        }),
        ("race", [worlds, player]) => Ok(HiddenPlayer::Race {
            worlds: count(worlds)?,
            player: Box::new(judge(player)?),
        }),
        ("close", [margin, most, first, player]) => Ok(HiddenPlayer::Close {
            shortlist: Shortlist {
                margin: share(margin, "points")?,
                most: count(most)? as usize,
            },
            judge: Box::new(judge(first)?),
            player: Box::new(chooser(player)?),
        }),
        ("errs", [percent, player]) => Ok(HiddenPlayer::Errs {
            percent: share(percent, "per cent")?,
            player: Box::new(player.parse()?),
        }),
        ("ismcts", [iterations, rest @ ..]) if rest.len() <= 1 => Ok(HiddenPlayer::Ismcts {
            iterations: count(iterations)?,
            exploration: rest.first().map_or(Ok(EXPLORATION), |c| exploration(c))?,
        }),
        ("greedy" | "random", _) => Err(wrong("no arguments")),
        ("rollout", _) => Err(wrong("a number of worlds")),
        ("hindsight", _) => Err(wrong("a number of worlds and perhaps one of nodes a world")),
        ("race", _) => Err(wrong("a number of worlds and a player that judges worlds")),
        ("nested", _) => Err(wrong("a number of worlds and a player")),
        ("close", _) => Err(wrong(
            "a margin in points, a number of moves and two players",
        )),
        ("errs", _) => Err(wrong("a share in per cent and a player")),
        ("ismcts", _) => Err(wrong("a number of iterations and perhaps an exploration")),
        _ => Err(PlayerError::Unknown(name.to_owned())),
    }
}

/// A player that judges worlds itself.
fn judge(text: &str) -> Result<HiddenPlayer, PlayerError> {
    let player: HiddenPlayer = text.parse()?;
    match player {
        HiddenPlayer::Rollout { .. }
        | HiddenPlayer::Hindsight { .. }
        | HiddenPlayer::Nested { .. } => Ok(player),
        _ => Err(PlayerError::Judge(player.to_string())),
    }
}

/// A player that can decide among some of the legal moves.
fn chooser(text: &str) -> Result<HiddenPlayer, PlayerError> {
    let player: HiddenPlayer = text.parse()?;
    let mut inner = &player;
    while let HiddenPlayer::Errs { player, .. } = inner {
        inner = player;
    }
    if matches!(inner, HiddenPlayer::Ismcts { .. }) {
        return Err(PlayerError::Tree(player.to_string()));
    }
    Ok(player)
}

/// A whole number that is written in the one way in which a name has it, so that no player has two names.
fn whole(text: &str) -> Option<u32> {
    let number: u32 = text.trim().parse().ok()?;
    (number.to_string() == text.trim()).then_some(number)
}

fn count(text: &str) -> Result<u32, PlayerError> {
    let number = whole(text);
    number
        .filter(|number| (1..=MOST).contains(number))
        .ok_or_else(|| PlayerError::Count(text.trim().to_owned()))
}

fn share(text: &str, unit: &'static str) -> Result<u32, PlayerError> {
    let number = whole(text);
    number
        .filter(|number| *number <= 100)
        .ok_or_else(|| PlayerError::Share(text.trim().to_owned(), unit))
}

fn exploration(text: &str) -> Result<f64, PlayerError> {
    let number = text.trim().parse().ok();
    number
        .filter(|number| (0.0..=1000.0).contains(number))
        .ok_or_else(|| PlayerError::Exploration(text.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_as_they_are_written() {
        for name in [
            "greedy",
            "random",
            "rollout(200)",
            "hindsight(8)",
            "hindsight(8, 600)",
            "nested(8, hindsight(4))",
            "race(32, hindsight(4, 300))",
            "nested(2, nested(3, ismcts(10, 0.5)))",
            "race(1000, rollout(32))",
            "errs(20, hindsight(8))",
            "close(2, 6, hindsight(100), race(300, nested(20, hindsight(8))))",
            "close(0, 99, rollout(4), errs(20, greedy))",
        ] {
            assert_eq!(name.parse::<HiddenPlayer>().unwrap().to_string(), name);
        }
        let loose = " nested ( 8,rollout( 2 ) )"
            .parse::<HiddenPlayer>()
            .unwrap();
        assert_eq!(loose.to_string(), "nested(8, rollout(2))");
        assert_eq!(
            "ismcts(100)".parse::<HiddenPlayer>().unwrap().to_string(),
            "ismcts(100, 2)"
        );
    }

    #[test]
    fn other_texts_are_refused_with_what_is_wrong() {
        let error = |text: &str| text.parse::<HiddenPlayer>().unwrap_err().to_string();
        assert_eq!(error("magic"), "there is no player `magic`");
        assert_eq!(
            error("hindsight(8"),
            "`hindsight(8` is not of the form `name(arguments)`"
        );
        assert_eq!(
            error("hindsight"),
            "`hindsight` takes a number of worlds and perhaps one of nodes a world, not 0 arguments"
        );
        assert_eq!(
            error("hindsight(0)"),
            "`0` is not a whole number from 1 to 1000000"
        );
        for twin in ["hindsight(08)", "hindsight(+8)", "errs(00, greedy)"] {
            assert!(error(twin).contains("is not a whole number"), "{twin}");
        }
        assert_eq!(
            error("greedy(1)"),
            "`greedy` takes no arguments, not 1 arguments"
        );
        assert_eq!(error("nested(2, peek)"), "there is no player `peek`");
        assert_eq!(
            error("race(9, greedy)"),
            "`greedy` cannot compare moves: it does not judge all of them on the same worlds"
        );
        assert_eq!(
            error("errs(101, greedy)"),
            "`101` is not a whole number of per cent from 0 to 100"
        );
        assert_eq!(
            error("close(101, 6, hindsight(8), greedy)"),
            "`101` is not a whole number of points from 0 to 100"
        );
        assert!(
            error("close(2, 6, greedy, hindsight(8))").starts_with("`greedy` cannot compare moves")
        );
        assert_eq!(
            error("close(2, 6, hindsight(8), errs(5, ismcts(9)))"),
            "`errs(5, ismcts(9, 2))` cannot decide among close moves: its tree holds all moves"
        );
        for (text, takes) in [
            (
                "close(9)",
                "a margin in points, a number of moves and two players, not 1",
            ),
            ("rollout", "a number of worlds, not 0"),
            ("rollout(1, 2)", "a number of worlds, not 2"),
            (
                "hindsight(1, 2, 3)",
                "a number of worlds and perhaps one of nodes a world, not 3",
            ),
            (
                "race(9)",
                "a number of worlds and a player that judges worlds, not 1",
            ),
            ("errs(9)", "a share in per cent and a player, not 1"),
            (
                "ismcts(1, 2, 3)",
                "a number of iterations and perhaps an exploration, not 3",
            ),
            ("random(1)", "no arguments, not 1"),
        ] {
            let name = text.split('(').next().unwrap_or_default();
            assert_eq!(error(text), format!("`{name}` takes {takes} arguments"));
        }
        for (least, most, beyond) in [
            ("rollout(1)", "rollout(1000000)", "rollout(1000001)"),
            ("errs(0, greedy)", "errs(100, greedy)", "errs(-1, greedy)"),
            ("ismcts(10, 0)", "ismcts(10, 1000)", "ismcts(10, 1000.5)"),
        ] {
            assert!(
                [least, most]
                    .iter()
                    .all(|text| text.parse::<HiddenPlayer>().is_ok())
            );
            assert!(error(beyond).ends_with("100") || error(beyond).contains("000"));
        }
        assert_eq!(error("ismcts(10, x)"), "`x` is not a number from 0 to 1000");
        assert!(error("nested(3)").starts_with("`nested` takes a number of worlds and a player"));
    }
}
