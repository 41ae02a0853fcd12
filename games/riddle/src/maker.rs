//! Generates riddles with few clues and one proved answer.
//!
//! A random placement is shown in full. Then its clues are removed one by one in random order,
//! each for good if the answer is still proved unique without it. Every remaining clue is needed
//! (greedy reduction, as for minimal sudoku). The grade is the number of nodes that the solver
//! visits to prove uniqueness.

use super::army::{Army, Placement};
use super::board::{CellSet, members};
use super::clues::Clues;
use super::rules::Rule;
use super::sampler::Generator;
use super::solver::{RiddleSolver, SearchEnd};
use kit::rng::{Stream, shuffle};
use kit::search::Budget;

/// The nodes that a check whether a clue is needed may cost a riddle for people.
pub const CHECK: Budget = Budget::nodes(200_000);
/// The placements tried for a riddle for people.
pub const MOST_PLACEMENTS: u64 = 10_000;

/// A riddle with exactly one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Riddle {
    /// The clues.
    pub clues: Clues,
    /// The only placement that fits.
    pub answer: Placement,
    /// The solver's nodes to prove that.
    pub nodes: u64,
    /// Clues kept only because the budget did not decide whether they are needed.
    pub undecided: u64,
    /// Placements drawn whose whole map had several answers.
    pub rejected: u64,
}

/// The difficulty of a riddle, by the solver's nodes.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::EnumString, strum::AsRefStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Grade {
    /// Up to 100 nodes.
    Easy,
    /// Up to 1,000 nodes.
    Medium,
    /// Up to 10,000 nodes.
    Hard,
    /// More.
    Fiendish,
}

impl Grade {
    /// The grade of a riddle proved in `nodes` nodes.
    pub fn of(nodes: u64) -> Self {
        match nodes {
            0..=100 => Grade::Easy,
            101..=1_000 => Grade::Medium,
            1_001..=10_000 => Grade::Hard,
            _ => Grade::Fiendish,
        }
    }
}

/// The stable name of a riddle, which holds all that its answer depends on: `variant:clues`, or `variant/rule:clues`
/// of a rule that is not the usual one.
pub fn id(army: &Army, rule: Rule, clues: &Clues) -> String {
    let rule = match rule {
        Rule::USUAL => String::new(),
        rule => format!("/{}", rule.as_ref()),
    };
    format!("{}{rule}:{}", army.name, clues.write(army.board()))
}

impl Riddle {
    /// The riddle's stable name.
    pub fn id(&self, generator: &Generator) -> String {
        let referee = generator.referee();
        id(referee.army(), referee.rule(), &self.clues)
    }
}

/// Makes riddles of a generator's placements.
#[derive(Debug)]
pub struct Maker<'a> {
    generator: &'a Generator,
    starred: bool,
    check: Budget,
}

impl<'a> Maker<'a> {
    /// A maker of riddles that show every occupied cell by a star if `starred`, and that spends at
    /// most `check` on each check whether a clue is needed.
    pub fn new(generator: &'a Generator, starred: bool, check: Budget) -> Self {
        Self {
            generator,
            starred,
            check,
        }
    }

    /// Makes one riddle, or none if no whole map of `most` placements has one answer.
    pub fn make(&self, rng: &mut Stream, most: u64) -> Option<Riddle> {
        (0..most).find_map(|rejected| {
            let answer = self.generator.generate(rng).placement;
            let whole = self.whole(&answer);
            if self.is_unique(&whole) != Some(true) {
                return None;
            }
            let mut riddle = Riddle {
                clues: whole,
                answer,
                nodes: 0,
                undecided: 0,
                rejected,
            };
            self.reduce(&mut riddle, rng);
            riddle.nodes = self.work(&riddle.clues).nodes;
            Some(riddle)
        })
    }

    /// Returns all clues that a placement can show.
    fn whole(&self, placement: &Placement) -> Clues {
        let army = self.generator.referee().army();
        let clues = Clues::of_map(&army.threats(placement), army.board().all());
        let stars: CellSet = if self.starred {
            placement.occupied()
        } else {
            0
        };
        clues.with_stars(stars)
    }

    fn reduce(&self, riddle: &mut Riddle, rng: &mut Stream) {
        let mut cells: Vec<usize> = members(riddle.clues.digits()).collect();
        shuffle(rng, &mut cells);
        for cell in cells {
            let fewer = riddle.clues.without(cell);
            match self.is_unique(&fewer) {
                Some(true) => riddle.clues = fewer,
                Some(false) => {}
                None => riddle.undecided += 1,
            }
        }
    }

    fn is_unique(&self, clues: &Clues) -> Option<bool> {
        RiddleSolver::new(self.generator.referee()).is_unique(clues, self.check)
    }

    fn work(&self, clues: &Clues) -> SearchEnd {
        RiddleSolver::new(self.generator.referee()).count(clues, 2, self.check)
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use crate::rules::Referee;
    use crate::sampler::{ConflictAlgorithm, Sampler};
    use crate::variants::Variant;
    use kit::rng::Streams;

    /// The shares of `riddles`, made with the given seed, over variants, rules and stars; each is
    /// solved again by a solver without a limit, and must have its one answer.
    fn make_and_solve_again(riddles: u64, seed: u64) {
        let settings = Variant::iter().flat_map(|variant| {
            [
                (Rule::NonAttacking, false),
                (Rule::NonAttacking, true),
                (Rule::Table, false),
            ]
            .map(|(rule, starred)| (variant, rule, starred))
        });
        for (variant, rule, starred) in settings {
            let referee = Referee::new(variant.army(), rule);
            let generator =
                Generator::new(referee, Sampler::Uniform, ConflictAlgorithm::Bitboard).unwrap();
            let maker = Maker::new(&generator, starred, Budget::nodes(20_000));
            let key = Streams::new(seed).key("riddle");
            for index in 0..riddles.div_ceil(12) {
                let riddle = maker.make(&mut key.stream(index), 1_000).unwrap();
                let mut answers = Vec::new();
                let solver = RiddleSolver::new(generator.referee());
                let search = solver.solve(&riddle.clues, Budget::UNLIMITED, &mut |placement| {
                    answers.push(*placement);
                    std::ops::ControlFlow::Continue(())
                });
                assert!(search.complete);
                assert_eq!(answers, [riddle.answer], "{}", riddle.id(&generator));
            }
        }
    }

    /// Seed 31.
    #[test]
    fn made_riddles_have_exactly_their_answer() {
        make_and_solve_again(60, 31);
    }

    /// Seed 32. Run with `cargo test --release -- --ignored ten_thousand`: a minute or two.
    #[test]
    #[ignore = "a minute or two"]
    fn ten_thousand_made_riddles_have_exactly_their_answer() {
        make_and_solve_again(10_000, 32);
    }
}
