//! The rules for draws under which what was solved without them holds.
//!
//! A draw that comes before the win spoils it. Whoever follows a solution comes to no position twice, so repetition
//! never does; quiet play does if its limit is shorter than the longest stretch without a step up or a capture.

use crate::rules::Rules;

/// The rules for draws under which proved wins are wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawLimits {
    quiet: u32,
}

/// A rule that something solved is not about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherRule {
    /// The name of the rule, as parameters and options have it.
    pub name: &'static str,
    /// The values that are covered.
    pub known: String,
}

impl OtherRule {
    /// The rule of a name, and the value that is known.
    pub fn new(name: &'static str, known: impl Into<String>) -> OtherRule {
        OtherRule {
            name,
            known: known.into(),
        }
    }
}

impl DrawLimits {
    /// The limits of a proof whose layers took at most so many passes.
    ///
    /// Hens that follow it leave a layer after at most so many steps sideways, each with an answer. The answer to the
    /// step that led into the layer may be quiet too: `1 + 2 passes` quiet plies in a row, which must not be a draw.
    pub const fn of_passes(passes: u32) -> DrawLimits {
        DrawLimits {
            quiet: 2 * (passes + 1),
        }
    }

    /// The limits of wins that take at most so many plies: the last of them ends the game before the limit counts.
    pub const fn of_plies(plies: u32) -> DrawLimits {
        DrawLimits { quiet: plies }
    }

    /// The fewest quiet plies that may be a draw.
    pub const fn quiet(self) -> u32 {
        self.quiet
    }

    /// Checks the rules for draws.
    ///
    /// # Errors
    /// The rule under which a draw may come first.
    pub fn check(self, rules: &Rules) -> Result<(), OtherRule> {
        if rules.quiet != 0 && rules.quiet < self.quiet {
            return Err(OtherRule::new(
                "quiet",
                format!("0 or at least {}", self.quiet),
            ));
        }
        if rules.repetition == 1 {
            return Err(OtherRule::new("repetition", "0 or at least 2"));
        }
        Ok(())
    }
}
