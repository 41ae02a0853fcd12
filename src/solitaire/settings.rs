//! Rules as a person names them: a preset, or its parts one by one.

use super::rules::{MOST_PASSES, Rules};

/// What is wrong with a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError {
    /// The setting: `rules`, `draw` or `passes`.
    pub name: &'static str,
    /// What is wrong, as a sentence without its final stop.
    pub message: String,
    /// What to give instead.
    pub help: String,
}

/// The rules of a preset with the parts that are given instead of its own.
///
/// # Errors
/// If there is no such preset, or a number is out of its range.
pub fn rules(
    preset: &str,
    draw: Option<u64>,
    passes: Option<&str>,
    worrying_back: bool,
) -> Result<Rules, SettingError> {
    let mut rules = Rules::named(preset).ok_or_else(|| SettingError {
        name: "rules",
        message: format!("there are no rules `{preset}`"),
        help: format!("give one of {}", Rules::NAMES.join(", ")),
    })?;
    if let Some(draw) = draw {
        rules.draw = read_draw(draw)?;
    }
    if let Some(passes) = passes {
        rules.passes = read_passes(passes)?;
    }
    Ok(rules.with_worrying_back(worrying_back))
}

fn read_draw(draw: u64) -> Result<u8, SettingError> {
    let number = u8::try_from(draw)
        .ok()
        .filter(|draw| (1..=24).contains(draw));
    number.ok_or_else(|| SettingError {
        name: "draw",
        message: format!("{draw} cards cannot be drawn at once"),
        help: "give a number from 1 to 24".to_owned(),
    })
}

fn read_passes(passes: &str) -> Result<Option<u8>, SettingError> {
    if passes == "unlimited" {
        return Ok(None);
    }
    let number = passes
        .parse()
        .ok()
        .filter(|n| (1..=MOST_PASSES).contains(n));
    number.map(Some).ok_or_else(|| SettingError {
        name: "passes",
        message: format!("`{passes}` is not a number of passes"),
        help: format!("give a number from 1 to {MOST_PASSES}, or `unlimited`"),
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
        let name = |rules: Result<Rules, SettingError>| rules.unwrap_err().name;
        assert_eq!(name(rules("draw-2", None, None, true)), "rules");
        assert_eq!(name(rules("draw-3", Some(25), None, true)), "draw");
        assert_eq!(name(rules("draw-3", Some(0), None, true)), "draw");
        for passes in ["0", "16", "three", ""] {
            assert_eq!(name(rules("draw-3", None, Some(passes), true)), "passes");
        }
    }
}
