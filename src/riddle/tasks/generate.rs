//! `riddle/generate`: one random riddle, what it took to draw and how many threats it shows.
//!
//! The exact census, computed when the task is built (at most a tenth of a second), gives the
//! expectations the estimates are tested against.

use super::{ALGORITHM, RULE, SAMPLER, VARIANT, counted_by, frames};
use base::counted;
use kit::rng::Streams;
use riddle::army::Army;
use riddle::census::Census;
use riddle::clues::Clues;
use riddle::sampler::{ConflictAlgorithm, Generated, Generator, Sampler};
use std::borrow::Cow::Borrowed;
use task::{
    Build, Draw, Metric, ParamError, Params, Replay, Row, SampleError, Support, Task, TaskSpec,
    Truth, Value, Worker, Workspace, worker_of,
};

/// The task's specification.
pub const GENERATE: TaskSpec = TaskSpec {
    name: Borrowed("riddle/generate"),
    summary: Borrowed(
        "Generates riddles and measures the work of rejection and the threats shown.",
    ),
    sample: Borrowed("one accepted placement"),
    noun: Borrowed("placement"),
    is_random: true,
    params: Borrowed(&[VARIANT, RULE, SAMPLER, ALGORITHM]),
    metrics: Borrowed(&[
        Metric::total(
            "attempts",
            "passes",
            "Attempts to place the pieces, including the accepted one; each conflict starts another.",
        ),
        Metric::rate("acceptance", "", "Accepted placements per attempt."),
        Metric::total("draws", "cells", "Cells drawn."),
        Metric::integer(
            "max-threat",
            "pieces",
            (0, 5),
            "Pieces that attack the most attacked cell.",
        ),
        Metric::flag("five-threats", "Some cell is attacked by five pieces."),
        Metric::flag("every-piece", "Some cell is attacked by every piece."),
    ]),
    contest: None,
    build: Build::By(build),
};

fn build(params: &Params) -> Result<Box<dyn Task>, ParamError> {
    let referee = super::referee(params)?;
    let sampler = super::choice::<Sampler>(params, &SAMPLER)?;
    let algorithm = super::choice::<ConflictAlgorithm>(params, &ALGORITHM)?;
    let census = super::census(&referee);
    let generator = super::generator(referee, census.as_ref(), sampler, algorithm)?;
    Ok(Box::new(Generate {
        generator,
        sampler,
        census,
    }))
}

struct Generate {
    generator: Generator,
    sampler: Sampler,
    census: Option<Census>,
}

impl Task for Generate {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        let key = streams.key(super::PLACEMENT);
        worker_of(move |draw, row| {
            let generated = self.generator.generate(&mut key.stream(draw.index));
            measure(self.generator.referee().army(), &generated, row);
            Ok(())
        })
    }

    fn rules(&self) -> String {
        self.generator.referee().rules()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let key = streams.key(super::PLACEMENT);
        let generated = self.generator.generate(&mut key.stream(draw.index));
        let army = self.generator.referee().army();
        let map = army.threats(&generated.placement);
        let clues = Clues::of_map(&map, army.board().all());
        Ok(Replay {
            instance: format!("{}:{}", army.name, clues.write(army.board())),
            frames: frames(
                army,
                &clues,
                &generated.placement,
                ["the threats shown", "the pieces"],
            ),
            outcome: format!(
                "pieces on {} after {} and {}; at most {} on a cell",
                army.write(&generated.placement),
                counted(generated.attempts, "attempt"),
                counted(generated.draws, "draw"),
                counted(map.highest().into(), "threat")
            ),
        })
    }

    fn truth(&self, metric: &str) -> Option<Truth> {
        let census = self.census.as_ref()?;
        let attempts = census.expected_attempts(self.sampler);
        let chances = census.max_threat_chances(self.sampler);
        let pieces = self.generator.referee().army().size();
        let value = match metric {
            "attempts" => attempts,
            "acceptance" => 1.0 / attempts,
            "max-threat" => chances
                .iter()
                .zip(0u8..)
                .map(|(p, k)| p * f64::from(k))
                .sum(),
            "five-threats" => chances[5],
            "every-piece" => chances[pieces],
            _ => return None,
        };
        Some(Truth {
            value,
            source: counted_by(census),
        })
    }

    fn support(&self, metric: &str) -> Option<Support> {
        let census = self.census.as_ref().filter(|_| metric == "max-threat")?;
        let chances = census.max_threat_chances(self.sampler);
        let occurs = |threat: &usize| chances[*threat] > 0.0;
        let threats = 0..chances.len();
        Some(Support {
            least: threats.clone().find(occurs)? as f64,
            most: threats.rev().find(occurs)? as f64,
            source: counted_by(census),
        })
    }
}

/// Pushes the metrics of a generated placement.
fn measure(army: &Army, generated: &Generated, row: &mut Row) {
    let highest = army.threats(&generated.placement).highest();
    row.push(Value::Exact(generated.attempts as i64));
    row.push(Value::ratio(1, generated.attempts));
    row.push(Value::Exact(generated.draws as i64));
    row.push(Value::Exact(i64::from(highest)));
    row.push(Value::flag(highest == 5));
    row.push(Value::flag(usize::from(highest) == army.size()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::search::Budget;

    fn task(variant: &str, rule: &str, algorithm: &str) -> Result<Box<dyn Task>, ParamError> {
        let params = Params::defaults(&GENERATE.params)
            .with_text("variant", variant)
            .with_text("rule", rule)
            .with_text("sampler", "seed")
            .with_text("algorithm", algorithm);
        build(&params)
    }

    fn rows(task: &dyn Task, seed: u64, samples: u64) -> Vec<Row> {
        let mut workspace = Workspace::new();
        let mut worker = task.worker(&Streams::new(seed), &mut workspace);
        let budget = Budget::UNLIMITED;
        (0..samples)
            .map(|index| {
                let mut row = Row::new();
                worker.sample(Draw { index, budget }, &mut row).unwrap();
                row
            })
            .collect()
    }

    /// Seed 2. The same draws meet the same conflicts, however these are looked up.
    #[test]
    fn table_and_bitboards_generate_the_same_riddles() {
        for (variant, rule) in [
            ("chess", "table-published"),
            ("makruk", "table"),
            ("makruk", "universal"),
            ("xiangqi", "table-published"),
            ("shogi", "table-published"),
        ] {
            let table = task(variant, rule, "table").unwrap();
            let bitboard = task(variant, rule, "bitboard").unwrap();
            assert_eq!(rows(&*table, 2, 40), rows(&*bitboard, 2, 40), "{variant}");
        }
    }

    /// Seed 3, 20,000 riddles a variant: each mean within five standard errors of the census.
    #[test]
    fn means_agree_with_the_census() {
        for variant in ["chess", "makruk", "xiangqi", "shogi"] {
            let task = task(variant, "non-attacking", "bitboard").unwrap();
            let rows = rows(&*task, 3, 20_000);
            for (index, metric) in [(0, "attempts"), (3, "max-threat"), (5, "every-piece")] {
                let truth = task.truth(metric).unwrap().value;
                let values = rows.iter().map(|row| match row.values()[index] {
                    Value::Exact(value) => value as f64,
                    _ => f64::NAN,
                });
                let (sum, squares) = values.fold((0.0, 0.0), |(sum, squares), value| {
                    (sum + value, squares + value * value)
                });
                let n = rows.len() as f64;
                let error = ((squares / n - (sum / n).powi(2)) / n).sqrt();
                let miss = (sum / n - truth).abs();
                assert!(
                    miss <= 5.0 * error + 1e-12,
                    "{variant} {metric}: {miss} {error}"
                );
            }
        }
    }

    #[test]
    fn the_table_algorithm_needs_a_table_rule() {
        let error = task("chess", "amazon", "table").err().unwrap();
        assert_eq!(error.name, "algorithm");
    }
}
