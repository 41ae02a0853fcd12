//! Messages after mistakes: `data/mistakes.txt` lists mistakes with the exact message and exit code
//! each gets.
//!
//! An entry is a title (`### ...`), steps that make the mistake possible (`change: A => B` in the
//! sound experiment, `file: NAME TEXT`, `setup: ARGUMENTS` of a command that succeeds), the command
//! (`$ etude ...`), `exit CODE` and what is said. After messages were changed on purpose, run with
//! `ETUDE_BLESS=1` and read the difference.

use crate::program::{Bench, Ending};

const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mistakes.txt");

const SOUND: &str = r#"question = "How many cards?"
task = "klondike/score"
seed = 1978
level = 0.95

[params]
layout = "yukon"

[budget]
nodes = 1000

[stop]
samples = 8

[sweep]
strategy = ["greedy", "random"]

[[claims]]
source = "folklore"
text = "Greed pays."
holds = "diff(greedy, random).score > 0"
"#;

/// Words that tell what to do or what was expected.
const ADVICE: [&str; 7] = [
    "help: ",
    "tip: ",
    "expected ",
    "must be ",
    "[possible values",
    "Usage: ",
    "'--help'",
];

/// A mistake and what is said of it.
struct Mistake<'list> {
    title: &'list str,
    steps: Vec<&'list str>,
    command: &'list str,
    code: i32,
    said: String,
}

impl<'list> Mistake<'list> {
    fn parse(entry: &'list str) -> Self {
        let (head, said) = entry
            .split_once("\nexit ")
            .expect("an entry has a line `exit`");
        let (code, said) = said.split_once('\n').unwrap_or((said, ""));
        let mut lines = head.lines();
        let title = lines.next().expect("an entry has a title");
        let mut steps: Vec<&str> = lines.collect();
        let command = steps.pop().and_then(|line| line.strip_prefix("$ etude "));
        Self {
            title,
            steps,
            command: command.expect("the last line before `exit` is `$ etude ...`"),
            code: code.trim().parse().expect("the exit code is a number"),
            said: said.trim_end().to_owned(),
        }
    }

    fn make(&self) -> Ending {
        let bench = Bench::new();
        let mut experiment = SOUND.to_owned();
        for step in &self.steps {
            match step.split_once(": ").expect("a step is `KIND: ...`") {
                ("change", change) => experiment = changed(&experiment, change),
                ("file", file) => {
                    let (name, text) = file.split_once(' ').expect("`file: NAME TEXT`");
                    bench.write(name, &text.replace("\\n", "\n"));
                }
                ("setup", arguments) => {
                    bench.write("my.toml", SOUND);
                    let ending = bench.run(&words(arguments));
                    assert_eq!(ending.code, Some(0), "{}: {}", self.title, ending.said);
                }
                _ => panic!("{}: what is `{step}`?", self.title),
            }
        }
        bench.write("my.toml", &experiment);
        bench.run(&words(self.command))
    }

    /// The entry as it should read.
    fn entry(&self, ending: &Ending) -> String {
        let steps: String = self.steps.iter().map(|step| format!("{step}\n")).collect();
        let lines = ending.said.lines().map(str::trim_end);
        let said: String = lines.flat_map(|line| [line, "\n"]).collect();
        format!(
            "### {}\n{steps}$ etude {}\nexit {}\n{said}\n",
            self.title,
            self.command,
            ending.code.unwrap_or(-1)
        )
    }
}

fn changed(experiment: &str, change: &str) -> String {
    let (from, to) = change.split_once(" => ").expect("`change: A => B`");
    assert!(experiment.contains(from), "the experiment has no `{from}`");
    experiment.replacen(from, &to.replace("\\n", "\n"), 1)
}

fn words(arguments: &str) -> Vec<&str> {
    arguments.split_whitespace().collect()
}

#[test]
fn every_mistake_gets_its_message() {
    let list = std::fs::read_to_string(LIST).unwrap();
    let mistakes: Vec<Mistake<'_>> = list.split("### ").skip(1).map(Mistake::parse).collect();
    assert!(mistakes.len() >= 40, "only {} mistakes", mistakes.len());
    let mut fresh = String::from(list.split("### ").next().unwrap_or_default());
    let mut faults = Vec::new();
    for mistake in &mistakes {
        let ending = mistake.make();
        let entry = mistake.entry(&ending);
        let old = format!("{}\nexit {}\n{}", mistake.title, mistake.code, mistake.said);
        let new = format!(
            "{}\nexit {}",
            mistake.title,
            entry.split_once("\nexit ").unwrap().1
        );
        if old.trim_end() != new.trim_end() {
            faults.push(format!("{old}\n--- is now ---\n{new}"));
        }
        check(mistake, &ending);
        fresh.push_str(&entry);
    }
    if std::env::var_os("ETUDE_BLESS").is_some() {
        std::fs::write(LIST, fresh).unwrap();
        return;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// A message says what to do, blames nobody's program and has no colours in a pipe.
fn check(mistake: &Mistake<'_>, ending: &Ending) {
    let said = &ending.said;
    let title = mistake.title;
    assert_ne!(ending.code, Some(0), "{title}");
    assert!(said.contains("error"), "{title}: {said}");
    assert!(
        ADVICE.iter().any(|word| said.contains(word)),
        "{title} has no advice:\n{said}"
    );
    assert!(
        !said.contains("panicked") && !said.contains('\x1b'),
        "{title}: {said}"
    );
    assert!(
        ending.data.is_empty(),
        "{title} writes data: {}",
        ending.data
    );
}
