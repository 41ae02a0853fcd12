//! The rules that a result shows beside its board are those of the page in which the game is played.

use etude::GAMES;
use task::Params;

/// Parameters of a task that are set, by name.
type Parameters = &'static [(&'static str, &'static str)];

/// The rules of a task, with some of its parameters set.
fn rules(task: &str, set: Parameters) -> String {
    let mut specs = GAMES.iter().flat_map(|game| game.tasks);
    let spec = specs.find(|spec| spec.name == task).unwrap();
    let params = Params::defaults(&spec.params);
    let set = set.iter().fold(params, |params, (name, value)| {
        params.with_text(name, value)
    });
    spec.build(&set).unwrap().rules()
}

/// The text of a page; of parts for one of several rules, those for `shown`.
fn text(page: &str, shown: &str) -> String {
    let mut text = String::new();
    for part in page.split('<') {
        let (tag, words) = part.split_once('>').unwrap_or(("", part));
        let rules = tag.split_once("data-rules=\"");
        let is_shown = rules.is_none_or(|(_, rest)| rest.starts_with(&format!("{shown}\"")));
        text.push_str(if is_shown { words } else { "" });
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_result_and_the_page_of_its_game_tell_the_same_rules() {
    let pages: [(&str, &str, Parameters); 7] = [
        (
            "foxes",
            "foxes/match",
            &[("fox", "arsac"), ("hens", "safe")],
        ),
        ("klondike", "klondike/score", &[]),
        ("pegs", "pegs/figures", &[]),
        ("queens", "queens/automaton", &[]),
        ("riddle", "riddle/clues", &[]),
        ("solitaire", "solitaire/score", &[("rules", "draw-1")]),
        ("solitaire", "solitaire/score", &[("rules", "draw-3")]),
    ];
    for (game, task, set) in pages {
        let path = format!("{}/web/site/{game}/index.html", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(path).unwrap();
        let told = text(&page, set.first().map_or("", |(_, rules)| rules));
        let rules = rules(task, set);
        assert_eq!(rules.lines().count(), 3, "{task}");
        for line in rules.lines() {
            // The page fills in the pieces of a riddle, and ends that game's last line itself.
            let line = match line.strip_prefix("Hidden are ") {
                Some(pieces) => pieces.split_once("; ").unwrap().1,
                None => line,
            };
            assert!(told.contains(line.trim_end_matches('.')), "{game}: {line}");
        }
    }
}
