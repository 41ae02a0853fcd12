//! The numbers that would have decided a riddle, once its answer is known.

use super::army::Placement;
use super::board::{CellSet, members};
use super::clues::Clues;
use super::rules::Referee;
use super::solver::RiddleSolver;
use kit::search::Budget;
use std::ops::ControlFlow;

/// The state of a riddle when it ends: how much was open, and the number that would have told the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RiddleReview {
    /// The placements that fit what is shown.
    pub fitting: u64,
    /// The cell whose number would have left the fewest of them; the first of equals.
    pub cell: usize,
    /// The placements that it would have left.
    pub left: u64,
}

/// Reviews a riddle with this answer, of which `clues` are shown; `None` where more than `most` placements fit, or the
/// budget does not tell.
pub fn review(
    referee: &Referee,
    (clues, answer): (&Clues, &Placement),
    most: u64,
    budget: Budget,
) -> Option<RiddleReview> {
    let army = referee.army();
    let hidden = army.threats(answer);
    let all = army.board().all();
    let (mut fitting, mut left) = (0, vec![0; army.board().cells()]);
    let end = RiddleSolver::new(referee).solve(clues, budget, &mut |placement| {
        fitting += 1;
        let map = army.threats(placement);
        let same: CellSet = (0..=hidden.highest()).fold(0, |same, count| {
            same | (map.level(count) & hidden.level(count))
        });
        members(same & all).for_each(|cell| left[cell] += 1);
        if fitting <= most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let (cell, &left) = left.iter().enumerate().min_by_key(|&(_, left)| left)?;
    end.complete.then_some(RiddleReview {
        fitting,
        cell,
        left,
    })
}

/// The number that a riddle needs most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeededNumber {
    /// The cell of the number; the first of equals.
    pub cell: usize,
    /// The placements that fit the other clues, at most the number that was counted to.
    pub fitting: u64,
}

/// Finds the number without which most placements fit, counting to `most`; `None` where none is shown, or each alone could
/// be left out.
pub fn most_needed(referee: &Referee, clues: &Clues, most: u64) -> Option<NeededNumber> {
    let solver = RiddleSolver::new(referee);
    let without = |cell| NeededNumber {
        cell,
        fitting: solver
            .count(&clues.without(cell), most, Budget::UNLIMITED)
            .solutions,
    };
    let numbers = members(clues.digits()).map(without);
    let needed = numbers.max_by_key(|number| (number.fitting, std::cmp::Reverse(number.cell)));
    needed.filter(|number| number.fitting > 1)
}

#[cfg(test)]
mod tests {
    use super::super::board::only;
    use super::super::maker::{CHECK, MOST_PLACEMENTS, Maker};
    use super::super::rules::Rule;
    use super::super::sampler::{ConflictAlgorithm, Generator, Sampler};
    use super::super::variants::Variant;
    use super::*;
    use kit::rng::Streams;

    fn generator(variant: Variant) -> Generator {
        let referee = Referee::new(variant.army(), Rule::NonAttacking);
        Generator::new(referee, Sampler::Uniform, ConflictAlgorithm::Bitboard).unwrap()
    }

    /// Seed 69: four riddles a variant, made by their maker, of every second one a number is hidden. Each number is tried
    /// alone.
    #[test]
    fn the_number_that_tells_most_is_the_one_that_leaves_fewest() {
        let (mut open, mut decided) = (0, 0);
        for variant in [Variant::Makruk, Variant::Chess] {
            let generator = generator(variant);
            let referee = generator.referee();
            let (army, solver) = (referee.army(), RiddleSolver::new(referee));
            let maker = Maker::new(&generator, false, CHECK);
            for index in 0..4 {
                let mut stream = Streams::new(69).key("riddle").stream(index);
                let riddle = maker.make(&mut stream, MOST_PLACEMENTS).unwrap();
                let hidden = members(riddle.clues.digits()).take(index as usize % 2);
                let clues = hidden.fold(riddle.clues, Clues::without);
                let count =
                    |clues: &Clues| solver.count(clues, u64::MAX, Budget::UNLIMITED).solutions;
                let map = army.threats(&riddle.answer);
                let with = |cell| Clues::of_map(&map, clues.digits() | only(cell));
                let left: Vec<u64> = (0..army.board().cells())
                    .map(|cell| count(&with(cell)))
                    .collect();
                let found =
                    review(referee, (&clues, &riddle.answer), 50_000, Budget::UNLIMITED).unwrap();
                let least = *left.iter().min().unwrap();
                assert_eq!((found.fitting, found.left), (count(&clues), least));
                assert_eq!(
                    found.cell,
                    left.iter().position(|&left| left == least).unwrap()
                );
                open += u32::from(found.fitting > 1);
                decided += u32::from(found.fitting == 1);
            }
        }
        assert!(open == 4 && decided == 4, "{open} {decided}");
        let clues = Clues::none();
        let nothing = (
            &clues,
            &generator(Variant::Makruk)
                .generate(&mut Streams::new(69).key("any").stream(0))
                .placement,
        );
        let referee = Referee::new(Variant::Makruk.army(), Rule::NonAttacking);
        assert_eq!(
            review(&referee, nothing, 1_000, Budget::UNLIMITED),
            None,
            "many fit"
        );
    }

    /// Seed 70: all numbers of a made riddle are needed, and of a whole map none.
    #[test]
    fn the_number_that_is_needed_most_is_the_one_without_which_most_fit() {
        let generator = generator(Variant::Makruk);
        let referee = generator.referee();
        let maker = Maker::new(&generator, false, CHECK);
        let mut stream = Streams::new(70).key("riddle").stream(0);
        let riddle = maker.make(&mut stream, MOST_PLACEMENTS).unwrap();
        let solver = RiddleSolver::new(referee);
        let fitting = |cell| {
            let clues = riddle.clues.without(cell);
            solver.count(&clues, 1_000, Budget::UNLIMITED).solutions
        };
        let needed = most_needed(referee, &riddle.clues, 1_000).unwrap();
        let most = members(riddle.clues.digits()).map(fitting).max().unwrap();
        assert_eq!((needed.fitting, fitting(needed.cell)), (most, most));
        let map = referee.army().threats(&riddle.answer);
        let whole = Clues::of_map(&map, referee.army().board().all());
        assert_eq!(most_needed(referee, &whole, 1_000), None);
        assert_eq!(most_needed(referee, &Clues::none(), 1_000), None);
    }
}
