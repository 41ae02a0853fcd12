//! `riddle/bias`: how far the book's sampler is from a uniform one.
//!
//! Given the cell of piece 1 both samplers are uniform, so that cell carries the whole bias. The
//! share of samples on cells the book's sampler favours, under `seed` less under `uniform`, is the
//! total variation distance; the mean relative excess under `seed` is the chi-square divergence,
//! and n times it (plus the number of cells less one) what a chi-square statistic of the
//! first-cell histogram is expected to be.

use super::{PLACEMENT, RULE, SAMPLER, VARIANT, counted_by};
use kit::rng::{StreamKey, Streams};
use riddle::army::Placement;
use riddle::census::Census;
use riddle::clues::Clues;
use riddle::picture;
use riddle::sampler::{ConflictAlgorithm, Generator, Sampler};
use std::borrow::Cow::Borrowed;
use task::{
    Build, Draw, Frame, Metric, ParamError, Params, Replay, SampleError, Task, TaskSpec, Truth,
    UNITLESS, Value, Worker, Workspace, worker_of,
};

/// Excesses are tallied in millionths.
const PARTS: u32 = 1_000_000;

/// The task's specification.
pub const BIAS: TaskSpec = TaskSpec {
    name: Borrowed("riddle/bias"),
    summary: Borrowed("Measures how the book's sampler favours some cells for the first piece."),
    sample: Borrowed("one accepted placement"),
    noun: Borrowed("placement"),
    is_random: true,
    params: Borrowed(&[VARIANT, RULE, SAMPLER]),
    metrics: Borrowed(&[
        Metric::integer(
            "first-cell",
            UNITLESS,
            (0, 120),
            "The cell of the first piece, numbered row by row from the top left.",
        ),
        Metric::flag(
            "favoured",
            "The first piece stands on a cell that the book's sampler favours.",
        ),
        Metric::total(
            "excess",
            "",
            "Probability of the placement under the book's sampler, divided by its uniform probability, minus one.",
        )
        .signed()
        .with_denominator(PARTS as u64),
    ]),
    contest: None,
    build: Build::By(build),
};

fn build(params: &Params) -> Result<Box<dyn Task>, ParamError> {
    let referee = super::referee(params)?;
    let Some(census) = super::census(&referee) else {
        return Err(ParamError::new(
            &RULE.name,
            "rule `any` accepts the same number of placements for every first cell",
            "choose a rule that rejects something",
        ));
    };
    let sampler = super::choice::<Sampler>(params, &SAMPLER)?;
    let generator = super::generator(referee, Some(&census), sampler, ConflictAlgorithm::Bitboard)?;
    let cells = first_cells(&census, generator.referee().army().board().cells());
    Ok(Box::new(Bias {
        generator,
        sampler,
        census,
        cells,
    }))
}

/// The report of a sample on its first cell.
#[derive(Clone, Copy, Debug, Default)]
struct FirstCell {
    favoured: bool,
    /// The excess in millionths.
    excess: i64,
}

struct Bias {
    generator: Generator,
    sampler: Sampler,
    census: Census,
    cells: Vec<FirstCell>,
}

impl Bias {
    /// The placement of a sample, with its first cell and the report on it.
    fn placed(&self, key: &StreamKey, index: u64) -> (Placement, usize, FirstCell) {
        let placement = self.generator.generate(&mut key.stream(index)).placement;
        let first = placement.iter().next().unwrap_or(0);
        (placement, first, self.cells[first])
    }
}

fn first_cells(census: &Census, cells: usize) -> Vec<FirstCell> {
    let seed = census.first_cell_chances(Sampler::Seed);
    let uniform = census.first_cell_chances(Sampler::Uniform);
    let mut entries = vec![FirstCell::default(); cells];
    for ((cell, _), (p, q)) in census.first_cells().zip(seed.into_iter().zip(uniform)) {
        entries[cell] = FirstCell {
            favoured: p > q,
            excess: ((p / q - 1.0) * f64::from(PARTS)).round() as i64,
        };
    }
    entries
}

impl Task for Bias {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        let key = streams.key(PLACEMENT);
        worker_of(move |draw, row| {
            let (_, first, entry) = self.placed(&key, draw.index);
            row.push(Value::Exact(first as i64));
            row.push(Value::flag(entry.favoured));
            row.push(Value::Exact(entry.excess));
            Ok(())
        })
    }

    fn rules(&self) -> String {
        self.generator.referee().rules()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let (placement, first, entry) = self.placed(&streams.key(PLACEMENT), draw.index);
        let army = self.generator.referee().army();
        Ok(Replay {
            instance: army.write(&placement),
            frames: vec![
                Frame::text("the pieces", picture::placement(army, &placement))
                    .with_svg(picture::svg(army, &Clues::none(), Some(&placement))),
            ],
            outcome: format!(
                "first piece on {}, {}favoured, excess {:.6}",
                army.board().name(first),
                if entry.favoured { "" } else { "not " },
                entry.excess as f64 / f64::from(PARTS)
            ),
        })
    }

    fn truth(&self, metric: &str) -> Option<Truth> {
        let value_at: fn(usize, FirstCell) -> f64 = match metric {
            "first-cell" => |cell, _| cell as f64,
            "favoured" => |_, entry| f64::from(u8::from(entry.favoured)),
            "excess" => |_, entry| entry.excess as f64 / f64::from(PARTS),
            _ => return None,
        };
        let chances = self.census.first_cell_chances(self.sampler);
        let cells = self.census.first_cells().map(|(cell, _)| cell);
        Some(Truth {
            value: cells
                .zip(chances)
                .map(|(cell, chance)| chance * value_at(cell, self.cells[cell]))
                .sum(),
            source: counted_by(&self.census),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::search::Budget;
    use task::Row;

    fn task(sampler: &str) -> Box<dyn Task> {
        let params = Params::defaults(&BIAS.params)
            .with_text("rule", "amazon")
            .with_text("sampler", sampler);
        build(&params).unwrap()
    }

    fn census() -> Census {
        let army = riddle::variants::Variant::Chess.army();
        let rule = riddle::rules::Rule::Amazon;
        Census::new(&riddle::rules::Referee::new(army, rule))
    }

    #[test]
    fn favoured_shares_differ_by_the_total_variation_distance() {
        let truth = |sampler, metric| task(sampler).truth(metric).unwrap().value;
        let distance = truth("seed", "favoured") - truth("uniform", "favoured");
        assert!((distance - census().total_variation()).abs() < 1e-12);
        let divergence = truth("seed", "excess");
        assert!((divergence - census().chi_square_divergence()).abs() < 1e-6);
        assert!(truth("uniform", "excess").abs() < 1e-6);
    }

    /// Seed 51, 20,000 samples each: a chi-square statistic of the first cell against the uniform
    /// sampler's exact chances, 63 degrees of freedom; above 103.4 with probability 0.001.
    #[test]
    fn the_uniform_sampler_passes_a_chi_square_test_and_the_books_does_not() {
        let expected = census().first_cell_chances(Sampler::Uniform);
        let statistic = |sampler| -> f64 {
            let task = task(sampler);
            let mut workspace = Workspace::new();
            let mut worker = task.worker(&Streams::new(51), &mut workspace);
            let mut counts = vec![0.0; expected.len()];
            for index in 0..20_000 {
                let mut row = Row::new();
                let budget = Budget::UNLIMITED;
                worker.sample(Draw { index, budget }, &mut row).unwrap();
                if let Value::Exact(cell) = row.values()[0] {
                    counts[cell as usize] += 1.0;
                }
            }
            let terms = counts.iter().zip(&expected).map(|(count, chance)| {
                let mean = 20_000.0 * chance;
                (count - mean).powi(2) / mean
            });
            terms.sum()
        };
        assert!(statistic("uniform") < 103.4);
        assert!(statistic("seed") > 500.0);
    }
}
