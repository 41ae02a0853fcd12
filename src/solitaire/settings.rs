//! Rules as a person names them: a preset, or its parts one by one.

use crate::cards::strategy::Strategy;
use base::parse_integer;
use cards::advice::CardPlayer;
use clap::Args;
use clap::builder::PossibleValuesParser;
use solitaire::rules::{MOST_PASSES, Rules};
use task::{ParamError, ParamSpec, Params};

/// The rules of a preset with the parts that are given instead of its own.
///
/// # Errors
/// If there is no such preset, or a number is out of its range.
pub fn rules(
    preset: &str,
    draw: Option<u64>,
    passes: Option<&str>,
    worrying_back: bool,
) -> Result<Rules, ParamError> {
    let mut rules = Rules::named(preset).ok_or_else(|| {
        let help = format!("give one of {}", Rules::NAMES.join(", "));
        ParamError::new("rules", format!("there are no rules `{preset}`"), help)
    })?;
    if let Some(draw) = draw {
        rules.draw = read_draw(draw)?;
    }
    if let Some(passes) = passes {
        rules.passes = read_passes(passes)?;
    }
    Ok(rules.with_worrying_back(worrying_back))
}

/// The parameter of the rules of a task in which passes are not limited.
pub const UNLIMITED: ParamSpec = ParamSpec::choice(
    "rules",
    &["draw-3", "draw-1"],
    "three cards drawn at a time, or one; passes are not limited",
)
.or_text("draw-3");

/// The rules that the parameter [`UNLIMITED`] has.
///
/// # Errors
/// If the parameter is missing, or there are no such rules.
pub fn unlimited(params: &Params) -> Result<Rules, ParamError> {
    rules(params.text(&UNLIMITED.name)?, None, None, true)
}

/// The player of cards that a parameter names.
///
/// # Errors
/// If the parameter is missing, or there is no such player.
pub fn player(params: &Params, name: &str) -> Result<CardPlayer, ParamError> {
    let player = params.text(name)?.parse();
    player.map_err(|error| Strategy::refuse(name, &error))
}

/// The rules that options name.
#[derive(Debug, Args)]
pub struct GivenRules {
    /// The rules
    #[arg(long, default_value = Rules::NAMES[0], value_parser = PossibleValuesParser::new(Rules::NAMES))]
    rules: String,
    /// Cards drawn at once [default: as the rules say]
    #[arg(long, value_name = "N", value_parser = parse_integer)]
    draw: Option<u64>,
    /// Passes through the stock, or unlimited [default: as the rules say]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    passes: Option<String>,
    /// Permission to take a card back from its foundation
    #[arg(long, default_value = "yes", value_parser = ["yes", "no"])]
    worrying_back: String,
}

impl GivenRules {
    /// The rules.
    ///
    /// # Errors
    /// If a part is out of its range, at its option.
    pub fn rules(&self) -> Result<Rules, ParamError> {
        let passes = self.passes.as_deref();
        rules(&self.rules, self.draw, passes, self.worrying_back == "yes")
    }
}

fn read_draw(draw: u64) -> Result<u8, ParamError> {
    let number = u8::try_from(draw)
        .ok()
        .filter(|draw| (1..=24).contains(draw));
    number.ok_or_else(|| {
        let message = format!("{draw} cards cannot be drawn at once");
        ParamError::new("draw", message, "give a number from 1 to 24")
    })
}

fn read_passes(passes: &str) -> Result<Option<u8>, ParamError> {
    if passes == "unlimited" {
        return Ok(None);
    }
    let number = passes
        .parse()
        .ok()
        .filter(|n| (1..=MOST_PASSES).contains(n));
    number.map(Some).ok_or_else(|| {
        let message = format!("`{passes}` is not a number of passes");
        let help = format!("give a number from 1 to {MOST_PASSES}, or `unlimited`");
        ParamError::new("passes", message, help)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_take_the_place_of_the_presets() {
        assert_eq!(rules("vegas-3", None, None, true), Ok(Rules::VEGAS_3));
        assert_eq!(
            rules("draw-3", Some(1), Some("1"), true),
            Ok(Rules::VEGAS_1)
        );
        let unlimited = rules("vegas-1", None, Some("unlimited"), false);
        assert_eq!(unlimited, Ok(Rules::DRAW_1.with_worrying_back(false)));
        let name = |rules: Result<Rules, ParamError>| rules.unwrap_err().name;
        assert_eq!(name(rules("draw-2", None, None, true)), "rules");
        assert_eq!(name(rules("draw-3", Some(25), None, true)), "draw");
        assert_eq!(name(rules("draw-3", Some(0), None, true)), "draw");
        for passes in ["0", "16", "three", ""] {
            assert_eq!(name(rules("draw-3", None, Some(passes), true)), "passes");
        }
    }
}
