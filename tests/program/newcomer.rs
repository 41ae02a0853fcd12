//! The newcomer's path in the README and in the tutorial works as it is written: files are written, commands
//! run in order, in an empty folder.

use crate::examples::{blocks, file_name, run};
use crate::program::Bench;

/// Follows the fenced blocks of a text; returns the folder, and the number of commands.
fn follow(text: &str) -> (Bench, usize) {
    let bench = Bench::new();
    let (mut commands, mut answered) = (0, String::new());
    for block in blocks(text) {
        match block.language {
            "toml" => {
                bench.write(file_name(&block), block.body);
            }
            "text" => assert!(answered.contains(block.body.trim_end()), "{answered}"),
            "sh" => {
                for line in block.body.lines() {
                    let ending = run(&bench, line);
                    assert_eq!(ending.code, Some(0), "{line}\n{}", ending.said);
                    assert!(!ending.said.contains("warning"), "{line}\n{}", ending.said);
                    answered = ending.data;
                    commands += 1;
                }
            }
            other => panic!("a block of {other:?}"),
        }
    }
    let page = std::fs::read_to_string(bench.path("greed.html")).unwrap();
    assert!(page.contains("Greedy play scores") && page.contains("<svg"));
    (bench, commands)
}

fn document(name: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join(name)).expect("the document is there")
}

#[test]
fn a_newcomer_gets_from_a_clone_to_an_experiment_of_their_own() {
    let readme = document("README.md");
    let section = readme.split_once("## Your own question").unwrap().1;
    let (_, commands) = follow(section.split("\n## ").next().unwrap());
    assert!(commands >= 5, "only {commands} commands");
}

#[test]
fn the_tutorial_can_be_followed_to_its_end() {
    let (bench, commands) = follow(&document("book/src/tutorial.md"));
    assert!(commands >= 9, "only {commands} commands");
    let schema = std::fs::read_to_string(bench.path("schema.json")).unwrap();
    assert!(schema.contains("\"question\""));
    let summary = std::fs::read_to_string(bench.path("results/greed/summary.csv")).unwrap();
    assert!(summary.contains(",8000,"), "{summary}");
}

#[test]
fn a_bundled_experiment_is_found_by_its_name_anywhere() {
    let bench = Bench::new();
    let arguments = [
        "run",
        "klondike-casino",
        "--samples",
        "50",
        "--out",
        "casino",
    ];
    let ending = bench.run(&arguments);
    ending.check(0, &[]);
    assert!(ending.data.contains("klondike-casino"), "{}", ending.data);
    assert!(!ending.said.contains("differs"), "{}", ending.said);
    for (folder, is_warned) in [("mine", false), ("smoke", false), ("curated", true)] {
        let file = format!("experiments/{folder}/klondike-casino.toml");
        bench.write(&file, "seed = 1");
        let ending = bench.run(&["check", "klondike-casino"]);
        ending.check(0, &[]);
        let warning = format!("{file} differs from it: to read that, give its path");
        assert_eq!(ending.said.contains(&warning), is_warned, "{}", ending.said);
    }
}

/// The first command of README, in the folder of the sources.
#[test]
fn the_first_command_of_a_clone_runs_without_a_warning() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let command = readme.split("cargo run --release -- ").nth(1).unwrap();
    let arguments: Vec<&str> = command.split_whitespace().take(2).collect();
    let bench = Bench::new();
    let mut etude = bench.etude(&arguments);
    let etude = etude.args(["--samples=50", "--quiet", "--out"]);
    let ended = etude.arg(bench.path("casino")).current_dir(root).output();
    let ended = ended.unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{arguments:?}: {said}");
    assert!(!said.contains("warning"), "{arguments:?}: {said}");
}
