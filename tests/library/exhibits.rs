//! The stories of the committed results: each is of the cell that its page is about, and whole, and
//! those of the games, drawn anew, are the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etude::GAMES;
use experiment::{Experiment, ExperimentFile, Overrides};
use lab::run::CompiledExperiment;
use lab::store::Exhibit;

/// The committed runs, with the texts of their experiments.
fn committed() -> Vec<(PathBuf, String)> {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let folders = std::fs::read_dir(results).unwrap();
    let mut runs: Vec<(PathBuf, String)> = folders
        .map(|folder| folder.unwrap().path())
        .filter_map(|path| {
            let text = std::fs::read_to_string(path.join("config.toml")).ok()?;
            // A race has no exhibit, and a proof no samples.
            let is_played = path.join("summary.csv").is_file() && !path.join("clock.csv").is_file();
            is_played.then_some((path, text))
        })
        .collect();
    runs.sort();
    runs
}

/// The experiment of a run that no other program takes part in.
fn own(path: &Path, text: &str) -> Option<Experiment> {
    let file = ExperimentFile::read(text, "config.toml").unwrap();
    let is_own = file.command.is_none() && file.players.is_empty();
    let name = path.join("config.toml").to_string_lossy().into_owned();
    let parsed = || Experiment::parse(text, &*name, GAMES, &Overrides::default());
    is_own.then(|| parsed().unwrap_or_else(|error| panic!("{}", error.render(false))))
}

fn kept(path: &Path) -> Exhibit {
    Exhibit::read(&path.join(Exhibit::FILE)).unwrap().unwrap()
}

#[test]
fn committed_exhibits_are_whole_and_of_the_cell_that_the_page_is_about() {
    let mut longest: BTreeMap<String, usize> = BTreeMap::new();
    for (path, text) in committed() {
        let (name, kept) = (path.display(), kept(&path));
        assert_eq!(kept.steps.len(), kept.length, "{name}");
        let file = ExperimentFile::read(&text, "config.toml").unwrap();
        // Another program need not tell a story.
        assert!(kept.length > 0 || file.command.is_some(), "{name}");
        let task = file.task;
        let game = task.split('/').next().unwrap().to_owned();
        let most = longest.entry(game).or_default();
        *most = kept.length.max(*most);
        if let Some(experiment) = own(&path, &text) {
            // As tables: the order of labels means nothing.
            let table = |text: &str| toml::from_str::<toml::Table>(text).unwrap();
            assert_eq!(table(&experiment.resolved_toml()), table(&text), "{name}");
            let cell = &experiment.cells[experiment.exhibited_cell()].name;
            let shown = (cell, experiment.exhibited_sample());
            assert_eq!((&kept.cell, kept.sample), shown, "{name}");
        }
    }
    let games = ["command", "foxes", "klondike", "pegs", "queens", "riddle"];
    assert!(games.iter().all(|game| longest[*game] > 1), "{longest:?}");
}

#[test]
fn committed_exhibits_of_games_are_drawn_again_byte_for_byte() {
    let redrawn = [
        "foxes-draws",
        "klondike-casino",
        "klondike-hidden",
        "klondike-hidden-bound",
        "klondike-tree",
        "pegs-random-play",
        "queens-estimate",
        "riddle-bias",
        "solitaire-winnable",
        "vegas",
    ];
    let mut drawn = 0;
    for (path, text) in committed() {
        let name = path.file_name().unwrap().to_str().unwrap();
        if !redrawn.contains(&name) {
            continue;
        }
        let experiment = own(&path, &text).unwrap();
        let cell = experiment.exhibited_cell();
        let kept = kept(&path);
        let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
        let again = Exhibit::draw(&experiment, &compiled, (cell, kept.sample)).unwrap();
        assert_eq!(again.rules.lines().count(), 3, "{name}");
        assert_eq!(again, kept, "{name}");
        drawn += 1;
    }
    assert_eq!(drawn, redrawn.len());
}
