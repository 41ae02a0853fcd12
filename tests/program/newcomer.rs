//! The newcomer's path in the README works as it is written: its files are written, its commands
//! run in order, in an empty folder.

use crate::examples::{blocks, file_name, run};
use crate::program::Bench;

const HEADING: &str = "## Your own question";

fn section() -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let (_, section) = readme
        .split_once(HEADING)
        .expect("the README has the newcomer's section");
    section.split("\n## ").next().unwrap_or_default().to_owned()
}

#[test]
fn a_newcomer_gets_from_a_clone_to_an_experiment_of_their_own() {
    let section = section();
    let bench = Bench::new();
    let (mut commands, mut answered) = (0, String::new());
    for block in blocks(&section) {
        if block.language == "toml" {
            bench.write(file_name(&block), block.body);
            continue;
        }
        if block.language == "text" {
            assert!(answered.contains(block.body.trim_end()), "{answered}");
            continue;
        }
        assert_eq!(block.language, "sh");
        for line in block.body.lines() {
            let ending = run(&bench, line);
            assert_eq!(ending.code, Some(0), "{line}\n{}", ending.said);
            answered = ending.data;
            commands += 1;
        }
    }
    assert!(commands >= 8, "only {commands} commands");
    let page = std::fs::read_to_string(bench.path("greed.html")).unwrap();
    assert!(page.contains("Greedy play scores") && page.contains("<svg"));
    let schema = std::fs::read_to_string(bench.path("schema.json")).unwrap();
    assert!(schema.contains("\"question\""));
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
