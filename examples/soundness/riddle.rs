//! Laws of the solver of riddles, on sets of clues of all variants.

use super::{Findings, Law, Trial};
use kit::rng::{Stream, below, choose, unit};
use kit::search::{Budget, Verdict};
use riddle::clues::Clues;
use riddle::rules::{Referee, Rule};
use riddle::sampler::{ConflictAlgorithm, Generator, Sampler};
use riddle::solver::RiddleSolver;
use riddle::variants::Variant;

/// The laws.
pub static LAWS: [Law; 3] = [
    Law {
        name: "riddle/more-clues",
        says: "The placement that the clues were made from is found, and another clue never adds a placement.",
        instances: 3_000,
        sample: 60,
        start: more_clues,
    },
    Law {
        name: "riddle/split",
        says: "The placements are those with each number in a cell without a clue, added up.",
        instances: 3_000,
        sample: 40,
        start: split,
    },
    Law {
        name: "riddle/mirrored",
        says: "Clues that are turned or mirrored have as many placements; under a table of differences, those turned by a \
               half turn.",
        instances: 3_000,
        sample: 60,
        start: mirrored,
    },
];

/// Pieces that a search may try on cells.
const NODES: u64 = 20_000;

const VARIANTS: [Variant; 4] = [
    Variant::Chess,
    Variant::Makruk,
    Variant::Xiangqi,
    Variant::Shogi,
];
const RULES: [Rule; 4] = [Rule::NonAttacking, Rule::Amazon, Rule::Any, Rule::Table];

/// Clues of a placement.
struct Shown<'a> {
    referee: &'a Referee,
    clues: Clues,
    variant: Variant,
}

impl Shown<'_> {
    /// Clues in some cells, and stars on some of the pieces.
    fn draw<'a>(generators: &'a [(Variant, Generator)], stream: &mut Stream) -> Option<Shown<'a>> {
        let (variant, generator) = choose(stream, generators)?;
        let referee = generator.referee();
        let placement = generator.generate(stream).placement;
        let board = referee.army().board();
        let share = 0.08 + 0.22 * unit(stream);
        let mut some = |cells| {
            let mut shown = 0;
            for cell in (0..board.cells()).filter(|&cell| cells >> cell & 1 == 1) {
                shown |= u128::from(unit(stream) < share) << cell;
            }
            shown
        };
        let shown = some(board.all());
        let stars = some(placement.occupied());
        let clues = Clues::of_map(&referee.army().threats(&placement), shown).with_stars(stars);
        Some(Shown {
            referee,
            clues,
            variant: *variant,
        })
    }

    fn count(&self, clues: &Clues) -> Verdict<u64> {
        let end = RiddleSolver::new(self.referee).count(clues, u64::MAX, Budget::nodes(NODES));
        let upper = if end.complete {
            end.solutions
        } else {
            u64::MAX
        };
        Verdict::from_bounds(end.solutions, upper)
    }

    fn text(&self) -> String {
        self.clues.write(self.referee.army().board())
    }

    fn read(&self, text: &str) -> Option<Clues> {
        Clues::parse(self.referee.army().board(), text).ok()
    }

    fn written(&self) -> String {
        format!(
            "{:?}, {:?}: {}",
            self.variant,
            self.referee.rule(),
            self.text()
        )
    }
}

/// A trial with a generator of each variant and rule.
fn trial(of: fn(&Shown, &mut Stream, &mut Findings)) -> Trial {
    let kinds = VARIANTS
        .into_iter()
        .flat_map(|variant| RULES.map(|rule| (variant, rule)));
    let generators: Vec<(Variant, Generator)> = kinds
        .filter_map(|(variant, rule)| {
            let referee = Referee::new(variant.army(), rule);
            let generator = Generator::new(referee, Sampler::Uniform, ConflictAlgorithm::Bitboard)?;
            Some((variant, generator))
        })
        .collect();
    Box::new(move |stream, found| {
        if let Some(shown) = Shown::draw(&generators, stream) {
            of(&shown, stream, found);
        }
    })
}

fn more_clues() -> Trial {
    trial(|shown, stream, found| {
        let all = shown.count(&shown.clues);
        found.check(all.upper() > 0, || {
            format!("none found: {}", shown.written())
        });
        let seen = shown.clues.digits() | shown.clues.stars();
        let cells: Vec<usize> = (0..128).filter(|&cell| seen >> cell & 1 == 1).collect();
        let Some(&cell) = choose(stream, &cells) else {
            return;
        };
        let fewer = shown.count(&shown.clues.without(cell));
        found.at_least(fewer, all, || {
            let name = shown.referee.army().board().name(cell);
            format!(
                "{all:?} here, {fewer:?} without {name}: {}",
                shown.written()
            )
        });
    })
}

fn split() -> Trial {
    trial(|shown, stream, found| {
        let text = shown.text();
        let unknown: Vec<usize> = text.match_indices('.').map(|(at, _)| at).collect();
        let Some(&at) = choose(stream, &unknown) else {
            return;
        };
        let Verdict::Proved(whole) = shown.count(&shown.clues) else {
            return;
        };
        let mut sum = Some(0);
        for digit in 0..=shown.referee.army().size() {
            let mut text = text.clone();
            text.replace_range(at..=at, &digit.to_string());
            let part = shown.read(&text).map(|clues| shown.count(&clues));
            sum = match part {
                Some(Verdict::Proved(part)) => sum.map(|sum| sum + part),
                _ => None,
            };
        }
        if let Some(sum) = sum {
            found.check(sum == whole, || {
                format!(
                    "{whole} here, {sum} by the number in sign {at}: {}",
                    shown.written()
                )
            });
        }
    })
}

fn mirrored() -> Trial {
    trial(|shown, stream, found| {
        let text = shown.text();
        let is_table = shown.referee.rule().is_difference_table();
        let [sideways, upside_down] = match below(stream, 3) {
            _ if is_table => [true, true],
            0 => [true, false],
            1 => [false, true],
            _ => [true, true],
        };
        let mut rows: Vec<String> = text.split('/').map(str::to_owned).collect();
        if sideways {
            rows = rows.iter().map(|row| row.chars().rev().collect()).collect();
        }
        if upside_down {
            rows.reverse();
        }
        let Some(image) = shown.read(&rows.join("/")) else {
            return;
        };
        let [here, there] = [shown.clues, image].map(|clues| shown.count(&clues));
        found.equal(here, there, || {
            format!(
                "{here:?} here, {there:?} as {}: {}",
                rows.join("/"),
                shown.written()
            )
        });
    })
}
