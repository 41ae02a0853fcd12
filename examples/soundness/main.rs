//! Laws that hold whatever the answer is, tried on positions in progress by the hundred thousand: the
//! tables of book/src/appendix/soundness.md.
//!
//!     cargo run --release -p etude-soundness --example soundness -- [LAW or GAME ...] [--count N] [--seed N]
//!
//! A fast sample of each is a test. A pruning that is wrong in one position of ten thousand breaks a law
//! there, on decks and boards of full size, where no plain engine ends.

mod foxes;
mod klondike;
mod layouts;
mod pegs;
mod queens;
mod riddle;
mod rows;
mod solitaire;

use std::process::ExitCode;

use kit::rng::{Stream, Streams};
use kit::search::Verdict;

/// The seed unless another is named.
const SEED: u64 = 61;

/// A law, and how to try it.
pub struct Law {
    /// The law's name, `game/what`, which soundness.md cites.
    pub name: &'static str,
    /// The law in a sentence.
    pub says: &'static str,
    /// The instances that it is tried on, unless another number is given.
    pub instances: u64,
    /// The instances of the test.
    pub sample: u64,
    /// Makes a trial of single instances, with the memory of its engines.
    pub start: fn() -> Trial,
}

/// Tries a law on the instance that a stream draws.
pub type Trial = Box<dyn FnMut(&mut Stream, &mut Findings)>;

/// The result of the trials of a law.
#[derive(Default)]
pub struct Findings {
    comparisons: u64,
    violations: u64,
    /// The first offending positions.
    shown: Vec<String>,
}

impl Findings {
    /// Most offending positions that are shown.
    const SHOWN: usize = 5;

    /// Counts a comparison; of a violation, `offender` writes the position.
    pub fn check(&mut self, holds: bool, offender: impl FnOnce() -> String) {
        self.comparisons += 1;
        if holds {
            return;
        }
        self.violations += 1;
        if self.shown.len() < Self::SHOWN {
            self.shown.push(offender());
        }
    }

    /// Counts a comparison of two values if both are proved; bounds that contradict the law are a violation too.
    pub fn at_least<T: Copy + Ord>(
        &mut self,
        large: Verdict<T>,
        small: Verdict<T>,
        offender: impl FnOnce() -> String,
    ) {
        let holds = large.upper() >= small.lower();
        if !holds || large.is_proved() && small.is_proved() {
            self.check(holds, offender);
        }
    }

    /// Like `at_least`, of values that must be equal.
    pub fn equal<T: Copy + Ord>(
        &mut self,
        one: Verdict<T>,
        other: Verdict<T>,
        offender: impl FnOnce() -> String,
    ) {
        let holds = one.upper() >= other.lower() && other.upper() >= one.lower();
        if !holds || one.is_proved() && other.is_proved() {
            self.check(holds, offender);
        }
    }
}

/// All laws, game by game.
fn laws() -> Vec<&'static Law> {
    let games: [&'static [Law]; 6] = [
        &klondike::LAWS,
        &solitaire::LAWS,
        &riddle::LAWS,
        &foxes::LAWS,
        &pegs::LAWS,
        &queens::LAWS,
    ];
    games.into_iter().flatten().collect()
}

/// Tries a law on its first instances.
fn tried(law: &Law, seed: u64, instances: u64) -> Findings {
    let key = Streams::new(seed).key(law.name);
    let mut trial = (law.start)();
    let mut findings = Findings::default();
    for index in 0..instances {
        trial(&mut key.stream(index), &mut findings);
    }
    findings
}

/// The arguments.
struct Asked {
    names: Vec<String>,
    count: Option<u64>,
    seed: u64,
}

impl Asked {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Asked, String> {
        let mut asked = Asked {
            names: Vec::new(),
            count: None,
            seed: SEED,
        };
        while let Some(word) = words.next() {
            let mut number = || {
                let text = words.next().unwrap_or_default();
                let number = text.replace('_', "").parse::<u64>();
                number.map_err(|_| format!("{word} `{text}`: expected a number from 0 on"))
            };
            match word.as_str() {
                "--count" => asked.count = Some(number()?),
                "--seed" => asked.seed = number()?,
                _ if laws().iter().any(|law| is_named(law, &word)) => asked.names.push(word),
                _ => {
                    let names: Vec<&str> = laws().iter().map(|law| law.name).collect();
                    let names = names.join(", ");
                    return Err(format!(
                        "there is no law `{word}`; choose a game or one of {names}"
                    ));
                }
            }
        }
        Ok(asked)
    }

    fn wants(&self, law: &Law) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| is_named(law, name))
    }
}

/// Returns whether a name is that of a law or of its game.
fn is_named(law: &Law, name: &str) -> bool {
    let game = law.name.split_once('/').map(|(game, _)| game);
    law.name == name || game == Some(name)
}

fn main() -> ExitCode {
    let asked = match Asked::read(std::env::args().skip(1)) {
        Ok(asked) => asked,
        Err(fault) => {
            eprintln!("{fault}");
            return ExitCode::from(2);
        }
    };
    let mut all = Vec::new();
    println!("Seed {}.\n", asked.seed);
    println!("| law | what it says | instances | comparisons | violations |");
    println!("|---|---|---|---|---|");
    for law in laws().into_iter().filter(|law| asked.wants(law)) {
        let instances = asked.count.unwrap_or(law.instances);
        let found = tried(law, asked.seed, instances);
        let counts = [instances, found.comparisons, found.violations].map(grouped);
        println!("| `{}` | {} | {} |", law.name, law.says, counts.join(" | "));
        all.push((law, found));
    }
    println!();
    rows::print(&all);
    let offenders = all
        .iter()
        .flat_map(|(law, found)| found.shown.iter().map(|text| (law.name, text)));
    for (name, text) in offenders {
        println!("\n{name}: {text}");
    }
    let is_broken = all.iter().any(|(_, found)| found.violations > 0);
    ExitCode::from(u8::from(is_broken))
}

/// An integer with commas between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seed 61, the first instances that the program would try.
    fn hold(laws: &[Law]) {
        for law in laws {
            let found = tried(law, SEED, law.sample);
            assert_eq!(found.violations, 0, "{}: {:#?}", law.name, found.shown);
            assert!(
                found.comparisons >= law.sample / 4,
                "{}: {}",
                law.name,
                found.comparisons
            );
        }
    }

    #[test]
    fn laws_of_klondike_hold() {
        hold(&klondike::LAWS);
    }

    #[test]
    fn laws_of_solitaire_hold() {
        hold(&solitaire::LAWS);
    }

    #[test]
    fn laws_of_riddles_hold() {
        hold(&riddle::LAWS);
    }

    #[test]
    fn laws_of_foxes_hold() {
        hold(&foxes::LAWS);
    }

    #[test]
    fn laws_of_pegs_and_queens_hold() {
        hold(&pegs::LAWS);
        hold(&queens::LAWS);
    }

    #[test]
    fn a_violation_and_bounds_that_contradict_a_law_are_found() {
        let mut found = Findings::default();
        let open = |lower, upper| Verdict::Bounds { lower, upper };
        found.at_least(Verdict::Proved(3), open(1, 5), String::new);
        assert_eq!((found.comparisons, found.violations), (0, 0));
        found.at_least(Verdict::Proved(3), open(4, 5), || "here".to_owned());
        found.equal(Verdict::Proved(3), Verdict::Proved(3), String::new);
        found.equal(open(1, 2), Verdict::Proved(3), || "there".to_owned());
        assert_eq!((found.comparisons, found.violations), (3, 2));
        assert_eq!(found.shown, ["here", "there"]);
    }

    #[test]
    fn arguments_name_laws_games_a_count_and_a_seed() {
        let read = |text: &str| Asked::read(text.split(' ').map(str::to_owned));
        let asked = read("foxes solitaire/passes --count 1_000 --seed 7").unwrap();
        assert_eq!((asked.count, asked.seed), (Some(1_000), 7));
        let wanted: Vec<&str> = laws()
            .iter()
            .filter(|law| asked.wants(law))
            .map(|law| law.name)
            .collect();
        assert!(wanted.contains(&"foxes/draws") && wanted.contains(&"solitaire/passes"));
        assert!(!wanted.contains(&"solitaire/draws"));
        for (wrong, message) in [
            ("chess", "there is no law"),
            ("--count x", "expected a number"),
        ] {
            assert!(read(wrong).err().unwrap().contains(message));
        }
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
