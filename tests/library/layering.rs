//! The layering of the workspace, read from its sources: the laboratory in `lab/src`, the games in
//! `src`. Cargo keeps the laboratory from naming a game; this keeps its modules in order.
//!
//! A game knows rules and search, a task turns a game into an experiment, a run knows only
//! tasks, statistics know only numbers, reports know only files. Every path of the form
//! `crate::module` or `lab::module` outside of test code is compared with one table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

/// Module and the modules it may name. The command line may name every other module of
/// the laboratory, and nothing may name the command line.
const MAY_USE: &[(&str, &[&str])] = &[
    ("failure", &[]),
    ("files", &[]),
    ("named", &[]),
    ("rng", &[]),
    ("threads", &[]),
    ("search", &["rng"]),
    ("stats", &["named"]),
    ("task", &["failure", "files", "rng", "search"]),
    ("programs", &["files", "rng", "search", "task", "threads"]),
    (
        "games",
        &[
            "programs", "task", "search", "stats", "rng", "named", "threads",
        ],
    ),
    (
        "experiment",
        &["failure", "programs", "task", "stats", "search", "files"],
    ),
    (
        "run",
        &[
            "failure",
            "experiment",
            "task",
            "rng",
            "search",
            "stats",
            "named",
            "threads",
        ],
    ),
    ("tables", &["run", "experiment", "stats", "task", "files"]),
    (
        "store",
        &[
            "failure",
            "tables",
            "run",
            "experiment",
            "programs",
            "stats",
            "task",
            "files",
            "threads",
        ],
    ),
    (
        "job",
        &[
            "failure",
            "store",
            "tables",
            "run",
            "experiment",
            "programs",
            "task",
            "stats",
            "search",
            "rng",
            "files",
        ],
    ),
    (
        "report",
        &[
            "failure",
            "store",
            "tables",
            "experiment",
            "stats",
            "task",
            "files",
        ],
    ),
    (
        "bench",
        &[
            "files",
            "named",
            "rng",
            "search",
            "stats",
            "task",
            "programs",
            "experiment",
            "run",
            "tables",
            "store",
            "job",
            "report",
            "threads",
        ],
    ),
    (
        "compare",
        &[
            "failure",
            "files",
            "stats",
            "task",
            "experiment",
            "run",
            "tables",
            "store",
            "job",
            "report",
        ],
    ),
    ("laws", &["rng", "search", "task"]),
    (
        "cli",
        &[
            "failure",
            "files",
            "rng",
            "search",
            "stats",
            "task",
            "programs",
            "experiment",
            "run",
            "tables",
            "store",
            "job",
            "report",
            "bench",
            "compare",
            "threads",
        ],
    ),
];

/// The folder beside the games that all of them may use.
const SHARED: &str = "cards";

/// A path that the table does not allow.
#[derive(Debug, PartialEq, Eq)]
struct Breach {
    file: PathBuf,
    line: usize,
    rule: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.rule)
    }
}

#[test]
fn every_module_names_only_the_modules_below_it() {
    let found: Vec<String> = [("lab/src", ""), ("src", "games")]
        .iter()
        .flat_map(|(folder, under)| breaches_under(folder, under))
        .map(|breach| breach.to_string())
        .collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// The breaches in the sources of `folder`, which stand as module `under` in the table.
fn breaches_under(folder: &str, under: &str) -> Vec<Breach> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = rust_files(&root);
    assert!(files.len() > 40, "the sources were not found");
    let of_file = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        breaches(
            &Path::new(under).join(path.strip_prefix(&root).unwrap()),
            &text,
        )
    };
    files.iter().flat_map(of_file).collect()
}

#[test]
fn every_module_of_the_crate_stands_in_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("lab/src");
    let text = std::fs::read_to_string(root.join("lib.rs")).unwrap();
    let modules = text.lines().filter_map(|line| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';')
    });
    let modules: Vec<&str> = modules.collect();
    assert_eq!(
        modules.len() + 1,
        MAY_USE.len(),
        "all but games: {modules:?}"
    );
    for module in modules {
        assert!(allowed(module).is_some(), "no rule for module {module}");
    }
}

#[test]
fn breaches_are_found_wherever_a_path_stands() {
    const NONE: [usize; 0] = [];
    let rules = |file: &str, text: &str| -> Vec<usize> {
        let found = breaches(Path::new(file), text);
        found.into_iter().map(|breach| breach.line).collect()
    };
    assert_eq!(rules("stats/mean.rs", "use crate::task::Row;\n"), [1]);
    assert_eq!(rules("task/mod.rs", "use crate::rng::Streams;\n"), NONE);
    assert_eq!(
        rules("games/foxes/ai.rs", "\nlet x = lab::experiment::f();\n"),
        [2]
    );
    assert_eq!(
        rules("games/foxes/ai.rs", "use crate::foxes::Board;\n"),
        NONE
    );
    assert_eq!(rules("games/foxes/ai.rs", "use crate::pegs::Board;\n"), [1]);
    assert_eq!(
        rules("games/klondike/a.rs", "use crate::cards::Face;\n"),
        NONE
    );
    assert_eq!(
        rules("games/cards/a.rs", "use crate::klondike::Deal;\n"),
        [1]
    );
    assert_eq!(
        rules("games/foxes/ai.rs", "use super::super::pegs::Board;\n"),
        [1]
    );
    assert_eq!(
        rules(
            "experiment/a.rs",
            "use crate::{\n    task,\n    run::Plan,\n};\n"
        ),
        [3]
    );
    assert_eq!(rules("rng/a.rs", "// use crate::task;\n"), NONE);
    assert_eq!(
        rules(
            "rng/a.rs",
            "#[cfg(test)]\nmod tests {\n    use crate::task;\n}\n"
        ),
        NONE
    );
    assert_eq!(rules("cli/run.rs", "use etude::GAMES;\n"), NONE);
    assert_eq!(rules("run/a.rs", "use crate::cli::run;\n"), [1]);
}

#[test]
fn a_breach_is_told_with_a_path_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (file, path) in [
        ("stats/mean.rs", "lab/src/stats/mean.rs"),
        ("games/foxes/board.rs", "src/foxes/board.rs"),
    ] {
        let found = breaches(
            Path::new(file),
            "use crate::cli::run;\nuse lab::cli::run;\n",
        );
        assert_eq!(found[0].file, Path::new(path));
        assert!(root.join(path).is_file(), "{path}");
    }
}

#[test]
fn no_two_files_name_each_other() {
    let mut circles = Vec::new();
    for folder in ["lab/src", "src"] {
        let files = rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        let named: Vec<BTreeSet<PathBuf>> = files.iter().map(|file| siblings(file)).collect();
        for (file, named_by_file) in files.iter().zip(&named) {
            let is_named_back = |(other, named): &(&PathBuf, &BTreeSet<PathBuf>)| {
                other > &file && named_by_file.contains(*other) && named.contains(file)
            };
            let back = files.iter().zip(&named).filter(is_named_back);
            circles.extend(back.map(|(other, _)| (file.clone(), other.clone())));
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
}

/// The files beside a file that it names by `super::`.
fn siblings(file: &Path) -> BTreeSet<PathBuf> {
    let text = std::fs::read_to_string(file).unwrap();
    let is_root = ["mod.rs", "lib.rs", "main.rs"]
        .iter()
        .any(|name| file.ends_with(name));
    let paths = paths_below(&without_tests(&text).join("\n"), &[("super::", "")]);
    let beside = paths
        .into_iter()
        .map(|(_, path)| file.with_file_name(format!("{}.rs", path[0])));
    beside.filter(|path| !is_root && path.exists()).collect()
}

#[test]
fn a_circle_of_two_files_is_found() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/queens");
    let named = siblings(&games.join("bitmask.rs"));
    assert!(named.contains(&games.join("batch.rs")), "{named:?}");
    assert!(
        !named.contains(&games.join("automaton.rs")),
        "a test's: {named:?}"
    );
}

#[test]
fn the_proof_of_foxes_and_hens_names_the_rules_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/foxes/solved");
    let above = ["players", "tasks", "verbs", "matches", "ugi"];
    for file in rust_files(&root) {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = without_tests(&text).join("\n");
        for (line, path) in paths_below(&code, &[("crate::foxes::", "")]) {
            let named = path[0].as_str();
            assert!(
                !above.contains(&named),
                "{}:{line}: {named}",
                file.display()
            );
        }
    }
}

/// Words that two games may both use, for what is the same in both.
const COMMON_WORDS: &[&str] = &[
    "Card", "Casino", "Deal", "Look", "Mailbox", "Move", "Position", "Rules", "Session",
];

#[test]
fn a_types_name_means_one_thing() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for folder in ["lab/src", "src"] {
        for file in rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            for name in without_tests(&text).into_iter().filter_map(defined_type) {
                places
                    .entry(name.to_owned())
                    .or_default()
                    .push(file.clone());
            }
        }
    }
    assert!(places.len() > 500, "the types were not found");
    places.retain(|name, files| files.len() > 1 && !COMMON_WORDS.contains(&name.as_str()));
    assert!(places.is_empty(), "{places:#?}");
}

/// The type that a line defines at the top level of a module.
pub fn defined_type(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) => rest.split_once(' ')?.1,
        None => line,
    };
    let kinds = ["struct ", "enum ", "trait ", "type "];
    let name = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    name.split(|c: char| !c.is_alphanumeric()).next()
}

fn allowed(module: &str) -> Option<&'static [&'static str]> {
    let mut rules = MAY_USE.iter();
    rules
        .find(|(name, _)| *name == module)
        .map(|(_, uses)| *uses)
}

/// The paths in `text` that break a rule. `file` is relative to `lab/src`, or is one of `src` under
/// `games`.
fn breaches(file: &Path, text: &str) -> Vec<Breach> {
    let parts: Vec<&str> = file.iter().filter_map(|part| part.to_str()).collect();
    let (Some(module), Some(uses)) = (parts.first(), parts.first().and_then(|m| allowed(m))) else {
        return Vec::new();
    };
    let game = (*module == "games" && parts.len() > 2).then(|| parts[1]);
    let code = without_tests(text);
    let breach = |(line, path): (usize, Vec<String>)| {
        let rule = broken_rule(module, uses, game, &path)?;
        Some(Breach {
            file: source(file),
            line,
            rule,
        })
    };
    crate_paths(&code, *module == "games", parts.len() - 1)
        .into_iter()
        .filter_map(breach)
        .collect()
}

/// The path from the repository's root of a file that stands in the table as `file`.
fn source(file: &Path) -> PathBuf {
    match file.strip_prefix("games") {
        Ok(game) => Path::new("src").join(game),
        Err(_) => Path::new("lab/src").join(file),
    }
}

/// Returns the rule that `path`, named in `module`, breaks, if it breaks one.
fn broken_rule(module: &str, uses: &[&str], game: Option<&str>, path: &[String]) -> Option<String> {
    let named = path.first()?.as_str();
    if named == "games" && module == "games" {
        let other = path.get(1)?;
        return (game.is_some_and(|game| game != other) && other != SHARED)
            .then(|| format!("a game may not use another game (`{other}`)"));
    }
    let is_module = allowed(named).is_some();
    (is_module && named != module && !uses.contains(&named)).then(|| {
        let list = if uses.is_empty() {
            "nothing".into()
        } else {
            uses.join(", ")
        };
        format!("`{module}` may use {list}; not `{named}`")
    })
}

/// The lines of code outside comments and outside the test module at a file's end.
fn without_tests(text: &str) -> Vec<&str> {
    let mut code = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let next = lines.peek().copied().unwrap_or_default();
        if line == "#[cfg(test)]" && next.starts_with("mod ") && next.ends_with('{') {
            break;
        }
        let is_comment = line.trim_start().starts_with("//");
        code.push(if is_comment { "" } else { line });
    }
    code
}

/// Paths from the crate's root with their lines, groups in braces spread out.
fn crate_paths(code: &[&str], in_games: bool, depth: usize) -> Vec<(usize, Vec<String>)> {
    let text = code.join("\n");
    // From a file of a game's folder this leads to the folder of games, hence to other games.
    let up = "super::".repeat(depth);
    let roots = if in_games {
        vec![
            ("crate::", "games::"),
            ("lab::", ""),
            (up.as_str(), "games::"),
        ]
    } else {
        vec![("crate::", "")]
    };
    paths_below(&text, &roots)
}

/// The paths below each root, with what stands for the root put before them, and their lines.
fn paths_below(text: &str, roots: &[(&str, &str)]) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    for (root, prefix) in roots {
        for (place, _) in text.match_indices(root) {
            let before = text[..place].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let start = place + root.len();
            for (offset, path) in heads(&text[start..]) {
                let line = 1 + text[..start + offset].matches('\n').count();
                let path = format!("{prefix}{path}");
                found.push((line, path.split("::").map(str::to_owned).collect()));
            }
        }
    }
    found
}

/// The path that begins `text`, or each path of the group that begins it, with its offset.
fn heads(text: &str) -> Vec<(usize, &str)> {
    let Some(group) = text.strip_prefix('{') else {
        return vec![(0, path_at(text))];
    };
    let mut depth = 0;
    let mut starts = vec![0];
    for (offset, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => starts.push(offset + 1),
            _ => {}
        }
    }
    let head = |start: usize| {
        let blanks = group[start..].len() - group[start..].trim_start().len();
        (1 + start + blanks, path_at(&group[start + blanks..]))
    };
    starts.into_iter().map(head).collect()
}

fn path_at(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    text[..end.unwrap_or(text.len())].trim_end_matches(':')
}

pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
