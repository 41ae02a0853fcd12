//! The verbs for one riddle: solve, make, play.
//!
//! Reads options, calls the engines of this folder, reports through the console.

mod make;
mod play;
mod solve;

use make::MakeRiddle;
use play::PlayRiddle;
use solve::SolveRiddle;

use base::{Failure, parse_integer};
use clap::Args;
use kit::rng::{StreamKey, Streams};
use riddle::census::Census;
use riddle::rules::{Referee, Rule};
use riddle::sampler::{ConflictAlgorithm, Generator, Sampler};
use riddle::variants::Variant;
use task::{Verb, by_name};

/// All verbs.
pub const VERBS: &[Verb] = &[
    Verb::new::<SolveRiddle>("solve"),
    Verb::new::<MakeRiddle>("make"),
    Verb::new::<PlayRiddle>("play"),
];

/// The placements to draw from, and what is shown of them.
#[derive(Debug, Args)]
struct HiddenPlacement {
    /// The chess variant
    #[arg(long, value_parser = by_name::<Variant>(), default_value = Variant::Chess.as_ref())]
    variant: Variant,
    /// The rule of hidden placements, which the solver knows
    #[arg(long, value_parser = by_name::<Rule>(), default_value = Rule::USUAL.as_ref())]
    rule: Rule,
    /// Seed of the random draws
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_integer)]
    seed: u64,
    /// Mark occupied cells with stars
    #[arg(long)]
    starred: bool,
}

impl HiddenPlacement {
    /// A uniform generator of the variant and the rule.
    fn generator(&self) -> Result<Generator, Failure> {
        let referee = Referee::new(self.variant.army(), self.rule);
        let empty = || {
            let message = format!("rule `{}` accepts no placement", self.rule.as_ref());
            Failure::input("--rule", message, "choose another rule")
        };
        if self.rule != Rule::Any && Census::new(&referee).placements() == 0 {
            return Err(empty());
        }
        Generator::new(referee, Sampler::Uniform, ConflictAlgorithm::Bitboard).ok_or_else(empty)
    }

    /// The draws for a purpose.
    fn draws(&self, purpose: &str) -> StreamKey {
        Streams::new(self.seed).key(purpose)
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantNames;

    use super::*;
    use task::Script;

    fn call(verb: usize, options: &[&str], lines: &[&str]) -> Result<Script, Failure> {
        Script::answering(lines).run(&VERBS[verb], options)
    }

    pub fn solve(options: &[&str]) -> Result<Script, Failure> {
        call(0, options, &[])
    }

    pub fn make(options: &[&str]) -> Script {
        call(1, options, &[]).unwrap()
    }

    pub fn play(options: &[&str], lines: &[&str]) -> Script {
        call(2, options, lines).unwrap()
    }

    /// Seeds 1 and 7: a riddle's identifier is stable across versions.
    #[test]
    fn made_riddles_keep_their_identifiers() {
        let id = |options: &[&str]| make(options).column(1);
        assert_eq!(
            id(&["--seed=7"]),
            ["chess:....2.../.1....../.13...2./.1....../.01...../......1./...22.../........"]
        );
        assert_eq!(
            id(&["--variant=xiangqi", "--starred"]),
            [
                "xiangqi:........./........./.*.**..../*......../........./........./........./....*..../........./........."
            ]
        );
    }

    /// Seed 5, where the draws 80 and 384 repeat earlier riddles, and seeds 1 to 3: an id names one riddle, by which
    /// it is solved.
    #[test]
    fn no_riddle_is_made_twice_and_an_id_knows_the_rule() {
        let of = |seed: &str, count: &str| {
            let options = [
                "--variant=xiangqi",
                "--rule=universal",
                "--starred",
                "--answers",
            ];
            make(&[&options[..], &[seed, count]].concat())
        };
        for seed in ["--seed=1", "--seed=2", "--seed=3", "--seed=5"] {
            let mut ids = of(seed, "--count=450").column(1);
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), 450, "{seed}");
        }
        let many = of("--seed=5", "--count=450");
        let indices = many.column(0);
        assert_eq!(indices.last().map(String::as_str), Some("451"));
        assert!(!indices.contains(&"80".to_owned()) && !indices.contains(&"384".to_owned()));
        let made = many.column(1).into_iter().zip(many.column(6));
        for (id, answer) in made.step_by(50) {
            assert!(id.starts_with("xiangqi/universal:"), "{id}");
            let solved = solve(&[&format!("--clues={id}")]).unwrap();
            assert_eq!(solved.column(1), [answer]);
        }
    }

    #[test]
    fn made_riddles_are_solved_by_their_own_clues() {
        for variant in Variant::VARIANTS {
            let options = [
                &format!("--variant={variant}"),
                "--count=3",
                "--answers",
                "--svg",
            ];
            let made = make(&options);
            for (id, answer) in made.column(1).iter().zip(made.column(6)) {
                let clues = format!("--clues={}", id.split_once(':').unwrap().1);
                let solved = solve(&[options[0], &clues]).unwrap();
                assert_eq!(solved.column(1), [answer]);
            }
            assert!(made.column(7).iter().all(|svg| svg.starts_with("<svg")));
        }
    }
}
