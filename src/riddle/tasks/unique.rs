//! `riddle/unique`: how many placements fit what is shown of a random one.
//!
//! The board may be shown whole or in part, occupied cells marked or not; under rule `any` pieces
//! may attack and hide each other, as in the original "Guess-Chess". A search past its budget has
//! found some placements and bounds the rest by the census.

use super::{PLACEMENT, RULE, VARIANT, frames, grouped};
use base::counted;
use kit::rng::{StreamKey, Streams, shuffle};
use kit::search::Budget;
use riddle::army::Placement;
use riddle::board::set_of;
use riddle::census::Census;
use riddle::clues::Clues;
use riddle::maps::MapCensus;
use riddle::sampler::Generator;
use riddle::solver::{RiddleSolver, SearchEnd};
use std::borrow::Cow::Borrowed;
use std::sync::OnceLock;
use task::{
    Build, Draw, Metric, ParamError, ParamSpec, Params, Replay, Row, SampleError, Task, TaskSpec,
    Truth, Value, Worker, Workspace,
};

const SHOWN: ParamSpec = ParamSpec::integer(
    "shown",
    (0, 121),
    "Number of random cells that show their threats; the number of cells or more shows all.",
)
.or_integer(121);

/// Past this many placements the census of maps is not taken for a truth: it would cost seconds.
const MOST_MAPS: u64 = 20_000_000;

/// The task's specification.
pub const UNIQUE: TaskSpec = TaskSpec {
    name: Borrowed("riddle/unique"),
    summary: Borrowed(
        "Shows all or some of a random placement's threats and counts the placements that fit.",
    ),
    sample: Borrowed("one uniform placement, solved from the clues shown"),
    noun: Borrowed("placement"),
    is_random: true,
    params: Borrowed(&[VARIANT, RULE, SHOWN, super::MARKED]),
    metrics: Borrowed(&[
        Metric::flag("unique", "Exactly one placement fits."),
        Metric::total(
            "solutions",
            "placements",
            "Placements that fit the clues shown.",
        )
        .as_answer(),
        Metric::total(
            "nodes",
            "nodes",
            "Times that the solver tried a piece on a cell.",
        ),
    ]),
    contest: None,
    build: Build::By(build),
};

fn build(params: &Params) -> Result<Box<dyn Task>, ParamError> {
    let (generator, census) = super::uniform(params)?;
    let cells = generator.referee().army().board().cells();
    Ok(Box::new(Unique {
        shown: (params.integer(&SHOWN.name)?.max(0) as usize).min(cells),
        marked: params.flag(&super::MARKED.name)?,
        generator,
        census,
        maps: OnceLock::new(),
    }))
}

struct Unique {
    generator: Generator,
    shown: usize,
    marked: bool,
    census: Option<Census>,
    maps: OnceLock<MapCensus>,
}

struct UniquenessSampling<'task> {
    task: &'task Unique,
    placements: StreamKey,
    cells: StreamKey,
}

impl Unique {
    fn sampling<'task>(&'task self, streams: &Streams) -> UniquenessSampling<'task> {
        UniquenessSampling {
            task: self,
            placements: streams.key(PLACEMENT),
            cells: streams.key("shown"),
        }
    }

    /// The census of whole maps, where it describes this task and costs little.
    fn map_census(&self) -> Option<&MapCensus> {
        let whole = self.shown == self.generator.referee().army().board().cells();
        let placements = self.census.as_ref()?.placements();
        let known = whole && !self.marked && placements <= MOST_MAPS;
        known.then(|| {
            self.maps
                .get_or_init(|| MapCensus::new(self.generator.referee(), placements))
        })
    }
}

impl Task for Unique {
    /// The clues shown, row by row.
    fn instance(&self, streams: &Streams, index: u64, form: Option<&str>) -> Option<String> {
        let budget = Budget::UNLIMITED;
        let (_, clues) = self.sampling(streams).instance(Draw { index, budget });
        let board = self.generator.referee().army().board();
        form.is_none().then(|| clues.write(board))
    }

    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(self.sampling(streams))
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        None
    }

    fn rules(&self) -> String {
        self.generator.referee().rules()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let sampling = self.sampling(streams);
        let (placement, clues) = sampling.instance(draw);
        let army = self.generator.referee().army();
        let search = sampling.search(&clues, draw);
        Ok(Replay {
            instance: format!("{}:{}", army.name, clues.write(army.board())),
            frames: frames(army, &clues, &placement, ["what is shown", "the pieces"]),
            outcome: format!(
                "{}{} that {}, found in {}",
                if search.complete { "" } else { "at least " },
                counted(search.solutions.max(1), "placement"),
                if search.solutions > 1 { "fit" } else { "fits" },
                counted(search.nodes, "node")
            ),
        })
    }

    fn truth(&self, metric: &str) -> Option<Truth> {
        let maps = self.map_census()?;
        let value = match metric {
            "unique" => maps.unique as f64 / maps.placements as f64,
            "solutions" => maps.expected_solutions(),
            _ => return None,
        };
        Some(Truth {
            value,
            source: format!("an exact census of {} maps", grouped(maps.distinct)),
        })
    }
}

impl UniquenessSampling<'_> {
    fn instance(&self, draw: Draw) -> (Placement, Clues) {
        let generator = &self.task.generator;
        let mut rng = self.placements.stream(draw.index);
        let placement = generator.generate(&mut rng).placement;
        let army = generator.referee().army();
        let mut cells: Vec<usize> = (0..army.board().cells()).collect();
        // Cells are revealed in one random order, so that sweeping `shown` adds clues to the same
        // riddle.
        shuffle(&mut self.cells.stream(draw.index), &mut cells);
        let shown = set_of(cells.into_iter().take(self.task.shown));
        let stars = if self.task.marked {
            placement.occupied()
        } else {
            0
        };
        let clues = Clues::of_map(&army.threats(&placement), shown).with_stars(stars);
        (placement, clues)
    }

    fn search(&self, clues: &Clues, draw: Draw) -> SearchEnd {
        RiddleSolver::new(self.task.generator.referee()).count(clues, u64::MAX, draw.budget)
    }

    /// No more placements can fit than there are.
    fn most(&self) -> i64 {
        let census = self.task.census.as_ref();
        let tuples = self.task.generator.referee().army().tuples();
        census.map_or(tuples, Census::placements) as i64
    }
}

impl Worker for UniquenessSampling<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let (_, clues) = self.instance(draw);
        let search = self.search(&clues, draw);
        // The drawn placement fits, whether the search came to it or not.
        let solutions = search.solutions.max(1) as i64;
        let upper = if search.complete {
            solutions
        } else {
            self.most()
        };
        row.push(Value::flag_bounds(upper == 1, solutions == 1));
        row.push(Value::bounds(solutions, upper));
        row.push(Value::Exact(search.nodes as i64));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(variant: &str, rule: &str, shown: i64) -> Box<dyn Task> {
        let params = Params::defaults(&UNIQUE.params)
            .with_text("variant", variant)
            .with_text("rule", rule)
            .with_integer("shown", shown);
        build(&params).unwrap()
    }

    fn mean_solutions(task: &dyn Task, budget: Budget, samples: u64) -> (f64, u64) {
        let mut workspace = Workspace::new();
        let mut worker = task.worker(&Streams::new(41), &mut workspace);
        let (mut sum, mut unresolved) = (0, 0);
        for index in 0..samples {
            let mut row = Row::new();
            worker.sample(Draw { index, budget }, &mut row).unwrap();
            match row.values()[1] {
                Value::Exact(solutions) => sum += solutions,
                _ => unresolved += 1,
            }
        }
        (sum as f64 / samples as f64, unresolved)
    }

    /// Seed 41: the exact expectation is 1.1460 with standard deviation 0.39; 4,000 samples.
    #[test]
    fn whole_xiangqi_maps_agree_with_their_census() {
        let task = task("xiangqi", "table", 90);
        let truth = task.truth("solutions").unwrap().value;
        let (mean, unresolved) = mean_solutions(&*task, Budget::UNLIMITED, 4_000);
        assert!(
            (mean - truth).abs() < 0.03 && unresolved == 0,
            "{mean} {truth}"
        );
    }

    #[test]
    fn a_small_budget_leaves_bounds_and_never_a_guess() {
        let task = task("chess", "any", 3);
        let (_, unresolved) = mean_solutions(&*task, Budget::nodes(50), 20);
        assert_eq!(unresolved, 20);
        assert!(task.truth("solutions").is_none());
    }
}
