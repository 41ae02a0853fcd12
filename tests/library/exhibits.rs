//! The stories of the games of cards, drawn anew, are those of the committed results.

use std::path::Path;

use etude::GAMES;
use lab::experiment::{Experiment, Overrides};
use lab::run::CompiledExperiment;
use lab::store::Exhibit;

#[test]
fn committed_exhibits_of_cards_are_drawn_again_byte_for_byte() {
    for name in [
        "klondike-casino",
        "klondike-hidden",
        "solitaire-winnable",
        "vegas",
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("results")
            .join(name);
        let text = std::fs::read_to_string(folder.join("config.toml")).unwrap();
        let experiment = Experiment::parse(&text, name, GAMES, &Overrides::default()).unwrap();
        let laboratory = CompiledExperiment::of_experiment(&experiment).unwrap();
        let replay = laboratory
            .replay(0, experiment.file.output.exhibit)
            .unwrap();
        let cell = &experiment.cells[0].name;
        let drawn = Exhibit::of(cell, experiment.file.output.exhibit, replay);
        let kept = Exhibit::read(&folder.join(Exhibit::FILE)).unwrap().unwrap();
        assert_eq!(drawn, kept, "{name}");
    }
}
