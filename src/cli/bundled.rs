//! The experiments that the program brings with it: those of `experiments/curated`.

// `BUNDLED: &[(&str, &str)]`, name and text of each, in the order of the names.
include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// The text of the experiment called `name`.
pub fn text(name: &str) -> Option<&'static str> {
    let found = BUNDLED.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}

/// The names, in order.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUNDLED.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_casino_is_on_board_and_names_are_in_order() {
        assert!(text("klondike-casino").is_some_and(|text| text.contains("klondike/score")));
        assert!(text("klondike").is_none());
        assert!(names().is_sorted());
    }
}
