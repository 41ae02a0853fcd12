//! The registry of games: names, summaries, defaults, and that no game's folder is forgotten.

use std::collections::BTreeSet;
use std::path::Path;

use clap::Arg;
use clap::builder::StyledStr;
use etude::GAMES;
use task::{GameSpec, ParamKind, ParamSpec, ParamValue, Params, TaskSpec};

#[test]
fn every_folder_under_src_is_registered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let folders: BTreeSet<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    let registered = GAMES.iter().map(|game| game.name.replace('-', "_"));
    // What the games of cards share.
    let shared = ["cards".to_owned()];
    assert_eq!(folders, registered.chain(shared).collect());
}

#[test]
fn names_are_kebab_case_and_unique() {
    check_names("games", GAMES.iter().map(|game| game.name));
    for game in GAMES {
        let tasks = game.tasks.iter().map(|task| own_name(game, task));
        check_names(game.name, tasks);
        check_names(game.name, game.verbs.iter().map(|verb| verb.name));
        for verb in game.verbs {
            let command = verb.command();
            check_names(verb.name, command.get_arguments().map(option_name));
        }
        for task in game.tasks {
            check_names(&task.name, task.params.iter().map(|param| &*param.name));
            check_names(&task.name, task.metrics.iter().map(|metric| &*metric.name));
        }
    }
}

/// An unreleased version has no date: `CITATION.cff` gets one with the heading of `CHANGELOG.md`.
#[test]
fn the_citation_has_the_version_and_the_date_of_the_changelog() {
    let read = |name: &str| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
    };
    let (changelog, citation) = (read("CHANGELOG.md"), read("CITATION.cff"));
    let heading = changelog
        .lines()
        .find_map(|line| line.strip_prefix("## "))
        .unwrap();
    let (version, date) = heading.split_once(" - ").unwrap();
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    let key = |key: &str| citation.lines().find_map(|line| line.strip_prefix(key));
    let (cited, released) = match date {
        "unreleased" => (format!("{version} (unreleased)"), None),
        day => (version.to_owned(), Some(day)),
    };
    assert_eq!(key("version: "), Some(cited.as_str()));
    assert_eq!(key("date-released: "), released);
}

/// An experiment is called by its file's name: two files of one name would be taken for each other.
#[test]
fn no_two_experiments_have_one_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
    assert!(names.len() > 80 && twice.is_none(), "{twice:?}");
    for built_in in etude::PROGRAM.experiments {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(built_in.file);
        assert_eq!(std::fs::read_to_string(file).unwrap(), built_in.text);
    }
}

#[test]
fn everything_is_described_in_a_phrase() {
    for game in GAMES {
        check_phrase(game.name, game.summary);
        for task in game.tasks {
            check_phrase(&task.name, &task.summary);
            check_phrase(&task.name, &task.sample);
            task.params
                .iter()
                .for_each(|param| check_phrase(&param.name, &param.summary));
            task.metrics
                .iter()
                .for_each(|metric| check_phrase(&metric.name, &metric.summary));
        }
        for verb in game.verbs {
            let command = verb.command();
            let text = |help: Option<&StyledStr>| help.unwrap().to_string();
            check_phrase(verb.name, &text(command.get_about()));
            for option in command.get_arguments() {
                check_phrase(option_name(option), &text(option.get_help()));
            }
        }
    }
}

#[test]
fn every_verb_shows_examples_of_itself() {
    for game in GAMES {
        for verb in game.verbs {
            let command = verb.command();
            let known = command.get_arguments().map(option_name);
            let known: Vec<&str> = known.chain(["format"]).collect();
            let start = format!("etude {} {}", verb.name, game.name);
            let after = command.get_after_help().unwrap().to_string();
            let examples: Vec<&str> = after.lines().skip(1).map(str::trim).collect();
            assert!(!examples.is_empty(), "{start}");
            for example in examples.chunks(2) {
                assert!(example[0].starts_with(&start), "{}", example[0]);
                check_phrase(example[0], example[1]);
                check_options(example[0], &known);
            }
        }
    }
}

/// The name of an option, or of an operand.
fn option_name(option: &Arg) -> &str {
    option.get_long().unwrap_or(option.get_id().as_str())
}

#[test]
fn defaults_are_of_their_declared_kind_and_in_range() {
    for task in GAMES.iter().flat_map(|game| game.tasks) {
        for param in task.params.iter() {
            let fits = default_fits(param);
            assert!(
                fits,
                "{}: {} has default {:?}",
                task.name, param.name, param.default
            );
        }
    }
}

#[test]
fn a_task_whose_parameters_all_have_defaults_builds() {
    for task in GAMES.iter().flat_map(|game| game.tasks) {
        let params = Params::defaults(&task.params);
        let complete = task
            .params
            .iter()
            .all(|param| params.get(&param.name).is_some());
        if complete && let Err(error) = task.build(&params) {
            panic!("{}: {error}", task.name);
        }
    }
}

#[test]
fn metrics_and_contests_are_well_formed() {
    for task in GAMES.iter().flat_map(|game| game.tasks) {
        assert!(!task.metrics.is_empty(), "{} measures nothing", task.name);
        for metric in task.metrics.iter() {
            assert!(metric.denominator > 0, "{}: {}", task.name, metric.name);
        }
        let Some(contest) = task.contest else {
            continue;
        };
        for side in [contest.first, contest.second] {
            assert!(task.params.iter().any(|param| param.name == side), "{side}");
        }
        for flag in [contest.win, contest.draw] {
            assert!(
                task.metrics.iter().any(|metric| metric.name == flag),
                "{flag}"
            );
        }
    }
}

/// A task's name after `game/`.
fn own_name<'a>(game: &GameSpec, task: &'a TaskSpec) -> &'a str {
    let own = task.name.split_once('/');
    let (owner, name) = own.unwrap_or_else(|| panic!("`{}` is not `game/task`", task.name));
    assert_eq!(owner, game.name, "{}", task.name);
    name
}

fn check_names<'a>(place: &str, names: impl Iterator<Item = &'a str>) {
    let mut seen = BTreeSet::new();
    for name in names {
        let kebab = name.split('-').all(|word| {
            let letters = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
            !word.is_empty() && word.bytes().all(letters)
        });
        assert!(kebab, "{place}: `{name}` is not in kebab case");
        assert!(seen.insert(name), "{place}: `{name}` is there twice");
    }
}

/// One line without blanks around it, that does not break off.
fn check_phrase(place: &str, text: &str) {
    assert!(text.len() >= 4, "{place}: `{text}` says nothing");
    assert_eq!(text, text.trim(), "{place}");
    assert!(!text.contains('\n'), "{place}: `{text}`");
    let end = text.chars().next_back().unwrap_or(' ');
    assert!(
        end.is_alphanumeric() || ".`)\"*?]…".contains(end),
        "{place}: `{text}`"
    );
}

fn check_options(example: &str, options: &[&str]) {
    let given = example
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("--"));
    for name in given {
        assert!(
            options.contains(&name),
            "`{example}`: there is no option `--{name}`"
        );
    }
}

fn default_fits(param: &ParamSpec) -> bool {
    match (&param.kind, &param.default) {
        (_, None) | (ParamKind::Text, Some(ParamValue::Text(_))) => true,
        (ParamKind::Flag, Some(ParamValue::Flag(_))) => true,
        (ParamKind::Choice(words), Some(ParamValue::Text(word))) => words.contains(word),
        (ParamKind::Integer { min, max }, Some(ParamValue::Integer(value))) => {
            (min..=max).contains(&value)
        }
        (ParamKind::Number { min, max }, Some(ParamValue::Number(value))) => {
            (min..=max).contains(&value)
        }
        _ => false,
    }
}
